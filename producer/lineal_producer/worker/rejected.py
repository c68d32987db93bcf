"""Events that a receiver refused, each with its answer: kept until `lineal-dbt flush --rejected` gets them through."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from lineal_producer.clock import now

REJECTED: Final = ".rejected"


def add_entry(path: Path, entry: dict[str, Any]) -> None:
    """Add a refused event: `mark`, `status`, `answer`, `event`."""
    descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    with open(descriptor, "ab") as file:  # noqa: PTH123 - a descriptor
        file.write(f"\n{json.dumps({'at': now(), **entry})}\n".encode("ascii"))  # the line before may be torn


def read_entries(path: Path) -> list[dict[str, Any]]:
    """The refused events of a file; a line that was torn by a full disk is left out."""
    return [entry for entry in map(_read_entry, path.read_bytes().splitlines()) if entry is not None]


def _read_entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and "mark" in entry and "event" in entry else None


class Rejected:
    """A file of refused events that is tried again: what is refused once more stays in it, with the new answer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries = {str(entry["mark"]): entry for entry in read_entries(path)}
        self._again: dict[str, dict[str, Any]] = {}
        self.sent: set[str] = set()

    def entries(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(key of the door that refused it, mark, event) of each."""
        for full_mark, entry in self._entries.items():
            door, _, mark = full_mark.partition(":")
            yield door, mark, entry["event"]

    def acknowledge(self, mark: str) -> None:
        """Note that an event was answered."""
        self.sent.add(mark)

    def keep(self, mark: str, doors: Iterable[str], event: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - a ledger
        """The event to send."""
        return event

    def reject(self, entry: dict[str, Any]) -> None:
        """Note that an event was refused once more."""
        self._again[str(entry["mark"])] = {"at": now(), **entry}

    def finish(self) -> int:
        """Write what is left; gives how many were accepted."""
        left = {mark: entry for mark, entry in self._entries.items() if mark not in self.sent} | self._again
        if left:
            replacement = self._path.with_suffix(".rejected.new")
            replacement.write_bytes(b"".join(json.dumps(entry).encode("ascii") + b"\n" for entry in left.values()))
            replacement.replace(self._path)
        else:
            self._path.unlink()
        return len(self._entries) - len(left)
