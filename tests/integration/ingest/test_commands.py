"""Commands among events: the same set of records gives the same rows, in any order; a command is what its body says."""

import asyncio
import json
import random
from collections.abc import Sequence
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

from .commands import commands
from .conftest import empty, read_state
from .events import event_sets

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
