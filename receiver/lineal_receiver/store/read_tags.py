"""Tags: which there are, and which are on what."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

MOST_TAGS = 10_000


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag."""

    name: str
    description: str | None


LIST_TAGS = """
select named.name, named.description
from (
    (
        select t.id, t.name, case when t.key is null then a.description else t.description end as description
        from tag as t
        left join unnest($3::uuid[], $4::text[], $5::text[]) as a (id, name, description) on a.id = t.id
        order by left(t.name, 500), t.id
        limit $1::bigint + $2::bigint
    )
    union all
    select a.id, a.name, a.description
    from unnest($3::uuid[], $4::text[], $5::text[]) as a (id, name, description)
    where not exists (select from tag as t where t.id = a.id)
) as named
order by left(named.name, 500), named.id
limit $1::bigint offset $2::bigint
"""


async def list_tags(
    connection: Connection, limit: int, offset: int, always: list[tuple[UUID, str, str]]
) -> list[TagRow]:
    """A page of the tags, by name; those that are `always` there (id, name, description) are, used or not."""
    rows = await connection.fetch(LIST_TAGS, limit, offset, *(list(column) for column in zip(*always, strict=True)))
    return [TagRow(**row) for row in rows]


FIND_TAG = """
select name, description from tag where id = $1
"""


async def find_tag(connection: Connection, tag: UUID) -> TagRow | None:
    """The tag, if there is one."""
    row = await connection.fetchrow(FIND_TAG, tag)
    return None if row is None else TagRow(**row)


@dataclass(frozen=True, slots=True)
class TaggedRow:
    """When a tag was last added to, and removed from, an entity (field '') or one of its fields."""

    entity_id: UUID
    field: str
    tag: str
    added_at: datetime | None
    removed_at: datetime | None


FETCH_TAGGED = """
select entity_id, field, tag, added_at, removed_at
from tagged
where entity_id = any($1::uuid[])
order by entity_id, field, tag
"""


async def fetch_tagged(connection: Connection, entities: list[UUID]) -> dict[UUID, list[TaggedRow]]:
    """What was added to and removed from jobs or datasets, and their fields."""
    found: dict[UUID, list[TaggedRow]] = {}
    for row in await connection.fetch(FETCH_TAGGED, entities):
        found.setdefault(row["entity_id"], []).append(TaggedRow(**row))
    return found
