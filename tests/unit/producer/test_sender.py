"""One door's queue: order within a run, patience with a receiver, and no event that holds up all others."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from lineal_producer.transport import SENT, Outcome
from lineal_producer.worker.sender import Parcel, Sender

LATER = Outcome("later", "not now", 503, wide=True)
ONLY_THIS = Outcome("later", "its own fault", 500, wide=False)


class ScriptedDoor:
    """A door whose answers a test decides."""

    name = "door"
    key = "door"

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.asked: list[str] = []
        self.answers: dict[str, list[Outcome]] = {}
        self.holds: dict[str, threading.Event] = {}
        self.begun = threading.Event()
        self.open = threading.Event()
        self.open.set()

    def send(self, event: dict[str, Any]) -> Outcome:
        self.begun.set()
        self.open.wait(300)
        name = event["name"]
        if name in self.holds:
            self.holds[name].wait(300)
        self.asked.append(name)
        left = self.answers.get(name, [])
        outcome = left.pop(0) if left else SENT
        if outcome.verdict == "sent":
            self.sent.append(name)
        return outcome

    def close(self, seconds: float) -> None:  # noqa: ARG002 - as doors are closed
        self.open.set()


@pytest.fixture
def door() -> ScriptedDoor:
    return ScriptedDoor()


@pytest.fixture
def sender(door: ScriptedDoor) -> Iterator[Sender]:
    sender = Sender(door)
    yield sender
    sender.stop(5)


def put(sender: Sender, *names: str) -> list[str]:
    """Send events `run/what`; gives the marks that are delivered."""
    delivered: list[str] = []
    for name in names:
        sender.put(
            Parcel(name, name.split("/")[0], {"name": name}, lambda mark, _outcome, _event: delivered.append(mark))
        )
    return delivered


def soon() -> float:
    return time.monotonic() + 300


def test_events_go_in_order(sender: Sender, door: ScriptedDoor) -> None:
    names = [f"{run}/{number}" for number in range(50) for run in "ab"]
    delivered = put(sender, *names)
    assert sender.wait_idle(soon())
    assert door.sent == delivered == names


def test_a_receiver_that_takes_nothing_is_asked_for_the_first_event_only(sender: Sender, door: ScriptedDoor) -> None:
    door.answers["a/0"] = [LATER, LATER]
    put(sender, "a/0", "b/0", "a/1")
    assert sender.wait_idle(soon())
    assert door.asked == ["a/0", "a/0", "a/0", "b/0", "a/1"]
    assert sender.problem is None


def test_an_event_that_fails_alone_holds_up_its_own_run_only(sender: Sender, door: ScriptedDoor) -> None:
    door.answers["a/0"] = [ONLY_THIS, ONLY_THIS]
    door.open.clear()
    put(sender, "a/0", "b/0", "a/1", "b/1", "a/2")
    door.open.set()
    assert sender.wait_idle(soon())
    assert [name for name in door.sent if name.startswith("b")] == ["b/0", "b/1"]
    assert [name for name in door.sent if name.startswith("a")] == ["a/0", "a/1", "a/2"]
    assert door.sent.index("b/1") < door.sent.index("a/0")


def test_waiting_ends_in_time_and_with_patience(sender: Sender, door: ScriptedDoor) -> None:
    door.answers["a/0"] = [LATER] * 1000
    put(sender, "a/0")
    assert not sender.wait_idle(time.monotonic() + 0.2)
    assert not sender.wait_idle(soon(), patience=0.3)
    assert sender.problem == "not now"
    assert sender.failing_for() > 0.3


def test_one_event_that_keeps_failing_ends_no_wait_for_those_that_were_not_tried(
    sender: Sender, door: ScriptedDoor
) -> None:
    door.answers["a/0"] = [ONLY_THIS] * 1000
    slow = door.holds["b/0"] = threading.Event()

    def let_go() -> None:
        while sender.failing_for() < 1.2:
            time.sleep(0.01)
        slow.set()

    put(sender, "a/0", "a/1", "b/0", "b/1")
    threading.Thread(target=let_go, daemon=True).start()
    assert not sender.wait_idle(soon(), patience=0.05)
    assert door.sent == ["b/0", "b/1"]
    assert "a/1" not in door.asked


def test_what_cannot_be_noted_stops_nothing(sender: Sender, door: ScriptedDoor) -> None:
    def no_space(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sender.put(Parcel("a/0", "a", {"name": "a/0"}, no_space))
    assert put(sender, "a/1") is not None
    assert not sender.wait_idle(soon())  # its file is still needed
    assert door.sent == ["a/0", "a/1"]
    assert sender.reopen()
    assert sender.wait_idle(soon())


def test_what_is_too_much_for_memory_is_left_on_disk(sender: Sender, door: ScriptedDoor) -> None:
    door.open.clear()
    delivered = put(sender, *(f"a/{number}" for number in range(2_500)))
    door.open.set()
    assert not sender.wait_idle(soon())
    assert sender.overflowed
    assert delivered == [f"a/{number}" for number in range(len(delivered))]
    assert 2_000 <= len(delivered) <= 2_001
    assert sender.reopen()
    assert put(sender, "a/later") is not None
    assert sender.wait_idle(soon())
    assert door.sent[-1] == "a/later"


def test_who_may_wait_gets_room_when_there_is_some(sender: Sender, door: ScriptedDoor) -> None:
    door.open.clear()
    put(sender, "a/first")
    assert door.begun.wait(300)  # it no longer waits
    put(sender, *(f"a/{number}" for number in range(2_000)))
    threading.Timer(0.1, door.open.set).start()
    assert sender.has_room(soon())
    assert sender.wait_idle(soon())
    assert len(door.sent) == 2_001


def test_who_waits_for_room_waits_as_long_as_told(sender: Sender, door: ScriptedDoor) -> None:
    door.open.clear()
    put(sender, "a/first")
    assert door.begun.wait(300)
    put(sender, *(f"a/{number}" for number in range(2_000)))
    assert not sender.has_room(time.monotonic() + 0.05)
    assert sender.overflowed
    assert not sender.reopen(), "what was put isn't sent"
