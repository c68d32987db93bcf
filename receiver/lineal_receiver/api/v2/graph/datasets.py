"""What a graph shows of its datasets and their columns."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import read_object
from lineal_receiver.api.v1.assembly.columns import MOST_SETS, fetch_statuses
from lineal_receiver.api.v1.assembly.dataset_tags import fetch_tagged_names
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.api.v1.columns_now import find_told
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v1.shapes.datasets import build_fields, find_text, is_dropped, is_renamed
from lineal_receiver.api.v1.shapes.tags import Tags
from lineal_receiver.api.v1.targets import list_columns_of
from lineal_receiver.api.v2.graph.columns import ROWS
from lineal_receiver.api.v2.graph.walked import Beside, Graph
from lineal_receiver.api.v2.reasons import NO_COLUMN_LINEAGE, explain
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_column_statuses import NOT_REPORTED, ColumnStatusRow, fetch_statuses_of_datasets
from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_edges_among import count_beside, count_beside_all
from lineal_receiver.store.read_facets import FacetRow, fetch_facets
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import TaggedRow
from lineal_receiver.store.together import together

MOST_COUNTED = 100
MOST_FIELDS = 10_000
MOST_EDGES = 1_000
"""So many edges of a dataset are looked at to count those of each column; of more, each column's by themselves."""
FACETS = ("documentation", "tags", "ownership")


Counts = dict[Column, tuple[int, int]]
"""Of how many columns each is made, and how many are made of it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of the datasets of a graph by themselves.

    schemas: JSON text. near: of their columns whether it is known where they come from, and what lies beside them; None
    where no columns are wanted. far: datasets too large for that, each column of which is looked up by itself.
    """

    found: dict[UUID, DatasetRow]
    facets: dict[UUID, list[FacetRow]]
    tagged: dict[UUID, list[TaggedRow]]
    schemas: dict[UUID, str | None]
    near: tuple[Counts, dict[Column, ColumnStatusRow]] | None
    far: set[UUID]


async def fetch_told(connection: Connection, graph: Graph, *, columns: bool, rows: bool) -> Told:
    """What is known of the datasets of a graph, without what lies between them."""
    datasets = list(graph.datasets)
    then = graph.names if isinstance(graph.names, NamesThen) else None
    at_once = columns and then is None and not graph.names.identities.any
    counting = count_beside_all(connection, datasets if at_once else [], MOST_EDGES, rows=rows)
    found, (counts, full) = await together(connection, fetch_datasets(connection, datasets), counting)
    far = full if at_once else set(datasets)
    facets, tagged, statuses = await together(
        connection,
        _fetch_facets(connection, found, None if then is None else then.at),
        fetch_tagged_names(connection, list(found.values())),
        fetch_statuses_of_datasets(connection, [dataset for dataset in datasets if dataset not in far]),
    )
    schemas = {dataset: row.fields for dataset, row in found.items()}
    if then is not None:
        schemas = {**dict.fromkeys(found), **await then.find_schemas(found)}
    return Told(found, facets, tagged, schemas, (counts, statuses) if columns else None, far & found.keys())


async def assemble_datasets(
    connection: Connection, graph: Graph, beside: Beside, told: Told, *, rows: bool, most_columns: int
) -> list[dict[str, Any]]:
    """The datasets of a graph, the nearest first, with all their columns, those that were reached, or none."""
    found, facets, schemas = told.found, told.facets, told.schemas
    then = isinstance(graph.names, NamesThen)
    tags = {dataset: Tags(facets[dataset], told.tagged[row.id]) for dataset, row in found.items()}
    known = await _fetch_columns(connection, graph, told, rows=rows, most=most_columns)
    columns, statuses, counts = known.columns, known.statuses, known.counts
    spoken = known.spoken
    made = {dataset: bool(beside.writers[dataset]) or found[dataset].written_at is not None for dataset in found}
    last_known = {edge.target for edge in graph.edges if edge.last_known}
    uncounted = (None, None) if then else (0, 0)

    def build_column(column: Column, types: dict[str, dict[str, Any]]) -> dict[str, Any]:
        known, stated = statuses.get(column), types.get(column[1], {})
        up, down = counts.get(column, uncounted)
        return {
            "name": column[1],
            "type": stated.get("type"),
            **_build_status(known, written=made[column[0]], silent=column[0] not in spoken),
            "lastKnown": column in last_known,
            "upstream": up,
            "downstream": down,
            "tags": tags[column[0]].of(column[1]),
            "description": stated.get("description"),
        }

    answers = []
    for dataset, (distance, side) in graph.datasets.items():
        row = found.get(dataset)
        if row is None:
            continue
        types = {field["name"]: field for field in build_fields(schemas[dataset])}
        fields = columns.get(dataset, [])
        answers.append(
            {
                "id": row.id,
                "namespace": row.namespace,
                "name": row.name,
                "distance": distance,
                "side": side,
                "written": made[dataset],
                **_build_life(row),
                "description": find_text(facets[dataset], "documentation", "description"),
                "tags": tags[dataset].of(),
                "owners": list_owners(facets[dataset]),
                "columns": [build_column((dataset, field), types) for field in fields[:most_columns]],
                "columnsCut": len(fields) > most_columns,
                "more": {
                    "upstream": _count_new(beside.writers[dataset], graph),
                    "downstream": _count_new(beside.readers[dataset], graph),
                },
            }
        )
    return sorted(answers, key=lambda one: (one["distance"], one["namespace"], one["name"], str(one["id"])))


async def _fetch_facets(
    connection: Connection, found: dict[UUID, DatasetRow], at: datetime | None
) -> dict[UUID, list[FacetRow]]:
    """What writers say of each dataset, before it what readers say; of a time, what had been said then."""
    named = [(name, NONE) for row in found.values() for name in row.names]
    said = await fetch_facets(connection, named, "dw", LARGEST_LISTED_FACET, FACETS)
    return {
        dataset: sorted(
            (
                facet
                for name in row.names
                for facet in said.get((name, NONE), [])
                if at is None or (facet.at is not None and facet.at <= at)
            ),
            key=lambda one: one.side,
        )
        for dataset, row in found.items()
    }


def _count_new(jobs: set[UUID], graph: Graph) -> int:
    return min(MOST_COUNTED, len(jobs - graph.jobs.keys() - {NONE}))


@dataclass(frozen=True, slots=True)
class _Known:
    """Columns by dataset; what is known of where they come from; how many lie beside each.

    spoken: the datasets of which any column's origin was told, whether that column is among these or not.
    """

    columns: dict[UUID, list[str]]
    statuses: dict[Column, ColumnStatusRow]
    counts: Counts
    spoken: set[UUID]


async def _fetch_columns(connection: Connection, graph: Graph, told: Told, *, rows: bool, most: int) -> _Known:
    """The columns to show: those that were reached, all that are known, or none."""
    if told.near is None:
        return _Known({}, {}, {}, set())
    found, full = told.found, told.far
    counts, statuses = told.near
    stated = [(dataset, field["name"]) for dataset in found for field in build_fields(told.schemas[dataset])]
    drawn = [end for edge in graph.edges for end in (edge.source, edge.target)]
    if isinstance(graph.names, NamesThen):
        told_of = await graph.names.list_fields(list(found), None, MOST_FIELDS)
        columns = _choose(graph, stated, [*told_of, *drawn])
        spoken = {dataset for dataset, _ in told_of}
        return _Known(columns, await graph.names.find_statuses(_list(columns, most)), {}, spoken)
    known = await list_columns_of(connection, {one: row for one, row in found.items() if one in full}) if full else []
    named = sorted(column for column in {*statuses, *counts} if column[0] in found)
    columns = _choose(graph, stated, [*known, *named, *drawn])
    listed = [column for column in _list(columns, most) if column[0] in full]
    if listed:
        more, beside = await together(
            connection,
            fetch_statuses(connection, listed, found),
            _count_beside(connection, graph, listed, rows=rows),
        )
        statuses, counts = statuses | more, counts | beside
    spoken = {dataset for dataset, _ in statuses}
    silent = list({dataset for dataset, _ in listed} - spoken)  # others of their columns may be told of
    spoken |= await find_told(graph.names, silent, MOST_SETS) if silent else set()
    shown = {column: (min(up, MOST_COUNTED), min(down, MOST_COUNTED)) for column, (up, down) in counts.items()}
    return _Known(columns, statuses, shown, spoken)


def _choose(graph: Graph, stated: list[Column], known: list[Column]) -> dict[UUID, list[str]]:
    """The columns to show of those that schemas state or lineage knows; only schemas have ones named ''."""
    columns: dict[UUID, list[str]] = defaultdict(list)
    for dataset, field in dict.fromkeys([*stated, *(column for column in known if column[1] != ROWS)]):
        if graph.reached is None or (field != ROWS and (dataset, field) in graph.reached):
            columns[dataset].append(field)
    return columns


def _list(columns: dict[UUID, list[str]], most: int) -> list[Column]:
    return [(dataset, field) for dataset, fields in columns.items() for field in fields[:most]]


async def _count_beside(
    connection: Connection, graph: Graph, columns: list[Column], *, rows: bool
) -> dict[Column, tuple[int, int]]:
    """How many columns lie beside each, under all names of their datasets."""
    identities = graph.names.identities
    if not identities.any:
        return await count_beside(connection, columns, MOST_COUNTED, rows=rows)
    totals: dict[Column, tuple[int, int]] = {}
    for root in dict.fromkeys(dataset for dataset, _ in columns):
        own = [column for column in columns if column[0] == root]
        for (_, field), near in (
            await count_beside(connection, await identities.expand_columns(own), MOST_COUNTED, rows=rows)
        ).items():
            before = totals.get((root, field), (0, 0))
            totals[root, field] = (
                min(MOST_COUNTED, before[0] + near[0]),
                min(MOST_COUNTED, before[1] + near[1]),
            )
    return totals


def _build_status(known: ColumnStatusRow | None, *, written: bool, silent: bool) -> dict[str, Any]:
    """What is known of where a column comes from; never nothing."""
    if known is not None:
        status, reason, message, expression = known.status, known.reason, known.message, known.expression
    elif not written:
        status, reason, message, expression = "source", None, None, None
    else:
        status, message, expression = "unresolved", None, None
        reason = NO_COLUMN_LINEAGE if silent else NOT_REPORTED
    return {
        "status": status,
        "reason": reason if status == "unresolved" else None,
        "sentence": explain(reason) if status == "unresolved" else None,
        "message": message,
        "expression": expression,
    }


def _build_life(row: DatasetRow) -> dict[str, Any]:
    return {
        "lifecycle": "RENAME" if is_renamed(row) else row.lifecycle,
        "droppedAt": row.dropped_at if is_dropped(row) else None,
        "updatedAt": row.updated_at,
    }


def list_owners(facets: list[FacetRow]) -> list[dict[str, str | None]]:
    """Who owns it, by the newest `ownership` facet."""
    newest = next((facet for facet in reversed(facets) if facet.name == "ownership"), None)
    owners = read_object(newest.body).get("owners") if newest is not None else None
    return [
        {"name": owner["name"], "type": kind if isinstance(kind := owner.get("type"), str) else None}
        for owner in (owners if isinstance(owners, list) else ())
        if isinstance(owner, dict) and isinstance(owner.get("name"), str)
    ]
