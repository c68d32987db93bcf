"""Sends what a command has to tell: written down first, so that what can't be sent now waits like a dbt run's own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lineal_producer import records
from lineal_producer.border import warn_once
from lineal_producer.outbox import RECORDS
from lineal_producer.outbox_place import Place
from lineal_producer.records import Record
from lineal_producer.settings import Settings
from lineal_producer.worker.backlog import flush, send_loose
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.tracer import Tracer

_ODD: Final = re.compile(r"[^A-Za-z0-9-]")
PATIENCE: Final = 10.0  # seconds of failing before a command gives up


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a command's events: sent and refused ones; `problem` says why others wait, or are lost."""

    sent: int
    refused: int
    is_complete: bool
    problem: str | None
    is_kept: bool


@contextmanager
def open_road(settings: Settings, target: Path) -> Iterator[tuple[Courier, Tracer]]:
    """The way out and the analysis before it; TransportError when the configuration can't be used."""
    courier = Courier()
    tracer = Tracer(settings.analysis_seconds, settings.analysis_bytes, str(target.absolute() / "lineal"))
    try:
        yield courier, tracer
    finally:
        courier.close()
        tracer.close()


def deliver(place: Place, target: Path, invocation_id: str, told: Iterable[Record], seconds: float) -> Delivery:
    """Send the events of these records; what can't be sent waits in the outbox, once however often it is told."""
    content = b"".join(records.to_line(record) for record in told)
    name = f"{file_name(invocation_id)}.{hashlib.sha256(content).hexdigest()[:16]}{RECORDS}"
    with open_road(place.settings, target) as (courier, tracer):
        until = time.monotonic() + seconds
        path = next((path for folder in place.folders if (path := _written(folder / name, content)) is not None), None)
        if path is None:
            warn_once(f"Lineal: neither of {', '.join(map(str, place.folders))} can be written to")
            is_complete = send_loose(content.splitlines(keepends=True), courier, tracer, until, PATIENCE)
        else:
            is_complete = not flush([path], courier, tracer, until, PATIENCE, place.settings.linger_seconds).waiting
        return Delivery(courier.sent, courier.rejected, is_complete, courier.problem(), path is not None)


def _written(path: Path, content: bytes) -> Path | None:
    """The file with the content, all of it or none; one that is there already waits and has the same in it."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:  # noqa: PTH123 - a descriptor
                file.write(content)
            part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):  # it isn't there, or not for us to take away
            part.unlink()
        return None
    return path


def file_name(invocation_id: str) -> str:
    """What others told us is an invocation's id, as a part of a file's name and nothing else."""
    return _ODD.sub("_", invocation_id)[:100]


def counted(number: int, thing: str) -> str:
    """A number of things: `1 run`, `2 runs`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
