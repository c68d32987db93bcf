"""Times as records and events tell them: RFC 3339 in UTC with microseconds."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Final

_LENGTH: Final = len("2026-01-31T10:20:30.123456")


def now() -> str:
    """This moment."""
    return _told(datetime.now(timezone.utc))


def utc(text: str) -> str:
    """A time as dbt writes it, in UTC without saying so; this moment when there is none."""
    if not text:
        return now()
    if len(text) == _LENGTH and text[10] == "T" and text[20:].isdigit():  # as dbt writes nearly all of them
        return f"{text}Z"
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return _told(moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc))


def _told(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
