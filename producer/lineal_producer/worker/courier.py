"""Carries the events of a spool to every door that the client's configuration has, and notes what arrived."""

from __future__ import annotations

import threading
import time
from typing import Any

from lineal_producer.client_event import Additions
from lineal_producer.transport import Outcome, doors_of, open_client
from lineal_producer.worker.sender import Parcel, Sender
from lineal_producer.worker.spool import Spool


class Courier:
    """The doors and what the client adds to an event; TransportError when the configuration can't be used."""

    def __init__(self) -> None:
        client = open_client()
        self._additions = Additions(client)
        self._senders = [Sender(door) for door in doors_of(client.transport)]
        self._mutex = threading.Lock()
        self.sent = 0
        self.rejected = 0

    def carry(self, spool: Spool | None, mark: str, event: dict[str, Any]) -> None:
        """Send an event through each door that it has not been through."""
        waiting = [sender for sender in self._senders if spool is None or f"{sender.door.key}:{mark}" not in spool.sent]
        if not waiting:
            return
        added = self._additions.apply(event)
        for sender in waiting:
            full_mark = f"{sender.door.key}:{mark}"
            if added is None:  # the user's filter
                self._note(spool, full_mark)
            else:
                sender.put(Parcel(full_mark, _run_of(added), added, self._delivery(spool)))

    def _delivery(self, spool: Spool | None) -> Any:
        def delivered(mark: str, outcome: Outcome, event: dict[str, Any]) -> None:
            with self._mutex:
                if outcome.verdict == "rejected":
                    self.rejected += 1
                    if spool is not None:
                        spool.reject({"mark": mark, "status": outcome.status, "answer": outcome.detail, "event": event})
                else:
                    self.sent += 1
            self._note(spool, mark)

        return delivered

    def _note(self, spool: Spool | None, mark: str) -> None:
        if spool is not None:
            with self._mutex:
                spool.acknowledge(mark)

    def wait_idle(self, seconds: float) -> bool:
        """Wait until all was sent, at most so long; False when something was not."""
        until = time.monotonic() + seconds
        idle = [sender.wait_idle(until) for sender in self._senders]
        return all(idle)

    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return all(sender.is_idle() for sender in self._senders)

    def is_complete(self) -> bool:
        """Whether nothing had to be left on disk."""
        return not any(sender.overflowed for sender in self._senders)

    def problem(self) -> str | None:
        """Why events wait, as the last attempt tells."""
        return next((sender.problem for sender in self._senders if sender.problem), None)

    def close(self, seconds: float = 1.0) -> None:
        """Send nothing more."""
        for sender in self._senders:
            sender.stop(seconds)


def _run_of(event: dict[str, Any]) -> str:
    run = event.get("run")
    return str(run["runId"]) if run else ""
