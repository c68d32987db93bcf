"""An array of events: each is taken or refused for itself."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.persist import StoreAway
from lineal_receiver.ingest.validate import Fault

AT_ONCE = 200

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
    """Take every event of a JSON array; Refused if the body isn't one."""
    try:
        bodies = split_array(body)
    except ValueError as error:
        refused = Refused(400, (Fault("", "json", "a JSON array of events in UTF-8", str(error)),))
        await intake.refuse(body, refused, source)
        return refused
    failed: list[Failed] = []
    for start in range(0, len(bodies), AT_ONCE):
        part = bodies[start : start + AT_ONCE]
        answers = await asyncio.gather(*(_take(intake, one, source) for one in part))
        failed += [
            Failed(start + index, answer.message, False)
            if isinstance(answer, Refused)
            else Failed(start + index, answer, True)
            for index, answer in enumerate(answers)
            if not isinstance(answer, Accepted)
        ]
    return BatchResult(len(bodies), tuple(failed))


async def _take(intake: Intake, body: bytes, source: str) -> Accepted | Refused | str:
    try:
        return await intake.take(body, source)
    except StoreAway as error:
        return str(error)


def split_array(body: bytes) -> list[bytes]:
    """The text of each element of a JSON array, as it was sent; ValueError says why the body isn't one."""
    text = body.decode()
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise ValueError("the body isn't an array")
    at = _skip(text, at + 1)
    parts: list[bytes] = []
    while text[at : at + 1] != "]" or parts:
        end = _skip_element(text, at)
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


def _skip_element(text: str, at: int) -> int:
    try:
        return _DECODER.raw_decode(text, at)[1]
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
