"""P2: the same events give the same rows, in any order and batches, with repeats, from several connections."""

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

import asyncpg
from hypothesis import HealthCheck, given, settings

from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge

from .conftest import empty, read_state
from .events import event_sets

JUDGE = Judge(read_bundle())


async def take(intake: Intake, bodies: Sequence[bytes]) -> None:
    for body in bodies:
        assert isinstance(await intake.take(body), Accepted)


async def one_by_one(pool: asyncpg.Pool, bodies: list[bytes], order: random.Random) -> None:
    async with Vault(pool) as vault:
        await take(Intake(JUDGE, vault), bodies)


async def backwards(pool: asyncpg.Pool, bodies: list[bytes], order: random.Random) -> None:
    await one_by_one(pool, bodies[::-1], order)


async def in_one_batch(pool: asyncpg.Pool, bodies: list[bytes], order: random.Random) -> None:
    shuffled = order.sample(bodies * 2, len(bodies) * 2)
    async with Vault(pool) as vault:
        await asyncio.gather(*(take(Intake(JUDGE, vault), [body]) for body in shuffled))


async def from_several_connections(pool: asyncpg.Pool, bodies: list[bytes], order: random.Random) -> None:
    shuffled = order.sample(bodies * 2, len(bodies) * 2)
    async with Vault(pool) as one, Vault(pool) as two, Vault(pool) as three:
        vaults = (one, two, three)
        await asyncio.gather(*(take(Intake(JUDGE, v), shuffled[i :: len(vaults)]) for i, v in enumerate(vaults)))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=event_sets, order=...)
async def test_state_depends_on_the_set_of_events_only(
    shared_pool: asyncpg.Pool, events: list[dict[str, Any]], order: int
) -> None:
    bodies = [json.dumps(event).encode() for event in events]
    states = []
    for way in (one_by_one, backwards, in_one_batch, from_several_connections):
        await empty(shared_pool)
        await way(shared_pool, bodies, random.Random(order))
        states.append(await read_state(shared_pool))
    for state in states[1:]:
        assert state == states[0]
