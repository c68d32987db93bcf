"""Likely pairs of names: suggestions for operators' aliases, each with its reasons."""

from typing import Any

from lineal_receiver.api.v2.spelling import find_like_names, find_like_namespaces, read_spelling
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_orders import list_like_names, list_namespaces_in_use
from lineal_receiver.store.read_snapshot import Connection

MOST_NAMESPACES = 20_000
MOST_NAMES = 100_000
MOST_PAIRS = 1_000
CUT = f"only {MOST_NAMESPACES:,} namespaces and {MOST_NAMES:,} names of a kind were looked at"


async def find_likely(
    connection: Connection, kind: str | None, namespace: str | None
) -> tuple[list[dict[str, Any]], bool]:
    """Pairs {kind, old, new, reasons} of a kind (None: of each), in one namespace (None: in all); whether all names
    were looked at.

    `new` is the plainer one, else the one that is used more, or was last: the direction is a suggestion, too.
    """
    found: list[dict[str, Any]] = []
    whole = True
    if kind in (None, "namespace") and namespace is None:
        spaces = await list_namespaces_in_use(connection, MOST_NAMESPACES)
        whole = len(spaces) < MOST_NAMESPACES
        uses = dict(spaces)
        for pair in find_like_namespaces(uses):
            old, new = sorted((pair.one, pair.other), key=lambda name: (read_spelling(name).is_plain, uses[name]))
            found.append(_pair("namespace", {"namespace": old}, {"namespace": new}, pair.reasons))
    for entity in ("dataset", "job"):
        if kind not in (None, entity):
            continue
        space = None if namespace is None else namespace_id(namespace)
        for inside, names in await list_like_names(connection, entity, space, MOST_NAMES, MOST_PAIRS):
            for alike in find_like_names(names):
                one, other = ({"namespace": inside, "name": name} for name in (alike.one, alike.other))
                found.append(_pair(entity, other, one, alike.reasons))
    return found[:MOST_PAIRS], whole and len(found) <= MOST_PAIRS


def _pair(kind: str, old: dict[str, str], new: dict[str, str], reasons: tuple[str, ...]) -> dict[str, Any]:
    return {"kind": kind, "old": old, "new": new, "reasons": list(reasons)}
