"""The process that analyses SQL, on pipes: it may be killed at any time, and nothing but the model at hand is lost."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from lineal_producer.border import attempt, sentence

LIMIT_EXCEEDED: Final = "limit_exceeded"
ANALYSIS_FAILED: Final = "analysis_failed"
CACHE: Final = "columns.json"
READY: Final = "ready"
LENGTH: Final = struct.Struct(">I")


def start_analyst(memory: int, cache_folder: str) -> subprocess.Popen[bytes]:
    """A process that runs this module, of `memory` bytes at most (0: no limit), its cache in a folder ('': none)."""
    command = [sys.executable, "-m", "lineal_producer.worker.analyst", str(memory), cache_folder]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def write_frame(pipe: IO[bytes], value: Any) -> None:
    """Send one value."""
    data = pickle.dumps(value)
    pipe.write(LENGTH.pack(len(data)) + data)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> Any:
    """The next value; EOFError when the other side has gone."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from our own process, over a pipe that only it has


def limit_memory(limit: int) -> None:
    """Let this process have no more than `limit` bytes of address space, where the system can hold it to that."""
    if limit <= 0 or sys.platform in ("win32", "darwin"):
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    """Say READY, then answer requests until the pipe closes: (lineage, None), or (None, (code, sentence))."""
    answers, requests = sys.stdout.buffer, sys.stdin.buffer
    sys.stdout = sys.stderr  # a stray print never gets between the frames
    limit_memory(int(sys.argv[1]))
    from lineal_producer.columns import trace
    from lineal_producer.columns.cache import LineageCache

    if not sys.argv[2]:
        _answer(trace, requests, answers)
        return
    with LineageCache(Path(sys.argv[2]) / CACHE) as cache:
        _answer(cache.trace, requests, answers)


def _answer(tracer: Callable[..., Any], requests: IO[bytes], answers: IO[bytes]) -> None:
    write_frame(answers, READY)
    while True:
        try:
            request = read_frame(requests)
        except EOFError:
            return
        lineage, error = attempt(partial(tracer, *request))
        write_frame(answers, (lineage, None if error is None else _problem(error)))


def _problem(error: Exception) -> tuple[str, str]:
    if isinstance(error, SystemError):  # what CPython makes of a MemoryError that it had no memory to raise
        return LIMIT_EXCEEDED, f"the analysis took too much memory or depth ({error})"
    if isinstance(error, MemoryError | RecursionError):
        return LIMIT_EXCEEDED, f"the analysis took too much {'memory' if isinstance(error, MemoryError) else 'depth'}"
    return ANALYSIS_FAILED, sentence(error)


if __name__ == "__main__":
    main()
