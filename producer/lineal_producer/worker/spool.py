"""The reading side of the outbox: an invocation's record file, what was already sent of it and what was refused."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lineal_producer.locks import is_locked, try_lock
from lineal_producer.outbox import RECORDS
from lineal_producer.worker.rejected import REJECTED, add_entry

ACKS: Final = ".acks"
LOCK: Final = ".lock"


class Spool:
    """A record file that this process alone reads; `numbers` of records are its line numbers, from 0."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0
        self._number = 0
        self._lock: int | None = None
        self._acks: int | None = None
        self.sent: set[str] = set()

    def claim(self) -> bool:
        """Become the only reader; False when another process is."""
        self._lock = os.open(self.path.with_suffix(LOCK), os.O_CREAT | os.O_RDWR, 0o600)
        if not try_lock(self._lock):
            self.release()
            return False
        acks = self.path.with_suffix(ACKS)
        self._acks = os.open(acks, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        self.sent = set(acks.read_text(encoding="ascii", errors="replace").splitlines())
        return True

    def read(self) -> Iterator[tuple[int, bytes]]:
        """The complete lines that were added since the last call."""
        with self.path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                number, self._number = self._number, self._number + 1
                self._offset += len(line)
                yield number, line

    def is_alive(self) -> bool:
        """Whether dbt still holds the file: it holds it until it ends or is killed."""
        return is_locked(self.path)

    def append(self, line: bytes) -> None:
        """Add a record that dbt could no longer write; a line that was torn by its end is closed first."""
        with self.path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() > self._offset:
                file.write(b"\n")
            file.write(line)

    def acknowledge(self, mark: str) -> None:
        """Note that an event was sent, so that no later process sends it again."""
        self.sent.add(mark)
        if self._acks is not None:
            os.write(self._acks, f"{mark}\n".encode("ascii"))

    def reject(self, entry: dict[str, Any]) -> None:
        """Keep an event that the receiver refused, with its answer."""
        add_entry(self.path.with_suffix(REJECTED), entry)

    def remove(self) -> None:
        """Everything was sent: leave nothing but what was refused."""
        for suffix in (RECORDS, ACKS, LOCK):
            with contextlib.suppress(OSError):
                self.path.with_suffix(suffix).unlink()

    def release(self) -> None:
        """Let another process read."""
        for descriptor in (self._lock, self._acks):
            if descriptor is not None:
                os.close(descriptor)
        self._lock = self._acks = None
