"""GET /api/v2/lineage, upstream, downstream, as-of: the graph around a dataset, column or job."""

from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.kept import answer_kept
from lineal_receiver.api.nodes import NodeReadings
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import (
    Node,
    find_node,
    guess_dataset,
    read_choice,
    read_moment,
    read_node,
    read_number,
    read_switch,
)
from lineal_receiver.api.v2.graph.column_edges import build_edge, group_edges
from lineal_receiver.api.v2.graph.datasets import assemble_datasets, fetch_told
from lineal_receiver.api.v2.graph.evidence import build_table_edges, build_transforms, fetch_evidence
from lineal_receiver.api.v2.graph.jobs import assemble_jobs
from lineal_receiver.api.v2.graph.uses import FAR, look_ahead, look_near
from lineal_receiver.api.v2.graph.walked import (
    BOTH,
    DOWNSTREAM,
    UPSTREAM,
    Asked,
    Graph,
    draw_edges,
    look_beside,
    open_graph,
    take_in_jobs,
    take_whole_jobs,
    walk_around,
)
from lineal_receiver.api.v2.parameters import AROUND, TARGET, describe
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.together import together

router = read_router()

MOST_DEPTH, MOST_NODES = 100, 5_000
ONE_WAY = tuple(name for name in AROUND if name != "direction")
COLUMNS = ("all", "reached", "none")
CUT = "there is more than one answer holds; the nearest datasets and jobs are given"


def read_asked(request: Request, direction: str | None = None) -> Asked:
    """What of the surroundings is asked for; `direction`: where the route says it."""
    asked, one_way = request.query_params, direction is not None
    ways = (BOTH, UPSTREAM, DOWNSTREAM)
    return Asked(
        direction=direction or read_choice("direction", asked.get("direction"), ways, BOTH),
        depth=read_number("depth", asked.get("depth"), 20 if one_way else 1, MOST_DEPTH, 0),
        rows=read_switch("withRows", asked.get("withRows")),
        columns=read_choice("columns", asked.get("columns"), COLUMNS, "reached" if one_way else "all"),
        limit=read_number("limit", asked.get("limit"), 1_000, MOST_NODES),
        at=read_moment("asOf", asked.get("asOf")),
    )


async def fetch_graph(connection: Connection, readings: NodeReadings, asked: Asked) -> dict[str, Any]:
    """The answer: what lies around a node."""
    guess, look = guess_dataset(readings), None
    if guess is not None and asked.depth >= FAR and len(asked.ways) == 1:
        look = partial(look_ahead, start=guess, upstream=asked.direction == UPSTREAM)
    elif guess is not None and 0 < asked.depth < FAR:
        look = partial(look_near, start=guess, ways=asked.ways)
    node, graph = await together(
        connection, find_node(connection, readings, asked.at), open_graph(connection, asked.at, look)
    )
    await walk_around(connection, graph, node, asked)
    return await build_graph(connection, node, asked, graph)


async def fetch_whole_jobs(connection: Connection, readings: NodeReadings, asked: Asked) -> dict[str, Any]:
    """The same with all that its jobs read and write, all columns of that, and what decides rows.

    Who tells it again tells of each job what is known of it, not the part that is in sight.
    """
    node, graph = await together(
        connection, find_node(connection, readings, asked.at), open_graph(connection, asked.at)
    )
    await walk_around(connection, graph, node, asked)
    node, asked = replace(node, field=None), replace(asked, columns="all", rows=True)
    await draw_edges(graph, node, asked)
    take_in_jobs(graph)
    await take_whole_jobs(graph)
    return await build_graph(connection, node, asked, graph)


async def build_graph(connection: Connection, node: Node, asked: Asked, graph: Graph) -> dict[str, Any]:
    """The answer of what was walked."""
    slots = list({(use.target, use.job) for use in graph.uses if use.target != NONE})
    _, beside, told, jobs, evidence = await together(
        connection,
        draw_edges(graph, node, asked),
        look_beside(graph),
        fetch_told(connection, graph, columns=asked.columns != "none", rows=asked.rows),
        assemble_jobs(connection, graph),
        fetch_evidence(connection, graph, slots),
    )
    more = take_in_jobs(graph)
    if more:
        jobs, evidence = await together(
            connection, assemble_jobs(connection, graph), fetch_evidence(connection, graph, slots + more)
        )
    datasets = await assemble_datasets(
        connection, graph, beside, told, rows=asked.rows, most_columns=asked.most_columns
    )
    transforms = build_transforms(evidence, {job["id"]: job["file"] for job in jobs})
    known = {dataset["id"] for dataset in datasets}
    made = {job["id"] for job in jobs} | {NONE}
    expressions = {(one["id"], column["name"]): column["expression"] for one in datasets for column in one["columns"]}
    return {
        "target": node.describe(),
        "asOf": asked.at,
        "direction": asked.direction,
        "depth": asked.depth,
        "withRows": asked.rows,
        "datasets": datasets,
        "jobs": jobs,
        "tableEdges": build_table_edges(
            use
            for use in sorted(graph.uses, key=lambda use: (use.job, use.target, use.source or NONE))
            if use.job in made and use.target in known | {NONE} and (use.source is None or use.source in known)
        ),
        "columnEdges": [
            build_edge(key, kinds, expressions)
            for key, kinds in group_edges(graph.edges).items()
            if key[0][0] in known and key[1][0] in known and key[2] in made
        ],
        "transforms": list(transforms.values()),
        "cut": CUT if graph.cut else None,
    }


async def _show(request: Request, asked: Asked) -> Response:
    readings = read_node(request)

    async def build(connection: Connection) -> tuple[dict[str, Any], str | None]:
        body = await fetch_graph(connection, readings, asked)
        return body, body["cut"]

    return await answer_kept(request, build)


@router.get("/api/v2/lineage", openapi_extra=describe(*TARGET, "asOf", *AROUND))
async def show(request: Request) -> Response:
    """The graph around a dataset, column or job: datasets with columns, jobs, edges, and what vouches for these."""
    return await _show(request, read_asked(request))


@router.get("/api/v2/upstream", openapi_extra=describe(*TARGET, "asOf", *ONE_WAY))
async def show_upstream(request: Request) -> Response:
    """What it is made of, 20 steps far unless told, with the columns on the way alone."""
    return await _show(request, read_asked(request, UPSTREAM))


@router.get("/api/v2/downstream", openapi_extra=describe(*TARGET, "asOf", *ONE_WAY))
async def show_downstream(request: Request) -> Response:
    """What is made of it, 20 steps far unless told, with the columns on the way alone."""
    return await _show(request, read_asked(request, DOWNSTREAM))


@router.get("/api/v2/as-of", openapi_extra=describe("at", *TARGET, *AROUND, needed=("at",)))
async def show_then(request: Request) -> Response:
    """The graph around a dataset, column or job as it was at a time."""
    at = read_moment("at", request.query_params.get("at"))
    if at is None:
        raise problem(400, "bad-at", "`at` says the time that is meant, like 2026-03-02T12:00:00Z.")
    return await _show(request, replace(read_asked(request), at=at))
