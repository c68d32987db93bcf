"""Dependencies found by running queries: what DuckDB shows to depend on a column, the engine must say.

The values of one column are changed. If the rows of the result still stand for the same rows of the tables, every
output that differs must name the column among its inputs; if not, the column must be among the query's rows. Where a
query can't tell which rows a row stands for, only its number of rows and the values of each output are compared.

`pytest tests/unit/producer/columns/test_execution.py --hypothesis-profile=deep` tries some thousand queries more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_producer.columns import ModelLineage, trace

from .query_generator import TARGET, Statement, queries, statements
from .query_parts import SCHEMA, Query

ROWS = 9
SEEDS = 3
DEEP = settings.default is not None and settings.default.max_examples > 100
Values = dict[str, list[int | None]]
Edges = set[tuple[str, str]]


@dataclass(frozen=True)
class Change:
    """Other values for one column, in a schema of its own."""

    table: str
    column: str
    schema: str


@dataclass(frozen=True)
class World:
    """A database that holds every seed's tables, as they are and with each change."""

    connection: duckdb.DuckDBPyConnection
    changes: dict[int, list[Change]]


@dataclass(frozen=True)
class Result:
    """What a query gives: how often each row's identity comes, and each output's values by identity."""

    rows: Counter[str]
    values: list[Counter[tuple[str, str]]]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """All data that queries are run on."""
    connection = duckdb.connect(config={"threads": 1})
    changes: dict[int, list[Change]] = {}
    for seed in range(SEEDS):
        data = make(seed)
        store(connection, f"s{seed}", data)
        changes[seed] = []
        rng = random.Random(seed)
        for table, columns in data.items():
            for name, values in columns.items():
                for number, changed in enumerate(others(values, name.endswith("id"), rng)):
                    schema = f"s{seed}_{table}_{name}_{number}"
                    store(connection, schema, {**data, table: {**columns, name: changed}})
                    changes[seed].append(Change(table, name, schema))
    yield World(connection, changes)
    connection.close()


def make(seed: int) -> dict[str, Values]:
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


def others(values: list[int | None], unique: bool, rng: random.Random) -> Iterator[list[int | None]]:
    """Other values for a column; a unique one stays unique."""
    yield [None if value is None else value + 100 for value in values]
    shuffled = list(values)
    rng.shuffle(shuffled)
    yield shuffled
    if not unique:
        one = list(values)
        one[rng.randrange(len(one))] = rng.randrange(12)
        yield one


def store(connection: duckdb.DuckDBPyConnection, schema: str, data: dict[str, Values]) -> None:
    """Makes a schema with the tables; a row's place is its identity, whatever its values."""
    connection.execute(f"create schema {schema}")
    for table, columns in data.items():
        rows = zip(*columns.values(), strict=True)
        text = ", ".join(f"({', '.join('null' if cell is None else str(cell) for cell in row)})" for row in rows)
        kinds = ", ".join(f"{name} {kind}" for name, kind in SCHEMA[table].items())
        connection.execute(f"create table {schema}.{table} ({kinds})")
        connection.execute(f"insert into {schema}.{table} values {text}")


def run(world: World, schema: str, query: Query) -> Result:
    """A query's result on one schema's data."""
    world.connection.execute(f"set schema = '{schema}'")
    cursor = world.connection.execute(query.probed if query.identity else query.sql)
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    at = names.index("__p") if query.identity else None
    identities = [str(row[at]) if at is not None else "" for row in rows]
    places = [place for place in range(len(names)) if place != at]
    values = [Counter(zip(identities, (str(row[place]) for row in rows), strict=True)) for place in places]
    return Result(Counter(identities), values)


def change_target(world: World, schema: str, statement: Statement) -> dict[int, tuple[int | None, ...]]:
    """The target's rows by their key as a statement leaves them; the next one finds it as it was."""
    world.connection.execute(f"set schema = '{schema}'")
    columns = ", ".join(f"{name} {kind}" for name, kind in TARGET.items())
    world.connection.execute("begin")
    try:
        world.connection.execute(f"create table d ({columns})")
        world.connection.execute("insert into d select i, (i * 7) % 10, (i * 3) % 8 from range(1, 9) r(i)")
        world.connection.execute(statement.sql)
        rows = world.connection.execute("select * from d").fetchall()
    finally:
        world.connection.execute("rollback")
    return {row[0]: row[1:] for row in rows}


def edges(lineage: ModelLineage, place: int) -> Edges:
    """The columns that an output's inputs name."""
    return {(item.table, item.column) for item in lineage.columns[place].inputs}


@settings(
    max_examples=3_000 if DEEP else 120,
    deadline=None,
    derandomize=not DEEP,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(query=queries(), seed=st.integers(0, SEEDS - 1))
def test_every_dependency_seen_is_named(world: World, query: Query, seed: int) -> None:
    lineage = trace(query.sql, "duckdb", SCHEMA)
    assert lineage.status == "resolved", lineage.gaps
    assert [column.name for column in lineage.columns] == list(query.outputs)
    before = run(world, f"s{seed}", query)
    rows = {(item.table, item.column) for item in lineage.rows}
    for change in world.changes[seed]:
        source = (change.table, change.column)
        if not query.identity and source in rows:
            continue
        after = run(world, change.schema, query)
        if after.rows != before.rows:
            assert source in rows, f"{source} decides about rows"
            continue
        for place, name in enumerate(query.outputs):
            if before.values[place] != after.values[place]:
                assert source in edges(lineage, place), f"{name} depends on {source}"


@settings(
    max_examples=3_000 if DEEP else 80,
    deadline=None,
    derandomize=not DEEP,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(statement=statements(), seed=st.integers(0, SEEDS - 1))
def test_every_dependency_of_a_statement_is_named(world: World, statement: Statement, seed: int) -> None:
    lineage = trace(statement.sql, "duckdb", {**SCHEMA, "d": TARGET})
    # A MERGE that only deletes fills no column.
    if not lineage.columns:
        return
    assert (lineage.status, lineage.target) == ("resolved", "d"), lineage.gaps
    before = change_target(world, f"s{seed}", statement)
    rows = {(item.table, item.column) for item in lineage.rows}
    filled = {column.name: edges(lineage, place) for place, column in enumerate(lineage.columns)}
    for change in world.changes[seed]:
        source = (change.table, change.column)
        if source in rows:
            continue
        after = change_target(world, change.schema, statement)
        assert before.keys() == after.keys(), f"{source} decides about rows"
        for place, name in enumerate(list(TARGET)[1:]):
            if any(before[key][place] != after[key][place] for key in before):
                assert source in filled.get(name, set()), f"{name} depends on {source}"


@settings(
    max_examples=3_000 if DEEP else 300,
    deadline=None,
    derandomize=not DEEP,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(query=queries(), known=st.sampled_from([(), ("t",), ("u",)]))
def test_without_a_schema_nothing_is_said_that_the_schema_would_not_say(query: Query, known: tuple[str, ...]) -> None:
    whole = trace(query.sql, "duckdb", SCHEMA)
    partly = trace(query.sql, "duckdb", {table: SCHEMA[table] for table in known})
    rows = {(item.table, item.column) for item in whole.rows}
    assert {(item.table, item.column) for item in partly.rows} <= rows
    truth = {column.name: edges(whole, place) for place, column in enumerate(whole.columns)}
    for place, column in enumerate(partly.columns):
        assert edges(partly, place) <= truth[column.name], column.name
        if column.status != "unresolved":
            assert edges(partly, place) == truth[column.name], f"{column.name} is said to be {column.status}"
