"""Commands among events: the same set of records gives the same rows, in any order; a command is what its body says."""

import asyncio
import json
import random
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

import asyncpg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.commands import read_command
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.intake import Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge

from .commands import command, commands
from .conftest import empty, read_state
from .events import RUN, dataset, dataset_event, event_sets, run_event, schema

JUDGE = Judge(read_bundle())


def _read(pool: asyncpg.Pool, vault: Vault, bodies: Sequence[bytes]) -> list[Event]:
    intake = Intake(JUDGE, vault)
    found = [intake.read(body) for body in bodies]
    return [event for event in found if isinstance(event, Event)]


async def _one_by_one(pool: asyncpg.Pool, bodies: list[bytes], said: list[Event]) -> None:
    async with Vault(pool) as vault:
        for record in [*_read(pool, vault, bodies), *said]:
            await vault.keep(record)


async def _backwards(pool: asyncpg.Pool, bodies: list[bytes], said: list[Event]) -> None:
    async with Vault(pool) as vault:
        for record in [*_read(pool, vault, bodies), *said][::-1]:
            await vault.keep(record)


async def _shuffled(pool: asyncpg.Pool, bodies: list[bytes], said: list[Event], order: random.Random) -> None:
    async with Vault(pool) as one, Vault(pool) as two:
        records = [*_read(pool, one, bodies), *said] * 2
        order.shuffle(records)
        vaults = (one, two)
        await asyncio.gather(*(vaults[i % 2].keep(record) for i, record in enumerate(records)))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=event_sets, said=st.lists(commands, min_size=2, max_size=10), order=...)
async def test_state_depends_on_the_set_of_records_only(
    shared_pool: asyncpg.Pool, events: list[dict[str, Any]], said: list[Event], order: int
) -> None:
    bodies = [json.dumps(event).encode() for event in events]
    states = []
    await empty(shared_pool)
    await _one_by_one(shared_pool, bodies, said)
    states.append(await read_state(shared_pool))
    await empty(shared_pool)
    await _backwards(shared_pool, bodies, said)
    states.append(await read_state(shared_pool))
    await empty(shared_pool)
    await _shuffled(shared_pool, bodies, said, random.Random(order))
    states.append(await read_state(shared_pool))
    assert states[1] == states[0]
    assert states[2] == states[0]


@given(record=commands)
def test_a_command_is_what_its_body_in_the_log_says(record: Event) -> None:
    assert read_command(record.body) == record


def _ahead(event: dict[str, Any]) -> dict[str, Any]:
    return event | {"eventTime": event["eventTime"].replace("2026", "2926")}


async def test_what_is_trusted_is_ranked_by_its_times_whenever_that_is_said(shared_pool: asyncpg.Pool) -> None:
    """A run of 2926 that is trusted, and one that isn't; a static statement of then that is."""
    events = [
        run_event("COMPLETE", 1, 1, "load", [dataset("c")], [dataset("a", schema=schema("x"))]),
        _ahead(run_event("START", 1, 2, "load", [dataset("b")], [dataset("a", schema=schema("y"))])),
        _ahead(run_event("COMPLETE", 2, 2, "load")),
        _ahead(run_event("COMPLETE", 3, 3, "load", None, [dataset("a", schema=schema("z"))])),
        dataset_event(1, dataset("b", schema=schema("k"))),
        _ahead(dataset_event(2, dataset("b", schema=schema("l")))),
    ]
    bodies = [json.dumps(event).encode() for event in events]
    said = [
        command("trust", 1, 1, job={"namespace": "nightly", "name": "load"}, runId=f"{RUN}02"),
        command("trust", 1, 2, dataset={"namespace": "postgres://db.example:5432", "name": "b"}),
    ]
    states = []
    for way in range(6):
        await empty(shared_pool)
        async with Vault(shared_pool) as vault:
            records = [*_read(shared_pool, vault, bodies), *said]
            random.Random(way).shuffle(records)
            for record in records:
                await vault.keep(record)
        states.append(await read_state(shared_pool))
        if way == 0:
            shown = await shared_pool.fetch(
                "select d.name, b.fields from dataset_state as s join dataset as d on d.id = s.dataset_id "
                "join schema_body as b on b.id = s.schema_id order by 1"
            )
            assert [(row["name"], json.loads(row["fields"])[0]["name"]) for row in shown] == [("a", "y"), ("b", "l")]
            assert await shared_pool.fetchval("select seen_at from job_state") == datetime(
                2926, 3, 1, 10, 2, tzinfo=timezone.utc
            )
            assert await shared_pool.fetchval("select count(*) from run where future") == 1
    assert all(state == states[0] for state in states[1:])
