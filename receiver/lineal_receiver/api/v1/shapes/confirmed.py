"""Which of the fields that lineage names are in a dataset's schema; the others are kept, and marked."""

from collections.abc import Iterator
from typing import Any

from lineal_receiver.api.answers import read_json


def list_confirmed(text: str | None) -> frozenset[str]:
    """The fields of a schema, those inside structs as `struct.field`."""
    return frozenset(_list_paths(read_json(text), "")) if text else frozenset()


def _list_paths(fields: list[dict[str, Any]], before: str) -> Iterator[str]:
    for field in fields:
        path = f"{before}{field['name']}"
        yield path
        nested = field.get("fields")
        if isinstance(nested, list):
            yield from _list_paths([one for one in nested if isinstance(one, dict) and "name" in one], f"{path}.")


def mark_unconfirmed(field: str, confirmed: frozenset[str]) -> dict[str, bool]:
    """Says of a field that no schema has it; nothing of others."""
    return {} if field in confirmed else {"unconfirmed": True}
