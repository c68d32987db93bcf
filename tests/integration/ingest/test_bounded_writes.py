"""What keeping an event costs doesn't grow with its job's runs, and hardly with other jobs: in rows looked at."""

import json
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

import asyncpg
import pytest

from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.intake import Intake
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.transaction import write_events
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.store.connection import plan_writes
from lineal_receiver.store.write_statistics import analyze

from .events import dataset, lineage, run_event, schema
from .ways import JUDGE

RUNS = 600
JOBS = 300
FLUSH = "select pg_stat_force_next_flush()"
COUNT_ROWS = """
select
    (select sum(seq_tup_read) from pg_stat_user_tables)::bigint
    + (select sum(idx_tup_read) from pg_stat_user_indexes)::bigint
"""


def read_events(first: int, count: int, job: str = "load") -> list[Event]:
    """COMPLETEs of new runs of one job, all with the same lineage, each later than the one before."""
    intake = Intake(JUDGE, None)  # type: ignore[arg-type] # only reads
    target = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    events = []
    for number in range(first, first + count):
        said = run_event("COMPLETE", number, 1, job, inputs=[dataset("a", schema=schema("x"))], outputs=[target])
        said["run"]["runId"] = f"01900000-0000-7000-8000-{number:012}"
        event = intake.read(json.dumps(said).encode())
        assert isinstance(event, Event)
        events.append(event)
    return events


def read_new_events(first: int, count: int) -> list[Event]:
    """COMPLETEs, each of a job of its own that reads and writes tables of its own, with columns of its own."""
    intake = Intake(JUDGE, None)  # type: ignore[arg-type] # only reads
    events = []
    for number in range(first, first + count):
        source, field = f"from_{number}", f"x_{number}"
        target = dataset(f"to_{number}", schema=schema(field), columnLineage=lineage(**{field: f"{source}.{field}"}))
        inputs = [dataset(source, schema=schema(field))]
        said = run_event("COMPLETE", number, 1, f"job_{number}", inputs=inputs, outputs=[target])
        said["run"]["runId"] = f"01900000-0000-7000-8000-{number:012}"
        event = intake.read(json.dumps(said).encode())
        assert isinstance(event, Event)
        events.append(event)
    return events


class Keeper:
    """Keeps events as the server does, on one connection, and counts the rows that are looked at for it."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.connection, self._known = connection, Known()

    async def keep(self, events: Sequence[Event]) -> int:
        before = await self._count()
        async with self.connection.transaction():
            written = await write_events(self.connection, events, datetime.now(timezone.utc), self._known)
        self._known.learn(written.changes, written.redactions)
        return await self._count() - before

    async def _count(self) -> int:
        await self.connection.execute(FLUSH)
        rows: Any = await self.connection.fetchval(COUNT_ROWS)
        return int(rows)


@pytest.mark.parametrize("analysed", [True, False])
async def test_a_run_of_a_job_with_many_runs(database_url: str, *, analysed: bool) -> None:
    """The planner knows the tables as they were with a hundred runs of one job, as a server tells it, or not at all."""
    async with open_pool(database_url, size=1) as pool, pool.acquire() as connection:
        if connection.get_server_version().major < 15:
            pytest.skip("this PostgreSQL can't be told to publish its counts at once")
        await plan_writes(connection)
        keeper = Keeper(connection)
        for first in range(0, RUNS, 50):
            await keeper.keep(read_events(first, 50))
            if first == 50 and analysed:
                await analyze(connection)
        costs = [await keeper.keep(read_events(RUNS + number, 1)) for number in range(3)]
    assert max(costs) < RUNS / 4, costs


@pytest.mark.parametrize("analysed", [True, False])
async def test_a_new_job_beside_many(database_url: str, *, analysed: bool) -> None:
    """COMPLETEs alone; the planner knows the tables as they were with three jobs, as a server tells it, or not."""
    async with open_pool(database_url, size=1) as pool, pool.acquire() as connection:
        if connection.get_server_version().major < 15:
            pytest.skip("this PostgreSQL can't be told to publish its counts at once")
        await plan_writes(connection)
        keeper = Keeper(connection)
        await keeper.keep(read_new_events(0, 3))
        if analysed:
            await analyze(connection)
        first = await keeper.keep(read_new_events(10, 10))
        for number in range(20, JOBS, 20):
            await keeper.keep(read_new_events(number, 20))
        later = await keeper.keep(read_new_events(JOBS, 10))
    assert later < 2 * first, (first, later)
