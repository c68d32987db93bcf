"""Jobs, each with its names, datasets, facets and newest runs."""

from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.dataset_tags import unite_tagged
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, LARGEST_NESTED_FACET, assemble_runs
from lineal_receiver.api.v1.assembly.steps import name_steps
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.shapes.jobs import build_job
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_job_versions import fetch_current_job_versions
from lineal_receiver.store.read_jobs import JobDatasetRow, JobRow, fetch_job_datasets, fetch_jobs
from lineal_receiver.store.read_runs import RunRow, fetch_latest_runs
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import fetch_tagged

LATEST_RUNS = 10
MOST_DATASETS = 50_000


async def assemble_jobs(connection: Connection, jobs: list[UUID], *, listed: bool) -> list[dict[str, Any]]:
    """The answers for those of `jobs` that exist, in their order.

    As in Marquez, a job in a list is shown with the facets of its newest run, one alone with the newest of each name.
    """
    rows = await fetch_jobs(connection, jobs)
    found = list({row.id: row for job in jobs if (row := rows.get(job))}.values())
    every = [name for row in found for name in row.names]
    names = await fetch_names(connection, [row.id for row in found])
    facets = await fetch_facets(connection, [(name, NONE) for name in every], "j", LARGEST_LISTED_FACET)
    latest = await fetch_latest_of_names(connection, found, LATEST_RUNS)
    of_run = {row.id: latest[row.id][0] for row in found if listed and latest[row.id]}
    keys = [(run.job_id, run.run_id) for run in of_run.values()]
    said = await fetch_facets(connection, keys, "j", LARGEST_LISTED_FACET)
    versions = await fetch_current_job_versions(connection, every)
    largest = LARGEST_NESTED_FACET if listed else LARGEST_LISTED_FACET
    runs = await assemble_runs(connection, [run for row in found for run in latest[row.id]], largest)
    tagged = await fetch_tagged(connection, every)
    datasets: dict[UUID, list[JobDatasetRow]] = {}
    for dataset in await _fetch_datasets(connection, [row.id for row in found]):
        datasets.setdefault(dataset.job_id, []).append(dataset)
    return [
        build_job(
            row,
            names[row.id],
            datasets.get(row.id, []),
            newest := [facet for name in row.names for facet in facets.get((name, NONE), [])],
            said.get((run.job_id, run.run_id), []) if (run := of_run.get(row.id)) else newest,
            [runs[run.job_id, run.run_id] for run in latest[row.id]],
            next((versions[name] for name in reversed(row.names) if name in versions), None),
            unite_tagged(row.id, [one for name in row.names for one in tagged.get(name, [])]),
        )
        for row in found
    ]


async def fetch_latest_of_names(connection: Connection, jobs: list[JobRow], each: int) -> dict[UUID, list[RunRow]]:
    """Up to `each` newest runs of each of `jobs`, under all its names; those that claim to be in the future last."""
    latest = await fetch_latest_runs(connection, [name for job in jobs for name in job.names], each)
    found = {job.id: [run for name in job.names for run in latest.get(name, [])] for job in jobs}
    for runs in found.values():
        runs.sort(key=lambda run: run.run_id)
        runs.sort(key=lambda run: run.start_at or run.running_at or run.first_at, reverse=True)
        runs.sort(key=lambda run: run.future)
    return {job: runs[:each] for job, runs in found.items()}


async def _fetch_datasets(connection: Connection, jobs: list[UUID]) -> list[JobDatasetRow]:
    """What `jobs` read and write now and isn't deleted, each once, by the name that stands for it."""
    identities = await open_identities(connection)
    if not identities.any:
        return await fetch_job_datasets(connection, jobs)
    steps, _ = await NamesNow(identities).step_to_datasets(jobs, MOST_DATASETS)
    gone = await Hidden(connection).among(step.dataset_id for step in steps)
    return await name_steps(connection, [step for step in steps if step.dataset_id not in gone])
