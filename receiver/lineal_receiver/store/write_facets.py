"""Facets' registers, and the sets of facets that ends of runs carry."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lineal_receiver.store.arrays import transpose

INSERT_FACETS = """
insert into facet (entity_id, scope_id, side, name, key, at, body_id, deleted)
select entity_id, scope_id, side::"char", name, key, at, body_id, body_id is null
from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[], $7::bytea[]
) as r (entity_id, scope_id, side, name, key, at, body_id)
order by entity_id, scope_id, side, name
"""


async def insert_facets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add facets (as `upsert_facets`) of runs that this transaction added, so that nothing is there."""
    await connection.execute(INSERT_FACETS, *transpose(rows, 7))


UPSERT_FACETS = """
insert into facet as f (entity_id, scope_id, side, name, key, at, body_id, deleted)
select entity_id, scope_id, side::"char", name, key, at, body_id, body_id is null
from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[], $7::bytea[]
) as r (entity_id, scope_id, side, name, key, at, body_id)
order by entity_id, scope_id, side, name
on conflict (entity_id, scope_id, side, name) do update set
    key = excluded.key,
    at = excluded.at,
    body_id = excluded.body_id,
    deleted = excluded.deleted
where excluded.key > f.key
"""


async def upsert_facets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join facets' registers (entity, scope, side, name, key, time, body) with these."""
    await connection.execute(UPSERT_FACETS, *transpose(rows, 7))


DELETE_BEATEN_FACETS = """
delete from facet as f
using unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[]) as k (entity_id, scope_id, side, name, key)
where
    f.entity_id = k.entity_id and f.scope_id = k.scope_id and f.side = k.side::"char" and f.name = k.name
    and f.key < k.key
"""


async def delete_beaten_facets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Forget registers (entity, scope, side, name, key) that say what they say by a lesser key."""
    await connection.execute(DELETE_BEATEN_FACETS, *transpose(rows, 5))


FETCH_RUN_SETS = """
select k.job_id, k.run_id, r.end_key, r.facet_set_key, r.facet_set_id
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run as r on r.job_id = k.job_id and r.run_id = k.run_id
"""


async def fetch_run_sets(connection: asyncpg.Connection, runs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Of these (locked) runs: the end that decides, and the set that is kept of one that did."""
    rows: list[Any] = await connection.fetch(FETCH_RUN_SETS, *transpose(runs, 2))
    return rows


UPDATE_RUN_SETS = """
update run as r
set facet_set_key = n.key, facet_set_id = n.set_id
from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[]) as n (job_id, run_id, key, set_id)
where r.job_id = n.job_id and r.run_id = n.run_id and r.facet_set_key is distinct from n.key
"""


async def update_run_sets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep which set the deciding end of (job, run) carries, with its key; None: none."""
    await connection.execute(UPDATE_RUN_SETS, *transpose(rows, 4))


FIND_SETS = "select distinct set_id from facet_set where set_id = any($1::bytea[])"

INSERT_SETS = """
insert into facet_set (set_id, entity_id, side, name, body_id)
select n.set_id, n.entity_id, n.side::"char", n.name, n.body_id
from unnest($1::bytea[], $2::uuid[], $3::text[], $4::text[], $5::bytea[]) as n (set_id, entity_id, side, name, body_id)
order by n.set_id, n.entity_id, n.side, n.name
on conflict do nothing
"""


async def find_facet_sets(connection: asyncpg.Connection, ids: Sequence[bytes]) -> set[bytes]:
    """Those of these sets that are kept already."""
    return {row["set_id"] for row in await connection.fetch(FIND_SETS, ids)}


async def insert_facet_sets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep whole sets of facets: (set, entity, side, name, content)."""
    await connection.execute(INSERT_SETS, *transpose(rows, 5))


FETCH_SETS = """
select set_id, entity_id, side::text as side, name, body_id from facet_set where set_id = any($1::bytea[])
"""


async def fetch_facet_sets(connection: asyncpg.Connection, ids: Sequence[bytes]) -> list[Any]:
    """The members of these sets."""
    rows: list[Any] = await connection.fetch(FETCH_SETS, ids)
    return rows
