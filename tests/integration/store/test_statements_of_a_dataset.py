"""What several static events say of one dataset is the same row in any order."""

from datetime import datetime, timezone
from itertools import permutations
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from lineal_receiver.ids import NONE
from lineal_receiver.store.write_io import upsert_io

DATASET, JOB = UUID(int=1), UUID(int=2)


def row(minute: int, *, future: bool) -> tuple[Any, ...]:
    """Of one static event: nothing but when, and whether it seemed to come from the future when it came."""
    at = datetime(2026, 3, 1, 10, minute, tzinfo=timezone.utc)
    return (DATASET, JOB, NONE, "i", at, at, at, False, None, None, None, None, None, None, future)


SAID = [row(0, future=False), row(1, future=True), row(2, future=False)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_it_is_of_the_future_if_one_of_them_is(pool: asyncpg.Pool, order: tuple[int, ...]) -> None:
    async with pool.acquire() as connection:
        for each in order:
            await upsert_io(connection, [SAID[each]])
        found = await connection.fetchrow("select said_at, stated_at, future from run_io")
    assert tuple(found) == (SAID[0][4], SAID[2][6], True)
