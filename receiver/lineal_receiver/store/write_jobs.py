"""State of jobs, and their versions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import literal, transpose

UPSERT_JOBS = """
insert into job_state as j (
    job_id, namespace_id, created_at, seen_at, ahead_at, parent_job, parent_key, streaming, streaming_key,
    ahead_streaming, ahead_streaming_key, placeholder
)
select
    r.job_id, r.namespace_id, r.created_at, r.seen_at, r.ahead_at, r.parent_job, r.parent_key, r.streaming,
    r.streaming_key, r.ahead_streaming, r.ahead_streaming_key, r.placeholder
from unnest(
    $1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::uuid[], $7::bytea[],
    $8::boolean[], $9::bytea[], $10::boolean[], $11::bytea[], $12::boolean[]
) as r (
    job_id, namespace_id, created_at, seen_at, ahead_at, parent_job, parent_key, streaming, streaming_key,
    ahead_streaming, ahead_streaming_key, placeholder
)
where
    not r.placeholder
    or not exists (
        select 1 from job_state as s where s.job_id = r.job_id and (not s.placeholder or s.created_at <= r.created_at)
    )
order by r.job_id
on conflict (job_id) do update set
    created_at = case
        when j.placeholder = excluded.placeholder then least(j.created_at, excluded.created_at)
        when j.placeholder then excluded.created_at
        else j.created_at
    end,
    seen_at = greatest(j.seen_at, excluded.seen_at),
    ahead_at = greatest(j.ahead_at, excluded.ahead_at),
    parent_job = case
        when excluded.parent_key > coalesce(j.parent_key, '') then excluded.parent_job
        else j.parent_job
    end,
    parent_key = greatest(j.parent_key, excluded.parent_key),
    streaming = case
        when excluded.streaming_key > coalesce(j.streaming_key, '') then excluded.streaming
        else j.streaming
    end,
    streaming_key = greatest(j.streaming_key, excluded.streaming_key),
    ahead_streaming = case
        when excluded.ahead_streaming_key > coalesce(j.ahead_streaming_key, '') then excluded.ahead_streaming
        else j.ahead_streaming
    end,
    ahead_streaming_key = greatest(j.ahead_streaming_key, excluded.ahead_streaming_key),
    placeholder = j.placeholder and excluded.placeholder
where
    (j.placeholder and not excluded.placeholder)
    or (
        j.placeholder = excluded.placeholder
        and (
            excluded.created_at < j.created_at
            or excluded.seen_at > coalesce(j.seen_at, '-infinity')
            or excluded.ahead_at > coalesce(j.ahead_at, '-infinity')
            or excluded.parent_key > coalesce(j.parent_key, '')
            or excluded.streaming_key > coalesce(j.streaming_key, '')
            or excluded.ahead_streaming_key > coalesce(j.ahead_streaming_key, '')
        )
    )
"""


async def upsert_jobs(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join what is known of jobs with these rows, and lock the rows of jobs that had events."""
    await connection.execute(UPSERT_JOBS, *transpose(rows, 12))


FETCH_STATEMENTS = """
select
    r.job_id,
    r.run_id,
    r.end_at,
    r.first_at,
    r.location,
    r.version_id,
    r.streaming,
    array(
        select io.dataset_id
        from run_io as io
        where io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'i'
        order by 1
    ) as inputs,
    array(
        select io.dataset_id
        from run_io as io
        where io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'o'
        order by 1
    ) as outputs
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run as r on r.job_id = k.job_id and r.run_id = k.run_id
where r.end_rank is not null or r.streaming or r.version_id is not null
"""


async def fetch_statements(connection: asyncpg.Connection, runs: Sequence[tuple[UUID, UUID]]) -> list[Any]:
    """Inputs, outputs and location of those of these runs that ended or stream, or did by what was known before."""
    rows: list[Any] = await connection.fetch(FETCH_STATEMENTS, *transpose(runs, 2))
    return rows


UPDATE_RUN_VERSIONS = """
update run as r
set version_id = k.version_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (job_id, run_id, version_id)
where r.job_id = k.job_id and r.run_id = k.run_id
"""


async def update_run_versions(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Point runs (job, run) to their job's version; the runs are locked already."""
    await connection.execute(UPDATE_RUN_VERSIONS, *transpose(rows, 3))


UPSERT_VERSIONS = """
insert into job_version as v (job_id, id, inputs, outputs, location, declared_at, created_at, run_id)
select r.job_id, r.id, r.inputs::uuid[], r.outputs::uuid[], r.location, r.declared_at, r.created_at, r.run_id
from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::uuid[]
) as r (job_id, id, inputs, outputs, location, declared_at, created_at, run_id)
order by r.job_id, r.id
on conflict (job_id, id) do update set declared_at = least(v.declared_at, excluded.declared_at)
where excluded.declared_at < coalesce(v.declared_at, 'infinity')
"""


async def upsert_versions(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add versions (job, id, inputs, outputs, location, declared at, created at, run).

    Those without a run, and those that were there, are dated by `settle_versions`.
    """
    sent = [(job, key, literal(i), literal(o), *rest) for job, key, i, o, *rest in rows]
    await connection.execute(UPSERT_VERSIONS, *transpose(sent, 8))


UPSERT_AHEAD_VERSIONS = """
insert into ahead_version as v (job_id, id, run_id, at)
select r.job_id, r.id, r.run_id, r.at
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as r (job_id, id, run_id, at)
order by r.job_id, r.id, r.run_id
on conflict (job_id, id, run_id) do update set at = excluded.at
where excluded.at < v.at
"""


async def upsert_ahead_versions(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep who declared versions from the future (job, id, run or none, at), and when first."""
    await connection.execute(UPSERT_AHEAD_VERSIONS, *transpose(rows, 4))


# `offset 0`: by the whole key, also in plans from when the table was small.
FIND_VERSIONS = """
select v.job_id, v.id, v.created_at < k.at and not v.future as earlier
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as k (job_id, id, at)
cross join lateral (
    select j.job_id, j.id, j.created_at, j.future
    from job_version as j
    where j.job_id = k.job_id and j.id = k.id
    offset 0
) as v
"""


async def find_versions(
    connection: asyncpg.Connection, keys: Sequence[tuple[UUID, UUID, datetime]]
) -> dict[tuple[UUID, UUID], bool]:
    """Those of these versions (job, id, time) that are there: whether since before that time, not from the future."""
    rows = await connection.fetch(FIND_VERSIONS, *transpose(keys, 3))
    return {(row["job_id"], row["id"]): row["earlier"] for row in rows}


DELETE_UNUSED_VERSIONS = """
delete from job_version as v
using unnest($1::uuid[], $2::uuid[]) as k (job_id, id)
where
    v.job_id = k.job_id
    and v.id = k.id
    and v.declared_at is null
    and not exists (select 1 from ahead_version as a where a.job_id = v.job_id and a.id = v.id)
    and not exists (select 1 from run as r where r.job_id = v.job_id and r.version_id = v.id)
"""

DATE_VERSIONS = """
update job_version as v
set created_at = d.created_at, run_id = d.run_id, future = d.future
from (
    select
        k.job_id,
        k.id,
        least(declared.at, f.made_at) as created_at,
        case when f.made_at is not null and f.made_at <= coalesce(declared.at, 'infinity') then f.run_id end as run_id,
        rank.future
    from unnest($1::uuid[], $2::uuid[]) as k (job_id, id)
    join job_version as s on s.job_id = k.job_id and s.id = k.id
    cross join lateral (
        select
            s.declared_at is null and not exists (
                select from run as r where r.job_id = k.job_id and r.version_id = k.id and not r.future
            ) as future
    ) as rank
    cross join lateral (
        select
            case
                when rank.future
                    then (select min(a.at) from ahead_version as a where a.job_id = k.job_id and a.id = k.id)
                else s.declared_at
            end as at
    ) as declared
    left join lateral (
        select coalesce(r.end_at, r.first_at) as made_at, r.run_id
        from run as r
        where r.job_id = k.job_id and r.version_id = k.id and r.future = rank.future
        order by coalesce(r.end_at, r.first_at), r.run_id
        limit 1
    ) as f on true
) as d
where
    v.job_id = d.job_id
    and v.id = d.id
    and d.created_at is not null
    and (v.created_at, v.run_id, v.future) is distinct from (d.created_at, d.run_id, d.future)
"""


async def settle_versions(connection: asyncpg.Connection, keys: Sequence[tuple[UUID, UUID]]) -> None:
    """Remove those of these versions (job, id) that no run has any more, and date the others by their earliest."""
    columns = transpose(keys, 2)
    await connection.execute(DELETE_UNUSED_VERSIONS, *columns)
    await connection.execute(DATE_VERSIONS, *columns)


SETTLE_STATES = """
insert into job_newest as n (job_id, namespace_id, state)
select s.job_id, s.namespace_id, newest.state
from unnest($1::uuid[]) as k (job_id)
cross join lateral (select j.job_id, j.namespace_id from job_state as j where j.job_id = k.job_id offset 0) as s
cross join lateral (select newest_state(array[s.job_id]) as state) as newest
where newest.state is not null
order by s.job_id
on conflict (job_id) do update set state = excluded.state
where n.state <> excluded.state
"""

MENTION_STATES = """
insert into job_newest (job_id, namespace_id, state)
select s.job_id, s.namespace_id, 4
from unnest($1::uuid[]) as k (job_id)
join job_state as s on s.job_id = k.job_id
order by s.job_id
on conflict (job_id) do nothing
"""


async def settle_states(connection: asyncpg.Connection, jobs: Sequence[UUID], mentioned: Sequence[UUID]) -> None:
    """The states of the newest runs of `jobs`, whose rows are locked, and of those whose runs were only `mentioned`."""
    if jobs:
        await connection.execute(SETTLE_STATES, jobs)
    if mentioned:
        await connection.execute(MENTION_STATES, mentioned)
