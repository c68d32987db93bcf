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
select name, description from tag order by left(name, 500), id limit $1 offset $2
"""


async def list_tags(connection: Connection, limit: int, offset: int) -> list[TagRow]:
    """A page of the tags, by name."""
    return [TagRow(**row) for row in await connection.fetch(LIST_TAGS, limit, offset)]


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
