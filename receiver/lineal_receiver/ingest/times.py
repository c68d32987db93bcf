"""Times as producers write them, read as instants in UTC."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

EXPECTED_TIME = "an RFC 3339 date-time from year 1 to 9999, such as 2026-01-15T10:00:00Z"

_TIME = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?"
    r"(?:\s?([Zz])|([+-])(\d\d):?(\d\d)?)?(\[[^\]]*\])?",
    re.ASCII,
)

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?(?:\[[^\]]*\])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReadTime:
    """An instant, and how it was written: without a zone, with one in brackets, otherwise not as RFC 3339 says."""

    instant: datetime
    naive: bool
    bracketed: bool
    odd: bool = False


def parse_time(text: object) -> ReadTime | None:
    """The instant that `text` names (no zone: UTC; digits beyond microseconds are cut), or None if it names none."""
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zulu, sign, off_hours, off_minutes, bracket = found.groups()
    naive = zulu is None and sign is None
    if naive and bracket is not None:
        return None
    leap = second == "60"
    try:
        wall = datetime(
            int(year), int(month), int(day), int(hour), int(minute), 59 if leap else int(second or 0),
            int((fraction or "0")[:6].ljust(6, "0")), tzinfo=timezone.utc,
        )  # fmt: skip
        instant = wall - _offset(sign, off_hours, off_minutes) + timedelta(seconds=1 if leap else 0)
    except (ValueError, OverflowError):
        return None
    return ReadTime(instant, naive, bracket is not None, _RFC_3339.fullmatch(found.string) is None)


def _offset(sign: str | None, hours: str | None, minutes: str | None) -> timedelta:
    if sign is None:
        return timedelta(0)
    size = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if size >= timedelta(hours=24) or int(minutes or 0) > 59:
        raise ValueError(sign)
    return size if sign == "+" else -size
