"""Columns as they were at a time: what builds made them from, and the schemas that were stated until then."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from lineal_receiver.ids import first_key
from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import NameAt

STEP_IN_SETS = """
select k.place, e.target_field, e.source_dataset, e.source_field, e.type, e.subtype, e.masking, e.expression
from unnest($1::integer[], $2::bytea[], $3::text[]) as k(place, edge_set_id, field)
cross join lateral (
    select *
    from edge as made
    where made.edge_set_id = k.edge_set_id and made.target_field = k.field and (made.target_field <> '' or $5)
    order by made.source_dataset, made.source_field, made.type, made.subtype
    limit $4
) as e
limit $4
"""


async def step_in_sets(
    connection: Connection, columns: list[tuple[int, bytes, str]], limit: int, *, rows: bool = False
) -> list[asyncpg.Record]:
    """The edges into columns (the asker's number, edge set, field), `limit` of them: each with the number.

    With `rows`, the field '' is that of what decides the rows.
    """
    if not columns:
        return []
    return list(await connection.fetch(STEP_IN_SETS, *(list(part) for part in zip(*columns, strict=True)), limit, rows))


LIST_FIELDS_OF_SETS = """
select distinct k.dataset_id, c.field
from unnest($1::uuid[], $2::bytea[]) as k(dataset_id, edge_set_id)
join edge_set_column as c on c.edge_set_id = k.edge_set_id
order by k.dataset_id, c.field
limit $3
"""


async def list_fields_of_sets(connection: Connection, sets: list[tuple[UUID, bytes]], limit: int) -> list[Column]:
    """The columns of datasets that edge sets (dataset, edge set) make, or say that they can't tell about."""
    datasets, ids = [dataset for dataset, _ in sets], [one for _, one in sets]
    rows = await connection.fetch(LIST_FIELDS_OF_SETS, datasets, ids, limit) if sets else []
    return [(row["dataset_id"], row["field"]) for row in rows]


@dataclass(frozen=True, slots=True)
class SchemaAt:
    """Under one name: the newest schema that was stated until a time (JSON text), and the newest DROP."""

    place: int
    stated_at: datetime | None
    fields: str | None
    dropped_at: datetime | None


FETCH_SCHEMAS_AT = """
select k.place, stated.effective_at as stated_at, b.fields, dropped.effective_at as dropped_at
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as k(place, dataset_id, since, until)
left join lateral (
    select s.schema_id, s.stated_at as effective_at
    from schema_stated(k.dataset_id, false, k.since, k.until) as s
) as stated on true
left join lateral (
    select io.effective_at
    from run_io as io
    where
        uuid_send(io.dataset_id) = uuid_send(k.dataset_id)
        and io.side = 'o'
        and io.class = 2
        and not io.future
        and io.lifecycle = 'DROP'
        and io.effective_at between k.since and k.until
    order by io.effective_at desc
    limit 1
) as dropped on true
left join schema_body as b on b.id = stated.schema_id
where stated.schema_id is not null or dropped.effective_at is not null
"""


async def fetch_schemas_at(connection: Connection, names: list[NameAt]) -> list[SchemaAt]:
    """What was stated of `names` in their times, of those of which anything was."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [SchemaAt(**row) for row in await connection.fetch(FETCH_SCHEMAS_AT, *columns)]


FETCH_SCHEMAS_AS_READ = """
select s.dataset_id, b.fields
from dataset_state as s
join schema_body as b on b.id = s.schema_id
where
    s.dataset_id = any($1::uuid[])
    and s.schema_origin = 'read'
    and not exists (
        select
        from reader_schema as r
        where
            r.dataset_id = s.dataset_id
            and (substring(r.key from 1 for 8) > $2 or substring(r.key from 1 for 8) = int8send(0))
    )
"""


async def fetch_schemas_as_read(connection: Connection, datasets: list[UUID], at: datetime) -> dict[UUID, str]:
    """The schemas (JSON text) of those of `datasets` that nobody writes, where all was read until a time."""
    rows = await connection.fetch(FETCH_SCHEMAS_AS_READ, datasets, first_key(at)) if datasets else []
    return {row["dataset_id"]: row["fields"] for row in rows}


LIST_TARGETS_OF_WRITE = """
select distinct made.dataset_id, e.target_field as field
from (
    select distinct on (io.dataset_id) io.dataset_id, coalesce(io.told_build_id, io.build_id) as build_id
    from run_io as io
    where
        io.dataset_id = any($2::uuid[])
        and io.job_id = $1
        and io.side = 'o'
        and io.class = 2
        and io.effective_at <= $3
        and io.has_build
    order by io.dataset_id, io.effective_at desc, io.run_id
) as made
join build as b on b.id = made.build_id
join edge as e on e.edge_set_id = b.edge_set_id
where e.target_field <> ''
order by made.dataset_id, field
"""


async def list_targets_of_write(connection: Connection, job: UUID, datasets: list[UUID], at: datetime) -> list[Column]:
    """The columns that a job's newest writes of `datasets` until then made."""
    rows = await connection.fetch(LIST_TARGETS_OF_WRITE, job, datasets, at)
    return [(row["dataset_id"], row["field"]) for row in rows]
