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
select dataset_id, job_id, run_id, effective_at, lifecycle, schema_id, fields, version_id
from dataset_write
where dataset_id = $1 and class = 2
order by future, effective_at desc, job_id, run_id
limit $2 offset $3
"""


async def list_writes(connection: Connection, dataset: UUID, limit: int, offset: int) -> list[WriteRow]:
    """A page of a dataset's effective writes, the newest first; those from the future last."""
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, dataset, limit, offset)]


FIND_WRITE = """
select dataset_id, job_id, run_id, effective_at, lifecycle, schema_id, fields, version_id
from dataset_write
where dataset_id = $1 and class > 0 and version_id = $2
order by effective_at desc
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
