"""Node ids: `job:<namespace>:<name>`, `dataset:<namespace>:<name>`, `datasetField:<namespace>:<name>:<field>`.

Namespaces and names may hold colons themselves, so an id can be read in several ways; which of them exists decides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from urllib.parse import unquote, unquote_plus
from uuid import UUID

PARTS = {"job": 2, "dataset": 2, "datasetField": 3}
MOST_COLONS = 32

_VERSION = re.compile(r"(?s)(.+)#([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a node id: its parts, and the version after `#` if it is read as one."""

    parts: tuple[str, ...]
    version: UUID | None = None


@dataclass(frozen=True, slots=True)
class NodeReadings:
    """A node id's kind and every way to read the rest, the likeliest first."""

    kind: str
    readings: tuple[Reading, ...]


def build_node_id(kind: str, *parts: str, version: UUID | None = None) -> str:
    """The node id as it is written in answers: parts as they are, nothing escaped."""
    text = ":".join((kind, *parts))
    return text if version is None else f"{text}#{version}"


def read_node_id(raw: str) -> NodeReadings | None:
    """The ways to read a node id taken undecoded from a query string; None if it is of no kind that we know.

    Parts that are escaped one by one (as Marquez's web page does) are read that way first; then any split of the
    decoded text, a longer namespace before a shorter one; then with a literal plus; then with parts escaped twice.
    """
    texts = tuple(dict.fromkeys((unquote_plus(raw), unquote(raw))))
    kind = texts[0].partition(":")[0]
    if kind not in PARTS:
        return None
    readings: dict[Reading, None] = {}
    for reading in _read_all(raw, texts, PARTS[kind]):
        if all(reading.parts):
            readings.setdefault(reading)
    return NodeReadings(kind=kind, readings=tuple(readings))


def _read_all(raw: str, texts: tuple[str, ...], count: int) -> Iterator[Reading]:
    literal = raw.split(":")[1:]
    if len(literal) == count:
        for decode in (unquote_plus, unquote):
            yield from _with_version(tuple(decode(part) for part in literal))
    for text in texts:
        for parts in _split(text.partition(":")[2], count):
            yield from _with_version(parts)
    for text in texts:
        if "%" in text:
            for parts in _split(text.partition(":")[2], count):
                yield from _with_version(tuple(unquote(part) for part in parts))


def _split(text: str, count: int) -> Iterator[tuple[str, ...]]:
    """Every way to cut `text` at its colons into `count` parts that aren't empty, cuts further right first."""
    colons = [at for at, letter in enumerate(text) if letter == ":"][-MOST_COLONS:]
    for cuts in sorted(combinations(colons, count - 1), reverse=True):
        ends = (*cuts, len(text))
        starts = (0, *(cut + 1 for cut in cuts))
        yield tuple(text[start:end] for start, end in zip(starts, ends, strict=True))


def _with_version(parts: tuple[str, ...]) -> Iterator[Reading]:
    yield Reading(parts)
    if versioned := _VERSION.fullmatch(parts[-1]):
        yield Reading((*parts[:-1], versioned[1]), UUID(versioned[2]))
