"""What records hold: a dbt command, its nodes and what they read, described; the exact keys of each.

These are shapes for the type checker alone. dbt's own process, which waits for what it loads, never loads them: modules
that it loads import them under `TYPE_CHECKING`.

A relation is `[database, schema, identifier]` in the case that the database stores (database and schema may be None).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

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


Described = dict[str, InputNode]  # by unique_id: each is described once


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
