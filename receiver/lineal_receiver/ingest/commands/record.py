"""What a command is, and what a kind of command does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lineal_receiver.ids import register_key
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.facts import Changes

RANK = 2


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is kept: `arguments` are all that it depends on besides its time and id."""

    action: str
    time: datetime
    id: bytes
    arguments: dict[str, Any]

    @property
    def key(self) -> bytes:
        """The register key of what it says."""
        return register_key(self.time, RANK, self.id)


def _say_nothing(command: Command) -> Sequence[Event]:  # noqa: ARG001 - the signature of `Action.says`
    return ()


def _assert_nothing(command: Command, changes: Changes) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Action:
    """What a kind of command does. says: the events that would have said the same; asserts: adds what events can't."""

    says: Callable[[Command], Sequence[Event]] = _say_nothing
    asserts: Callable[[Command, Changes], None] = _assert_nothing
