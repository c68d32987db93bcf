"""The steps of a walk over tables by other runs than those in force: those of a time, or each job's newest."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_snapshot import Connection

MOST_TOGETHER = 200

STEP_TO_DATASETS_AT = """
with written as materialized (
    select job.id as job_id, of_job.dataset_id, made.run_id, made.effective_at, r.parent_run
    from unnest($1::uuid[]) as job(id)
    cross join lateral (
        select distinct written.dataset_id
        from job_version as v
        cross join lateral unnest(v.outputs) as written(dataset_id)
        where v.job_id = job.id
    ) as of_job
    cross join lateral (
        select io.run_id, io.effective_at
        from run_io as io
        where
            io.dataset_id = of_job.dataset_id
            and io.job_id = job.id
            and io.side = 'o'
            and io.class = 2
            and not io.future
            and io.effective_at <= $2
            and io.lifecycle is distinct from 'DROP'
        order by io.effective_at desc, io.run_id
        limit 1
    ) as made
    left join run as r on r.job_id = job.id and r.run_id = made.run_id
    where
        not exists (
            select
            from run_io as gone
            where
                gone.dataset_id = of_job.dataset_id
                and gone.side = 'o'
                and gone.class = 2
                and gone.lifecycle = 'DROP'
                and gone.effective_at > made.effective_at
                and gone.effective_at <= $2
        )
        and not exists (
            select
            from run_io as over
            where
                over.dataset_id = of_job.dataset_id
                and over.side = 'o'
                and over.class = 2
                and over.lifecycle = 'OVERWRITE'
                and not over.subset
                and over.job_id <> job.id
                and over.effective_at <= $2
                and over.begun_at > made.effective_at
        )
),
reading as (
    select w.job_id, w.run_id from written as w
    union
    select w.job_id, kin.run_id
    from written as w
    cross join lateral (
        select r.run_id
        from run as r
        join run_io as io
            on io.dataset_id = w.dataset_id and io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'o'
        where r.job_id = w.job_id and r.parent_run = w.parent_run and io.class = 2 and io.effective_at <= $2
        limit $5
    ) as kin
    union
    select job.id, own.run_id
    from unnest($1::uuid[]) as job(id)
    cross join lateral (
        select r.run_id
        from run as r
        where
            r.job_id = job.id
            and not r.future
            and (r.end_rank = 2 or (r.end_rank is null and r.streaming))
            and coalesce(r.end_at, r.last_at) <= $2
            and exists (select from run_io as io where io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'i')
        order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
        limit 1
    ) as own
    where not exists (select from written as w where w.job_id = job.id)
)
select distinct io.job_id, io.dataset_id, io.side
from (
    select w.job_id, w.dataset_id, 'o' as side from written as w
    union all
    select x.job_id, x.dataset_id, 'i'
    from reading as r
    join run_io as x on x.job_id = r.job_id and x.run_id = r.run_id and x.side = 'i'
) as io
where io.job_id <> $4
order by io.job_id, io.side, io.dataset_id
limit $3
"""


async def step_to_datasets_at(connection: Connection, jobs: list[UUID], at: datetime, limit: int) -> list[StepRow]:
    """What `jobs` read and wrote by the runs that were in force at a time, `limit` rows of it."""
    rows = await connection.fetch(STEP_TO_DATASETS_AT, jobs, at, limit, NONE, MOST_TOGETHER)
    return [StepRow(**row) for row in rows]


STEP_TO_DATASETS_OF_LATEST = """
select distinct io.job_id, io.dataset_id, io.side::text as side
from unnest($1::uuid[]) as job(id)
cross join lateral (
    select r.run_id
    from run as r
    where r.job_id = job.id and not r.future and not r.placeholder
    order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
    limit 1
) as newest
join run_io as io on io.job_id = job.id and io.run_id = newest.run_id
where io.side = 'i' or (io.class > 0 and not io.announced)
order by 1, 3, 2
limit $2
"""


async def step_to_datasets_of_latest(connection: Connection, jobs: list[UUID], limit: int) -> list[StepRow]:
    """What the newest run of each of `jobs` read and wrote, `limit` rows of it."""
    return [StepRow(**row) for row in await connection.fetch(STEP_TO_DATASETS_OF_LATEST, jobs, limit)]


LIST_JOBS_THAT_TOUCHED = """
select distinct touched.job_id
from (
    select job.id as job_id
    from unnest($1::uuid[]) as dataset(id)
    cross join lateral jobs_that_touched(dataset.id) as job(id)
    limit $2
) as touched
where touched.job_id <> $3
order by touched.job_id
"""


async def list_jobs_that_touched(connection: Connection, datasets: list[UUID], limit: int) -> list[UUID]:
    """Jobs that ever read or wrote any of `datasets`, `limit` of them."""
    return [row["job_id"] for row in await connection.fetch(LIST_JOBS_THAT_TOUCHED, datasets, limit, NONE)]
