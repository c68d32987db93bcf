"""Serves one dbt invocation: records as they come, what is under way at its end, then what earlier runs left."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from lineal_producer.dbt.artifacts import read_catalog
from lineal_producer.dbt.child import AWAKE_SECONDS
from lineal_producer.errors import LinealError
from lineal_producer.kept_columns import read_kept, write_kept
from lineal_producer.known import Known
from lineal_producer.settings import Settings
from lineal_producer.worker.backlog import drop_expired, flush, waiting_files
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.pump import Pump
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer

DONE: Final = "done"
_LOOK: Final = 0.05  # seconds; each look takes time from dbt, which may share its core with us
_PATIENCE: Final = 1.0  # seconds of failing after which dbt isn't kept waiting


def serve(settings: Settings, spool: Spool | None, tracer: Tracer, target: Path) -> int:
    """Do all that is to be done for one invocation, whose artifacts are in `target`; gives the exit code."""
    try:
        courier = Courier()
    except LinealError as error:
        tell(f"Lineal: {error}; events wait for `lineal-dbt flush`")
        return 1
    try:
        known = Known(read_catalog(target, []).columns, read_kept(target / "lineal"))
        _serve(settings, spool, courier, tracer, known)
        write_kept(target / "lineal", known.to_keep())
    finally:
        courier.close()
    return 0


def tell(line: str) -> None:
    """Say something to dbt's process, which may have gone."""
    with contextlib.suppress(OSError):
        os.write(1, line.encode() + b"\n")


def _serve(settings: Settings, spool: Spool | None, courier: Courier, tracer: Tracer, known: Known) -> None:
    pump = Pump(spool, courier, tracer, live=True, known=known)
    threading.Thread(target=_listen, args=(pump.inbox,), name="lineal-listen", daemon=True).start()
    _until_dbt_ends(pump)
    in_time = _finish(pump, courier, time.monotonic() + settings.budget_seconds, _PATIENCE)
    if not in_time and (problem := courier.problem()):
        tell(f"Lineal: {problem}; events wait for the next run or `lineal-dbt flush`")
    if courier.rejected:
        tell(f"Lineal: the receiver refused {courier.rejected} events; `lineal-dbt status` shows its answers")
    if in_time and spool is not None:
        spool.remove()  # before dbt ends: who looks then finds nothing that waits
    tell(DONE)
    until = time.monotonic() + settings.linger_seconds
    complete = in_time or _finish(pump, courier, until, math.inf)
    pump.close()
    if spool is None:
        return
    if not complete:  # of a receiver too slow for memory all is sent by now that was taken, and the rest is on disk
        if not courier.reopen():
            return
        spool.release()
        if flush([spool.path], courier, tracer, until).waiting:
            return
    spool.remove()
    others = [path for path in waiting_files([spool.path.parent]) if path != spool.path]
    flush(drop_expired(others, settings, tell), courier, tracer, until)


def _finish(pump: Pump, courier: Courier, until: float, patience: float) -> bool:
    """Wait until every record has become events and these were sent; False when that took too long."""
    while not pump.build.ended:
        if time.monotonic() >= until:
            return False
        pump.step()
    return courier.wait_idle(until - time.monotonic(), patience)


def _until_dbt_ends(pump: Pump) -> None:
    """Take records until the invocation's end is there, or dbt has gone without one."""
    fresh_until = 0.0
    while not pump.build.has_end():
        is_fresh = time.monotonic() < fresh_until  # asked before the step, so that the last look comes after the time
        happened = pump.step(_LOOK) if is_fresh else pump.step()
        if happened is None:
            if is_fresh:
                pump.read()
            continue
        what, content = happened
        fresh_until = time.monotonic() + AWAKE_SECONDS
        if what == "line" and content.strip():
            pump.take_loose(content)
        else:
            pump.read()
        if what == "end" and not pump.build.has_end():
            pump.abort_open()
            return


def _listen(inbox: SimpleQueue[tuple[str, Any]]) -> None:
    """dbt's life line: empty lines say that the file has grown, others are records; its end is dbt's end."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in [line for line in lines if line] or [b""]:
            inbox.put(("line", line))
    inbox.put(("end", None))
