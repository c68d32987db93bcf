"""Aliases are the same whenever they come, whatever else comes at the same time, and lists count what they show."""

import os
import random
from typing import Any

import asyncpg
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.event import Event

from .alias_events import alias_commands, alias_event_sets
from .conftest import empty, read_state
from .generated import Records
from .ways import backwards, from_several_servers, in_one_batch, one_by_one

EXAMPLES = int(os.environ.get("LINEAL_TEST_EXAMPLES", "15"))
UNCOUNTED = """
with counted as (
    select namespace_id as scope, 'datasets' as kind, count(*) as n from dataset where not hidden group by 1
    union all
    select '00000000-0000-0000-0000-000000000000', 'datasets', count(*) from dataset where not hidden
    union all
    select namespace_id, 'jobs', count(*) from job_state where not hidden group by 1
    union all
    select '00000000-0000-0000-0000-000000000000', 'jobs', count(*) from job_state where not hidden
    union all
    select '00000000-0000-0000-0000-000000000000', 'namespaces', count(*) from namespace where not hidden
)
select coalesce(t.kind, c.kind), t.n, c.n
from (select * from total where kind in ('datasets', 'jobs', 'namespaces')) as t
full join counted as c on c.scope = t.scope and c.kind = t.kind
where coalesce(t.n, 0) <> coalesce(c.n, 0)
"""
WRONGLY_LISTED = """
select d.name, d.hidden, s.created_at, c.root_id
from dataset as d
left join canon as c on c.id = d.id
left join dataset_state as s on s.dataset_id = d.id
where d.hidden <> (
    c.id is not null
    or not exists (
        select
        from dataset_state as m
        left join canon as o on o.id = m.dataset_id
        where coalesce(o.root_id, m.dataset_id) = d.id and m.created_at < 'infinity'
    )
)
"""


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # what fails is small as it is, and shrinking takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(events=alias_event_sets, commands=st.lists(alias_commands, max_size=4), seed=st.integers(0, 2**32))
async def test_names_depend_on_the_set_of_records_only(
    shared_pool: asyncpg.Pool, events: list[dict[str, Any]], commands: list[Event], seed: int
) -> None:
    first: dict[str, list[str]] | None = None
    for way in (one_by_one, backwards, in_one_batch, from_several_servers):
        await empty(shared_pool)
        await way(shared_pool, Records.of(events, commands), random.Random(seed))
        state = await read_state(shared_pool)
        first = state if first is None else first
        differing = {table: (rows, state[table]) for table, rows in first.items() if rows != state[table]}
        assert not differing, way.__name__
        assert await shared_pool.fetch(UNCOUNTED) == []
        assert await shared_pool.fetch(WRONGLY_LISTED) == []
