"""Runs."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

_ROWS = """
insert into run as r (
    job_id, run_id, external_id, start_at, running_at, first_at, last_at, typed, end_at, end_rank, end_key,
    end_outputs, ends_seen, parent_job, parent_run, root_job, root_run, parent_key, nominal_start_at, nominal_end_at,
    nominal_key, streaming, streaming_key, location, location_key, version_id, placeholder, future, seen_at, end_future,
    facet_set_key, facet_set_id
)
select
    n.job_id, n.run_id, n.external_id, n.start_at, n.running_at, n.first_at, n.last_at, n.typed, n.end_at, n.end_rank,
    n.end_key, n.end_outputs::uuid[], n.ends_seen, n.parent_job, n.parent_run, n.root_job, n.root_run, n.parent_key,
    n.nominal_start_at, n.nominal_end_at, n.nominal_key, n.streaming, n.streaming_key, n.location, n.location_key,
    n.version_id, n.placeholder, n.future, n.seen_at, n.end_future, n.facet_set_key, n.facet_set_id
from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
    $8::boolean[], $9::timestamptz[], $10::smallint[], $11::bytea[], $12::text[], $13::smallint[], $14::uuid[],
    $15::uuid[], $16::uuid[], $17::uuid[], $18::bytea[], $19::timestamptz[], $20::timestamptz[], $21::bytea[],
    $22::boolean[], $23::bytea[], $24::text[], $25::bytea[], $26::uuid[], $27::boolean[], $28::boolean[],
    $29::timestamptz[], $30::boolean[], $31::bytea[], $32::bytea[]
) as n (
    job_id, run_id, external_id, start_at, running_at, first_at, last_at, typed, end_at, end_rank, end_key,
    end_outputs, ends_seen, parent_job, parent_run, root_job, root_run, parent_key, nominal_start_at, nominal_end_at,
    nominal_key, streaming, streaming_key, location, location_key, version_id, placeholder, future, seen_at, end_future,
    facet_set_key, facet_set_id
)
"""

INSERT_RUNS = f"""{_ROWS}
where not exists (select from run as s where s.job_id = n.job_id and s.run_id = n.run_id)
order by n.job_id, n.run_id
returning job_id, run_id
"""

UPSERT_RUNS = f"""{_ROWS}
where
    not n.placeholder
    or not exists (
        select 1
        from run as s
        where s.job_id = n.job_id and s.run_id = n.run_id and (not s.placeholder or s.first_at <= n.first_at)
    )
order by n.job_id, n.run_id
on conflict (job_id, run_id) do update set
    external_id = coalesce(r.external_id, excluded.external_id),
    start_at = least(r.start_at, excluded.start_at),
    running_at = least(r.running_at, excluded.running_at),
    first_at = case
        when r.placeholder = excluded.placeholder then least(r.first_at, excluded.first_at)
        when r.placeholder then excluded.first_at
        else r.first_at
    end,
    last_at = case
        when r.placeholder and excluded.placeholder then least(r.last_at, excluded.last_at)
        when r.placeholder then excluded.last_at
        when excluded.placeholder then r.last_at
        else greatest(r.last_at, excluded.last_at)
    end,
    typed = r.typed or excluded.typed,
    end_at = case when excluded.end_key < coalesce(r.end_key, '\\xff') then excluded.end_at else r.end_at end,
    end_rank = case when excluded.end_key < coalesce(r.end_key, '\\xff') then excluded.end_rank else r.end_rank end,
    end_outputs = case
        when excluded.end_key < coalesce(r.end_key, '\\xff') then excluded.end_outputs
        else r.end_outputs
    end,
    end_key = least(r.end_key, excluded.end_key),
    ends_seen = r.ends_seen | excluded.ends_seen,
    parent_job = case
        when excluded.parent_key > coalesce(r.parent_key, '') then excluded.parent_job
        else r.parent_job
    end,
    parent_run = case
        when excluded.parent_key > coalesce(r.parent_key, '') then excluded.parent_run
        else r.parent_run
    end,
    root_job = case when excluded.parent_key > coalesce(r.parent_key, '') then excluded.root_job else r.root_job end,
    root_run = case when excluded.parent_key > coalesce(r.parent_key, '') then excluded.root_run else r.root_run end,
    parent_key = greatest(r.parent_key, excluded.parent_key),
    nominal_start_at = case
        when excluded.nominal_key > coalesce(r.nominal_key, '') then excluded.nominal_start_at
        else r.nominal_start_at
    end,
    nominal_end_at = case
        when excluded.nominal_key > coalesce(r.nominal_key, '') then excluded.nominal_end_at
        else r.nominal_end_at
    end,
    nominal_key = greatest(r.nominal_key, excluded.nominal_key),
    streaming = case
        when excluded.streaming_key > coalesce(r.streaming_key, '') then excluded.streaming
        else r.streaming
    end,
    streaming_key = greatest(r.streaming_key, excluded.streaming_key),
    location = case
        when excluded.location_key > coalesce(r.location_key, '') then excluded.location
        else r.location
    end,
    location_key = greatest(r.location_key, excluded.location_key),
    placeholder = r.placeholder and excluded.placeholder,
    seen_at = greatest(r.seen_at, excluded.seen_at),
    end_future = case
        when excluded.end_key < coalesce(r.end_key, '\\xff') then excluded.end_future
        else r.end_future
    end,
    future = not (r.placeholder and excluded.placeholder) and case
        when coalesce(r.end_key, excluded.end_key) is null then coalesce(r.seen_at, excluded.seen_at) is null
        when excluded.end_key < coalesce(r.end_key, '\\xff') then excluded.end_future
        else r.end_future
    end
where not excluded.placeholder or (r.placeholder and excluded.first_at < r.first_at)
"""  # noqa: S608 - of constants


async def upsert_runs(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> set[tuple[UUID, UUID]]:
    """Join what is known of runs with these rows, locking them; gives the runs (job, run) that weren't there before.

    A version and a set of facets are only taken by those: of another run they follow from all that is known of it.
    UniqueViolationError: another adds one of them just now.
    """
    found = await connection.fetch(INSERT_RUNS, *transpose(rows, 32))
    fresh = {(row["job_id"], row["run_id"]) for row in found}
    others = [row for row in rows if (row[0], row[1]) not in fresh]
    if others:
        await connection.execute(UPSERT_RUNS, *transpose(others, 32))
    return fresh
