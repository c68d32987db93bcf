"""What is deleted, and so shown nowhere until an event revives it."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FETCH_HIDDEN = """
select g.entity_id from gone as g where g.entity_id = any($1::uuid[])
"""


async def fetch_hidden(connection: Connection, entities: Iterable[UUID]) -> set[UUID]:
    """Those of these namespaces, jobs and datasets that are deleted under all of their names."""
    return {row["entity_id"] for row in await connection.fetch(FETCH_HIDDEN, list(set(entities)))}


FETCH_DELETED_AT = """
select max(t.at) from tombstone as t where t.entity_id = any($1::uuid[])
"""


async def fetch_deleted_at(connection: Connection, entities: list[UUID]) -> datetime | None:
    """The time of the newest event that the deletions of these entities knew; None if none was ever deleted."""
    at: datetime | None = await connection.fetchval(FETCH_DELETED_AT, entities)
    return at


ANY_HIDDEN = """
select exists (select from hidden)
"""


class Hidden:
    """What is deleted, asked for only where anything is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._any: bool | None = None

    async def any(self) -> bool:
        """Whether anything is; looked up once."""
        if self._any is None:
            self._any = bool(await self._connection.fetchval(ANY_HIDDEN))
        return self._any

    async def among(self, entities: Iterable[UUID]) -> set[UUID]:
        """Those of `entities` that are deleted."""
        return await fetch_hidden(self._connection, entities) if await self.any() else set()
