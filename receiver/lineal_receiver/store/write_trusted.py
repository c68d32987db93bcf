"""What is trusted though its events are from the future."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

Pair = tuple[UUID, UUID]

INSERT_TRUSTED = """
insert into trusted (dataset_id, job_id, run_id)
select r.dataset_id, r.job_id, r.run_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (dataset_id, job_id, run_id)
order by r.dataset_id, r.job_id, r.run_id
on conflict do nothing
"""


async def insert_trusted(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep that runs (none, job, run), or what static events said of datasets (dataset, none, none), are trusted."""
    await connection.execute(INSERT_TRUSTED, *transpose(rows, 3))


SETTLE_RUNS = """
update run as r
set future = false
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join trusted as t
    on t.dataset_id = '00000000-0000-0000-0000-000000000000' and t.job_id = k.job_id and t.run_id = k.run_id
where r.job_id = k.job_id and r.run_id = k.run_id and r.future
returning r.job_id, r.run_id
"""

SETTLE_JOBS = """
update job_state as j
set seen_at = s.seen_at
from (
    select k.job_id, max(r.last_at) as seen_at
    from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
    join trusted as t
        on t.dataset_id = '00000000-0000-0000-0000-000000000000' and t.job_id = k.job_id and t.run_id = k.run_id
    join run as r on r.job_id = k.job_id and r.run_id = k.run_id and not r.placeholder
    group by k.job_id
) as s
where j.job_id = s.job_id and s.seen_at > coalesce(j.seen_at, '-infinity')
"""


async def settle_runs(connection: asyncpg.Connection, runs: Sequence[Pair]) -> set[Pair]:
    """Take those of these runs that are trusted out of the future; gives those that were there."""
    columns = transpose(runs, 2)
    found = await connection.fetch(SETTLE_RUNS, *columns)
    await connection.execute(SETTLE_JOBS, *columns)
    return {(row["job_id"], row["run_id"]) for row in found}


SETTLE_STATEMENTS = """
update run_io as io
set future = false
from trusted as t
where
    t.dataset_id = any($1::uuid[])
    and io.dataset_id = t.dataset_id
    and io.run_id = '00000000-0000-0000-0000-000000000000'
    and io.future
returning io.dataset_id, io.job_id
"""


async def settle_statements(connection: asyncpg.Connection, datasets: Sequence[UUID]) -> set[Pair]:
    """Take what static events said of those of these datasets that are trusted out of the future; (dataset, job)."""
    found = await connection.fetch(SETTLE_STATEMENTS, datasets)
    return {(row["dataset_id"], row["job_id"]) for row in found}
