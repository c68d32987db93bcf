"""Tags: described, added to and removed from datasets, their fields and jobs."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import dataset_id, job_id, tag_id
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.facts import Changes


def add_tag(changes: Changes, entity: UUID, field: str, tag: str, at: datetime) -> None:
    """A tag is on an entity, or on its field, from this time on."""
    changes.commands.put_tag(tag_id(tag), tag, None)
    changes.commands.tag(entity, field, tag, added=at, removed=None)


def _put_tag(command: Command, changes: Changes) -> None:
    """arguments: name, description (null: none)."""
    said = command.arguments
    changes.commands.put_tag(tag_id(said["name"]), said["name"], (command.key, said.get("description")))


def _tagged(command: Command) -> tuple[UUID, str]:
    """arguments: kind dataset or job, namespace, name, tag; field (of a dataset)."""
    said = command.arguments
    find = dataset_id if said["kind"] == "dataset" else job_id
    return find(said["namespace"], said["name"]), said.get("field") or ""


def _add_tag(command: Command, changes: Changes) -> None:
    add_tag(changes, *_tagged(command), command.arguments["tag"], command.time)


def _remove_tag(command: Command, changes: Changes) -> None:
    entity, field = _tagged(command)
    changes.commands.tag(entity, field, command.arguments["tag"], added=None, removed=command.time)


ACTIONS = {
    "put_tag": Action(asserts=_put_tag),
    "add_tag": Action(asserts=_add_tag),
    "remove_tag": Action(asserts=_remove_tag),
}
