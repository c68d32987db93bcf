"""A run as Marquez writes it."""

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import raw, read_object
from lineal_receiver.ingest.commands.saying import PRODUCER
from lineal_receiver.store.read_facets import FacetRow
from lineal_receiver.store.read_run_datasets import RunDatasetRow
from lineal_receiver.store.read_runs import RunRow

ENDED = {0: "FAILED", 1: "ABORTED", 2: "COMPLETED"}
HIDDEN_FACETS = frozenset({"spark_unknown"})
MADE_BY_API = f'{{"_producer":"{PRODUCER}",'
"""How the facets begin in which a put is kept."""


@dataclass(frozen=True, slots=True)
class RunParent:
    """The parent that a run named: its job's namespace and name as sent, and its run id."""

    namespace: str
    name: str
    run_id: str


def build_state(run: RunRow) -> str:
    """NEW, RUNNING, COMPLETED, FAILED or ABORTED."""
    if run.end_rank is not None:
        return ENDED[run.end_rank]
    return "RUNNING" if run.typed else "NEW"


def build_facets(facets: list[FacetRow]) -> dict[str, Any]:
    """Facets by name, their bodies as sent; a later row beats an earlier one.

    What was put by the API has places of its own in the answers; nobody sent a facet that says it.
    """
    newest = {facet.name: facet.body for facet in facets if facet.name not in HIDDEN_FACETS}
    return {name: raw(body) for name, body in newest.items() if not is_made_by_api(body)}


def is_made_by_api(body: str) -> bool:
    """Whether a facet is what a put was kept as."""
    return body.startswith(MADE_BY_API)


def build_run(
    run: RunRow,
    *,
    parent: RunParent | None,
    job_version: dict[str, Any] | None,
    facets: list[FacetRow],
    inputs: list[dict[str, Any]],
    outputs: list[dict[str, Any]],
) -> dict[str, Any]:
    """A run with its facets and the dataset versions that it read and wrote."""
    started = run.start_at or run.running_at
    return {
        "id": str(run.run_id),
        "createdAt": run.first_at,
        "updatedAt": run.last_at,
        "nominalStartTime": run.nominal_start_at,
        "nominalEndTime": run.nominal_end_at,
        "state": build_state(run),
        "startedAt": started,
        "endedAt": run.end_at,
        "durationMs": build_duration(started, run.end_at),
        "args": build_args(run, parent, facets),
        "jobVersion": job_version,
        "inputDatasetVersions": inputs,
        "outputDatasetVersions": outputs,
        "facets": build_facets(facets),
    }


def build_duration(started: datetime | None, ended: datetime | None) -> int | None:
    """Milliseconds between the two; None if either is missing or they are the wrong way round."""
    if started is None or ended is None or ended < started:
        return None
    passed = ended - started
    return (passed.days * 86_400 + passed.seconds) * 1000 + passed.microseconds // 1000


def build_args(run: RunRow, parent: RunParent | None, facets: list[FacetRow]) -> dict[str, str]:
    """What a run was given by the API that made it, or what Marquez takes from nominalTime and parent facets."""
    bodies = {facet.name: facet.body for facet in facets}
    args: dict[str, str] = {}
    if not is_made_by_api(bodies.get("nominalTime", "")):
        if run.nominal_start_at is not None:
            args["nominal_start_time"] = _java_time(run.nominal_start_at)
        if run.nominal_end_at is not None:
            args["nominal_end_time"] = _java_time(run.nominal_end_at)
    if parent is not None:
        args |= {"run_id": parent.run_id, "name": parent.name, "namespace": parent.namespace}
    created = bodies.get("lineal_run", "")
    given = read_object(created).get("args") if is_made_by_api(created) else None
    return args | given if isinstance(given, dict) else args


def _java_time(time: datetime) -> str:
    """A time as Java's ZonedDateTime prints it: no seconds where there are none."""
    time = time.astimezone(timezone.utc)
    pattern = "%Y-%m-%dT%H:%M" if time.second == time.microsecond == 0 else "%Y-%m-%dT%H:%M:%S"
    fraction = f".{time.microsecond:06d}".rstrip("0") if time.microsecond else ""
    return f"{time.strftime(pattern)}{fraction}Z"


def build_dataset_version(row: RunDatasetRow, version: UUID, facets: list[FacetRow]) -> dict[str, Any]:
    """A dataset version that a run read or wrote, with the facets said of it there."""
    return {
        "datasetVersionId": {"namespace": row.namespace, "name": row.name, "version": str(version)},
        "facets": build_facets(facets),
    }
