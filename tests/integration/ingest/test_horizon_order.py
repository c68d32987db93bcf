"""What comes older than the horizon is kept and not folded; all else is as it would be in another order."""

import io
import random
from datetime import datetime, timedelta, timezone

import asyncpg
import orjson
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.times import parse_time
from lineal_receiver.ingest.verify import verify

from .commands import command
from .conftest import empty, read_state
from .generated import Records, record_sets
from .test_order_free import find_differences
from .test_redaction import address_of
from .ways import in_one_batch, in_small_batches, one_by_one

TEN = datetime(2026, 3, 1, 10, 0, tzinfo=timezone.utc)
NOT_FOLDED = {"log", "event_hour"}
"""Where late events are kept and counted."""


@settings(
    max_examples=8,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(records=record_sets(most=10), minute=st.integers(1, 14), before=st.integers(0, 6), seed=st.integers(0, 1_000))
async def test_late_records_are_kept_and_nothing_follows_from_them(
    shared_pool: asyncpg.Pool, records: Records, minute: int, before: int, seed: int
) -> None:
    horizon = TEN + timedelta(minutes=minute)
    first, rest = list(dict.fromkeys(records.bodies[:before])), records.bodies[before:]
    late = [body for body in rest if time_of(body) < horizon and body not in first]
    folded = [body for body in rest if body not in late]
    expected: dict[str, list[str]] | None = None
    for way, after in ((one_by_one, folded), (in_one_batch, rest), (in_small_batches, rest)):
        await empty(shared_pool)
        order = random.Random(seed)
        await way(shared_pool, Records(tuple(first), records.commands), order)
        await one_by_one(
            shared_pool, Records((), (command("set_horizon", 59, at=horizon.isoformat(), by="ann", why="old"),)), order
        )
        await way(shared_pool, Records(tuple(after), ()), order)
        state = await read_state(shared_pool)
        state = {table: rows for table, rows in state.items() if table not in NOT_FOLDED}
        expected = state if expected is None else expected
        assert find_differences(expected, state) == [], way.__name__
    async with shared_pool.acquire() as connection:
        flagged = await connection.fetchval("select count(*) from log where flags & 65536 <> 0")
        assert flagged == len(set(map(canonical, late)))
        url = address_of(connection)
    out = io.StringIO()
    assert (await verify(url, out=out, err=io.StringIO())).findings == 0, out.getvalue()


def time_of(body: bytes) -> datetime:
    """When an event says that it was."""
    parsed = parse_time(orjson.loads(body)["eventTime"])
    assert parsed is not None
    return parsed.instant


def canonical(body: bytes) -> bytes:
    """An event as text, the same for the same content."""
    return orjson.dumps(orjson.loads(body), option=orjson.OPT_SORT_KEYS)
