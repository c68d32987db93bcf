"""Content that is kept once, by the hash of what it says: schemas, facets, builds with their edges."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

INSERT_SCHEMAS = """
insert into schema_body (id, fields)
select r.id, r.fields
from unnest($1::bytea[], $2::text[]) as r (id, fields)
where not exists (select 1 from schema_body as s where s.id = r.id)
order by r.id
on conflict (id) do nothing
"""


async def insert_schemas(connection: asyncpg.Connection, rows: Sequence[tuple[bytes, str]]) -> None:
    """Keep schemas (id, fields as JSON)."""
    await connection.execute(INSERT_SCHEMAS, *transpose(rows, 2))


DELETE_SCHEMAS = "delete from schema_body where id = any($1::bytea[])"


async def delete_schemas(connection: asyncpg.Connection, ids: Sequence[bytes]) -> None:
    """Forget schemas that were derived, of a dataset that has another now."""
    await connection.execute(DELETE_SCHEMAS, ids)


FIND_BODIES = "select id, touched_day from facet_body where id = any($1::bytea[])"

INSERT_BODIES = """
insert into facet_body (id, body, touched_day)
select id, convert_from(body, 'UTF8'), touched_day
from unnest($1::bytea[], $2::bytea[], $3::date[]) as r (id, body, touched_day)
order by id
on conflict (id) do update set touched_day = excluded.touched_day where excluded.touched_day > facet_body.touched_day
"""


async def insert_bodies(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep facets (id, text in UTF-8, day), without sending those again that are there."""
    found = await connection.fetch(FIND_BODIES, [row[0] for row in rows])
    known = {row["id"]: row["touched_day"] for row in found}
    missing = [row for row in rows if row[0] not in known or known[row[0]] < row[2]]
    if missing:
        await connection.execute(INSERT_BODIES, *transpose(missing, 3))


FIND_BUILDS = "select id from build where id = any($1::bytea[])"

INSERT_BUILDS = """
insert into build (
    id, model_id, job_id, dataset_id, sql_hash, schema_hash, lineage_hash, out_columns, ref_relations, dialect,
    sqlglot_version, rules_version, status, error_message, edge_set_id, counts
)
select
    id, model_id, job_id, dataset_id, sql_hash, schema_hash, lineage_hash,
    array(select jsonb_array_elements_text(out_columns::jsonb)), ref_relations::jsonb, dialect,
    sqlglot_version, rules_version, status, error_message, edge_set_id, counts::jsonb
from unnest(
    $1::bytea[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[],
    $11::text[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::text[]
) as r (
    id, model_id, job_id, dataset_id, sql_hash, schema_hash, lineage_hash, out_columns, ref_relations, dialect,
    sqlglot_version, rules_version, status, error_message, edge_set_id, counts
)
order by id
on conflict (id) do nothing
"""


async def find_builds(connection: asyncpg.Connection, ids: Sequence[bytes]) -> set[bytes]:
    """Those of these builds that are kept already."""
    return {row["id"] for row in await connection.fetch(FIND_BUILDS, ids)}


async def insert_builds(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep builds; `out_columns`, `ref_relations` and `counts` are JSON texts."""
    await connection.execute(INSERT_BUILDS, *transpose(rows, 16))


INSERT_EDGE_SETS = """
insert into edge_set (id)
select id from unnest($1::bytea[]) as r (id)
order by id
on conflict (id) do nothing
returning id
"""


async def insert_edge_sets(connection: asyncpg.Connection, ids: Sequence[bytes]) -> set[bytes]:
    """Claim these edge sets; gives those that are new, whose edges and columns must follow."""
    return {row["id"] for row in await connection.fetch(INSERT_EDGE_SETS, ids)}


EDGE = (
    "edge_set_id", "target_field", "source_dataset", "source_field", "type", "subtype", "masking", "expression",
)  # fmt: skip
COLUMN = ("edge_set_id", "field", "position", "status", "reason", "message", "expression")


async def insert_edges(
    connection: asyncpg.Connection, edges: Sequence[tuple[Any, ...]], columns: Sequence[tuple[Any, ...]]
) -> None:
    """Keep the edges and columns of edge sets that this transaction has claimed: nobody else writes them.

    COPY takes half the time of an insert of arrays, and a quarter of it on our side; they are most rows of what is new.
    """
    await connection.copy_records_to_table("edge", records=edges, columns=EDGE)
    await connection.copy_records_to_table("edge_set_column", records=columns, columns=COLUMN)


INSERT_MADE_FROM = """
insert into made_from (source_dataset, job_id, target_dataset)
select n.source_dataset, n.job_id, n.target_dataset
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as n (source_dataset, job_id, target_dataset)
order by n.source_dataset, n.job_id, n.target_dataset
on conflict do nothing
"""


async def insert_made_from(connection: asyncpg.Connection, rows: Collection[tuple[UUID, UUID, UUID]]) -> None:
    """Keep what was ever made from what (source, job or none, target), in force or not."""
    await connection.execute(INSERT_MADE_FROM, *transpose(rows, 3))
