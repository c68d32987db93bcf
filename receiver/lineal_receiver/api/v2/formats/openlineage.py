"""A graph as OpenLineage events: a JobEvent for each job, a DatasetEvent for what only static events told."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
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

OWN = "https://lineal.dev/spec/facets/1-0-0/LinealLineageDatasetFacet.json#/$defs/LinealLineageDatasetFacet"

OWN_KEYS = ("status", "reason", "message", "expression")
READ_KEYS = {
    "sqlHash": "sqlHash",
    "dialect": "dialect",
    "sqlglotVersion": "parserVersion",
    "rulesVersion": "rulesVersion",
}

Edges = list[dict[str, Any]]
Slot = tuple[UUID | None, UUID]
"""A job, None of what static events told, and a dataset that it writes."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told by: datasets by id; by slot the edges, and what vouches for them."""

    datasets: dict[UUID, dict[str, Any]]
    edges: dict[Slot, Edges]
    transforms: dict[Slot, dict[str, Any]]

    def find_time(self, job: UUID | None) -> datetime | None:
        """When a job, or static events, last vouched for anything."""
        return max((one["lastSeenAt"] for (maker, _), one in self.transforms.items() if maker == job), default=None)


def write_openlineage(graph: dict[str, Any]) -> str:
    """One event a line. What is only the last that is known isn't told.

    To tell no inputs says that a column is constant: so of those that are traced only what is shown is told.
    """
    edges: dict[Slot, Edges] = defaultdict(list)
    for edge in graph["columnEdges"]:
        if not edge["lastKnown"]:
            edges[edge["job"], edge["target"]["dataset"]].append(edge)
    transforms = {(one["job"], one["target"]): one for one in graph["transforms"] if not one["lastKnown"]}
    told = _Told({one["id"]: one for one in graph["datasets"]}, edges, transforms)
    uses: dict[UUID | None, Edges] = defaultdict(list)
    for use in graph["tableEdges"]:
        uses[use["job"]].append(use)
    events = [_tell_job(job, uses[job["id"]], told) for job in graph["jobs"] if uses[job["id"]]]
    events += [_tell_dataset(one, told) for one in dict.fromkeys(use["target"] for use in uses[None])]
    return "".join(encode(event).decode() + "\n" for event in events)


def _tell_job(job: dict[str, Any], uses: Edges, told: _Told) -> dict[str, Any]:
    sources = dict.fromkeys(use["source"] for use in uses if use["source"] is not None)
    targets = dict.fromkeys(use["target"] for use in uses if use["target"] is not None)
    at = told.find_time(job["id"]) or _find_time(job, [told.datasets[one] for one in (*targets, *sources)])
    return {
        "eventTime": at,
        "job": {"namespace": job["namespace"], "name": job["name"], "facets": _build_job_facets(uses, told.datasets)},
        "inputs": [_build_dataset(told.datasets[one]) for one in sources],
        "outputs": [_build_output((job["id"], one), told) for one in targets],
        "producer": PRODUCER,
        "schemaURL": f"{CORE}JobEvent",
    }


def _tell_dataset(dataset: UUID, told: _Told) -> dict[str, Any]:
    return {
        "eventTime": told.find_time(None) or told.datasets[dataset]["updatedAt"],
        "dataset": _build_output((None, dataset), told),
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


def _build_dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    """A dataset with its schema."""
    fields = [
        {key: column[key] for key in ("name", "type", "description") if column[key] is not None}
        for column in dataset["columns"]
    ]
    facets: dict[str, Any] = {"schema": _stamp("schema") | {"fields": fields}} if fields else {}
    return {**_name(dataset), "facets": facets}


def _build_output(slot: Slot, told: _Told) -> dict[str, Any]:
    """A dataset with its schema, where its columns come from, and which of that isn't known."""
    dataset, transform = told.datasets[slot[1]], told.transforms.get(slot)
    output = _build_dataset(dataset)
    if transform is not None and transform["status"] is None:
        return output  # it said nothing of columns
    made: dict[str, Edges] = {column["name"]: [] for column in dataset["columns"] if column["status"] == "constant"}
    rows: Edges = []
    for edge in told.edges[slot]:
        inputs = rows if edge["target"]["field"] is None else made.setdefault(edge["target"]["field"], [])
        inputs.append(_build_input(edge, told.datasets))
    if made or rows:
        fields = {"fields": {name: {"inputFields": inputs} for name, inputs in made.items()}}
        output["facets"]["columnLineage"] = _stamp("columnLineage") | fields | ({"dataset": rows} if rows else {})
    if transform is not None:
        output["facets"]["lineal_lineage"] = _build_own(dataset, made.keys(), transform)
    return output


def _build_own(dataset: dict[str, Any], made: Collection[str], transform: dict[str, Any]) -> dict[str, Any]:
    """Lineal's own facet: what columnLineage has no place for, as why a column is unresolved, and SQL of constants.

    What another job traces isn't this one's to tell.
    """
    columns = [
        {key: column[key] for key in ("name", *OWN_KEYS) if column[key] is not None}
        for column in dataset["columns"]
        if column["status"] == "unresolved" or column["name"] in made
    ]
    read = {name: transform[key] for name, key in READ_KEYS.items() if transform[key] is not None}
    return {
        "_producer": PRODUCER,
        "_schemaURL": OWN,
        "modelId": f"{dataset['namespace']}/{dataset['name']}",
        "status": "unresolved" if transform["status"] == "failed" else transform["status"],
        "columns": columns,
        "gaps": [],
        "relations": [],
        **read,
    }


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
