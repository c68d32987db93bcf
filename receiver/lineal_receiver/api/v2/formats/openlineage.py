"""A graph as OpenLineage events: a JobEvent for each job, a DatasetEvent for what only static events told."""

from collections import defaultdict
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import encode

PRODUCER = "https://lineal.dev/receiver/export"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
FACETS = {
    "schema": "1-2-0/SchemaDatasetFacet",
    "columnLineage": "1-2-0/ColumnLineageDatasetFacet",
    "lineage": "1-0-0/LineageFacet",
}

Edges = list[dict[str, Any]]


def write_openlineage(graph: dict[str, Any]) -> str:
    """One event a line. What is only the last that is known isn't told, nor columns that are unresolved.

    To tell no inputs says that a column is constant: so of those that are traced only what is shown is told.
    """
    datasets = {one["id"]: one for one in graph["datasets"]}
    edges: dict[tuple[UUID | None, UUID], Edges] = defaultdict(list)
    for edge in graph["columnEdges"]:
        if not edge["lastKnown"]:
            edges[edge["job"], edge["target"]["dataset"]].append(edge)
    seen: dict[UUID | None, datetime] = {}
    for transform in graph["transforms"]:
        job, at = transform["job"], transform["lastSeenAt"]
        seen[job] = max(seen.get(job, at), at)
    uses: dict[UUID | None, Edges] = defaultdict(list)
    for use in graph["tableEdges"]:
        uses[use["job"]].append(use)
    events = [
        _tell_job(job, uses[job["id"]], datasets, edges, seen.get(job["id"]))
        for job in graph["jobs"]
        if uses[job["id"]]
    ]
    static = dict.fromkeys(use["target"] for use in uses[None])
    events += [_tell_dataset(datasets[one], datasets, edges[None, one], seen.get(None)) for one in static]
    return "".join(encode(event).decode() + "\n" for event in events)


def _tell_job(
    job: dict[str, Any],
    uses: Edges,
    datasets: dict[UUID, dict[str, Any]],
    edges: dict[tuple[UUID | None, UUID], Edges],
    at: datetime | None,
) -> dict[str, Any]:
    sources = dict.fromkeys(use["source"] for use in uses if use["source"] is not None)
    targets = dict.fromkeys(use["target"] for use in uses if use["target"] is not None)
    return {
        "eventTime": at or _find_time(job, [datasets[one] for one in (*targets, *sources)]),
        "job": {"namespace": job["namespace"], "name": job["name"], "facets": _build_job_facets(uses, datasets)},
        "inputs": [_build_dataset(datasets[one], datasets, None) for one in sources],
        "outputs": [_build_dataset(datasets[one], datasets, edges[job["id"], one]) for one in targets],
        "producer": PRODUCER,
        "schemaURL": f"{CORE}JobEvent",
    }


def _tell_dataset(
    dataset: dict[str, Any], datasets: dict[UUID, dict[str, Any]], edges: Edges, at: datetime | None
) -> dict[str, Any]:
    return {
        "eventTime": at or dataset["updatedAt"],
        "dataset": _build_dataset(dataset, datasets, edges),
        "producer": PRODUCER,
        "schemaURL": f"{CORE}DatasetEvent",
    }


def _find_time(job: dict[str, Any], datasets: list[dict[str, Any]]) -> datetime:
    """When a job that vouches for nothing was last seen to do anything."""
    run = job["lastRun"] or {}
    told: datetime | None = run.get("endedAt") or run.get("startedAt")
    return told or max(one["updatedAt"] for one in datasets)


def _build_job_facets(uses: Edges, datasets: dict[UUID, dict[str, Any]]) -> dict[str, Any]:
    """Which input feeds which output, where not every one feeds all."""
    fed: dict[UUID, list[UUID]] = defaultdict(list)
    for use in uses:
        if use["target"] is not None:
            fed[use["target"]] += [use["source"]] if use["source"] is not None else []
    if len({frozenset(sources) for sources in fed.values()}) < 2:
        return {}
    entries = [
        {
            "type": "DATASET",
            **_name(datasets[target]),
            "inputs": [{"type": "DATASET", **_name(datasets[source])} for source in sources],
        }
        for target, sources in fed.items()
    ]
    return {"lineage": _stamp("lineage") | {"entries": entries}}


def _build_dataset(
    dataset: dict[str, Any], datasets: dict[UUID, dict[str, Any]], edges: Edges | None
) -> dict[str, Any]:
    """A dataset with its schema; with `edges`, as an output whose columns are told."""
    fields = [
        {key: column[key] for key in ("name", "type", "description") if column[key] is not None}
        for column in dataset["columns"]
    ]
    facets: dict[str, Any] = {"schema": _stamp("schema") | {"fields": fields}} if fields else {}
    if edges is not None:
        made: dict[str, Edges] = {column["name"]: [] for column in dataset["columns"] if column["status"] == "constant"}
        rows: Edges = []
        for edge in edges:
            inputs = rows if edge["target"]["field"] is None else made.setdefault(edge["target"]["field"], [])
            inputs.append(_build_input(edge, datasets))
        if made or rows:
            told = {"fields": {name: {"inputFields": inputs} for name, inputs in made.items()}}
            facets["columnLineage"] = _stamp("columnLineage") | told | ({"dataset": rows} if rows else {})
    return {**_name(dataset), "facets": facets}


def _build_input(edge: dict[str, Any], datasets: dict[UUID, dict[str, Any]]) -> dict[str, Any]:
    source = datasets[edge["source"]["dataset"]]
    said = {"description": edge["expression"]} if edge["expression"] else {}
    kinds = [
        {key: value for key, value in kind.items() if value != ""} | (said if kind["type"] != "INDIRECT" else {})
        for kind in edge["kinds"]
    ]
    return {**_name(source), "field": edge["source"]["field"], "transformations": kinds}


def _name(dataset: dict[str, Any]) -> dict[str, str]:
    return {"namespace": dataset["namespace"], "name": dataset["name"]}


def _stamp(facet: str) -> dict[str, str]:
    version, _, name = FACETS[facet].partition("/")
    base = f"https://openlineage.io/spec/facets/{version}/{name}.json"
    return {"_producer": PRODUCER, "_schemaURL": f"{base}#/$defs/{name}"}
