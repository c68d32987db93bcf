"""From SQL to columns: where each output column comes from, or why that could not be told."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineal_producer.columns.answer import to_json
    from lineal_producer.columns.model import Column, Gap, Input, ModelLineage
    from lineal_producer.columns.tracing import trace
    from lineal_producer.columns.versions import RULES_VERSION, sqlglot_version

# Whoever imports the package may never trace: the parser is loaded with the first name that needs it.
HOMES = {
    "RULES_VERSION": "versions",
    "Column": "model",
    "Gap": "model",
    "Input": "model",
    "ModelLineage": "model",
    "sqlglot_version": "versions",
    "to_json": "answer",
    "trace": "tracing",
}
__all__ = ["RULES_VERSION", "Column", "Gap", "Input", "ModelLineage", "sqlglot_version", "to_json", "trace"]


def __getattr__(name: str) -> object:
    """Finds a public name at its first use."""
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
