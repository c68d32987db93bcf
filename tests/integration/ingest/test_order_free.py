"""P2: the same records give the same rows, in any order and batches, with repeats, from several servers.

LINEAL_TEST_EXAMPLES sets how many sets of records are tried (`make soak` tries more).
"""

import os
import random

import asyncpg
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from .conftest import empty, read_state
from .generated import Records, burst, record_sets
from .ways import WAYS

EXAMPLES = int(os.environ.get("LINEAL_TEST_EXAMPLES", "15"))
MOST = 14 if EXAMPLES <= 20 else 30


# To shrink an example would take many minutes; what differs is said row by row.
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(records=record_sets(MOST), seed=st.integers(0, 2**32))
@example(records=Records.of(burst(5)), seed=1)
async def test_state_depends_on_the_set_of_records_only(shared_pool: asyncpg.Pool, records: Records, seed: int) -> None:
    first: dict[str, list[str]] | None = None
    for way in WAYS:
        await empty(shared_pool)
        await way(shared_pool, records, random.Random(seed))
        state = await read_state(shared_pool)
        first = state if first is None else first
        assert find_differences(first, state) == [], way.__name__


def find_differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[str]:
    """What stands in only one of two states: '-' in the first, '+' in the other."""
    return [
        f"{sign} {table}: {row}"
        for table in one
        for sign, rows, others in (("-", one[table], other[table]), ("+", other[table], one[table]))
        for row in rows
        if row not in others
    ]
