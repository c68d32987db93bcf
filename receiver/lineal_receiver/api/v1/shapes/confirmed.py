"""Which of the fields that lineage names are in a dataset's schema; the others are kept, and marked."""

from collections.abc import Container
from typing import Any

from lineal_receiver.api.answers import read_json

Types = dict[str, str | None]


def list_types(text: str | None) -> Types:
    """The types of a schema's fields, those inside structs as `struct.field`."""
    types: Types = {}
    if text:
        _add_types(types, read_json(text), "")
    return types


def _add_types(types: Types, fields: list[dict[str, Any]], before: str) -> None:
    for field in fields:
        path = before + field["name"] if before else field["name"]
        types[path] = field.get("type")
        nested = field.get("fields")
        if isinstance(nested, list):
            _add_types(types, [one for one in nested if isinstance(one, dict) and "name" in one], f"{path}.")


def mark_unconfirmed(field: str, confirmed: Container[str]) -> dict[str, bool]:
    """Says of a field that no schema has it; nothing of others."""
    return {} if field in confirmed else {"unconfirmed": True}
