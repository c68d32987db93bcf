"""`python -m lineal_producer.worker`: the child beside dbt, alive until all is sent or its time is up."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Final

from lineal_producer.settings import Settings
from lineal_producer.worker.analyst import start_analyst
from lineal_producer.worker.spool import Spool

_STEPS: Final = 10  # of niceness: a process of dbt's or of its database that wants the core gets nine tenths of it


def main() -> int:
    """Serve one dbt invocation."""
    step_back()
    parser = argparse.ArgumentParser(prog="lineal_producer.worker")
    parser.add_argument("--records", type=Path)
    parser.add_argument("--cache", required=True, help="a folder of ours in the project's target")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(name)s %(levelname)s %(message)s")
    settings = Settings.of_process()
    spool = Spool(arguments.records) if arguments.records else None
    if spool is not None and not spool.claim():
        return 0  # another worker has it
    analyst = start_analyst(settings.analysis_bytes, arguments.cache)
    # Both processes load what they need at the same time: the first model waits for them.
    from lineal_producer.worker.serve import serve
    from lineal_producer.worker.tracer import Tracer

    tracer = Tracer(settings.analysis_seconds, settings.analysis_bytes, arguments.cache, analyst)
    try:
        return serve(settings, spool, tracer, Path(arguments.cache).parent)
    finally:
        tracer.close()
        if spool is not None:
            spool.release()


def step_back() -> None:
    """Leave the processor to dbt and its database: this process and those that it starts take what they leave."""
    if sys.platform != "win32":  # where dbt's process starts it like this
        with contextlib.suppress(OSError):
            os.nice(_STEPS)


if __name__ == "__main__":
    sys.exit(main())
