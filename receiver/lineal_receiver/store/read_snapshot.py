"""One consistent view for the statements of one read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
from asyncpg import Connection, Pool

from lineal_receiver.errors import StoreError
from lineal_receiver.store.connection import plan_by_index

__all__ = ["Connection", "Pool", "ReadFailed", "snapshot"]

ACQUIRE_SECONDS = 10.0

# What a server that is away, full, stopping or too slow gives; all else is a fault of ours.
_AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.ConnectionDoesNotExistError,
    OSError,
    TimeoutError,
    asyncio.TimeoutError,
)


@dataclass(eq=False)
class ReadFailed(StoreError):
    """PostgreSQL can't be asked just now ({reason}): try again."""

    reason: str


PLAN_IN_ORDER = """
select set_config('enable_bitmapscan', 'off', true)
"""


async def plan_in_order(connection: Connection) -> None:
    """For this transaction, walk an index in its order for the first rows of it.

    PostgreSQL guesses by the average: where most jobs have few runs, it would read all of a job that has a million to
    sort them for the newest.
    """
    await connection.execute(PLAN_IN_ORDER)


PLAN_BY_WORDS = """
select set_config('enable_indexscan', 'off', true)
"""


async def plan_by_words(connection: Connection) -> None:
    """For this transaction, find names by the parts of their words.

    While many names are new, PostgreSQL takes that index for dear, and would read every name by another.
    """
    await connection.execute(PLAN_BY_WORDS)


@asynccontextmanager
async def snapshot(pool: Pool, *, by_index: bool = True, in_order: bool = True) -> AsyncIterator[Connection]:
    """A connection whose statements all see the store as it was at the first of them, and can't change it.

    They look up by index, as what they ask for is little beside what is stored; not `by_index`: as PostgreSQL sees fit.
    Not `in_order`: by parts of words, whose index has no order.
    ReadFailed: PostgreSQL is away or too slow, or no connection came free.
    """
    try:
        async with (
            pool.acquire(timeout=ACQUIRE_SECONDS) as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            if by_index:
                await plan_by_index(connection)
            if by_index:
                await (plan_in_order if in_order else plan_by_words)(connection)
            yield connection
    except _AWAY as error:
        raise ReadFailed(str(error) or type(error).__name__) from error
