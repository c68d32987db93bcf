"""Versions of datasets: one for each write. A write that states no schema shows the one before it, back to a DROP."""

from collections.abc import Sequence
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
select
    w.dataset_id,
    w.job_id,
    w.run_id,
    w.effective_at,
    w.lifecycle,
    w.schema_id,
    w.fields,
    w.version_id,
    w.past
from unnest($1::uuid[]) as name(id)
cross join lateral (
    (
        select *, false as past
        from dataset_write
        where dataset_id = name.id and class = 2
        order by future, effective_at desc, job_id, run_id
        limit $2::bigint + $3::bigint
    )
    union all
    (
        select *, true as past
        from static_write
        where dataset_id = name.id
        order by future, effective_at desc, job_id, schema_id
        limit $2::bigint + $3::bigint
    )
) as w
order by w.future, w.effective_at desc, w.job_id, w.run_id, w.schema_id, w.dataset_id
limit $2::bigint offset $3::bigint
"""


async def list_writes(connection: Connection, names: Sequence[UUID], limit: int, offset: int) -> list[WriteRow]:
    """A page of the effective writes of a dataset under all its `names`, newest first; those from the future last."""
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, names, limit, offset)]


FIND_WRITE = """
select
    w.dataset_id,
    w.job_id,
    w.run_id,
    w.effective_at,
    w.lifecycle,
    w.schema_id,
    w.fields,
    w.version_id,
    w.past
from unnest($1::uuid[]) as name(id)
cross join lateral (
    (
        select *, false as past
        from dataset_write
        where dataset_id = name.id and class > 0 and version_id = $2
        order by effective_at desc
        limit 1
    )
    union all
    (select *, true as past from static_write where dataset_id = name.id and version_id = $2 limit 1)
) as w
order by w.past, w.effective_at desc
limit 1
"""


async def find_write(connection: Connection, names: Sequence[UUID], version: UUID) -> WriteRow | None:
    """The write that made a version of a dataset under one of its `names`; the newest are looked at first."""
    row = await connection.fetchrow(FIND_WRITE, names, version)
    return None if row is None else WriteRow(**row)


COUNT_WRITES = """
select
    (select coalesce(sum(n), 0) from total where scope = any($1::uuid[]) and kind = 'versions')
    - (select count(*) from run_io where dataset_id = any($1::uuid[]) and side = 'o' and class < 2)
    + (select count(*) from static_write where dataset_id = any($1::uuid[]))
"""


async def count_writes(connection: Connection, names: Sequence[UUID]) -> int:
    """The number of a dataset's effective writes under all its `names`: what is neither failed nor pending."""
    return int(await connection.fetchval(COUNT_WRITES, names))


FETCH_SCHEMA_LOCATIONS = """
select schema_id, location from schema_location where schema_id = any($1::bytea[])
"""


async def fetch_schema_locations(connection: Connection, schemas: list[bytes]) -> dict[bytes, str]:
    """Where those of these schemas lie of which it was said."""
    rows = await connection.fetch(FETCH_SCHEMA_LOCATIONS, schemas)
    return {row["schema_id"]: row["location"] for row in rows}
