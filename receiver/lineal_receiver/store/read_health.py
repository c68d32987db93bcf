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
