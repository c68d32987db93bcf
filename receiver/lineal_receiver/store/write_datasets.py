"""State of datasets: which write is current, its schema, and whether a DROP came later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

# `offset 0`, here and below: look a row up by its key alone. Plans from when the tables were small take all before the
# time, or all of the table.
INSERT_DATASETS = """
insert into dataset_state as d (dataset_id, namespace_id, created_at, updated_at)
select n.dataset_id, n.namespace_id, coalesce(n.created_at, 'infinity'), coalesce(n.created_at, 'infinity')
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as n (dataset_id, namespace_id, created_at)
where not exists (
    select 1
    from (select d.created_at from dataset_state as d where d.dataset_id = n.dataset_id offset 0) as s
    where s.created_at <= coalesce(n.created_at, 'infinity')
)
order by n.dataset_id
on conflict (dataset_id) do update set
    created_at = excluded.created_at,
    updated_at = greatest(excluded.created_at, d.written_at, d.dropped_at)
where excluded.created_at < d.created_at
"""


async def insert_datasets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Datasets (dataset, namespace, time; None: only an alias mentions it) that were named."""
    await connection.execute(INSERT_DATASETS, *transpose(rows, 3))


LOCK_DATASETS = """
select dataset_id, dropped_at, schema_id, schema_origin
from dataset_state
where dataset_id = any($1::uuid[])
order by dataset_id
for update
"""


@dataclass(frozen=True, slots=True)
class DatasetState:
    """What others depend on of a dataset's state."""

    dropped_at: datetime | None
    schema_id: bytes | None
    schema_origin: str | None


async def lock_datasets(connection: asyncpg.Connection, ids: Sequence[UUID]) -> dict[UUID, DatasetState]:
    """Own the state and slots of these datasets (sorted) until the transaction ends; gives their state."""
    return _states(await connection.fetch(LOCK_DATASETS, ids))


def _states(rows: Sequence[asyncpg.Record]) -> dict[UUID, DatasetState]:
    return {row["dataset_id"]: DatasetState(row["dropped_at"], row["schema_id"], row["schema_origin"]) for row in rows}


DERIVE_DATASETS = """
update dataset_state as d
set
    updated_at = n.updated_at,
    written_at = n.written_at,
    dropped_at = n.dropped_at,
    lifecycle = n.lifecycle,
    schema_id = coalesce(n.schema_id, case when d.schema_origin = 'read' then d.schema_id end),
    schema_origin = coalesce(n.schema_origin, case when d.schema_origin = 'read' then 'read' end),
    version_id = n.version_id,
    write_job = n.write_job,
    write_run = n.write_run,
    future = n.future
from (
    select
        s.dataset_id,
        greatest(s.created_at, w.effective_at, x.effective_at) as updated_at,
        w.effective_at as written_at,
        x.effective_at as dropped_at,
        case when x.effective_at > coalesce(w.effective_at, '-infinity') then 'DROP' else w.lifecycle end as lifecycle,
        coalesce(ws.schema_id, ps.schema_id) as schema_id,
        case
            when ws.schema_id is not null then 'write'
            when ps.schema_id is not null then 'pending'
        end as schema_origin,
        case
            when x.effective_at > coalesce(w.effective_at, '-infinity')
            then write_version(s.dataset_id, x.job_id, x.run_id, x.schema_id, 'DROP')
            when w.job_id is not null
            then write_version(s.dataset_id, w.job_id, w.run_id, w.schema_id, w.lifecycle)
        end as version_id,
        coalesce(w.job_id, p.job_id) as write_job,
        coalesce(w.run_id, p.run_id) as write_run,
        told.future and coalesce(w.run_id, x.run_id, p.run_id) is not null as future
    from dataset_state as s
    cross join lateral (
        select
            (
                select true
                from run_io as io
                where io.dataset_id = s.dataset_id and io.side = 'o' and io.class >= 1 and not io.future
                limit 1
            ) is null as future
    ) as told
    left join lateral (
        select io.effective_at, io.job_id, io.run_id, io.schema_id, io.lifecycle
        from run_io as io
        where
            io.dataset_id = s.dataset_id and io.side = 'o' and io.class = 2 and io.future = told.future
            and io.lifecycle is distinct from 'DROP'
        order by io.effective_at desc, io.job_id, io.run_id
        limit 1
    ) as w on true
    left join lateral (
        select io.effective_at, io.job_id, io.run_id, io.schema_id
        from run_io as io
        where
            uuid_send(io.dataset_id) = uuid_send(s.dataset_id) and io.side = 'o' and io.lifecycle = 'DROP'
            and io.class = 2 and io.future = told.future
        order by io.effective_at desc, io.job_id, io.run_id
        limit 1
    ) as x on true
    left join lateral (
        select made.schema_id
        from (
            (
                select io.schema_id, io.effective_at, io.job_id, io.run_id
                from run_io as io
                where
                    io.dataset_id = s.dataset_id and io.side = 'o' and io.class = 2 and io.future = told.future
                    and io.lifecycle is distinct from 'DROP' and io.stated_key is null
                    and io.schema_id is not null and io.effective_at >= coalesce(x.effective_at, '-infinity')
                order by io.effective_at desc, io.job_id, io.run_id
                limit 1
            )
            union all
            (
                select v.schema_id, to_timestamp_of_seen(v.key), v.job_id, '00000000-0000-0000-0000-000000000000'
                from statement as v
                where
                    v.dataset_id = s.dataset_id and v.kind = 's' and v.future = told.future
                    and substring(v.key from 1 for 8) >= coalesce(first_key(x.effective_at), '')
                order by substring(v.key from 1 for 8) desc, v.job_id, v.key desc
                limit 1
            )
        ) as made
        order by made.effective_at desc, made.job_id, made.run_id
        limit 1
    ) as ws on true
    left join lateral (
        select io.job_id, io.run_id
        from run_io as io
        where
            io.dataset_id = s.dataset_id and io.side = 'o' and io.class = 1 and io.future = told.future
            and w.job_id is null
        order by io.effective_at desc, io.job_id, io.run_id
        limit 1
    ) as p on true
    left join lateral (
        select io.schema_id
        from run_io as io
        where
            io.dataset_id = s.dataset_id and io.side = 'o' and io.class = 1 and io.schema_id is not null
            and io.future = told.future
            and ws.schema_id is null
            and io.effective_at >= coalesce(x.effective_at, '-infinity')
        order by io.effective_at desc, io.job_id, io.run_id
        limit 1
    ) as ps on true
    where s.dataset_id = any($1::uuid[])
) as n
where
    d.dataset_id = n.dataset_id
    and (
        d.updated_at, d.written_at, d.dropped_at, d.lifecycle, d.version_id, d.write_job, d.write_run, d.future,
        case when n.schema_origin is null and d.schema_origin = 'read' then null else d.schema_id end,
        case when n.schema_origin is null and d.schema_origin = 'read' then null else d.schema_origin end
    ) is distinct from (
        n.updated_at, n.written_at, n.dropped_at, n.lifecycle, n.version_id, n.write_job, n.write_run, n.future,
        n.schema_id, n.schema_origin
    )
returning d.dataset_id, d.dropped_at, d.schema_id, d.schema_origin
"""


async def derive_datasets(connection: asyncpg.Connection, ids: Sequence[UUID]) -> dict[UUID, DatasetState]:
    """Derive the state of these (locked) datasets from what was written to them; gives those that changed."""
    return _states(await connection.fetch(DERIVE_DATASETS, ids))


FETCH_READERS = """
select r.dataset_id, array_agg(b.fields order by r.key, r.job_id) as read
from unnest($1::uuid[], $2::bytea[]) as w (dataset_id, since)
cross join lateral (
    select s.dataset_id, s.job_id, s.key, s.schema_id from reader_schema as s where s.dataset_id = w.dataset_id offset 0
) as r
cross join lateral (select s.fields from schema_body as s where s.id = r.schema_id offset 0) as b
where r.key >= w.since
group by r.dataset_id
"""


async def fetch_readers(connection: asyncpg.Connection, wanted: Sequence[tuple[UUID, bytes]]) -> list[Any]:
    """The schemas that were read of datasets (dataset, key), each from that key on, oldest first."""
    rows: list[Any] = await connection.fetch(FETCH_READERS, *transpose(wanted, 2))
    return rows


UPDATE_READ_SCHEMAS = """
update dataset_state as d
set schema_id = r.schema_id, schema_origin = case when r.schema_id is not null then 'read' end
from unnest($1::uuid[], $2::bytea[]) as r (dataset_id, schema_id)
where d.dataset_id = r.dataset_id
"""


async def update_read_schemas(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, bytes | None]]) -> None:
    """Show datasets with the union of what was read of them; None: nothing is known."""
    await connection.execute(UPDATE_READ_SCHEMAS, *transpose(rows, 2))
