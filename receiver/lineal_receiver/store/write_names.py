"""Names of namespaces, jobs and datasets: only ever added."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

INSERT_NAMESPACES = """
insert into namespace (id, name, created_at, hidden)
select r.id, r.name, coalesce(r.created_at, 'infinity'), r.created_at is null
from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as r (id, name, created_at)
where not exists (
    select 1 from namespace as n where n.id = r.id and n.created_at <= coalesce(r.created_at, 'infinity')
)
order by r.id
on conflict (id) do update set created_at = excluded.created_at where excluded.created_at < namespace.created_at
returning xmax = 0 and not hidden as added
"""


async def insert_namespaces(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> int:
    """Add namespaces (id, name, first named at; None: only an alias mentions it); gives how many lists have gained."""
    found = await connection.fetch(INSERT_NAMESPACES, *transpose(rows, 3))
    return sum(row["added"] for row in found)


INSERT_JOBS = """
insert into job (id, namespace_id, name)
select r.id, r.namespace_id, r.name
from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (id, namespace_id, name)
where not exists (select 1 from job as j where j.id = r.id)
order by r.id
on conflict (id) do nothing
returning namespace_id
"""


async def insert_jobs(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> Counter[UUID]:
    """Add jobs (id, namespace, name); gives how many are new in each namespace."""
    return Counter(row["namespace_id"] for row in await connection.fetch(INSERT_JOBS, *transpose(rows, 3)))


INSERT_DATASETS = """
insert into dataset (id, namespace_id, name, hidden)
select r.id, r.namespace_id, r.name, r.hidden
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) as r (id, namespace_id, name, hidden)
where not exists (select 1 from dataset as d where d.id = r.id)
order by r.id
on conflict (id) do nothing
returning namespace_id, hidden
"""


async def insert_datasets(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> Counter[UUID]:
    """Add datasets (id, namespace, name, hidden: only an alias mentions it); gives how many lists have gained."""
    found = await connection.fetch(INSERT_DATASETS, *transpose(rows, 4))
    return Counter(row["namespace_id"] for row in found if not row["hidden"])


ADD_TOTALS = """
insert into total (scope, kind, n)
select scope, kind, n
from unnest($1::uuid[], $2::text[], $3::bigint[]) as t (scope, kind, n)
order by scope, kind
on conflict (scope, kind) do update set n = total.n + excluded.n
"""


DELETE_EMPTY_TOTALS = """
delete from total as t
using unnest($1::uuid[], $2::text[]) as k (scope, kind)
where t.scope = k.scope and t.kind = k.kind and t.n = 0
"""


async def add_totals(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, str, int]]) -> None:
    """Count rows that were really inserted, by (scope, kind)."""
    await connection.execute(ADD_TOTALS, *transpose(rows, 3))
    less = [(scope, kind) for scope, kind, count in rows if count < 0]
    if less:  # nothing, and nothing any more, are the same
        await connection.execute(DELETE_EMPTY_TOTALS, *transpose(less, 2))
