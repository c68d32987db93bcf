"""Older versions of facets, each told by what must be changed in the next newer one (`history.json`).

`drop` takes fields away, `set` states a field anew, `require` states which fields a definition requires, `base` is the
core that the facet builds on. Fields are written `Definition.field`. A version that only said things in other words
has no changes.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from openlineage_schemas.core import identify_core

HISTORY = Path(__file__).with_name("history.json")


def build_older(newest: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The older versions of these schemas, given by class."""
    for name, versions in json.loads(HISTORY.read_text(encoding="utf-8")).items():
        document = newest[name]
        for change in versions:
            document = _change(deepcopy(document), name, change)
            yield document


def _change(document: dict[str, Any], name: str, change: dict[str, Any]) -> dict[str, Any]:
    definitions = document["$defs"]
    for field, schema in change.get("set", {}).items():
        definition, _, key = field.partition(".")
        _own(definitions, definition)["properties"][key] = schema
    for field in change.get("drop", ()):
        definition, _, key = field.partition(".")
        del _own(definitions, definition)["properties"][key]
    for definition, required in change.get("require", {}).items():
        _own(definitions, definition)["required"] = required
    if "base" in change:
        base = definitions[name]["allOf"][0]
        base["$ref"] = f"{identify_core(change['base'])}#/$defs/{base['$ref'].rpartition('/')[2]}"
    document["$id"] = f"https://openlineage.io/spec/facets/{change['version']}/{name}.json"
    return document


def _own(definitions: dict[str, Any], name: str) -> dict[str, Any]:
    """What a definition says beyond its base."""
    found: dict[str, Any] = definitions[name]
    own: dict[str, Any] = found["allOf"][1] if "allOf" in found else found
    return own
