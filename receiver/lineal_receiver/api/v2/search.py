"""GET /api/v2/search: tables, columns and jobs by a part of their name, the best match first."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.search import fold_found
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v2.asking import read_number
from lineal_receiver.api.v2.cursors import bad_cursor, read_parts, write_cursor
from lineal_receiver.api.v2.parameters import Described, describe
from lineal_receiver.ids import namespace_id, storable
from lineal_receiver.store.read_column_search import MOST_SCHEMAS, search_schemas
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_search import MOST_MATCHES, FoundRow, Wanted, escape_like, search_datasets, search_jobs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

KINDS = ("dataset", "column", "job")
MOST_ROWS, LONGEST = 200, 1_000
MOST_TABLES = 300
"""So many tables are looked through for columns where `a.b` is asked for."""

MATCHES = ("exact", "word", "prefix", "part")
CUT = (
    f"more than {MOST_MATCHES} names or {MOST_SCHEMAS} schemas match; the best of so many are given, and exact matches"
)
KIND: dict[str, Described] = {
    "kind": (
        "only these: dataset, column, job (more than once: any of them)",
        {"type": "array", "items": {"type": "string", "enum": list(KINDS)}},
        None,
    )
}
_LAST = re.compile(r"[./:\\]")


@dataclass(frozen=True, slots=True)
class Hit:
    """Something whose name matches; of a column, `id` is its dataset's."""

    kind: str
    id: UUID
    namespace: str
    name: str
    updated_at: datetime
    field: str | None = None
    type: str | None = None

    def rank(self, text: str) -> tuple[int, int, int, str, str, str]:
        """How well it matches: how, which kind, how much longer it is; then by name."""
        found = match(self.name if self.field is None else self.field, text)
        called = self.name if self.field is None else self.field
        return found, KINDS.index(self.kind), len(called), called.lower(), self.name, self.namespace


def match(name: str, text: str) -> int:
    """How a name matches: it is `text`; its last part is; its last part begins so; it is a part of it."""
    name, text = name.lower(), text.lower()
    last = _LAST.split(name)[-1]
    return 0 if name == text else 1 if last == text else 2 if last.startswith(text) or name.startswith(text) else 3


@router.get("/api/v2/search", openapi_extra=describe("q", "namespace", "limit", "cursor", needed=("q",), own=KIND))
async def search(request: Request) -> Response:
    """Tables, columns and jobs by a part of their name; `a.b` finds column b of table a, too."""
    asked = request.query_params
    text = storable((asked.get("q") or "").strip())
    if not 0 < len(text) <= LONGEST:
        raise problem(400, "bad-q", f"`q` is a part of a name, of {LONGEST} characters at most.")
    kinds = _read_kinds(asked.getlist("kind"))
    limit, start = read_number("limit", asked.get("limit"), 20, MOST_ROWS), _read_start(asked.get("cursor"))
    space = namespace_id(asked["namespace"]) if asked.get("namespace") else None
    hits: dict[tuple[str, UUID, str | None], tuple[Hit, str]] = {}
    cut = False
    async with snapshot(request.app.state.pool, "by words") as connection:
        for kind in kinds:
            found, few = await _FINDERS[kind](connection, text, space)
            cut = cut or few
            for hit, wanted in found:
                hits.setdefault((hit.kind, hit.id, hit.field), (hit, wanted))
    ranked = sorted(hits.values(), key=lambda one: one[0].rank(one[1]))
    page = ranked[start : start + limit]
    following = write_cursor(str(start + limit)) if len(ranked) > start + limit else None
    said = CUT if cut else None
    return answer({"results": [_build(*one) for one in page], "next": following, "cut": said}, cut=said)


async def _find_datasets(connection: Connection, text: str, space: UUID | None) -> tuple[list[tuple[Hit, str]], bool]:
    return await _find_named(connection, "dataset", text, space)


async def _find_jobs(connection: Connection, text: str, space: UUID | None) -> tuple[list[tuple[Hit, str]], bool]:
    return await _find_named(connection, "job", text, space)


async def _find_named(
    connection: Connection, kind: str, text: str, space: UUID | None
) -> tuple[list[tuple[Hit, str]], bool]:
    """Datasets or jobs whose name has `text`; where that is too many, exact names and last parts for sure."""
    find = search_datasets if kind == "dataset" else search_jobs
    whole = escape_like(text)[1:-1]
    found = await find(connection, Wanted(f"%{whole}%", space), MOST_MATCHES, newest_first=False)
    rows, cut = list(found.rows), found.matches >= MOST_MATCHES
    if cut:
        for pattern in (whole, f"%.{whole}", f"%/{whole}"):
            rows += (await find(connection, Wanted(pattern, space), MOST_ROWS, newest_first=False)).rows
    folded = await fold_found(connection, kind, [row for row in rows if text.lower() in row.name.lower()])
    return [(_build_hit(kind, row), text) for row in folded], cut


def _build_hit(kind: str, row: FoundRow) -> Hit:
    return Hit(kind, row.id, row.namespace, row.name, row.updated_at)


async def _find_columns(connection: Connection, text: str, space: UUID | None) -> tuple[list[tuple[Hit, str]], bool]:
    """Columns whose name has `text`, or, of `a.b`, those with b in tables with a; by the schemas that are stated."""
    pattern = f'"name":"(\\\\.|[^"\\\\])*{re.escape(orjson.dumps(text).decode()[1:-1])}'
    schemas = await search_schemas(connection, pattern, space, MOST_SCHEMAS)
    datasets = await fetch_datasets(connection, [found.id for found in schemas])
    hits = [(hit, text) for hit in _list_columns(datasets, text)]
    cut = len(schemas) == MOST_SCHEMAS
    table, _, field = text.rpartition(".")
    if table and field:
        like = Wanted(f"%{escape_like(table)[1:-1]}", space)
        tables = await search_datasets(connection, like, MOST_TABLES, newest_first=False)
        near = await fetch_datasets(connection, [row.id for row in tables.rows])
        hits += [(hit, field) for hit in _list_columns(near, field)]
        cut = cut or tables.matches > MOST_TABLES
    return hits, cut


def _list_columns(datasets: dict[UUID, DatasetRow], text: str) -> Iterator[Hit]:
    for row in dict.fromkeys(datasets.values()):
        for field in build_fields(row.fields):
            if text.lower() in field["name"].lower():
                yield Hit("column", row.id, row.namespace, row.name, row.updated_at, field["name"], field["type"])


_FINDERS = {"dataset": _find_datasets, "column": _find_columns, "job": _find_jobs}


def _build(hit: Hit, text: str) -> dict[str, Any]:
    return {
        "kind": hit.kind,
        "id": hit.id,
        "namespace": hit.namespace,
        "name": hit.name,
        "field": hit.field,
        "type": hit.type,
        "match": MATCHES[hit.rank(text)[0]],
        "updatedAt": hit.updated_at,
    }


def _read_kinds(texts: list[str]) -> list[str]:
    kinds = {text.lower() for text in texts if text}
    if not kinds <= set(KINDS):
        raise problem(400, "bad-kind", f"`kind` is one of {', '.join(KINDS)}.")
    return [kind for kind in KINDS if not kinds or kind in kinds]


def _read_start(cursor: str | None) -> int:
    parts = read_parts(cursor, 1)
    if parts is None:
        return 0
    if not (parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 10):
        raise bad_cursor()
    return int(parts[0])
