"""Operators' aliases and symlinks as they are in force, and names to look for likely pairs in."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

NAMED = """
select x.id, x.kind, x.namespace, x.name
from (
    select n.id, 'namespace' as kind, n.name as namespace, null::text as name from namespace as n
    where n.id = any($1::uuid[])
    union all
    select d.id, 'dataset', n.name, d.name from dataset as d join namespace as n on n.id = d.namespace_id
    where d.id = any($1::uuid[])
    union all
    select j.id, 'job', n.name, j.name from job as j join namespace as n on n.id = j.namespace_id
    where j.id = any($1::uuid[])
) as x
"""

Name = tuple[str, str | None]


async def fetch_any_names(connection: Connection, ids: list[UUID]) -> dict[UUID, Name]:
    """(namespace, name) of these namespaces (whose name is None), datasets and jobs."""
    return {row["id"]: (row["namespace"], row["name"]) for row in await connection.fetch(NAMED, ids)}


@dataclass(frozen=True, slots=True)
class AliasRow:
    """A name that counts as another: by an operator (since) or by a symlink. root: what it counts as in the end."""

    id: UUID
    kind: str
    origin: str
    target_id: UUID
    root_id: UUID
    since: datetime | None
    disputed: bool


LIST_ALIASES = """
select a.id, a.kind, a.origin, a.target_id, coalesce(c.root_id, a.id) as root_id, a.since, a.disputed
from (
    (
        select o.id, o.kind, 'operator' as origin, o.target_id, o.at as since, coalesce(p.disputed, false) as disputed
        from alias_order as o
        left join alias_pointer as p on p.id = o.id
        where
            o.target_id is not null
            and ($1::text is null or o.kind = $1)
            and ($2::text is null or $2 = 'operator')
            and ($3::uuid is null or o.id > $3)
        order by o.id
        limit $4
    )
    union all
    (
        select p.id, 'dataset', 'symlink', p.claimed_id, null, p.disputed
        from alias_pointer as p
        where
            p.claimed_id is not null
            and p.ordered_id is null
            and ($1::text is null or $1 = 'dataset')
            and ($2::text is null or $2 = 'symlink')
            and ($3::uuid is null or p.id > $3)
        order by p.id
        limit $4
    )
) as a
left join canon as c on c.id = a.id
order by a.id
limit $4
"""


async def list_aliases(
    connection: Connection, kind: str | None, origin: str | None, after: UUID | None, limit: int
) -> list[AliasRow]:
    """A page of the aliases in force by id: of a kind (namespace, dataset, job), of an origin (operator, symlink)."""
    return [AliasRow(**row) for row in await connection.fetch(LIST_ALIASES, kind, origin, after, limit)]


FIND_ORDER = """
select o.target_id from alias_order as o where o.id = $1
"""


async def find_order(connection: Connection, name: UUID) -> UUID | None:
    """What a name counts as by an operator's alias of it in force, if there is one."""
    target: UUID | None = await connection.fetchval(FIND_ORDER, name)
    return target


FOLLOW_ORDERS = """
with recursive followed (id) as (
    select $1::uuid
    union
    select o.target_id
    from followed as f
    join alias_order as o on o.id = f.id
    where o.target_id is not null
)
select id from followed
"""


async def follow_orders(connection: Connection, name: UUID) -> set[UUID]:
    """A name, and all that operators' aliases lead on to from it."""
    return {row["id"] for row in await connection.fetch(FOLLOW_ORDERS, name)}


LIST_NAMESPACES_IN_USE = """
select n.name, coalesce(d.n, 0) + coalesce(j.n, 0) as uses
from (select id, name from namespace where not hidden limit $1) as n
left join total as d on d.scope = n.id and d.kind = 'datasets'
left join total as j on j.scope = n.id and j.kind = 'jobs'
order by uses desc, left(n.name, 500), n.name
"""


async def list_namespaces_in_use(connection: Connection, limit: int) -> list[tuple[str, int]]:
    """Up to `limit` namespaces with how many datasets and jobs each has, the most used first."""
    return [(row["name"], row["uses"]) for row in await connection.fetch(LIST_NAMESPACES_IN_USE, limit)]


LIST_LIKE_DATASETS = """
select n.name as namespace, l.names
from (
    select d.namespace_id, array_agg(d.name order by s.updated_at desc, d.id) as names
    from (
        select id, namespace_id, name from dataset where not hidden and ($1::uuid is null or namespace_id = $1) limit $2
    ) as d
    join dataset_state as s on s.dataset_id = d.id
    group by d.namespace_id, coalesce(nullif(btrim(lower(translate(d.name, '"`[]', '')), '/'), ''), d.name)
    having count(*) > 1
    limit $3
) as l
join namespace as n on n.id = l.namespace_id
order by left(n.name, 500), l.names
"""

LIST_LIKE_JOBS = """
select n.name as namespace, l.names
from (
    select j.namespace_id, array_agg(j.name order by s.updated_at desc, j.id) as names
    from (
        select job_id, namespace_id, updated_at
        from job_state
        where not hidden and ($1::uuid is null or namespace_id = $1)
        limit $2
    ) as s
    join job as j on j.id = s.job_id
    group by j.namespace_id, coalesce(nullif(btrim(lower(translate(j.name, '"`[]', '')), '/'), ''), j.name)
    having count(*) > 1
    limit $3
) as l
join namespace as n on n.id = l.namespace_id
order by left(n.name, 500), l.names
"""


async def list_like_names(
    connection: Connection, kind: str, namespace: UUID | None, among: int, limit: int
) -> list[tuple[str, list[str]]]:
    """(namespace, names, the last updated first) that differ in case, quotes or outer slashes only, `among` so many."""
    sql = LIST_LIKE_DATASETS if kind == "dataset" else LIST_LIKE_JOBS
    return [(row["namespace"], row["names"]) for row in await connection.fetch(sql, namespace, among, limit)]
