"""Versions of a dataset, each with the run that wrote it."""

from typing import Any

from lineal_receiver.api.v1.assembly.dataset_facets import fetch_dataset_facets
from lineal_receiver.api.v1.assembly.dataset_tags import fetch_tagged_names
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, assemble_runs
from lineal_receiver.api.v1.shapes.datasets import build_version
from lineal_receiver.ids import STATIC
from lineal_receiver.store.read_dataset_versions import WriteRow, fetch_schema_locations
from lineal_receiver.store.read_datasets import DatasetRow
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_runs import fetch_runs
from lineal_receiver.store.read_snapshot import Connection


async def assemble_versions(
    connection: Connection, dataset: DatasetRow, writes: list[WriteRow]
) -> list[dict[str, Any]]:
    """The answers for writes of one dataset; the version in force has the facets that the dataset is shown with."""
    keys = [(write.job_id, write.run_id) for write in writes if write.run_id not in STATIC[1:]]
    runs = await assemble_runs(connection, list((await fetch_runs(connection, keys)).values()))
    scopes = [(write.dataset_id, (write.job_id, write.run_id)) for write in writes]
    facets = await fetch_facets(connection, scopes, "wo", LARGEST_LISTED_FACET)
    now = (await fetch_dataset_facets(connection, [dataset]))[dataset.id]
    tagged = (await fetch_tagged_names(connection, [dataset]))[dataset.id]
    locations = await fetch_schema_locations(connection, [write.schema_id for write in writes if write.schema_id])
    return [
        build_version(
            dataset,
            write,
            now if write.version_id == dataset.version_id else [] if write.past else facets.get(scope, []),
            now,
            runs.get((write.job_id, write.run_id)),
            tagged,
            locations.get(write.schema_id) if write.schema_id else None,
        )
        for scope, write in zip(scopes, writes, strict=True)
    ]
