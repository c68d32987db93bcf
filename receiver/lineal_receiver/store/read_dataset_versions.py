"""Versions of datasets: one for each write. A write that states no schema shows the one before it, back to a DROP."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class WriteRow:
    """A write of a dataset by a run, or, with the run none, by a static event. fields: JSON text.

    past: a static event's that a newer one of the same job, or of none, has taken the place of.
    """

    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    lifecycle: str | None
    schema_id: bytes | None
    fields: str | None
    version_id: UUID
    past: bool = False


LIST_WRITES = """
select dataset_id, job_id, run_id, effective_at, lifecycle, schema_id, fields, version_id, past
from (
    (
        select *, false as past
        from dataset_write
        where dataset_id = $1 and class = 2
        order by future, effective_at desc, job_id, run_id
        limit $2::bigint + $3::bigint
    )
    union all
    (
        select *, true as past
        from static_write
        where dataset_id = $1
        order by future, effective_at desc, job_id, schema_id
        limit $2::bigint + $3::bigint
    )
) as writes
order by future, effective_at desc, job_id, run_id, schema_id
limit $2::bigint offset $3::bigint
"""


async def list_writes(connection: Connection, dataset: UUID, limit: int, offset: int) -> list[WriteRow]:
    """A page of a dataset's effective writes, the newest first; those from the future last."""
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, dataset, limit, offset)]


FIND_WRITE = """
select dataset_id, job_id, run_id, effective_at, lifecycle, schema_id, fields, version_id, past
from (
    (
        select *, false as past
        from dataset_write
        where dataset_id = $1 and class > 0 and version_id = $2
        order by effective_at desc
        limit 1
    )
    union all
    (select *, true as past from static_write where dataset_id = $1 and version_id = $2 limit 1)
) as writes
order by past
limit 1
"""


async def find_write(connection: Connection, dataset: UUID, version: UUID) -> WriteRow | None:
    """The write that made a version of a dataset; the newest are looked at first."""
    row = await connection.fetchrow(FIND_WRITE, dataset, version)
    return None if row is None else WriteRow(**row)


COUNT_WRITES = """
select count(*)
from (
    (select from run_io where dataset_id = $1 and side = 'o' and class = 2 limit $2)
    union all
    (select from static_write where dataset_id = $1 limit $2)
    limit $2
) as writes
"""


async def count_writes(connection: Connection, dataset: UUID, limit: int) -> int:
    """The number of a dataset's effective writes, counted up to `limit`."""
    return int(await connection.fetchval(COUNT_WRITES, dataset, limit))


FETCH_SCHEMA_LOCATIONS = """
select schema_id, location from schema_location where schema_id = any($1::bytea[])
"""


async def fetch_schema_locations(connection: Connection, schemas: list[bytes]) -> dict[bytes, str]:
    """Where those of these schemas lie of which it was said."""
    rows = await connection.fetch(FETCH_SCHEMA_LOCATIONS, schemas)
    return {row["schema_id"]: row["location"] for row in rows}
