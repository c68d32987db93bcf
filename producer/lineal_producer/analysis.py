"""What a node's SQL and configuration say about its columns: one answer for every kind of node."""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Protocol

from lineal_producer.border import sentence
from lineal_producer.columns import RULES_VERSION, Column, Gap, ModelLineage, sqlglot_version
from lineal_producer.columns.model import Own
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.known import Known, Schema
from lineal_producer.naming.adapters import stores_upper
from lineal_producer.snapshots import with_snapshot_columns

_ANALYSED = {"model", "snapshot", "seed"}


@dataclass(frozen=True, slots=True)
class Analysis:
    """The lineage of a node with the hashes that say what it was made from."""

    lineage: ModelLineage
    sql_hash: str | None
    schema_hash: str | None
    lineage_hash: str | None


class Traces(Protocol):
    """Anything that traces SQL as `columns.trace` does: a cache, another process."""

    def trace(
        self, sql: str, dialect: str, schema: Schema, default_db: str | None, default_schema: str | None, own: Own, /
    ) -> ModelLineage:
        """The lineage of a statement."""
        ...


def analyse(invocation: Invocation, node: Node, known: Known, tracer: Traces | None = None) -> Analysis | None:
    """The lineage of a model, seed or snapshot, None for other nodes; tells `known` the columns that it found."""
    if not _is_analysed(node):
        return None
    sql = node["compiled_code"]
    if node["resource_type"] == "seed":
        return Analysis(_seed(node, known), None, None, None)
    if node["language"] != "sql":
        return Analysis(_unread(node, known, "python_model", f"{node['language']} is not read"), None, None, None)
    if not sql:
        message = "dbt has not compiled it: run dbt compile or dbt build"
        return Analysis(_unread(node, known, "no_compiled_sql", message), None, None, None)
    return _traced(invocation, node, sql, known, tracer)


def unanalysed(node: Node, error: Exception) -> Analysis | None:
    """What stands for the analysis of a node when making it has failed: a gap that says so; None as in `analyse`."""
    if not _is_analysed(node):
        return None
    gap = Gap("analysis_failed", f"the analysis failed: {sentence(error)}")
    return Analysis(ModelLineage("failed", None, (), (), (gap,), ()), None, None, None)


def _is_analysed(node: Node) -> bool:
    if node["resource_type"] not in _ANALYSED or node["materialized"] == "ephemeral":
        return False
    # The batches of a microbatch model have the SQL and tell the lineage.
    return node.get("incremental_strategy") != "microbatch" or node["batch"] is not None or bool(node["compiled_code"])


def _traced(invocation: Invocation, node: Node, sql: str, known: Known, tracer: Traces | None) -> Analysis:
    schema = known.schema(node)
    relation = node["relation"] or (None, None, node["name"])
    namespaces = invocation["namespaces"]
    database, default_schema = namespaces["database"] or relation[0], namespaces["schema"] or relation[1]
    dialect = invocation["dialect"] or ""
    own = node["relation"]

    def ask(statement: str) -> ModelLineage:
        if tracer is None:
            from lineal_producer.columns import trace  # not in the worker, whose analyst has the parser

            return trace(statement, dialect, schema, database, default_schema, own)
        return tracer.trace(statement, dialect, schema, database, default_schema, own)

    lineage = ask(sql)
    if _reads_itself(node, lineage) and known.add_itself(schema, node, lineage):
        lineage = ask(sql)  # `{{ this }}` has the columns that the SQL gives
    if node["snapshot"] is not None:
        lineage = with_snapshot_columns(lineage, node["snapshot"], sql, ask, upper=stores_upper(invocation["adapter"]))
    known.learn(node, lineage)
    sql_hash = hashlib.sha256(sql.encode("utf-8", "surrogatepass")).hexdigest()
    schema_hash = _schema_hash(schema, lineage)
    identity = json.dumps([sql_hash, schema_hash, dialect, database, default_schema, sqlglot_version(), RULES_VERSION])
    return Analysis(lineage, sql_hash, schema_hash, hashlib.sha256(identity.encode()).hexdigest())


def _reads_itself(node: Node, lineage: ModelLineage) -> bool:
    own = [part.casefold() for part in node["relation"] or () if part is not None]
    return any([part.casefold() for part in relation] == own for relation in lineage.relations)


def _schema_hash(schema: Schema, lineage: ModelLineage) -> str:
    """Of the columns, in order with types, of the relations that the SQL reads."""
    read = set(lineage.relations)
    columns = sorted((key, list(of.items())) for key, of in schema.items() if key in read)
    return hashlib.sha256(json.dumps(columns).encode()).hexdigest()


def _seed(node: Node, known: Known) -> ModelLineage:
    columns = known.columns(node["unique_id"]) or [(column["name"], column["type"]) for column in node["seed_columns"]]
    if columns:
        known.computed(node["unique_id"], columns)
    return seed_lineage(columns)


def seed_lineage(columns: list[tuple[str, str | None]]) -> ModelLineage:
    """The lineage of a seed: it has no source but its file, so every column is constant."""
    gaps = () if columns else (Gap("columns_unknown", "the header of the seed's file could not be read"),)
    constants = tuple(Column(name, "constant", None, None, ()) for name, _ in columns)
    return ModelLineage("resolved" if columns else "unresolved", None, constants, (), gaps, ())


def settled(node: Node, analysis: Analysis, real: list[tuple[str, str | None]]) -> ModelLineage:
    """The lineage of a node once its real columns are known, or as it is when `real` is empty."""
    if node["resource_type"] == "seed":
        return seed_lineage(real) if real else analysis.lineage
    return with_real_columns(analysis.lineage, real)


def _unread(node: Node, known: Known, code: str, message: str) -> ModelLineage:
    columns = known.columns(node["unique_id"]) or []
    if not columns and node["contract"]:
        columns = [(column["name"], column["type"]) for column in node["columns"]]
    unresolved = tuple(Column(name, "unresolved", code, None, ()) for name, _ in columns)
    return ModelLineage("unresolved", None, unresolved, (), (Gap(code, message),), ())


def with_real_columns(lineage: ModelLineage, real: list[tuple[str, str | None]]) -> ModelLineage:
    """The lineage under the names that the database gives its columns; a column it didn't find is unresolved."""
    if not real:
        return lineage
    reason = next((gap.code for gap in lineage.gaps if gap.column is None), "not_in_sql")
    found = _by_real_name(lineage.columns, [name for name, _ in real])
    columns = tuple(
        Column(name, "unresolved", reason, None, ()) if column is None else replace(column, name=name)
        for (name, _), column in zip(real, found, strict=True)
    )
    missed = any(column.status == "unresolved" for column in columns)
    status = "partial" if missed and lineage.status == "resolved" else lineage.status
    return replace(lineage, columns=columns, status=status)


def _by_real_name(columns: tuple[Column, ...], names: list[str]) -> list[Column | None]:
    """The column of each real name: by name, and by place for what the database names itself (`id_1`, `sum(a)`)."""
    exact = {column.name: column for column in reversed(columns)}
    folded = {column.name.casefold(): column for column in reversed(columns)}
    by_name = [exact.get(name) or folded.get(name.casefold()) for name in names]
    if len(columns) != len(names):
        return by_name
    taken = {name.casefold() for name in names}
    seen: set[str] = set()
    for place, (column, name) in enumerate(zip(columns, names, strict=True)):
        own = column.name.casefold()
        is_renamed = by_name[place] is None and (own not in taken or own in seen)
        if is_renamed or column.name == name:
            by_name[place] = column
        seen.add(own)
    return by_name
