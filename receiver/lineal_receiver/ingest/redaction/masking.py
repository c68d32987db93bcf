"""Write `***` for a text wherever it stands in a JSON value, or for all that is said at some places of it. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from lineal_receiver.errors import CommandRefused
from lineal_receiver.ids import storable
from lineal_receiver.ingest.canonical import write_canonical

MASK = "***"
SHORTEST, LONGEST = 4, 10_000
MOST_POINTERS = 100
# What events are made of: a text that is part of one of these would take them apart.
_STRUCTURE = frozenset(
    [
        *("eventType", "eventTime", "producer", "schemaURL", "dataset"),
        *("namespace", "inputs", "outputs", "facets", "inputFacets"),
        *("outputFacets", "runId", "_producer", "_schemaURL", "_deleted"),
        *("arguments", "command", "columnLineage", "lineage", "schema"),
        *("fields", "inputFields", "transformations", "symlinks", "identifiers"),
        *("lifecycleStateChange", "previousIdentifier", "parent", "processing_engine", "documentation"),
        *("description", "jobType", "processingType", "sourceCodeLocation", "nominalTime"),
        *("nominalStartTime", "nominalEndTime", "subset", "datasetVersion", "version"),
        *("tags", "query", "DIRECT", "INDIRECT", "START"),
        *("RUNNING", "COMPLETE", "ABORT", "OTHER", "BATCH"),
        *("STREAMING", "SERVICE"),
    ]
)
_SHORT_ESCAPES = {
    '"': b'\\\\"', "\\": rb"\\\\", "/": rb"\\/", "\b": rb"\\b", "\f": rb"\\f", "\n": rb"\\n", "\r": rb"\\r",
    "\t": rb"\\t",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be taken out, and how to find it in bytes that may be JSON."""

    text: str
    spelled: re.Pattern[bytes]

    def is_in(self, body: bytes) -> bool:
        """Whether a JSON body may hold the text; False is certain."""
        return b"\\u" in body or self.spelled.search(body) is not None

    def mask(self, value: Any) -> Any:
        """A text without it; a number that is spelled like it as the mask; anything else as it is."""
        if isinstance(value, str):
            while self.text in value:  # what is left on both sides may make it anew
                value = value.replace(self.text, MASK)
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return MASK if orjson.dumps(value).decode() == self.text else value
        return value

    @property
    def spellings(self) -> list[str]:
        """The text as it stands in a column of text, and in one of JSON."""
        escaped = orjson.dumps(self.text).decode()[1:-1]
        return sorted({self.text, escaped, escaped.encode("ascii", "backslashreplace").decode()})


def read_text(asked: object) -> Text:
    """The text asked for; CommandRefused if it can't be one to be taken out."""
    if not isinstance(asked, str) or not SHORTEST <= len(asked) <= LONGEST or not asked.strip():
        raise CommandRefused(reason=f"the text must have {SHORTEST} to {LONGEST:,} characters, not only blanks")
    text = storable(asked)
    if not text.strip("* ") or any(text in word for word in _STRUCTURE):
        raise CommandRefused(reason="the text is part of what every event is made of: give more of it")
    return Text(text, re.compile(b"".join(map(_spell, text))))


def _spell(character: str) -> bytes:
    """All the ways in which JSON may spell a character."""
    units = character.encode("utf-16-be")
    escape = b"".join(rb"\\u" + _any_case(units[at : at + 2].hex()) for at in range(0, len(units), 2))
    ways = [re.escape(character.encode()), escape, *filter(None, [_SHORT_ESCAPES.get(character)])]
    return b"(?:" + b"|".join(ways) + b")"


def _any_case(digits: str) -> bytes:
    return "".join(f"[{d}{d.upper()}]" if d.isalpha() else d for d in digits).encode()


def mask_everywhere(value: Any, mask: Callable[[Any], Any]) -> tuple[Any, bool]:
    """The value with every text, number and key in it masked, and whether any changed; changes it in place."""
    root, changed = [value], False
    left: list[Any] = [root]
    while left:
        holder = left.pop()
        items = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
        masked = [(mask(key) if isinstance(holder, dict) else key, mask(item)) for key, item in items]
        if masked != items:
            changed = True
            _fill(holder, masked)
        left += [item for _, item in masked if isinstance(item, (dict, list))]
    return root[0], changed


def _fill(holder: Any, items: list[tuple[Any, Any]]) -> None:
    if isinstance(holder, list):
        holder[:] = [item for _, item in items]
    else:
        holder.clear()
        holder.update(items)


def read_pointers(asked: object) -> tuple[str, ...]:
    """JSON pointers to members; CommandRefused."""
    texts = asked if isinstance(asked, list) else [asked]
    if not texts or len(texts) > MOST_POINTERS:
        raise CommandRefused(reason=f"'pointers' must be 1 to {MOST_POINTERS} JSON pointers")
    for text in texts:
        if not isinstance(text, str) or not text.startswith("/"):
            raise CommandRefused(reason="a JSON pointer begins with a slash: /job/facets/sql/query")
    return tuple(texts)


def mask_places(value: Any, pointers: Sequence[str]) -> tuple[Any, bool]:
    """The value with all texts and numbers at these places masked; keys stay. CommandRefused: no such place."""
    changed = False
    for pointer in pointers:
        *path, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))
        holder = value
        for part in path:
            holder = holder[_find(holder, part, pointer)]
        key = _find(holder, last, pointer)
        before = write_canonical(holder[key])
        holder[key] = _mask_whole(holder[key])
        changed = changed or write_canonical(holder[key]) != before
    return value, changed


def _find(holder: Any, part: str, pointer: str) -> Any:
    if isinstance(holder, dict) and part in holder:
        return part
    if isinstance(holder, list) and part.isascii() and part.isdigit() and int(part[:9]) < len(holder):
        return int(part[:9])
    raise CommandRefused(reason=f"the record has nothing at {pointer}")


def _mask_whole(value: Any) -> Any:
    root = [value]
    left: list[Any] = [root]
    while left:
        holder = left.pop()
        for key, item in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(item, (dict, list)):
                left.append(item)
            elif isinstance(item, (str, int, float)) and not isinstance(item, bool):
                holder[key] = MASK
    return root[0]


def write_json(value: Any) -> bytes:
    """The value as JSON, in its own order where it isn't nested too deeply for that."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return write_canonical(value)
