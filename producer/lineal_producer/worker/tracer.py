"""Traces SQL in a process of its own, which is killed and replaced when it takes too long, too much memory, or dies."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from functools import partial
from typing import Any, Final

from lineal_producer.border import sentence
from lineal_producer.columns.model import Gap, ModelLineage, Own
from lineal_producer.worker.analyst import ANALYSIS_FAILED, LIMIT_EXCEEDED, read_frame, start_analyst, write_frame

_LEAVE: Final = 3.0  # seconds to write the cache in
_LOAD: Final = 60.0  # seconds for a process to load what it needs


class Tracer:
    """Answers `trace` as `columns` does, within limits; asked by one thread at a time.

    The seconds are those of an analysis: what a process needs to load before it can do any is not among them.
    """

    def __init__(
        self, seconds: float, memory: int, cache_folder: str, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._seconds = seconds
        self._start = partial(start_analyst, memory, cache_folder)
        self._process = process
        self._is_ready = False

    def trace(
        self,
        sql: str,
        dialect: str,
        schema: dict[Any, Any],
        default_db: str | None,
        default_schema: str | None,
        own: Own = None,
    ) -> ModelLineage:
        """The lineage of one statement; `failed` with `limit_exceeded` when it can't be had within the limits."""
        if self._process is not None and self._process.poll() is not None:
            self._kill()  # it died at rest, which is no fault of this statement
        if self._process is None:
            try:
                self._process = self._start()
            except OSError as error:
                return _failed(ANALYSIS_FAILED, f"no process could be started for it: {sentence(error)}")
        if not self._is_ready:
            answer, late = self._ask(self._process, None, _LOAD)
            if answer is None:
                why = f"was not ready after {_LOAD:g} s" if late else "ended before it was ready, for want of memory?"
                return _failed(LIMIT_EXCEEDED, f"the process for the analysis {why}")
            self._is_ready = True
        answer, late = self._ask(self._process, (sql, dialect, schema, default_db, default_schema, own), self._seconds)
        if answer is None:
            why = f"took over {self._seconds:g} s" if late else "ended its process, for want of memory?"
            return _failed(LIMIT_EXCEEDED, f"the analysis {why}")
        lineage, problem = answer
        return lineage if isinstance(lineage, ModelLineage) else _failed(*problem)

    def _ask(self, process: subprocess.Popen[bytes], request: Any, seconds: float) -> tuple[Any, bool]:
        """The next frame of the process, None when it was lost; whether it was killed for taking too long."""
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the analyst has no pipes")
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        watchdog = threading.Timer(seconds, stop)
        watchdog.start()
        answer = None
        try:
            if request is not None:
                write_frame(process.stdin, request)
            answer = read_frame(process.stdout)
        except (EOFError, OSError):
            self._kill()
        finally:
            watchdog.cancel()
            watchdog.join()
        if late.is_set():  # perhaps just after the answer came: the next statement needs another process all the same
            self._kill()
        return answer, late.is_set()

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
        self._is_ready = False
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # closing sends what a dead process left unread
                        pipe.close()


def _failed(code: str, message: str) -> ModelLineage:
    """What stands for a lineage that there is none of."""
    return ModelLineage("failed", None, (), (), (Gap(code, message),), ())
