"""Lists of runs across jobs, the last started first, those from the future last; each with what became of it."""

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run with its names; above_ended: its parent or root has an end; shared: another job has a run of this id."""

    job_id: UUID
    run_id: UUID
    external_id: str | None
    namespace: str
    job: str
    sorted_at: datetime
    start_at: datetime | None
    running_at: datetime | None
    first_at: datetime
    last_at: datetime
    typed: bool
    end_at: datetime | None
    end_rank: int | None
    ends_seen: int
    nominal_start_at: datetime | None
    nominal_end_at: datetime | None
    streaming: bool
    placeholder: bool
    future: bool
    parent_run: UUID | None
    parent_namespace: str | None
    parent_job: str | None
    root_run: UUID | None
    root_namespace: str | None
    root_job: str | None
    above_ended: bool
    shared: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a list goes on: after this run."""

    at: datetime
    job: UUID
    run: UUID
    future: bool


BEFORE_ALL = Place(datetime.max.replace(tzinfo=timezone.utc), UUID(int=2**128 - 1), UUID(int=2**128 - 1), future=False)

LIST_RUNS = """
select r.job_id, r.run_id
from run as r
where
    not r.future
    and (coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id) < ($1, $2::uuid, $3::uuid)
    and not exists (select from hidden as h where h.entity_id = r.job_id)
order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.job_id desc, r.run_id desc
limit $4
"""

LIST_RUNS_OF_FUTURE = """
select r.job_id, r.run_id
from run as r
where
    r.future
    and (coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id) < ($1, $2::uuid, $3::uuid)
    and not exists (select from hidden as h where h.entity_id = r.job_id)
order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.job_id desc, r.run_id desc
limit $4
"""

LIST_RUNS_OF_JOB = """
select r.job_id, r.run_id
from run as r
where
    r.job_id = $5
    and not r.future
    and coalesce(r.start_at, r.running_at, r.first_at) <= $1
    and (coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id) < ($1, $2::uuid, $3::uuid)
    and not exists (select from hidden as h where h.entity_id = r.job_id)
order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id desc
limit $4
"""

LIST_RUNS_OF_JOBS_FUTURE = """
select r.job_id, r.run_id
from run as r
where
    r.job_id = $5
    and r.future
    and (coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id) < ($1, $2::uuid, $3::uuid)
    and not exists (select from hidden as h where h.entity_id = r.job_id)
order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id desc
limit $4
"""

LIST_CHILDREN = """
select r.job_id, r.run_id
from run as r
where
    r.parent_run = $6
    and (not r.future, coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id)
    < (not $5, $1, $2::uuid, $3::uuid)
    and not exists (select from hidden as h where h.entity_id = r.job_id)
order by r.future, coalesce(r.start_at, r.running_at, r.first_at) desc, r.job_id desc, r.run_id desc
limit $4
"""

LIST_RUNS_BY_ID = """
select r.job_id, r.run_id
from run as r
where
    r.run_id = $6
    and (not r.future, coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id)
    < (not $5, $1, $2::uuid, $3::uuid)
order by r.future, coalesce(r.start_at, r.running_at, r.first_at) desc, r.job_id desc, r.run_id desc
limit $4
"""

# shared: another job has a run of the same id; two names of one job are one.
# Looked up by the run alone ("is not distinct" uses no index): by the job, all its runs would be read.
FETCH_LISTED = """
select
    l.*,
    not l.placeholder and exists (
        select
        from run as other
        left join canon as theirs on theirs.id = other.job_id
        left join canon as ours on ours.id = l.job_id
        where
            other.run_id = l.run_id
            and not other.placeholder
            and coalesce(theirs.root_id, other.job_id) <> coalesce(ours.root_id, l.job_id)
    ) as shared
from unnest($1::uuid[], $2::uuid[]) with ordinality as k(job_id, run_id, place)
join run_listed as l on l.run_id = k.run_id and l.job_id is not distinct from k.job_id
order by k.place
"""


async def list_runs(
    connection: Connection,
    after: Place | None,
    limit: int,
    *,
    job: UUID | None = None,
    parent: UUID | None = None,
    run: UUID | None = None,
) -> list[ListedRun]:
    """The next `limit` runs: all, or those with an id, of a parent run, or of a job (the first that is told).

    Those from the future come last. Runs of deleted jobs are only found by their id.
    """
    place = after or BEFORE_ALL
    where = (place.at, place.job, place.run, limit)
    if run is not None:
        keys = await connection.fetch(LIST_RUNS_BY_ID, *where, place.future, run)
    elif parent is not None:
        keys = await connection.fetch(LIST_CHILDREN, *where, place.future, parent)
    else:
        keys = await _list_of_job(connection, place, limit, job)
    return await fetch_listed(connection, [(key["job_id"], key["run_id"]) for key in keys])


async def fetch_listed(connection: Connection, keys: list[tuple[UUID, UUID]]) -> list[ListedRun]:
    """The runs with these (job, run) keys, in their order."""
    jobs, runs = [job for job, _ in keys], [run for _, run in keys]
    return [ListedRun(**row) for row in await connection.fetch(FETCH_LISTED, jobs, runs)] if keys else []


async def _list_of_job(connection: Connection, after: Place, limit: int, job: UUID | None) -> list[Any]:
    """Keys of runs of a job, or of all: each statement in the order of an index."""
    now, ahead = (LIST_RUNS, LIST_RUNS_OF_FUTURE) if job is None else (LIST_RUNS_OF_JOB, LIST_RUNS_OF_JOBS_FUTURE)
    jobs = [] if job is None else [job]
    keys: list[Any] = []
    if not after.future:
        keys = await connection.fetch(now, after.at, after.job, after.run, limit, *jobs)
        after = BEFORE_ALL
    if len(keys) < limit:
        keys += await connection.fetch(ahead, after.at, after.job, after.run, limit - len(keys), *jobs)
    return keys
