"""From bytes to an event: strict JSON, what was odd about it, its facets apart, and the id of its content."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from lineal_receiver.ids import content_id
from lineal_receiver.ingest.canonical import TooDeep, write_canonical
from lineal_receiver.ingest.parsing import HUGE_NUMBER, UNSTORABLE_TEXT, UnreadableError, parse, too_deep

__all__ = [
    "DUPLICATE_KEYS",
    "HUGE_NUMBER",
    "UNSTORABLE_TEXT",
    "Envelope",
    "Facet",
    "UnreadableError",
    "escape",
    "open_envelope",
]

FOR_ARRAYS = "; several in an array go to /api/v1/lineage/batch"

DUPLICATE_KEYS = 1 << 2

_ENTITIES = (("run", "run"), ("job", "job"), ("dataset", "dataset"))
_LISTS = (
    ("inputs", (("facets", "dataset"), ("inputFacets", "input"))),
    ("outputs", (("facets", "dataset"), ("outputFacets", "output"))),
)
_READ = frozenset(["eventType", "eventTime", "producer", "schemaURL", "run", "job", "dataset", "inputs", "outputs"])
_READ_OF_ENTITY = frozenset(["runId", "namespace", "name", "facets", "inputFacets", "outputFacets"])
_CORE_KEYS = ("_producer", "_schemaURL", "_deleted")
MEMO_SIZE = 50_000
_MARKS: dict[bytes, tuple[int, int]] = {}
_NO_DIGITS = bytes(byte for byte in range(256) if not 48 <= byte <= 57)
_ODD_NUMBER = re.compile(rb"[:\[,]\s*(-?\d+[.eE][\d.eE+-]*|-?\d{18,})")


@dataclass(frozen=True, slots=True)
class Facet:
    """One facet as sent: where it stands, its canonical text and the id of that."""

    entity: str
    key: str
    pointer: str
    value: Any
    body: bytes
    id: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """A parsed body: the event, its content's id, its facets (of null ones entity and key by pointer) and flags."""

    event: dict[str, Any]
    core: dict[str, Any]
    facets: tuple[Facet, ...]
    null_facets: dict[str, tuple[str, str]]
    id: bytes
    body: bytes
    flags: int


def open_envelope(body: bytes) -> Envelope:
    """The event in `body`; UnreadableError says what is wrong. Other spacing and key order give the same id."""
    event, flags = parse(body)
    if not isinstance(event, dict):
        raise UnreadableError(
            *("type", "", "one OpenLineage event, a JSON object" + (FOR_ARRAYS if isinstance(event, list) else "")),
            f"the body is {_kind(event)}, not an object",
        )
    try:
        facets, nulls, core, bare = _take_apart(event)
        outline = write_canonical(bare)
    except TooDeep:
        raise too_deep() from None
    if _repeats_keys(body, outline, facets):
        flags |= DUPLICATE_KEYS
    hashed = sha256(outline)
    if _digits(body) != _digits_left(outline, facets):
        hashed.update(b"\0".join(sorted(_ODD_NUMBER.findall(body))))
    if flags & (UNSTORABLE_TEXT | HUGE_NUMBER):
        hashed.update(sha256(body).digest())
    return Envelope(event, core, tuple(facets), nulls, hashed.digest(), body, flags)


def _take_apart(
    event: dict[str, Any],
) -> tuple[list[Facet], dict[str, tuple[str, str]], dict[str, Any], dict[str, Any]]:
    """Facets, null facets, the event with facets cut to what the core schema reads, and with their ids."""
    facets: list[Facet] = []
    nulls: dict[str, tuple[str, str]] = {}
    core, bare = _copy_core(event), _copy_holders(event)
    for path, entity in _facet_maps(event):
        pointer = "".join(f"/{part}" for part in path)
        cut: dict[str, Any] = {}
        ids: dict[str, Any] = {}
        for key, value in _at(event, path).items():
            at = f"{pointer}/{escape(key)}"
            if value is None:
                nulls[at] = entity, key
                ids[key] = None
                continue
            text = write_canonical(value)
            facet = Facet(entity, key, at, value, text, content_id(text))
            facets.append(facet)
            ids[key] = facet.id.hex()
            cut[key] = {k: value[k] for k in _CORE_KEYS if k in value} if isinstance(value, dict) else value
        _at(core, path[:-1])[path[-1]] = cut
        _at(bare, path[:-1])[path[-1]] = ids
    return facets, nulls, core, bare


def _copy_core(event: dict[str, Any]) -> dict[str, Any]:
    """What the core schema reads of an event, copied as deep as facets are hung up."""
    copied = {key: value for key, value in event.items() if key in _READ}
    for key, _ in _ENTITIES:
        if isinstance(copied.get(key), dict):
            copied[key] = {name: value for name, value in copied[key].items() if name in _READ_OF_ENTITY}
    for key, _ in _LISTS:
        if isinstance(copied.get(key), list):
            copied[key] = [
                {name: value for name, value in item.items() if name in _READ_OF_ENTITY}
                if isinstance(item, dict)
                else item
                for item in copied[key]
            ]
    return copied


def _copy_holders(event: dict[str, Any]) -> dict[str, Any]:
    """The event, copied as deep as facets are hung up."""
    copied = dict(event)
    for key, _ in _ENTITIES:
        if isinstance(event.get(key), dict):
            copied[key] = dict(event[key])
    for key, _ in _LISTS:
        if isinstance(event.get(key), list):
            copied[key] = [dict(item) if isinstance(item, dict) else item for item in event[key]]
    return copied


def _facet_maps(event: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Where every map of facets stands, and what they are facets of."""
    for key, entity in _ENTITIES:
        holder = event.get(key)
        if isinstance(holder, dict) and isinstance(holder.get("facets"), dict):
            yield (key, "facets"), entity
    for key, maps in _LISTS:
        listed = event.get(key)
        for index, item in enumerate(listed if isinstance(listed, list) else ()):
            for name, entity in maps:
                if isinstance(item, dict) and isinstance(item.get(name), dict):
                    yield (key, index, name), entity


def _at(root: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        root = root[part]
    return root


def _digits(text: bytes) -> int:
    return len(text.translate(None, _NO_DIGITS))


def _count_marks(facet: Facet) -> tuple[int, int]:
    """How many digits and colons a facet's text has: the same content was mostly counted before."""
    found = _MARKS.get(facet.id)
    if found is None:
        found = _digits(facet.body), facet.body.count(b":")
        if len(_MARKS) >= MEMO_SIZE:
            _MARKS.clear()
        _MARKS[facet.id] = found
    return found


def _digits_left(outline: bytes, facets: list[Facet]) -> int:
    """How many digits are left after parsing: others than in the body, if a number was written in an odd way."""
    ids = "".join(facet.id.hex() for facet in facets).encode()
    return _digits(outline) - _digits(ids) + sum(_count_marks(facet)[0] for facet in facets)


def _repeats_keys(body: bytes, outline: bytes, facets: list[Facet]) -> bool:
    """Whether an object names a key twice: then the body has more colons than what is left after parsing."""
    if b"\\u" in body and (b"\\u003a" in body or b"\\u003A" in body):
        return _repeats_keys_slowly(body)
    return body.count(b":") > outline.count(b":") + sum(_count_marks(facet)[1] for facet in facets)


def _repeats_keys_slowly(body: bytes) -> bool:
    repeated = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal repeated
        repeated = repeated or len({key for key, _ in pairs}) < len(pairs)

    try:
        json.loads(body, object_pairs_hook=look)
    except (ValueError, RecursionError):  # too deep for it, or a number too long: it can't be told
        return False
    return repeated


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def escape(token: str) -> str:
    """A key as a part of a JSON pointer."""
    return token.replace("~", "~0").replace("/", "~1")
