"""RENAME at read time: what names became and were before, and slots by the time at which they were written."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_aliases import Pair
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


@dataclass(frozen=True, slots=True)
class SlotRow:
    """What is in force of (dataset, job), and since when."""

    dataset_id: UUID
    job_id: UUID
    rank: int
    effective_at: datetime


FETCH_SLOT_TIMES = """
select s.dataset_id, s.job_id, s.class as rank, s.effective_at
from slot as s
where s.job_id = any($1::uuid[]) and s.dataset_id = any($2::uuid[])
"""


async def fetch_slot_times(connection: Connection, jobs: list[UUID], datasets: list[UUID]) -> list[SlotRow]:
    """The slots of `jobs` in `datasets`."""
    return [SlotRow(**row) for row in await connection.fetch(FETCH_SLOT_TIMES, jobs, datasets)]


FETCH_GIVEN_AWAY = """
select s.dataset_id, s.job_id
from (
    select dataset_id, job_id, effective_at from slot where dataset_id = any($1::uuid[])
    union
    select dataset_id, job_id, effective_at from slot where job_id = any($2::uuid[])
) as s
where exists (select from renamed as r where r.old_id = s.dataset_id and r.at < s.effective_at)
"""


async def fetch_given_away(connection: Connection, datasets: list[UUID], jobs: list[UUID]) -> list[Pair]:
    """Those slots (dataset, job) of `datasets`, or of `jobs`, that are of writes since the name was given away."""
    return [tuple(row) for row in await connection.fetch(FETCH_GIVEN_AWAY, datasets, jobs)]


FETCH_ENDED_SINCE = """
select k.dataset_id, k.job_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as k(dataset_id, job_id, now_id, at)
where
    exists (select from dataset_state as d where d.dataset_id = k.now_id and d.dropped_at > k.at and not d.future)
    or exists (
        select
        from run_io as o
        where
            uuid_send(o.dataset_id) = uuid_send(k.now_id)
            and o.side = 'o'
            and o.lifecycle = 'OVERWRITE'
            and o.class = 2
            and not o.subset
            and not o.future
            and o.stated_key is null
            and o.effective_at > k.at
            and o.begun_at > k.at
            and o.job_id <> k.job_id
    )
    or exists (
        select
        from statement as o
        where
            o.dataset_id = k.now_id and o.kind = 'w' and not o.future and o.job_id <> k.job_id
            and o.key >= first_key(k.at + interval '1 microsecond')
    )
"""


async def fetch_ended_since(connection: Connection, slots: list[tuple[UUID, UUID, UUID, datetime]]) -> set[Pair]:
    """Those slots (dataset, job, what the dataset is called now, since) that were dropped or overwritten there."""
    columns = [list(column) for column in zip(*slots, strict=True)]
    return {(row["dataset_id"], row["job_id"]) for row in await connection.fetch(FETCH_ENDED_SINCE, *columns)}
