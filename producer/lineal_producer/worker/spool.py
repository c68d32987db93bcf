"""The reading side of the outbox: an invocation's record file, what was sent of it, in which bytes, what was refused.

An event is written down before it is sent for the first time, and from then on sent as it stands there: a receiver that
knows events by their content must see a repeat as one, whatever has become known since the first attempt.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from lineal_producer.locks import is_locked, try_lock
from lineal_producer.outbox import RECORDS
from lineal_producer.worker.rejected import REJECTED, add_entry

ACKS: Final = ".acks"
EVENTS: Final = ".events"
LOCK: Final = ".lock"
_APPEND: Final = os.O_CREAT | os.O_APPEND | os.O_WRONLY | getattr(os, "O_BINARY", 0)
PARTS: Final = (RECORDS, ACKS, EVENTS, LOCK)  # what is left of an invocation that was sent: none of these


def size_of(path: Path) -> int:
    """The bytes that an invocation takes in the outbox; 0 when it was sent meanwhile."""
    sizes = 0
    for suffix in (RECORDS, EVENTS):
        with contextlib.suppress(OSError):
            sizes += path.with_suffix(suffix).stat().st_size
    return sizes


class Spool:
    """A record file that this process alone reads; `numbers` of records are its line numbers, from 0."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0
        self._number = 0
        self._lock: int | None = None
        self._acks: int | None = None
        self._events: int | None = None
        self._kept: dict[str, bytes] = {}
        self._under_way: set[str] = set()
        self.sent: set[str] = set()

    def claim(self) -> bool:
        """Become the only reader; False when another process is."""
        self._lock = os.open(self.path.with_suffix(LOCK), os.O_CREAT | os.O_RDWR, 0o600)
        if not try_lock(self._lock):
            self.release()
            return False
        acks = self.path.with_suffix(ACKS)
        self._acks = os.open(acks, _APPEND, 0o600)
        self.sent = set(acks.read_text(encoding="ascii", errors="replace").splitlines())
        events = self.path.with_suffix(EVENTS)
        self._events = os.open(events, _APPEND, 0o600)
        self._kept = dict(_entries(events.read_bytes()))
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
        """Note that an event was sent, or whatever else later processes must know; they find it in `sent`."""
        self.sent.add(mark)
        if self._acks is not None:
            with contextlib.suppress(OSError):  # a full disk: a later process sends it again, as it is, and that is one
                os.write(self._acks, f"{mark}\n".encode("ascii"))
        if mark in self._under_way:
            self._under_way.remove(mark)
            if not self._under_way and self._events is not None:
                with contextlib.suppress(OSError):  # it takes room, no more
                    os.ftruncate(self._events, 0)  # none that is written down there will be sent again

    def keep(self, mark: str, doors: Iterable[str], event: dict[str, Any]) -> dict[str, Any]:
        """The event to send to these doors: as it stands written down since the first attempt, from now on if never."""
        self._under_way |= {f"{door}:{mark}" for door in doors}
        if mark in self._kept:
            return dict(json.loads(self._kept[mark]))
        if self._events is not None:
            with contextlib.suppress(OSError):  # a full disk: it goes all the same, and is as it is if that succeeds
                os.write(self._events, f"\n{mark} {json.dumps(event)}\n".encode("ascii"))
        return event

    def reject(self, entry: dict[str, Any]) -> None:
        """Keep an event that the receiver refused, with its answer."""
        add_entry(self.path.with_suffix(REJECTED), entry)

    def remove(self) -> None:
        """Everything was sent: leave nothing but what was refused."""
        for suffix in PARTS:
            with contextlib.suppress(OSError):
                self.path.with_suffix(suffix).unlink()

    def release(self) -> None:
        """Let another process read."""
        for descriptor in (self._acks, self._events, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._lock = self._acks = self._events = None


def _entries(text: bytes) -> Iterator[tuple[str, bytes]]:
    """The marks and the events of a file, without a line that was torn by a full disk or a killed process."""
    for line in text.split(b"\n"):
        mark, _, event = line.partition(b" ")
        if event.endswith(b"}"):
            with contextlib.suppress(ValueError):
                json.loads(event)
                yield mark.decode("ascii"), event
