"""Runs, each with its facets and the dataset versions that it read and wrote."""

from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.names import JobName, fetch_names
from lineal_receiver.api.v1.renames import FOREVER
from lineal_receiver.api.v1.shapes.runs import RunParent, build_dataset_version, build_run
from lineal_receiver.api.v1.what_was_read import fetch_what_was_read
from lineal_receiver.ids import run_scope
from lineal_receiver.store.read_facets import FacetKey, FacetRow, fetch_facets
from lineal_receiver.store.read_run_datasets import RunDatasetRow
from lineal_receiver.store.read_runs import RunKey, RunRow
from lineal_receiver.store.read_snapshot import Connection

LARGEST_LISTED_FACET = 65_536
LARGEST_NESTED_FACET = 8_192  # of the runs inside lists of jobs and inside graphs, of which there are many


async def assemble_runs(
    connection: Connection, runs: list[RunRow], largest: int = LARGEST_LISTED_FACET, at: datetime = FOREVER
) -> dict[RunKey, dict[str, Any]]:
    """The answers for `runs`, of what was said until `at`; larger facets than `largest` are left to the run's own."""
    keys = [(run.job_id, run.run_id) for run in runs]
    read = await fetch_what_was_read(connection, keys)
    datasets = {key: [row for row in rows if row.said_at <= at] for key, rows in read.items()}
    scope_of = {key: run_scope(*key) for key in datasets}
    scopes = [(row.dataset_id, scope_of[key]) for key, rows in datasets.items() for row in rows]
    facets = _until(at, await fetch_facets(connection, keys, "r", largest))
    said = _until(at, await fetch_facets(connection, scopes, "io", largest))
    parents = [run.parent_job for run in runs if run.parent_job is not None]
    names = await fetch_names(connection, [*(run.job_id for run in runs), *parents])
    return {
        key: build_run(
            run,
            parent=_find_parent(run, names),
            job_version=_build_job_version(names.get(run.job_id), run.version_id),
            facets=facets.get(key, []),
            inputs=_build_datasets(datasets.get(key, []), "i", said, scope_of.get(key)),
            outputs=_build_datasets(datasets.get(key, []), "o", said, scope_of.get(key)),
        )
        for key, run in zip(keys, runs, strict=True)
    }


async def assemble_run(connection: Connection, run: RunRow) -> dict[str, Any]:
    """The answer for one run."""
    return (await assemble_runs(connection, [run]))[run.job_id, run.run_id]


def _until(at: datetime, facets: dict[FacetKey, list[FacetRow]]) -> dict[FacetKey, list[FacetRow]]:
    if at == FOREVER:
        return facets
    return {key: [row for row in rows if row.at is not None and row.at <= at] for key, rows in facets.items()}


def _find_parent(run: RunRow, names: dict[UUID, JobName]) -> RunParent | None:
    if run.parent_job is None or run.parent_run is None or run.parent_job not in names:
        return None
    name = names[run.parent_job]
    return RunParent(namespace=name.namespace, name=name.sent, run_id=str(run.parent_run))


def _build_job_version(name: JobName | None, version: UUID | None) -> dict[str, Any] | None:
    if name is None or version is None:
        return None
    return {"namespace": name.namespace, "name": name.name, "version": str(version)}


def _build_datasets(
    rows: list[RunDatasetRow], side: str, said: dict[FacetKey, list[FacetRow]], scope: UUID | None
) -> list[dict[str, Any]]:
    if scope is None:
        return []
    return [
        build_dataset_version(
            row,
            row.version_id,
            [facet for facet in said.get((row.dataset_id, scope), []) if facet.side == side],
        )
        for row in rows
        if row.side == side
    ]
