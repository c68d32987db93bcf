"""Several transactions at once: one that waits holds up no other, and what is known to be kept stays true."""

import asyncio
import json
from datetime import datetime, timezone

import asyncpg

from lineal_receiver.ids import job_id, namespace_id
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.postgres.pool import open_pool

from .events import dataset, run_event
from .ways import JUDGE

WAITING = "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')"

COUNT_WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


def body(job: str, number: int) -> bytes:
    """The COMPLETE of a job's run."""
    return json.dumps(run_event("COMPLETE", number, 1, job, outputs=[dataset(f"made_by_{job}")])).encode()


async def test_an_event_is_kept_while_another_waits_for_a_row(pool: asyncpg.Pool) -> None:
    async with Vault(pool) as vault, pool.acquire() as holder:
        intake = Intake(JUDGE, vault)
        assert await intake.take(body("held", 1)) == Accepted(new=True)
        transaction = holder.transaction()
        await transaction.start()
        event = run_event("COMPLETE", 1, 1, "held")
        held = job_id(event["job"]["namespace"], "held")
        await holder.execute("select from job_state where job_id = $1 for update", held)
        waits = asyncio.create_task(intake.take(body("held", 2)))
        while not await pool.fetchval(WAITING):
            assert not waits.done()
            await asyncio.sleep(0.01)
        assert await intake.take(body("free", 3)) == Accepted(new=True)
        assert not waits.done()
        await transaction.rollback()
        assert await waits == Accepted(new=True)
    assert await pool.fetchval("select count(*) from log") == 3


async def test_events_of_several_jobs_are_kept_while_two_wait_for_rows(pool: asyncpg.Pool) -> None:
    async with Vault(pool) as vault, pool.acquire() as holder:
        intake = Intake(JUDGE, vault)
        for number, job in enumerate(("one", "other"), 1):
            assert await intake.take(body(job, number)) == Accepted(new=True)
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute("select from job_state for update")
        waits: list[asyncio.Task[object]] = []
        for number, job in enumerate(("one", "other"), 3):
            waits.append(asyncio.create_task(intake.take(body(job, number))))
            while await pool.fetchval(COUNT_WAITING) < len(waits):
                assert not any(task.done() for task in waits)
                await asyncio.sleep(0.01)
        assert await intake.take(body("free", 5)) == Accepted(new=True)
        assert not any(task.done() for task in waits)
        await transaction.rollback()
        assert await asyncio.gather(*waits) == [Accepted(new=True)] * 2
    assert await pool.fetchval("select count(*) from log") == 5


async def test_a_pool_of_one_connection_has_one_writer(database_url: str) -> None:
    async with open_pool(database_url, size=1) as pool, Vault(pool) as vault:
        intake = Intake(JUDGE, vault)
        answers = await asyncio.gather(*(intake.take(body(f"job_{number}", number)) for number in range(1, 9)))
    assert answers == [Accepted(new=True)] * 8


def test_what_a_redaction_may_have_deleted_is_not_known() -> None:
    """A writer may hear of its commit after the other heard of a redaction that came behind it."""
    changes, at = Changes(), datetime(2026, 3, 1, tzinfo=timezone.utc)
    changes.add_namespace(namespace_id("n"), "n", at)
    known = Known()
    known.check(1)
    known.learn(changes, 0)
    assert known.namespaces == {}
    known.learn(changes, 1)
    assert known.namespaces == {namespace_id("n"): at}
