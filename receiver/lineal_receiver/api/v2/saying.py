"""What every command about the log itself says: who gave it, and why."""

from collections.abc import Mapping
from typing import Any

from lineal_receiver.api.refusals import problem

MOST_ROWS = 1_000
LONGEST = 1_000


def read_said(asked: Mapping[str, Any], by: str) -> dict[str, str]:
    """`by` (else the sender) and `why` ('' unless told); 422 for what is no short text."""
    said: dict[str, str] = {}
    for name, otherwise in (("by", by), ("why", "")):
        value = asked.get(name)
        value = otherwise if value is None else value
        if not isinstance(value, str) or len(value) > LONGEST:
            raise problem(422, "bad-parameter", f"'{name}' must be a text of at most {LONGEST} characters.")
        said[name] = value
    return said


def read_limit(text: str | None) -> int:
    """How many rows are asked for; 400 if that is no number from 1."""
    if not text:
        return 100
    if not (text.isascii() and text.isdigit()) or not int(text[:9]) > 0:
        raise problem(400, "bad-parameter", "The query parameter 'limit' must be a whole number from 1.")
    return min(int(text[:9]), MOST_ROWS)
