"""`python -m lineal_producer.worker`: the child beside dbt, alive until all is sent or its time is up."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from lineal_producer.errors import LinealError
from lineal_producer.settings import Settings
from lineal_producer.worker.backlog import drop_expired, flush, waiting_files
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.pump import Pump
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer


def main() -> int:
    """Serve one dbt invocation."""
    parser = argparse.ArgumentParser(prog="lineal_producer.worker")
    parser.add_argument("--records", type=Path)
    parser.add_argument("--cache", default="")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(name)s %(levelname)s %(message)s")
    settings = Settings.from_env(os.environ, Path.cwd())
    spool = Spool(arguments.records) if arguments.records else None
    if spool is not None and not spool.claim():
        return 0  # another worker has it
    try:
        courier = Courier()
    except LinealError as error:
        tell(f"Lineal: {error}; events wait for `lineal-dbt flush`")
        return 1
    tracer = Tracer(settings.analysis_seconds, settings.analysis_bytes, arguments.cache)
    try:
        _serve(settings, spool, courier, tracer)
    finally:
        courier.close()
        tracer.close()
        if spool is not None:
            spool.release()
    return 0


def tell(line: str) -> None:
    """Say something to dbt's process, which may have gone."""
    with contextlib.suppress(OSError):
        os.write(1, line.encode() + b"\n")


def _serve(settings: Settings, spool: Spool | None, courier: Courier, tracer: Tracer) -> None:
    pump = Pump(spool, courier, tracer, live=True)
    threading.Thread(target=_listen, args=(pump.inbox,), name="lineal-listen", daemon=True).start()
    _until_dbt_ends(pump)
    until = time.monotonic() + settings.budget_seconds + settings.linger_seconds
    while not pump.build.ended and time.monotonic() < until:
        pump.step()
    complete = pump.build.ended and _deliver(settings, courier, until)
    if complete and courier.is_complete() and spool is not None:
        spool.remove()
    tell("done")
    pump.close()
    if complete and spool is not None:
        others = [path for path in waiting_files([spool.path.parent]) if path != spool.path]
        flush(drop_expired(others, settings, tell), courier, tracer, until)


def _until_dbt_ends(pump: Pump) -> None:
    """Take records until the invocation's end is there, or dbt has gone without one."""
    while not pump.build.has_end():
        happened = pump.step()
        if happened is None:
            continue
        what, content = happened
        if what == "line" and content.strip():
            pump.take_loose(content)
        else:
            pump.read()
        if what == "end" and not pump.build.has_end():
            pump.abort_open()
            return


def _deliver(settings: Settings, courier: Courier, until: float) -> bool:
    """Wait for what is under way; dbt is told before its patience ends when something waits."""
    in_time = courier.wait_idle(max(0.0, settings.budget_seconds * 0.8))
    if not in_time and (problem := courier.problem()):
        tell(f"Lineal: {problem}; events wait for the next run or `lineal-dbt flush`")
    if courier.rejected:
        tell(f"Lineal: the receiver refused {courier.rejected} events; `lineal-dbt status` shows its answers")
    return in_time or courier.wait_idle(until - time.monotonic())


def _listen(inbox: SimpleQueue[tuple[str, Any]]) -> None:
    """dbt's life line: empty lines say that the file has grown, others are records; its end is dbt's end."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in [line for line in lines if line] or [b""]:
            inbox.put(("line", line))
    inbox.put(("end", None))


if __name__ == "__main__":
    sys.exit(main())
