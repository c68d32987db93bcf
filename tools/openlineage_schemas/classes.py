"""Each facet's newest schema, from openlineage-python's classes.

They hold names, types and what is required; what they lose (formats, constants, bounds, fields that come together, odd
keys) is stated in the tables here.
"""

import importlib
import pkgutil
import re
import types
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

import attr
from openlineage.client import generated
from openlineage.client.generated import base

from openlineage_schemas.core import DIALECT, identify_core

CORE = identify_core()

# Keys that don't follow from the class's name without its entity, in lower camel case.
KEYS = {
    "DatasourceDatasetFacet": "dataSource",
    "DatasetVersionDatasetFacet": "version",
    "SQLJobFacet": "sql",
    "ProcessingEngineRunFacet": "processing_engine",
    "InputSubsetInputDatasetFacet": "subset",
    "OutputSubsetOutputDatasetFacet": "subset",
    "LineageDatasetFacet": "lineage",
    "LineageJobFacet": "lineage",
}
# Lost by the classes: values that a field must have.
CONSTANTS = {
    ("BinarySubsetCondition", "type"): "binary",
    ("CompareSubsetCondition", "type"): "compare",
    ("PartitionSubsetCondition", "type"): "partition",
    ("LocationSubsetCondition", "type"): "location",
    ("FieldBaseCompareExpression", "type"): "field",
    ("LiteralCompareExpression", "type"): "literal",
}
# Lost by the classes: least values.
BOUNDS = {("EmissionPattern", "windowDuration"): {"minimum": 1}}
# Lost by the classes: of the facets with this key, exactly one must hold; of others with one key, at least one.
EXCLUSIVE = {"subset"}
# Lost by the classes: fields that must come together.
TOGETHER = {"LineageJobEntry": ("namespace", "name"), "LineageJobInput": ("namespace", "name")}
# Lost by the classes: what a text must look like (an annotation: no verdict depends on it).
FORMATS = {
    "runId": "uuid",
    "nominalStartTime": "date-time",
    "nominalEndTime": "date-time",
    "lastUpdated": "date-time",
    "captureDate": "date-time",
    "uri": "uri",
    "url": "uri",
}
BASES = ("RunFacet", "JobFacet", "DatasetFacet", "InputDatasetFacet", "OutputDatasetFacet")


def build_newest() -> Iterator[dict[str, Any]]:
    """The schema of every facet that the installed openlineage-python has a class for."""
    for found in pkgutil.iter_modules(generated.__path__):
        if found.name == "base":
            continue
        module = importlib.import_module(f"{generated.__name__}.{found.name}")
        classes = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]
        facets = [c for c in classes if attr.has(c) and issubclass(c, base.BaseFacet)]
        if facets:
            identity = _schema_url(facets[0]).partition("#")[0]
            yield _facet_file(identity, module, classes, facets)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _schema_url(cls: type) -> str:
    url: str = cls._get_schema()  # type: ignore[attr-defined]
    return url


def _facet_file(identity: str, module: types.ModuleType, classes: list[type], facets: list[type]) -> dict[str, Any]:
    definitions = {
        cls.__name__: _definition(cls, module) for cls in sorted(classes, key=lambda c: c.__name__) if attr.has(cls)
    }
    for cls in facets:
        entity = next(name for name in BASES if issubclass(cls, getattr(base, name)))
        own = definitions[cls.__name__]
        definitions[cls.__name__] = {"allOf": [{"$ref": f"{CORE}#/$defs/{entity}"}, own], "type": "object"}
    keys = {_key(cls) for cls in facets}
    choice = [_ref(cls.__name__) for cls in facets]
    combined = {"oneOf" if keys <= EXCLUSIVE else "anyOf": choice}
    body = choice[0] if len(choice) == 1 else combined
    return {
        "$schema": DIALECT,
        "$id": identity,
        "$defs": definitions,
        "type": "object",
        "properties": dict.fromkeys(sorted(keys), body),
    }


def _key(cls: type) -> str:
    if cls.__name__ in KEYS:
        return KEYS[cls.__name__]
    stem = re.sub(r"(InputDataset|OutputDataset|Dataset|Job|Run)Facet$", "", cls.__name__)
    return stem[0].lower() + stem[1:]


def _definition(cls: type, module: types.ModuleType) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, vars(base) | vars(module))
    inherited = {a.name for b in BASES for a in attr.fields(getattr(base, b))}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for field in attr.fields(cls):
        if field.name in inherited:
            continue
        constant = CONSTANTS.get((cls.__name__, field.name))
        properties[field.name] = {"const": constant} if constant else _type(hints[field.name])
        properties[field.name] |= BOUNDS.get((cls.__name__, field.name), {})
        if field.name in FORMATS and properties[field.name] == {"type": "string"}:
            properties[field.name]["format"] = FORMATS[field.name]
        if field.default is attr.NOTHING or constant:
            required.append(field.name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if cls.__name__ in TOGETHER:
        one, other = TOGETHER[cls.__name__]
        schema["dependentRequired"] = {one: [other], other: [one]}
    if cls.__name__ == "ExecutionParameter":
        schema["additionalProperties"] = False
    return schema


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _type(hint: Any) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or hint is object:
        return {}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin is typing.Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return _union([a for a in arguments if a is not type(None)])
    if origin is list:
        return {"type": "array", "items": _type(arguments[0])}
    if origin is dict:
        value = _type(arguments[1])
        return {"type": "object", "additionalProperties": value} if value else {"type": "object"}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [member.value for member in hint]}
    if isinstance(hint, type) and attr.has(hint):
        own = hint.__module__ != base.__name__
        return _ref(hint.__name__) if own else {"$ref": f"{CORE}#/$defs/{hint.__name__}"}
    if hint is dict:
        return {"type": "object"}
    raise TypeError(f"no JSON Schema for {hint!r}")


def _union(members: list[Any]) -> dict[str, Any]:
    if set(members) == {int, float}:
        return {"type": "number"}
    schemas = [_type(member) for member in members]
    return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
