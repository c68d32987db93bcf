"""GET /api/v2/export: the graph around a node as a file for other tools."""

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import CUT_HEADER
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import read_choice, read_node
from lineal_receiver.api.v2.formats import FORMATS
from lineal_receiver.api.v2.lineage import fetch_graph, fetch_whole_jobs, read_asked
from lineal_receiver.api.v2.parameters import AROUND, TARGET, Described, describe
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()

MOST_COLUMNS = 20_000
COLUMNS_CUT = "of a table with more columns than one file holds the first 20,000 are told"

FORMAT: dict[str, Described] = {
    "format": ("how it is written", {"type": "string", "enum": list(FORMATS)}, "csv"),
}


@router.get("/api/v2/export", openapi_extra=describe(*TARGET, "asOf", *AROUND, needed=("format",), own=FORMAT))
async def show(request: Request) -> Response:
    """What /api/v2/lineage shows, as GraphML, Mermaid, DOT or CSV; as OpenLineage events each job of it whole."""
    wanted = request.query_params.get("format")
    if not wanted:
        raise problem(400, "bad-format", f"`format` is one of {', '.join(FORMATS)}.")
    chosen = read_choice("format", wanted, tuple(FORMATS), "csv")
    write, media, ending = FORMATS[chosen]
    readings, asked = read_node(request), replace(read_asked(request), most_columns=MOST_COLUMNS)
    async with snapshot(request.app.state.pool, "once") as connection:
        fetch = fetch_whole_jobs if chosen == "openlineage" else fetch_graph
        graph: dict[str, Any] = await fetch(connection, readings, asked)
    headers = {"Content-Disposition": f'attachment; filename="lineage.{ending}"', "X-Content-Type-Options": "nosniff"}
    if cut := graph["cut"] or (COLUMNS_CUT if any(one["columnsCut"] for one in graph["datasets"]) else None):
        headers[CUT_HEADER] = cut
    return Response(write(graph), media_type=f"{media}; charset=utf-8", headers=headers)
