"""GET /api/v2/edge: all the evidence that one column is made of another."""

from datetime import datetime
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer, read_object
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.columns import fetch_statuses
from lineal_receiver.api.v2.asking import Node, find_node, read_moment, read_named, read_node, read_switch
from lineal_receiver.api.v2.graph.column_edges import build_edge, group_edges
from lineal_receiver.api.v2.graph.columns import ROWS, fetch_among
from lineal_receiver.api.v2.graph.evidence import build_transforms, fetch_evidence
from lineal_receiver.api.v2.graph.jobs import describe_jobs
from lineal_receiver.api.v2.graph.walked import open_graph
from lineal_receiver.api.v2.parameters import TARGET, TEXT, describe
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_readings import ReadingRow
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.together import together

router = read_router()

SOURCE = {
    f"source{part}": (f"{part.lower()} of the source column", TEXT, None) for part in ("Namespace", "Name", "Field")
}


@router.get("/api/v2/edge", openapi_extra=describe(*TARGET, "asOf", needed=tuple(SOURCE), own=SOURCE))
async def show(request: Request) -> Response:
    """The evidence of one pair: without `field`, that the source column decides the rows of the target."""
    asked, readings = request.query_params, (read_node(request), read_named(request, "source"))
    at = read_moment("asOf", asked.get("asOf"))
    read_switch("withRows", asked.get("withRows"))
    if asked.get("sourceField") is None:
        raise problem(400, "no-target", "`sourceField` is the source column.")
    async with snapshot(request.app.state.pool, "once") as connection:
        first, last = (find_node(connection, one, at) for one in readings)
        target, source, graph = await together(connection, first, last, open_graph(connection, at))
        among = await fetch_among(graph.names, list({target.id, source.id}), rows=True)
        wanted = ((target.id, target.field or ROWS), (source.id, source.field or ""))
        edges = [edge for edge in among.rows if (edge.target, edge.source) == wanted]
        if not edges:
            raise problem(404, "no-such-edge", f"{_name(target)} isn't known to be made of {_name(source)}.")
        evidence, jobs, expressions = await together(
            connection,
            fetch_evidence(connection, graph, list({(target.id, edge.job_id) for edge in edges})),
            describe_jobs(connection, list({edge.job_id for edge in edges} - {NONE}), at),
            _fetch_expressions(connection, target, at),
        )
        queries = await _fetch_queries(connection, evidence.readings)
        transforms = build_transforms(evidence, {job: one["file"] for job, one in jobs.items()})
    return answer(
        {
            "source": source.describe(),
            "target": target.describe(),
            "edges": [build_edge(key, kinds, expressions) for key, kinds in group_edges(edges).items()],
            "jobs": list(jobs.values()),
            "transforms": [{**one, "sql": queries.get(pair)} for pair, one in transforms.items()],
        }
    )


async def _fetch_expressions(connection: Connection, target: Node, at: datetime | None) -> dict[Column, str | None]:
    """SQL of the target column, where it is known; of the past only the edges say it."""
    if at is not None or target.field is None:
        return {}
    row = await fetch_datasets(connection, [target.id])
    known = await fetch_statuses(connection, [(target.id, target.field)], row)
    return {column: status.expression for column, status in known.items()}


async def _fetch_queries(
    connection: Connection, readings: dict[tuple[UUID, UUID], ReadingRow]
) -> dict[tuple[UUID, UUID], dict[str, Any]]:
    """The SQL that the run behind each reading said, of whatever length."""
    keys = {pair: (row.job_id, row.run_id or NONE) for pair, row in readings.items()}
    said = await fetch_facets(connection, list(keys.values()), "j", None, ("sql",))
    queries = {}
    for pair, key in keys.items():
        facets = said.get(key, [])
        if facets:
            body = read_object(facets[-1].body)
            queries[pair] = {"query": body.get("query"), "dialect": body.get("dialect")}
    return queries


def _name(node: Node) -> str:
    return node.name if node.field is None else f"{node.name}.{node.field}"
