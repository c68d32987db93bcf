"""What a graph shows of its jobs."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import read_object
from lineal_receiver.api.v1.assembly.jobs import fetch_latest_of_names
from lineal_receiver.api.v1.assembly.nodes_then import fetch_latest_then
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v1.shapes.datasets import find_text
from lineal_receiver.api.v1.shapes.runs import ENDED, build_duration
from lineal_receiver.api.v2.graph.datasets import list_owners
from lineal_receiver.api.v2.graph.walked import Graph
from lineal_receiver.api.v2.runs import TEXTS, build_run
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_facets import FacetRow, fetch_facets
from lineal_receiver.store.read_jobs import JobRow, fetch_job_names, fetch_jobs
from lineal_receiver.store.read_run_list import fetch_listed
from lineal_receiver.store.read_runs import RunRow
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.together import together

PATHS = {"lineal_node": "file", "dbt_node": "original_file_path"}
"""Facets of dbt's nodes (Lineal's own, openlineage-dbt's), and under which key they have the path in the project."""

_CHECK = re.compile("test|check|assert", re.IGNORECASE)

FACETS = ("jobType", "documentation", "ownership", "sourceCodeLocation", *PATHS)
LARGEST_KEPT = 8_192
"""What up to so many characters of facets tell is kept."""
FILE_KEYS = ("type", "url", "repoUrl", "path", "version", "branch")
RUN_KEYS = ("runId", "state", "stateText", "startedAt", "endedAt", "durationMs")


async def assemble_jobs(connection: Connection, graph: Graph) -> list[dict[str, Any]]:
    """The jobs of a graph, the nearest first."""
    at = graph.names.at if isinstance(graph.names, NamesThen) else None
    described = await describe_jobs(connection, list(graph.jobs), at)
    idle = {use.job for use in graph.uses if use.target == NONE}  # what writes nothing has a slot of its own
    answers = [
        {**described[job], "distance": distance, "side": side, "consumer": job in idle}
        for job, (distance, side) in graph.jobs.items()
        if job in described
    ]
    return sorted(answers, key=lambda one: (one["distance"], one["namespace"], one["name"], str(one["id"])))


async def describe_jobs(
    connection: Connection, jobs: list[UUID], at: datetime | None = None
) -> dict[UUID, dict[str, Any]]:
    """What there is to say of jobs by themselves: name, type, last run, file, owners; of a time, as it was then."""
    if not jobs:
        return {}
    rows, names = await together(connection, fetch_jobs(connection, jobs), fetch_job_names(connection, jobs))
    named = [(name, NONE) for row in rows.values() for name in row.names]
    said, runs = await together(
        connection,
        fetch_facets(connection, named, "j", LARGEST_LISTED_FACET, FACETS),
        _fetch_last_runs(connection, rows, at),
    )
    described = {}
    for job, row in rows.items():
        facets = [facet for name in row.names for facet in said.get((name, NONE), [])]
        if at is not None:
            facets = [facet for facet in facets if facet.at is not None and facet.at <= at]
        namespace, name = names[job]
        told = read_told((facet.name, facet.body) for facet in facets)
        described[job] = {
            "id": row.id,
            "namespace": namespace,
            "name": name,
            "jobType": told.type,
            "lastRun": runs.get(job),
            "file": told.file,
            "description": told.description,
            "owners": told.owners,
        }
    return described


@dataclass(frozen=True, slots=True)
class Told:
    """What the facets of a job tell of it, as answers write it; not to be changed."""

    type: dict[str, Any] | None
    file: dict[str, Any] | None
    description: str | None
    owners: list[dict[str, str | None]]


def read_told(facets: Iterable[tuple[str, str]]) -> Told:
    """What facets (name, JSON text), the newest last, tell of a job."""
    said = tuple(facets)
    small = sum(len(body) for _, body in said) <= LARGEST_KEPT
    return _read_again(said) if small else _read_told(said)


@lru_cache(maxsize=1_024)
def _read_again(said: tuple[tuple[str, str], ...]) -> Told:
    """Jobs say the same run after run."""
    return _read_told(said)


def _read_told(said: tuple[tuple[str, str], ...]) -> Told:
    facets = [FacetRow("j", name, body) for name, body in said]
    return Told(
        _build_type(facets),
        build_file(facets),
        find_text(facets, "documentation", "description"),
        list_owners(facets),
    )


def is_check(job_type: dict[str, Any] | None) -> bool:
    """Whether a job of this `jobType` only looks whether data is as it should be."""
    kind = (job_type or {}).get("jobType")
    return isinstance(kind, str) and _CHECK.search(kind) is not None


async def find_checks(connection: Connection, jobs: list[UUID]) -> set[UUID]:
    """Those of `jobs` that are checks."""
    rows = await fetch_jobs(connection, jobs) if jobs else {}
    named = [(name, NONE) for row in rows.values() for name in row.names]
    said = await fetch_facets(connection, named, "j", LARGEST_LISTED_FACET, ("jobType",)) if named else {}
    types = {job: [facet for name in row.names for facet in said.get((name, NONE), [])] for job, row in rows.items()}
    return {job for job, facets in types.items() if is_check(_build_type(facets))}


async def _fetch_last_runs(
    connection: Connection, jobs: dict[UUID, JobRow], at: datetime | None
) -> dict[UUID, dict[str, Any]]:
    """The run of each job that began last; of one that is open, whether its parent has ended is looked up."""
    if at is not None:
        return {job: build_short_run(run) for job, run in (await fetch_latest_then(connection, jobs, at)).items()}
    latest = await fetch_latest_of_names(connection, list(jobs.values()), 1)
    newest = {job: latest[row.id][0] for job, row in jobs.items() if latest[row.id]}
    open_runs = [(run.job_id, run.run_id) for run in newest.values() if run.end_rank is None]
    listed = {(run.job_id, run.run_id): build_run(run) for run in await fetch_listed(connection, open_runs)}
    found: dict[UUID, dict[str, Any]] = {}
    for job, run in newest.items():
        opened = listed.get((run.job_id, run.run_id))
        found[job] = build_short_run(run) if opened is None else {key: opened[key] for key in RUN_KEYS}
    return found


def build_short_run(run: RunRow) -> dict[str, Any]:
    """A run by its own events alone, in few words."""
    started = run.start_at or run.running_at
    return build_short(run.run_id, find_own_state(run.end_rank, typed=run.typed), started, run.end_at)


def find_own_state(end_rank: int | None, *, typed: bool) -> str:
    """The state of a run by its own events alone."""
    if end_rank is not None:
        return ENDED[end_rank]
    return "RUNNING" if typed else "NEW"


def build_short(run: UUID, state: str, started: datetime | None, ended: datetime | None) -> dict[str, Any]:
    """A run in few words."""
    return {
        "runId": run,
        "state": state,
        "stateText": TEXTS[state],
        "startedAt": started,
        "endedAt": ended,
        "durationMs": build_duration(started, ended),
    }


def build_file(facets: list[FacetRow]) -> dict[str, Any] | None:
    """Where the code of a job lies: in its repository; of dbt's nodes that tell of none, in their project."""
    body = _read_newest(facets, "sourceCodeLocation")
    found = {key: text if isinstance(text := body.get(key), str) else None for key in FILE_KEYS}
    if any(found.values()):
        return found
    told = (_read_newest(facets, name).get(key) for name, key in PATHS.items())
    path = next((text for text in told if isinstance(text, str) and text), None)
    return None if path is None else {**found, "path": path}


def _build_type(facets: list[FacetRow]) -> dict[str, Any] | None:
    body = _read_newest(facets, "jobType")
    return {key: body.get(key) for key in ("processingType", "integration", "jobType")} if body else None


def _read_newest(facets: list[FacetRow], name: str) -> dict[str, Any]:
    newest = next((facet for facet in reversed(facets) if facet.name == name), None)
    return {} if newest is None else read_object(newest.body)
