"""Jobs, each with its names, datasets, facets and newest runs."""

from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, LARGEST_NESTED_FACET, assemble_runs
from lineal_receiver.api.v1.assembly.steps import name_steps
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.shapes.jobs import build_job
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_job_versions import fetch_current_job_versions
from lineal_receiver.store.read_jobs import JobDatasetRow, fetch_job_datasets, fetch_jobs
from lineal_receiver.store.read_runs import fetch_latest_runs
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import fetch_tagged

LATEST_RUNS = 10
MOST_DATASETS = 50_000


async def assemble_jobs(connection: Connection, jobs: list[UUID], *, listed: bool) -> list[dict[str, Any]]:
    """The answers for those of `jobs` that exist, in their order.

    As in Marquez, a job in a list is shown with the facets of its newest run, one alone with the newest of each name.
    """
    rows = await fetch_jobs(connection, jobs)
    found = [job for job in jobs if job in rows]
    names = await fetch_names(connection, found)
    facets = await fetch_facets(connection, [(job, NONE) for job in found], "j", LARGEST_LISTED_FACET)
    latest = await fetch_latest_runs(connection, found, LATEST_RUNS)
    of_run = {job: (job, latest[job][0].run_id) for job in found if listed and job in latest}
    said = await fetch_facets(connection, list(of_run.values()), "j", LARGEST_LISTED_FACET)
    versions = await fetch_current_job_versions(connection, found)
    largest = LARGEST_NESTED_FACET if listed else LARGEST_LISTED_FACET
    runs = await assemble_runs(connection, [run for job in found for run in latest.get(job, [])], largest)
    tagged = await fetch_tagged(connection, found)
    datasets: dict[UUID, list[JobDatasetRow]] = {}
    for row in await _fetch_datasets(connection, found):
        datasets.setdefault(row.job_id, []).append(row)
    return [
        build_job(
            rows[job],
            names[job],
            datasets.get(job, []),
            facets.get((job, NONE), []),
            said.get(of_run[job], []) if job in of_run else facets.get((job, NONE), []),
            [runs[run.job_id, run.run_id] for run in latest.get(job, [])],
            versions.get(job),
            tagged.get(job, []),
        )
        for job in found
    ]


async def _fetch_datasets(connection: Connection, jobs: list[UUID]) -> list[JobDatasetRow]:
    """What `jobs` read and write now, each once, by the name that stands for it."""
    identities = await open_identities(connection)
    if not identities.any:
        return await fetch_job_datasets(connection, jobs)
    steps, _ = await identities.step_to_datasets(jobs, MOST_DATASETS)
    return await name_steps(connection, steps)
