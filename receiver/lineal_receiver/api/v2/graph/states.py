"""Lineage and schemas as they were at a time, or as a run said them, by name: two of these can be compared."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.names_then import NamesThen, open_names_then
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v2.asking import Node
from lineal_receiver.api.v2.graph.columns import ROWS, fetch_among, measure
from lineal_receiver.api.v2.graph.uses import UsesThen, walk_uses
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_column_statuses import ColumnStatusRow, fetch_statuses_of_sets
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_datasets import fetch_dataset_names
from lineal_receiver.store.read_past_columns import list_fields_of_sets, step_in_sets
from lineal_receiver.store.read_run_list import ListedRun
from lineal_receiver.store.read_run_writes import fetch_said
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow

MOST_DATASETS, MOST_FIELDS, MOST_EDGES = 1_000, 20_000, 20_000

Name = tuple[str, str]
ColumnName = tuple[str, str, str]
EdgeName = tuple[ColumnName, ColumnName, Name | None]
"""Source, target (field '': its rows), job."""
UseName = tuple[Name | None, Name | None, Name | None]
"""Source, job, target."""


@dataclass(slots=True)
class State:
    """What there was. datasets: those that it tells of."""

    datasets: set[Name] = field(default_factory=set)
    columns: dict[ColumnName, dict[str, Any]] = field(default_factory=dict)
    edges: dict[EdgeName, dict[str, Any]] = field(default_factory=dict)
    uses: dict[UseName, None] = field(default_factory=dict)
    cut: bool = False


async def take_state(connection: Connection, node: Node, at: datetime, depth: int) -> State:
    """What made a dataset or column at a time, `depth` steps up."""
    names = await open_names_then(connection, at)
    reach = await walk_uses(connection, UsesThen(names), {node.id: 0}, depth, MOST_DATASETS, upstream=True)
    among = await fetch_among(names, list(reach.datasets), rows=True)
    edges = [edge for edge in among.rows if reach.datasets[edge.target_dataset] < depth]
    if node.field is not None:
        column = (node.id, node.field)
        near = measure(edges, [column], upstream=True)
        edges = [edge for edge in edges if edge.target in near or (edge.target[1] == ROWS and edge.source in near)]
    columns, statuses = await _fetch_columns(names, node)
    state = State(cut=reach.cut or among.cut)
    await _name(connection, state, list(reach.uses), edges, columns, statuses)
    return state


async def _fetch_columns(
    names: NamesThen, node: Node
) -> tuple[dict[Column, str | None], dict[Column, ColumnStatusRow]]:
    """The columns of the node then, with their types, and what was known of them."""
    schemas = await names.find_schemas([node.id])
    columns: dict[Column, str | None] = {
        (node.id, one["name"]): one["type"] for one in build_fields(schemas.get(node.id))
    }
    for column in await names.list_fields([node.id], None, MOST_FIELDS):
        columns.setdefault(column, None)
    columns = {
        column: kind for column, kind in columns.items() if column[1] != ROWS and node.field in {None, column[1]}
    }
    return columns, await names.find_statuses(list(columns))


async def take_said(connection: Connection, run: ListedRun) -> State:
    """What a run said of what it read and wrote."""
    said = await fetch_said(connection, run.job_id, run.run_id, MOST_DATASETS)
    sets = [(row.dataset_id, row.edge_set_id) for row in said if row.edge_set_id is not None]
    written = [row for row in said if row.side == "o"]
    columns: dict[Column, str | None] = {
        (row.dataset_id, one["name"]): one["type"] for row in written for one in build_fields(row.fields)
    }
    for column in await list_fields_of_sets(connection, sets, MOST_FIELDS):
        columns.setdefault(column, None)
    by_dataset = dict(sets)
    asked = [(dataset, name, by_dataset[dataset]) for dataset, name in columns if dataset in by_dataset]
    statuses = await fetch_statuses_of_sets(connection, asked)
    places = [*((dataset, name) for dataset, name, _ in asked), *((dataset, ROWS) for dataset, _ in sets)]
    places = list(dict.fromkeys(places))
    rows = await step_in_sets(
        connection,
        [(number, by_dataset[dataset], name) for number, (dataset, name) in enumerate(places)],
        MOST_EDGES,
        rows=True,
    )
    edges = [_build_edge(places[row["place"]], row, run.job_id) for row in rows]
    uses = [UseRow(row.dataset_id, run.job_id, None) for row in written]
    uses += [UseRow(NONE, run.job_id, row.dataset_id) for row in said if row.side == "i"]
    state = State(cut=len(said) == MOST_DATASETS or len(rows) == MOST_EDGES)
    columns = {column: kind for column, kind in columns.items() if column[1] != ROWS}
    await _name(connection, state, uses, edges, columns, statuses)
    return state


def _build_edge(target: Column, row: Any, job: UUID) -> ColumnEdgeRow:
    how = (row["type"], row["subtype"], row["masking"], row["expression"])
    return ColumnEdgeRow(*target, row["source_dataset"], row["source_field"], job, *how, last_known=False)


async def _name(
    connection: Connection,
    state: State,
    uses: list[UseRow],
    edges: Iterable[ColumnEdgeRow],
    columns: dict[Column, str | None],
    statuses: dict[Column, ColumnStatusRow],
) -> None:
    """Write all of it by name."""
    edges = list(edges)
    datasets = {end for use in uses for end in (use.source, use.target) if end is not None}
    datasets |= {dataset for dataset, _ in columns} | {end[0] for edge in edges for end in (edge.source, edge.target)}
    named = await fetch_dataset_names(connection, list(datasets))
    jobs = await fetch_names(connection, list({use.job for use in uses} | {edge.job_id for edge in edges}))
    called = {job: (one.namespace, one.sent) for job, one in jobs.items()}
    state.datasets = set(named.values())
    for use in uses:
        state.uses[named.get(use.source) if use.source else None, called.get(use.job), named.get(use.target)] = None
    for (dataset, name), kind in columns.items():
        known = statuses.get((dataset, name))
        state.columns[(*named[dataset], name)] = {
            "type": kind,
            "status": None if known is None else known.status,
            "reason": None if known is None else known.reason,
        }
    kinds: dict[EdgeName, list[ColumnEdgeRow]] = defaultdict(list)
    for edge in edges:
        source, target = ((*named[end[0]], end[1]) for end in (edge.source, edge.target))
        kinds[source, target, called.get(edge.job_id)].append(edge)
    for key, found in kinds.items():
        status = statuses.get(found[0].target)
        said = next((edge.expression for edge in found if edge.expression), None)
        state.edges[key] = {
            "kinds": [
                {"type": kind, "subtype": subtype, "masking": masking}
                for kind, subtype, masking in sorted({(one.type, one.subtype, one.masking) for one in found})
            ],
            "expression": said if status is None or status.expression is None else status.expression,
        }
