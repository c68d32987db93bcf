"""GET /api/v1/search: jobs and datasets by a part of their name."""

from datetime import datetime, timedelta, timezone
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.nodes import build_node_id
from lineal_receiver.api.queries import MOST_ROWS, Text, raw_query, read_whole
from lineal_receiver.api.refusals import bad_query, no_route
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_jobs import fetch_jobs
from lineal_receiver.store.read_search import MOST_MATCHES, FoundRow, Wanted, escape_like, search_datasets, search_jobs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

ONLY_MENTIONED = datetime.max
"""How a name that nothing but an alias mentions is kept: updated at infinity, for which asyncpg gives this."""

MOST_FOUND = 1_000
AHEAD = timedelta(minutes=10)
"""A name that only others' words found is known from the future alone if these are, and it was updated so late."""

CUT = f"more than {MOST_MATCHES} names match; the first of so many are given"


@router.get("/api/v1/search")
async def search(
    request: Request,
    q: Annotated[Text, Query(description="a part of the name, in any case; taken literally")] = None,
    kind: Annotated[Text, Query(alias="filter", description="JOB or DATASET")] = None,
    sort: Annotated[Text, Query(description="NAME or UPDATE_AT")] = None,
    limit: Annotated[Text, Query(description="rows at most: 10 unless told")] = None,
    namespace: Annotated[Text, Query(description="only in this namespace")] = None,
    before: Annotated[Text, Query(description="updated before this day, YYYY-MM-DD")] = None,
    after: Annotated[Text, Query(description="updated on or after this day, YYYY-MM-DD")] = None,
) -> Response:
    """What matches; totalCount is the number of all matches, of each kind counted up to MOST_MATCHES."""
    readings = _list_readings(q or "", raw_query(request, "q"))
    if not readings:
        raise bad_query("q", "must not be blank")
    kinds = {"": ("dataset", "job"), "JOB": ("job",), "DATASET": ("dataset",)}.get((kind or "").upper())
    order = (sort or "NAME").upper()
    if kinds is None or order not in {"NAME", "UPDATE_AT"}:
        raise no_route()
    most = min(read_whole("limit", limit, 10), MOST_ROWS)
    days = _read_day(after), _read_day(before)
    newest_first = order == "UPDATE_AT"
    results: list[tuple[bool, dict[str, Any]]] = []
    total, cut = 0, False
    async with snapshot(request.app.state.pool, "by words") as connection:
        for text in readings:
            wanted = _read_wanted(text, namespace, *days)
            for entity in kinds:
                find = search_datasets if entity == "dataset" else search_jobs
                found = await find(connection, wanted, MOST_FOUND, newest_first=newest_first)
                built = await _build_results(connection, entity, found.rows)
                right = [(ahead, row) for ahead, row in built if not _is_wrong(row, text)]
                results += right
                total += found.matches - len(found.rows) + len(right)
                cut = cut or found.matches == MOST_MATCHES
            if total:
                break
    results.sort(key=lambda one: (one[1]["name"].lower(), one[1]["namespace"], one[1]["type"]))
    if newest_first:
        results.sort(key=lambda one: one[1]["updatedAt"], reverse=True)
        results.sort(key=lambda one: one[0])
    return answer({"totalCount": total, "results": [row for _, row in results[:most]]}, cut=CUT if cut else None)


def _list_readings(q: str, raw: str | None) -> list[str]:
    """What may be meant: a plus is a space, or where nothing has that, itself (Marquez's web page escapes nothing)."""
    texts = (q, unquote(raw)) if raw is not None and "+" in raw else (q,)
    return [text for text in dict.fromkeys(texts) if text.strip()]


def _read_wanted(q: str, namespace: str | None, after: datetime | None, before: datetime | None) -> Wanted:
    """What is asked for; before a dot may stand the end of a parent's name, behind it the beginning of a child's."""
    above, dot, own = q.rpartition(".")
    return Wanted(
        pattern=escape_like(q),
        namespace=namespace_id(namespace) if namespace else None,
        after=after,
        before=before,
        of_parent=escape_like(above.rpartition(".")[2])[:-1] if dot else None,
        of_child=escape_like(own)[1:] if dot else None,
    )


def _is_wrong(row: dict[str, Any], q: str) -> bool:
    """Whether a job was found by the two ends of a name that doesn't have them side by side."""
    return row["type"] == "JOB" and "." in q and q.isascii() and q.lower() not in row["name"].lower()


async def fold_found(connection: Connection, kind: str, found: list[FoundRow]) -> list[FoundRow]:
    """What was found, each once, by the name that stands for it; names that only an alias mentions are nothing yet."""
    identities = await open_identities(connection)
    if identities.any:
        roots = await identities.find_roots(row.id for row in found)
        known = {row.id: row for row in found if row.updated_at != ONLY_MENTIONED}
        others = list(set(roots.values()) - known.keys())
        sane = {roots[row.id] for row in found if not row.ahead}
        soon = datetime.now(timezone.utc) + AHEAD
        if kind == "dataset":
            rows = await fetch_datasets(connection, others)
            told = {row.id: (row.namespace, row.name, row.updated_at) for row in rows.values()}
        else:
            jobs, names = await fetch_jobs(connection, others), await fetch_names(connection, others)
            told = {job: (names[job].namespace, names[job].name, row.updated_at) for job, row in jobs.items()}
        known |= {
            root: FoundRow(root, namespace, name, at, ahead=root not in sane and at > soon)
            for root, (namespace, name, at) in told.items()
        }
        found = list({root: known[root] for root in roots.values() if root in known}.values())
    return [row for row in found if row.updated_at != ONLY_MENTIONED]


def _read_day(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=timezone.utc)
    except ValueError:
        raise no_route() from None


async def _build_results(connection: Connection, kind: str, found: list[FoundRow]) -> list[tuple[bool, dict[str, Any]]]:
    """What was found, with whether nothing but the future tells of it."""
    found = await fold_found(connection, kind, found)
    names = {row.id: row.name for row in found}
    if kind == "job":
        names = {job: name.name for job, name in (await fetch_names(connection, list(names))).items()}
    return [
        (
            row.ahead,
            {
                "type": kind.upper(),
                "name": names[row.id],
                "updatedAt": row.updated_at,
                "namespace": row.namespace,
                "nodeId": build_node_id(kind, row.namespace, names[row.id]),
            },
        )
        for row in found
    ]
