"""Runs that are created and told on by the API."""

from collections.abc import Sequence
from typing import Any

from lineal_receiver.ingest.commands.entities import job_facets
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.commands.saying import say
from lineal_receiver.ingest.event import NAMES_FOR_GOOD, Event
from lineal_receiver.ingest.times import parse_time


def _say_created(command: Command) -> Sequence[Event]:
    """arguments: job, runId; nominalStartTime, nominalEndTime, args; declared (what the job was put with).

    The run begins with its job's declared inputs, outputs, type and location, as they were when it was created.
    """
    said = command.arguments
    declared = said.get("declared") or {}
    facets: dict[str, Any] = {}
    times = {key: said[key] for key in ("nominalStartTime", "nominalEndTime") if said.get(key) is not None}
    if times:
        facets["nominalTime"] = times
    if said.get("args"):
        facets["lineal_run"] = {"args": said["args"]}
    content = {
        "run": {"runId": said["runId"], "facets": facets},
        "job": {**said["job"], "facets": job_facets({key: declared.get(key) for key in ("type", "location")})},
        "inputs": [dict(named) for named in declared.get("inputs") or ()],
        "outputs": [dict(named) for named in declared.get("outputs") or ()],
    }
    return [say(command, content, kind="run", flags=NAMES_FOR_GOOD)]


def _say_marked(command: Command) -> Sequence[Event]:
    """arguments: job, runId, state (START, COMPLETE, FAIL, ABORT); at (else the command's time)."""
    said = command.arguments
    time = parse_time(said.get("at"))
    content = {"run": {"runId": said["runId"]}, "job": said["job"]}
    return [say(command, content, kind="run", event_type=said["state"], at=time.instant if time else None)]


ACTIONS = {
    "create_run": Action(says=_say_created),
    "mark_run": Action(says=_say_marked),
}
