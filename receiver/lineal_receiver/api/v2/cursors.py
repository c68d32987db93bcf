"""Where a list goes on, as text that clients hand back as they got it."""

import base64
import binascii
import json
from datetime import datetime
from typing import Any

from lineal_receiver.api.refusals import Refusal, problem


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
    if not (isinstance(found, list) and len(found) in counts and all(isinstance(part, str) for part in found)):
        raise bad_cursor()
    return found


def read_cursor(cursor: str | None) -> tuple[datetime, bytes] | None:
    """The time and id in a cursor; 400 if it isn't one that we wrote."""
    parts = read_parts(cursor, 2)
    if parts is None:
        return None
    try:
        at, identity = datetime.fromisoformat(parts[0]), bytes.fromhex(parts[1])
    except ValueError:
        raise bad_cursor() from None
    if at.tzinfo is None:
        raise bad_cursor()
    return at, identity


def bad_cursor() -> Refusal:
    """400: a cursor that no answer gave."""
    return problem(400, "bad-cursor", "The cursor isn't one that an answer of this list gave as 'next'.")
