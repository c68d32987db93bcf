"""What several static events say of one dataset is the same row in any order."""

from datetime import datetime, timezone
from itertools import permutations
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from lineal_receiver.ids import AHEAD, NONE, register_key
from lineal_receiver.store.write_io import upsert_io

DATASET, JOB = UUID(int=1), UUID(int=2)


def row(minute: int, run: UUID = NONE) -> tuple[Any, ...]:
    """Of one static event: nothing but when, and whether it seemed to come from the future when it came."""
    at = datetime(2026, 3, 1, 10, minute, tzinfo=timezone.utc)
    key = register_key(at, 2, bytes([minute]) * 32)
    return (DATASET, JOB, run, "i", at, at, at, key, False, None, None, None, None, None, None, run == AHEAD)


SAID = [row(0), row(1, AHEAD), row(2)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_what_is_said_from_the_future_is_apart(pool: asyncpg.Pool, order: tuple[int, ...]) -> None:
    async with pool.acquire() as connection:
        for each in order:
            await upsert_io(connection, [SAID[each]])
        found = await connection.fetch("select said_at, stated_at, stated_key, future from run_io order by future")
    assert [tuple(one) for one in found] == [
        (SAID[0][4], SAID[2][6], SAID[2][7], False),
        (SAID[1][4], SAID[1][6], SAID[1][7], True),
    ]
