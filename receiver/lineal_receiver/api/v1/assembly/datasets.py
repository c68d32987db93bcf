"""Datasets, each with its schema, facets and column lineage."""

from itertools import groupby
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.dataset_facets import fetch_dataset_facets
from lineal_receiver.api.v1.shapes.datasets import build_column_lineage, build_dataset, read_stated
from lineal_receiver.store.read_columns import fetch_dataset_edges
from lineal_receiver.store.read_datasets import fetch_dataset_names, fetch_datasets
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import fetch_tagged


async def assemble_datasets(connection: Connection, datasets: list[UUID]) -> list[dict[str, Any]]:
    """The answers for those of `datasets` that exist, in their order."""
    rows = await fetch_datasets(connection, datasets)
    found = [dataset for dataset in datasets if dataset in rows]
    facets = await fetch_dataset_facets(connection, [rows[dataset] for dataset in found])
    edges = {
        dataset: list(into)
        for dataset, into in groupby(await fetch_dataset_edges(connection, found), key=lambda edge: edge.target_dataset)
    }
    sources = {edge.source_dataset for into in edges.values() for edge in into}
    tagged = await fetch_tagged(connection, found)
    names = await fetch_dataset_names(connection, list(sources))
    return [
        build_dataset(
            rows[dataset],
            facets[dataset],
            build_column_lineage(edges.get(dataset, []), names, read_stated(facets[dataset])),
            tagged.get(dataset, []),
        )
        for dataset in found
    ]
