"""What jobs that write nothing read now: found from what is told, without looking at all of their runs."""

import os
import random
from typing import Any

import asyncpg
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineal_receiver.ids import NONE, job_id

from .asking import Ask, Send
from .commands import NIGHTLY, WAREHOUSE, command
from .conftest import empty, read_state
from .events import dataset, facet, job_event, run_event
from .generated import FUTURES, Records
from .ways import backwards, from_several_servers, in_one_batch, one_by_one

EXAMPLES = int(os.environ.get("LINEAL_TEST_EXAMPLES", "15"))


def _said(kind: str | None, minute: int, run: int, source: str, future: bool, stream: bool, target: str) -> Any:
    outputs = [dataset(target)] if target else []
    facets = {"jobType": facet(processingType="STREAMING" if stream else "BATCH", integration="X")}
    event = (
        job_event(minute, "check", [dataset(source)], outputs)
        if kind == "JOB"
        else run_event(kind, minute, run, "check", [dataset(source)], outputs, job_facets=facets)
    )
    return event | {"eventTime": FUTURES[0]} if future else event


def _trust(minute: int, run: int) -> Any:
    if run == 0:
        return command("trust", minute, 3, dataset={"namespace": WAREHOUSE, "name": "a"})
    found = None if run == 1 else f"01900000-0000-7000-8000-0000000000{run:02}"
    return command("trust", minute, run, job={"namespace": NIGHTLY, "name": "check"}, runId=found)


events = st.builds(
    _said,
    st.sampled_from(["START", "RUNNING", "COMPLETE", "COMPLETE", "FAIL", "JOB", None]),
    st.integers(0, 5),
    st.integers(2, 4),
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([False, False, False, True]),
    st.sampled_from([False, False, True]),
    st.sampled_from([""] * 11 + ["t"]),
)
sets = st.builds(
    Records.of,
    st.lists(events, min_size=3, max_size=9),
    st.lists(st.builds(_trust, st.integers(0, 5), st.integers(0, 4)), max_size=1),
)


@settings(
    max_examples=2 * EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(records=sets, seed=st.integers(0, 2**32))
async def test_they_are_the_same_in_any_order(shared_pool: asyncpg.Pool, records: Records, seed: int) -> None:
    states = []
    for way in (in_one_batch, one_by_one, backwards, from_several_servers):
        await empty(shared_pool)
        await way(shared_pool, records, random.Random(seed))
        states.append(await read_state(shared_pool))
    for state in states[1:]:
        assert {table: rows for table, rows in state.items() if rows != states[0][table]} == {}


READS = "select d.name from table_edge e join dataset d on d.id = e.source_dataset where e.target_dataset = $1"


async def test_a_new_run_is_looked_at_and_those_of_before_are_not(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    await send(run_event("COMPLETE", 5, 1, "check", [dataset("a")]))
    job = job_id(NIGHTLY, "check")
    async with pool.acquire() as connection:
        # As if the slot had been found long ago among others: a run that nothing tells of has ended later.
        await connection.execute(
            "insert into run (job_id, run_id, first_at, last_at, seen_at, typed, end_at, end_rank, end_key) "
            "select job_id, gen_random_uuid(), first_at, last_at, seen_at, typed, end_at + interval '1 hour', 2, '' "
            "from run where job_id = $1",
            job,
        )
    await send(run_event("COMPLETE", 6, 2, "check", [dataset("b")]))
    assert await ask(READS, NONE) == [("b",)]
    await send(run_event("FAIL", 1, 2, "check"))  # what is in force has failed: now all are looked at
    assert await ask(READS, NONE) == []
