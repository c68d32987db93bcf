"""Whether a transport answers, found out without sending it an event."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from lineal_producer.transport import ClientDoor, Door, FailoverDoor, FileDoor, HttpDoor, doors_of, open_client

_UNAUTHORISED: Final = (401, 403)
_MISSING: Final = (404,)


@dataclass(frozen=True, slots=True)
class Probe:
    """How a door answered."""

    verdict: Literal["ok", "warn", "fail"]
    found: str
    remedy: str | None = None


def probe_doors() -> list[Probe]:
    """One answer a door; TransportError when the transport can't even be built."""
    doors = doors_of(open_client().transport)
    return [_probe(door) for door in doors] or [Probe("warn", "the transport sends nothing", "choose another type")]


def _probe(door: Door) -> Probe:
    if isinstance(door, FailoverDoor):
        found = [_probe(child) for child in door.doors]
        return next((probe for probe in found if probe.verdict == "ok"), found[0])
    if isinstance(door, HttpDoor):
        return _probe_http(door)
    if isinstance(door, FileDoor):
        return _probe_file(Path(door.name))
    if isinstance(door, ClientDoor) and door.file is not None:
        return _probe_file(door.file)  # without `append` it is the beginning of every event's file
    return Probe("ok", f"{door.name}: its configuration is accepted; whether it answers shows with the first event")


def _probe_http(door: HttpDoor) -> Probe:
    """A GET of the endpoint: a receiver answers it with anything, an address without one with nothing or 404."""
    status, detail = door.ask()
    if status is None:
        return Probe("fail", detail, "start the receiver, or correct the URL; until then events wait in the outbox")
    if status in _UNAUTHORISED:
        return Probe("fail", f"{door.name} answers {status}", "correct the transport's `auth`")
    if status in _MISSING and not detail:
        return Probe("warn", f"{door.name} answers 404", "check the URL and the endpoint")
    if status >= 500:
        return Probe("fail", f"{door.name} answers {status}", "look into the receiver's log")
    return _probe_readiness(door)


def _probe_readiness(door: HttpDoor) -> Probe:
    """Whether what answers can keep an event: Lineal's receiver says so at /readyz, others have no such place."""
    status, said = door.ask("/readyz")
    if status is not None and status >= 500:
        found = f"{door.name} answers, but is not ready: {_reason(said) or status}"
        return Probe("fail", found, "look into the receiver's log, and whether its database answers")
    return Probe("ok", f"{door.name} {'is ready' if status == 200 else 'answers'}")


def _reason(said: str) -> str:
    """Why a receiver isn't ready, of the JSON that Lineal's answers with; else the first line."""
    try:
        told = json.loads(said)
    except ValueError:
        told = None
    reason = told.get("reason") if isinstance(told, dict) else None
    return str(reason or (said.strip().splitlines() or [""])[0])[:200]


def _probe_file(path: Path) -> Probe:
    if not path.parent.is_dir():
        return Probe("fail", f"{path}: its folder is not there", f"mkdir -p {path.parent}")
    if (path.exists() and not os.access(path, os.W_OK)) or (not path.exists() and not os.access(path.parent, os.W_OK)):
        return Probe("fail", f"{path} can't be written to", "correct its permissions or choose another log_file_path")
    return Probe("ok", f"{path} can be written to")
