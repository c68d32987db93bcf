"""What a graph shows of its jobs and datasets."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.dataset_tags import fetch_tagged_names
from lineal_receiver.api.v1.assembly.jobs import fetch_latest_of_names
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, LARGEST_NESTED_FACET, assemble_runs
from lineal_receiver.api.v1.assembly.steps import name_steps
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.shapes.datasets import build_dataset_data
from lineal_receiver.api.v1.shapes.jobs import build_job_node_data
from lineal_receiver.api.v1.shapes.tags import Tags
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_jobs import JobDatasetRow, fetch_jobs
from lineal_receiver.store.read_snapshot import Connection

DATASET_DATA_FACETS = ("dataSource", "documentation", "lineal_dataset", "tags")
JOB_DATA_FACETS = ("sourceCodeLocation", "documentation", "jobType")


async def assemble_job_data(
    connection: Connection, jobs: list[UUID], steps: list[StepRow]
) -> dict[UUID, dict[str, Any]]:
    """The data of job nodes; `steps` are the jobs' inputs and outputs."""
    rows = await fetch_jobs(connection, jobs)
    every = [(name, NONE) for row in rows.values() for name in row.names]
    names = await fetch_names(connection, list(rows))
    facets = await fetch_facets(connection, every, "j", LARGEST_LISTED_FACET, JOB_DATA_FACETS)
    latest = await fetch_latest_of_names(connection, list(rows.values()), 1)
    newest = [run for found in latest.values() for run in found]
    runs = await assemble_runs(connection, newest, LARGEST_NESTED_FACET)
    datasets = await group_steps(connection, steps)
    return {
        job: build_job_node_data(
            row,
            names[job],
            datasets[job],
            [facet for name in row.names for facet in facets.get((name, NONE), [])],
            next((runs[run.job_id, run.run_id] for run in latest[row.id]), None),
        )
        for job, row in rows.items()
    }


async def group_steps(connection: Connection, steps: list[StepRow]) -> dict[UUID, list[JobDatasetRow]]:
    """What each job reads and writes, by name."""
    datasets: dict[UUID, list[JobDatasetRow]] = defaultdict(list)
    for named in await name_steps(connection, steps):
        datasets[named.job_id].append(named)
    return datasets


async def assemble_dataset_data(connection: Connection, datasets: list[UUID]) -> dict[UUID, dict[str, Any]]:
    """The data of dataset nodes."""
    rows = await fetch_datasets(connection, datasets)
    named = [(name, NONE) for row in rows.values() for name in row.names]
    said = await fetch_facets(connection, named, "dw", LARGEST_LISTED_FACET, DATASET_DATA_FACETS)
    tagged = await fetch_tagged_names(connection, list(rows.values()))
    data = {}
    for dataset, row in rows.items():
        facets = sorted((facet for name in row.names for facet in said.get((name, NONE), [])), key=lambda one: one.side)
        data[dataset] = build_dataset_data(row, facets, Tags(facets, tagged[row.id]))
    return data
