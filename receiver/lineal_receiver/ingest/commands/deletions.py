"""Soft deletion of namespaces, jobs and datasets: hidden until an event comes that is later than all that were seen."""

from collections.abc import Callable
from uuid import UUID

from lineal_receiver.ids import dataset_id, first_key, job_id, namespace_id
from lineal_receiver.ingest.command_facts import Tombstone
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.joins import SEEN, build_seen
from lineal_receiver.ingest.times import parse_time

NEVER = bytes(SEEN)

_FIND: dict[str, Callable[[str, str], UUID]] = {
    "namespace": lambda namespace, _: namespace_id(namespace),
    "job": job_id,
    "dataset": dataset_id,
}


def _delete(command: Command, changes: Changes) -> None:
    """arguments: kind (namespace, job, dataset), namespace, name; at, ids: of the newest event, of those of its time.

    `at` is null where nothing but events from the future were seen. `ids` are beginnings of record ids, in hex.
    """
    said = command.arguments
    space = namespace_id(said["namespace"])
    entity = _FIND[said["kind"]](said["namespace"], said.get("name") or "")
    at = parse_time(said.get("at"))
    mark = NEVER if at is None else build_seen(first_key(at.instant), (bytes.fromhex(text) for text in said["ids"]))
    changes.commands.delete(entity, Tombstone(said["kind"], space, mark))


ACTIONS = {"delete": Action(asserts=_delete)}
