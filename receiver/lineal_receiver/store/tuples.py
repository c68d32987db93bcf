"""Rows as tuples with names."""

from collections.abc import Iterable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def make_tuples(kind: type[T], rows: Iterable[Iterable[Any]]) -> list[T]:
    """Each row as a tuple of this kind, which has a name for each of its values.

    A NamedTuple's own `_make` counts the values and costs three times as much; there are hundreds in an answer.
    """
    return list(map(partial(tuple.__new__, kind), rows))
