"""Nodes as dbt's process told them, described for events: a manifest that has as much of dbt's as its run needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lineal_producer import records
from lineal_producer.dbt.fields import field_of, text_of
from lineal_producer.dbt.nodes import PARTS, as_clone, describe_node, part_of
from lineal_producer.dbt.relations import relation_of
from lineal_producer.descriptions import Described, Invocation, Node
from lineal_producer.naming.adapters import relation_from_name
from lineal_producer.records import Columns, NodeStart
from lineal_producer.told_records import ColumnsTold, NodeBegun, NodeTold, Told

_READ = frozenset({"model", "seed", "snapshot"})


class Shelf:
    """Takes the records of one invocation in their order."""

    def __init__(self) -> None:
        self._manifest: dict[str, dict[str, Any]] = {part: {} for part in ("nodes", "groups", *PARTS.values())}
        self._described: Described = {}
        self._names: dict[str, Sequence[str]] = {"": ()}

    def take(self, record: Told, invocation: Invocation) -> NodeStart | Columns | None:
        """The record with its node described; None of what is only told for others."""
        if record["kind"] == "node_shape":
            self._names[record["shape"]] = record["names"]
        elif record["kind"] == "node_told":
            self._manifest[record["part"]][record["unique_id"]] = self._whole(record)
        elif record["kind"] == "columns_told":
            return self._columns(record, invocation["adapter"])
        else:
            return self._begun(record, invocation)
        return None

    def _columns(self, record: ColumnsTold, adapter: str) -> Columns:
        node = self._manifest[part_of(record["unique_id"])][record["unique_id"]]
        relation = relation_of(node, adapter) or (node["database"], node["schema"], node["name"])
        return records.columns_read(record["unique_id"], relation, record["columns"], "adapter")

    def _begun(self, record: NodeBegun, invocation: Invocation) -> NodeStart:
        told, adapter = self._whole(record), invocation["adapter"]
        node = describe_node(told, self._manifest, adapter, self._described)
        if node["resource_type"] in _READ:
            self._manifest["nodes"][node["unique_id"]] = {**told, "compiled_code": None}
        if invocation["command"] == "clone":
            node = _cloned(node, told, adapter)
        return {**records.node_start(record["at"], node), "unique_id": record["unique_id"]}

    def _whole(self, record: NodeBegun | NodeTold) -> dict[str, Any]:
        """The node as manifest.json has it, the fields of its parts together."""
        named = dict(zip(self._names[record["shape"]], record["values"], strict=True))
        return _together({**named, **record["more"]})


def _cloned(node: Node, told: Mapping[str, Any], adapter: str) -> Node:
    origin = field_of(told, "defer_relation")
    if origin is None:
        return node
    name = str(text_of(origin, "relation_name"))
    relation = relation_from_name(name, adapter)
    return node if relation is None else as_clone(node, relation, name)


def _together(told: Mapping[str, Any]) -> dict[str, Any]:
    node: dict[str, Any] = {}
    for name, value in told.items():
        part, _, field = name.partition(".")
        if field:
            node.setdefault(part, {})[field] = value
        else:
            node[name] = value
    return node
