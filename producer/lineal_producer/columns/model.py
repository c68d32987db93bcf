"""What the column engine answers: a model's columns, what each is computed from, and what could not be found out."""

from __future__ import annotations

from dataclasses import dataclass

# Database, schema and name of the relation that a query fills; those that it hasn't are None.
Own = tuple[str | None, ...] | None


@dataclass(frozen=True, slots=True)
class Input:
    """One column of a real relation that an output column, or the set of rows, depends on, and how."""

    table: str
    column: str
    type: str
    subtype: str
    masking: bool
    relation: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One output column in output order; `status` is traced, constant or unresolved."""

    name: str
    status: str
    reason: str | None
    expression: str | None
    inputs: tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is not known, with a code, a sentence, and the column it hides (None: the model or its rows)."""

    code: str
    message: str
    column: str | None = None


@dataclass(frozen=True, slots=True)
class ModelLineage:
    """The lineage of one statement; `status` is resolved, partial, unresolved or failed."""

    status: str
    target: str | None
    columns: tuple[Column, ...]
    rows: tuple[Input, ...]
    gaps: tuple[Gap, ...]
    relations: tuple[tuple[str, ...], ...]
