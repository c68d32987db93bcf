"""The other environment that a command read from (`--defer`) or copied (`dbt clone`): its manifest tells the names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lineal_producer.dbt.artifacts import read_artifacts
from lineal_producer.dbt.fields import field_of, text_of
from lineal_producer.dbt.nodes import as_clone
from lineal_producer.descriptions import Node
from lineal_producer.errors import ArtifactError
from lineal_producer.naming.adapters import relation_from_name


def with_deferred(
    manifest: Mapping[str, Any], args: Mapping[str, Any], project_dir: Path, warnings: list[str]
) -> dict[str, Any]:
    """The manifest with each node's relation in that environment, as dbt has it in memory and writes it nowhere."""
    is_clone = text_of(args, "which") == "clone"
    if not is_clone and not field_of(args, "defer"):
        return dict(manifest)
    told = text_of(args, "defer_state") or text_of(args, "state")
    if told is None:
        warnings.append("the other environment of `--state` isn't told: what was read there is not")
        return dict(manifest)
    try:
        other = read_artifacts(project_dir, project_dir / told).manifest["nodes"]
    except ArtifactError as error:
        warnings.append(f"{error}; what was read there is not told")
        return dict(manifest)
    nodes = {
        unique_id: {**node, "defer_relation": {"relation_name": name}}
        if (name := text_of(other.get(unique_id), "relation_name"))
        else node
        for unique_id, node in manifest["nodes"].items()
    }
    return {**manifest, "nodes": nodes}


def as_cloned(node: Node, found: Mapping[str, Any], adapter: str) -> Node:
    """What `dbt clone` made: a copy of the relation in the other environment, of nothing when that isn't known."""
    origin = text_of(field_of(found, "defer_relation"), "relation_name")
    relation = None if origin is None else relation_from_name(origin, adapter)
    if origin is None or relation is None:
        return {**node, "compiled_code": None, "snapshot": None, "inputs": []}
    return as_clone(node, relation, origin)
