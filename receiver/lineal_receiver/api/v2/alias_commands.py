"""What puts and removes operators' aliases: the arguments of the command, or why there is none to give."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from lineal_receiver.api.refusals import problem
from lineal_receiver.api.v2.alias_names import IDS, Named, bad_alias, read_kind, read_named
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_orders import fetch_any_names, find_order, follow_orders
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class Change:
    """A command to give: its action and arguments; None: it is so already."""

    action: str | None
    arguments: dict[str, Any]


def identify(kind: str, named: Named) -> UUID:
    """The id of what is named."""
    return namespace_id(named["namespace"]) if kind == "namespace" else IDS[kind](named["namespace"], named["name"])


def describe(named: Named) -> str:
    """A name in words."""
    return named["namespace"] if "name" not in named else f"{named['namespace']}:{named['name']}"


async def prepare_put(connection: Connection, asked: dict[str, Any]) -> Change:
    """Let `old` count as `new`, both of a `kind`.

    422: the request can't be read, or names one thing twice. 409: `new` counts as `old` by an operator's alias.
    """
    kind = read_kind(asked.get("kind"))
    old = await read_named(connection, kind, "old", asked.get("old"))
    new = await read_named(connection, kind, "new", asked.get("new"))
    arguments = {"kind": kind, "old": old, "new": new}
    source, target = identify(kind, old), identify(kind, new)
    if source == target:
        raise bad_alias(f"{describe(old)} can't be an alias of itself")
    if source in await follow_orders(connection, target):
        raise problem(
            409,
            "alias-circle",
            f"{describe(new)} counts as {describe(old)} by an alias: remove that one first "
            f"(lineal alias list shows it)",
        )
    standing = await find_order(connection, source)
    return Change(None if standing == target else "put_alias", arguments)


async def prepare_removal(connection: Connection, asked: dict[str, Any]) -> Change:
    """Let `old` count as itself, as far as operators are concerned; 404 if it has no operator's alias."""
    kind = read_kind(asked.get("kind"))
    old = await read_named(connection, kind, "old", asked.get("old"))
    standing = await find_order(connection, identify(kind, old))
    if standing is None:
        raise problem(404, "no-such-alias", f"there is no operator's alias of the {kind} {describe(old)}")
    space, name = (await fetch_any_names(connection, [standing]))[standing]
    new = {"namespace": space} if name is None else {"namespace": space, "name": name}
    return Change("remove_alias", {"kind": kind, "old": old, "new": new})
