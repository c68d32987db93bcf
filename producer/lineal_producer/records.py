"""The records that are left in the outbox: their exact keys, one JSON object a line.

Every key named here is always present (None when there is nothing to say), so readers never ask "is it there".

    invocation_start  v kind at invocation
    node_start        v kind at unique_id node
    columns           v kind unique_id relation columns source
    node_end          v kind at unique_id status message adapter_response failures execution_time node loaded_at
    exposure          v kind at exposure
    invocation_end    v kind at success reason hooks

`descriptions.py` has the keys of what they hold, `told_records.py` the kinds that dbt's own process writes instead of
some of these.

`loaded_at` and `hooks`, git's `folder`, a node's `storage`, an input's `tags` and `owners` came later: records that
were written before lack them. Version 1 had no `node_shape`, `node_begun`, `node_told`, `columns_told`.

`at` is RFC 3339 in UTC, `2026-01-31T10:20:30.123456Z`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from lineal_producer.descriptions import Exposure, Hook, Invocation, Node, Relation
    from lineal_producer.told_records import Told

VERSION = 2
_READABLE = {1, 2}


class InvocationStart(TypedDict):
    """dbt has begun a command."""

    v: int
    kind: Literal["invocation_start"]
    at: str
    invocation: Invocation


class NodeStart(TypedDict):
    """A node is about to run; its compiled SQL is in `node`."""

    v: int
    kind: Literal["node_start"]
    at: str
    unique_id: str
    node: Node


class Columns(TypedDict):
    """The columns that a relation has, of the node just built or of one that it reads, and who says so.

    `adapter` and `post_hook` were read in this run; `catalog` is what `dbt docs generate` found earlier.
    """

    v: int
    kind: Literal["columns"]
    unique_id: str
    relation: Relation
    columns: list[tuple[str, str | None]]
    source: Literal["adapter", "post_hook", "catalog"]


class NodeEnd(TypedDict):
    """A node has ended; `node` is there when no node_start was written (it failed to compile)."""

    v: int
    kind: Literal["node_end"]
    at: str
    unique_id: str
    status: str
    message: str | None
    adapter_response: dict[str, Any]
    failures: int | None
    execution_time: float
    node: Node | None
    loaded_at: NotRequired[str | None]  # a source's newest row, as its freshness was checked


class ExposureTold(TypedDict):
    """An exposure that reads what this run has built."""

    v: int
    kind: Literal["exposure"]
    at: str
    exposure: Exposure


class InvocationEnd(TypedDict):
    """The command has ended; `reason` is "interrupted" when it was stopped."""

    v: int
    kind: Literal["invocation_end"]
    at: str
    success: bool
    reason: str | None
    hooks: NotRequired[list[Hook]]


Record = InvocationStart | NodeStart | Columns | NodeEnd | ExposureTold | InvocationEnd


def invocation_start(at: str, invocation: Invocation) -> InvocationStart:
    """The record of a command's begin."""
    return {"v": VERSION, "kind": "invocation_start", "at": at, "invocation": invocation}


def node_start(at: str, node: Node) -> NodeStart:
    """The record of a node's begin."""
    return {"v": VERSION, "kind": "node_start", "at": at, "unique_id": node["unique_id"], "node": node}


def columns_read(
    unique_id: str,
    relation: Relation,
    columns: list[tuple[str, str | None]],
    source: Literal["adapter", "post_hook", "catalog"],
) -> Columns:
    """The record of columns that were read from the database in this run."""
    return {
        "v": VERSION,
        "kind": "columns",
        "unique_id": unique_id,
        "relation": relation,
        "columns": columns,
        "source": source,
    }


def node_end(
    at: str,
    unique_id: str,
    status: str,
    *,
    message: str | None = None,
    adapter_response: dict[str, Any] | None = None,
    failures: int | None = None,
    execution_time: float = 0.0,
    node: Node | None = None,
    loaded_at: str | None = None,
) -> NodeEnd:
    """The record of a node's end."""
    return {
        "v": VERSION,
        "kind": "node_end",
        "at": at,
        "unique_id": unique_id,
        "status": status,
        "message": message,
        "adapter_response": adapter_response or {},
        "failures": failures,
        "execution_time": execution_time,
        "node": node,
        "loaded_at": loaded_at,
    }


def exposure_told(at: str, exposure: Exposure) -> ExposureTold:
    """The record of an exposure."""
    return {"v": VERSION, "kind": "exposure", "at": at, "exposure": exposure}


def invocation_end(
    at: str, *, success: bool, reason: str | None = None, hooks: list[Hook] | None = None
) -> InvocationEnd:
    """The record of a command's end."""
    end: InvocationEnd = {"v": VERSION, "kind": "invocation_end", "at": at, "success": success, "reason": reason}
    return {**end, "hooks": hooks or []}


def encoding(default: Callable[[Any], Any]) -> Callable[[Any], str]:
    """What writes JSON, with `default` for what JSON lacks.

    An encoder of the standard library makes it anew for each value, which takes as long as a small record.
    """
    plain = json.JSONEncoder(separators=(",", ":"), default=default, ensure_ascii=False, check_circular=False).encode
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    try:
        encode = make(None, default, json.encoder.encode_basestring, None, ":", ",", False, False, True)
        if "".join(encode({"a": [None, "é"]}, 0)) != '{"a":[null,"é"]}':
            return plain
    except (AttributeError, TypeError):  # a Python that has none, or makes it otherwise
        return plain
    return lambda value: "".join(encode(value, 0))


_encode = encoding(str)


def to_line(record: Record) -> bytes:
    """The record as one line of JSON with its newline; what JSON or UTF-8 lacks becomes text or a question mark."""
    return _encode(record).encode("utf-8", "replace") + b"\n"


def from_line(line: bytes) -> Record | Told:
    """The record in a line; ValueError says why it isn't one: a line torn by a killed process, a newer version."""
    record = json.loads(line)
    if not isinstance(record, dict) or record.get("kind") not in _KINDS:
        raise ValueError("not a record of the outbox")
    if record.get("v") not in _READABLE:
        raise ValueError(f"a record of version {record.get('v')}, this release reads versions up to {VERSION}")
    return cast("Record | Told", record)


_KINDS = {
    "invocation_start",
    "node_start",
    "node_shape",
    "node_begun",
    "node_told",
    "columns_told",
    "columns",
    "node_end",
    "exposure",
    "invocation_end",
}
