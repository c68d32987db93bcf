"""Lists of runs across jobs, the last started first, those from the future last; each with what became of it."""

from dataclasses import dataclass
from datetime import datetime
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


# Whether another job has a run of the same id; two names of one job are one.
_SHOWN = """
    run_listed.*,
    not placeholder and exists (
        select
        from run as other
        left join canon as theirs on theirs.id = other.job_id
        left join canon as ours on ours.id = run_listed.job_id
        where
            other.run_id = run_listed.run_id
            and not other.placeholder
            and coalesce(theirs.root_id, other.job_id) <> coalesce(ours.root_id, run_listed.job_id)
    ) as shared"""

# $1 to $3: the run to go on after, $5: whether it is from the future. Such runs come last.
_ORDER = "order by future, sorted_at desc, job_id desc, run_id desc limit $4"
_VISIBLE = "not exists (select from hidden as h where h.entity_id = run_listed.job_id)"
_AFTER = "($1::timestamptz is null or (not future, sorted_at, job_id, run_id) < (not $5, $1, $2::uuid, $3::uuid))"
_AFTER_PRESENT = (
    "($1::timestamptz is null or (not $5::boolean and (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid)))"
)
_AFTER_FUTURE = "($1::timestamptz is null or not $5 or (sorted_at, job_id, run_id) < ($1, $2::uuid, $3::uuid))"

LIST_RUNS = f"""
select * from (
    (select {_SHOWN} from run_listed where not future and {_AFTER_PRESENT} and {_VISIBLE} {_ORDER})
    union all
    (select {_SHOWN} from run_listed where future and {_AFTER_FUTURE} and {_VISIBLE} {_ORDER})
) as listed
{_ORDER}
"""  # noqa: S608 - of constants

LIST_RUNS_OF_JOB = f"""
select * from (
    (
        select {_SHOWN} from run_listed
        where job_id = $6 and not future and {_AFTER_PRESENT} and {_VISIBLE} {_ORDER}
    )
    union all
    (select {_SHOWN} from run_listed where job_id = $6 and future and {_AFTER_FUTURE} and {_VISIBLE} {_ORDER})
) as listed
{_ORDER}
"""  # noqa: S608 - of constants

LIST_CHILDREN = f"""
select {_SHOWN} from run_listed where parent_run = $6 and {_AFTER} and {_VISIBLE} {_ORDER}
"""  # noqa: S608 - of constants

LIST_RUNS_BY_ID = f"""
select {_SHOWN} from run_listed where run_id = $6 and {_AFTER} {_ORDER}
"""  # noqa: S608 - of constants


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
    future = None if after is None else after.future
    for wanted, statement in ((run, LIST_RUNS_BY_ID), (parent, LIST_CHILDREN), (job, LIST_RUNS_OF_JOB)):
        if wanted is not None:
            return [ListedRun(**row) for row in await connection.fetch(statement, *place, limit, future, wanted)]
    return [ListedRun(**row) for row in await connection.fetch(LIST_RUNS, *place, limit, future)]
