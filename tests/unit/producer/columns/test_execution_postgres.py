"""Dependencies found by running queries in PostgreSQL: what it shows to depend on a column, the engine must say.

As `test_execution` does it on DuckDB: the values of one column are changed; where the rows still stand for the same
rows of the tables, every output that differs must name the column among its inputs, else it must be among the rows.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings

from lineal_producer.columns import trace

from .postgres_queries import queries
from .query_parts import SCHEMA, Query
from .test_execution import Change, Result, Values, edges, make, others

DEEP = settings.default is not None and settings.default.max_examples > 100


@dataclass(frozen=True)
class Server:
    """A schema with the tables as they are, and one with each change."""

    loop: asyncio.AbstractEventLoop
    connection: asyncpg.Connection
    plain: str
    changes: list[Change]

    def run(self, schema: str, query: Query) -> Result:
        """A query's result on one schema's data."""
        text = query.probed if query.identity else query.sql
        self.loop.run_until_complete(self.connection.execute(f"set search_path = {schema}, pg_temp"))
        rows = self.loop.run_until_complete(self.connection.fetch(text))
        identities = [str(row["__p"]) if query.identity else "" for row in rows]
        places = range(len(query.outputs))
        values = [Counter(zip(identities, (str(row[place]) for row in rows), strict=True)) for place in places]
        return Result(Counter(identities), values)


@pytest.fixture(scope="module")
def server(server_url: str) -> Iterator[Server]:
    """The data that queries are run on, in schemas of their own that go with the test."""
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(server_url, statement_cache_size=0))
    prefix = f"w{uuid4().hex[:8]}"
    made: list[str] = []

    def store(schema: str, data: dict[str, Values]) -> None:
        made.append(schema)
        texts = [f"create schema {schema}", f"create type {schema}.pair as (first int, second int)"]
        for table, columns in data.items():
            kinds = ", ".join(f"{name} {kind}" for name, kind in SCHEMA[table].items())
            rows = zip(*columns.values(), strict=True)
            cells = (", ".join("null" if cell is None else str(cell) for cell in row) for row in rows)
            texts.append(f"create table {schema}.{table} ({kinds})")
            texts.append(f"insert into {schema}.{table} values {', '.join(f'({row})' for row in cells)}")
        loop.run_until_complete(connection.execute("; ".join(texts)))

    data, rng = make(0), random.Random(0)
    store(f"{prefix}_plain", data)
    changes: list[Change] = []
    for table, columns in data.items():
        for name, values in columns.items():
            for number, changed in enumerate(others(values, name.endswith("id"), rng)):
                schema = f"{prefix}_{table}_{name}_{number}"
                store(schema, {**data, table: {**columns, name: changed}})
                changes.append(Change(table, name, schema))
    yield Server(loop, connection, f"{prefix}_plain", changes)
    for schema in made:
        loop.run_until_complete(connection.execute(f"drop schema {schema} cascade"))
    loop.run_until_complete(connection.close())
    loop.close()


@settings(
    max_examples=3_000 if DEEP else 60,
    deadline=None,
    derandomize=not DEEP,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(query=queries())
def test_every_dependency_seen_is_named(server: Server, query: Query) -> None:
    lineage = trace(query.sql, "postgres", SCHEMA)
    assert lineage.status == "resolved", lineage.gaps
    assert [column.name for column in lineage.columns] == list(query.outputs)
    before = server.run(server.plain, query)
    rows = {(item.table, item.column) for item in lineage.rows}
    for change in server.changes:
        source = (change.table, change.column)
        if not query.identity and source in rows:
            continue
        after = server.run(change.schema, query)
        if after.rows != before.rows:
            assert source in rows, f"{source} decides about rows"
            continue
        for place, name in enumerate(query.outputs):
            if before.values[place] != after.values[place]:
                assert source in edges(lineage, place), f"{name} depends on {source}"
