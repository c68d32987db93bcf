"""A run event as Marquez writes it: as it was sent, with what Marquez's model knows and the event lacks as null."""

import json
from typing import Any

from lineal_receiver.api.answers import encode, raw

EVENT = ("eventType", "eventTime", "run", "job", "inputs", "outputs", "producer", "schemaURL")
NAMED = ("namespace", "name", "facets")
DATASET = (*NAMED, "inputFacets", "outputFacets")
RUN_FACETS = ("nominalTime", "parent")
JOB_FACETS = ("documentation", "sourceCodeLocation", "sql", "jobType")
DATASET_FACETS = (
    "documentation",
    "schema",
    "dataSource",
    "description",
    "lifecycleStateChange",
    "columnLineage",
    "symlinks",
)


def build_event(body: bytes) -> bytes:
    """The event as JSON, its numbers as they were sent; one that can't be taken apart is given as it is."""
    try:
        event = json.loads(body, parse_int=raw, parse_float=raw, parse_constant=raw)
        return encode(_fill_event(event))
    except (TypeError, ValueError, AttributeError, RecursionError):
        return body


def _fill_event(event: dict[str, Any]) -> dict[str, Any]:
    event = _fill(event, EVENT)
    event["run"] = _fill_entity(event["run"], ("runId", "facets"), RUN_FACETS)
    event["job"] = _fill_entity(event["job"], NAMED, JOB_FACETS)
    for side in ("inputs", "outputs"):
        if event[side] is not None:
            event[side] = [_fill_dataset(dataset) for dataset in event[side]]
    return event


def _fill_dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    dataset = _fill_entity(dataset, DATASET, DATASET_FACETS)
    schema = (dataset["facets"] or {}).get("schema")
    if isinstance(schema, dict) and isinstance(schema.get("fields"), list):
        schema["fields"] = [
            _fill(field, ("name", "type", "description")) if isinstance(field, dict) else field
            for field in schema["fields"]
        ]
    return dataset


def _fill_entity(entity: dict[str, Any], keys: tuple[str, ...], facets: tuple[str, ...]) -> dict[str, Any]:
    entity = _fill(entity, keys)
    if entity["facets"] is not None:
        entity["facets"] = _fill(entity["facets"], facets)
    return entity


def _fill(mapping: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {**dict.fromkeys(keys), **mapping}
