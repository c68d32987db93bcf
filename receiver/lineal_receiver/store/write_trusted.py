"""What is trusted though its events are from the future: taken from there to where all else is."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

Pair = tuple[UUID, UUID]

TRUST = 0x4C494E5452  # "LINTR"

SHARE = "select pg_advisory_xact_lock_shared($1)"
OWN = "select pg_advisory_xact_lock($1)"


async def own_trust(connection: asyncpg.Connection, *, alone: bool) -> None:
    """Until the transaction ends: others may tell of the future meanwhile, or, if `alone`, not."""
    await connection.execute(OWN if alone else SHARE, TRUST)


INSERT_TRUSTED = """
insert into trusted (dataset_id, job_id, run_id)
select r.dataset_id, r.job_id, r.run_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (dataset_id, job_id, run_id)
order by r.dataset_id, r.job_id, r.run_id
on conflict do nothing
"""

FETCH_TRUSTED = """
select t.dataset_id, t.job_id, t.run_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
join trusted as t on t.dataset_id = k.dataset_id and t.job_id = k.job_id and t.run_id = k.run_id
"""


async def insert_trusted(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep what is trusted: runs (none, job, run), static events of datasets (dataset, none, none) or jobs."""
    await connection.execute(INSERT_TRUSTED, *transpose(rows, 3))


async def fetch_trusted(connection: asyncpg.Connection, keys: Sequence[tuple[Any, ...]]) -> set[tuple[UUID, ...]]:
    """Those of these that are trusted, written as in `insert_trusted`."""
    return {tuple(row) for row in await connection.fetch(FETCH_TRUSTED, *transpose(keys, 3))}


SETTLE_RUNS = """
update run as r
set future = false, end_future = false, seen_at = r.last_at
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
where
    r.job_id = k.job_id and r.run_id = k.run_id and not r.placeholder
    and (r.future or r.end_future or r.seen_at is distinct from r.last_at)
returning r.job_id, r.run_id
"""

# The keys are of all that the run said, so nothing that isn't trusted is among it.
SETTLE_JOBS = """
update job_state as j
set
    seen_at = greatest(j.seen_at, s.seen_at),
    parent_job = case when s.parent_key > coalesce(j.parent_key, '') then s.parent_job else j.parent_job end,
    parent_key = greatest(j.parent_key, s.parent_key)
from (
    select
        k.job_id,
        max(r.last_at) as seen_at,
        max(r.parent_key) filter (where r.parent_job <> r.job_id) as parent_key,
        (array_agg(r.parent_job order by r.parent_key desc) filter (where r.parent_job <> r.job_id))[1] as parent_job
    from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
    join run as r on r.job_id = k.job_id and r.run_id = k.run_id and not r.placeholder
    group by k.job_id
) as s
where
    j.job_id = s.job_id
    and (s.seen_at > coalesce(j.seen_at, '-infinity') or s.parent_key > coalesce(j.parent_key, ''))
"""

SETTLE_STREAMING = """
update job_state as j
set streaming = s.streaming, streaming_key = s.streaming_key
from (
    select distinct on (r.job_id) r.job_id, r.streaming, r.streaming_key
    from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
    join run as r on r.job_id = k.job_id and r.run_id = k.run_id and r.streaming_key is not null
    order by r.job_id, r.streaming_key desc
) as s
where j.job_id = s.job_id and s.streaming_key > coalesce(j.streaming_key, '')
"""

SETTLE_RUN_IO = """
update run_io as io
set ahead = false
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
where io.job_id = k.job_id and io.run_id = k.run_id and io.ahead
"""


async def settle_runs(connection: asyncpg.Connection, runs: Sequence[Pair]) -> set[Pair]:
    """Take these runs out of the future; gives those that were there."""
    columns = transpose(runs, 2)
    found = await connection.fetch(SETTLE_RUNS, *columns)
    await connection.execute(SETTLE_JOBS, *columns)
    await connection.execute(SETTLE_STREAMING, *columns)
    await connection.execute(SETTLE_RUN_IO, *columns)
    return {(row["job_id"], row["run_id"]) for row in found}


FETCH_DATASETS = """
select io.job_id, io.run_id, io.dataset_id, io.side::text as side, io.schema_key, io.schema_id
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run_io as io on io.job_id = k.job_id and io.run_id = k.run_id
"""


async def fetch_datasets(connection: asyncpg.Connection, runs: Sequence[Pair]) -> list[Any]:
    """What these runs said of datasets: (job, run, dataset, side, schema and its key)."""
    rows: list[Any] = await connection.fetch(FETCH_DATASETS, *transpose(runs, 2))
    return rows


FETCH_AHEAD = """
select d.id as dataset_id, io.job_id, io.run_id
from unnest($1::uuid[]) as d (id)
cross join lateral runs_of_dataset(d.id) as io
where io.run_id in ('57a71c00-0000-0000-0000-000000000001', '57a71c00-0000-0000-0000-000000000003')
union
select io.dataset_id, io.job_id, io.run_id
from run_io as io
where
    io.job_id = any($2::uuid[])
    and io.run_id in ('57a71c00-0000-0000-0000-000000000001', '57a71c00-0000-0000-0000-000000000003')
order by 1, 2, 3
"""

TAKE_IO = """
delete from run_io as io
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.run_id = k.run_id
returning
    io.dataset_id, io.job_id, io.run_id, io.side::text as side, io.said_at, io.named_at, io.stated_at, io.stated_key,
    io.subset, io.lifecycle, io.lifecycle_key, io.schema_id, io.schema_key, io.build_id, io.build_key
"""

TAKE_TOLD = """
delete from told_lineage as t
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where t.dataset_id = k.dataset_id and t.job_id = k.job_id and t.run_id = k.run_id
returning t.job_id, t.run_id, t.dataset_id, t.key, t.deleted_key, t.sources, t.build_id
"""

TAKE_NAMED_VERSIONS = """
delete from named_version as v
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where v.dataset_id = k.dataset_id and v.job_id = k.job_id and v.run_id = k.run_id
returning v.dataset_id, v.job_id, v.run_id, v.side::text as side, v.key, v.version
"""

TAKE_STATIC_VERSIONS = """
delete from static_version as v
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where
    v.dataset_id = k.dataset_id and v.job_id = k.job_id and v.future
    and k.run_id = '57a71c00-0000-0000-0000-000000000001'
returning v.dataset_id, v.job_id, false as future, v.schema_id, v.key, v.stated_at
"""

TAKE_STATIC_SEEN = """
delete from static_seen as s
using (
    select distinct k.dataset_id, k.job_id
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
) as k
where s.dataset_id = k.dataset_id and s.job_id = k.job_id and s.future
returning s.dataset_id, s.job_id, s.seen
"""

TAKE_CLAIMS = """
delete from alias_claim as c
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where c.declarer_id = k.dataset_id and c.job_id = k.job_id and c.run_id = k.run_id and c.future
returning c.alias_id, c.declarer_id, c.job_id, c.run_id, c.side::text as side, c.at
"""

TAKE_RENAMES = """
delete from renaming as r
using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (dataset_id, job_id, run_id)
where r.new_id = k.dataset_id and r.job_id = k.job_id and r.run_id = k.run_id and r.future
returning r.old_id, r.new_id, r.job_id, r.run_id, r.at
"""

TAKE_FACETS = """
delete from facet as f
using unnest($1::uuid[], $2::uuid[]) as k (entity_id, scope_id)
where f.entity_id = k.entity_id and f.scope_id = k.scope_id
returning f.entity_id, f.scope_id, f.side::text as side, f.name, f.key, f.at, f.body_id
"""

TAKE_VERSIONS = """
with taken as (
    delete from ahead_version as a
    using unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
    where a.job_id = k.job_id and a.run_id = k.run_id
    returning a.job_id, a.id, a.at
)
update job_version as v
set declared_at = least(v.declared_at, t.at)
from (select job_id, id, min(at) as at from taken group by job_id, id) as t
where v.job_id = t.job_id and v.id = t.id
returning v.job_id, v.id
"""

SEE_JOBS = """
update job_state as j
set
    seen_at = greatest(j.seen_at, j.ahead_at),
    streaming = case
        when j.ahead_streaming_key > coalesce(j.streaming_key, '') then j.ahead_streaming
        else j.streaming
    end,
    streaming_key = greatest(j.streaming_key, j.ahead_streaming_key)
where
    j.job_id = any($1::uuid[])
    and (
        j.ahead_at > coalesce(j.seen_at, '-infinity')
        or j.ahead_streaming_key > coalesce(j.streaming_key, '')
    )
"""

STATEMENTS = (TAKE_IO, TAKE_NAMED_VERSIONS, TAKE_STATIC_VERSIONS, TAKE_STATIC_SEEN)


async def fetch_ahead(
    connection: asyncpg.Connection, datasets: Sequence[UUID], jobs: Sequence[UUID]
) -> list[tuple[UUID, UUID, UUID]]:
    """(dataset, job, what stands for the run) of what static events from the future said of these."""
    rows = await connection.fetch(FETCH_AHEAD, datasets, jobs)
    return [(row["dataset_id"], row["job_id"], row["run_id"]) for row in rows]


async def take_statements(connection: asyncpg.Connection, keys: Sequence[tuple[UUID, UUID, UUID]]) -> list[list[Any]]:
    """Remove what was said of (dataset, job, run): what of datasets, versions named, schemas, what was seen."""
    columns = transpose(keys, 3)
    return [await connection.fetch(statement, *columns) for statement in STATEMENTS]


async def take_names(connection: asyncpg.Connection, keys: Sequence[tuple[UUID, UUID, UUID]]) -> list[list[Any]]:
    """Remove what was said from the future of other names by (dataset, job, run): claims, and renames."""
    columns = transpose(keys, 3)
    return [await connection.fetch(statement, *columns) for statement in (TAKE_CLAIMS, TAKE_RENAMES)]


async def take_told(connection: asyncpg.Connection, keys: Sequence[tuple[UUID, UUID, UUID]]) -> list[Any]:
    """Remove what `lineage` facets told under (dataset or none, job, run)."""
    rows: list[Any] = await connection.fetch(TAKE_TOLD, *transpose(keys, 3))
    return rows


async def take_facets(connection: asyncpg.Connection, scopes: Iterable[Pair]) -> list[Any]:
    """Remove the facets under (entity, scope)."""
    rows: list[Any] = await connection.fetch(TAKE_FACETS, *transpose(sorted(scopes), 2))
    return rows


async def take_versions(connection: asyncpg.Connection, tellers: Sequence[Pair]) -> list[Any]:
    """Let the versions that (job, run or none) declared from the future count as any: (job, id)."""
    rows: list[Any] = await connection.fetch(TAKE_VERSIONS, *transpose(tellers, 2))
    return rows


async def see_jobs(connection: asyncpg.Connection, jobs: Sequence[UUID]) -> None:
    """Let what these jobs' own events from the future say of them count."""
    await connection.execute(SEE_JOBS, jobs)


FETCH_FACETS = """
select distinct on (f.entity_id, f.side, f.name) f.entity_id, f.side::text as side, f.name, f.key, f.at, f.body_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (entity_id, job_id, run_id)
cross join lateral (
    select s.entity_id, s.side, s.name, s.key, s.at, s.body_id
    from facet as s
    where
        s.entity_id = k.entity_id and s.side in ('w', 'd', 'j')
        and s.scope_id = case when k.entity_id = k.job_id then k.run_id else run_scope(k.job_id, k.run_id) end
    union all
    select m.entity_id, m.side, m.name, r.facet_set_key, to_timestamp_of_seen(r.facet_set_key), m.body_id
    from run as r
    join facet_set as m on m.set_id = r.facet_set_id and m.entity_id = k.entity_id
    where r.job_id = k.job_id and r.run_id = k.run_id
) as f
order by f.entity_id, f.side, f.name, f.key desc
"""


async def fetch_facets(connection: asyncpg.Connection, said: Iterable[tuple[UUID, UUID, UUID]]) -> list[Any]:
    """The newest facets of jobs and datasets among those that were said of (entity, job, run)."""
    rows: list[Any] = await connection.fetch(FETCH_FACETS, *transpose(sorted(said), 3))
    return rows
