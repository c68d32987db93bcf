"""Jobs and their versions as Marquez writes them."""

from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.names import JobName
from lineal_receiver.api.v1.shapes.datasets import find_text
from lineal_receiver.api.v1.shapes.runs import build_facets
from lineal_receiver.api.v1.shapes.tags import Tags
from lineal_receiver.store.read_facets import FacetRow
from lineal_receiver.store.read_job_versions import JobVersionRow
from lineal_receiver.store.read_jobs import JobDatasetRow, JobRow
from lineal_receiver.store.read_tags import TaggedRow


def build_datasets(rows: list[JobDatasetRow], side: str) -> list[dict[str, str]]:
    """The names of a job's inputs (side i) or outputs (side o)."""
    return [{"namespace": row.namespace, "name": row.name} for row in rows if row.side == side]


def build_job_data(
    job: JobRow,
    name: JobName,
    datasets: list[JobDatasetRow],
    facets: list[FacetRow],
    latest_run: dict[str, Any] | None,
) -> dict[str, Any]:
    """What Marquez writes of a job everywhere."""
    return {
        "id": {"namespace": name.namespace, "name": name.name},
        "type": _build_type(job, facets),
        "name": name.name,
        "simpleName": name.simple,
        "parentJobName": name.parent_name,
        "parentJobUuid": name.parent,
        "createdAt": job.created_at,
        "updatedAt": job.updated_at,
        "namespace": name.namespace,
        "inputs": build_datasets(datasets, "i"),
        "outputs": build_datasets(datasets, "o"),
        "location": find_text(facets, "sourceCodeLocation", "url"),
        "description": find_text(facets, "documentation", "description"),
        "latestRun": latest_run,
    }


def _build_type(job: JobRow, facets: list[FacetRow]) -> str:
    """BATCH, STREAM or SERVICE."""
    if job.streaming and (find_text(facets, "jobType", "processingType") or "").upper() == "SERVICE":
        return "SERVICE"
    return "STREAM" if job.streaming else "BATCH"


def build_job_node_data(
    job: JobRow,
    name: JobName,
    datasets: list[JobDatasetRow],
    facets: list[FacetRow],
    latest_run: dict[str, Any] | None,
) -> dict[str, Any]:
    """What Marquez writes of a job in a graph."""
    data = build_job_data(job, name, datasets, facets, latest_run)
    return {**data, "currentRunUuid": None if latest_run is None else latest_run["id"]}


def build_job(
    job: JobRow,
    name: JobName,
    datasets: list[JobDatasetRow],
    facets: list[FacetRow],
    shown: list[FacetRow],
    latest_runs: list[dict[str, Any]],
    version: UUID | None,
    tagged: list[TaggedRow],
) -> dict[str, Any]:
    """A job; without runs its latestRuns are null, for [] blanks Marquez's web page.

    `facets` are the newest of each name; `shown` those that the answer carries.
    """
    data = build_job_data(job, name, datasets, facets, latest_runs[0] if latest_runs else None)
    labels = (find_text(shown, "jobType", "jobType"), find_text(shown, "jobType", "integration"))
    return {
        **data,
        "latestRuns": latest_runs or None,
        "facets": build_facets(shown),
        "currentVersion": version,
        "labels": [label for label in labels if label],
        "tags": Tags(facets, tagged).of(),
    }


def build_job_version(
    version: JobVersionRow,
    name: JobName,
    names: dict[UUID, tuple[str, str]],
    latest_run: dict[str, Any] | None,
) -> dict[str, Any]:
    """A version of a job."""
    return {
        "id": {"namespace": name.namespace, "name": name.name, "version": str(version.id)},
        "name": name.name,
        "createdAt": version.created_at,
        "version": version.id,
        "namespace": name.namespace,
        "location": version.location,
        "inputs": _build_names(version.inputs, names),
        "outputs": _build_names(version.outputs, names),
        "latestRun": latest_run,
    }


def _build_names(datasets: list[UUID], names: dict[UUID, tuple[str, str]]) -> list[dict[str, str]]:
    found = sorted(names[dataset] for dataset in datasets if dataset in names)
    return [{"namespace": namespace, "name": name} for namespace, name in found]
