"""The records that dbt's process leaves in the outbox: their exact keys, one JSON object a line.

Every key named here is always present (None when there is nothing to say), so readers never ask "is it there".

    invocation_start  v kind at invocation
    node_start        v kind at unique_id node
    node_shape        v kind shape names
    node_begun        v kind at unique_id shape values more
    node_told         v kind part unique_id shape values more
    columns_told      v kind unique_id columns
    columns           v kind unique_id relation columns source
    node_end          v kind at unique_id status message adapter_response failures execution_time node loaded_at
    exposure          v kind at exposure
    invocation_end    v kind at success reason hooks

What emit and consume tell as `node_start`, described by who writes it, dbt's process tells as `node_begun`, in fields
as dbt has them, behind a `node_told` of each node that it reads and of each group. Of fields that all nodes of a class
have the values are told, by the `names` of their `node_shape`, which was told before; `more` has the others by name.
`columns_told` is `columns` as its adapter reads them, of a node that was told.

`loaded_at` and `hooks`, git's `folder`, a node's `storage`, an input's `tags` and `owners` came later: records that
were written before lack them. Version 1 had no `node_shape`, `node_begun`, `node_told`, `columns_told`.

`at` is RFC 3339 in UTC, `2026-01-31T10:20:30.123456Z`. A relation is `[database, schema, identifier]` in the case that
the database stores (database and schema may be None).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

if TYPE_CHECKING:
    from typing_extensions import NotRequired

VERSION = 2
_READABLE = {1, 2}

Relation = tuple[str | None, str | None, str]


class RunRef(TypedDict):
    """A run of another job: what OPENLINEAGE_PARENT_ID and its kin carry."""

    namespace: str
    name: str
    run_id: str


class Git(TypedDict):
    """Where the project's sources are kept; `url` never carries credentials."""

    sha: str | None
    url: str | None
    branch: str | None
    folder: NotRequired[str]  # the project's in the repository, with slashes; empty when it is the repository's own


class Invocation(TypedDict):
    """One dbt command, as `lineal_producer.dbt.nodes.describe_invocation` gives it."""

    invocation_id: str
    project: str
    command: str
    dbt_version: str
    adapter: str
    dialect: str | None  # sqlglot's name; None for an adapter that we don't know
    target: str | None
    project_root: str
    target_path: str
    job_namespace: str
    job_name: str
    parent: RunRef | None
    root: RunRef | None
    namespaces: dict[str, Any]  # Namespaces.to_json()
    git: Git | None
    selectors: dict[str, Any]  # select, exclude, selector, full_refresh, ... as dbt was told
    sql_mode: Literal["full", "hash", "none"]
    lineal_version: str


class ColumnDoc(TypedDict):
    """A column as the project's YAML, a contract or a seed's header tells it."""

    name: str
    type: str | None
    description: str | None
    tags: list[str]


class Snapshot(TypedDict):
    """What decides a snapshot's own columns; `names` maps dbt's usual name to the configured one."""

    strategy: str
    unique_key: list[str]
    updated_at: str | None
    check_cols: list[str]  # ["all"] for every column
    names: dict[str, str]
    hard_deletes: str


class Batch(TypedDict):
    """One batch of a microbatch model, its event times in RFC 3339 UTC."""

    id: str
    start: str
    end: str


class Test(TypedDict):
    """What a test checks; `kind` is the generic test's name, `singular` or `unit`."""

    kind: str
    namespace: str | None
    attached_node: str | None
    column: str | None
    severity: str
    kwargs: dict[str, Any]


class Storage(TypedDict):
    """The table format that a node's configuration or its adapter chooses, and the format of its files."""

    layer: str  # delta, iceberg, hudi, hive
    format: str | None


class InputNode(TypedDict):
    """A relation that a node reads, ephemeral parents resolved through."""

    unique_id: str
    resource_type: str
    relation: Relation
    relation_name: str | None
    external_location: str | None
    description: str | None
    columns: list[ColumnDoc]  # documentation; never expands a star unless `complete`
    complete: bool  # `columns` are all columns in order: an enforced contract or a seed's header
    tags: NotRequired[list[str]]  # of sources
    owners: NotRequired[list[str]]  # of sources


class Node(TypedDict):
    """A node of the project, as `lineal_producer.dbt.nodes.describe_node` gives it."""

    unique_id: str
    resource_type: str  # model, seed, snapshot, test, unit_test, operation, ...
    materialized: str | None
    incremental_strategy: str | None
    name: str
    package: str
    version: str | None
    database: str | None  # as configured: job names use it
    schema: str | None  # as configured
    relation: Relation | None  # as stored: dataset names use it; None for tests and ephemeral models
    relation_name: str | None  # quoted, as dbt writes it into SQL
    external_location: str | None
    path: str | None  # of the source file, in the repository
    language: str  # sql or python
    compiled_code: str | None
    description: str | None
    columns: list[ColumnDoc]
    contract: bool  # enforced: `columns` are all columns, in order
    seed_columns: list[ColumnDoc]  # the header of a seed's file, [] for anything else
    snapshot: Snapshot | None
    batch: Batch | None
    tags: list[str]
    owners: list[str]
    group: str | None
    test: Test | None
    checksum: str | None
    storage: NotRequired[Storage | None]
    inputs: list[InputNode]


class Exposure(TypedDict):
    """What uses relations of the project outside of dbt, as `lineal_producer.dbt.exposures` describes it."""

    unique_id: str
    type: str | None
    url: str | None
    maturity: str | None
    description: str | None
    tags: list[str]
    owners: list[str]
    path: str | None
    inputs: list[InputNode]


class Hook(TypedDict):
    """SQL that ran around the nodes: rendered where dbt kept that, else as the project writes it."""

    when: str  # on-run-start, on-run-end, pre-hook, post-hook
    sql: str
    nodes: list[str]  # the unique ids that it belongs to


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
Told = NodeShape | NodeBegun | NodeTold | ColumnsTold  # as dbt holds it, to be made a Record of by `dbt.told`
Written = Record | Told


def invocation_start(at: str, invocation: Invocation) -> InvocationStart:
    """The record of a command's begin."""
    return {"v": VERSION, "kind": "invocation_start", "at": at, "invocation": invocation}


def node_start(at: str, node: Node) -> NodeStart:
    """The record of a node's begin."""
    return {"v": VERSION, "kind": "node_start", "at": at, "unique_id": node["unique_id"], "node": node}


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


def from_line(line: bytes) -> Written:
    """The record in a line; ValueError says why it isn't one: a line torn by a killed process, a newer version."""
    record = json.loads(line)
    if not isinstance(record, dict) or record.get("kind") not in _KINDS:
        raise ValueError("not a record of the outbox")
    if record.get("v") not in _READABLE:
        raise ValueError(f"a record of version {record.get('v')}, this release reads versions up to {VERSION}")
    return cast("Written", record)


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
