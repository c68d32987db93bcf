"""GET /api/v2/path: why a column or dataset reaches another."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.kept import answer_kept
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.targets import list_known_columns
from lineal_receiver.api.v2.asking import Node, find_node, read_moment, read_named, read_number, read_switch
from lineal_receiver.api.v2.graph.affected import BY_ROWS, DIRECT
from lineal_receiver.api.v2.graph.column_edges import EdgeKey, build_edge, group_edges
from lineal_receiver.api.v2.graph.columns import INDIRECT, ROWS, Edges, fetch_among, measure, walk_from
from lineal_receiver.api.v2.graph.evidence import build_table_edges, build_transforms, fetch_evidence
from lineal_receiver.api.v2.graph.jobs import describe_jobs
from lineal_receiver.api.v2.graph.uses import Reach, walk_uses
from lineal_receiver.api.v2.graph.walked import Graph, open_graph
from lineal_receiver.api.v2.graph.ways import find_ways
from lineal_receiver.api.v2.parameters import TEXT, describe
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.together import together

router = read_router()

DEPTH, MOST_NODES, MOST_WAYS = 100, 5_000, 50
CUT = "there are more ways than are given, or more lies between than can be looked at"

ENDS = {
    f"{end}{part}": (f"{part.lower()} {text}", TEXT, None)
    for end, text in (("from", "of what is upstream"), ("to", "of what is downstream"))
    for part in ("Namespace", "Name", "Field")
}
NEEDED = ("fromNamespace", "fromName", "toNamespace", "toName")


@dataclass(slots=True)
class Found:
    """Ways: of column edges or of uses. pairs: the slots that they lead through."""

    ways: list[list[Any]]
    datasets: set[UUID]
    jobs: set[UUID]
    pairs: set[tuple[UUID, UUID]]
    kinds: dict[EdgeKey, list[ColumnEdgeRow]]
    cut: bool


@router.get("/api/v2/path", openapi_extra=describe("withRows", "asOf", "limit", needed=NEEDED, own=ENDS))
async def show(request: Request) -> Response:
    """The shortest ways from a column or dataset down to another; what decides rows counts unless told not to."""
    asked = request.query_params
    first, last = read_named(request, "from"), read_named(request, "to")
    at, rows = read_moment("asOf", asked.get("asOf")), read_switch("withRows", asked.get("withRows"), default=True)
    limit = read_number("limit", asked.get("limit"), 5, MOST_WAYS)

    async def build(connection: Connection) -> tuple[dict[str, Any], str | None]:
        start, end, graph = await together(
            connection, find_node(connection, first, at), find_node(connection, last, at), open_graph(connection, at)
        )
        body = await _assemble(connection, graph, start, end, at, limit, rows=rows)
        return body, body["cut"]

    return await answer_kept(request, build)


async def _assemble(
    connection: Connection,
    graph: Graph,
    start: Node,
    end: Node,
    at: datetime | None,
    limit: int,
    *,
    rows: bool,
) -> dict[str, Any]:
    reach, goals = await together(connection, _walk_up(connection, graph, end), _list_ends(connection, end))
    found = await _find_by_columns(connection, graph, start, end, reach, goals, limit, rows=rows)
    level = "columns" if found.ways else None
    if not found.ways:
        found = _find_by_tables(start, end, reach, limit)
        level = "tables" if found.ways else None
    back = None
    if not found.ways:
        other = await _walk_up(connection, graph, start)
        back = start.id != end.id and end.id in other.datasets
    names, jobs, evidence = await together(
        connection,
        fetch_datasets(connection, [start.id, end.id, *found.datasets]),
        describe_jobs(connection, sorted(found.jobs), at),
        fetch_evidence(connection, graph, sorted(found.pairs)),
    )
    transforms = build_transforms(evidence, {job: one["file"] for job, one in jobs.items()})
    paths = [_build_path(way, found.kinds) for way in found.ways]
    paths.sort(key=lambda one: (one["length"], one["why"] == BY_ROWS))
    return {
        "from": start.describe(),
        "to": end.describe(),
        "reaches": level is not None,
        "reachesBack": back,
        "level": level,
        "paths": paths,
        "datasets": [
            {"id": one, "namespace": names[one].namespace, "name": names[one].name}
            for one in sorted(found.datasets)
            if one in names
        ],
        "jobs": [{key: job[key] for key in ("id", "namespace", "name")} for job in jobs.values()],
        "transforms": list(transforms.values()),
        "sentence": _say(start, end, level, paths, back=bool(back)),
        "cut": CUT if found.cut or reach.cut else None,
    }


async def _walk_up(connection: Connection, graph: Graph, node: Node) -> Reach:
    start = {node.id: 0}
    return await walk_uses(connection, graph.steps, start, DEPTH, MOST_NODES, upstream=True, hidden=graph.hidden)


async def _find_by_columns(
    connection: Connection,
    graph: Graph,
    start: Node,
    end: Node,
    reach: Reach,
    goals: list[Column],
    limit: int,
    *,
    rows: bool,
) -> Found:
    """The ways over column edges, to any of these goals."""
    if start.id not in reach.datasets:
        return Found([], set(), set(), set(), {}, cut=False)
    edges = await _fetch_edges(connection, graph, goals, reach, rows=rows)
    distances = measure(edges.rows, goals, upstream=True)
    kinds = group_edges(edges.rows)
    beside: dict[Column, list[tuple[EdgeKey, Column]]] = defaultdict(list)
    whole: dict[UUID, list[Column]] = defaultdict(list)
    for key in sorted(kinds, key=lambda one: not is_direct(one, kinds)):  # of ways of one length, those by values first
        beside[key[1]].append((key, key[0]))
        whole[key[1][0]].append(key[1])
    last = set(goals) | {(end.id, ROWS)}

    def look(column: Column) -> Iterable[tuple[EdgeKey, Column]]:
        stands = dict.fromkeys(whole.get(column[0], ())) if column[1] == ROWS else [column]
        return [step for one in stands for step in beside.get(one, ())]

    def far(column: Column) -> int | None:
        if column in last:
            return 0
        stands = whole.get(column[0], ()) if column[1] == ROWS else (column,)
        return min((distances[one] for one in stands if one in distances), default=None)

    own = dict.fromkeys(whole.get(start.id, ())) if start.field is None else [(start.id, start.field)]
    first = [column for column in own if start.id != end.id or column not in last]
    ways, more = find_ways(first, look, far, limit)
    used = [key for way in ways for key in way]
    return Found(
        ways,
        {end[0] for key in used for end in key[:2]},
        {key[2] for key in used if key[2] != NONE},
        {(key[0][0], key[2]) for key in used},
        kinds,
        cut=more or edges.cut,
    )


async def _list_ends(connection: Connection, end: Node) -> list[Column]:
    """The columns that ways may lead to."""
    if end.field is not None:
        return [(end.id, end.field)]
    return [*(await list_known_columns(connection, [end.id])), (end.id, ROWS)]


async def _fetch_edges(connection: Connection, graph: Graph, goals: list[Column], reach: Reach, *, rows: bool) -> Edges:
    if isinstance(graph.names, NamesNow):
        return await walk_from(connection, graph.names, goals, DEPTH, upstream=True, rows=rows, hidden=graph.hidden)
    return await fetch_among(graph.names, list(reach.datasets), rows=rows, hidden=graph.hidden)


def _find_by_tables(start: Node, end: Node, reach: Reach, limit: int) -> Found:
    """The ways from dataset to dataset."""
    beside: dict[UUID, list[tuple[UseRow, UUID]]] = defaultdict(list)
    for use in reach.uses:
        if use.source is not None and use.target != NONE:
            beside[use.source].append((use, use.target))
    first = [start.id] if start.id != end.id else []
    ways, more = find_ways(first, lambda one: beside.get(one, ()), reach.datasets.get, limit)
    used = [use for way in ways for use in way]
    return Found(
        ways,
        {one for use in used for one in (use.source, use.target) if one is not None},
        {use.job for use in used if use.job != NONE},
        {(use.target, use.job) for use in used},
        {},
        cut=more,
    )


def _build_path(way: list[Any], kinds: dict[EdgeKey, list[ColumnEdgeRow]]) -> dict[str, Any]:
    """A way as answers write it."""
    if isinstance(way[0], UseRow):
        return {"length": len(way), "why": "table", "steps": build_table_edges(way)}
    direct = all(is_direct(key, kinds) for key in way)
    steps = [build_edge(key, kinds[key], {}) for key in way]
    return {"length": len(way), "why": DIRECT if direct else BY_ROWS, "steps": steps}


def is_direct(key: EdgeKey, kinds: dict[EdgeKey, list[ColumnEdgeRow]]) -> bool:
    """Whether values are made along an edge."""
    return key[0][1] != ROWS and any(kind.type != INDIRECT for kind in kinds[key])


def _say(start: Node, end: Node, level: str | None, paths: list[dict[str, Any]], *, back: bool) -> str:
    """The answer in words."""
    first, last = (node.name if node.field is None else f"{node.name}.{node.field}" for node in (start, end))
    if level is None:
        return f"{first} doesn't reach {last}" + (f"; {last} reaches {first}." if back else ".")
    steps = f"{paths[0]['length']} step" + ("s" if paths[0]["length"] > 1 else "")
    if level == "tables":
        return f"{first} reaches {last} in {steps} from table to table; no way over columns is known."
    how = "by values" if paths[0]["why"] == DIRECT else "by what decides the rows"
    return f"{first} reaches {last} in {steps}, {how}."
