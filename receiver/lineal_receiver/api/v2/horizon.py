"""/api/v2/horizon and /api/v2/late: from which time on events are folded, and those that came too late for that."""

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.writes.body import read_object
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.api.v2.cursors import read_cursor, write_cursor
from lineal_receiver.api.v2.saying import read_limit, read_said
from lineal_receiver.ingest.times import parse_time
from lineal_receiver.store.read_horizon import LateRecord, count_late, find_horizon, list_late
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_COUNTED = 200_000
DATE = len("2026-01-31")


def build_arguments(asked: Mapping[str, Any], by: str, now: datetime) -> dict[str, Any]:
    """What the command that sets the horizon says; 422 for a time that can't be one."""
    text = asked.get("at")
    shown = f"{text}T00:00:00Z" if isinstance(text, str) and len(text) == DATE else text
    time = parse_time(shown)
    if time is None:
        raise problem(422, "bad-horizon", "'at' must be a date, or a time as RFC 3339 has it, such as 2026-01-31.")
    if time.instant > now:
        raise problem(422, "bad-horizon", "'at' is in the future: all events that come would be too late.")
    at = time.instant.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return {"at": at, **read_said(asked, by)}


async def build_horizon(connection: Connection) -> dict[str, Any]:
    """The horizon, null where there is none, and how many late records there are, counted to MOST_COUNTED."""
    found = await find_horizon(connection)
    said = None
    if found is not None and found.at is not None:
        said = {"at": found.at, "setAt": found.set_at, "by": found.made_by, "why": found.why}
    return {"horizon": said, "late": await count_late(connection, MOST_COUNTED)}


async def build_late(connection: Connection, asked: Mapping[str, str]) -> dict[str, Any]:
    """A page of late records, the last received first."""
    limit = read_limit(asked.get("limit"))
    rows = await list_late(connection, read_cursor(asked.get("cursor")), limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    following = None if last is None else write_cursor(last.received_at.isoformat(), last.id.hex())
    total = await count_late(connection, MOST_COUNTED)
    return {"late": [_describe(row) for row in rows[:limit]], "totalCount": total, "next": following}


def _describe(row: LateRecord) -> dict[str, Any]:
    return {
        "id": row.id.hex(),
        "kind": row.kind,
        "eventType": row.event_type,
        "eventTime": row.event_time,
        "receivedAt": row.received_at,
        "size": row.size,
    }


@router.get("/api/v2/horizon")
async def show(request: Request) -> Response:
    """The archive horizon; null: events of any age are folded."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(await build_horizon(connection))


@router.put("/api/v2/horizon")
async def put(request: Request) -> Response:
    """Events older than `at` are kept and not folded, from now on: {at, why, by}."""
    asked = (await read_object(request)).value
    arguments = build_arguments(asked, _sender(request), datetime.now(timezone.utc))
    await keep(request, "set_horizon", arguments)
    return await show(request)


@router.delete("/api/v2/horizon")
async def remove(request: Request) -> Response:
    """Events of any age are folded again, from now on; `why` and `by` are query parameters. 404: there is none."""
    async with snapshot(request.app.state.pool) as connection:
        await check_horizon(connection)
    await keep(request, "set_horizon", {"at": None, **read_said(request.query_params, _sender(request))})
    return await show(request)


async def check_horizon(connection: Connection) -> None:
    """404 if there is no horizon to take away."""
    found = await find_horizon(connection)
    if found is None or found.at is None:
        raise problem(404, "no-horizon", "there is no horizon: events of any age are folded")


@router.get("/api/v2/late")
async def late(request: Request) -> Response:
    """Records that were older than the horizon when they came; `limit` (100, at most 1,000), `cursor`."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(await build_late(connection, request.query_params))


def _sender(request: Request) -> str:
    return request.client.host if request.client else ""
