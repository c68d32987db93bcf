"""Which names are in lists: not those that another name stands for, that only aliases mention, or that are deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg

# Both tables are asked for the keys: plans from when they were small look at all of one for a join alone.
FIND_NEW = """
select d.id, d.hidden, exists (select from alias_route as r where r.namespace_id = d.namespace_id) as routed
from dataset as d
where d.id = any($1::uuid[])
union all
select j.id, s.hidden, exists (select from alias_route as r where r.namespace_id = j.namespace_id)
from job as j
join job_state as s on s.job_id = j.id and s.job_id = any($2::uuid[])
where j.id = any($2::uuid[])
union all
select n.id, n.hidden, false from namespace as n where n.id = any($3::uuid[])
"""


@dataclass(frozen=True, slots=True)
class Names:
    """Ids of datasets, jobs and namespaces that may be new; mentioned: of datasets that only aliases name."""

    datasets: Sequence[UUID] = ()
    jobs: Sequence[UUID] = ()
    namespaces: Sequence[UUID] = ()
    mentioned: Sequence[UUID] = ()

    def __bool__(self) -> bool:
        return bool(self.datasets or self.jobs or self.namespaces or self.mentioned)


async def find_new(connection: asyncpg.Connection, named: Names) -> tuple[set[UUID], set[UUID]]:
    """Those of these names that are in no list, and those whose namespace an operator's alias ever named."""
    datasets = [*named.datasets, *named.mentioned]
    rows = await connection.fetch(FIND_NEW, datasets, named.jobs, named.namespaces)
    return {row["id"] for row in rows if row["hidden"]}, {row["id"] for row in rows if row["routed"]}


HIDE_DATASETS = """
update dataset as d
set hidden = n.hidden
from (
    select
        k.id,
        exists (select from canon as c where c.id = k.id)
        or not (
            exists (select from dataset_state as s where s.dataset_id = k.id and s.created_at < 'infinity')
            or exists (
                select
                from canon as c
                join dataset_state as s on s.dataset_id = c.id and s.created_at < 'infinity'
                where c.root_id = k.id
            )
        )
        or exists (select from gone as g where g.entity_id = k.id) as hidden
    from (
        select w.id from unnest($1::uuid[]) as w (id)
        union
        select c.root_id from canon as c where c.id = any($1::uuid[])
    ) as k
) as n
where d.id = n.id and d.hidden <> n.hidden
returning d.namespace_id, d.hidden
"""

HIDE_JOBS = """
update job_state as j
set hidden = n.hidden
from (
    select
        k.id,
        exists (select from canon as c where c.id = k.id)
        or not (
            exists (select from job_state as s where s.job_id = k.id and s.created_at < 'infinity')
            or exists (
                select
                from canon as c
                join job_state as s on s.job_id = c.id and s.created_at < 'infinity'
                where c.root_id = k.id
            )
        )
        or exists (select from gone as g where g.entity_id = k.id) as hidden
    from (
        select w.id from unnest($1::uuid[]) as w (id)
        union
        select c.root_id from canon as c where c.id = any($1::uuid[])
    ) as k
) as n
where j.job_id = n.id and j.hidden <> n.hidden
returning j.namespace_id, j.hidden
"""

Listed = list[tuple[UUID, bool]]


async def hide_datasets(connection: asyncpg.Connection, names: Sequence[UUID]) -> Listed:
    """List each of these that is a dataset, or hide it; gives (namespace, hidden) of each that changed."""
    return [tuple(row) for row in await connection.fetch(HIDE_DATASETS, names)]


async def hide_jobs(connection: asyncpg.Connection, names: Sequence[UUID]) -> Listed:
    """List each of these that is a job, or hide it; gives (namespace, hidden) of each that changed."""
    return [tuple(row) for row in await connection.fetch(HIDE_JOBS, names)]


HIDE_NAMESPACES = """
update namespace as n
set hidden = k.hidden
from (
    select
        w.id,
        exists (select from canon as c where c.id = w.id)
        or not (
            exists (select from namespace as o where o.id = w.id and o.created_at < 'infinity')
            or exists (
                select
                from canon as c
                join namespace as o on o.id = c.id and o.created_at < 'infinity'
                where c.root_id = w.id
            )
            or exists (select from dataset as d where d.namespace_id = w.id and not d.hidden)
            or exists (select from job_state as j where j.namespace_id = w.id and not j.hidden)
            or exists (
                select
                from gone as g
                cross join lateral (
                    select g.entity_id as id
                    union all
                    select c.id from canon as c where c.root_id = g.entity_id
                ) as called
                where
                    g.namespace_id = w.id
                    and (
                        exists (
                            select from dataset_state as s where s.dataset_id = called.id and s.created_at < 'infinity'
                        )
                        or exists (
                            select from job_state as s where s.job_id = called.id and s.created_at < 'infinity'
                        )
                    )
            )
        ) as hidden
    from (
        select w.id from unnest($1::uuid[]) as w (id)
        union
        select c.root_id from canon as c where c.id = any($1::uuid[])
    ) as w
) as k
where n.id = k.id and n.hidden <> k.hidden
returning n.hidden
"""


async def hide_namespaces(connection: asyncpg.Connection, names: Sequence[UUID]) -> int:
    """List each of these that is a namespace, or hide it; gives by how many the list has grown."""
    return sum(-1 if row["hidden"] else 1 for row in await connection.fetch(HIDE_NAMESPACES, names))
