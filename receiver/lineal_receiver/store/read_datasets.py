"""Datasets: which there are, and what they are now."""

from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import groupby
from typing import Any
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset as it is now. fields: JSON text, None where no schema is known; schema_origin: write, pending or read.

    names: the dataset's own id, and those of all names that count as it; written_id: under which it was written last.
    moved_at: when it was renamed to another name last; became_at: when another name was renamed to it last.
    version_id: of the write in force; of a dataset that was only read, one for what was read; None while its first
    write is under way.
    """

    id: UUID
    namespace: str
    name: str
    names: tuple[UUID, ...]
    written_id: UUID
    moved_at: datetime | None
    became_at: datetime | None
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
    schema_origin: str | None

    @property
    def stated_fields(self) -> str | None:
        """The schema that a write stated; None where only readers saw one."""
        return None if self.schema_origin == "read" else self.fields


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
    coalesce(s.future, false) as future,
    (select max(v.at) from renamed as v where v.old_id = d.id) as moved_at,
    (select max(v.at) from renamed as v where v.new_id = d.id) as became_at,
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

# The schema that was stated last since a dataset was given its name, or made anew after what was called so had gone
# elsewhere (a write of that very time was before it), and what it was before: each under all names.
FETCH_SCHEMAS_SINCE = """
select b.id as schema_id, b.fields, old.names as old_names, before.at
from (
    select k.place, min(k.until) as until, array_agg(k.id) as names
    from unnest($1::integer[], $2::uuid[], $3::timestamptz[]) as k(place, id, until)
    group by k.place
) as asked
left join lateral (
    select coalesce(c.root_id, r.old_id) as root_id, r.at
    from renamed as r
    left join canon as c on c.id = r.old_id
    where r.new_id = any(asked.names) and r.at < asked.until
    order by r.at desc, r.old_id
    limit 1
) as before on true
left join lateral (
    select max(r.at) as at
    from renamed as r
    where r.old_id = any(asked.names) and r.at < asked.until
) as away on true
cross join lateral (
    select
        coalesce(away.at > before.at, away.at is not null) as anew,
        case
            when coalesce(away.at > before.at, away.at is not null) then away.at + interval '1 microsecond'
            else coalesce(before.at, '-infinity')
        end as at
) as since
left join lateral (
    select array_agg(member.id) as names
    from (select before.root_id as id union all select c.id from canon as c where c.root_id = before.root_id) as member
    where before.root_id is not null and not since.anew
) as old on true
left join lateral (
    select stated.schema_id
    from unnest(asked.names) as name(id)
    cross join lateral schema_stated(name.id, false, since.at, asked.until) as stated
    order by stated.stated_at desc, stated.job_id, stated.run_id
    limit 1
) as own on true
left join schema_body as b on b.id = own.schema_id
order by asked.place
"""

MOST_RENAMES = 16
FOREVER = datetime.max.replace(tzinfo=timezone.utc)


async def fetch_kept_schemas(
    connection: Connection, renamed: dict[UUID, tuple[UUID, ...]]
) -> dict[UUID, tuple[bytes, str]]:
    """The schemas (id, JSON text) that renamed datasets have: stated since, or else what they brought with them.

    renamed: all names of each, its own among them.
    """
    kept: dict[UUID, tuple[bytes, str]] = {}
    wanted = {dataset: (names, FOREVER) for dataset, names in renamed.items()}
    for _ in range(MOST_RENAMES):
        if not wanted:
            break
        asked = list(dict.fromkeys(wanted.values()))
        numbered = [(place, name, until) for place, (names, until) in enumerate(asked) for name in names]
        rows = await connection.fetch(FETCH_SCHEMAS_SINCE, *(list(part) for part in zip(*numbered, strict=True)))
        by_names = dict(zip(asked, rows, strict=True))
        following: dict[UUID, tuple[tuple[UUID, ...], datetime]] = {}
        for dataset, key in wanted.items():
            row = by_names[key]
            if row["schema_id"] is not None:
                kept[dataset] = (row["schema_id"], row["fields"])
            elif row["old_names"] is not None:
                following[dataset] = (tuple(row["old_names"]), row["at"])
        wanted = following
    return kept


ORIGINS = ("write", "pending", "read")


async def fetch_datasets(connection: Connection, datasets: list[UUID]) -> dict[UUID, DatasetRow]:
    """Those of `datasets` that exist and aren't deleted, by the id that was asked for; of an alias, its root."""
    rows = await connection.fetch(FETCH_DATASETS, list(dict.fromkeys(datasets)), NONE)
    found = {asked: list(members) for asked, members in groupby(rows, key=lambda row: row["asked_id"])}
    united = {
        asked: _unite(members)
        for asked, members in found.items()
        if not all(member["only_mentioned"] or member["is_deleted"] for member in members)
    }
    renamed = {row.id: row.names for row in united.values() if row.became_at is not None or _is_made_anew(row)}
    if not renamed:
        return united
    kept = await fetch_kept_schemas(connection, renamed)
    return {
        asked: replace(row, schema_id=kept[row.id][0], fields=kept[row.id][1], schema_origin="write")
        if row.id in kept
        else replace(row, schema_id=None, fields=None, schema_origin=None)
        if row.schema_origin == "write" and row.id in renamed and not _is_gone(row)
        else row
        for asked, row in united.items()
    }


def _is_gone(row: DatasetRow) -> bool:
    """Whether what was called so has been renamed away, and nothing has had the name since."""
    if row.moved_at is None or (row.became_at is not None and row.became_at >= row.moved_at):
        return False
    return not _is_made_anew(row)


def _is_made_anew(row: DatasetRow) -> bool:
    """Whether something else was written under a name after what was called so had been renamed away."""
    if row.moved_at is None or row.written_at is None or row.written_at <= row.moved_at:
        return False
    return row.became_at is None or row.became_at < row.moved_at


def _unite(members: list[Any]) -> DatasetRow:
    """One dataset out of the states of its names, the root's first: of each thing the newest among them."""
    root = members[0]
    if len(members) == 1:  # as of most
        return _build(members, root, root, root, root["dropped_at"])
    told = [member for member in members if not member["only_mentioned"]]
    newest = max(told, key=_rank_write)
    present = [row for row in told if newest["future"] or not row["future"]]
    dropped = max((row["dropped_at"] for row in present if row["dropped_at"] is not None), default=None)
    gone = [row for row in present if row["dropped_at"] == dropped] if dropped is not None else []
    is_dropped = dropped is not None and (newest["written_at"] is None or dropped > newest["written_at"])
    current = gone[0] if is_dropped else newest
    shown = _find_schema(told, dropped) if len(told) > 1 else newest
    return _build(members, newest, current, shown, dropped)


def _build(members: list[Any], newest: Any, current: Any, shown: Any, dropped: datetime | None) -> DatasetRow:
    """`newest`: the name that was written last; `current`: the one whose life counts; `shown`: whose schema does."""
    root, told = members[0], [member for member in members if not member["only_mentioned"]]
    return DatasetRow(
        id=root["root_id"],
        namespace=root["namespace"],
        name=root["name"],
        names=tuple(member["id"] for member in members),
        written_id=newest["id"],
        moved_at=max((row["moved_at"] for row in members if row["moved_at"]), default=None),
        became_at=max((row["became_at"] for row in members if row["became_at"]), default=None),
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
        schema_origin=None if shown is None else shown["schema_origin"],
    )


def _rank_write(row: Any) -> tuple[bool, bool, datetime]:
    """How a name's newest write ranks among those of others; what was never written is below all."""
    written = row["written_at"] is not None
    return written and not row["future"], written, row["written_at"] or row["updated_at"]


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
        key=lambda row: (
            row["schema_origin"] != "read",
            not row["future"],
            -ORIGINS.index(row["schema_origin"]),
            row["written_at"] or row["updated_at"],
        ),
        default=None,
    )


LIST_DATASETS = """
select d.id
from dataset as d
where d.namespace_id = $1 and not d.hidden
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
