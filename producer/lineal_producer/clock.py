"""Times as records and events tell them: RFC 3339 in UTC with microseconds."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Final

_LENGTH: Final = len("2026-01-31T10:20:30.123456")
_FRACTION: Final = re.compile(r"\.(\d+)")  # Fusion tells nanoseconds


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


def read_time(value: object) -> str | None:
    """A time as artifacts and logs write it, however many digits its seconds have; None when it isn't one."""
    if not isinstance(value, str):
        return None
    try:
        return utc(_FRACTION.sub(_to_microseconds, value.strip())) if value.strip() else None
    except ValueError:
        return None


def _to_microseconds(found: re.Match[str]) -> str:
    return f".{found[1][:6]:0<6}"


def _told(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
