"""Runs: pages of a job's runs, its newest ones, one by its id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run of a job, as `run_shown` has it; `placeholder`: only named by others; `future`: it claims to be later."""

    job_id: UUID
    run_id: UUID
    start_at: datetime | None
    running_at: datetime | None
    first_at: datetime
    last_at: datetime
    typed: bool
    end_at: datetime | None
    end_rank: int | None
    parent_job: UUID | None
    parent_run: UUID | None
    nominal_start_at: datetime | None
    nominal_end_at: datetime | None
    version_id: UUID | None
    placeholder: bool
    future: bool


LIST_RUNS = """
select r.*
from unnest($1::uuid[]) as name(id)
cross join lateral (
    (
        select *
        from run_shown
        where job_id = name.id and not future
        order by coalesce(start_at, running_at, first_at) desc, run_id
        limit $2::bigint + $3::bigint
    )
    union all
    (
        select *
        from run_shown
        where job_id = name.id and future
        order by coalesce(start_at, running_at, first_at) desc, run_id
        limit $2::bigint + $3::bigint
    )
) as r
order by r.future, coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
limit $2::bigint offset $3::bigint
"""


async def list_runs(connection: Connection, names: Sequence[UUID], limit: int, offset: int) -> list[RunRow]:
    """A page of the runs of a job under all its `names`, the last started first; of the future last."""
    return [RunRow(**row) for row in await connection.fetch(LIST_RUNS, names, limit, offset)]


FETCH_LATEST_RUNS = """
select newest.*
from unnest($1::uuid[]) as job(id)
cross join lateral (
    (
        select *
        from run_shown
        where job_id = job.id and not future
        order by coalesce(start_at, running_at, first_at) desc, run_id
        limit $2
    )
    union all
    (
        select *
        from run_shown
        where job_id = job.id and future
        order by coalesce(start_at, running_at, first_at) desc, run_id
        limit $2
    )
) as newest
order by
    newest.job_id,
    newest.future,
    coalesce(newest.start_at, newest.running_at, newest.first_at) desc,
    newest.run_id
"""


async def fetch_latest_runs(connection: Connection, jobs: list[UUID], each: int) -> dict[UUID, list[RunRow]]:
    """Up to `each` newest runs of each of `jobs`; runs that claim to be in the future come last."""
    latest: dict[UUID, list[RunRow]] = {}
    for job, *rest in await connection.fetch(FETCH_LATEST_RUNS, jobs, each):
        runs = latest.setdefault(job, [])
        if len(runs) < each:
            runs.append(RunRow(job, *rest))
    return latest


FETCH_LATEST_RUNS_AT = """
select newest.*
from unnest($1::uuid[]) as job(id)
cross join lateral (
    select *
    from run_shown
    where job_id = job.id and coalesce(start_at, running_at, first_at) <= $2 and not future and not placeholder
    order by coalesce(start_at, running_at, first_at) desc, run_id
    limit 1
) as newest
"""


async def fetch_latest_runs_at(connection: Connection, jobs: list[UUID], at: datetime) -> dict[UUID, RunRow]:
    """The run of each of `jobs` that had begun last at a time, of those that had any."""
    return {row["job_id"]: RunRow(**row) for row in await connection.fetch(FETCH_LATEST_RUNS_AT, jobs, at)}


FIND_RUN = """
select *
from run_shown
where run_id = $1
order by placeholder, coalesce(start_at, running_at, first_at), job_id
limit 1
"""


async def find_run(connection: Connection, run: UUID) -> RunRow | None:
    """The run with this id: where several jobs used it, a real one before a placeholder, then the earliest."""
    row = await connection.fetchrow(FIND_RUN, run)
    return None if row is None else RunRow(**row)


FETCH_RUNS = """
select r.*
from unnest($1::uuid[], $2::uuid[]) as wanted(job_id, run_id)
join run_shown as r on r.job_id = wanted.job_id and r.run_id = wanted.run_id
"""

RunKey = tuple[UUID, UUID]


async def fetch_runs(connection: Connection, keys: list[RunKey]) -> dict[RunKey, RunRow]:
    """The runs with these (job, run) keys."""
    jobs, runs = [key[0] for key in keys], [key[1] for key in keys]
    return {(row["job_id"], row["run_id"]): RunRow(**row) for row in await connection.fetch(FETCH_RUNS, jobs, runs)}
