"""Rows as the arrays that `unnest` takes."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID


def transpose(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    """One list a column; `width` columns where there are no rows."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns or [[] for _ in range(width)]


def literal(ids: Iterable[UUID]) -> str:
    """A uuid[] as text: arrays of arrays of different lengths can't be sent."""
    return "{" + ",".join(map(str, ids)) + "}"
