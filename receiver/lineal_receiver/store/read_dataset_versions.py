"""Versions of datasets: one for each write. A write that states no schema shows the one before it, back to a DROP."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class WriteRow:
    """A write of a dataset by a run, or, with the run none, by a static event. fields: JSON text."""

    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    lifecycle: str | None
    schema_id: bytes | None
    fields: str | None
    version_id: UUID


LIST_WRITES = """
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    b.id as schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id
from run_io as io
left join lateral (
    select max(gone.effective_at) as at
    from run_io as gone
    where
        io.schema_id is null
        and gone.dataset_id = io.dataset_id
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.effective_at < io.effective_at
) as dropped on true
left join lateral (
    select stated.schema_id
    from run_io as stated
    where
        io.schema_id is null
        and stated.dataset_id = io.dataset_id
        and stated.side = 'o'
        and stated.class = 2
        and stated.lifecycle is distinct from 'DROP'
        and stated.schema_id is not null
        and stated.effective_at <= io.effective_at
        and stated.effective_at >= coalesce(dropped.at, '-infinity')
    order by stated.effective_at desc, stated.job_id, stated.run_id
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(io.schema_id, earlier.schema_id)
where io.dataset_id = $1 and io.side = 'o' and io.class = 2
order by io.future, io.effective_at desc, io.job_id, io.run_id
limit $2 offset $3
"""


async def list_writes(connection: Connection, dataset: UUID, limit: int, offset: int) -> list[WriteRow]:
    """A page of a dataset's effective writes, the newest first; those from the future last."""
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, dataset, limit, offset)]


FIND_WRITE = """
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    b.id as schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id
from run_io as io
left join lateral (
    select max(gone.effective_at) as at
    from run_io as gone
    where
        io.schema_id is null
        and gone.dataset_id = io.dataset_id
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.effective_at < io.effective_at
) as dropped on true
left join lateral (
    select stated.schema_id
    from run_io as stated
    where
        io.schema_id is null
        and stated.dataset_id = io.dataset_id
        and stated.side = 'o'
        and stated.class = 2
        and stated.lifecycle is distinct from 'DROP'
        and stated.schema_id is not null
        and stated.effective_at <= io.effective_at
        and stated.effective_at >= coalesce(dropped.at, '-infinity')
    order by stated.effective_at desc, stated.job_id, stated.run_id
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(io.schema_id, earlier.schema_id)
where
    io.dataset_id = $1
    and io.side = 'o'
    and io.class > 0
    and write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) = $2
order by io.effective_at desc
limit 1
"""


async def find_write(connection: Connection, dataset: UUID, version: UUID) -> WriteRow | None:
    """The write that made a version of a dataset; the newest are looked at first."""
    row = await connection.fetchrow(FIND_WRITE, dataset, version)
    return None if row is None else WriteRow(**row)


COUNT_WRITES = """
select count(*)
from (select from run_io where dataset_id = $1 and side = 'o' and class = 2 limit $2) as writes
"""


async def count_writes(connection: Connection, dataset: UUID, limit: int) -> int:
    """The number of a dataset's effective writes, counted up to `limit`."""
    return int(await connection.fetchval(COUNT_WRITES, dataset, limit))
