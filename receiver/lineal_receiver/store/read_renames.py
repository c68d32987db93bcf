"""RENAME at read time: what names became and were before, and slots by the time at which they were written."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

MOST_RENAMES = 200
"""So many of a name's newest renames are looked at, in either direction."""


@dataclass(frozen=True, slots=True)
class RenameRow:
    """From this time on `new_id` is what was called `old_id` until then."""

    old_id: UUID
    new_id: UUID
    at: datetime


FETCH_RENAMES = """
select distinct v.old_id, v.new_id, v.at
from unnest($1::uuid[]) as name(id)
cross join lateral (
    (select old_id, new_id, at from renamed where old_id = name.id order by said_at desc limit $2)
    union all
    (select old_id, new_id, at from renamed where new_id = name.id order by said_at desc limit $2)
) as v
order by v.at, v.old_id, v.new_id
"""


async def fetch_renames(connection: Connection, names: list[UUID]) -> list[RenameRow]:
    """The renames to and from any of `names`, the earliest first."""
    return [RenameRow(**row) for row in await connection.fetch(FETCH_RENAMES, names, MOST_RENAMES)]


@dataclass(frozen=True, slots=True)
class RenamedByRun:
    """What a run gave another name, and when."""

    job_id: UUID
    run_id: UUID
    old_id: UUID
    namespace: str
    name: str
    at: datetime


FETCH_RENAMED_BY = """
select distinct r.job_id, r.run_id, r.old_id, n.name as namespace, d.name, io.effective_at as at
from unnest($1::uuid[], $2::uuid[]) as k(job_id, run_id)
join run_io as io on io.job_id = k.job_id and io.run_id = k.run_id and io.side = 'o' and io.lifecycle = 'RENAME'
join renaming as r on r.new_id = io.dataset_id and r.job_id = io.job_id and r.run_id = io.run_id
join dataset as d on d.id = r.old_id
join namespace as n on n.id = d.namespace_id
where io.class = 2
order by n.name, d.name, r.job_id, r.run_id, io.effective_at
"""


async def fetch_renamed_by(connection: Connection, runs: list[tuple[UUID, UUID]]) -> list[RenamedByRun]:
    """What each of these runs (job, run) renamed, by name."""
    jobs, ids = [job for job, _ in runs], [run for _, run in runs]
    return [RenamedByRun(**row) for row in await connection.fetch(FETCH_RENAMED_BY, jobs, ids)]


FETCH_OWN_TIMES = """
select s.job_id, s.effective_at
from slot as s
where s.job_id = any($1::uuid[]) and s.dataset_id = $2
"""


async def fetch_own_times(connection: Connection, jobs: list[UUID]) -> dict[UUID, datetime]:
    """Since when the slots of those of `jobs` that write nothing are in force."""
    rows = await connection.fetch(FETCH_OWN_TIMES, jobs, NONE) if jobs else []
    return {row["job_id"]: row["effective_at"] for row in rows}
