"""Carries the events of a spool to every door that the client's configuration has, and notes what arrived."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable
from typing import Any, Protocol

from lineal_producer.client_event import Additions
from lineal_producer.transport import Outcome, doors_of, open_client
from lineal_producer.worker.sender import Delivered, Parcel, Sender


class Ledger(Protocol):
    """What notes which events were sent and which were refused."""

    sent: set[str]

    def acknowledge(self, mark: str) -> None:
        """Note that an event needs no sending any more."""
        ...

    def keep(self, mark: str, doors: Iterable[str], event: dict[str, Any]) -> dict[str, Any]:
        """The event in the form that these doors get, the same at every attempt."""
        ...

    def reject(self, entry: dict[str, Any]) -> None:
        """Keep an event that was refused."""
        ...


class Courier:
    """The doors and what the client adds to an event; TransportError when the configuration can't be used."""

    def __init__(self) -> None:
        client = open_client()
        self._additions = Additions(client)
        self._senders = [Sender(door) for door in doors_of(client.transport)]
        self._mutex = threading.Lock()
        self.sent = 0
        self.rejected = 0

    def carry(
        self,
        ledger: Ledger | None,
        mark: str,
        event: dict[str, Any],
        door: str | None = None,
        *,
        until: float = 0.0,
        patience: float = math.inf,
    ) -> None:
        """Send an event through each door that it has not been through, or through the one with this key.

        Where too much waits already, it is let wait on disk, or with `until` for its turn as `Sender.has_room` says.
        """
        waiting = [
            sender
            for sender in self._senders
            if door in (None, sender.door.key)
            and (ledger is None or f"{sender.door.key}:{mark}" not in ledger.sent)
            and sender.has_room(until, patience)
        ]
        if not waiting:
            return
        added = self._additions.apply(event)
        if added is not None and ledger is not None:
            with self._mutex:
                added = ledger.keep(mark, [sender.door.key for sender in waiting], added)
        for sender in waiting:
            full_mark = f"{sender.door.key}:{mark}"
            if added is None:  # the user's filter
                self.note(ledger, full_mark)
            else:
                sender.put(Parcel(full_mark, _run_of(added), added, self._delivery(ledger)))

    def _delivery(self, ledger: Ledger | None) -> Delivered:
        def delivered(mark: str, outcome: Outcome, event: dict[str, Any]) -> None:
            with self._mutex:
                if outcome.verdict == "rejected":
                    self.rejected += 1
                    if ledger is not None:
                        ledger.reject(
                            {"mark": mark, "status": outcome.status, "answer": outcome.detail, "event": event}
                        )
                else:
                    self.sent += 1
            self.note(ledger, mark)

        return delivered

    def note(self, ledger: Ledger | None, mark: str) -> None:
        """Have a mark acknowledged, by one thread at a time."""
        if ledger is not None:
            with self._mutex:
                ledger.acknowledge(mark)

    def wait_idle(self, seconds: float, patience: float = math.inf) -> bool:
        """Wait until all was sent, at most so long, less when a door fails for `patience` seconds; else False."""
        until = time.monotonic() + seconds
        idle = [sender.wait_idle(until, patience) for sender in self._senders]
        return all(idle)

    def reopen(self) -> bool:
        """Begin anew, though there were too many events, if those that were taken are sent; whether that is so."""
        reopened = [sender.reopen() for sender in self._senders]
        return all(reopened)

    def failing_for(self) -> float:
        """How long the worst door has let nothing through, in seconds."""
        return max((sender.failing_for() for sender in self._senders), default=0.0)

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
