"""What a change of a column or dataset reaches downstream, how far away, and why.

direct: values are made of it. rows: it decides which rows there are. table: only tables are known to be linked, because
nothing was said of the columns between them, or not all could be traced; then nothing excludes that it is reached.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from lineal_receiver.api.v2.graph.columns import INDIRECT, ROWS
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_uses import UseRow

DIRECT, BY_ROWS, BY_TABLE = "direct", "rows", "table"
STRENGTH = {DIRECT: 0, BY_ROWS: 1, BY_TABLE: 2}


class Hit(NamedTuple):
    """Why something is reached, and how far away it is; of a column, the one before it on the way."""

    why: str
    distance: int
    via: Column | None = None

    def beats(self, other: "Hit | None") -> bool:
        """Whether this is the stronger reason, or the shorter way."""
        if other is None:
            return True
        return (STRENGTH[self.why], self.distance) < (STRENGTH[other.why], other.distance)


@dataclass(slots=True)
class Affected:
    """What is reached. datasets: without those that were asked for; jobs: those that make or read something reached."""

    columns: dict[Column, Hit] = field(default_factory=dict)
    datasets: dict[UUID, Hit] = field(default_factory=dict)
    jobs: dict[UUID, Hit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Start:
    """What changes: columns, and datasets as a whole, each `distance` steps from what was asked for."""

    columns: tuple[Column, ...] = ()
    wholes: tuple[UUID, ...] = ()
    distance: int = 0


def find_affected(
    start: Start, edges: Iterable[ColumnEdgeRow], uses: Iterable[UseRow], untold: set[tuple[UUID, UUID]]
) -> Affected:
    """What is reached over these edges and uses; untold: slots (dataset, job) not all of whose columns are traced."""
    listed = list(edges)
    columns = {column: Hit(DIRECT, start.distance) for column in start.columns}
    for edge in listed:
        if edge.source_dataset in start.wholes:
            columns.setdefault(edge.source, Hit(DIRECT, start.distance))
    own = set(columns)
    wholes = _spread_columns(columns, listed)
    found = Affected(columns=columns)
    _spread_tables(found, start, wholes, list(uses), untold)
    _blame_jobs(found, listed)
    asked = {*start.wholes, *(dataset for dataset, _ in start.columns)}
    found.columns = {column: hit for column, hit in columns.items() if column not in own and column[1] != ROWS}
    found.datasets = {dataset: hit for dataset, hit in found.datasets.items() if dataset not in asked}
    return found


def _spread_columns(columns: dict[Column, Hit], edges: list[ColumnEdgeRow]) -> dict[UUID, Hit]:
    """Take in the columns that are reached, first by values, then by rows; gives the datasets whose rows are."""
    beside: dict[Column, list[ColumnEdgeRow]] = defaultdict(list)
    for edge in edges:
        beside[edge.source].append(edge)
    wholes: dict[UUID, Hit] = {}
    for why in (DIRECT, BY_ROWS):
        frontier = list(columns)
        while frontier:
            following: list[Column] = []
            for column in frontier:
                distance = columns[column].distance + 1
                for edge in beside.get(column, ()):
                    target = edge.target
                    if target[1] == ROWS:
                        _take(wholes, target[0], Hit(BY_ROWS, distance, column))
                    elif target not in columns and (why == BY_ROWS or edge.type != INDIRECT):
                        columns[target] = Hit(why, distance, column)
                        following.append(target)
            frontier = following
    return wholes


def _spread_tables(
    found: Affected, start: Start, wholes: dict[UUID, Hit], uses: list[UseRow], untold: set[tuple[UUID, UUID]]
) -> None:
    """Take in datasets and jobs: by columns; as a whole where rows are reached; by tables where nothing is told."""
    for (dataset, _), hit in found.columns.items():
        _take(found.datasets, dataset, Hit(hit.why, hit.distance))
    by_source: dict[UUID, list[UseRow]] = defaultdict(list)
    for use in uses:
        if use.source is not None:
            by_source[use.source].append(use)
    whole = {dataset: Hit(BY_ROWS, hit.distance) for dataset, hit in wholes.items()}
    whole |= {dataset: Hit(BY_TABLE, start.distance) for dataset in start.wholes if dataset not in whole}
    for dataset, known in list(found.datasets.items()):
        hit = Hit(BY_TABLE, known.distance + 1)
        for use in by_source.get(dataset, ()):
            _take(found.jobs, use.job, hit)
            if (use.target, use.job) in untold:
                _take(whole, use.target, hit)
    _spread_wholes(found, whole, by_source)
    found.jobs.pop(NONE, None)


def _spread_wholes(found: Affected, whole: dict[UUID, Hit], by_source: dict[UUID, list[UseRow]]) -> None:
    """From datasets that are reached as a whole, on to all that is made of them."""
    frontier = list(whole)
    while frontier:
        following = []
        for dataset in frontier:
            _take(found.datasets, dataset, whole[dataset])
            hit = Hit(whole[dataset].why, whole[dataset].distance + 1)
            for use in by_source.get(dataset, ()):
                _take(found.jobs, use.job, hit)
                if use.target != NONE and hit.beats(whole.get(use.target)):
                    whole[use.target] = hit
                    following.append(use.target)
        frontier = following


def _blame_jobs(found: Affected, edges: list[ColumnEdgeRow]) -> None:
    """Of jobs that make columns which are reached, why."""
    for edge in edges:
        source = found.columns.get(edge.source)
        if source is not None and edge.job_id != NONE:
            direct = source.why == DIRECT and edge.type != INDIRECT
            _take(found.jobs, edge.job_id, Hit(DIRECT if direct else BY_ROWS, source.distance + 1))


def _take(known: dict[UUID, Hit], entity: UUID, hit: Hit) -> None:
    if hit.beats(known.get(entity)):
        known[entity] = hit
