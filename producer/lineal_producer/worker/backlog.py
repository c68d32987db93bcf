"""What earlier runs could not send: sent in order of age, and given up, never silently, past its size or its age."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lineal_producer.border import log
from lineal_producer.outbox import RECORDS
from lineal_producer.settings import Settings
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.pump import Pump
from lineal_producer.worker.spool import PARTS, Spool, size_of
from lineal_producer.worker.tracer import Tracer

_NAP: Final = 0.1


@dataclass(slots=True)
class Flushed:
    """What became of a backlog: invocations sent, waiting, and still being written by their dbt."""

    sent: int = 0
    waiting: int = 0
    busy: int = 0


def waiting_files(folders: list[Path]) -> list[Path]:
    """The record files of these folders, the oldest first."""
    found = [path for folder in folders if os.access(folder, os.R_OK) for path in folder.glob(f"*{RECORDS}")]
    return sorted((path for path in found if path.is_file()), key=_age)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process has sent and removed it
        return 0.0


def flush(
    files: list[Path],
    courier: Courier,
    tracer: Tracer,
    until: float,
    patience: float = math.inf,
    claim_seconds: float = 0.0,
    *,
    wait: bool = False,
) -> Flushed:
    """Send what these files hold until `until` (monotonic).

    A file whose dbt still runs is left to it, or with `wait` waited for; one that another worker has is waited for
    `claim_seconds`. One that can't be read, or noted beside, waits and keeps no other from being sent.
    """
    told = Flushed()
    for path in files:
        spool = Spool(path)
        try:
            _flush_one(spool, told, courier, tracer, until, patience, claim_seconds, wait=wait)
        except OSError as error:
            log.warning("%s: %s; its events wait", error.filename or path, error.strerror)
            told.waiting += 1
        finally:
            spool.release()
    return told


def _flush_one(
    spool: Spool,
    told: Flushed,
    courier: Courier,
    tracer: Tracer,
    until: float,
    patience: float,
    claim_seconds: float,
    *,
    wait: bool,
) -> None:
    if not _has_ended(spool, until if wait else 0.0):
        told.busy += 1
    elif time.monotonic() >= until or courier.failing_for() > patience:
        told.waiting += 1
    elif not _claim(spool, min(until, time.monotonic() + claim_seconds)):
        told.waiting += spool.path.exists()
    elif not spool.path.exists() or _send(spool, courier, tracer, until, patience):
        spool.remove()
        told.sent += 1
    else:
        told.waiting += 1


def _has_ended(spool: Spool, until: float) -> bool:
    while spool.is_alive():
        if time.monotonic() >= until:
            return False
        time.sleep(_NAP)
    return True


def _claim(spool: Spool, until: float) -> bool:
    while not spool.claim():
        if time.monotonic() >= until or not spool.path.exists():
            return False
        time.sleep(_NAP)
    return True


def _send(spool: Spool, courier: Courier, tracer: Tracer, until: float, patience: float) -> bool:
    courier.reopen()
    with closing(Pump(spool, courier, tracer, live=False, until=until, patience=patience)) as pump:
        pump.read()
        if pump.build.invocation is None:
            return not pump.unread  # else its process ended before it had written what it was
        return _finish(pump, courier, until, patience)


def send_loose(
    lines: Iterable[bytes], courier: Courier, tracer: Tracer, until: float, patience: float = math.inf
) -> bool:
    """Send what no file could hold, until `until` (monotonic); whether all of it went: the rest is lost."""
    with closing(Pump(None, courier, tracer, live=False, until=until, patience=patience)) as pump:
        for line in lines:
            pump.take_loose(line)
        return _finish(pump, courier, until, patience)


def _finish(pump: Pump, courier: Courier, until: float, patience: float) -> bool:
    if not pump.build.has_end():
        pump.abort_open()
    while not pump.build.ended:
        if time.monotonic() >= until:
            return False
        pump.step()
    return courier.wait_idle(until - time.monotonic(), patience)


def drop_expired(files: list[Path], settings: Settings, tell: Callable[[str], None]) -> list[Path]:
    """Remove the invocations that are too old or, from the oldest on, too much; the rest is given back."""
    sizes = {path: size_of(path) for path in files if path.exists()}
    total = sum(sizes.values())
    kept: list[Path] = []
    for path, size in sizes.items():
        old = time.time() - _age(path) > settings.outbox_seconds
        if not old and total <= settings.outbox_bytes:
            kept.append(path)
            continue
        spool = Spool(path)
        if not spool.claim():
            kept.append(path)
            continue
        total -= size
        spool.release()
        for suffix in PARTS:
            path.with_suffix(suffix).unlink(missing_ok=True)
        why = "LINEAL_OUTBOX_DAYS" if old else "LINEAL_OUTBOX_MB"
        tell(f"Lineal: the events of run {path.stem} could not be sent for too long and are given up ({why})")
    return kept
