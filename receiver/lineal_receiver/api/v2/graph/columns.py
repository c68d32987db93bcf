"""Column edges of a graph: in force now or at a time; with rows, also what decides which rows there are.

An edge to the rows of a dataset has the target field ''. What decides a dataset's rows decides every column of it.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v1.steps import Step
from lineal_receiver.api.v1.walks import ColumnWalk, walk_one_way
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_edges_among import fetch_edges_into, fetch_edges_of, fetch_rows_by, fetch_rows_of
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_snapshot import Connection

MOST_EDGES = 20_000
ROWS = ""
INDIRECT = "INDIRECT"


@dataclass(slots=True)
class Edges:
    """Column edges, each once, and whether there are more than could be looked at."""

    rows: dict[ColumnEdgeRow, None] = field(default_factory=dict)
    cut: bool = False


async def fetch_among(
    names: NamesNow | NamesThen, datasets: list[UUID], *, rows: bool, hidden: Hidden | None = None
) -> Edges:
    """The edges between columns of these datasets."""
    found, cut = await fetch_into(names, datasets, rows=rows)
    shown = set(datasets)
    gone = await (hidden or Hidden(names.identities.connection)).among(edge.job_id for edge in found)
    kept = (e for e in found if e.target_dataset in shown and e.source_dataset in shown and e.job_id not in gone)
    return Edges(dict.fromkeys(sorted(kept, key=order)), cut)


async def fetch_into(
    names: NamesNow | NamesThen, datasets: list[UUID], *, rows: bool
) -> tuple[list[ColumnEdgeRow], bool]:
    """The edges into columns of these datasets, from anywhere; whether there are more."""
    connection = names.identities.connection
    if isinstance(names, NamesNow):
        every = await names.identities.expand(datasets)
        found = await fetch_edges_into(connection, every, MOST_EDGES, rows=rows)
        cut = len(found) == MOST_EDGES
        found = await names.fold_edges(found, datasets, MOST_EDGES, rows=rows)
        found = found if rows else [edge for edge in found if edge.type != INDIRECT]
    else:
        columns = await names.list_fields(datasets, None, MOST_EDGES)
        found, cut = await names.step_upstream(columns, MOST_EDGES)
        if rows:
            more, few = await names.step_to_rows(datasets, MOST_EDGES)
            found, cut = found + more, cut or few
        else:
            found = [edge for edge in found if edge.type != INDIRECT]
    return found, cut


async def walk_from(
    connection: Connection,
    names: NamesNow,
    start: list[Column],
    depth: int,
    *,
    upstream: bool,
    rows: bool,
    hidden: Hidden | None = None,
) -> Edges:
    """The edges that lead to `start` (or from it) within `depth` steps."""
    step = await names.look_at_columns(start, depth, upstream=upstream)
    walk = ColumnWalk(columns=dict.fromkeys(start))
    step = _with_rows(names, step, upstream) if rows else _direct(step)
    await walk_one_way(connection, walk, start, depth, step, upstream=upstream, hidden=hidden)
    return Edges(walk.edges, walk.cut)


def _direct(step: Step) -> Step:
    """Steps over what values are made of alone."""

    async def step_direct(columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        edges, cut = await step(columns, limit)
        return [edge for edge in edges if edge.type != INDIRECT], cut

    return step_direct


def _with_rows(names: NamesNow, step: Step, upstream: bool) -> Step:
    """Steps over what decides the rows, too; from rows that are decided, on to all that is made of them."""
    connection, identities = names.identities.connection, names.identities

    async def step_with_rows(columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        edges, cut = await step([column for column in columns if column[1] != ROWS], limit)
        near = set(columns)
        wholes = {dataset for dataset, field in columns if upstream or field == ROWS}
        if upstream:
            more = await fetch_rows_of(connection, await identities.expand(list(wholes)), limit)
        else:
            more = await fetch_rows_by(connection, await identities.expand_columns(columns), limit)
            if wholes:
                more += await fetch_edges_of(connection, await identities.expand(list(wholes)), limit)
        few = len(more) >= limit
        more = await names.fold_edges(more, {dataset for dataset, _ in columns}, limit, rows=True)
        if upstream:
            more = [edge for edge in more if edge.target_field == ROWS and edge.target_dataset in wholes]
        else:
            more = [e for e in more if e.source_dataset in wholes or (e.target_field == ROWS and e.source in near)]
        return edges + more, cut or few

    return step_with_rows


def measure(edges: Iterable[ColumnEdgeRow], start: Iterable[Column], *, upstream: bool) -> dict[Column, int]:
    """How many steps away each column is that these edges reach from `start`; rows count as part of their columns."""
    beside: dict[Column, list[Column]] = defaultdict(list)
    whole: dict[UUID, dict[Column, None]] = defaultdict(dict)
    for edge in edges:
        near, far = (edge[:2], edge[2:4]) if upstream else (edge[2:4], edge[:2])
        beside[near].append(far)
        whole[near[0]][near] = None
    distances = dict.fromkeys(start, 0)
    frontier = list(distances)
    while frontier:
        following: list[Column] = []
        for column in frontier:
            distance = distances[column] + 1
            for stands in _stand_for(column, whole, upstream=upstream):
                for far in beside.get(stands, ()):
                    if far not in distances:
                        distances[far] = distance
                        following.append(far)
        frontier = following
    return distances


def _stand_for(column: Column, whole: dict[UUID, dict[Column, None]], *, upstream: bool) -> Iterable[Column]:
    """The column; upstream also its rows; downstream, of rows, all columns of the dataset."""
    yield column
    if upstream and column[1] != ROWS:
        yield (column[0], ROWS)
    elif not upstream and column[1] == ROWS:
        yield from whole.get(column[0], ())


def order(edge: ColumnEdgeRow) -> tuple[object, ...]:
    """A stable order of edges: by target, source, job, type and subtype."""
    return edge[:7]
