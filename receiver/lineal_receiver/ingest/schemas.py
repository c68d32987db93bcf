"""The schemas that events are judged by, read once from the package's data; nothing is ever fetched."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types
from referencing import Registry, Resource

from lineal_receiver.resources import find_data

DIALECT = "https://json-schema.org/draft/2020-12/schema"
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
# What a newer version may well have more of than we know: values, bounds, fields.
_LOOSENED = ("enum", "const", "minimum", "additionalProperties")
_DECLARED = re.compile(r"/spec/facets/(\d+-\d+-\d+)/(\w+)\.json(?:#.*)?$", re.ASCII)

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """One schema in two forms: compiled for the verdict, plain to explain it. `version` tells a facet's apart."""

    compiled: Any
    plain: Draft202012Validator
    version: str = ""

    def holds(self, value: Any) -> bool:
        """Whether a value holds; one that is nested too deeply to be judged doesn't."""
        try:
            return bool(self.compiled.is_valid(value))
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class FacetSchemas:
    """Every version of a facet: by the name of its file and the version there; the newest; and that one loosened."""

    versions: dict[tuple[str, str], Schema]
    newest: Schema
    loosened: Schema
    name: str

    def choose(self, url: object) -> Schema:
        """The schema that a facet with this `_schemaURL` is judged by: its own, else the newest known.

        A version newer than that is judged leniently: types and what is required, not values, bounds or other fields.
        """
        found = _DECLARED.search(url) if isinstance(url, str) else None
        if found is None:
            return self.newest
        version, name = found.groups()
        known = self.versions.get((name, version))
        if known is not None:
            return known
        newer = name == self.name and _number(version) > _number(self.newest.version)
        return self.loosened if newer else self.newest


@dataclass(frozen=True, slots=True)
class Bundle:
    """The core schema of each kind of event, and the schemas of each facet by (entity, key)."""

    events: dict[str, Schema]
    facets: dict[tuple[str, str], FacetSchemas]


@cache
def read_bundle() -> Bundle:
    """The schemas that travel with the package."""
    return build_bundle(sorted(find_data("schemas").rglob("*.json")))


def build_bundle(paths: Sequence[Path]) -> Bundle:
    """The schemas in these files."""
    found = [json.loads(path.read_bytes()) for path in paths]
    workshop = _Workshop({document["$id"]: document for document in found if "$id" in document})
    events = {kind: workshop.build({"$ref": f"{CORE}#/$defs/{name}"}) for kind, name in EVENTS.items()}
    facets = workshop.build_facets()
    facets["run", "parentRun"] = facets["run", "parent"]  # as old integrations call it
    return Bundle(events, facets)


@dataclass(slots=True)
class _Workshop:
    """Makes schemas of documents that refer to each other."""

    documents: dict[str, Any]
    compiled: Any = field(init=False)
    plain: Registry[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.compiled = jsonschema_rs.Registry(list(self.documents.items()))
        self.plain = Registry().with_resources(
            (identity, Resource.from_contents(document)) for identity, document in self.documents.items()
        )

    def build(self, body: dict[str, Any], version: str = "") -> Schema:
        schema = {"$schema": DIALECT, **body}
        return Schema(
            jsonschema_rs.Draft202012Validator(schema, registry=self.compiled, validate_formats=False),
            Draft202012Validator(schema, registry=self.plain),
            version,
        )

    def build_facets(self) -> dict[tuple[str, str], FacetSchemas]:
        declared: dict[tuple[str, str], list[tuple[Version, str, dict[str, Any]]]] = {}
        for identity, document in self.documents.items():
            place = _DECLARED.search(identity)
            if place is None:
                continue
            version, name = place.groups()
            for entity, key in _places(document):
                declared.setdefault((entity, key), []).append((_number(version), name, document))
        return {place: self._build_versions(place[1], sorted(found, key=_order)) for place, found in declared.items()}

    def _build_versions(self, key: str, found: list[tuple[Version, str, dict[str, Any]]]) -> FacetSchemas:
        versions: dict[tuple[str, str], Schema] = {}
        for number, name, document in found:
            version = "-".join(map(str, number))
            versions[name, version] = self.build(_absolute(document["properties"][key], document["$id"]), version)
        number, name, document = found[-1]
        loosened = self.build({"$defs": _loosen(document["$defs"]), **_loosen(document["properties"][key])})
        return FacetSchemas(versions, versions[name, "-".join(map(str, number))], loosened, name)


def _order(found: tuple[Version, str, dict[str, Any]]) -> tuple[Version, str]:
    return found[0], found[1]


def _number(version: str) -> Version:
    return tuple(map(int, version.split("-")))


def _absolute(body: Any, identity: str) -> Any:
    """The schema with references to its own document written out."""
    if isinstance(body, list):
        return [_absolute(item, identity) for item in body]
    if not isinstance(body, dict):
        return body
    return {
        key: f"{identity}{value}" if key == "$ref" and value.startswith("#") else _absolute(value, identity)
        for key, value in body.items()
    }


def _loosen(body: Any) -> Any:
    """The schema without what newer versions may have more of."""
    if isinstance(body, list):
        return [_loosen(item) for item in body]
    if not isinstance(body, dict):
        return body
    return {
        "anyOf" if key == "oneOf" and isinstance(value, list) else key: _loosen(value)
        for key, value in body.items()
        if key not in _LOOSENED or isinstance(value, dict)
    }


def _places(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(entity, key) of each facet that a file defines."""
    for key, body in document.get("properties", {}).items():
        references = [choice["$ref"] for choice in body.get("anyOf", body.get("oneOf", [body]))]
        entities: set[str] = set()
        for reference in references:
            definition = document["$defs"][reference.rpartition("/")[2]]
            bases = [part.get("$ref", "").rpartition("/")[2] for part in definition.get("allOf", [])]
            entities.update(_ENTITIES[base] for base in bases if base in _ENTITIES)
        if key in _BOTH:
            entities.add("dataset")
        for entity in sorted(entities):
            yield entity, key
