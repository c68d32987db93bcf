"""Lists of events over many days: the pages are right, and only the partitions of their days are looked at."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lineal_receiver.app import create_app
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.store.write_days import make_day

from .conftest import Client, copied, open_client

DAYS, A_DAY = 30, 86_400
FLUSH = "select pg_stat_force_next_flush()"
COUNT_SCANS = """
select relname, seq_scan + coalesce(idx_scan, 0) as n from pg_stat_user_tables where relname ~ '^log_[0-9]{8}$'
"""


async def scans(connection: asyncpg.Connection) -> dict[str, int]:
    """How often each day's partition was looked at."""
    await connection.execute(FLUSH)
    return {row["relname"]: row["n"] for row in await connection.fetch(COUNT_SCANS)}


def numbers(answer: Any) -> list[int]:
    """Which events these are."""
    return [int(event["run"]["runId"][-4:], 16) for event in answer["events"]]


async def test_pages_of_events_over_many_days(server_url: str, template: str) -> None:
    async with copied(server_url, template) as url, open_pool(url, size=1) as pool:
        async with pool.acquire() as connection:
            if connection.get_server_version().major < 15:
                pytest.skip("this PostgreSQL can't be told to publish its counts at once")
            async with connection.transaction():
                for day in range(DAYS):
                    await make_day(connection, date(2026, 3, 1) + timedelta(days=day))
        app = create_app(Settings(database_url=url, data_dir=Path()), pool)
        async with open_client(app) as client:
            await check(client, pool)


async def check(client: Client, pool: asyncpg.Pool) -> None:
    """Two events on each day, and one in the year before; pages from either end."""
    for number in range(1, 2 * DAYS + 1):  # from 1 March on: the even one a minute after noon, the odd a second later
        at = (number - 1) // 2 * A_DAY - A_DAY + 60 + number % 2
        await client.run("j", number, event="START", at=at)
    await client.run("j", 99, event="START", at=-400 * A_DAY)
    newest = [*sorted(range(1, 2 * DAYS + 1), key=lambda n: ((n - 1) // 2, n % 2), reverse=True), 99]

    async def days_of(path: str, **query: Any) -> tuple[Any, int]:
        async with pool.acquire() as connection:
            before = await scans(connection)
        answer = await client.get(path, **query)
        async with pool.acquire() as connection:
            after = await scans(connection)
        return answer, sum(after[name] > before[name] for name in after)

    path = "/api/v1/events/lineage"
    for offset in (0, 7, 55, 58):
        page, _ = await days_of(path, limit=5, offset=offset)
        assert (numbers(page), page["totalCount"]) == (newest[offset : offset + 5], 2 * DAYS + 1)
        page, _ = await days_of(path, limit=5, offset=offset, sortDirection="asc")
        assert numbers(page) == newest[::-1][offset : offset + 5]
    window = {"after": "2026-03-03T12:01:01Z", "before": "2026-03-06T12:01:01Z"}
    expected = [number for number in newest if number in {5, 7, 8, 9, 10, 12}]
    page, _ = await days_of(path, **window)
    assert (numbers(page), page["totalCount"]) == (expected, len(expected))
    for direction, most in (("desc", 4), ("asc", 5)):
        for _ in range(7):  # a statement's plan settles in its first uses
            page, looked_at = await days_of(path, limit=4, sortDirection=direction, after="2026-03-01T00:00:00Z")
            assert looked_at <= most
    cursor, seen = "", []
    while cursor is not None:
        page, looked_at = await days_of("/api/v2/events", limit=9, cursor=cursor)
        seen += [int(one["runId"][-4:], 16) for one in page["events"]]
        assert looked_at <= 8
        cursor = page["next"]
    assert seen == newest
