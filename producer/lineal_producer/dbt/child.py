"""The one child process beside dbt: started, told of new records, started again when it dies, waited for at the end."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

WAKE: Final = b"\n"
AWAKE_SECONDS: Final = 0.25  # for so long after each line the child looks at the file by itself
_STARTS: Final = 3  # a child that keeps dying isn't started for ever
_DONE: Final = b"done"
_LOG_LIMIT: Final = 1 << 20


class Child:
    """A worker on a pipe that is its life line: a line on it says "look", its end says "dbt has ended".

    Threads of our own do what may block; dbt's wait for the child in `finish` only, no longer than they are told.
    """

    def __init__(
        self, arguments: Sequence[str], env: Mapping[str, str], log: Path | None, warn: Callable[[str], None]
    ) -> None:
        self._command = [sys.executable, "-m", "lineal_producer.worker", *arguments]
        self._env = {**env, "PYTHONSAFEPATH": "1"}  # a module in the user's folder never takes the place of one of ours
        self._log = log
        self._warn = warn
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._done = threading.Event()
        self._finished = False
        self._starts = 0
        self._pipe: int | None = None
        self._awake_until = 0.0
        self._mutex = threading.Lock()
        self._feeder = threading.Thread(target=self._feed, name="lineal-feed", daemon=True)
        self._feeder.start()

    def is_feeding(self) -> bool:
        """Whether lines still go to a child."""
        return self._feeder.is_alive()

    def send(self, line: bytes) -> None:
        """Hand the child a line: a record, or an empty one that says that the file has grown."""
        if line == WAKE and time.monotonic() < self._awake_until:
            return  # it looks by itself
        if line != WAKE or not self._wake():
            self._lines.put(line)

    def _wake(self) -> bool:
        """Write the empty line at once; False when there is no child that could get it (yet, or any more)."""
        with self._mutex:
            if self._pipe is None:
                return False
            until = time.monotonic() + AWAKE_SECONDS
            try:
                os.write(self._pipe, WAKE)
                self._awake_until = until
            except BlockingIOError:
                return True  # the pipe is full of lines that say the same
            except OSError:
                return False
            return True

    def finish(self, seconds: float) -> bool:
        """Close the life line and wait; False when the child hasn't said in time that everything was sent."""
        self._finished = True
        self._lines.put(None)
        return self._done.wait(seconds) if seconds > 0 else self._done.is_set()

    def _feed(self) -> None:
        """Writes lines to the pipe, to a new child when the last one has died."""
        pending: bytes | None = WAKE
        while (process := self._start()) is not None and process.stdin is not None:
            try:
                self._set_pipe(_unblocked(process.stdin.fileno()))
                while pending is not None:
                    _write_all(process.stdin.fileno(), pending)
                    pending = self._lines.get()
                self._set_pipe(None)
                process.stdin.close()
            except OSError:  # this child has ended: the line goes to the next one, unless all was done
                self._set_pipe(None)
                with contextlib.suppress(OSError):
                    process.stdin.close()
                if not self._done.is_set():
                    continue
            return
        self._done.set()  # nobody is there to wait for

    def _set_pipe(self, pipe: int | None) -> None:
        with self._mutex:
            self._pipe = pipe
            self._awake_until = 0.0

    def _start(self) -> subprocess.Popen[bytes] | None:
        self._starts += 1
        if self._starts > _STARTS:
            self._warn(
                f"Lineal: the worker process keeps ending (see {self._log}); records wait for `lineal-dbt flush`"
            )
            return None
        try:
            with _open_log(self._log) as log:
                process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=self._env, **_DETACHED
                )
        except (OSError, ValueError) as error:
            self._warn(f"Lineal: no worker process can be started ({error}); records wait for `lineal-dbt flush`")
            return None
        threading.Thread(target=self._listen, args=(process,), name="lineal-listen", daemon=True).start()
        return process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """What the child says: `done`, or a sentence for the user."""
        if process.stdout is None:
            return
        rest, has_told = b"", False
        while chunk := os.read(process.stdout.fileno(), 4096):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line == _DONE:
                    self._done.set()
                elif line:
                    self._warn(line.decode(errors="replace"))
                has_told = has_told or bool(line)
        process.stdout.close()
        process.wait()
        if self._finished or self._done.is_set():
            if not has_told:
                self._warn(
                    f"Lineal: the worker process ended early (see {self._log}); records wait for `lineal-dbt flush`"
                )
            self._done.set()
        else:
            self._lines.put(WAKE)  # whose writing finds out


_DETACHED: Final[dict[str, Any]] = (
    {"creationflags": 0x08000000 | 0x00000200 | 0x00004000} if sys.platform == "win32" else {"start_new_session": True}
)  # Windows: no window, a process group, a priority below normal; there and elsewhere Ctrl-C is dbt's alone


def _open_log(path: Path | None) -> Any:
    """The file for what the child has to say to an administrator, begun anew when it has grown large."""
    try:
        if path is not None:
            large = path.is_file() and path.stat().st_size > _LOG_LIMIT
            return path.open("wb" if large else "ab")
    except OSError:
        pass
    return Path(os.devnull).open("wb")


def _unblocked(pipe: int) -> int | None:
    """The pipe as one that tells when it is full instead of waiting; None where there is no such thing."""
    if sys.platform == "win32":
        return None
    os.set_blocking(pipe, False)
    return pipe


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        if sys.platform != "win32":
            select.select([], [descriptor], [])
        with contextlib.suppress(BlockingIOError):  # there is room, but not for this much
            view = view[os.write(descriptor, view) :]
