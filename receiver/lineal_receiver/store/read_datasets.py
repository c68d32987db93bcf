"""Datasets: which there are, and what they are now."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset as it is now. fields: JSON text, None where no schema is known.

    names: the dataset's own id, and those of all names that count as it; written_id: under which it was written last.
    version_id: of the write in force; of a dataset that was only read, one for what was read; None while its first
    write is under way.
    """

    id: UUID
    namespace: str
    name: str
    names: tuple[UUID, ...]
    written_id: UUID
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
    asked.id as asked_id,
    asked.root_id,
    d.id,
    n.name as namespace,
    d.name,
    coalesce(s.created_at, n.created_at) as created_at,
    coalesce(s.created_at, n.created_at) = 'infinity' as only_mentioned,
    exists (select from hidden as h where h.entity_id = d.id) as is_deleted,
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
    s.schema_origin,
    s.schema_id,
    b.fields
from (
    select k.id, coalesce(c.root_id, k.id) as root_id
    from unnest($1::uuid[]) as k(id)
    left join canon as c on c.id = k.id
) as asked
cross join lateral (
    select asked.root_id as id
    union all
    select c.id from canon as c where c.root_id = asked.root_id
) as member
join dataset as d on d.id = member.id
join namespace as n on n.id = d.namespace_id
left join dataset_state as s on s.dataset_id = d.id
left join schema_body as b on b.id = s.schema_id
order by asked.id, d.id <> asked.root_id, d.id
"""

ORIGINS = ("write", "pending", "read")


async def fetch_datasets(connection: Connection, datasets: list[UUID]) -> dict[UUID, DatasetRow]:
    """Those of `datasets` that exist and aren't deleted, by the id that was asked for; of an alias, its root."""
    rows = await connection.fetch(FETCH_DATASETS, list(dict.fromkeys(datasets)), NONE)
    found = {asked: list(members) for asked, members in groupby(rows, key=lambda row: row["asked_id"])}
    return {
        asked: _unite(members)
        for asked, members in found.items()
        if not all(member["only_mentioned"] or member["is_deleted"] for member in members)
    }


def _unite(members: list[Any]) -> DatasetRow:
    """One dataset out of the states of its names, the root's first: of each thing the newest among them."""
    root = members[0]
    told = [member for member in members if not member["only_mentioned"]]
    newest = max(told, key=lambda row: (row["written_at"] is not None, row["written_at"] or row["updated_at"]))
    dropped = max((row["dropped_at"] for row in told if row["dropped_at"] is not None), default=None)
    gone = [row for row in told if row["dropped_at"] == dropped] if dropped is not None else []
    is_dropped = dropped is not None and (newest["written_at"] is None or dropped > newest["written_at"])
    current = gone[0] if is_dropped else newest
    shown = _find_schema(told, dropped) if len(told) > 1 else newest
    return DatasetRow(
        id=root["root_id"],
        namespace=root["namespace"],
        name=root["name"],
        names=tuple(member["id"] for member in members),
        written_id=newest["id"],
        created_at=min(row["created_at"] for row in told),
        updated_at=max(row["updated_at"] for row in told),
        written_at=newest["written_at"],
        dropped_at=dropped,
        lifecycle=current["lifecycle"],
        version_id=current["version_id"],
        write_job=newest["write_job"],
        write_run=newest["write_run"],
        schema_id=None if shown is None else shown["schema_id"],
        fields=None if shown is None else shown["fields"],
    )


def _find_schema(told: list[Any], dropped: datetime | None) -> Any:
    """The name whose schema the dataset has: the last written one's, of those written since it was dropped."""
    stated = [
        row
        for row in told
        if row["schema_id"] is not None
        and (dropped is None or row["schema_origin"] != "write" or row["written_at"] >= dropped)
    ]
    return max(
        stated,
        key=lambda row: (-ORIGINS.index(row["schema_origin"]), row["written_at"] or row["updated_at"]),
        default=None,
    )


LIST_DATASETS = """
select d.id
from dataset as d
where d.namespace_id = $1 and not d.hidden and not exists (select from gone as g where g.entity_id = d.id)
order by left(d.name, 500), d.id
limit $2 offset $3
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
