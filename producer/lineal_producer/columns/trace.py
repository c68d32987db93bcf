"""The one way in: SQL and what is known of its relations to a model's lineage; never an exception."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.catalog import Catalog, Schema
from lineal_producer.columns.dialects import Names, find_names
from lineal_producer.columns.facts import FIRST_INDIRECT, SUBTYPES, Facts
from lineal_producer.columns.model import Column, Gap, Input, ModelLineage
from lineal_producer.columns.query import QueryWalker
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.statements import Traced, trace_statement
from lineal_producer.columns.values import Value

# Frames that parsing and walking may stack up: about 200 queries or 400 function calls inside one another.
DEPTH = 6000
RULES_VERSION = "1"

# What the parser can't read becomes a gap; its own warnings would only repeat that on stderr.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


def sqlglot_version() -> str:
    """The version of the parser, which is part of every cached answer's key."""
    return str(sqlglot.__version__)


def trace(
    sql: str,
    dialect: str,
    schema: Schema | None = None,
    default_db: str | None = None,
    default_schema: str | None = None,
) -> ModelLineage:
    """The lineage of a statement; whatever goes wrong with the SQL is in its status and gaps."""
    names = find_names(dialect or "")
    if names is None:
        return failed("unsupported_statement", f"the dialect {dialect} is not known; use a dbt adapter's type")
    with deep_recursion():
        try:
            return trace_text(sql, names, Catalog(names, schema, default_db, default_schema))
        except RecursionError:
            return failed("limit_exceeded", "the SQL is nested too deeply")


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
    try:
        parsed = sqlglot.parse(sql, read=names.grammar)
    except (SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        # The parser has bugs of its own on broken input: any of its exceptions means that it can't read this.
        return failed("parser_error", first_line(error))
    statements = [node for node in parsed if node is not None and not isinstance(node, exp.Semicolon)]
    if not statements:
        return failed("parser_error", "there is no statement in the SQL")
    walker = QueryWalker(names, catalog)
    results = [trace_statement(node, walker) for node in statements]
    return build(results, names, walker)


def first_line(error: Exception) -> str:
    """An error's message without the SQL that it quotes."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def build(results: list[Traced], names: Names, walker: QueryWalker) -> ModelLineage:
    """The answer: the last statement that gives columns, and a gap for each that is not traced."""
    gaps: dict[Gap, None] = {}
    for result in results:
        if result.problem is not None:
            gaps[Gap(result.problem.code, result.problem.message)] = None
    main = next((result for result in reversed(results) if result.relation is not None), None)
    relations = tuple(walker.read)
    if main is None or main.relation is None:
        return ModelLineage("unresolved", None, (), (), tuple(gaps), relations)
    target = ".".join(part.name for part in main.target.parts) if main.target is not None else None
    columns = build_columns(main.relation, names, gaps)
    for problem in main.relation.problems:
        gaps.setdefault(Gap(problem.code, problem.message))
    rows = build_inputs(main.relation.rows)
    return ModelLineage(status_of(columns, gaps), target, columns, rows, tuple(gaps), relations)


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
    for item in items:
        if isinstance(item, Hole):
            problem = item.problem
            message = problem.message if problem else "* stands for columns that are not known"
            gaps[Gap(problem.code if problem else "star_without_schema", message)] = None
            continue
        value = item.value
        inputs = build_inputs(value.facts)
        for problem in value.problems:
            gaps[Gap(problem.code, problem.message, item.name)] = None
        reason = next(iter(value.problems)).code if value.problems else None
        status = "unresolved" if reason else "traced" if inputs else "constant"
        columns.append(Column(item.name, status, reason, expression_of(value, names), inputs))
    return tuple(columns)


def expression_of(value: Value, names: Names) -> str | None:
    """A projection's SQL."""
    if value.text is None and value.node is not None:
        value.text = value.node.sql(dialect=names.grammar, comments=False)
    return value.text


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
    )
