"""One consistent view for the statements of one read."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asyncpg import Connection, Pool

__all__ = ["Connection", "Pool", "snapshot"]


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[Connection]:
    """A connection whose statements all see the store as it was at the first of them, and can't change it."""
    async with (
        pool.acquire() as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        yield connection
