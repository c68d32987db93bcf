"""/api/v2/redact: take a text, or what a record says at some places, out of everything that is stored."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.writes.body import read_object
from lineal_receiver.api.v2.cursors import read_cursor, write_cursor
from lineal_receiver.api.v2.saying import read_limit, read_said
from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.redaction.asking import read_wanted
from lineal_receiver.ingest.redaction.redact import Outcome, preview, redact
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.scrubbing import scrub
from lineal_receiver.ingest.shadowing import ShadowIncomplete, VerifyRunning
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.store.read_redactions import Redaction, list_redactions
from lineal_receiver.store.read_snapshot import Connection, Pool, snapshot

router = read_router()


async def build_page(connection: Connection, asked: Mapping[str, str]) -> dict[str, Any]:
    """A page of redactions, the newest first."""
    limit = read_limit(asked.get("limit"))
    rows = await list_redactions(connection, read_cursor(asked.get("cursor")), limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    following = None if last is None else write_cursor(last.at.isoformat(), last.id.hex())
    return {"redactions": [_describe(row) for row in rows[:limit]], "next": following}


async def build_outcome(pool: Pool, asked: Mapping[str, Any], by: str) -> dict[str, Any]:
    """Do it, or with `dryRun` say what it would do. 422: it can't be done as asked, 409: not now."""
    dry = asked.get("dryRun", False)
    if not isinstance(dry, bool):
        raise problem(422, "bad-parameter", "'dryRun' must be true or false.")
    said: dict[str, str] = orjson.loads(scrub(orjson.dumps(read_said(asked, by))))
    try:
        async with snapshot(pool, "freely") as connection:
            wanted = await read_wanted(connection, asked, said)
        outcome = await (preview if dry else redact)(pool, Judge(read_bundle()), wanted)
    except CommandRefused as error:
        raise problem(422, "not-redactable", error.reason) from None
    except (VerifyRunning, ShadowIncomplete) as error:
        raise problem(409, "not-now", str(error)) from None
    return _tell(outcome, dry=dry)


def _tell(outcome: Outcome, *, dry: bool) -> dict[str, Any]:
    command = outcome.command
    return {
        "dryRun": dry,
        "records": outcome.records,
        "rejected": outcome.rejected,
        "rows": outcome.rows,
        "ids": [identity.hex() for identity in outcome.ids],
        "id": command.id.hex() if command else None,
        "at": command.time if command else None,
    }


def _describe(row: Redaction) -> dict[str, Any]:
    return {
        "id": row.id.hex(),
        "at": row.at,
        "what": row.what,
        "by": row.made_by,
        "why": row.why,
        "record": row.record_id.hex() if row.record_id else None,
        "pointers": row.pointers,
        "records": row.records,
        "rejected": row.rejected,
    }


@router.post("/api/v2/redact")
async def take_out(request: Request) -> Response:
    """Take out {text}, or {record, pointers}; `dryRun` only says what that would change. `why` and `by` are kept."""
    asked = (await read_object(request, scrubbed=False)).value
    sender = request.client.host if request.client else ""
    return answer(await build_outcome(request.app.state.pool, asked, sender))


@router.get("/api/v2/redact")
async def list_all(request: Request) -> Response:
    """Who took what out of how many records, when and why; `limit` (100, at most 1,000), `cursor`."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(await build_page(connection, request.query_params))
