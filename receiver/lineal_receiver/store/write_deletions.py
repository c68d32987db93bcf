"""What is deleted: tombstones, and what is hidden by them now."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

DELETIONS = 0x4C494E44454C  # "LINDEL"

SHARE = "select pg_advisory_xact_lock_shared($1), (select count(*) from redaction) as redactions"
OWN = "select pg_advisory_xact_lock($1), (select count(*) from redaction) as redactions"


async def own_deletions(connection: asyncpg.Connection, *, alone: bool) -> int:
    """Until the transaction ends nothing else is deleted; `alone`: nothing else is written at all.

    So a deletion sees all that was kept before it, and what is kept after it sees the deletion. Gives how many
    redactions there have been, which is asked here as it costs nothing (each of them waits for the log, as we did).
    """
    row = await connection.fetchrow(OWN if alone else SHARE, DELETIONS)
    return int(row["redactions"])


UPSERT_STATIC_SEEN = """
insert into static_seen as s (dataset_id, job_id, future, seen)
select r.dataset_id, r.job_id, r.future, r.seen
from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::bytea[]) as r (dataset_id, job_id, future, seen)
order by r.dataset_id, r.job_id, r.future
on conflict (dataset_id, job_id, future) do update set seen = join_seen(s.seen, excluded.seen)
where join_seen(s.seen, excluded.seen) is distinct from s.seen
"""


async def upsert_static_seen(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join which static events named datasets last (dataset, job, from the future, seen)."""
    await connection.execute(UPSERT_STATIC_SEEN, *transpose(rows, 4))


UPSERT_TOMBSTONES = """
insert into tombstone as t (entity_id, kind, namespace_id, at, mark)
select r.entity_id, r.kind, r.namespace_id, r.at, r.mark
from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[], $5::bytea[])
as r (entity_id, kind, namespace_id, at, mark)
order by r.entity_id
on conflict (entity_id) do update set at = greatest(t.at, excluded.at), mark = join_seen(t.mark, excluded.mark)
"""


async def upsert_tombstones(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join deletions (entity, kind, namespace, at, mark) with what was deleted before."""
    await connection.execute(UPSERT_TOMBSTONES, *transpose(rows, 5))


ANY_TOMBSTONE = """
select exists (select from tombstone)
"""


async def any_tombstone(connection: asyncpg.Connection) -> bool:
    """Whether anything was ever deleted."""
    return bool(await connection.fetchval(ANY_TOMBSTONE))


LIST_MEMBERS = """
select j.job_id as id, 'job' as kind from job_state as j where j.namespace_id = any($1::uuid[])
union all
select d.id, 'dataset' from dataset as d where d.namespace_id = any($1::uuid[])
"""


async def list_members(connection: asyncpg.Connection, namespaces: Sequence[UUID]) -> tuple[list[UUID], list[UUID]]:
    """All jobs, and all datasets, of namespaces."""
    rows = await connection.fetch(LIST_MEMBERS, namespaces)
    jobs = [row["id"] for row in rows if row["kind"] == "job"]
    return jobs, [row["id"] for row in rows if row["kind"] == "dataset"]


FETCH_TOUCHED = """
select distinct io.dataset_id
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run_io as io on io.job_id = k.job_id and io.run_id = k.run_id
join hidden as h on h.entity_id = io.dataset_id
union
select h.entity_id from hidden as h where h.entity_id = any($3::uuid[])
union
select d.id
from dataset as d
join tombstone as t on t.entity_id in (d.id, d.namespace_id)
where d.id = any($4::uuid[])
"""


async def fetch_touched(
    connection: asyncpg.Connection, runs: Sequence[tuple[UUID, UUID]], stated: Sequence[UUID], named: Sequence[UUID]
) -> list[UUID]:
    """Hidden datasets of these runs or `stated` by static events, and those `named` that were deleted before."""
    rows = await connection.fetch(FETCH_TOUCHED, *transpose(runs, 2), stated, named)
    return [row["dataset_id"] for row in rows]


SETTLE_JOBS = """
with verdict as (
    select
        k.id,
        coalesce(j.namespace_id, own.namespace_id) as namespace_id,
        exists (
            select from tombstone as t
            where t.entity_id in (k.id, j.namespace_id) and not job_outlives(k.id, j.seen_at, t.at, t.mark)
        ) as dead
    from unnest($1::uuid[]) as k (id)
    left join job_state as j on j.job_id = k.id
    left join tombstone as own on own.entity_id = k.id
),
shown as (delete from hidden as h using verdict as v where h.entity_id = v.id and not v.dead returning h.entity_id),
added as (
    insert into hidden (entity_id, kind, namespace_id)
    select v.id, 'job', v.namespace_id from verdict as v where v.dead order by v.id
    on conflict (entity_id) do nothing
    returning entity_id
)
select entity_id from shown
union
select entity_id from added
union
select v.id from verdict as v join job_state as j on j.job_id = v.id where v.dead and not j.hidden
"""

SETTLE_DATASETS = """
with verdict as (
    select
        k.id,
        coalesce(d.namespace_id, own.namespace_id) as namespace_id,
        exists (
            select from tombstone as t
            where t.entity_id in (k.id, d.namespace_id) and not dataset_outlives(k.id, t.at, t.mark)
        ) as dead
    from unnest($1::uuid[]) as k (id)
    left join dataset as d on d.id = k.id
    left join tombstone as own on own.entity_id = k.id
),
shown as (delete from hidden as h using verdict as v where h.entity_id = v.id and not v.dead returning h.entity_id),
added as (
    insert into hidden (entity_id, kind, namespace_id)
    select v.id, 'dataset', v.namespace_id from verdict as v where v.dead order by v.id
    on conflict (entity_id) do nothing
    returning entity_id
)
select entity_id from shown
union
select entity_id from added
union
select v.id from verdict as v join dataset as d on d.id = v.id where v.dead and not d.hidden
"""

SETTLE_NAMESPACES = """
with verdict as (
    select
        t.entity_id as id,
        not (
            exists (select from namespace_state as n where n.namespace_id = t.entity_id and n.updated_at > t.at)
            or exists (
                select from job_state as j
                where
                    j.job_id = any($2::uuid[]) and j.namespace_id = t.entity_id
                    and job_outlives(j.job_id, j.seen_at, t.at, t.mark)
            )
            or exists (
                select from dataset as d
                where d.id = any($3::uuid[]) and d.namespace_id = t.entity_id and dataset_outlives(d.id, t.at, t.mark)
            )
        ) as dead
    from tombstone as t
    where t.kind = 'namespace' and t.entity_id = any($1::uuid[])
),
gone as (delete from hidden as h using verdict as v where h.entity_id = v.id and not v.dead)
insert into hidden (entity_id, kind, namespace_id)
select v.id, 'namespace', v.id from verdict as v where v.dead and v.id = any($4::uuid[]) order by v.id
on conflict (entity_id) do nothing
"""


async def settle_jobs(connection: asyncpg.Connection, jobs: Sequence[UUID]) -> list[UUID]:
    """Hide those of these jobs that are deleted, and show the others; gives those that lists may gain or lose."""
    return [row["entity_id"] for row in await connection.fetch(SETTLE_JOBS, jobs)]


async def settle_datasets(connection: asyncpg.Connection, datasets: Sequence[UUID]) -> list[UUID]:
    """Hide those of these datasets that are deleted, and show the others; gives those that lists may gain or lose."""
    return [row["entity_id"] for row in await connection.fetch(SETTLE_DATASETS, datasets)]


async def settle_namespaces(
    connection: asyncpg.Connection,
    namespaces: Sequence[UUID],
    jobs: Sequence[UUID],
    datasets: Sequence[UUID],
    deleted: Sequence[UUID],
) -> None:
    """Show namespaces again of which one of `jobs` or `datasets` is there; hide those `deleted` just now else."""
    await connection.execute(SETTLE_NAMESPACES, namespaces, jobs, datasets, deleted)
