"""Query parameters, read and refused as Marquez does."""

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Annotated
from uuid import UUID

from fastapi import Query
from starlette.requests import Request

from lineal_receiver.api.refusals import bad_query, no_route

MOST_ROWS = 1_000
LARGEST = 2**31 - 1

LAST = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc)

Text = str | None


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for."""

    limit: int
    offset: int
    cut: str | None = None
    """What to say of a limit that was asked for and is more than one answer holds."""


def read_whole(name: str, text: Text, default: int) -> int:
    """A whole number from 0; 400 if it is negative, 404 if it is none."""
    if text is None or not text:
        return default
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or int(digits) > LARGEST:
        raise no_route()
    if text.startswith("-") and int(digits) > 0:
        raise bad_query(name, "must be greater than or equal to 0")
    return int(digits)


def page(
    limit: Annotated[Text, Query(description=f"rows at most: 100 unless told, {MOST_ROWS} at most")] = None,
    offset: Annotated[Text, Query(description="rows to leave out first")] = None,
) -> Page:
    """The page asked for."""
    return build_page(read_whole("limit", limit, 100), read_whole("offset", offset, 0))


def long_page(
    limit: Annotated[Text, Query(description=f"rows at most: {MOST_ROWS} unless told, and at most")] = None,
    offset: Annotated[Text, Query(description="rows to leave out first")] = None,
) -> Page:
    """The page asked for, of a list that clients take for whole (Marquez's web page asks once, without a limit)."""
    return build_page(read_whole("limit", limit, MOST_ROWS), read_whole("offset", offset, 0))


def build_page(limit: int, offset: int) -> Page:
    """A page of at most MOST_ROWS rows."""
    cut = f"one answer holds {MOST_ROWS} rows; ask for more by offset" if limit > MOST_ROWS else None
    return Page(min(limit, MOST_ROWS), offset, cut)


def read_flag(text: Text) -> bool:
    """A Java boolean: anything but `true` is false."""
    return text is not None and text.lower() == "true"


def read_uuid(text: str) -> UUID:
    """A UUID in its usual form; 404 if it is none."""
    try:
        return UUID(text) if len(text) == 36 else _no_uuid()
    except ValueError:
        return _no_uuid()


def _no_uuid() -> UUID:
    raise no_route()


def read_time(text: Text, default: datetime) -> datetime:
    """An ISO 8601 time, in UTC unless it says otherwise; 404 if it is none."""
    if not text:
        return default
    try:
        # A plus of an offset that wasn't escaped has become a space.
        time = datetime.fromisoformat(text.strip().replace(" ", "+").replace("Z", "+00:00"))
        return (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (ValueError, OverflowError):  # OverflowError: in UTC it isn't within the years 1 to 9999
        raise no_route() from None


def read_optional_time(text: Text) -> datetime | None:
    """An ISO 8601 time, or none; 404 if it is something else."""
    return read_time(text, LAST) if text else None


def raw_query(request: Request, name: str) -> str | None:
    """A query parameter as it was sent, undecoded; None if it is missing or empty."""
    for pair in request.scope["query_string"].decode("utf-8", "replace").split("&"):
        key, _, value = pair.partition("=")
        if key == name and value:
            return str(value)
    return None


STATES = frozenset({"NEW", "RUNNING", "COMPLETED", "ABORTED", "FAILED", "OTHER"})


def read_states(texts: list[str] | None) -> list[str] | None:
    """The run states asked for, None where all are; 404 for a state that there isn't."""
    if not texts:
        return None
    states = {text.upper() for text in texts}
    if not states <= STATES:
        raise no_route()
    return None if states >= STATES else sorted(states)
