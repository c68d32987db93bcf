"""What a graph holds: the datasets and jobs around a node, how far away, and the edges between them."""

from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.names_then import NamesThen, open_names_then
from lineal_receiver.api.v2.asking import Node
from lineal_receiver.api.v2.graph.columns import ROWS, Edges, fetch_among, fetch_into, measure, walk_from
from lineal_receiver.api.v2.graph.uses import MOST_USES, Ahead, Reach, UsesNow, UsesThen, walk_uses
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.together import all_together, together

MOST_BESIDE = 101
TARGET, UPSTREAM, DOWNSTREAM, BOTH = "target", "upstream", "downstream", "both"


@dataclass(frozen=True, slots=True)
class Asked:
    """What of the surroundings is asked for. columns: all, reached or none; limit: datasets and jobs at most."""

    direction: str = BOTH
    depth: int = 1
    rows: bool = False
    columns: str = "all"
    limit: int = 1_000
    most_columns: int = 2_000
    at: datetime | None = None

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether upstream (True) and downstream (False) are asked for."""
        return tuple(way for way, name in ((True, UPSTREAM), (False, DOWNSTREAM)) if self.direction in (name, BOTH))


Place = tuple[int, str]
"""How far away, and on which side."""


@dataclass(slots=True)
class Graph:
    """What was walked. reached: the columns on the ways from and to the node, None where all are meant."""

    names: NamesNow | NamesThen
    steps: UsesNow | UsesThen
    hidden: Hidden
    datasets: dict[UUID, Place] = field(default_factory=dict)
    jobs: dict[UUID, Place] = field(default_factory=dict)
    uses: dict[UseRow, None] = field(default_factory=dict)
    edges: dict[ColumnEdgeRow, None] = field(default_factory=dict)
    reached: set[Column] | None = None
    cut: bool = False


async def open_graph(
    connection: Connection, at: datetime | None, look: Callable[[Connection], Coroutine[Any, Any, Ahead]] | None = None
) -> Graph:
    """An empty graph of now or of a time; look: looks up what of now is likely to be walked."""
    hidden = Hidden(connection)
    if at is not None:
        then, _ = await together(connection, open_names_then(connection, at), hidden.any())
        return Graph(then, UsesThen(then), hidden)
    opening, asking = open_identities(connection), hidden.any()
    if look is None:
        identities, _ = await together(connection, opening, asking)
        now = NamesNow(identities)
        return Graph(now, UsesNow(now), hidden)
    identities, _, looked = await together(connection, opening, asking, look(connection))
    now = NamesNow(identities)
    return Graph(now, UsesNow(now, looked), hidden)


async def walk_around(connection: Connection, graph: Graph, node: Node, asked: Asked) -> None:
    """Take in what lies around a node: datasets, jobs and uses; of a column also its edges."""
    if node.field is not None:
        await _walk_column(connection, graph, node, asked)
    else:
        await _walk_tables(connection, graph, node, asked)


async def take_whole_jobs(graph: Graph) -> None:
    """Take in all that the jobs of a graph read and write, and all that static events tell of what they write there.

    Its edges and the columns that were reached are forgotten: those of all of it are to be drawn.
    """
    found, cut = await graph.steps.of_jobs(list(graph.jobs), MOST_USES)
    static = list({use.target for use in graph.uses if use.job == NONE})
    if static:  # these name no inputs: what their columns are made of tells
        told, few = await fetch_into(graph.names, static, rows=True)
        made = [UseRow(edge.target_dataset, NONE, edge.source_dataset) for edge in told if edge.job_id == NONE]
        found, cut = [*found, *dict.fromkeys(made)], cut or few
    gone = await graph.hidden.among(end for use in found for end in use if end is not None)
    beyond = max((distance for distance, _ in graph.datasets.values()), default=0) + 1
    for use in found:
        if not gone & set(use):
            graph.uses.setdefault(use)
            for end, side in ((use.source, UPSTREAM), (use.target, DOWNSTREAM)):
                if end is not None and end != NONE:
                    graph.datasets.setdefault(end, (beyond, side))
    graph.edges, graph.reached, graph.cut = {}, None, graph.cut or cut


async def draw_edges(graph: Graph, node: Node, asked: Asked) -> None:
    """Take in the column edges between the datasets around a dataset or job."""
    if node.field is not None:
        return
    if asked.columns != "none":
        among = await fetch_among(graph.names, list(graph.datasets), rows=asked.rows, hidden=graph.hidden)
        drawn = {(use.target, use.source) for use in graph.uses}
        graph.edges = {e: None for e in among.rows if (e.target_dataset, e.source_dataset) in drawn}
        graph.cut = graph.cut or among.cut
    if asked.columns == "reached":
        graph.reached = _find_reached(graph, node, asked)


async def _walk_tables(connection: Connection, graph: Graph, node: Node, asked: Asked) -> None:
    start: dict[bool, dict[UUID, int]] = {True: {}, False: {}}
    depth = asked.depth
    if node.kind == "job":
        own, graph.cut = await graph.steps.of_jobs([node.id], MOST_USES)
        gone = await graph.hidden.among(end for use in own for end in use if end is not None)
        own = [use for use in own if not gone & set(use)]
        graph.jobs[node.id] = (0, TARGET)
        for use in own:
            graph.uses.setdefault(use)
            if use.source is not None:
                start[True][use.source] = 1
            if use.target != NONE:
                start[False][use.target] = 1
        for upstream in (True, False):
            _place(graph, Reach(datasets=start[upstream]), upstream=upstream)
        depth -= 1
    else:
        start = {True: {node.id: 0}, False: {node.id: 0}}
        graph.datasets[node.id] = (0, TARGET)

    async def walk(*, upstream: bool) -> Reach:
        room = max(0, asked.limit - len(graph.datasets) - len(graph.jobs))
        return await walk_uses(
            connection, graph.steps, start[upstream], depth, room, upstream=upstream, hidden=graph.hidden
        )

    reaches = await all_together(connection, [walk(upstream=upstream) for upstream in asked.ways])
    for upstream, reach in zip(asked.ways, reaches, strict=True):
        met = len(reach.datasets) - len(start[upstream]) + len(reach.jobs)
        fits = met <= max(0, asked.limit - len(graph.datasets) - len(graph.jobs))
        _place(graph, reach if fits else await walk(upstream=upstream), upstream=upstream)


def _place(graph: Graph, reach: Reach, *, upstream: bool) -> None:
    """Take in what a walk met; what both met is on both sides, at the shorter distance."""
    side = UPSTREAM if upstream else DOWNSTREAM
    for known, met in ((graph.datasets, reach.datasets), (graph.jobs, reach.jobs)):
        for entity, distance in met.items():
            before = known.get(entity)
            if before is None:
                known[entity] = (distance, side)
            elif before[1] != TARGET:
                known[entity] = (min(before[0], distance), side if before[1] == side else BOTH)
    graph.uses |= reach.uses
    graph.cut = graph.cut or reach.cut


def take_in_jobs(graph: Graph) -> list[tuple[UUID, UUID]]:
    """Take in the jobs of edges whose source no run names as an input; gives their slots (dataset, job).

    Of a run's columns `columnLineage` may tell more than its inputs do.
    """
    slots: dict[tuple[UUID, UUID], None] = {}
    known = {(use.target, use.job) for use in graph.uses}
    for edge in graph.edges:
        slot = (edge.target_dataset, edge.job_id)
        graph.uses.setdefault(UseRow(*slot, edge.source_dataset))
        if slot not in known:
            slots.setdefault(slot)
            if edge.job_id != NONE and edge.job_id not in graph.jobs:
                graph.jobs[edge.job_id] = max(graph.datasets[edge.target_dataset], graph.datasets[edge.source_dataset])
    return list(slots)


def _find_reached(graph: Graph, node: Node, asked: Asked) -> set[Column]:
    """The columns on ways from or to those of the node: of a job, those that it makes and reads."""
    reached: set[Column] = set()
    for upstream in asked.ways:
        if node.kind == "job":
            own = (edge for edge in graph.edges if edge.job_id == node.id)
            start = {edge.target if upstream else edge.source for edge in own}
        else:
            ends = (edge.target if upstream else edge.source for edge in graph.edges)
            start = {column for column in ends if column[0] == node.id}
        reached |= set(measure(graph.edges, start, upstream=upstream))
    return reached


async def _walk_column(connection: Connection, graph: Graph, node: Node, asked: Asked) -> None:
    """The ways of one column: its datasets, jobs and uses are those that its edges tell of."""
    start: Column = (node.id, node.field or "")
    reached = {start}
    graph.datasets[node.id] = (0, TARGET)
    ways = [_fetch_ways(connection, graph, start, asked, upstream=upstream) for upstream in asked.ways]
    for upstream, edges in zip(asked.ways, await all_together(connection, ways), strict=True):
        distances = measure(edges.rows, [start], upstream=upstream)
        nearest = _find_nearest(distances)
        graph.cut = graph.cut or edges.cut
        reach = Reach()
        for edge in edges.rows:
            near, far = (edge.target, edge.source) if upstream else (edge.source, edge.target)
            distance = distances.get(far)
            if distance is None or distance > asked.depth or _before(near, distances, nearest, upstream) >= asked.depth:
                continue
            new = {far[0], edge.job_id} - graph.datasets.keys() - reach.datasets.keys() - reach.jobs.keys() - {NONE}
            used = len(graph.datasets) + len(graph.jobs) + len(reach.datasets) + len(reach.jobs)
            if used + len(new) > asked.limit:
                graph.cut = True
                continue
            reached |= {near, far}
            graph.edges.setdefault(edge)
            if far[0] != node.id:
                reach.datasets[far[0]] = min(distance, reach.datasets.get(far[0], distance))
            if edge.job_id != NONE:
                reach.jobs[edge.job_id] = min(distance, reach.jobs.get(edge.job_id, distance))
            reach.uses.setdefault(UseRow(edge.target_dataset, edge.job_id, edge.source_dataset))
        _place(graph, reach, upstream=upstream)
    graph.reached = reached if asked.columns == "reached" else None


def _find_nearest(distances: dict[Column, int]) -> dict[UUID, int]:
    """How far away the nearest column of each dataset is."""
    nearest: dict[UUID, int] = {}
    for (dataset, _), distance in distances.items():
        nearest[dataset] = min(distance, nearest.get(dataset, distance))
    return nearest


def _before(column: Column, distances: dict[Column, int], nearest: dict[UUID, int], upstream: bool) -> int:
    """How far away a column is itself, or what it stands for: of rows the columns, of a column the rows."""
    if column in distances:
        return distances[column]
    if upstream:
        return nearest.get(column[0], 0)
    return distances.get((column[0], ROWS), 0)


async def _fetch_ways(connection: Connection, graph: Graph, start: Column, asked: Asked, *, upstream: bool) -> Edges:
    """The edges in one direction; of the past those among all datasets in that direction."""
    if isinstance(graph.names, NamesNow):
        return await walk_from(
            connection,
            graph.names,
            [start],
            asked.depth,
            upstream=upstream,
            rows=asked.rows,
            hidden=graph.hidden,
        )
    reach = await walk_uses(connection, graph.steps, {start[0]: 0}, asked.depth, asked.limit, upstream=upstream)
    among = await fetch_among(graph.names, list(reach.datasets), rows=asked.rows)
    return Edges(among.rows, among.cut or reach.cut)


@dataclass(slots=True)
class Beside:
    """By dataset: the jobs that write it (NONE: a static event), and those that read it, up to a limit."""

    writers: dict[UUID, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    readers: dict[UUID, set[UUID]] = field(default_factory=lambda: defaultdict(set))


async def look_beside(graph: Graph) -> Beside:
    """Who writes and reads the datasets of a graph, whether the graph has them or not."""
    beside = Beside()
    made, used = await graph.steps.step_both(list(graph.datasets), MOST_BESIDE + len(graph.jobs))
    for upstream, near, uses in ((True, beside.writers, made), (False, beside.readers, used)):
        for use in [*graph.uses, *uses]:
            end = use.target if upstream else use.source
            if end in graph.datasets:
                near[end].add(use.job)
    return beside
