"""The steps of a walk over tables by other runs than those in force: those of a time, or each job's newest."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import JobWrite

MOST_TOGETHER = 200

LIST_OUTPUTS = """
select v.job_id, written.dataset_id, min(v.created_at) as since
from job_version as v
cross join lateral unnest(v.outputs) as written(dataset_id)
where v.job_id = any($1::uuid[])
group by v.job_id, written.dataset_id
order by v.job_id, written.dataset_id
limit $2
"""


async def list_outputs(connection: Connection, jobs: list[UUID], limit: int) -> dict[tuple[UUID, UUID], datetime]:
    """What `jobs` ever wrote (job, dataset), `limit` of it, and since when."""
    rows = await connection.fetch(LIST_OUTPUTS, jobs, limit)
    return {(row["job_id"], row["dataset_id"]): row["since"] for row in rows}


FETCH_READS = """
select distinct k.place, x.dataset_id
from unnest($1::integer[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $10::bytea[])
    as k(place, dataset_id, job_id, run_id, parent_run, edge_set_id)
cross join lateral (
    select k.run_id as id
    union
    (
        select r.run_id
        from run as r
        join run_io as io
            on io.dataset_id = k.dataset_id and io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'o'
        where r.job_id = k.job_id and r.parent_run = k.parent_run and io.class = 2 and not io.future
            and io.effective_at <= $6
        limit $8
    )
) as reading
cross join lateral (
    select io.dataset_id
    from run_io as io
    where
        io.job_id = k.job_id and io.run_id = reading.id and io.side = 'i' and io.named_at is not null
        and io.stated_key is null
        and not exists (
            select
            from told_lineage as t
            where
                t.job_id = k.job_id and t.run_id = reading.id and t.in_force and t.sources is not null
                and t.dataset_id in (k.dataset_id, $9)
        )
    union
    select source.id
    from told_lineage as t
    cross join lateral unnest(t.sources) as source(id)
    where
        t.job_id = k.job_id and t.run_id = reading.id and t.run_id <> $9 and t.dataset_id = k.dataset_id and t.in_force
    union
    select source.id
    from told_until(k.dataset_id, k.job_id, first_key($6 + interval '1 microsecond')) as t
    cross join lateral unnest(t.datasets) as source(id)
    where reading.id = $9
    union
    select source.id
    from named_until(k.job_id, 'i', first_key($6 + interval '1 microsecond')) as named
    cross join lateral unnest(named.datasets) as source(id)
    where
        reading.id = $9
        and not exists (select from told_until(k.dataset_id, k.job_id, first_key($6 + interval '1 microsecond')))
        and not exists (select from told_until($9, k.job_id, first_key($6 + interval '1 microsecond')))
    union
    select e.source_dataset
    from edge as e
    where
        e.edge_set_id = k.edge_set_id and reading.id = k.run_id
        and not exists (
            select
            from told_lineage as t
            where
                t.job_id = k.job_id and t.run_id = k.run_id and t.run_id <> $9 and t.in_force
                and t.sources is not null
                and t.dataset_id in (k.dataset_id, $9)
        )
        and not (
            k.run_id = $9
            and (
                exists (select from told_until(k.dataset_id, k.job_id, first_key($6 + interval '1 microsecond')))
                or exists (select from told_until($9, k.job_id, first_key($6 + interval '1 microsecond')))
            )
        )
) as x
order by k.place, x.dataset_id
limit $7
"""


async def fetch_reads(
    connection: Connection, writes: list[JobWrite], at: datetime, limit: int
) -> list[tuple[int, UUID]]:
    """What the runs behind `writes` read (the write's place, dataset), `limit` rows; those of one parent together.

    Where a `lineage` facet tells it of the write's dataset: what that names; else what its edge set comes from, too. Of
    JobEvents: what was in force at `at`.
    """
    if not writes:
        return []
    columns = zip(*((w.place, w.dataset_id, w.job_id, w.run_id, w.parent_run) for w in writes), strict=True)
    sets = [write.edge_set_id for write in writes]
    rows = await connection.fetch(FETCH_READS, *map(list, columns), at, limit, MOST_TOGETHER, NONE, sets)
    return [(row["place"], row["dataset_id"]) for row in rows]


FETCH_READS_ALONE = """
select job.id as job_id, x.dataset_id, own.at
from unnest($1::uuid[]) as job(id)
cross join lateral (
    select made.*
    from (
        (
            select r.run_id, coalesce(r.end_at, r.seen_at, r.last_at) as at, null::uuid[] as datasets
            from run as r
            where
                r.job_id = job.id
                and not r.future
                and (r.end_rank = 2 or (r.end_rank is null and r.streaming))
                and coalesce(r.end_at, r.seen_at, r.last_at) <= $2
                and exists (
                    select from run_io as io where io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'i'
                )
            order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
            limit 1
        )
        union all
        select null, to_timestamp_of_seen(named.key), named.datasets
        from named_until(job.id, 'i', first_key($2 + interval '1 microsecond')) as named
    ) as made
    order by made.at desc, made.run_id
    limit 1
) as own
cross join lateral (
    select io.dataset_id
    from run_io as io
    where io.job_id = job.id and io.run_id = own.run_id and io.side = 'i'
    union all
    select source.id from unnest(own.datasets) as source(id)
) as x
order by job.id, x.dataset_id
limit $3
"""


async def fetch_reads_alone(
    connection: Connection, jobs: list[UUID], at: datetime, limit: int
) -> list[tuple[UUID, UUID, datetime]]:
    """What `jobs` that write nothing read last until a time (job, dataset, when), `limit` rows."""
    rows = await connection.fetch(FETCH_READS_ALONE, jobs, at, limit) if jobs else []
    return [(row["job_id"], row["dataset_id"], row["at"]) for row in rows]


@dataclass(frozen=True, slots=True)
class LatestStep:
    """What a job's newest run, which began at `started_at`, read (side i) or wrote (side o)."""

    job_id: UUID
    dataset_id: UUID
    side: str
    at: datetime
    started_at: datetime


STEP_TO_DATASETS_OF_LATEST = """
select distinct job.id as job_id, x.dataset_id, x.side, io.effective_at as at, newest.started_at
from unnest($1::uuid[]) as job(id)
cross join lateral (
    select r.run_id, coalesce(r.start_at, r.running_at, r.first_at) as started_at
    from run as r
    where r.job_id = job.id and not r.future and not r.placeholder
    order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
    limit 1
) as newest
join run_io as io on io.job_id = job.id and io.run_id = newest.run_id
cross join lateral (
    select io.dataset_id, io.side::text as side
    union all
    select e.source_dataset, 'i'
    from build as b
    join edge as e on e.edge_set_id = b.edge_set_id
    where
        io.side = 'o' and b.id = io.build_id
        and not exists (
            select
            from told_lineage as t
            where
                t.job_id = io.job_id and t.run_id = io.run_id and t.in_force and t.sources is not null
                and t.dataset_id in (io.dataset_id, $3)
        )
) as x
where io.side = 'i' or (io.class > 0 and not io.announced)
order by 1, 3, 2
limit $2
"""


async def step_to_datasets_of_latest(connection: Connection, jobs: list[UUID], limit: int) -> list[LatestStep]:
    """What the newest run of each of `jobs` read, by its inputs and columns, and wrote, `limit` rows of it."""
    return [LatestStep(**row) for row in await connection.fetch(STEP_TO_DATASETS_OF_LATEST, jobs, limit, NONE)]


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
