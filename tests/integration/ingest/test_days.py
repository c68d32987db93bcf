"""Partitions of the log: made beside running writers, with the stray rows of their days."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta, timezone
from uuid import uuid4

import asyncpg
import pytest

from lineal_receiver.ingest.days import AGAIN_SECONDS, EVERY_SECONDS, ensure_days, keeping_days, try_days
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import StoreAway, Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.store.write_days import make_day, vouch_for_day

from .events import run_event

TODAY = date(2026, 3, 1)
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """A database of its own, whose tables may change."""
    async with open_pool(database_url) as pool:
        yield pool


async def places(pool: asyncpg.Pool) -> dict[str, int]:
    """How many records lie in each partition that has any."""
    rows = await pool.fetch("select tableoid::regclass::text as place, count(*) as n from log group by 1")
    return {row["place"]: row["n"] for row in rows}


async def partitions(pool: asyncpg.Pool) -> set[str]:
    rows = await pool.fetch(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'log'::regclass"
    )
    return {row["name"] for row in rows}


def body_at(time: datetime | str) -> bytes:
    event = run_event("COMPLETE", 0)
    event["eventTime"] = time if isinstance(time, str) else time.isoformat()
    event["run"]["runId"] = str(uuid4())
    return json.dumps(event).encode()


async def keep(intake: Intake, *times: datetime) -> list[bytes]:
    bodies = [body_at(time) for time in times]
    for body in bodies:
        assert await intake.take(body) == Accepted(True)
    return bodies


async def test_stray_rows_move_to_their_day_and_a_retry_meets_itself(pool: asyncpg.Pool, intake: Intake) -> None:
    days = [NOON - timedelta(days=back) for back in range(4)]
    bodies = await keep(intake, *days, NOON - timedelta(seconds=1))
    assert await places(pool) == {"log_stray": 5}

    assert await ensure_days(pool, TODAY, 2) == 4
    assert await partitions(pool) == {
        *(f"log_{day}" for day in ("20260227", "20260228", "20260301", "20260302")),
        "log_stray",
    }
    assert await places(pool) == {"log_20260301": 2, "log_20260228": 1, "log_20260227": 1, "log_stray": 1}

    for body in bodies:
        assert await intake.take(body) == Accepted(False)
    await keep(intake, NOON, NOON + timedelta(days=1), NOON + timedelta(days=2), NOON - timedelta(days=3))
    expected = {"log_20260302": 1, "log_20260301": 3, "log_20260228": 1, "log_20260227": 1, "log_stray": 3}
    assert await places(pool) == expected
    assert await ensure_days(pool, TODAY, 2) == 0
    assert await places(pool) == expected


async def test_days_begin_at_midnight_utc(pool: asyncpg.Pool, intake: Intake) -> None:
    await ensure_days(pool, TODAY, 1)
    for time in ("2026-03-01T23:30:00-02:00", "2026-03-01T01:30:00+02:00"):
        assert await intake.take(body_at(time)) == Accepted(True)
    assert await places(pool) == {"log_20260302": 1, "log_20260228": 1}


async def test_a_day_has_the_indexes_of_the_log(pool: asyncpg.Pool) -> None:
    await ensure_days(pool, TODAY, 1)
    of_stray, of_day = [
        sorted(
            row["definition"].replace(table, "log")
            for row in await pool.fetch(
                "select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'INDEX ON') as definition "
                "from pg_index where indrelid = $1::text::regclass",
                table,
            )
        )
        for table in ("log_stray", "log_20260301")
    ]
    assert of_day == of_stray
    checks = "select conname from pg_constraint where conrelid = 'log_20260301'::regclass and conname like '%\\_day'"
    assert await pool.fetch(checks) == []


async def test_servers_that_make_days_while_others_write(pool: asyncpg.Pool, intake: Intake) -> None:
    """Whatever comes in between, every record is there once, and in the partition of its day."""
    times = [NOON + timedelta(days=n % 4 - 2, seconds=n) for n in range(40)]
    async with Vault(pool) as other:
        takers = [intake, Intake(Judge(read_bundle()), other)]
        bodies = [body_at(time) for time in times]
        answers = await asyncio.gather(
            *(taker.take(body) for body in bodies for taker in takers),
            *(_until_made(pool) for _ in range(3)),
        )
    assert answers[: 2 * len(bodies)].count(Accepted(True)) == len(bodies)
    assert await places(pool) == {f"log_{day}": 10 for day in ("20260227", "20260228", "20260301", "20260302")}


SCANS = "select coalesce(seq_scan, 0) from pg_stat_user_tables where relname = 'log_stray'"


@pytest.mark.parametrize(("vouched", "scans"), [(True, 0), (False, 1)])
async def test_a_large_stray_partition_is_read_while_others_write(
    pool: asyncpg.Pool, intake: Intake, vouched: bool, scans: int
) -> None:
    """Not while all wait for the day, where it was read before."""
    await keep(intake, NOON - timedelta(days=9))
    day = TODAY + timedelta(days=1)
    async with pool.acquire() as connection:
        if connection.get_server_version().major < 15:
            pytest.skip("this PostgreSQL can't be told to publish its counts at once")
        if vouched:
            await vouch_for_day(connection, day, 0)
        counts = []
        for _ in range(2):
            await connection.execute("select pg_stat_force_next_flush()")
            counts.append(await connection.fetchval(SCANS))
            async with connection.transaction():
                await make_day(connection, day)
        checks = await connection.fetch(r"select conname from pg_constraint where conname like '%not\_here'")
    assert (counts[1] - counts[0], checks) == (scans, [])


async def test_what_a_killed_process_had_vouched_for_is_forgotten(pool: asyncpg.Pool, intake: Intake) -> None:
    async with pool.acquire() as connection:
        await vouch_for_day(connection, TODAY - timedelta(days=5), 0)
    with pytest.raises(StoreAway):
        await intake.take(body_at(NOON - timedelta(days=5)))
    await ensure_days(pool, TODAY, 1)
    await keep(intake, NOON - timedelta(days=5))


async def test_a_day_that_has_stray_rows_is_not_vouched_for(pool: asyncpg.Pool, intake: Intake) -> None:
    await keep(intake, NOON - timedelta(days=1), NOON + timedelta(days=1))
    assert await ensure_days(pool, TODAY, 1, large=0) == 2
    await keep(intake, NOON - timedelta(days=1), NOON, NOON + timedelta(days=1))
    assert await places(pool) == {"log_20260228": 2, "log_20260301": 1, "log_20260302": 2}


async def _until_made(pool: asyncpg.Pool) -> None:
    """As the background task does: who can't have the lock comes again."""
    while True:
        try:
            await ensure_days(pool, TODAY, 2)
        except asyncpg.LockNotAvailableError:
            continue
        return


async def test_the_stray_partition_held_by_another(pool: asyncpg.Pool, intake: Intake) -> None:
    await keep(intake, NOON)
    async with pool.acquire() as holder:
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute("select count(*) from log_stray")
        with pytest.raises(asyncpg.LockNotAvailableError):
            await ensure_days(pool, TODAY, 1)
        assert await partitions(pool) == {"log_stray"}
        await transaction.rollback()
    assert await ensure_days(pool, TODAY, 1) == 1


async def test_what_takes_too_long_is_not_tried_again_at_once(database_url: str, pool: asyncpg.Pool) -> None:
    async with open_pool(database_url, statement_seconds=0.2) as hurried, pool.acquire() as holder:
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute("select count(*) from log_stray")
        assert await try_days(hurried, TODAY, 1) == EVERY_SECONDS  # cancelled before the lock is given up
        await transaction.rollback()
        assert await try_days(pool, TODAY, 0) == EVERY_SECONDS
        await holder.execute("begin; select count(*) from log_stray")
        assert await try_days(pool, TODAY, 1) == AGAIN_SECONDS
        await holder.execute("rollback")


async def test_the_background_task(pool: asyncpg.Pool) -> None:
    async def made(count: int) -> None:
        while len(await partitions(pool)) < count:  # noqa: ASYNC110 - the database tells, no event does
            await asyncio.sleep(0.01)

    async with keeping_days(pool, 3, lambda: TODAY):
        await asyncio.wait_for(made(6), 120)
    async with keeping_days(pool, 0, lambda: TODAY):
        pass
    async with keeping_days(pool, 1, lambda: TODAY + timedelta(days=1)):
        await asyncio.wait_for(made(7), 120)
    assert "log_20260303" in await partitions(pool)


async def test_a_writer_that_waits_for_the_stray_partition_finds_the_new_day(
    pool: asyncpg.Pool, intake: Intake
) -> None:
    """It had chosen the stray partition already: PostgreSQL refuses the row, which must not refuse the event."""
    async with pool.acquire() as maker:
        transaction = maker.transaction()
        await transaction.start()
        assert await make_day(maker, TODAY) == 0
        taken = asyncio.create_task(intake.take(body_at(NOON)))
        waiting = "select exists (select from pg_locks where relation = 'log_stray'::regclass and not granted)"
        while not await pool.fetchval(waiting):
            assert not taken.done()
            await asyncio.sleep(0.01)
        await transaction.commit()
    assert await taken == Accepted(True)
    assert await places(pool) == {"log_20260301": 1}


class CutPool:
    """A pool whose connections were all cut, as asyncpg may tell it."""

    def __init__(self, error: Exception) -> None:
        self.error, self.asked = error, asyncio.Event()

    def acquire(self, timeout: float) -> "CutPool":  # noqa: ARG002 - as asyncpg calls it
        self.asked.set()
        return self

    async def __aenter__(self) -> None:
        raise self.error

    async def __aexit__(self, *_: object) -> None: ...


CUT = [asyncpg.InternalClientError("cut"), asyncpg.InterfaceError("cut"), ConnectionResetError("cut")]


@pytest.mark.parametrize("error", CUT, ids=lambda error: type(error).__name__)
async def test_a_connection_that_is_cut_meanwhile_ends_nothing(error: Exception) -> None:
    pool = CutPool(error)
    async with keeping_days(pool, 1, lambda: TODAY):  # type: ignore[arg-type] # all that is asked of a pool here
        await asyncio.wait_for(pool.asked.wait(), 60)
        await asyncio.sleep(0)  # let it meet its error
