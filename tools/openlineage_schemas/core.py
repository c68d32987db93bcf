"""The core schema of 2-0-2, stated here, and what facets of older versions need of older cores."""

from typing import Any

from openlineage.client.generated import base

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NEWEST = "2-0-2"
OLDER = ("1-0-2", "1-0-3")
"""Cores that older facets build on: their facets can't be deleted."""


def identify_core(version: str = NEWEST) -> str:
    """The `$id` of a version of the core."""
    return f"https://openlineage.io/spec/{version}/OpenLineage.json"


def build_core() -> dict[str, Any]:
    """Three kinds of events, told apart by their keys."""
    text = {"type": "string"}
    base_event = {
        "type": "object",
        "properties": {
            "eventTime": {"type": "string", "format": "date-time"},
            "producer": {"type": "string", "format": "uri"},
            "schemaURL": {"type": "string", "format": "uri"},
        },
        "required": ["eventTime", "producer", "schemaURL"],
    }
    io = {"inputs": _list("InputDataset"), "outputs": _list("OutputDataset")}
    named = ["namespace", "name"]
    definitions = {
        "BaseEvent": base_event,
        "RunEvent": _event({"eventType": _event_type(), "run": _ref("Run"), "job": _ref("Job"), **io}, ["run", "job"]),
        "JobEvent": _event({"job": _ref("Job"), **io}, ["job"], ["run"]),
        "DatasetEvent": _event({"dataset": _ref("StaticDataset")}, ["dataset"], ["job", "run"]),
        "Run": _entity({"runId": {"type": "string", "format": "uuid"}}, ["runId"], "RunFacet"),
        "Job": _entity({"namespace": text, "name": text}, named, "JobFacet"),
        "Dataset": _entity({"namespace": text, "name": text}, named, "DatasetFacet"),
        "StaticDataset": {"type": "object", "allOf": [_ref("Dataset")]},
        "InputDataset": _dataset("inputFacets", "InputDatasetFacet"),
        "OutputDataset": _dataset("outputFacets", "OutputDatasetFacet"),
        **_bases(deletable=True),
    }
    kinds = [_ref("RunEvent"), _ref("DatasetEvent"), _ref("JobEvent")]
    return {"$schema": DIALECT, "$id": identify_core(), "$defs": definitions, "oneOf": kinds}


def build_older_core(version: str) -> dict[str, Any]:
    """What facets refer to in an older core; events are never judged by it."""
    return {"$schema": DIALECT, "$id": identify_core(version), "$defs": _bases(deletable=False)}


def _bases(*, deletable: bool) -> dict[str, Any]:
    """What every facet has, and what those of each entity have besides."""
    identified = {
        "_producer": {"type": "string", "format": "uri"},
        "_schemaURL": {"type": "string", "format": "uri"},
    }
    facet = {"type": "object", "allOf": [_ref("BaseFacet")]}
    mark = {"type": "object", "properties": {"_deleted": {"type": "boolean"}}}
    of_entity = {"type": "object", "allOf": [_ref("BaseFacet"), mark]} if deletable else facet
    return {
        "BaseFacet": {
            "type": "object",
            "properties": identified,
            "additionalProperties": True,
            "required": list(identified),
        },
        "RunFacet": facet,
        "JobFacet": of_entity,
        "DatasetFacet": of_entity,
        "InputDatasetFacet": facet,
        "OutputDatasetFacet": facet,
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


def _event_type() -> dict[str, Any]:
    return {"type": "string", "enum": [member.value for member in base.EventType]}


def _event(properties: dict[str, Any], required: list[str], without: list[str] | None = None) -> dict[str, Any]:
    own: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    if without:
        own["not"] = {"required": without}
    return {"allOf": [_ref("BaseEvent"), own]}


def _entity(properties: dict[str, Any], required: list[str], facet: str) -> dict[str, Any]:
    facets = {"type": "object", "additionalProperties": _ref(facet)}
    return {"type": "object", "properties": {**properties, "facets": facets}, "required": required}


def _dataset(name: str, facet: str) -> dict[str, Any]:
    facets = {"type": "object", "additionalProperties": _ref(facet)}
    return {"type": "object", "allOf": [_ref("Dataset"), {"type": "object", "properties": {name: facets}}]}
