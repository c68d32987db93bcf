"""Namespaces by name."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class NamespaceRow:
    """A namespace."""

    id: UUID
    name: str
    created_at: datetime
    updated_at: datetime
    owner: str | None = None
    description: str | None = None
    hidden: bool = False


FETCH_NAMESPACES = """
select
    named.id,
    named.name,
    named.created_at,
    greatest(named.created_at, s.updated_at) as updated_at,
    s.owner,
    s.description,
    exists (select from hidden as h where h.entity_id = named.id) as hidden
from (
    select id, name, created_at
    from (
        (
            select id, name, created_at
            from namespace
            where not hidden
            order by left(name, 500), id
            limit $1::bigint + $2::bigint
        )
        union all
        (
            select n.id, n.name, 'epoch'
            from namespace as n
            where n.hidden and not exists (select from canon as c where c.id = n.id)
            order by left(n.name, 500), n.id
            limit $1::bigint + $2::bigint
        )
        union all
        select $3::uuid, $4::text, 'epoch'::timestamptz
        where not exists (select from namespace where id = $3)
    ) as every
    order by left(name, 500), id
    limit $1::bigint offset $2::bigint
) as named
left join namespace_state as s on s.namespace_id = named.id
order by left(named.name, 500), named.id
"""


async def fetch_namespaces(
    connection: Connection, limit: int, offset: int, always: tuple[UUID, str]
) -> list[NamespaceRow]:
    """A page of the namespaces, by name; the one called `always` is among them whether anything named it or not.

    One that only an alias names (a symlink's) has no time of its own: the epoch.
    """
    rows = await connection.fetch(FETCH_NAMESPACES, limit, offset, *always)
    return [NamespaceRow(**row) for row in rows]


FIND_NAMESPACE = """
select
    n.id,
    n.name,
    case when n.hidden then 'epoch' else n.created_at end as created_at,
    greatest(case when n.hidden then 'epoch' else n.created_at end, s.updated_at) as updated_at,
    s.owner,
    s.description,
    exists (select from hidden as h where h.entity_id = n.id) as hidden
from namespace as n
left join namespace_state as s on s.namespace_id = n.id
where n.id = coalesce((select c.root_id from canon as c where c.id = $1), $1)
"""


async def find_namespace(connection: Connection, namespace: UUID) -> NamespaceRow | None:
    """The namespace, if any event named it."""
    row = await connection.fetchrow(FIND_NAMESPACE, namespace)
    return None if row is None else NamespaceRow(**row)
