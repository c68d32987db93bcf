"""Keep a partition of the log for each day of the hot window, made in the background."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import date, datetime, timedelta, timezone

import asyncpg
import structlog

from lineal_receiver.postgres.pool import Pool
from lineal_receiver.store.write_days import fetch_days, forget_vouched, make_day, vouch_for_day

ACQUIRE_SECONDS = 10.0
EVERY_SECONDS = 3600.0
AGAIN_SECONDS = 60.0
LARGE_BYTES = 64 << 20

# asyncpg tells of a connection that was cut in the middle by an error of its insides, too.
LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, asyncio.TimeoutError)

log = structlog.get_logger(__name__)


def utc_today() -> date:
    """The day that it is in UTC."""
    return datetime.now(timezone.utc).date()


async def ensure_days(pool: Pool, today: date, hot: int, *, large: int = LARGE_BYTES) -> int:
    """Make the partitions that are missing from `hot` days before `today` to the day after; how many rows moved.

    A stray partition of `large` bytes is read before, while others write; reading a small one they can wait for.
    The nearest days come first, each in a transaction of its own. asyncpg's errors pass: what is made stays made.
    """
    wanted = [today + timedelta(days=1), *(today - timedelta(days=back) for back in range(hot + 1))]
    moved = 0
    async with pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
        await forget_vouched(connection)
        known = await fetch_days(connection)
        for day in wanted:
            if day not in known:
                if day != today:  # its events come now, and would have to wait
                    await vouch_for_day(connection, day, large)
                async with connection.transaction():
                    moved += await make_day(connection, day) or 0
    return moved


@asynccontextmanager
async def keeping_days(pool: Pool, hot: int, today: Callable[[], date] = utc_today) -> AsyncIterator[None]:
    """While entered, every day from `hot` days ago to tomorrow gets its partition; 0 makes none."""
    if hot < 1:
        yield
        return
    task = asyncio.create_task(_keep(pool, hot, today), name="days")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep(pool: Pool, hot: int, today: Callable[[], date]) -> None:
    while True:
        seconds = await try_days(pool, today(), hot)
        await asyncio.sleep(seconds)


async def try_days(pool: Pool, today: date, hot: int) -> float:
    """Make what is missing; after how many seconds to look again."""
    try:
        moved = await ensure_days(pool, today, hot)
    except LOST as error:
        # The stray partition takes what has no day: nothing is lost by waiting. What took too long, writers waiting,
        # would do so again.
        seconds = EVERY_SECONDS if isinstance(error, asyncpg.QueryCanceledError) else AGAIN_SECONDS
        log.info("days_not_made", reason=repr(error), retry_seconds=seconds)
        return seconds
    if moved:
        log.info("stray_rows_moved", rows=moved)
    return EVERY_SECONDS
