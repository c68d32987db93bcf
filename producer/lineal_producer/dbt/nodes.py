"""Describes dbt's nodes and commands as records: the same from dbt's objects in memory and from manifest.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Literal

from lineal_producer.dbt.checks import describe_test
from lineal_producer.dbt.fields import field_of, mapping_of, plain, text_of, texts
from lineal_producer.dbt.order import depends_on
from lineal_producer.dbt.relations import deferred_relation, external_location, relation_of, storage_of
from lineal_producer.dbt.seeds import documented, seed_columns
from lineal_producer.naming import Namespaces, dialect_of
from lineal_producer.runs import DEFAULT_NAMESPACE, invocation_job_name

if TYPE_CHECKING:
    from lineal_producer.descriptions import (
        Batch,
        ColumnDoc,
        Described,
        Git,
        InputNode,
        Invocation,
        Node,
        Relation,
        RunRef,
        Snapshot,
    )

_READABLE = {"model", "seed", "snapshot", "source"}
_BUILT = {"model", "seed", "snapshot"}
_TESTS = {"test", "unit_test"}
_ALWAYS = {"seed", "snapshot"}  # materialized as what they are; Fusion writes that a snapshot is a table
# What an exposure may name that isn't stored itself: resolved to what that reads.
_UNSTORED = {"metric": "metrics", "semantic_model": "semantic_models", "saved_query": "saved_queries"}
PARTS = {"source": "sources", **_UNSTORED}
_SNAPSHOT_COLUMNS = ("dbt_valid_from", "dbt_valid_to", "dbt_scd_id", "dbt_updated_at", "dbt_is_deleted")


def describe_node(node: Any, manifest: Any, adapter: str | None = None, described: Described | None = None) -> Node:
    """The node as a record: `node` and `manifest` are dbt's objects or dicts of manifest.json v1 to v12.

    `described` keeps what was read of nodes for those of the same manifest that read them, too.
    """
    described = {} if described is None else described
    adapter = adapter or adapter_of(manifest)
    config = field_of(node, "config")
    kind = text_of(node, "resource_type") or "model"
    is_test = kind in _TESTS  # most nodes of many a project: these aren't asked for what they can't have
    compiled = text_of(node, "compiled_code") or text_of(node, "compiled_sql")
    told: Node = {
        "unique_id": text_of(node, "unique_id") or "",
        "resource_type": kind,
        "materialized": kind if kind in _ALWAYS else text_of(config, "materialized"),
        "incremental_strategy": None if is_test else text_of(config, "incremental_strategy"),
        "name": text_of(node, "name") or "",
        "package": text_of(node, "package_name") or "",
        "version": None if is_test else text_of(node, "version"),
        "database": text_of(node, "database") or (_tested_database(node, manifest) if kind == "unit_test" else None),
        "schema": text_of(node, "schema"),
        "relation": None if is_test else relation_of(node, adapter),
        "relation_name": text_of(node, "relation_name"),
        "external_location": external_location(node) if kind in _READABLE else None,
        "path": text_of(node, "original_file_path"),
        "language": text_of(node, "language") or "sql",
        "compiled_code": compiled,
        "description": text_of(node, "description"),
        "columns": [] if is_test else documented(node),
        "contract": not is_test and _has_contract(node),
        "seed_columns": seed_columns(node, adapter) if kind == "seed" else [],
        "snapshot": _snapshot(config) if kind == "snapshot" else None,
        "batch": None if is_test else _batch(node),
        "tags": texts(field_of(node, "tags")),
        "owners": owners_of(node, manifest),
        "group": text_of(node, "group") or text_of(config, "group"),
        "test": describe_test(node, kind) if is_test or kind == "source" else None,
        "checksum": _checksum(node),
        "storage": None if is_test else storage_of(node, adapter),
        "inputs": _inputs(node, manifest, adapter, compiled, described),
    }
    if kind in _BUILT and told["relation"] is not None:
        described.setdefault(told["unique_id"], _as_input(told))
    return told


def describe_inputs(node: Any, manifest: Any, adapter: str, described: Described | None = None) -> list[InputNode]:
    """The relations that a node or an exposure reads; the other arguments are those of `describe_node`."""
    return _inputs(node, manifest, adapter, None, {} if described is None else described)


def _inputs(node: Any, manifest: Any, adapter: str, compiled: str | None, described: Described) -> list[InputNode]:
    if text_of(node, "resource_type") == "source":  # whose freshness is checked: it reads itself
        return [_input(node, manifest, adapter, compiled, described)]
    return [_input(parent, manifest, adapter, compiled, described) for parent in _parents(node, manifest)]


def _as_input(node: Node) -> InputNode:
    """What `_input` makes of a node, for those that read it later."""
    return {
        "unique_id": node["unique_id"],
        "resource_type": node["resource_type"],
        "relation": node["relation"] or (None, None, node["name"]),
        "relation_name": node["relation_name"],
        "external_location": node["external_location"],
        "description": node["description"],
        "columns": node["seed_columns"] or node["columns"],
        "complete": bool(node["seed_columns"]) or (node["contract"] and node["resource_type"] != "seed"),
    }


def as_clone(node: Node, relation: Relation, relation_name: str) -> Node:
    """The same node under `dbt clone`: a copy of its relation in another environment, whatever its own SQL reads."""
    origin: InputNode = {
        "unique_id": node["unique_id"],
        "resource_type": node["resource_type"],
        "relation": relation,
        "relation_name": relation_name,
        "external_location": None,
        "description": node["description"],
        "columns": node["columns"],
        "complete": node["contract"],
    }
    sql = f"select * from {relation_name}"  # noqa: S608 - nobody runs it: it says what a clone is
    return {**node, "compiled_code": sql, "language": "sql", "snapshot": None, "inputs": [origin]}


def describe_invocation(
    *,
    invocation_id: str,
    project: str,
    command: str,
    dbt_version: str,
    adapter: str,
    namespaces: Namespaces,
    target: str | None = None,
    project_root: str = ".",
    target_path: str = "target",
    job_namespace: str | None = None,
    job_name: str | None = None,
    parent: RunRef | None = None,
    root: RunRef | None = None,
    git: Git | None = None,
    selectors: Mapping[str, Any] | None = None,
    sql_mode: Literal["full", "hash", "none"] = "full",
    lineal_version: str = "",
) -> Invocation:
    """The dbt command as a record; what the environment decides (job, parents, SQL mode) comes from the settings."""
    return {
        "invocation_id": invocation_id,
        "project": project,
        "command": command,
        "dbt_version": dbt_version,
        "adapter": adapter,
        "dialect": dialect_of(adapter),
        "target": target,
        "project_root": project_root,
        "target_path": target_path,
        "job_namespace": job_namespace or DEFAULT_NAMESPACE,
        "job_name": invocation_job_name(project, job_name),
        "parent": parent,
        "root": root,
        "namespaces": namespaces.to_json(),
        "git": git,
        "selectors": plain(selectors or {}),
        "sql_mode": sql_mode,
        "lineal_version": lineal_version,
    }


def adapter_of(manifest: Any) -> str:
    """The adapter type that a manifest was made for."""
    return text_of(field_of(manifest, "metadata"), "adapter_type") or "unknown"


def _parents(node: Any, manifest: Any) -> Iterator[Any]:
    """The nodes that are read, each once, in dbt's order, ephemeral ones replaced by what they read."""
    return (parent for _, parent, is_read in walk_parents(depends_on(node), manifest) if is_read)


def walk_parents(unique_ids: Iterable[str], manifest: Any) -> Iterator[tuple[str, Any, bool]]:
    """These nodes and those behind what isn't stored itself, each once: its id, the node, whether it is read."""
    pending = [*unique_ids][::-1]
    seen: set[str] = set()
    while pending:
        unique_id = pending.pop()
        if unique_id in seen:
            continue
        seen.add(unique_id)
        parent = find_node(manifest, unique_id)
        if parent is None:
            continue
        part = part_of(unique_id)
        is_node = part in ("nodes", "sources") and text_of(parent, "resource_type") in _READABLE
        is_stored = is_node and text_of(field_of(parent, "config"), "materialized") != "ephemeral"
        yield unique_id, parent, is_stored
        if not is_stored and (is_node or part in _UNSTORED.values()):
            pending.extend(reversed(depends_on(parent)))


def find_node(manifest: Any, unique_id: str) -> Any | None:
    """The node of a manifest, None when there is none."""
    return mapping_of(manifest, part_of(unique_id)).get(unique_id)


def part_of(unique_id: str) -> str:
    """The part of a manifest that has the node."""
    return PARTS.get(unique_id.partition(".")[0], "nodes")


def _input(parent: Any, manifest: Any, adapter: str, compiled: str | None, described: Described) -> InputNode:
    unique_id = text_of(parent, "unique_id") or ""
    found = described.get(unique_id)
    if found is None:
        columns, complete = _input_columns(parent, adapter)
        found = described[unique_id] = {
            "unique_id": unique_id,
            "resource_type": text_of(parent, "resource_type") or "model",
            "relation": relation_of(parent, adapter) or (None, None, text_of(parent, "name") or ""),
            "relation_name": text_of(parent, "relation_name"),
            "external_location": external_location(parent),
            "description": text_of(parent, "description"),
            "columns": columns,
            "complete": complete,
        }
        if found["resource_type"] == "source":
            found["tags"], found["owners"] = texts(field_of(parent, "tags")), owners_of(parent, manifest)
    deferred = deferred_relation(parent, adapter, compiled)
    if deferred is None:
        return found
    return {**found, "relation": deferred[0], "relation_name": deferred[1]}


def _input_columns(parent: Any, adapter: str) -> tuple[list[ColumnDoc], bool]:
    """The columns that are told of a parent, and whether these are all."""
    if text_of(parent, "resource_type") == "seed":
        header = seed_columns(parent, adapter)
        return (header, True) if header else (documented(parent), False)
    return documented(parent), _has_contract(parent)


def _tested_database(node: Any, manifest: Any) -> str | None:
    """A unit test has the schema of its model, but dbt doesn't give it the database."""
    nodes = mapping_of(manifest, "nodes")
    found = (nodes.get(unique_id) for unique_id in depends_on(node))
    return next((text_of(model, "database") for model in found if model is not None), None)


def _has_contract(node: Any) -> bool:
    contract = field_of(node, "contract") or field_of(field_of(node, "config"), "contract")
    return bool(field_of(contract, "enforced", False)) and bool(mapping_of(node, "columns"))


def _snapshot(config: Any) -> Snapshot:
    names = field_of(config, "snapshot_meta_column_names", {})
    invalidate = field_of(config, "invalidate_hard_deletes", False)
    return {
        "strategy": text_of(config, "strategy") or "timestamp",
        "unique_key": texts(field_of(config, "unique_key")),
        "updated_at": text_of(config, "updated_at"),
        "check_cols": texts(field_of(config, "check_cols")),
        "names": {name: text_of(names, name) or name for name in _SNAPSHOT_COLUMNS},
        "hard_deletes": text_of(config, "hard_deletes") or ("invalidate" if invalidate else "ignore"),
    }


def _batch(node: Any) -> Batch | None:
    batch = field_of(node, "batch")
    if batch is None:
        return None
    start, end = field_of(batch, "event_time_start"), field_of(batch, "event_time_end")
    if start is None or end is None:
        return None
    return {"id": text_of(batch, "id") or "", "start": utc_of(start), "end": utc_of(end)}


def utc_of(time: Any) -> str:
    """A batch's time as dbt's objects have it, or as it was told before."""
    if not isinstance(time, datetime):
        return str(time)
    aware = time if time.tzinfo else time.replace(tzinfo=timezone.utc)
    return aware.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def owners_of(node: Any, manifest: Any) -> list[str]:
    """Who owns a node by its meta and its group."""
    owners: list[str] = []
    config = field_of(node, "config")
    for holder in (node, config):
        if owner := mapping_of(holder, "meta").get("owner"):
            owners += [_owner_name(one) for one in (owner if isinstance(owner, list) else [owner])]
    group = text_of(node, "group") or text_of(config, "group")
    if group:
        groups = mapping_of(manifest, "groups").values()
        found = next((one for one in groups if text_of(one, "name") == group), None)
        owners.append(_owner_name(field_of(found, "owner")))
    return list(dict.fromkeys(filter(None, owners)))


def _owner_name(owner: Any) -> str:
    if owner is None or isinstance(owner, str):
        return owner or ""
    email = field_of(owner, "email")
    return text_of(owner, "name") or (texts(email) or [""])[0]


def _checksum(node: Any) -> str | None:
    checksum = field_of(node, "checksum")
    return checksum if isinstance(checksum, str) else text_of(checksum, "checksum")
