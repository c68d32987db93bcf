"""/api/v2/rejected: what was refused, why, and to try it again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer, raw
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import Refusal, problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.cursors import read_cursor, write_cursor
from lineal_receiver.ingest.intake import Refused
from lineal_receiver.ingest.persist import StoreAway
from lineal_receiver.ingest.replay import (
    AmbiguousId,
    NoSuchRejected,
    OnlyBeginning,
    fetch_whole,
    find_one,
    replay,
)
from lineal_receiver.store.read_rejected import (
    Rejected,
    Wanted,
    count_rejected_of,
    fetch_rejected_body,
    list_rejected,
)
from lineal_receiver.store.read_snapshot import Connection, ReadFailed, snapshot

router = read_router()

MOST_ROWS = 1_000
MOST_COUNTED = 10_000

PARAMETERS = [
    {"name": name, "in": "query", "required": False, "description": text, "schema": {"type": "string"}}
    for name, text in {
        "rule": "only those that broke this rule first",
        "status": "only those answered with this status",
        "source": "only those from this sender",
        "replayed": "true: only those taken since; false: only others",
        "limit": f"rows at most: 100 unless told, {MOST_ROWS} at most",
        "cursor": "where to go on: `next` of the answer before",
    }.items()
]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of the list: which, how many, from where on."""

    wanted: Wanted
    limit: int
    after: tuple[datetime, bytes] | None


def read_query(asked: Mapping[str, str]) -> Query:
    """The list's query parameters; 400 for a value that none has."""
    wanted = Wanted(
        rule=asked.get("rule") or None,
        status=_read_number("status", asked.get("status"), 0) or None,
        source=asked.get("source") or None,
        replayed=_read_choice(asked.get("replayed")),
    )
    limit = min(_read_number("limit", asked.get("limit"), 100), MOST_ROWS)
    return Query(wanted, limit, read_cursor(asked.get("cursor")))


async def build_page(connection: Connection, query: Query) -> dict[str, Any]:
    """The page asked for, the number of all (counted to MOST_COUNTED), and where to go on."""
    rows = await list_rejected(connection, query.wanted, query.after, query.limit + 1)
    total = await count_rejected_of(connection, query.wanted, MOST_COUNTED)
    last = rows[query.limit - 1] if len(rows) > query.limit > 0 else None
    following = None if last is None else write_cursor(last.first_at.isoformat(), last.id.hex())
    return {"rejected": [_describe(row) for row in rows[: query.limit]], "totalCount": total, "next": following}


@router.get("/api/v2/rejected", openapi_extra={"parameters": PARAMETERS})
async def list_all(request: Request) -> Response:
    """What was refused, the newest first; `totalCount` is counted to 10,000."""
    query = read_query(request.query_params)
    async with snapshot(request.app.state.pool) as connection:
        return answer(await build_page(connection, query))


@router.get("/api/v2/rejected/{id:segment}")
async def show(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """One of them, by its id or an unambiguous beginning of it, with every rule that it broke."""
    async with snapshot(request.app.state.pool) as connection:
        found = await _find(connection, id)
    return answer(describe_whole(found))


@router.get("/api/v2/rejected/{id:segment}/body")
async def show_body(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """The body as it was sent, or its beginning where no more was kept (`Lineal-Cut` says so)."""
    async with snapshot(request.app.state.pool) as connection:
        found = await _find(connection, id)
        body = await fetch_rejected_body(connection, found.id)
    headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
    if found.coding:
        headers["Lineal-Coding"] = found.coding
    if found.truncated:
        headers["Lineal-Cut"] = f"the first {len(body)} bytes"
    return Response(body, media_type="application/octet-stream", headers=headers)


@router.post("/api/v2/rejected/{id:segment}/replay")
async def try_again(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """Send it through the intake once more. 200: it is kept now. Otherwise the refusal says why it still isn't."""
    async with snapshot(request.app.state.pool) as connection:
        found = await _find(connection, id)
        try:
            body = await fetch_whole(connection, found)
        except OnlyBeginning as error:
            raise problem(409, "only-beginning", str(error)) from None
    try:
        outcome = await replay(request.app.state.intake, found, body, request.app.state.settings.max_body_bytes)
    except StoreAway as error:
        raise ReadFailed(error.reason) from None
    if isinstance(outcome, Refused):
        refusal = problem(outcome.status, "still-refused", outcome.message)
        refusal.body["errors"] = [_describe_fault(fault) for fault in outcome.faults]
        raise refusal
    return answer({"id": found.id.hex(), "outcome": "accepted" if outcome.new else "duplicate"})


async def _find(connection: Connection, text: str) -> Rejected:
    try:
        return await find_one(connection, text)
    except NoSuchRejected as error:
        raise problem(404, "no-such-rejected", str(error)) from None
    except AmbiguousId as error:
        raise problem(409, "ambiguous-id", str(error)) from None


def describe_whole(row: Rejected) -> dict[str, Any]:
    """One of them with every rule that it broke."""
    return {**_describe(row), "errors": raw(row.errors)}


def _describe(row: Rejected) -> dict[str, Any]:
    return {
        "id": row.id.hex(),
        "status": row.status,
        "rule": row.rule,
        "pointer": row.pointer,
        "expected": row.expected,
        "message": row.message,
        "source": row.source,
        "size": row.size,
        "truncated": row.truncated,
        "coding": row.coding or None,
        "count": row.count,
        "firstAt": row.first_at,
        "lastAt": row.last_at,
        "triedAt": row.tried_at,
        "replayedAt": row.replayed_at,
    }


def _describe_fault(fault: Any) -> dict[str, str]:
    return {"pointer": fault.pointer, "rule": fault.rule, "expected": fault.expected, "message": fault.message}


def _read_number(name: str, text: Text, default: int) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise _bad(name, text, "a whole number from 0")
    return int(text)


def _read_choice(text: Text) -> bool | None:
    if not text:
        return None
    if text.lower() not in ("true", "false"):
        raise _bad("replayed", text, "true or false")
    return text.lower() == "true"


def _bad(name: str, text: str, expected: str) -> Refusal:
    return problem(400, "bad-parameter", f"The query parameter '{name}' is {text[:80]!r}, but it must be {expected}.")
