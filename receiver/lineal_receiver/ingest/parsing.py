"""From bytes to JSON values, strictly; what is no JSON is refused in words that help."""

import re
from dataclasses import dataclass
from math import isinf
from typing import Any

import orjson

from lineal_receiver.ingest.canonical import MAX_DEPTH

UNSTORABLE_TEXT = 1 << 3
HUGE_NUMBER = 1 << 17
GREATEST = b"1.7976931348623157e308"

# Pairs of surrogates, then what PostgreSQL can't hold, then any other escape, so that these are never cut.
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))|\\.",
    re.DOTALL,
)
_NUMBERS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)', re.DOTALL)
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
    """The value in a body, and how it couldn't be taken as it stands: UNSTORABLE_TEXT, HUGE_NUMBER."""
    return _parse(*(_write_out(body) if b"\\u0000" in body else (body, 0)))


def _parse(text: bytes, flags: int) -> tuple[Any, int]:
    try:
        return orjson.loads(text), flags
    except orjson.JSONDecodeError as error:
        mended, found = _mend(text, error.msg, flags)
        if not found:
            raise _explain(text, error) from None
    return _parse(mended, flags | found)


def _mend(text: bytes, complaint: str, flags: int) -> tuple[bytes, int]:
    """The text without what is complained of, where that is JSON all the same; 0 if it isn't, or was mended before."""
    if "surrogate" in complaint and b"\\u" in text and not flags & UNSTORABLE_TEXT:
        return _write_out(text)
    if "infinity" in complaint and not flags & HUGE_NUMBER:
        return _NUMBERS.sub(_bound, text), HUGE_NUMBER
    return text, 0


def _bound(found: re.Match[bytes]) -> bytes:
    """A number that no double can be is written as the greatest one; texts are left alone."""
    token = found.group()
    if found["number"] is None or not isinf(float(token)):
        return token
    return b"-" + GREATEST if token.startswith(b"-") else GREATEST


def _write_out(body: bytes) -> tuple[bytes, int]:
    """The body with escapes of NUL and of lone surrogates escaped themselves, and UNSTORABLE_TEXT if there are any."""
    found = 0

    def write(escape: re.Match[bytes]) -> bytes:
        nonlocal found
        if escape["lone"] is None:
            return escape.group()
        found = UNSTORABLE_TEXT
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
    return UnreadableError("json", "", expected, f"{refusal.msg} {where}")


def too_deep() -> UnreadableError:
    """What is said of a body that is nested deeper than is taken."""
    return UnreadableError("depth", "", f"at most {MAX_DEPTH:,} levels of nesting", "the event is nested too deeply")
