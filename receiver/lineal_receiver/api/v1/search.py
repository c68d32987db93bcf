"""GET /api/v1/search: jobs and datasets by a part of their name."""

from datetime import datetime, timezone
from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.nodes import build_node_id
from lineal_receiver.api.queries import MOST_ROWS, Text, read_whole
from lineal_receiver.api.refusals import bad_query, no_route
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_search import FoundRow, search_datasets, search_jobs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_FOUND = 1_000


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
    """What matches; totalCount is the number of all matches, counted up to MOST_FOUND."""
    if q is None or not q.strip():
        raise bad_query("q", "must not be blank")
    kinds = {"": ("dataset", "job"), "JOB": ("job",), "DATASET": ("dataset",)}.get((kind or "").upper())
    order = (sort or "NAME").upper()
    if kinds is None or order not in {"NAME", "UPDATE_AT"}:
        raise no_route()
    most = min(read_whole("limit", limit, 10), MOST_ROWS)
    space = namespace_id(namespace) if namespace else None
    days = _read_day(after), _read_day(before)
    results: list[dict[str, Any]] = []
    async with snapshot(request.app.state.pool) as connection:
        for entity in kinds:
            find = search_datasets if entity == "dataset" else search_jobs
            found = await find(connection, escape_like(q), space, *days, MOST_FOUND)
            results += await _build_results(connection, entity, found)
    results.sort(key=lambda row: (row["name"].lower(), row["namespace"], row["type"]))
    if order == "UPDATE_AT":
        results.sort(key=lambda row: row["updatedAt"], reverse=True)
    return answer({"totalCount": min(len(results), MOST_FOUND), "results": results[:most]})


def escape_like(text: str) -> str:
    """The LIKE pattern that finds `text` anywhere, its own wildcards taken literally."""
    literal = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("\0", "")
    return f"%{literal}%"


def _read_day(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=timezone.utc)
    except ValueError:
        raise no_route() from None


async def _build_results(connection: Connection, kind: str, found: list[FoundRow]) -> list[dict[str, Any]]:
    names = {row.id: row.name for row in found}
    if kind == "job":
        names = {job: name.name for job, name in (await fetch_names(connection, list(names))).items()}
    return [
        {
            "type": kind.upper(),
            "name": names[row.id],
            "updatedAt": row.updated_at,
            "namespace": row.namespace,
            "nodeId": build_node_id(kind, row.namespace, names[row.id]),
        }
        for row in found
    ]
