"""Traces SQL in a process of its own, which is killed and replaced when it takes too long, too much memory, or dies."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from functools import partial
from typing import Any, Final

from lineal_producer.columns.model import Gap, ModelLineage
from lineal_producer.worker.analyst import read_frame, start_analyst, write_frame

_LEAVE: Final = 3.0  # seconds to write the cache in
LIMIT_EXCEEDED: Final = "limit_exceeded"


class Tracer:
    """Answers `trace` as `columns` does, within limits; asked by one thread at a time."""

    def __init__(
        self, seconds: float, memory: int, cache_folder: str, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._seconds = seconds
        self._start = partial(start_analyst, memory, cache_folder)
        self._process = process

    def trace(
        self, sql: str, dialect: str, schema: dict[Any, Any], default_db: str | None, default_schema: str | None
    ) -> ModelLineage:
        """The lineage of one statement; `failed` with `limit_exceeded` when it can't be had within the limits."""
        if self._process is None:
            self._process = self._start()
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the analyst has no pipes")
        watchdog = threading.Timer(self._seconds, process.kill)
        watchdog.start()
        try:
            write_frame(process.stdin, (sql, dialect, schema, default_db, default_schema))
            lineage, problem = read_frame(process.stdout)
        except (EOFError, OSError):
            self._kill()
            return _failed(LIMIT_EXCEEDED, f"the analysis took over {self._seconds:g} s or too much memory")
        finally:
            watchdog.cancel()
        return lineage if isinstance(lineage, ModelLineage) else _failed(*problem)

    @property
    def process_id(self) -> int | None:
        """The process that traces, None when there is none."""
        return self._process.pid if self._process is not None else None

    def close(self) -> None:
        """Let the process end, which writes its cache; one that is in the middle of something is killed."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LEAVE)
        self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def _failed(code: str, message: str) -> ModelLineage:
    return ModelLineage("failed", None, (), (), (Gap(code, message),), ())
