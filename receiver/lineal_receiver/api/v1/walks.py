"""Walks over the graph, level by level: nothing is visited twice; a walk that grows too large is cut and says so."""

from dataclasses import dataclass, field
from uuid import UUID

from lineal_receiver.api.v1.names_now import open_names_now
from lineal_receiver.api.v1.steps import Step, TableSteps
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_snapshot import Connection

MOST_NODES = 5_000
MOST_EDGES = 50_000
EDGES_A_COLUMN = 2


@dataclass(slots=True)
class TableWalk:
    """What a walk over tables has reached: jobs and datasets in the order met, and the steps between them."""

    by: TableSteps
    hidden: Hidden
    jobs: dict[UUID, None] = field(default_factory=dict)
    datasets: dict[UUID, None] = field(default_factory=dict)
    steps: list[StepRow] = field(default_factory=list)
    cut: bool = False

    def room(self) -> int:
        """How many more nodes may be taken in."""
        return MOST_NODES - len(self.jobs) - len(self.datasets)


async def walk_tables(
    connection: Connection, by: TableSteps, *, jobs: list[UUID], datasets: list[UUID], depth: int
) -> TableWalk:
    """Everything within `depth` jobs of the first ones, in both directions, by these steps.

    From jobs: depth 0 is these with their own datasets. From datasets: depth 0 is the jobs that touch them.
    """
    walk = TableWalk(by, Hidden(connection), datasets=dict.fromkeys(datasets))
    frontier = jobs or await _step_to_new_jobs(walk, datasets)
    walk.jobs |= dict.fromkeys(frontier)
    for hop in range(depth + 1):
        reached = await _step_to_new_datasets(walk, frontier)
        if hop == depth or not reached or walk.cut:
            break
        frontier = await _step_to_new_jobs(walk, reached)
        walk.jobs |= dict.fromkeys(frontier)
        if not frontier:
            break
    return walk


async def _step_to_new_jobs(walk: TableWalk, datasets: list[UUID]) -> list[UUID]:
    """Jobs not met yet that touch `datasets`, as many as there is room for."""
    asked = MOST_EDGES - len(walk.steps) + 1
    found, cut = await walk.by.step_to_jobs(datasets, asked)
    gone = await walk.hidden.among(found)
    new = sorted(job for job in found if job not in walk.jobs and job not in gone)
    if cut or len(new) > walk.room():
        walk.cut = True
    return new[: max(0, walk.room())]


async def _step_to_new_datasets(walk: TableWalk, jobs: list[UUID]) -> list[UUID]:
    """Datasets not met yet that `jobs` touch, as many as there is room for; all steps to datasets met are kept."""
    asked = MOST_EDGES - len(walk.steps) + 1
    steps, cut = await walk.by.step_to_datasets(jobs, asked) if jobs else ([], False)
    met = {step.dataset_id for step in steps if step.dataset_id not in walk.datasets}
    new = sorted(met - await walk.hidden.among(met))
    if cut or len(new) > walk.room():
        walk.cut = True
    new = new[: max(0, walk.room())]
    walk.datasets |= dict.fromkeys(new)
    walk.steps += (step for step in steps if step.dataset_id in walk.datasets)
    return new


@dataclass(slots=True)
class ColumnWalk:
    """What a walk over columns has reached."""

    columns: dict[Column, None]
    edges: dict[ColumnEdgeRow, None] = field(default_factory=dict)
    cut: bool = False


async def walk_columns(connection: Connection, start: list[Column], *, depth: int, downstream: bool) -> ColumnWalk:
    """What `start` is made from and, if `downstream`, what is made from it, up to `depth` edges away.

    Siblings (made from the same as `start`) are in neither direction and left out.
    """
    names = await open_names_now(connection)
    start = start[:MOST_NODES]
    up = await names.look_at_columns(start, depth, upstream=True)
    walk = ColumnWalk(columns=dict.fromkeys(start), cut=len(start) == MOST_NODES)
    await walk_one_way(connection, walk, start, depth, up, upstream=True)
    if downstream:
        down = await names.look_at_columns(start, depth, upstream=False)
        await walk_one_way(connection, walk, start, depth, down, upstream=False)
    return walk


async def walk_one_way(
    connection: Connection,
    walk: ColumnWalk,
    start: list[Column],
    depth: int,
    step: Step,
    *,
    upstream: bool,
    hidden: Hidden | None = None,
) -> None:
    """Add to `walk` what `step` reaches from `start` within `depth` steps."""
    hidden = hidden or Hidden(connection)
    met, frontier = set(start), start
    for _ in range(depth):
        edges, cut = await _step(walk, step, frontier)
        walk.cut = walk.cut or cut
        reached: dict[Column, None] = {}
        gone = await hidden.among(end for edge in edges for end in (edge.job_id, edge.source[0], edge.target[0]))
        if gone:
            edges = [e for e in edges if not gone & {e.job_id, e.source[0], e.target[0]}]
        for edge in sorted(edges, key=_edge_order):
            column = edge.source if upstream else edge.target
            if column not in walk.columns and len(walk.columns) >= MOST_NODES:
                walk.cut = True
                continue
            walk.columns.setdefault(column)
            walk.edges.setdefault(edge)
            if column not in met:
                met.add(column)
                reached.setdefault(column)
        frontier = list(reached)
        if not frontier or walk.cut:
            return


async def _step(walk: ColumnWalk, step: Step, frontier: list[Column]) -> tuple[list[ColumnEdgeRow], bool]:
    """A step, as far as there is room: of a hub not more edges than its columns that fit are likely to need."""
    room, likely = MOST_EDGES - len(walk.edges) + 1, EDGES_A_COLUMN * (MOST_NODES - len(walk.columns)) + 1
    if likely < room:
        edges, cut = await step(frontier, likely)
        ends = {end for edge in edges for end in (edge.source, edge.target)}
        if not cut or len(ends - walk.columns.keys()) > MOST_NODES - len(walk.columns):
            return edges, cut
    return await step(frontier, room)


def _edge_order(edge: ColumnEdgeRow) -> tuple[object, ...]:
    return edge[:7]  # by target, source, job, type and subtype
