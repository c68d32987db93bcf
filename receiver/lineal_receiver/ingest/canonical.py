"""JSON values as canonical text: sorted keys, no spaces, to any depth that is taken."""

import re
from secrets import token_hex
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
    texts = _Texts()
    for depth in range((len(levels) - 1) // STEP * STEP, 0, -STEP):
        for holder, key in levels[depth]:
            holder[key] = texts.put_away(holder[key])
    return texts.write(root[0])


class _Texts:
    """Parts that are written already; a mark that no value holds stands for each.

    orjson's own Fragment isn't used: what it writes behind one, brackets and numbers, can go beyond its buffer.
    """

    def __init__(self) -> None:
        self._mark = token_hex(16)
        self._marks = re.compile(rb'"%b(\d+)"' % self._mark.encode())
        self._texts: list[bytes] = []

    def put_away(self, value: Any) -> str:
        self._texts.append(self.write(value))
        return f"{self._mark}{len(self._texts) - 1}"

    def write(self, value: Any) -> bytes:
        return self._marks.sub(self._find, orjson.dumps(value, option=orjson.OPT_SORT_KEYS))

    def _find(self, mark: re.Match[bytes]) -> bytes:
        return self._texts[int(mark[1])]


def _copy(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Put a copy of the container at `key` in its place, and give the places of the containers in it."""
    value = holder[key]
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    holder[key] = copied
    items = copied.items() if isinstance(copied, dict) else enumerate(copied)
    return [(copied, name) for name, item in items if isinstance(item, (dict, list))]
