"""The one way in: SQL and what is known of its relations to a model's lineage; never an exception."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlglot import exp

from lineal_producer.columns.catalog import Catalog, Ref, Schema
from lineal_producer.columns.dialects import Names, find_names, spelled
from lineal_producer.columns.facts import COUNTED, FIRST_INDIRECT, SUBTYPES, THINNED, Facts
from lineal_producer.columns.model import Column, Gap, Input, ModelLineage, Own
from lineal_producer.columns.naming import POSTGRES_LIKE, spellings_in
from lineal_producer.columns.nesting import NESTING, TYPES_NESTED, is_nested_too_deeply, nests_types_too_deeply
from lineal_producer.columns.parsing import parse
from lineal_producer.columns.query import QueryWalker
from lineal_producer.columns.recovery import first_line
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.statements import trace_statement
from lineal_producer.columns.text import text_of
from lineal_producer.columns.traced import Traced
from lineal_producer.columns.values import Counted, Problem, Problems, Value

# Frames that parsing and walking may stack up: some hundred queries or function calls inside one another. Before
# Python 3.11 every frame is on the C stack too.
DEPTH = 12_000 if sys.version_info >= (3, 11) else 6_000
# A setting of ClickHouse, of a query or of the session, that changes what a name means.
PREFERS_COLUMNS = re.compile(r"\bprefer_column_name_to_alias\s*=\s*(?:1|true)\b", re.IGNORECASE)
# The schema that `database..table` leaves out.
DEFAULT_SCHEMAS = {"tsql": "dbo", "fabric": "dbo", "snowflake": "public"}


def trace(
    sql: str,
    dialect: str,
    schema: Schema | None = None,
    default_db: str | None = None,
    default_schema: str | None = None,
    own: Own = None,
) -> ModelLineage:
    """The lineage of a statement; whatever goes wrong with the SQL is in its status and gaps.

    `own`: database, schema and name of the relation that a bare query fills, as dbt's model does.
    """
    return trace_with_refs(sql, dialect, schema, default_db, default_schema, own)[0]


def trace_with_refs(
    sql: str,
    dialect: str,
    schema: Schema | None,
    default_db: str | None,
    default_schema: str | None,
    own: Own = None,
) -> tuple[ModelLineage, tuple[Ref, ...]]:
    """The lineage of a statement, and every relation name that it depends on as written."""
    names = find_names(dialect or "")
    if names is None:
        message = f"the dialect {dialect} is not known; use the type of a dbt adapter, as postgres or snowflake"
        return failed("unsupported_statement", message), ()
    if is_nested_too_deeply(sql):
        return failed("limit_exceeded", f"the SQL is nested more than {NESTING} levels deep"), ()
    if nests_types_too_deeply(sql):
        message = f"arrays, structs or calls named like types are nested more than {TYPES_NESTED} levels deep"
        return failed("limit_exceeded", message), ()
    catalog = Catalog(names, schema, default_db, default_schema, own)
    with deep_recursion():
        try:
            lineage = trace_text(sql, names, catalog)
        except RecursionError:
            lineage = failed("limit_exceeded", "the SQL is nested too deeply")
    return lineage, tuple(catalog.asked)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Python's default of a thousand frames is about forty function calls in one another: too few for real SQL."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def failed(code: str, message: str) -> ModelLineage:
    """The lineage of SQL of which nothing can be told."""
    return ModelLineage("failed", None, (), (), (Gap(code, message),), ())


def trace_text(sql: str, names: Names, catalog: Catalog) -> ModelLineage:
    """Parses once, walks once."""
    sql = sql.removeprefix("\ufeff")
    if names.dialect == "clickhouse" and PREFERS_COLUMNS.search(sql):
        names = replace(names, prefers_columns=True)
    if names.dialect in POSTGRES_LIKE:
        names = replace(names, words=spellings_in(sql))
    parsed = parse(sql, names)
    if not parsed.statements:
        problem = next(iter(parsed.problems), Problem("parser_error", "there is no statement in the SQL"))
        return failed(problem.code, problem.message)
    walker = QueryWalker(names, catalog, parsed.set_aside)
    if ".." in sql:
        name_schemas(parsed.statements, names, catalog)
    results = [Traced(problem=problem) for problem in parsed.problems]
    for node in parsed.statements:
        result = trace_safely(node, walker)
        results.append(result)
        for dropped in node.find_all(exp.Table) if isinstance(node, exp.Drop) else ():
            forget(dropped, results, walker)
        if result.creates and result.target is not None and result.relation is not None:
            walker.remember(result.target, result.relation)
    return build(results, names, walker)


def name_schemas(statements: list[exp.Expr], names: Names, catalog: Catalog) -> None:
    """`database..table` is the table of the default schema."""
    schema = catalog.defaults[1] or DEFAULT_SCHEMAS.get(names.dialect)
    for table in (table for node in statements for table in node.find_all(exp.Table)) if schema else ():
        if table.args.get("catalog") and not table.args.get("db"):
            table.set("db", exp.to_identifier(schema))


def forget(dropped: exp.Table, results: list[Traced], walker: QueryWalker) -> None:
    """A table that the text makes and drops is gone with it, as a temporary one is."""
    key = walker.key_of(dropped)
    for result in results:
        if result.target is not None and walker.key_of(result.target) == key:
            result.temporary = True


def trace_safely(node: exp.Expr, walker: QueryWalker) -> Traced:
    """One statement's lineage; a tree of a form that the walk does not expect is a gap, not a crash."""
    try:
        return trace_statement(node, walker)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        message = f"a {node.key.upper()} of a form that is not traced ({type(error).__name__}: {first_line(error)})"
        return Traced(problem=Problem("unsupported_statement", message))


def build(results: list[Traced], names: Names, walker: QueryWalker) -> ModelLineage:
    """The answer: the last statement that gives columns, and a gap for each that is not traced."""
    gaps: dict[Gap, None] = {}
    traced = [result for result in results if result.relation is not None]
    filled = {name_of(result.target) for result in traced if result.target is not None}
    for result in results:
        made_to_be_filled = result.relation is None and result.target is not None and name_of(result.target) in filled
        if result.problem is not None and not made_to_be_filled:
            gaps[Gap(result.problem.code, result.problem.message)] = None
    relations = tuple(walker.read)
    if not traced:
        gaps = gaps or {Gap("unsupported_statement", "no statement of the text gives columns"): None}
        return ModelLineage("unresolved", None, (), (), tuple(gaps), relations)
    *others, main = traced
    unread = set(walker.set_aside.values())
    for other in others if unread else ():
        gaps.update(
            (Gap(problem.code, problem.message), None) for problem in other.problems_said() if problem in unread
        )
    relation = main.relation or Relation()
    target = name_of(main.target)
    for other in others:
        if other.target is not None and not other.temporary and name_of(other.target) != target:
            message = f"the text also fills {name_of(other.target)}, which this answer does not show"
            gaps[Gap("unsupported_statement", message)] = None
    columns = build_columns(relation, names, gaps)
    for problem in relation.problems:
        gaps.setdefault(Gap(problem.code, problem.message))
    if not columns and not gaps:
        gaps[Gap("parser_error", "the statement gives no column")] = None
    return ModelLineage(status_of(columns, gaps), target, columns, build_inputs(relation.rows), tuple(gaps), relations)


def name_of(table: exp.Table | None) -> str | None:
    """A target's name as the SQL has it."""
    return ".".join(spelled(part) for part in table.parts) if table is not None else None


def status_of(columns: tuple[Column, ...], gaps: dict[Gap, None]) -> str:
    """resolved, partial or unresolved."""
    if not gaps and columns:
        return "resolved"
    if any(column.status != "unresolved" for column in columns):
        return "partial"
    return "unresolved"


def build_columns(relation: Relation, names: Names, gaps: dict[Gap, None]) -> tuple[Column, ...]:
    """The output columns, and a gap for each that is not resolved."""
    columns: list[Column] = []
    items: list[OutCol | Hole] = list(relation.items)
    if relation.table is not None and relation.table.columns is None:
        items = [Hole(relation)]
    known: list[OutCol] = []
    for item in items:
        if isinstance(item, OutCol):
            known.append(item)
            continue
        problem = item.problem
        message = problem.message if problem else "* stands for columns that are not known"
        gaps[Gap(problem.code if problem else "star_without_schema", message)] = None
        # What the star replaces or renames is there for certain.
        known += item.renamed.values() if problem is None else ()
    for item in known:
        value = item.value
        inputs = build_inputs(with_counted(value.facts))
        problems = {**value.problems, **counted_problems(value.facts)}
        for problem in problems:
            gaps[Gap(problem.code, problem.message, item.name)] = None
        reason = next(iter(problems)).code if problems else None
        status = "unresolved" if reason else "traced" if inputs else "constant"
        columns.append(Column(item.name, status, reason, expression_of(value, names), inputs))
    return tuple(columns)


def expression_of(value: Value, names: Names) -> str | None:
    """A projection's SQL."""
    if value.text is None and value.node is not None:
        value.text = text_of(value.node, names.grammar)
    return value.text or None


def build_inputs(facts: Facts) -> tuple[Input, ...]:
    """Facts in the words of the answer."""
    return tuple(
        Input(
            leaf.table,
            leaf.column,
            "INDIRECT" if kind >= FIRST_INDIRECT else "DIRECT",
            SUBTYPES[kind],
            masking,
            leaf.relation,
        )
        for leaf, kind, masking in facts
        if kind < COUNTED
    )


def with_counted(facts: Facts) -> Facts:
    """A column's facts with what decides about the rows that its windows have counted, where some are left out."""
    counted = [(leaf, masking) for leaf, kind, masking in facts if kind == THINNED and isinstance(leaf, Counted)]
    return {**facts, **{(leaf, kind, m or masking): None for rows, masking in counted for leaf, kind, m in rows.rows}}


def counted_problems(facts: Facts) -> Problems:
    """What is not known of those rows."""
    problems: Problems = {}
    for leaf, kind, _ in facts:
        if kind == THINNED and isinstance(leaf, Counted):
            problems.update(leaf.problems)
    return problems
