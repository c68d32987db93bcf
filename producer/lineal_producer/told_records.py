"""The records of nodes as dbt's process holds them, which `dbt/told.py` makes descriptions of.

    node_shape        v kind shape names
    node_begun        v kind at unique_id shape values more
    node_told         v kind part unique_id shape values more
    columns_told      v kind unique_id columns

What emit and consume tell as `node_start`, described by who writes it, dbt's process tells as `node_begun`, in fields
as dbt has them, behind a `node_told` of each node that it reads and of each group. Of fields that all nodes of a class
have the values are told, by the `names` of their `node_shape`, which was told before; `more` has the others by name.
`columns_told` is `columns` as its adapter reads them, of a node that was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from lineal_producer.records import VERSION


class NodeShape(TypedDict):
    """The names of fields that nodes of one of dbt's classes have, `part.field` where they are those of a part."""

    v: int
    kind: Literal["node_shape"]
    shape: str
    names: Sequence[str]


class NodeBegun(TypedDict):
    """A node is about to run, as dbt holds it."""

    v: int
    kind: Literal["node_begun"]
    at: str
    unique_id: str
    shape: str  # empty when all is in `more`
    values: list[Any]
    more: dict[str, Any]


class NodeTold(TypedDict):
    """What nodes that begin later read or belong to, as dbt holds it; `part` is the manifest's that has it."""

    v: int
    kind: Literal["node_told"]
    part: str  # nodes, sources, groups, ...
    unique_id: str
    shape: str
    values: list[Any]
    more: dict[str, Any]


class ColumnsTold(TypedDict):
    """The columns that the adapter has read of a node that was told."""

    v: int
    kind: Literal["columns_told"]
    unique_id: str
    columns: list[tuple[str, str | None]]


Told = NodeShape | NodeBegun | NodeTold | ColumnsTold


def node_shape(shape: str, names: Sequence[str]) -> NodeShape:
    """The record of which fields the nodes of a class have."""
    return {"v": VERSION, "kind": "node_shape", "shape": shape, "names": names}


def node_begun(at: str, unique_id: str, shape: str, values: list[Any], more: dict[str, Any]) -> NodeBegun:
    """The record of a node's begin, as dbt holds it."""
    return {
        "v": VERSION,
        "kind": "node_begun",
        "at": at,
        "unique_id": unique_id,
        "shape": shape,
        "values": values,
        "more": more,
    }


def node_told(part: str, unique_id: str, shape: str, values: list[Any], more: dict[str, Any]) -> NodeTold:
    """The record of what other nodes read or belong to."""
    return {
        "v": VERSION,
        "kind": "node_told",
        "part": part,
        "unique_id": unique_id,
        "shape": shape,
        "values": values,
        "more": more,
    }


def columns_told(unique_id: str, columns: list[tuple[str, str | None]]) -> ColumnsTold:
    """The record of columns that the adapter has read of a node that was told."""
    return {"v": VERSION, "kind": "columns_told", "unique_id": unique_id, "columns": columns}
