"""The steps of a walk over tables by other runs than those in force: those of a time, or each job's newest."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

LIST_OUTPUTS = """
select j.job_id, j.dataset_id
from job_dataset as j
where j.job_id = any($1::uuid[]) and j.side = 'o'
order by j.job_id, j.dataset_id
limit $2
"""


async def list_outputs(connection: Connection, jobs: list[UUID], limit: int) -> list[tuple[UUID, UUID]]:
    """What `jobs` ever wrote (job, dataset), `limit` of it."""
    return [(row["job_id"], row["dataset_id"]) for row in await connection.fetch(LIST_OUTPUTS, jobs, limit)]


FETCH_READS = """
with reading as (
    select k.place, k.dataset_id, k.job_id, k.run_id, first_key($7::timestamptz + interval '1 microsecond') as until
    from unnest($1::integer[], $2::uuid[], $3::uuid[], $4::uuid[]) as k(place, dataset_id, job_id, run_id)
),
told as (
    select distinct reading.place, reading.run_id
    from reading
    where
        (
            reading.run_id <> $9
            and exists (
                select
                from told_lineage as t
                where
                    t.job_id = reading.job_id and t.run_id = reading.run_id and t.in_force and t.sources is not null
                    and t.dataset_id in (reading.dataset_id, $9)
            )
        )
        or (
            reading.run_id = $9
            and (
                exists (select from told_until(reading.dataset_id, reading.job_id, reading.until))
                or exists (select from told_until($9, reading.job_id, reading.until))
            )
        )
)
select distinct x.place, x.dataset_id, x.edge_set_id
from (
    select reading.place, io.dataset_id, null::bytea as edge_set_id
    from reading
    join run_io as io
        on
            io.job_id = reading.job_id and io.run_id = reading.run_id and io.side = 'i' and io.named_at is not null
            and io.stated_key is null
    where not exists (select from told where told.place = reading.place and told.run_id = reading.run_id)
    union all
    select reading.place, source.id, null
    from reading
    join told_lineage as t
        on
            t.job_id = reading.job_id and t.run_id = reading.run_id and t.dataset_id = reading.dataset_id
            and t.in_force
    cross join lateral unnest(t.sources) as source(id)
    where reading.run_id <> $9
    union all
    select reading.place, source.id, ''
    from reading
    cross join lateral told_until(reading.dataset_id, reading.job_id, reading.until) as t
    cross join lateral unnest(t.datasets) as source(id)
    where reading.run_id = $9
    union all
    select reading.place, source.id, null
    from reading
    cross join lateral named_until(reading.job_id, 'i', reading.until) as named
    cross join lateral unnest(named.datasets) as source(id)
    where
        reading.run_id = $9
        and not exists (select from told where told.place = reading.place and told.run_id = reading.run_id)
    union all
    select made.place, e.source_dataset, made.edge_set_id
    from unnest($5::integer[], $6::bytea[]) as made(place, edge_set_id)
    join edge as e on e.edge_set_id = made.edge_set_id
    where not exists (select from told where told.place = made.place)
) as x
order by x.place, x.dataset_id, x.edge_set_id
limit $8
"""


async def fetch_reads(
    connection: Connection,
    writes: list[tuple[int, UUID, UUID, UUID]],
    sets: list[tuple[int, bytes]],
    at: datetime,
    limit: int,
) -> list[tuple[int, UUID, bytes | None]]:
    """What the runs behind writes (place, dataset, job, run; several of a place) read, `limit` rows.

    Each with its place and the edge set that says so: none of inputs, an empty one of a static event's `lineage` facet.
    Where a `lineage` facet tells it of the write's dataset: what that names; else what its edge sets (place, edge set)
    come from, too. Of JobEvents: what was in force at `at`.
    """
    if not writes:
        return []
    columns = [list(column) for column in zip(*writes, strict=True)]
    made = [[place for place, _ in sets], [one for _, one in sets]]
    rows = await connection.fetch(FETCH_READS, *columns, *made, at, limit, NONE)
    return [(row["place"], row["dataset_id"], row["edge_set_id"]) for row in rows]


@dataclass(frozen=True, slots=True)
class ReadAlone:
    """What a job that writes nothing read, if anything, by its run of then; rank: 1 if that is under way, else 2."""

    job_id: UUID
    dataset_id: UUID | None
    at: datetime
    rank: int


FETCH_READS_ALONE = """
select job.id as job_id, x.dataset_id, own.at, own.class
from unnest($1::uuid[]) as job(id)
cross join lateral (
    select made.*
    from (
        (
            select r.run_id, 2 as class, r.end_at as at, 0 as place, null::uuid[] as datasets
            from run as r
            where r.job_id = job.id and r.end_rank = 2 and not r.future and r.end_at <= $2
            order by r.end_at desc, r.run_id
            limit 1
        )
        union all
        (
            select open.run_id, open.class, open.at, 1, null
            from (
                select
                    r.run_id,
                    case when r.streaming then 2 else 1 end as class,
                    case
                        when r.streaming then coalesce(r.seen_at, r.last_at)
                        else least(coalesce(r.start_at, r.running_at, r.first_at), r.seen_at)
                    end as at
                from run as r
                where r.job_id = job.id and r.end_rank is null and not r.placeholder and not r.future
            ) as open
            where open.at <= $2
            order by open.class desc, open.at desc, open.run_id
            limit 1
        )
        union all
        select $4, 2, to_timestamp_of_seen(named.key), 2, named.datasets
        from named_until(job.id, 'i', first_key($2 + interval '1 microsecond')) as named
    ) as made
    order by made.class desc, made.at desc, made.place, made.run_id
    limit 1
) as own
left join lateral (
    select io.dataset_id
    from run_io as io
    where
        io.job_id = job.id and io.run_id = own.run_id and io.side = 'i' and io.named_at is not null
        and io.stated_key is null
    union all
    select source.id from unnest(own.datasets) as source(id)
) as x on true
order by job.id, x.dataset_id
limit $3
"""


async def fetch_reads_alone(connection: Connection, jobs: list[UUID], at: datetime, limit: int) -> list[ReadAlone]:
    """What `jobs` that write nothing read last until a time, `limit` rows."""
    rows = await connection.fetch(FETCH_READS_ALONE, jobs, at, limit, NONE) if jobs else []
    return [ReadAlone(row["job_id"], row["dataset_id"], row["at"], row["class"]) for row in rows]


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
