"""dbt's side of the outbox: records appended to one file per invocation, synced to disk when a node ends."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from lineal_producer.locks import try_lock

RECORDS: Final = ".ndjson"
SYNC_SECONDS: Final = 0.25  # a sync costs dbt's process more than the record: one is enough for all of this time
_FLAGS: Final = os.O_APPEND | os.O_CREAT | os.O_WRONLY | getattr(os, "O_BINARY", 0)


class Outbox:
    """The records of one invocation on their way out; where no folder can be written to, the reader gets the lines.

    The open file is locked for as long as dbt lives: a record file without an end and without this lock is one
    whose dbt was killed.
    """

    def __init__(self, folders: Iterable[Path], invocation_id: str, warn: Callable[[str], None]) -> None:
        self._hand_over: Callable[[bytes], None] | None = None
        self._warn = warn
        self._mutex = threading.Lock()
        self._unsynced = threading.Event()
        self._closed = threading.Event()
        self._descriptor: int | None = None
        self.path: Path | None = None
        self._open([folder / f"{invocation_id}{RECORDS}" for folder in folders])

    def _open(self, places: list[Path]) -> None:
        failure: OSError | None = None
        for place in places:
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = os.open(place, _FLAGS, 0o600)
            except OSError as error:
                failure = failure or error
                continue
            try_lock(self._descriptor)
            self.path = place
            threading.Thread(target=self._sync, name="lineal-sync", daemon=True).start()
            if failure is not None:
                self._warn(
                    f"Lineal: {failure.filename}: {failure.strerror}; records are kept in {place.parent} instead"
                )
            return
        reason = f"{failure.filename}: {failure.strerror}" if failure else "there is no folder for records"
        self._to_memory(reason)

    def _to_memory(self, reason: str) -> None:
        self._warn(
            f"Lineal: {reason}; records are kept in memory only, so those that can't be sent during this run are lost; "
            "set LINEAL_STATE_DIR to a folder that can be written to"
        )

    def connect(self, hand_over: Callable[[bytes], None]) -> None:
        """Give the reader's ear: it gets an empty line when the file has grown, a record when there is no file."""
        self._hand_over = hand_over

    def append(self, line: bytes, *, durable: bool = False) -> None:
        """Add one record; `durable` has it synced to disk, by a thread of its own: a disk may take long."""
        with self._mutex:
            if self._descriptor is not None:
                try:
                    written = os.write(self._descriptor, line)
                    if written != len(line):
                        _write_rest(self._descriptor, line, written)
                    if durable and not self._unsynced.is_set():
                        self._unsynced.set()
                except OSError as error:  # the disk is full or gone
                    self._to_memory(f"{self.path}: {error.strerror}")
                    self._close()
                else:
                    line = b"\n"
            if self._hand_over is not None:
                self._hand_over(line)

    def _sync(self) -> None:
        """Sync what is durable at once, then what has come within SYNC_SECONDS together."""
        while not self._closed.is_set():
            self._unsynced.wait()
            self._unsynced.clear()
            descriptor = self._descriptor
            if descriptor is not None:
                with contextlib.suppress(OSError):  # closed meanwhile, or a disk that the next append finds out about
                    os.fsync(descriptor)
            self._closed.wait(SYNC_SECONDS)

    def _close(self) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
                os.close(self._descriptor)
            self._descriptor = None

    def close(self) -> None:
        """Let go of the file and its lock, everything on disk."""
        with self._mutex:
            self._close()
        self._closed.set()
        self._unsynced.set()


def _write_rest(descriptor: int, data: bytes, written: int) -> None:
    """Write what the disk had no room for, or a signal interrupted."""
    view = memoryview(data)[written:]
    while view:
        view = view[os.write(descriptor, view) :]
