"""JSON values as canonical text: sorted keys, no spaces, to any depth that is taken."""

from typing import Any

import orjson

MAX_DEPTH = 1_000
STEP = 200
"""orjson writes some 250 levels; deeper values are written from the inside, so many at a time."""


class TooDeep(Exception):
    """The value is nested deeper than MAX_DEPTH."""


def write_canonical(value: Any) -> bytes:
    """The value's canonical text; TooDeep."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return _write_deep(value)


def _write_deep(value: Any) -> bytes:
    root = [value]
    level: list[tuple[Any, Any]] = [(root, 0)]
    levels: list[list[tuple[Any, Any]]] = []
    while level:
        if len(levels) > MAX_DEPTH:
            raise TooDeep
        levels.append(level)
        level = [place for holder, key in level for place in _copy(holder, key)]
    for depth in range((len(levels) - 1) // STEP * STEP, 0, -STEP):
        for holder, key in levels[depth]:
            holder[key] = orjson.Fragment(orjson.dumps(holder[key], option=orjson.OPT_SORT_KEYS))
    return orjson.dumps(root[0], option=orjson.OPT_SORT_KEYS)


def _copy(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Put a copy of the container at `key` in its place, and give the places of the containers in it."""
    value = holder[key]
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    holder[key] = copied
    items = copied.items() if isinstance(copied, dict) else enumerate(copied)
    return [(copied, name) for name, item in items if isinstance(item, (dict, list))]
