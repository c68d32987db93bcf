"""Keep soft deletions, and see to it that what is put after one is newer than what it knew."""

from datetime import datetime
from uuid import UUID

from starlette.requests import Request

from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.store.read_hidden import fetch_deleted_at
from lineal_receiver.store.read_newest import list_records_at
from lineal_receiver.store.read_snapshot import snapshot


async def keep_deletion(request: Request, newest: datetime | None, **named: str) -> None:
    """Delete what is `named` (kind, namespace, name), whose newest event is of this time."""
    ids: list[str] = []
    if newest is not None:
        async with snapshot(request.app.state.pool) as connection:
            ids = await list_records_at(connection, newest)
    await keep(request, "delete", {**named, "at": None if newest is None else newest.isoformat(), "ids": ids})


async def fetch_mark(request: Request, *entities: UUID) -> datetime | None:
    """The time that a command must be later than to revive these entities."""
    async with snapshot(request.app.state.pool) as connection:
        return await fetch_deleted_at(connection, list(entities))
