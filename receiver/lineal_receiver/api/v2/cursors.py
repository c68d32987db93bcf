"""Where a list goes on, as text that clients hand back as they got it."""

import base64
import binascii
import json
from datetime import datetime, timezone
from typing import Any

from lineal_receiver.api.refusals import Refusal, problem
from lineal_receiver.ids import storable


def write_cursor(*parts: str) -> str:
    """A cursor of these parts."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def read_parts(cursor: str | None, *counts: int) -> list[str] | None:
    """The parts of a cursor, so many as one of `counts` says, None without one; 400 if it isn't one that we wrote."""
    if not cursor:
        return None
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        found = None
    if not (isinstance(found, list) and len(found) in counts and all(map(_is_text, found))):
        raise bad_cursor()
    return found


def _is_text(part: object) -> bool:
    """Whether it can be part of a cursor: all that we write comes out of the store."""
    return isinstance(part, str) and storable(part) == part


def read_cursor(cursor: str | None) -> tuple[datetime, bytes] | None:
    """The time and id in a cursor; 400 if it isn't one that we wrote."""
    parts = read_parts(cursor, 2)
    if parts is None:
        return None
    try:
        return read_instant(parts[0]), bytes.fromhex(parts[1])
    except ValueError:
        raise bad_cursor() from None


def read_instant(text: str) -> datetime:
    """A time as cursors have it, in UTC; ValueError if it is none of the years 1 to 9999 there."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(text)
    try:
        return at.astimezone(timezone.utc)
    except OverflowError as error:
        raise ValueError(text) from error


def bad_cursor() -> Refusal:
    """400: a cursor that no answer gave."""
    return problem(400, "bad-cursor", "The cursor isn't one that an answer of this list gave as 'next'.")
