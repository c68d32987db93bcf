"""How two values of a kind are joined: the same in any order, and with repeats."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])

SEEN = 8


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


def build_seen(key_time: bytes, ids: Iterable[bytes]) -> bytes:
    """A time (8 bytes) at which events were seen, and which (the first 8 bytes of their ids): see `join_seen`."""
    return key_time + b"".join(sorted({identity[:SEEN] for identity in ids}))


def join_seen(one: bytes | None, other: bytes) -> bytes:
    """The later of two; of the same time the union of their ids."""
    if one is None or other[:SEEN] > one[:SEEN]:
        return other
    if one[:SEEN] > other[:SEEN] or one == other:
        return one
    ids = (text[at : at + SEEN] for text in (one, other) for at in range(SEEN, len(text), SEEN))
    return build_seen(one[:SEEN], ids)
