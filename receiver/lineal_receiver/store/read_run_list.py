"""Lists of runs across jobs, the last started first, each with what became of it and of its parent."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run with its names; `above_ended`: its parent or root has an end."""

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


@dataclass(frozen=True, slots=True)
class Place:
    """Where a list goes on: after this run."""

    at: datetime
    job: UUID
    run: UUID


LIST_RUNS = """
select *
from run_listed
where
    ($1::timestamptz is null or (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid))
    and not exists (select from hidden as h where h.entity_id = run_listed.job_id)
order by sorted_at desc, job_id desc, run_id desc
limit $4
"""

LIST_RUNS_OF_JOB = """
select *
from run_listed
where
    job_id = $5
    and ($1::timestamptz is null or (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid))
    and not exists (select from hidden as h where h.entity_id = run_listed.job_id)
order by sorted_at desc, job_id desc, run_id desc
limit $4
"""

LIST_CHILDREN = """
select *
from run_listed
where
    parent_run = $5
    and ($1::timestamptz is null or (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid))
    and not exists (select from hidden as h where h.entity_id = run_listed.job_id)
order by sorted_at desc, job_id desc, run_id desc
limit $4
"""

LIST_RUNS_BY_ID = """
select *
from run_listed
where
    run_id = $5
    and ($1::timestamptz is null or (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid))
order by sorted_at desc, job_id desc, run_id desc
limit $4
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

    Runs of deleted jobs are only found by their id.
    """
    place = (None, None, None) if after is None else (after.at, after.job, after.run)
    for wanted, statement in ((run, LIST_RUNS_BY_ID), (parent, LIST_CHILDREN), (job, LIST_RUNS_OF_JOB)):
        if wanted is not None:
            return [ListedRun(**row) for row in await connection.fetch(statement, *place, limit, wanted)]
    return [ListedRun(**row) for row in await connection.fetch(LIST_RUNS, *place, limit)]
