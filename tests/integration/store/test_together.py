"""Reads that are run together give what each gives alone, and share round trips."""

from collections.abc import AsyncIterator
from datetime import date, datetime, timezone
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from lineal_receiver.store.read_snapshot import snapshot
from lineal_receiver.store.together import Reader, all_together, join, together

NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=timezone.utc)
FIRST, LAST = datetime.min.replace(tzinfo=timezone.utc), datetime.max.replace(tzinfo=timezone.utc)
EVERY_TYPE = """
select v.id, v.ids, v.at, v.day, v.body, v.n, v.big, v.share, v.told, v.letter, v.nothing,
    'infinity'::timestamptz as end
from (
    select $1::uuid as id, $2::uuid[] as ids, $3::timestamptz as at, $4::date as day, $5::bytea as body, 7 as n,
        7::bigint as big, 0.5::float8 as share, true as told, 'i'::"char" as letter, null::text as nothing
) as v
"""
EVERY_PLAIN_TYPE = EVERY_TYPE.replace("v.ids, ", "").replace("$2::uuid[]", "cardinality($2::uuid[])")
COUNT = """
with recursive counted (n) as (select $1::int union all select n + 1 from counted where n < $2::int)
select n, n * 2 as twice from counted order by n desc
"""


class Counting:
    """A connection that counts what it is asked."""

    def __init__(self, connection: Any) -> None:
        self._connection, self.asked = connection, 0

    async def fetch(self, *asked: Any) -> Any:
        self.asked += 1
        return await self._connection.fetch(*asked)

    async def fetchrow(self, *asked: Any) -> Any:
        self.asked += 1
        return await self._connection.fetchrow(*asked)

    async def prepare(self, sql: str) -> Any:
        return await self._connection.prepare(sql)


@pytest.fixture
async def counting(pool: asyncpg.Pool) -> AsyncIterator[Counting]:
    async with pool.acquire() as connection:
        yield Counting(connection)


async def count(reader: Reader, first: int, last: int, times: int = 1) -> list[int]:
    """Asks `times` one after another."""
    found = []
    for _ in range(times):
        found = [row["twice"] for row in await reader.fetch(COUNT, first, last)]
    return found


@pytest.mark.parametrize("at", [NOON, FIRST, LAST])
@pytest.mark.parametrize("sql", [EVERY_TYPE, EVERY_PLAIN_TYPE], ids=["with an array", "plain"])
async def test_values_of_every_type_are_those_of_a_statement_alone(counting: Counting, sql: str, at: datetime) -> None:
    reader = Reader(counting)
    asked = (UUID(int=1), [UUID(int=2), UUID(int=3)], at, date(2026, 3, 2), b"\x00\xff")
    alone = await reader.fetch(sql, *asked)
    both, other = await together(reader, reader.fetch(sql, *asked), count(reader, 1, 3))
    assert [tuple(row) for row in both] == [tuple(row) for row in alone]
    assert [dict(row) for row in both] == [dict(row) for row in alone]
    assert both[0]["at"] == at
    assert other == [6, 4, 2]


async def test_arrays_come_over_a_connection_that_never_met_their_type(pool: asyncpg.Pool) -> None:
    asked = "select array[1, $1::int] as numbers, array[true] as told, 'x' as word"
    async with pool.acquire() as first, pool.acquire() as second:
        for connection in (first, second):  # the first is asked how the rows look, for both
            reader = Reader(connection)
            found, other = await together(reader, reader.fetch(asked, 2), count(reader, 1, 2))
            assert [dict(row) for row in found] == [{"numbers": [1, 2], "told": [True], "word": "x"}]
            assert other == [4, 2]


async def test_each_round_is_one_statement(counting: Counting) -> None:
    reader = Reader(counting)
    found = await together(reader, count(reader, 1, 2), count(reader, 5, 6, times=3), count(reader, 8, 7, times=2))
    assert found == ([4, 2], [12, 10], [16])
    assert counting.asked == 3


async def test_what_runs_within_is_asked_with_the_rest(counting: Counting) -> None:
    reader = Reader(counting)

    async def ask_two(first: int) -> list[list[int]]:
        return await all_together(reader, [count(reader, first, first), count(reader, first + 1, first + 1, times=2)])

    found = await together(reader, ask_two(1), ask_two(10), count(reader, 100, 100, times=2))
    assert found == ([[2], [4]], [[20], [22]], [200])
    assert counting.asked == 2
    assert await count(reader, 1, 1) == [2]  # by itself again


async def test_one_row_and_one_value(pool: asyncpg.Pool) -> None:
    async with snapshot(pool) as reader:
        row, value, none, nothing = await together(
            reader,
            reader.fetchrow(COUNT, 1, 2),
            reader.fetchval(COUNT, 3, 4),
            reader.fetchrow("select 1 as one where false"),
            reader.fetchval("select 1 as one where false"),
        )
        assert (row["n"], row["twice"], value, none, nothing) == (2, 4, 4, None, None)
        assert await all_together(reader, [reader.fetchval("select 1 as one")]) == [1]
        assert await all_together(reader, []) == []


async def test_one_that_fails_ends_the_others(counting: Counting) -> None:
    reader = Reader(counting)
    ended = []

    async def fail() -> None:
        await reader.fetch("select 1 as one")
        raise LookupError("nothing there")

    async def wait() -> None:
        try:
            await count(reader, 1, 2, times=5)
        finally:
            ended.append(True)

    with pytest.raises(LookupError, match="nothing there"):
        await together(reader, fail(), wait())
    assert (ended, counting.asked) == ([True], 1)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await together(reader, reader.fetch("select 1 / 0 as no"), wait())
    assert await count(reader, 1, 1) == [2]


async def test_a_snapshot_leaves_nothing_behind(pool: asyncpg.Pool) -> None:
    shown = """
        select current_setting('enable_seqscan') as scan, current_setting('plan_cache_mode') as plan,
            current_setting('jit') as jit
    """
    async with pool.acquire() as connection:
        before = tuple(await connection.fetchrow(shown))
        await connection.execute("set enable_hashjoin = off")
    async with snapshot(pool, "once") as reader:
        within = tuple(await reader.fetchrow(shown))
    async with pool.acquire() as connection:
        assert tuple(await connection.fetchrow(shown)) == before
        assert await connection.fetchval("show enable_hashjoin") == "on"
    assert within == ("off", "force_generic_plan", "off")


async def test_rows_whose_arrays_differ_in_length_come_as_they_are(counting: Counting) -> None:
    reader = Reader(counting)
    ragged = "select n, array(select generate_series(1, n)) as ups from generate_series(0, 2) as n order by n desc"
    none = f"select * from ({ragged}) as r where n > 2"
    found, left = await together(reader, reader.fetch(ragged), reader.fetch(none))
    assert [tuple(row) for row in found] == [(2, [1, 2]), (1, [1]), (0, [])]
    assert left == []


def test_parameters_are_counted_on() -> None:
    assert join((("select $1, $2", 2), ("select 1", 0), ("select $1", 1))) == (
        "select * from (select array_agg(r.c0), array_agg(r.c1) from (select $1, $2) as r (c0, c1)) as r0"
        " cross join (select array(select r from (select 1) as r)) as r1"
        " cross join (select array_agg(r.c0) from (select $3) as r (c0)) as r2"
    )
