"""An array of events: each is taken or refused for itself."""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.persist import StoreAway

AT_ONCE = 200

MOST_EVENTS = 10_000
"""More are refused as a whole: each has its own answer."""

_TOKENS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)
_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Failed:
    """An event of the batch that wasn't kept."""

    index: int
    reason: str
    retriable: bool


@dataclass(frozen=True, slots=True)
class BatchResult:
    """How many there were, and which failed."""

    received: int
    failed: tuple[Failed, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer in OpenLineage's HTTP API."""
        retriable = sum(failure.retriable for failure in self.failed)
        return {
            "status": "partial_success" if self.failed else "success",
            "summary": {
                "received": self.received,
                "successful": self.received - len(self.failed),
                "failed": len(self.failed),
                "retriable": retriable,
                "non_retriable": len(self.failed) - retriable,
            },
            "failed_events": [
                {"index": failure.index, "reason": failure.reason, "retriable": failure.retriable}
                for failure in self.failed
            ],
        }


async def take_batch(intake: Intake, body: bytes, source: str) -> BatchResult | Refused:
    """Take every event of a JSON array; Refused if the body isn't one, StoreAway if nothing of it could be kept yet."""
    try:
        bodies = split_array(body)
    except ValueError as error:
        refused = Refused(400, (Fault("", "json", "a JSON array of events in UTF-8", str(error)),))
    else:
        if len(bodies) <= MOST_EVENTS:
            return await _take_all(intake, bodies, source)
        shown = f"the array has {len(bodies)} events"
        refused = Refused(413, (Fault("", "events", f"at most {MOST_EVENTS} events at once", shown),))
    await intake.refuse(body, refused, source)
    return refused


async def _take_all(intake: Intake, bodies: list[bytes], source: str) -> BatchResult:
    failed: list[Failed] = []
    for start in range(0, len(bodies), AT_ONCE):
        part = bodies[start : start + AT_ONCE]
        answers = await asyncio.gather(*(_take(intake, one, source) for one in part))
        failed += [
            Failed(start + index, answer.message, False)
            if isinstance(answer, Refused)
            else Failed(start + index, answer.reason, True)
            for index, answer in enumerate(answers)
            if not isinstance(answer, Accepted)
        ]
    if failed and len(failed) == len(bodies) and all(failure.retriable for failure in failed):
        raise StoreAway(failed[0].reason)
    return BatchResult(len(bodies), tuple(failed))


async def _take(intake: Intake, body: bytes, source: str) -> Accepted | Refused | StoreAway:
    try:
        return await intake.take(body, source)
    except StoreAway as error:
        return error


def split_array(body: bytes) -> list[bytes]:
    """The text of each element of a JSON array, as it was sent; ValueError says why the body isn't one.

    An element that is no JSON hurts no other, as long as its brackets and quotes are closed.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"the body isn't UTF-8: {error.reason} at byte {error.start}") from None
    if not text.strip(_BLANK):
        raise ValueError("the body is empty")
    try:
        return _split_json(text)
    except (ValueError, RecursionError):
        return _split_by_brackets(body)


def _split_json(text: str) -> list[bytes]:
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise ValueError("the body isn't an array")
    at = _skip(text, at + 1)
    parts: list[bytes] = []
    while text[at : at + 1] != "]" or parts:
        end = _DECODER.raw_decode(text, at)[1]
        parts.append(text[at:end].encode())
        at = _skip(text, end)
        if text[at : at + 1] == "]":
            break
        if text[at : at + 1] != ",":
            raise ValueError(f"no comma or end of the array at character {at}")
        at = _skip(text, at + 1)
    if _skip(text, at + 1) != len(text):
        raise ValueError("there is something after the array")
    return parts


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _split_by_brackets(body: bytes) -> list[bytes]:
    """The elements, told by commas outside of brackets and texts: to any depth, whatever else is in them."""
    text = body.strip(_BLANK.encode())
    if not text.startswith(b"["):
        raise ValueError("the body isn't an array")
    depth, start, parts = 0, 1, []
    for token in _TOKENS.finditer(text):
        sign = token.group()[:1]
        if sign in b"[{":
            depth += 1
        elif sign in b"]}":
            depth -= 1
        if depth == 0:
            if sign != b"]" or token.end() != len(text):
                raise ValueError("there is something after the array")
            parts.append(text[start : token.start()].strip())
            break
        if depth == 1 and sign == b",":
            parts.append(text[start : token.start()].strip())
            start = token.end()
    else:
        raise ValueError("the array has no end")
    if b"" in parts:
        raise ValueError("between two commas of the array, or after the last, there is nothing")
    return parts
