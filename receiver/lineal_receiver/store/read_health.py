"""Ask PostgreSQL whether it is there."""

import asyncio

import asyncpg

PING = "select 1"
PING_SECONDS = 3.0


async def ping(pool: asyncpg.Pool) -> str | None:
    """None if the database answers, else why not."""
    try:
        async with pool.acquire(timeout=PING_SECONDS) as connection:
            await connection.fetchval(PING, timeout=PING_SECONDS)
    except (
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.InternalClientError,
        OSError,
        asyncio.TimeoutError,
    ) as error:
        return f"PostgreSQL doesn't answer ({type(error).__name__})"
    return None


COUNT_DEAD_LETTERS = """
select count(*)
from (select 1 from rejected where replayed_at is null limit 100000) as open
"""


async def count_dead_letters(pool: asyncpg.Pool) -> int | None:
    """Refused bodies that no replay has taken, 100,000 at most; None if PostgreSQL doesn't say in time."""
    try:
        async with pool.acquire(timeout=PING_SECONDS) as connection:
            found: int = await connection.fetchval(COUNT_DEAD_LETTERS, timeout=PING_SECONDS)
    except (
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.InternalClientError,
        OSError,
        asyncio.TimeoutError,
    ):
        return None
    return found
