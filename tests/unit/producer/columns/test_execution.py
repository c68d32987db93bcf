"""Dependencies found by running queries: what DuckDB shows to depend on a column, the engine must say.

A column that is not among a query's rows must leave the number of rows alone when its values change, and the values of
every output that does not name it among its inputs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_producer.columns import trace

SCHEMA = {
    "t": {"id": "INTEGER", "k": "INTEGER", "a": "INTEGER", "b": "INTEGER"},
    "u": {"uid": "INTEGER", "k": "INTEGER", "v": "INTEGER", "w": "INTEGER"},
}
ROWS = 9


@dataclass(frozen=True)
class Query:
    """A query as text, with the names of its outputs; `key` is unique in it, so that its windows have one order."""

    sql: str
    outputs: tuple[str, ...]
    key: str | None


BASE = (Query("select * from t", ("id", "k", "a", "b"), "id"), Query("select * from u", ("uid", "k", "v", "w"), "uid"))

EXPRESSIONS = (
    "{x}",
    "{x} + {y} * 3",
    "case when {x} > 4 then {y} else 0 end",
    "case when {x} > {y} then 'm' else 'n' end",
    "coalesce({x}, {y})",
    "nullif({x}, {y})",
    "greatest({x}, {y})",
    "concat({x}, '-', {y})",
    "list_transform([{x}, {y}], lambda i: i + 1)",
    "{{'p': {x}, 'q': {y}}}.q",
    "md5({x}::varchar)",
    "7",
)
AGGREGATES = (
    "sum({x})",
    "max({x} + {y})",
    "count({x})",
    "count(*)",
    "sum({x}) filter (where {y} > 4)",
    "string_agg({x}::varchar, ',' order by {x}, {y})",
)


@st.composite
def projected(draw: st.DrawFn, inner: Query) -> Query:
    """Some expressions over a query."""
    columns = [f"q.{name} as {name}" for name in (inner.outputs if draw(st.booleans()) else ())]
    names = list(inner.outputs if columns else ())
    for _ in range(draw(st.integers(1, 3))):
        name = f"e{len(names)}"
        x, y = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(2))
        columns.append(f"{draw(st.sampled_from(EXPRESSIONS)).format(x=numeric(x), y=numeric(y))} as {name}")
        names.append(name)
    return Query(
        f"select {', '.join(columns)} from ({inner.sql}) q", tuple(names), inner.key if inner.key in names else None
    )


def numeric(column: str) -> str:
    """Any column as a number that keeps its differences."""
    return f"(hash({column}) % 11)::integer"


@st.composite
def filtered(draw: st.DrawFn, inner: Query) -> Query:
    """Some rows of a query, by a condition or a subquery."""
    x = numeric(f"q.{draw(st.sampled_from(inner.outputs))}")
    y = numeric(f"u.{draw(st.sampled_from(('v', 'w')))}")
    condition = draw(
        st.sampled_from(
            (f"{x} > 4", f"{x} in (select {y} from u)", f"exists (select 1 from u where {y} = {x})", f"{x} is not null")
        )
    )
    return Query(f"select * from ({inner.sql}) q where {condition}", inner.outputs, inner.key)


@st.composite
def grouped(draw: st.DrawFn, inner: Query) -> Query:
    """Aggregates of a query, by one key or none."""
    x, y, g = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(3))
    aggregate = draw(st.sampled_from(AGGREGATES)).format(x=numeric(x), y=numeric(y))
    if draw(st.booleans()):
        return Query(f"select {aggregate} as agg from ({inner.sql}) q", ("agg",), None)
    having = f" having max({numeric(y)}) > 2" if draw(st.booleans()) else ""
    return Query(f"select {g} as g, {aggregate} as agg from ({inner.sql}) q group by 1{having}", ("g", "agg"), None)


@st.composite
def windowed(draw: st.DrawFn, inner: Query) -> Query:
    """A window over a query that has a unique key to order by."""
    if inner.key is None:
        return inner
    x, y = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(2))
    function = draw(st.sampled_from((f"sum({numeric(x)})", f"lag({x})", "row_number()", f"first_value({x})")))
    sql = f"select q.*, {function} over (partition by {y} order by q.{inner.key}) as win from ({inner.sql}) q"
    return (
        Query(sql, (*(name for name in inner.outputs if name != "win"), "win"), inner.key)
        if ("win" not in inner.outputs)
        else inner
    )


@st.composite
def joined(draw: st.DrawFn, inner: Query) -> Query:
    """A query joined with a table."""
    kind = draw(st.sampled_from(("join", "left join", "semi join", "anti join", "full join")))
    on = f"{numeric('q.' + draw(st.sampled_from(inner.outputs)))} = {numeric('u.k')}"
    if kind in ("semi join", "anti join"):
        return Query(f"select * from ({inner.sql}) q {kind} u on {on}", inner.outputs, inner.key)
    columns = ", ".join(f"q.{name}" for name in inner.outputs if name != "jv")
    names = (*(name for name in inner.outputs if name != "jv"), "jv")
    return Query(f"select {columns}, u.v as jv from ({inner.sql}) q {kind} u on {on}", names, None)


@st.composite
def combined(draw: st.DrawFn, inner: Query) -> Query:
    """A set operation with a query of the same width over another table."""
    operation = draw(st.sampled_from(("union all", "union", "except", "intersect")))
    other = ", ".join(f"{draw(st.sampled_from(('v', 'w', 'k', '1')))}" for _ in inner.outputs)
    columns = ", ".join(f"{name}::varchar as {name}" for name in inner.outputs)
    sql = f"with c as ({inner.sql}), d as (select {other} from u) select {columns} from c {operation} select * from d"
    return Query(sql, inner.outputs, None)


@st.composite
def narrowed(draw: st.DrawFn, inner: Query) -> Query:
    """DISTINCT rows, a scalar subquery or a QUALIFY."""
    name = draw(st.sampled_from(inner.outputs))
    choice = draw(st.integers(0, 2))
    if choice == 0:
        return Query(f"select distinct q.{name} as {name} from ({inner.sql}) q", (name,), None)
    if choice == 1:
        inner_max = f"(select max(u.v) from u where u.k = {numeric('q.' + name)})"
        sql = f"select q.{name} as n, {inner_max} as m from ({inner.sql}) q"
        return Query(sql, ("n", "m"), None)
    if inner.key is None:
        return inner
    sql = f"select * from ({inner.sql}) q qualify row_number() over (partition by q.{name} order by q.{inner.key}) = 1"
    return Query(sql, inner.outputs, inner.key)


STEPS = (projected, filtered, grouped, windowed, joined, combined, narrowed)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """A query of a few steps over a table."""
    query = draw(st.sampled_from(BASE))
    for _ in range(draw(st.integers(1, 4))):
        query = draw(draw(st.sampled_from(STEPS))(query))
    return query


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of two tables."""
    connection = duckdb.connect()
    for table, columns in SCHEMA.items():
        connection.execute(f"create table {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
    yield connection
    connection.close()


def fill(connection: duckdb.DuckDBPyConnection, data: dict[str, dict[str, list[int | None]]]) -> None:
    """Puts data into the tables."""
    for table, columns in data.items():
        rows = zip(
            *(["null" if value is None else str(value) for value in values] for values in columns.values()), strict=True
        )
        text = ", ".join(f"({', '.join(row)})" for row in rows)
        connection.execute(f"delete from {table}; insert into {table} values {text}")


def make(seed: int) -> dict[str, dict[str, list[int | None]]]:
    """Values with repeats, nulls and one unique column a table."""
    rng = random.Random(seed)
    return {
        table: {
            name: list(range(1, ROWS + 1))
            if name.endswith("id")
            else [rng.choice([None, *range(12)]) for _ in range(ROWS)]
            for name in columns
        }
        for table, columns in SCHEMA.items()
    }


def changes(values: list[int | None], unique: bool, rng: random.Random) -> Iterator[list[int | None]]:
    """Other values for a column; a unique one stays unique."""
    yield [None if value is None else value + 100 for value in values]
    shuffled = list(values)
    rng.shuffle(shuffled)
    yield shuffled
    if not unique:
        yield [rng.choice([None, *range(40)]) for _ in values]


def columns_of(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, list[list[str]]]:
    """How many rows a query gives, and each column's values without their order."""
    rows = connection.execute(sql).fetchall()
    width = len(connection.description)
    return len(rows), [sorted(str(row[position]) for row in rows) for position in range(width)]


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=queries(), seed=st.integers(0, 3))
def test_every_dependency_seen_is_named(database: duckdb.DuckDBPyConnection, query: Query, seed: int) -> None:
    data = make(seed)
    fill(database, data)
    before = columns_of(database, query.sql)
    lineage = trace(query.sql, "duckdb", SCHEMA)
    assert lineage.status == "resolved", lineage.gaps
    assert [column.name for column in lineage.columns] == list(query.outputs)
    rows = {(item.table, item.column) for item in lineage.rows}
    rng = random.Random(seed)
    for table, columns in data.items():
        for name, values in columns.items():
            if (table, name) in rows:
                continue
            for changed in changes(values, name.endswith("id"), rng):
                fill(database, {table: {**columns, name: changed}})
                count, after = columns_of(database, query.sql)
                assert count == before[0], f"{table}.{name} decides about rows"
                for column, old, new in zip(lineage.columns, before[1], after, strict=True):
                    named = {(item.table, item.column) for item in column.inputs}
                    assert (table, name) in named or old == new, f"{column.name} depends on {table}.{name}"
            fill(database, {table: columns})
