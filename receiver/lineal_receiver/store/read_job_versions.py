"""Versions of jobs: one for each set of inputs, outputs and location."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class JobVersionRow:
    """What a job read and wrote, first at `created_at`; run_id: the last run that did; future: only from the future."""

    job_id: UUID
    id: UUID
    inputs: list[UUID]
    outputs: list[UUID]
    location: str | None
    created_at: datetime
    run_id: UUID | None
    future: bool


LIST_JOB_VERSIONS = """
select v.*
from unnest($1::uuid[]) as name(id)
cross join lateral (
    select *
    from job_version_shown
    where job_id = name.id
    order by future, created_at desc, id
    limit $2::bigint + $3::bigint
) as v
order by v.future, v.created_at desc, v.id
limit $2::bigint offset $3::bigint
"""


async def list_job_versions(
    connection: Connection, names: Sequence[UUID], limit: int, offset: int
) -> list[JobVersionRow]:
    """A page of the versions of a job under all its `names`, the newest first; those of the future last."""
    return [JobVersionRow(**row) for row in await connection.fetch(LIST_JOB_VERSIONS, names, limit, offset)]


FIND_JOB_VERSION = """
select *
from job_version_shown
where job_id = any($1::uuid[]) and id = $2
"""


async def find_job_version(connection: Connection, names: Sequence[UUID], version: UUID) -> JobVersionRow | None:
    """One version of a job, under any of its `names`."""
    row = await connection.fetchrow(FIND_JOB_VERSION, names, version)
    return None if row is None else JobVersionRow(**row)


FETCH_CURRENT_JOB_VERSIONS = """
select distinct on (job_id) job_id, id
from job_version
where job_id = any($1::uuid[])
order by job_id, future, created_at desc, id
"""


async def fetch_current_job_versions(connection: Connection, jobs: list[UUID]) -> dict[UUID, UUID]:
    """The newest version of each of `jobs` that has one."""
    return {row["job_id"]: row["id"] for row in await connection.fetch(FETCH_CURRENT_JOB_VERSIONS, jobs)}
