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


FETCH_NAMESPACES = """
select id, name, created_at
from (
    (select id, name, created_at from namespace order by left(name, 500), id limit $1::bigint + $2::bigint)
    union all
    select $3::uuid, $4::text, 'epoch'::timestamptz
    where not exists (select from namespace where id = $3)
) as named
order by left(name, 500), id
limit $1::bigint offset $2::bigint
"""


async def fetch_namespaces(
    connection: Connection, limit: int, offset: int, always: tuple[UUID, str]
) -> list[NamespaceRow]:
    """A page of the namespaces, by name; the one called `always` is among them whether anything named it or not."""
    rows = await connection.fetch(FETCH_NAMESPACES, limit, offset, *always)
    return [NamespaceRow(**row) for row in rows]


FIND_NAMESPACE = """
select id, name, created_at from namespace where id = $1
"""


async def find_namespace(connection: Connection, namespace: UUID) -> NamespaceRow | None:
    """The namespace, if any event named it."""
    row = await connection.fetchrow(FIND_NAMESPACE, namespace)
    return None if row is None else NamespaceRow(**row)
