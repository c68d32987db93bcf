"""Datasets: which there are, and what they are now."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset as it is now. fields: JSON text, None where no schema is known.

    version_id: of the write in force; of a dataset that was only read, one for what was read; None while its first
    write is under way.
    """

    id: UUID
    namespace: str
    name: str
    created_at: datetime
    updated_at: datetime
    written_at: datetime | None
    dropped_at: datetime | None
    lifecycle: str | None
    version_id: UUID | None
    write_job: UUID | None
    write_run: UUID | None
    schema_id: bytes | None
    fields: str | None


FETCH_DATASETS = """
select
    d.id,
    n.name as namespace,
    d.name,
    coalesce(s.created_at, n.created_at) as created_at,
    coalesce(s.updated_at, n.created_at) as updated_at,
    s.written_at,
    s.dropped_at,
    s.lifecycle,
    case
        when s.version_id is not null or s.write_job is not null then s.version_id
        else write_version(d.id, $2, $2, s.schema_id, null)
    end as version_id,
    s.write_job,
    s.write_run,
    s.schema_id,
    b.fields
from dataset as d
join namespace as n on n.id = d.namespace_id
left join dataset_state as s on s.dataset_id = d.id
left join schema_body as b on b.id = s.schema_id
where d.id = any($1::uuid[])
"""


async def fetch_datasets(connection: Connection, datasets: list[UUID]) -> dict[UUID, DatasetRow]:
    """Those of `datasets` that any event named."""
    return {row["id"]: DatasetRow(**row) for row in await connection.fetch(FETCH_DATASETS, datasets, NONE)}


LIST_DATASETS = """
select id from dataset where namespace_id = $1 order by left(name, 500), id limit $2 offset $3
"""


async def list_datasets(connection: Connection, namespace: UUID, limit: int, offset: int) -> list[UUID]:
    """A page of a namespace's datasets, by name."""
    return [row["id"] for row in await connection.fetch(LIST_DATASETS, namespace, limit, offset)]


FETCH_DATASET_NAMES = """
select d.id, n.name as namespace, d.name
from dataset as d
join namespace as n on n.id = d.namespace_id
where d.id = any($1::uuid[])
"""


async def fetch_dataset_names(connection: Connection, datasets: list[UUID]) -> dict[UUID, tuple[str, str]]:
    """Namespace and name of those of `datasets` that any event named."""
    rows = await connection.fetch(FETCH_DATASET_NAMES, datasets)
    return {row["id"]: (row["namespace"], row["name"]) for row in rows}


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """The run behind a job's lineage in force that reads a dataset."""

    dataset_id: UUID
    job_id: UUID
    run_id: UUID


FETCH_READERS = """
select
    wanted.dataset_id,
    reader.job_id,
    reader.run_id
from unnest($1::uuid[]) as wanted(dataset_id)
cross join lateral (
    select distinct s.job_id, s.run_id
    from (
        select e.job_id, e.target_dataset
        from table_edge as e
        where e.source_dataset = wanted.dataset_id
        limit $2
    ) as near
    join slot as s on s.dataset_id = near.target_dataset and s.job_id = near.job_id
    where s.run_id is not null
) as reader
order by wanted.dataset_id, reader.job_id, reader.run_id
"""


async def fetch_readers(connection: Connection, datasets: list[UUID], most: int) -> list[ReaderRow]:
    """Runs that read `datasets` now, of at most `most` jobs each."""
    return [ReaderRow(**row) for row in await connection.fetch(FETCH_READERS, datasets, most)]
