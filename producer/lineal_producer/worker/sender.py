"""Sends events through one door, in order, and tries again what could not be sent."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from lineal_producer.border import attempt, log
from lineal_producer.transport import Door, Outcome

_FIRST_WAIT: Final = 0.1
_LONGEST_WAIT: Final = 3.0
_MOST_WAITING: Final = 2_000  # events in memory; past it they stay on disk only


Delivered = Callable[[str, Outcome, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Parcel:
    """An event under way: `mark` names it in its spool, `run` is the run whose order it must keep."""

    mark: str
    run: str
    event: dict[str, Any]
    delivered: Delivered


class Sender:
    """One thread and one door: events of a run keep their order, and one held up by its own fault lets others pass."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self._parcels: deque[Parcel] = deque()
        self._held: dict[str, deque[Parcel]] = {}
        self._condition = threading.Condition()
        self._stopping = False
        self._under_way: str | None = None  # the run of the event that is being sent
        self._failed: set[str] = set()  # runs whose last event came back for a fault of its own
        self._is_shut = False  # whether the last failure was the receiver's and not an event's
        self.overflowed = False
        self.problem: str | None = None
        self._failing_since: float | None = None
        self._is_unnoted = False  # whether what became of an event could not be written down
        self._thread = threading.Thread(target=self._work, name="lineal-send", daemon=True)
        self._thread.start()

    def has_room(self, until: float = 0.0, patience: float = math.inf) -> bool:
        """Whether an event can be put, at `until` (monotonic) at the latest or when nothing could be sent for so long.

        Once there was no room there is none any more, so that no event overtakes another, until `reopen` is called.
        """
        with self._condition:
            while len(self._parcels) >= _MOST_WAITING and not self.overflowed:
                left = until - time.monotonic()
                if left <= 0 or self.failing_for() > patience or not self._thread.is_alive():
                    self.overflowed = True
                else:
                    self._condition.wait(min(left, 0.5))
            return not self.overflowed

    def reopen(self) -> bool:
        """Begin anew, with room, if all that was put is sent; whether that is so."""
        with self._condition:
            is_idle = not self._parcels and not self._held and self._under_way is None
            self.overflowed = self.overflowed and not is_idle
            self._is_unnoted = self._is_unnoted and not is_idle
            return is_idle

    def put(self, parcel: Parcel) -> None:
        """Have an event sent."""
        if not self.has_room():
            return
        with self._condition:
            self._parcels.append(parcel)
            self._condition.notify_all()

    def wait_idle(self, until: float, patience: float = math.inf) -> bool:
        """Wait until nothing is left to send; False at `until` (monotonic), or when what is left has failed so long.

        False, too, when something could not be noted since `reopen`: whoever forgot it now would lose it.
        """
        with self._condition:
            while self._parcels or self._held or self._under_way is not None:
                left = until - time.monotonic()
                if left <= 0 or not self._thread.is_alive():
                    return False
                if self.failing_for() > patience and (self._is_shut or not self._has_untried()):
                    return False
                self._condition.wait(min(left, 0.5))
            return not self.overflowed and not self._is_unnoted

    def _has_untried(self) -> bool:
        runs = {parcel.run for parcel in self._parcels} | ({self._under_way} if self._under_way is not None else set())
        return not runs <= self._failed

    def failing_for(self) -> float:
        """How long nothing could be sent, in seconds."""
        return 0.0 if self._failing_since is None else time.monotonic() - self._failing_since

    def stop(self, seconds: float) -> None:
        """Send nothing more."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._thread.join(seconds)
        self.door.close(seconds)

    def _work(self) -> None:
        wait = _FIRST_WAIT
        while (parcel := self._next()) is not None:
            outcome = self.door.send(parcel.event)
            with self._condition:
                self._note(parcel.run, outcome)
            if outcome.verdict == "later":
                self.problem = outcome.detail
                self._failing_since = self._failing_since or time.monotonic()
                self._put_back(parcel, hold=not outcome.wide)
                self._pause(outcome.retry_after or wait)
                wait = min(wait * 2, _LONGEST_WAIT)
                continue
            wait = _FIRST_WAIT
            self.problem = self._failing_since = None
            _, error = attempt(partial(parcel.delivered, parcel.mark, outcome, parcel.event))
            if error is not None:  # what could not be noted is sent again later
                log.warning("%s: what became of it can't be noted: %s", parcel.mark, error)
            with self._condition:
                self._is_unnoted = self._is_unnoted or error is not None
                self._under_way = None
                self._condition.notify_all()

    def _note(self, run: str, outcome: Outcome) -> None:
        self._is_shut = outcome.verdict == "later" and outcome.wide
        if outcome.verdict != "later":
            self._failed.discard(run)
        elif not outcome.wide:
            self._failed.add(run)

    def _next(self) -> Parcel | None:
        with self._condition:
            while not self._stopping:
                while self._parcels and self._parcels[0].run in self._held:
                    parcel = self._parcels.popleft()
                    self._held[parcel.run].append(parcel)
                if self._parcels:
                    parcel = self._parcels.popleft()
                    self._under_way = parcel.run
                    return parcel
                if self._held:  # nothing else is left: their turn again
                    for parcels in self._held.values():
                        self._parcels.extend(parcels)
                    self._held.clear()
                    continue
                self._condition.wait()
            return None

    def _put_back(self, parcel: Parcel, *, hold: bool) -> None:
        with self._condition:
            if hold:
                self._held.setdefault(parcel.run, deque()).append(parcel)
            else:
                self._parcels.appendleft(parcel)
            self._under_way = None

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        with self._condition:
            while not self._stopping and (left := until - time.monotonic()) > 0:
                self._condition.wait(left)
