"""Ways for the same records to reach the store: orders, batches, repeats, connections, connections that are lost."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import asyncpg

from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import StoreAway, Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge

from .generated import Records

JUDGE = Judge(read_bundle())
Record = bytes | Event
Way = Callable[[asyncpg.Pool, Records, random.Random], Awaitable[None]]
ATTEMPTS = 50


async def keep(vault: Vault, record: Record) -> None:
    """Send one record the way it comes: bodies through the intake, commands as the API hands them on."""
    if isinstance(record, Event):
        await vault.keep(record)
    else:
        assert isinstance(await Intake(JUDGE, vault).take(record), Accepted)


async def keep_at_last(vault: Vault, record: Record) -> None:
    """Send one record again until it is answered, as a producer does."""
    for _ in range(ATTEMPTS):
        try:
            await keep(vault, record)
        except StoreAway:  # noqa: PERF203 - each attempt may fail
            continue
        else:
            return
    raise AssertionError("never answered")


async def one_by_one(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """As they were thought of."""
    async with Vault(pool) as vault:
        for record in (*records.bodies, *records.commands):
            await keep(vault, record)


async def backwards(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """The last one first."""
    async with Vault(pool) as vault:
        for record in (*records.commands[::-1], *records.bodies[::-1]):
            await keep(vault, record)


async def in_one_batch(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """All at once, each twice."""
    async with Vault(pool) as vault:
        await asyncio.gather(*(keep(vault, record) for record in _shuffled(records, 2, order)))


async def in_small_batches(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """Some at once, each twice, by servers that remember nothing of each other."""
    rest = _shuffled(records, 2, order)
    while rest:
        size = order.randint(1, 5)
        async with Vault(pool) as vault:
            await asyncio.gather(*(keep(vault, record) for record in rest[:size]))
        rest = rest[size:]


async def from_several_servers(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """Each twice, spread over three servers at work at the same time."""
    await _spread(pool, _shuffled(records, 2, order), keep)


async def over_lost_connections(pool: asyncpg.Pool, records: Records, order: random.Random) -> None:
    """Over three servers, whose connections are cut in the middle; what wasn't answered is sent again."""
    cut = asyncio.create_task(_cut_connections(pool))
    try:
        await _spread(pool, _shuffled(records, 1, order), keep_at_last)
    finally:
        cut.cancel()
        await asyncio.gather(cut, return_exceptions=True)


WAYS: tuple[Way, ...] = (
    one_by_one, backwards, in_one_batch, in_small_batches, from_several_servers, over_lost_connections,
)  # fmt: skip


def _shuffled(records: Records, times: int, order: random.Random) -> list[Record]:
    every: list[Record] = [*records.bodies, *records.commands] * times
    order.shuffle(every)
    return every


async def _spread(
    pool: asyncpg.Pool, records: Sequence[Record], send: Callable[[Vault, Record], Awaitable[None]]
) -> None:
    async with AsyncExitStack() as stack:
        vaults = [await stack.enter_async_context(Vault(pool)) for _ in range(3)]
        await asyncio.gather(*(_send_all(vaults[i], records[i::3], send) for i in range(3)))


async def _send_all(vault: Vault, records: Sequence[Record], send: Callable[[Vault, Record], Awaitable[None]]) -> None:
    half = len(records) // 2
    for record in records[:half]:
        await send(vault, record)
    await asyncio.gather(*(send(vault, record) for record in records[half:]))


CUT = """
select pg_terminate_backend(pid)
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and backend_type = 'client backend'
"""


async def _cut_connections(pool: asyncpg.Pool) -> None:
    """Cut whatever is at work, a few times; the sender's retries outlast it."""
    for _ in range(5):
        async with pool.acquire() as connection:
            await connection.execute(CUT)
        await asyncio.sleep(0)
