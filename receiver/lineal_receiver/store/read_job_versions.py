"""Versions of jobs: one for each set of inputs, outputs and location."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class JobVersionRow:
    """What a job read and wrote, first at `created_at`; run_id: the last run that did."""

    job_id: UUID
    id: UUID
    inputs: list[UUID]
    outputs: list[UUID]
    location: str | None
    created_at: datetime
    run_id: UUID | None


LIST_JOB_VERSIONS = """
select
    v.job_id,
    v.id,
    v.inputs,
    v.outputs,
    v.location,
    v.created_at,
    newest.run_id
from job_version as v
left join lateral (
    select r.run_id
    from run as r
    where r.job_id = v.job_id and r.version_id = v.id
    order by r.end_at desc nulls first, r.run_id
    limit 1
) as newest on true
where v.job_id = $1
order by v.created_at desc, v.id
limit $2 offset $3
"""


async def list_job_versions(connection: Connection, job: UUID, limit: int, offset: int) -> list[JobVersionRow]:
    """A page of a job's versions, the newest first."""
    return [JobVersionRow(**row) for row in await connection.fetch(LIST_JOB_VERSIONS, job, limit, offset)]


FIND_JOB_VERSION = """
select
    v.job_id,
    v.id,
    v.inputs,
    v.outputs,
    v.location,
    v.created_at,
    newest.run_id
from job_version as v
left join lateral (
    select r.run_id
    from run as r
    where r.job_id = v.job_id and r.version_id = v.id
    order by r.end_at desc nulls first, r.run_id
    limit 1
) as newest on true
where v.job_id = $1 and v.id = $2
"""


async def find_job_version(connection: Connection, job: UUID, version: UUID) -> JobVersionRow | None:
    """One version of a job."""
    row = await connection.fetchrow(FIND_JOB_VERSION, job, version)
    return None if row is None else JobVersionRow(**row)


FETCH_CURRENT_JOB_VERSIONS = """
select distinct on (job_id) job_id, id
from job_version
where job_id = any($1::uuid[])
order by job_id, created_at desc, id
"""


async def fetch_current_job_versions(connection: Connection, jobs: list[UUID]) -> dict[UUID, UUID]:
    """The newest version of each of `jobs` that has one."""
    return {row["job_id"]: row["id"] for row in await connection.fetch(FETCH_CURRENT_JOB_VERSIONS, jobs)}
