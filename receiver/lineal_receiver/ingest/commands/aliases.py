"""Operators' aliases: one name counts as another from now on, for what was and what comes; until that is removed."""

from uuid import UUID

from lineal_receiver.ids import dataset_id, job_id, namespace_id
from lineal_receiver.ingest.command_facts import Order
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.facts import Changes

IDS = {"dataset": dataset_id, "job": job_id}


def _name(changes: Changes, kind: str, named: dict[str, str]) -> UUID:
    """The id of a name {namespace, name}, or {namespace}, which an alias mentions."""
    facts, space = changes.commands, namespace_id(named["namespace"])
    facts.ordered_namespaces[space] = named["namespace"]
    if kind == "namespace":
        return space
    identity = IDS[kind](named["namespace"], named["name"])
    facts.ordered_names[identity] = (kind, space, named["name"])
    return identity


def _put_alias(command: Command, changes: Changes) -> None:
    """arguments: kind namespace, dataset or job; old, new: {namespace, name}, of a namespace {namespace}."""
    kind = command.arguments["kind"]
    old, new = (_name(changes, kind, command.arguments[end]) for end in ("old", "new"))
    changes.commands.order(old, Order(kind, new if new != old else None, command.key, command.time))
    if kind == "namespace" and new != old:
        changes.commands.routes.add((old, new))


def _remove_alias(command: Command, changes: Changes) -> None:
    """arguments: kind, old."""
    kind = command.arguments["kind"]
    old = _name(changes, kind, command.arguments["old"])
    changes.commands.order(old, Order(kind, None, command.key, command.time))


ACTIONS = {"put_alias": Action(asserts=_put_alias), "remove_alias": Action(asserts=_remove_alias)}
