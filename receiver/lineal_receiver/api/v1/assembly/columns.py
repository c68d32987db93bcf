"""The nodes of a graph of columns, with the edges as Marquez's web page expects them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from lineal_receiver.api.nodes import build_node_id
from lineal_receiver.api.v1.assembly.dataset_facets import fetch_dataset_facets
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.api.v1.columns_now import find_statuses_now
from lineal_receiver.api.v1.names_now import open_names_now
from lineal_receiver.api.v1.past import Past
from lineal_receiver.api.v1.shapes.confirmed import Types, list_types, mark_unconfirmed
from lineal_receiver.api.v1.shapes.datasets import (
    Deprecated,
    Names,
    build_deprecated,
    build_fields,
    build_transformations,
    group_sources,
    mark_last_known,
    read_stated,
)
from lineal_receiver.api.v1.walks import ColumnWalk
from lineal_receiver.store.read_column_statuses import ColumnStatusRow, fetch_column_statuses
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import WriteAt

Confirmed = dict[UUID, Types]
MOST_SETS = 10_000
"""So many readings of datasets with several names are looked at."""


async def assemble_columns(connection: Connection, walk: ColumnWalk, past: Past | None = None) -> list[dict[str, Any]]:
    """The nodes of a walk, sorted by id; of a walk in the past their ids carry the versions of then."""
    datasets = await fetch_datasets(connection, list({dataset for dataset, _ in walk.columns}))
    if past is None:
        versions = {dataset: row.version_id for dataset, row in datasets.items()}
        statuses = await fetch_statuses(connection, walk.columns, datasets)
        types = {dataset: list_types(row.fields) for dataset, row in datasets.items()}
        stated = await _fetch_stated(connection, walk, datasets)
    else:
        then = await past.names.find_newest(datasets)
        read_only = {dataset: row.version_id for dataset, row in datasets.items() if row.written_at is None}
        versions = dict.fromkeys(datasets) | read_only | {dataset: write.version_id for dataset, write in then.items()}
        versions |= past.versions
        statuses = await past.names.find_statuses(list(walk.columns))
        schemas = await past.names.find_schemas(datasets)
        types = {dataset: list_types(schemas.get(dataset)) for dataset in datasets}
        stated = await _fetch_stated_then(connection, walk, then)
    names = {dataset: (row.namespace, row.name) for dataset, row in datasets.items()}
    ids = {
        (dataset, field): build_node_id(
            "datasetField", *names[dataset], field, version=versions[dataset] if past else None
        )
        for dataset, field in walk.columns
        if dataset in datasets
    }
    into, out = _group(walk, ids)
    confirmed = None if past else types
    nodes: list[dict[str, Any]] = [
        {
            "id": node_id,
            "type": "DATASET_FIELD",
            "data": _build_data(column, statuses.get(column), names, versions)
            | {"fieldType": types[column[0]].get(column[1], "")}
            | build_deprecated(into[column], stated.get(column))
            | {"inputFields": _build_inputs(into[column], stated.get(column), names, versions, confirmed)}
            | _mark(column, confirmed),
            # Marquez names a node the origin of the edges on both its sides, and its web page counts on that.
            "inEdges": [{"origin": node_id, "destination": ids[end]} for end in _ends(into[column], "source")],
            "outEdges": [{"origin": node_id, "destination": ids[end]} for end in _ends(out[column], "target")],
        }
        for column, node_id in ids.items()
    ]
    return sorted(nodes, key=lambda node: str(node["id"]))


async def fetch_statuses(
    connection: Connection, columns: Iterable[Column], datasets: dict[UUID, DatasetRow]
) -> dict[Column, ColumnStatusRow]:
    """What is known of the columns, by all names that datasets have and had; what a schema has beside is unresolved."""
    wanted = [column for column in columns if column[0] in datasets]
    named = {row.id for row in datasets.values() if len(row.names) > 1 or row.became_at or row.moved_at}
    statuses = await fetch_column_statuses(connection, [column for column in wanted if column[0] not in named])
    others = [column for column in wanted if column[0] in named]
    if others:
        schemas = {one: {field["name"] for field in build_fields(datasets[one].stated_fields)} for one in named}
        statuses |= await find_statuses_now(await open_names_now(connection), others, schemas, MOST_SETS)
    return statuses


def _build_data(
    column: Column, status: ColumnStatusRow | None, names: Names, versions: dict[UUID, UUID | None]
) -> dict[str, Any]:
    """Which column it is; status, reason, message and expression are ours, beside Marquez's fields."""
    dataset, field = column
    return {
        "namespace": names[dataset][0],
        "dataset": names[dataset][1],
        "datasetVersion": versions[dataset],
        "field": field,
        "status": None if status is None else status.status,
        "reason": None if status is None else status.reason,
        "message": None if status is None else status.message,
        "expression": None if status is None else status.expression,
    }


def _build_inputs(
    into: list[ColumnEdgeRow],
    stated: Deprecated | None,
    names: Names,
    versions: dict[UUID, UUID | None],
    confirmed: Confirmed | None,
) -> list[dict[str, Any]]:
    return [
        {
            "namespace": names[dataset][0],
            "dataset": names[dataset][1],
            "datasetVersion": versions[dataset],
            "field": field,
            **build_deprecated(between, stated),
            "transformations": build_transformations(between),
            **mark_last_known(between),
            **_mark((dataset, field), confirmed),
        }
        for (dataset, field), between in group_sources(into, names)
    ]


def _mark(column: Column, confirmed: Confirmed | None) -> dict[str, bool]:
    """Of columns now (not of past ones, whose schema may be another): whether none of the dataset's fields is this."""
    return {} if confirmed is None else mark_unconfirmed(column[1], confirmed[column[0]])


async def _fetch_stated(
    connection: Connection, walk: ColumnWalk, datasets: dict[UUID, DatasetRow]
) -> dict[Column, Deprecated]:
    """What facets before 1-1-0 state of whole columns, looked up where an edge has no kind of its own."""
    old = {edge.target_dataset for edge in walk.edges if not edge.subtype}
    rows = [row for dataset, row in datasets.items() if dataset in old]
    facets = await fetch_dataset_facets(connection, rows, ("columnLineage",)) if rows else {}
    return {
        (dataset, field): stated for dataset, found in facets.items() for field, stated in read_stated(found).items()
    }


async def _fetch_stated_then(
    connection: Connection, walk: ColumnWalk, then: dict[UUID, WriteAt]
) -> dict[Column, Deprecated]:
    """The same of the writes that were the newest then."""
    old = {edge.target_dataset for edge in walk.edges if not edge.subtype} & then.keys()
    scopes = {dataset: (then[dataset].dataset_id, (then[dataset].job_id, then[dataset].run_id)) for dataset in old}
    facets = (
        await fetch_facets(connection, list(scopes.values()), "w", LARGEST_LISTED_FACET, ("columnLineage",))
        if old
        else {}
    )
    return {
        (dataset, field): stated
        for dataset, scope in scopes.items()
        for field, stated in read_stated(facets.get(scope, [])).items()
    }


def _group(
    walk: ColumnWalk, ids: dict[Column, str]
) -> tuple[dict[Column, list[ColumnEdgeRow]], dict[Column, list[ColumnEdgeRow]]]:
    """The edges between the columns that are shown, by target and by source."""
    into: dict[Column, list[ColumnEdgeRow]] = defaultdict(list)
    out: dict[Column, list[ColumnEdgeRow]] = defaultdict(list)
    for edge in walk.edges:
        target, source = edge.target, edge.source
        if target in ids and source in ids:
            into[target].append(edge)
            out[source].append(edge)
    return into, out


def _ends(edges: list[ColumnEdgeRow], end: str) -> list[Column]:
    found = {edge.source if end == "source" else edge.target for edge in edges}
    return sorted(found) if len(found) > 1 else list(found)
