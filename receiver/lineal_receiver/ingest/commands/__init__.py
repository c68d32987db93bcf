"""Command records: API writes, each a body with an id and a time that the server chose.

Pure: what a command does is a function of its body alone, so it can be folded in any order among events and others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import orjson

from lineal_receiver.ids import content_id, job_id, run_uuid, storable
from lineal_receiver.ingest.commands import aliases, deletions, entities, keeping, runs, tags, trust
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.times import parse_time

ACTIONS: dict[str, Action] = {
    **aliases.ACTIONS,
    **entities.ACTIONS,
    **runs.ACTIONS,
    **tags.ACTIONS,
    **deletions.ACTIONS,
    **keeping.ACTIONS,
    **trust.ACTIONS,
}
"""Every kind of command, by the name under which the log keeps it."""


@dataclass(eq=False)
class UnknownCommand(Exception):
    """A body that is no command of this version."""

    reason: str


def build_command(action: str, time: datetime, arguments: dict[str, Any], nonce: UUID | None = None) -> Event:
    """A command's record, ready to be kept; two with the same arguments are two (`nonce` tells them apart)."""
    at = time.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
    content = {"command": action, "id": str(nonce or uuid4()), "time": at, "arguments": _storable(arguments)}
    return read_command(orjson.dumps(content, option=orjson.OPT_SORT_KEYS))


def read_command(body: bytes) -> Event:
    """The record of a command by its body; UnknownCommand if it is none."""
    try:
        content = orjson.loads(body)
        action, time, known = content["command"], parse_time(content["time"]), content["arguments"]
    except (ValueError, TypeError, KeyError) as error:
        raise UnknownCommand(f"it can't be read as a command: {error!r}") from None
    if action not in ACTIONS or time is None or not isinstance(known, dict):
        raise UnknownCommand(f"there is no command {action!r} in this version")
    job, run = _find_run(known)
    return Event(
        kind="command", event_type=action, time=time.instant, id=content_id(body), flags=0, body=body, job=job,
        run=run, content=content, facets={}, invalid=frozenset(), again=partial(read_command, body),
    )  # fmt: skip


def _find_run(arguments: dict[str, Any]) -> tuple[UUID | None, UUID | None]:
    """The job and run that a command tells of."""
    named, run = arguments.get("job"), arguments.get("runId")
    if named is None or run is None:
        return None, None
    return job_id(named["namespace"], named["name"]), run_uuid(run)[0]


def fold_command(record: Event, changes: Changes) -> Sequence[Event]:
    """Add what only a command can say to the changes; gives the events that stand for the rest."""
    command = Command(str(record.event_type), record.time, record.id, record.content["arguments"])
    action = ACTIONS[command.action]
    action.asserts(command, changes)
    return action.says(command)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value
