"""From bytes to JSON values, strictly; what is no JSON is refused in words that help."""

import re
from dataclasses import dataclass
from typing import Any

import orjson

from lineal_receiver.ingest.canonical import MAX_DEPTH

UNSTORABLE_TEXT = 1 << 3

# Pairs of surrogates, then what PostgreSQL can't hold, then any other escape, so that these are never cut.
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))|\\.",
    re.DOTALL,
)
_NOT_JSON = re.compile(rb"-?(?:NaN|Infinity|inf|nan)\b")
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_AROUND = 12
"""How many bytes before the place of an error may belong to what is wrong there."""


@dataclass(eq=False)
class UnreadableError(Exception):
    """A body that isn't one JSON object that can be kept as an event."""

    rule: str
    pointer: str
    expected: str
    message: str


def parse(body: bytes) -> tuple[Any, int]:
    """The value in a body, and UNSTORABLE_TEXT if NUL or lone surrogates had to be written out in it."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if "surrogate" not in error.msg or b"\\u" not in body:
            raise _explain(body, error) from None
    else:
        if b"\\u0000" not in body:
            return value, 0
    written, found = _write_out(body)
    try:
        return orjson.loads(written), UNSTORABLE_TEXT if found else 0
    except orjson.JSONDecodeError as error:
        raise _explain(body, error) from None


def _write_out(body: bytes) -> tuple[bytes, bool]:
    """The body with escapes of NUL and of lone surrogates escaped themselves, and whether there are any."""
    found = False

    def write(escape: re.Match[bytes]) -> bytes:
        nonlocal found
        if escape["lone"] is None:
            return escape.group()
        found = True
        return b"\\" + escape.group().lower()

    return _ESCAPES.sub(write, body), found


def _explain(body: bytes, refusal: orjson.JSONDecodeError) -> UnreadableError:
    expected = "one JSON document in UTF-8"
    if "depth limit" in refusal.msg or "ecursion" in refusal.msg:
        return too_deep()
    if not body.strip():
        return UnreadableError("json", "", expected, "the body is empty")
    if body.startswith(_UTF_16_OR_32) or b"\0" in body[:4]:
        return UnreadableError("json", "", expected, "the body isn't UTF-8, it looks like UTF-16 or UTF-32")
    if body.startswith(_BOM):
        return UnreadableError("json", "", f"{expected}, without a byte order mark", "there is a byte order mark")
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return UnreadableError("json", "", expected, f"the body isn't UTF-8: {error.reason} at byte {error.start}")
    where = f"(line {refusal.lineno}, column {refusal.colno})"
    at = len(refusal.doc[: refusal.pos].encode("utf-8", "surrogatepass"))
    near = _NOT_JSON.search(body, max(0, at - _AROUND), at + _AROUND)
    if near is not None:
        shown = f"{near.group().decode()} is no JSON {where}"
        return UnreadableError("json", "", "finite numbers, or null", shown)
    if "infinity" in refusal.msg:
        return UnreadableError("json", "", "numbers of less than 309 digits", f"a number is too large {where}")
    return UnreadableError("json", "", expected, f"{refusal.msg} {where}")


def too_deep() -> UnreadableError:
    """What is said of a body that is nested deeper than is taken."""
    return UnreadableError("depth", "", f"at most {MAX_DEPTH:,} levels of nesting", "the event is nested too deeply")
