"""Datasets, each with its schema, facets and column lineage."""

from itertools import groupby
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.dataset_facets import fetch_dataset_facets
from lineal_receiver.api.v1.assembly.dataset_tags import fetch_tagged_names
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.shapes.confirmed import list_types
from lineal_receiver.api.v1.shapes.datasets import build_column_lineage, build_dataset, read_stated
from lineal_receiver.store.read_columns import fetch_dataset_edges
from lineal_receiver.store.read_datasets import fetch_dataset_names, fetch_datasets
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_snapshot import Connection

MOST_EDGES = 50_000
"""Edges at most of what was renamed."""


async def assemble_datasets(connection: Connection, datasets: list[UUID]) -> list[dict[str, Any]]:
    """The answers for those of `datasets` that exist, in their order."""
    rows = await fetch_datasets(connection, datasets)
    found = [rows[dataset] for dataset in datasets if dataset in rows]
    facets = await fetch_dataset_facets(connection, found)
    identities = await open_identities(connection)
    names_of_all = await identities.expand([row.id for row in found])
    stated = await fetch_dataset_edges(connection, names_of_all)
    now, wanted = NamesNow(identities), {row.id for row in found}
    folded = [edge for edge in await now.fold_edges(stated, wanted, MOST_EDGES) if edge.target_dataset in wanted]
    if now.moved is not None:
        gone = await Hidden(connection).among(name for edge in folded for name in (edge.job_id, edge.source_dataset))
        folded = [edge for edge in folded if not gone & {edge.job_id, edge.source_dataset}]
    into = sorted(folded, key=lambda edge: (edge.target_dataset, edge.target_field))
    edges = {dataset: list(rows) for dataset, rows in groupby(into, key=lambda edge: edge.target_dataset)}
    tagged = await fetch_tagged_names(connection, found)
    names = await fetch_dataset_names(connection, list({edge.source_dataset for edge in into}))
    return [
        build_dataset(
            row,
            facets[row.id],
            build_column_lineage(edges.get(row.id, []), names, read_stated(facets[row.id]), list_types(row.fields)),
            tagged[row.id],
        )
        for row in found
    ]
