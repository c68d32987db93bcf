"""Namespaces, sources, datasets and jobs that were put by the API."""

from collections.abc import Sequence
from typing import Any

import orjson

from lineal_receiver.ids import dataset_id, job_id, namespace_id, source_id
from lineal_receiver.ingest.command_facts import SourceFacts
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.commands.saying import say
from lineal_receiver.ingest.commands.tags import add_tag
from lineal_receiver.ingest.event import AT_ONCE, NAMES_FOR_GOOD, NO_VERSION, Event
from lineal_receiver.ingest.facts import Changes

PROCESSING = {"BATCH": "BATCH", "STREAM": "STREAMING", "SERVICE": "SERVICE"}


def _put_namespace(command: Command, changes: Changes) -> None:
    """arguments: namespace; owner; description (left out: as it was)."""
    said, name = command.arguments, command.arguments["namespace"]
    identity = namespace_id(name)
    changes.add_namespace(identity, name, command.time)
    changes.commands.put_namespace(
        identity,
        command.time,
        (command.key, said["owner"]) if said.get("owner") is not None else None,
        (command.key, said["description"]) if said.get("description") is not None else None,
    )


def _put_source(command: Command, changes: Changes) -> None:
    """arguments: name, type, url; description."""
    said = command.arguments
    source = SourceFacts(
        said["name"], command.key, said["type"], said["url"], said.get("description"), command.time, command.time
    )
    changes.commands.put_source(source_id(said["name"]), source)


def _say_dataset(command: Command) -> Sequence[Event]:
    """arguments: namespace, name, type, physicalName, source, url; fields, description, schemaLocation, tags.

    With runId (and its job) it is the run that wrote it.
    """
    said = command.arguments
    facets: dict[str, Any] = {
        "dataSource": {"name": said["source"], "uri": said["url"]},
        "lineal_dataset": {
            key: said[key] for key in ("type", "physicalName", "schemaLocation") if said.get(key) is not None
        },
    }
    if said.get("fields"):
        facets["schema"] = {"fields": [_schema_field(field) for field in said["fields"]]}
    if said.get("description") is not None:
        facets["documentation"] = {"description": said["description"]}
    dataset = {"namespace": said["namespace"], "name": said["name"], "facets": facets}
    if said.get("runId") is None:
        return [say(command, {"dataset": dataset}, kind="dataset")]
    run = {"run": {"runId": said["runId"]}, "job": said["job"], "outputs": [dataset]}
    return [say(command, run, kind="run", flags=AT_ONCE | NAMES_FOR_GOOD)]


def _schema_field(field: dict[str, Any]) -> dict[str, Any]:
    return {key: field[key] for key in ("name", "type", "description") if field.get(key) is not None}


def _put_dataset(command: Command, changes: Changes) -> None:
    said = command.arguments
    identity = dataset_id(said["namespace"], said["name"])
    for tag in said.get("tags") or ():
        add_tag(changes, identity, "", tag, command.time)
    for field in said.get("fields") or ():
        for tag in field.get("tags") or ():
            add_tag(changes, identity, field["name"], tag, command.time)


def _say_job(command: Command) -> Sequence[Event]:
    """arguments: job, type, inputs, outputs; location, description, runId."""
    said = command.arguments
    job = {**said["job"], "facets": job_facets(said)}
    if said.get("runId") is None:
        # What it writes counts from its first run on, as in Marquez: see `runs.py`.
        return [say(command, {"job": job, "inputs": _names(said["inputs"])}, kind="job", flags=NO_VERSION)]
    run = {"runId": said["runId"]}
    content = {"run": run, "job": job, "inputs": _names(said["inputs"]), "outputs": _names(said["outputs"])}
    return [say(command, content, kind="run", flags=AT_ONCE | NAMES_FOR_GOOD)]


def job_facets(said: dict[str, Any]) -> dict[str, Any]:
    """The facets that say a job's type, location and description, as far as they are told."""
    facets: dict[str, Any] = {}
    if said.get("type") is not None:
        facets["jobType"] = {"processingType": PROCESSING[said["type"]], "integration": "", "jobType": ""}
    if said.get("location") is not None:
        facets["sourceCodeLocation"] = {"type": "git", "url": said["location"]}
    if said.get("description") is not None:
        facets["documentation"] = {"description": said["description"]}
    return facets


def _names(listed: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"namespace": named["namespace"], "name": named["name"]} for named in listed]


def _put_job(command: Command, changes: Changes) -> None:
    said = command.arguments
    kept = {key: said.get(key) for key in ("type", "location", "inputs", "outputs")}
    body = orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()
    changes.commands.declare(job_id(said["job"]["namespace"], said["job"]["name"]), command.key, body)


ACTIONS = {
    "put_namespace": Action(asserts=_put_namespace),
    "put_source": Action(asserts=_put_source),
    "put_dataset": Action(says=_say_dataset, asserts=_put_dataset),
    "put_job": Action(says=_say_job, asserts=_put_job),
}
