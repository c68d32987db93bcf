"""One consistent view for the statements of one read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Literal

import asyncpg
from asyncpg import Connection, Pool

from lineal_receiver.errors import StoreError
from lineal_receiver.store.together import Reader

__all__ = ["Connection", "Pool", "ReadFailed", "connected", "snapshot"]

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


# Before the first ANALYZE, and with plans made while tables were small, PostgreSQL would read whole tables.
# It also guesses by the average: where most jobs have few runs, it would read all of a job that has a million to sort
# them for the newest; so indexes are walked in their order, for the first rows of it.
BEGIN_IN_ORDER = """
begin isolation level repeatable read read only;
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
set local enable_bitmapscan = off;
"""

# Of a day's events, PostgreSQL would as soon read all by their key and sort them, as walk the few in order of time.
BEGIN_BY_TIME = f"""{BEGIN_IN_ORDER}
set local enable_sort = off;
"""

# To plan a walk's statements for each step anew costs more than to run them; so does to compile what several statements
# that are asked together may cost, added up.
BEGIN_PLANNED_ONCE = """
begin isolation level repeatable read read only;
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
set local enable_bitmapscan = off;
set local plan_cache_mode = force_generic_plan;
set local jit = off;
"""

# Names are found by the parts of their words: while many are new, PostgreSQL takes that index for dear, and would read
# every name by another.
BEGIN_BY_WORDS = """
begin isolation level repeatable read read only;
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
set local enable_indexscan = off;
"""

BEGIN_AS_IT_SEES_FIT = """
begin isolation level repeatable read read only;
"""

END = "commit"

Plan = Literal["in order", "by time", "once", "by words", "freely"]
"""How statements are planned: by indexes in their order; never sorting instead; by indexes, and once (none has a filter
that may be left out); by parts of words, whose index has no order; as PostgreSQL sees fit."""

BEGINS: dict[Plan, str] = {
    "in order": BEGIN_IN_ORDER,
    "by time": BEGIN_BY_TIME,
    "once": BEGIN_PLANNED_ONCE,
    "by words": BEGIN_BY_WORDS,
    "freely": BEGIN_AS_IT_SEES_FIT,
}


@asynccontextmanager
async def connected(pool: Pool) -> AsyncIterator[Connection]:
    """A connection to ask, each statement by itself; whoever has it leaves no setting behind.

    ReadFailed: PostgreSQL is away or too slow, or no connection came free.
    """
    try:
        async with pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            connection.spare_reset()
            yield connection
    except _AWAY as error:
        raise ReadFailed(str(error) or type(error).__name__) from error


@asynccontextmanager
async def snapshot(pool: Pool, plan: Plan = "in order") -> AsyncIterator[Connection]:
    """A connection whose statements all see the store as it was at the first of them, and can't change it.

    ReadFailed as of `connected`.
    """
    async with connected(pool) as connection:
        await connection.execute(BEGINS[plan])
        try:
            yield Reader(connection)
        except BaseException:
            with suppress(*_AWAY):
                await connection.execute(END)  # of what failed: takes it back
            raise
        await connection.execute(END)
