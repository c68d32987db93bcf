"""GET /api/v1/events/lineage: run events as they were sent."""

from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timezone
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lineal_receiver.api.answers import CUT_HEADER, encode
from lineal_receiver.api.queries import Page, Text, page, read_time
from lineal_receiver.api.refusals import no_route
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.shapes.events import build_event
from lineal_receiver.store.read_events import (
    EventKey,
    count_events,
    fetch_event_bodies,
    list_events_newest_first,
    list_events_oldest_first,
)
from lineal_receiver.store.read_snapshot import Pool, snapshot

router = read_router()

FIRST = datetime(1, 1, 1, tzinfo=timezone.utc)
LAST = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc)
MOST_BYTES_AT_ONCE = 8_000_000


@router.get("/api/v1/events/lineage")
async def list_all(
    request: Request,
    page: Annotated[Page, Depends(page)],
    before: Annotated[Text, Query(description="only events earlier than this")] = None,
    after: Annotated[Text, Query(description="only events at or later than this")] = None,
    sort_direction: Annotated[Text, Query(alias="sortDirection", description="desc or asc")] = None,
) -> Response:
    """Run events by event time, the newest first unless sortDirection is asc."""
    start, end = read_time(after, FIRST), read_time(before, LAST)
    direction = (sort_direction or "desc").lower()
    if direction not in {"asc", "desc"}:
        raise no_route()
    list_events = list_events_newest_first if direction == "desc" else list_events_oldest_first
    pool: Pool = request.app.state.pool
    async with snapshot(pool, "by time") as connection:
        total = await count_events(connection, start, end)
        keys = await list_events(connection, start, end, page.limit, page.offset)
    headers = {CUT_HEADER: page.cut} if page.cut else {}
    return StreamingResponse(_write(pool, keys, total), media_type="application/json", headers=headers)


async def _write(pool: Pool, keys: list[EventKey], total: int) -> AsyncIterator[bytes]:
    """The answer in parts, so that a page of large events is never in memory at once."""
    yield b'{"events":['
    comma = b""
    for batch in _split(keys):
        async with snapshot(pool) as connection:
            bodies = await fetch_event_bodies(connection, batch)
        for key in batch:
            if key.id in bodies:
                yield comma + build_event(bodies[key.id])
                comma = b","
    yield b'],"totalCount":' + encode(total) + b"}"


def _split(keys: list[EventKey]) -> Iterator[list[EventKey]]:
    batch: list[EventKey] = []
    size = 0
    for key in keys:
        if batch and size + key.size > MOST_BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(key)
        size += key.size
    if batch:
        yield batch
