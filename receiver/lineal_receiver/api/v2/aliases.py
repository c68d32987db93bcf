"""/api/v2/alias: names that count as others, by operators and symlinks; to put and remove operators'; likely pairs."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.writes.body import read_object
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.api.v2.alias_commands import Change, prepare_put, prepare_removal
from lineal_receiver.api.v2.alias_lint import CUT, find_likely
from lineal_receiver.api.v2.alias_names import KINDS
from lineal_receiver.store.read_orders import AliasRow, Name, fetch_any_names, list_aliases
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_ROWS = 1_000
ORIGINS = ("operator", "symlink")


def _parameters(**texts: str) -> dict[str, Any]:
    schema = {"type": "string"}
    return {
        "parameters": [
            {"name": name, "in": "query", "required": False, "description": text, "schema": schema}
            for name, text in texts.items()
        ]
    }


def read_choice(asked: Mapping[str, str], name: str, among: tuple[str, ...]) -> str | None:
    """A query parameter that is one of some words; None if it isn't given, 400 for another."""
    value = asked.get(name) or None
    if value is not None and value not in among:
        raise problem(400, "bad-parameter", f"The query parameter '{name}' must be one of {', '.join(among)}.")
    return value


async def build_page(connection: Connection, asked: Mapping[str, str]) -> dict[str, Any]:
    """A page of the aliases in force, and where to go on."""
    kind, origin = read_choice(asked, "kind", KINDS), read_choice(asked, "origin", ORIGINS)
    limit = _read_limit(asked.get("limit"))
    rows = await list_aliases(connection, kind, origin, _read_cursor(asked.get("cursor")), limit + 1)
    following = rows[limit - 1].id.hex if len(rows) > limit else None
    return {"aliases": await describe_aliases(connection, rows[:limit]), "next": following}


async def describe_aliases(connection: Connection, rows: list[AliasRow]) -> list[dict[str, Any]]:
    """Aliases by name."""
    names = await fetch_any_names(
        connection, list({one for row in rows for one in (row.id, row.target_id, row.root_id)})
    )
    return [
        {
            "kind": row.kind,
            "old": _describe(names[row.id]),
            "new": _describe(names[row.target_id]),
            "root": _describe(names[row.root_id]),
            "origin": row.origin,
            "since": row.since,
            "disputed": row.disputed,
        }
        for row in rows
    ]


def _describe(name: Name) -> dict[str, str]:
    return {"namespace": name[0]} if name[1] is None else {"namespace": name[0], "name": name[1]}


def _read_limit(text: str | None) -> int:
    if not text:
        return 100
    if not (text.isascii() and text.isdigit()) or not int(text[:9]) > 0:
        raise problem(400, "bad-parameter", "The query parameter 'limit' must be a whole number from 1.")
    return min(int(text[:9]), MOST_ROWS)


def _read_cursor(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise problem(400, "bad-parameter", "The query parameter 'cursor' must be `next` of an answer.") from None


@router.get(
    "/api/v2/alias",
    openapi_extra=_parameters(
        kind="only of these: namespace, dataset or job",
        origin="only operator's, or only symlinks'",
        limit=f"rows at most: 100 unless told, {MOST_ROWS} at most",
        cursor="where to go on: `next` of the answer before",
    ),
)
async def list_all(request: Request) -> Response:
    """The aliases in force. What counts as another because its namespace does is not listed for itself."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(await build_page(connection, request.query_params))


@router.post("/api/v2/alias")
async def put(request: Request) -> Response:
    """Let `old` count as `new`: {kind, old, new}, names as {namespace, name} or `namespace:name`. 200: it did."""
    asked = (await read_object(request)).value
    async with snapshot(request.app.state.pool) as connection:
        change = await prepare_put(connection, asked)
    return await _keep(request, change, 201)


@router.delete(
    "/api/v2/alias",
    openapi_extra=_parameters(
        kind="namespace, dataset or job",
        namespace="the old name's namespace",
        name="the old name, of a dataset or job",
        old="instead of both: the old name as namespace:name",
    ),
)
async def remove(request: Request) -> Response:
    """Let a name count as itself again; what symlinks say of it holds again. 404 if no operator's alias is there."""
    asked = request.query_params
    old = asked.get("old") or {key: asked[key] for key in ("namespace", "name") if key in asked}
    async with snapshot(request.app.state.pool) as connection:
        change = await prepare_removal(connection, {"kind": asked.get("kind"), "old": old})
    return await _keep(request, change, 200)


async def _keep(request: Request, change: Change, status: int) -> Response:
    if change.action is None:
        return answer(change.arguments)
    kept = {key: change.arguments[key] for key in ("kind", "old", "new") if key in change.arguments}
    await keep(request, change.action, kept)
    return answer(change.arguments, status=status)


@router.get(
    "/api/v2/alias/lint",
    openapi_extra=_parameters(
        kind="only of these: namespace, dataset or job", namespace="only names in this namespace"
    ),
)
async def lint(request: Request) -> Response:
    """Likely pairs of names, each with its reasons: other hosts, ports, schemes, cases, quotes, slashes."""
    kind = read_choice(request.query_params, "kind", KINDS)
    async with snapshot(request.app.state.pool, "freely") as connection:
        pairs, whole = await find_likely(connection, kind, request.query_params.get("namespace") or None)
    return answer({"likely": pairs}, cut=None if whole else CUT)
