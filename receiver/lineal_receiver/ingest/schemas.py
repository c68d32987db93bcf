"""The schemas that events are judged by, read once from the package's data; nothing is ever fetched."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types
from referencing import Registry, Resource

from lineal_receiver.resources import find_data

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
EVENTS = {"run": "RunEvent", "job": "JobEvent", "dataset": "DatasetEvent"}

_ENTITIES = {
    "RunFacet": "run",
    "JobFacet": "job",
    "DatasetFacet": "dataset",
    "InputDatasetFacet": "input",
    "OutputDatasetFacet": "output",
}
# Producers put these on the dataset as well as on the input, and the documentation shows both.
_BOTH = ("dataQualityAssertions",)


@dataclass(frozen=True, slots=True)
class Schema:
    """One schema in two forms: compiled for the verdict, plain to explain it."""

    compiled: Any
    plain: Draft202012Validator


@dataclass(frozen=True, slots=True)
class Bundle:
    """The core schema of each kind of event, and the schema of each facet by (entity, key)."""

    events: dict[str, Schema]
    facets: dict[tuple[str, str], Schema]


@cache
def read_bundle() -> Bundle:
    """The schemas that travel with the package."""
    found = [json.loads(path.read_bytes()) for path in sorted(find_data("schemas").rglob("*.json"))]
    documents = {document["$id"]: document for document in found if "$id" in document}
    compiled = jsonschema_rs.Registry(list(documents.items()))
    plain: Registry[Any] = Registry().with_resources(
        (identity, Resource.from_contents(document)) for identity, document in documents.items()
    )

    def build(*references: str) -> Schema:
        choice: dict[str, Any] = (
            {"$ref": references[0]} if len(references) == 1 else {"anyOf": [{"$ref": one} for one in references]}
        )
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **choice}
        return Schema(
            jsonschema_rs.Draft202012Validator(schema, registry=compiled, validate_formats=False),
            Draft202012Validator(schema, registry=plain),
        )

    events = {kind: build(f"{CORE}#/$defs/{name}") for kind, name in EVENTS.items()}
    facets = {
        (entity, key): build(*references)
        for identity, document in documents.items()
        if identity != CORE
        for entity, key, references in _facets(identity, document)
    }
    facets["run", "parentRun"] = facets["run", "parent"]  # as old integrations call it
    return Bundle(events, facets)


def _facets(identity: str, document: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """(entity, key, references, of which one must hold) of each facet that a file defines."""
    for key, body in document.get("properties", {}).items():
        references = [choice["$ref"] for choice in body.get("anyOf", [body])]
        entities: set[str] = set()
        for reference in references:
            definition = document["$defs"][reference.rpartition("/")[2]]
            bases = [part.get("$ref", "").rpartition("/")[2] for part in definition.get("allOf", [])]
            entities.update(_ENTITIES[base] for base in bases if base in _ENTITIES)
        if key in _BOTH:
            entities.add("dataset")
        for entity in sorted(entities):
            yield entity, key, [f"{identity}{reference}" for reference in references]
