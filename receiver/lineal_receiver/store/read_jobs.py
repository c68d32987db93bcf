"""Jobs: which there are, what they are, what they are called, what they read and write now."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

MAX_ANCESTORS = 16


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job, without what it is called; names: the ids of all names that count as it, the last updated at the end."""

    id: UUID
    names: tuple[UUID, ...]
    created_at: datetime
    updated_at: datetime
    streaming: bool


FETCH_JOBS = """
select
    asked.id as asked_id,
    asked.root_id as id,
    array_agg(s.job_id order by s.sorted_at = 'infinity' desc, s.sorted_at, s.job_id) as names,
    min(s.created_at) as created_at,
    max(s.updated_at) filter (where s.created_at < 'infinity') as updated_at,
    coalesce(
        (array_agg(s.streaming order by s.sorted_at desc, s.job_id) filter (where s.created_at < 'infinity'))[1], false
    ) as streaming
from (
    select k.id, coalesce(c.root_id, k.id) as root_id
    from unnest($1::uuid[]) as k(id)
    left join canon as c on c.id = k.id
) as asked
cross join lateral (
    select asked.root_id as id
    union all
    select c.id from canon as c where c.root_id = asked.root_id
) as member
join job_state as s on s.job_id = member.id
group by asked.id, asked.root_id
having
    min(s.created_at) < 'infinity'
    and not bool_and(
        s.created_at = 'infinity' or exists (select from hidden as h where h.entity_id = s.job_id)
    )
"""


async def fetch_jobs(connection: Connection, jobs: list[UUID]) -> dict[UUID, JobRow]:
    """Those of `jobs` that exist and aren't deleted, by the id that was asked for; of an alias, its root."""
    return {
        asked: JobRow(job, tuple(names), created_at, updated_at, streaming)
        for asked, job, names, created_at, updated_at, streaming in await connection.fetch(
            FETCH_JOBS, list(dict.fromkeys(jobs))
        )
    }


LIST_JOBS_OF_NAMESPACE = """
select s.job_id
from job_state as s
where s.namespace_id = $1 and not s.hidden
order by s.sorted_at desc, s.job_id
limit $2 offset $3
"""


async def list_jobs_of_namespace(connection: Connection, namespace: UUID, limit: int, offset: int) -> list[UUID]:
    """A page of a namespace's jobs, the last updated first."""
    rows = await connection.fetch(LIST_JOBS_OF_NAMESPACE, namespace, limit, offset)
    return [row["job_id"] for row in rows]


LIST_JOBS = """
select s.job_id
from job_state as s
where not s.hidden
order by s.sorted_at desc, s.job_id
limit $1 offset $2
"""


async def list_jobs(connection: Connection, limit: int, offset: int) -> list[UUID]:
    """A page of all jobs, the last updated first."""
    return [row["job_id"] for row in await connection.fetch(LIST_JOBS, limit, offset)]


@dataclass(frozen=True, slots=True)
class JobNameRow:
    """What a job was called when it was sent, and its parent."""

    id: UUID
    namespace: str
    name: str
    parent: UUID | None


FETCH_FAMILIES = """
with recursive family as (
    select named.id, 0 as depth
    from unnest($1::uuid[]) as named(id)
    union
    select s.parent_job, f.depth + 1
    from family as f
    join job_state as s on s.job_id = f.id
    where s.parent_job is not null and s.parent_job <> f.id and f.depth < $2
)
select
    j.id,
    n.name as namespace,
    j.name,
    s.parent_job as parent
from (select distinct id from family) as f
join job as j on j.id = f.id
join namespace as n on n.id = j.namespace_id
left join job_state as s on s.job_id = j.id
where
    s.created_at is distinct from 'infinity'
    or exists (select from canon as c where c.id = j.id)
    or exists (select from canon as c where c.root_id = j.id)
"""


async def fetch_families(connection: Connection, jobs: list[UUID]) -> dict[UUID, JobNameRow]:
    """The names of `jobs` and of their ancestors, as far as MAX_ANCESTORS up."""
    rows = await connection.fetch(FETCH_FAMILIES, jobs, MAX_ANCESTORS)
    return {job: JobNameRow(job, namespace, name, parent) for job, namespace, name, parent in rows}


FETCH_JOB_NAMES = """
select j.id, n.name, j.name
from unnest($1::uuid[]) as named(id)
join job as j on j.id = named.id
join namespace as n on n.id = j.namespace_id
"""


async def fetch_job_names(connection: Connection, jobs: list[UUID]) -> dict[UUID, tuple[str, str]]:
    """Namespace and name of each of `jobs` that anything was ever told of, as they were sent."""
    rows = await connection.fetch(FETCH_JOB_NAMES, list(dict.fromkeys(jobs)))
    return {job: (namespace, name) for job, namespace, name in rows}


@dataclass(frozen=True, slots=True)
class JobDatasetRow:
    """A dataset that a job reads or writes now. side: i input, o output."""

    job_id: UUID
    side: str
    dataset_id: UUID
    namespace: str
    name: str


FETCH_JOB_DATASETS = """
select
    io.job_id,
    io.side,
    io.dataset_id,
    n.name as namespace,
    d.name
from (
    select s.job_id, 'o' as side, s.dataset_id
    from slot as s
    where s.job_id = any($1::uuid[]) and s.dataset_id <> $2 and not s.ended
    union
    select e.job_id, 'i' as side, e.source_dataset
    from table_edge as e
    where e.job_id = any($1::uuid[])
) as io
join dataset as d on d.id = io.dataset_id
join namespace as n on n.id = d.namespace_id
where not exists (select from hidden as h where h.entity_id = d.id)
order by n.name, d.name, io.job_id, io.side
"""


async def fetch_job_datasets(connection: Connection, jobs: list[UUID]) -> list[JobDatasetRow]:
    """What `jobs` read and write now: the outputs of their slots, and the inputs of the runs behind these."""
    rows = await connection.fetch(FETCH_JOB_DATASETS, jobs, NONE)
    return [JobDatasetRow(**row) for row in rows]
