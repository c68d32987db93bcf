"""Versions of datasets: one for each write."""

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
    build_id: bytes | None


LIST_WRITES = """
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    io.schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
    io.build_id
from run_io as io
left join schema_body as b on b.id = io.schema_id
where io.dataset_id = $1 and io.side = 'o' and io.class = 2
order by io.effective_at desc, io.job_id, io.run_id
limit $2 offset $3
"""


async def list_writes(connection: Connection, dataset: UUID, limit: int, offset: int) -> list[WriteRow]:
    """A page of a dataset's effective writes, the newest first."""
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, dataset, limit, offset)]


FIND_WRITE = """
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    io.schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
    io.build_id
from run_io as io
left join schema_body as b on b.id = io.schema_id
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
