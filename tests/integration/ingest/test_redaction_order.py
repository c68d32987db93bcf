"""Whatever was said, in whatever order: after a redaction the store is what its log says, as for `lineal verify`."""

import io
import random

import asyncpg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.redaction.asking import read_wanted
from lineal_receiver.ingest.redaction.redact import redact
from lineal_receiver.ingest.verify import verify

from .conftest import empty, read_state
from .generated import Records, record_sets
from .test_redaction import address_of, held
from .ways import JUDGE, in_one_batch, one_by_one

TEXTS = ["db.example", "nightly", "meta.example", "model.shop", "manual__"]


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(records=record_sets(most=10), text=st.sampled_from(TEXTS), seed=st.integers(0, 1_000))
async def test_a_text_goes_and_what_follows_from_the_log_stays(
    shared_pool: asyncpg.Pool, records: Records, text: str, seed: int
) -> None:
    states = []
    for way in (one_by_one, in_one_batch):
        await empty(shared_pool)
        await way(shared_pool, records, random.Random(seed))
        async with shared_pool.acquire() as connection:
            url = address_of(connection)
            wanted = await read_wanted(connection, {"text": text}, {"by": "", "why": ""})
        done = await redact(shared_pool, JUDGE, wanted)
        assert await held(shared_pool, text) == set()
        out = io.StringIO()
        assert (await verify(url, out=out, err=io.StringIO())).findings == 0, out.getvalue()
        state = await read_state(shared_pool)
        if done.command is not None:  # the command's own record has the time of the clock
            state = {name: rows for name, rows in state.items() if name not in ("log", "event_hour", "redaction")}
        states.append(state)
    assert states[0] == states[1]
