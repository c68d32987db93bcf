"""/api/v2/events: what was sent, listed, and one by its id with its body."""

import re
from datetime import date, datetime, timezone
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import read_choice, read_number
from lineal_receiver.api.v2.cursors import read_cursor, write_cursor
from lineal_receiver.api.v2.graph.evidence import name_event
from lineal_receiver.api.v2.parameters import Described, describe
from lineal_receiver.ids import run_uuid
from lineal_receiver.store.read_recorded import (
    RecordedRow,
    fetch_body,
    find_recorded,
    list_recorded,
    list_recorded_of_run,
)
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()

MOST_ROWS = 1_000
KINDS = ("run", "job", "dataset", "command")
LAST = datetime.max.replace(tzinfo=timezone.utc)
_ID = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})-([0-9a-f]{64})")
KIND: dict[str, Described] = {
    "kind": ("of what: run events unless told; without runId", {"type": "string", "enum": list(KINDS)}, "run")
}


@router.get("/api/v2/events", openapi_extra=describe("runId", "limit", "cursor", own=KIND))
async def list_all(request: Request) -> Response:
    """Events of a run, or all of a kind, the newest first."""
    asked = request.query_params
    limit, run = read_number("limit", asked.get("limit"), 100, MOST_ROWS), asked.get("runId")
    kind = read_choice("kind", asked.get("kind"), KINDS, "run")
    after = read_cursor(asked.get("cursor"))
    async with snapshot(request.app.state.pool, "by time") as connection:
        if run:
            before = after or (LAST, b"\xff" * 33)
            rows = await list_recorded_of_run(connection, run_uuid(run)[0], before, limit + 1)
        else:
            rows = await list_recorded(connection, kind, after or (LAST, b""), limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    following = None if last is None else write_cursor(last.event_time.isoformat(), last.id.hex())
    return answer({"events": [build_event(row) for row in rows[:limit]], "next": following})


@router.get("/api/v2/events/{id:segment}")
async def show(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """One event without its body."""
    async with snapshot(request.app.state.pool) as connection:
        row = await find_recorded(connection, *_read_id(id))
    if row is None:
        raise _gone(id)
    return answer(build_event(row))


@router.get("/api/v2/events/{id:segment}/body")
async def show_body(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """What was sent, byte for byte, but for what was taken out of it."""
    async with snapshot(request.app.state.pool) as connection:
        body = await fetch_body(connection, *_read_id(id))
    if body is None:
        raise _gone(id)
    return Response(body, media_type="application/json", headers={"X-Content-Type-Options": "nosniff"})


def build_event(row: RecordedRow) -> dict[str, Any]:
    """A record as answers write it; flags: the bits that are set, as `docs/merge.md` explains them."""
    event = name_event(row.day, row.id)
    return {
        "id": event,
        "kind": row.kind,
        "eventType": row.event_type,
        "eventTime": row.event_time,
        "receivedAt": row.received_at,
        "size": row.size,
        "job": None if row.job is None else {"namespace": row.namespace, "name": row.job},
        "runId": row.run_id,
        "flags": [1 << bit for bit in range(row.flags.bit_length()) if row.flags >> bit & 1],
        "body": f"/api/v2/events/{event}/body",
    }


def _read_id(text: str) -> tuple[date, bytes]:
    try:
        found = _ID.fullmatch(text)
        day = None if found is None else date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        day = None
    if found is None or day is None:
        raise problem(404, "no-such-event", "An event's id is its day, a dash, and 64 hex digits.")
    return day, bytes.fromhex(found[4])


def _gone(event: str) -> Exception:
    return problem(404, "no-such-event", f"There is no event '{event}'.")
