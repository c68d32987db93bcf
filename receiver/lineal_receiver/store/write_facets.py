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


FETCH_END_FACETS = """
select k.scope_id, r.end_key, f.key, f.at, f.set_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (scope_id, job_id, run_id)
join run as r on r.job_id = k.job_id and r.run_id = k.run_id
left join end_facets as f on f.scope_id = k.scope_id
"""


async def fetch_end_facets(connection: asyncpg.Connection, runs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Of these (locked) runs (scope, job, run): the end that decides, and the set that was kept of one."""
    rows: list[Any] = await connection.fetch(FETCH_END_FACETS, *transpose(runs, 3))
    return rows


UPSERT_END_FACETS = """
insert into end_facets as f (scope_id, key, at, set_id)
select n.scope_id, n.key, n.at, n.set_id
from unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::bytea[]) as n (scope_id, key, at, set_id)
order by n.scope_id
on conflict (scope_id) do update set key = excluded.key, at = excluded.at, set_id = excluded.set_id
where f.key <> excluded.key
"""


async def upsert_end_facets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep which set the deciding end of a run carries: (scope, key, time, set)."""
    await connection.execute(UPSERT_END_FACETS, *transpose(rows, 4))


DELETE_END_FACETS = "delete from end_facets where scope_id = any($1::uuid[])"


async def delete_end_facets(connection: asyncpg.Connection, scopes: Sequence[Any]) -> None:
    """These runs' deciding ends carry no facets."""
    await connection.execute(DELETE_END_FACETS, scopes)


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
