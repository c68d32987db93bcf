"""How two values of a kind are joined: the same in any order, and with repeats."""

from datetime import datetime
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def earliest(one: datetime | None, other: datetime | None) -> datetime | None:
    """The earlier of two times, where None is no time."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def latest(one: datetime | None, other: datetime | None) -> datetime | None:
    """The later of two times, where None is no time."""
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def newest(one: T | None, other: T | None) -> T | None:
    """The register with the greater key (its first item)."""
    if one is None or other is None:
        return other if one is None else one
    return other if other[0] > one[0] else one
