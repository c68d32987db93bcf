"""The steps of a walk from dataset to dataset: which job makes the one from the other, slot by slot."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

import asyncpg

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

MOST_DATASETS_AHEAD, MOST_USES_AHEAD = 500, 5_000


class UseRow(NamedTuple):
    """A job (NONE: a static event) that makes `target` (NONE: nothing) out of `source` (None: nothing)."""

    target: UUID
    job: UUID
    source: UUID | None


# Each limit stands inside, too, so that a hub's rows beyond it aren't read.
STEP_UP = """
select u.*
from unnest($1::uuid[]) as dataset(id)
cross join lateral (
    select s.dataset_id as target, s.job_id as job, e.source_dataset as source
    from slot as s
    left join table_edge as e on e.target_dataset = s.dataset_id and e.job_id = s.job_id
    where s.dataset_id = dataset.id and not s.ended
    order by s.job_id, e.source_dataset
    limit $2
) as u
limit $3
"""

STEP_DOWN = """
select u.*
from unnest($1::uuid[]) as dataset(id)
cross join lateral (
    select e.target_dataset as target, e.job_id as job, e.source_dataset as source
    from table_edge as e
    where e.source_dataset = dataset.id
    order by e.job_id, e.target_dataset
    limit $2
) as u
limit $3
"""


async def step_over_uses(
    connection: Connection, datasets: list[UUID], each: int, limit: int, *, upstream: bool
) -> list[UseRow]:
    """What makes `datasets` (or, not `upstream`, what they are used for) now: `each` of a dataset, `limit` in all."""
    rows = await connection.fetch(STEP_UP if upstream else STEP_DOWN, datasets, each, limit)
    return _build(rows)


STEP_BOTH = """
select u.*
from unnest($1::uuid[]) as dataset(id)
cross join lateral (
    (
        select true as upstream, s.dataset_id as target, s.job_id as job, e.source_dataset as source
        from slot as s
        left join table_edge as e on e.target_dataset = s.dataset_id and e.job_id = s.job_id
        where s.dataset_id = dataset.id and not s.ended
        order by s.job_id, e.source_dataset
        limit $2
    )
    union all
    (
        select false, e.target_dataset, e.job_id, e.source_dataset
        from table_edge as e
        where e.source_dataset = dataset.id
        order by e.job_id, e.target_dataset
        limit $2
    )
) as u
limit $3
"""


async def step_both_ways(
    connection: Connection, datasets: list[UUID], each: int, limit: int
) -> tuple[list[UseRow], list[UseRow]]:
    """What makes `datasets`, and what they are used for: `each` of a dataset and side, `limit` in all."""
    rows = await connection.fetch(STEP_BOTH, datasets, each, limit)
    found: dict[bool, list[UseRow]] = {True: [], False: []}
    for upstream, *use in rows:
        found[upstream].append(UseRow._make(use))
    return found[True], found[False]


USES_OF_JOBS = """
select u.*
from unnest($1::uuid[]) as named(id)
cross join lateral (
    select s.dataset_id as target, s.job_id as job, e.source_dataset as source
    from slot as s
    left join table_edge as e on e.target_dataset = s.dataset_id and e.job_id = s.job_id
    where s.job_id = named.id and not s.ended
    order by s.dataset_id, e.source_dataset
    limit $2
) as u
limit $2
"""


async def fetch_uses_of_jobs(connection: Connection, jobs: list[UUID], limit: int) -> list[UseRow]:
    """What `jobs` make of what now, `limit` rows of it."""
    return _build(await connection.fetch(USES_OF_JOBS, jobs, limit))


# The recursion stops where the limit outside it is reached; `n` says whether it was.
# Where names count as others it gives nothing: it may be asked before that is known, and tells of one name alone.
LOOK_UP = """
with recursive near (id) as (
    select start.id
    from unnest($1::uuid[]) as start(id)
    where not exists (select from canon) and not exists (select from renaming)
    union
    select e.source_dataset from near join table_edge as e on e.target_dataset = near.id
)
select u.*, reached.n
from (select near.id, count(*) over () as n from (select near.id from near limit $2) as near) as reached
cross join lateral (
    select s.dataset_id as target, s.job_id as job, e.source_dataset as source
    from slot as s
    left join table_edge as e on e.target_dataset = s.dataset_id and e.job_id = s.job_id
    where s.dataset_id = reached.id and not s.ended
    limit $3
) as u
limit $3
"""

LOOK_DOWN = """
with recursive near (id) as (
    select start.id
    from unnest($1::uuid[]) as start(id)
    where not exists (select from canon) and not exists (select from renaming)
    union
    select e.target_dataset from near join table_edge as e on e.source_dataset = near.id and e.target_dataset <> $4
)
select u.*, reached.n
from (select near.id, count(*) over () as n from (select near.id from near limit $2) as near) as reached
cross join lateral (
    select e.target_dataset as target, e.job_id as job, e.source_dataset as source
    from table_edge as e
    where e.source_dataset = reached.id
    limit $3
) as u
limit $3
"""


async def look_over_uses(connection: Connection, datasets: list[UUID], *, upstream: bool) -> list[UseRow] | None:
    """All that any way leads to from `datasets`, in one statement; None where that is more than may be looked at.

    Of a store in which no name counts as another; of others, nothing.
    """
    most = (MOST_DATASETS_AHEAD, MOST_USES_AHEAD)
    if upstream:
        rows = await connection.fetch(LOOK_UP, datasets, *most)
    else:
        rows = await connection.fetch(LOOK_DOWN, datasets, *most, NONE)
    if len(rows) == MOST_USES_AHEAD or any(row["n"] == MOST_DATASETS_AHEAD for row in rows[:1]):
        return None
    return _build(rows)


def _build(rows: Iterable[asyncpg.Record]) -> list[UseRow]:
    return [UseRow(target, job, source) for target, job, source, *_ in rows]
