"""Operators' aliases: which name counts as which, and, of a namespace, what its names are called elsewhere."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

UPSERT_ORDERS = """
insert into alias_order as o (id, kind, target_id, key, at)
select n.id, n.kind, n.target_id, n.key, n.at
from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[], $5::timestamptz[]) as n (id, kind, target_id, key, at)
order by n.id
on conflict (id) do update set target_id = excluded.target_id, key = excluded.key, at = excluded.at
where excluded.key > o.key
returning id, kind
"""

INSERT_ROUTES = """
insert into alias_route (namespace_id, target_id)
select n.namespace_id, n.target_id
from unnest($1::uuid[], $2::uuid[]) as n (namespace_id, target_id)
order by n.namespace_id, n.target_id
on conflict do nothing
returning namespace_id
"""


async def upsert_orders(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> list[tuple[UUID, str]]:
    """Keep the newest order of each name (id, kind, target, key, at); gives (id, kind) of those that changed."""
    return [tuple(row) for row in await connection.fetch(UPSERT_ORDERS, *transpose(rows, 5))]


async def insert_routes(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, UUID]]) -> set[UUID]:
    """Keep that namespaces were ordered to others at some time, in force or not; gives those with new ones."""
    found = await connection.fetch(INSERT_ROUTES, *transpose(rows, 2))
    return {row["namespace_id"] for row in found}


INSERT_NAMESPACES = """
insert into namespace (id, name, created_at, hidden)
select r.id, r.name, 'infinity', true
from unnest($1::uuid[], $2::text[]) as r (id, name)
where not exists (select from namespace as n where n.id = r.id)
order by r.id
on conflict (id) do nothing
"""

INSERT_DATASETS = """
insert into dataset (id, namespace_id, name, hidden)
select r.id, r.namespace_id, r.name, true
from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (id, namespace_id, name)
where not exists (select from dataset as d where d.id = r.id)
order by r.id
on conflict (id) do nothing
"""

INSERT_DATASET_STATES = """
insert into dataset_state (dataset_id, namespace_id, created_at, updated_at)
select r.id, r.namespace_id, 'infinity', 'infinity'
from unnest($1::uuid[], $2::uuid[]) as r (id, namespace_id)
where not exists (select from dataset_state as s where s.dataset_id = r.id)
order by r.id
on conflict (dataset_id) do nothing
"""

INSERT_JOBS = """
insert into job (id, namespace_id, name)
select r.id, r.namespace_id, r.name
from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (id, namespace_id, name)
where not exists (select from job as j where j.id = r.id)
order by r.id
on conflict (id) do nothing
"""

INSERT_JOB_STATES = """
insert into job_state (job_id, namespace_id, created_at, placeholder, hidden)
select r.id, r.namespace_id, 'infinity', true, true
from unnest($1::uuid[], $2::uuid[]) as r (id, namespace_id)
where not exists (select from job_state as s where s.job_id = r.id)
order by r.id
on conflict (job_id) do nothing
"""


async def insert_namespaces(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, str]]) -> None:
    """Namespaces (id, name) that only an alias mentions, if they aren't there: in no list."""
    await connection.execute(INSERT_NAMESPACES, *transpose(rows, 2))


async def insert_datasets(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, UUID, str]]) -> None:
    """Datasets (id, namespace, name) that only an alias mentions, if they aren't there: in no list."""
    await connection.execute(INSERT_DATASETS, *transpose(rows, 3))
    await connection.execute(INSERT_DATASET_STATES, *transpose((row[:2] for row in rows), 2))


async def insert_jobs(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, UUID, str]]) -> None:
    """Jobs (id, namespace, name) that only an alias mentions, if they aren't there: in no list."""
    await connection.execute(INSERT_JOBS, *transpose(rows, 3))
    await connection.execute(INSERT_JOB_STATES, *transpose((row[:2] for row in rows), 2))


FETCH_SPREAD = """
with recursive spread (kind, namespace_id, name) as (
    (
        select 'dataset', d.namespace_id, d.name
        from dataset as d
        where
            d.id = any($1::uuid[]) and exists (select from alias_route as r where r.namespace_id = d.namespace_id)
        union all
        select 'dataset', d.namespace_id, d.name
        from alias_route as r
        join dataset as d on d.namespace_id = r.namespace_id
        where r.namespace_id = any($2::uuid[])
        union all
        select 'job', j.namespace_id, j.name
        from job as j
        where
            j.id = any($1::uuid[]) and exists (select from alias_route as r where r.namespace_id = j.namespace_id)
        union all
        select 'job', j.namespace_id, j.name
        from alias_route as r
        join job as j on j.namespace_id = r.namespace_id
        where r.namespace_id = any($2::uuid[])
    )
    union
    select s.kind, r.target_id, s.name
    from spread as s
    join alias_route as r on r.namespace_id = s.namespace_id
)
select s.kind, named_id(s.kind, n.name, s.name) as id, n.id as namespace_id, s.name
from spread as s
join namespace as n on n.id = s.namespace_id
order by 1, 2
"""


async def fetch_spread(
    connection: asyncpg.Connection, names: Sequence[UUID], namespaces: Sequence[UUID]
) -> list[tuple[str, UUID, UUID, str]]:
    """(kind, id, namespace, name) of these names, of all in these namespaces, and of their like wherever they lead.

    Only of names in namespaces that were ordered to others at some time.
    """
    return [tuple(row) for row in await connection.fetch(FETCH_SPREAD, names, namespaces)]
