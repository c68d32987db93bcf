"""Which names count as one: from claims and orders to pointers, from pointers to roots (`docs/merge.md`, Aliases)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.store import write_aliases, write_listing, write_orders, write_pointers
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.write_listing import Names
from lineal_receiver.store.write_pointers import Node, Pointer

Totals = Counter[tuple[UUID, str]]


async def derive_aliases(
    connection: Connection, changes: Changes, judged: Iterable[tuple[UUID, UUID]], named: Names
) -> Totals:
    """Keep claims and orders, turn the pointers that follow, and list or hide names; the last of all locks.

    `judged` are runs of which the class of anything may have changed, `named` what may be new. Gives by how much totals
    of lists change.
    """
    if changes.renames:
        await write_aliases.upsert_renames(connection, [(*key, at) for key, at in changes.renames.items()])
    claimed = await _write_claims(connection, changes, sorted(judged))
    ordered = await _write_orders(connection, changes)
    if not claimed and not ordered and not named:
        return Counter()
    withdrawing = sorted({declarer for alias, declarer in claimed if alias == NONE})
    spaces = [name for name, kind in ordered if kind == "namespace"]
    if spaces:
        await write_aliases.take_time(connection)
    await write_aliases.lock_claims(connection, alone=bool(withdrawing or spaces))
    hidden, routed = await write_listing.find_new(connection, named) if named else (set(), set())
    hidden.difference_update(named.mentioned)
    names = {alias for alias, _ in claimed if alias != NONE} | {name for name, _ in ordered}
    routed |= changes.commands.ordered_names.keys()
    if withdrawing:
        names |= await write_aliases.fetch_claimed(connection, withdrawing)
    if routed or spaces:
        names |= await _spread(connection, sorted(routed), spaces)
    turned = await _turn_pointers(connection, names) if names else {}
    if not turned and not hidden:
        return Counter()
    await write_aliases.lock_canon(connection)
    moved = await _move(connection, turned) if turned else set()
    return await _list(connection, sorted({*hidden, *moved}))


async def _write_claims(
    connection: Connection, changes: Changes, judged: Sequence[tuple[UUID, UUID]]
) -> set[tuple[UUID, UUID]]:
    """(alias, declarer) of the claims that are new, said again later, or of another class than before."""
    touched: set[tuple[UUID, UUID]] = set()
    if changes.claims:
        rows = [(*key, at) for key, at in changes.claims.items()]
        touched |= await write_aliases.upsert_claims(connection, rows)
    if judged:
        touched |= await write_aliases.judge_claims(connection, judged)
    return touched


async def _write_orders(connection: Connection, changes: Changes) -> list[tuple[UUID, str]]:
    """(id, kind) of the names that an operator ordered anew; all that are mentioned can be shown from here on."""
    facts = changes.commands
    if not facts.orders:
        return []
    for kind, insert in (("dataset", write_orders.insert_datasets), ("job", write_orders.insert_jobs)):
        mentioned = [
            (name, space, text) for name, (said, space, text) in sorted(facts.ordered_names.items()) if said == kind
        ]
        if kind == "dataset":
            await write_orders.insert_namespaces(connection, sorted(facts.ordered_namespaces.items()))
        if mentioned:
            await insert(connection, mentioned)
    routed = await write_orders.insert_routes(connection, sorted(facts.routes)) if facts.routes else set()
    rows = [(name, order.kind, order.target, order.key, order.at) for name, order in facts.orders.items()]
    changed = await write_orders.upsert_orders(connection, rows)
    return list({*changed, *((space, "namespace") for space in routed)})


async def _spread(connection: Connection, names: Sequence[UUID], spaces: Sequence[UUID]) -> set[UUID]:
    """Names in namespaces that count as others, with their like there, which is made."""
    spread = await write_orders.fetch_spread(connection, names, spaces)
    datasets = [(name, space, text) for kind, name, space, text in spread if kind == "dataset"]
    jobs = [(name, space, text) for kind, name, space, text in spread if kind == "job"]
    await write_orders.insert_datasets(connection, datasets)
    await write_orders.insert_jobs(connection, jobs)
    return {name for _, name, _, _ in spread}


async def _turn_pointers(connection: Connection, names: set[UUID]) -> dict[UUID, Pointer]:
    """The pointers that must turn, with the names' rows locked; what turns nothing is written at once."""
    names = names | await write_pointers.fetch_forward(connection, sorted(names))
    before = await write_pointers.lock_pointers(connection, sorted(names))
    after = await write_pointers.fetch_pointers(connection, sorted(names))
    changed = {name: pointer for name, pointer in after.items() if pointer != before[name]}
    turned = {name: pointer for name, pointer in changed.items() if _leads(pointer) != _leads(before[name])}
    kept = [(name, pointer) for name, pointer in sorted(changed.items()) if name not in turned]
    if kept:
        await write_pointers.update_pointers(connection, kept)
    return turned


def _leads(pointer: Pointer) -> tuple[UUID | None, bool]:
    """What matters of a pointer to the forest."""
    return pointer.target, pointer.ordered is not None


async def _move(connection: Connection, turned: Mapping[UUID, Pointer]) -> set[UUID]:
    """Turn pointers and give every name that is led elsewhere its root; gives the names whose listing may change."""
    await write_pointers.update_pointers(connection, sorted(turned.items(), key=lambda item: item[0]))
    forest = await write_pointers.fetch_forest(connection, sorted(turned))
    roots = find_roots(forest)
    moved = {name: roots[name] for name, node in sorted(forest.items()) if roots[name] != (node.root or name)}
    await write_pointers.move(connection, moved)
    left = {forest[name].root or name for name in moved}
    return {*moved, *moved.values(), *left}


def find_roots(forest: Mapping[UUID, Node]) -> dict[UUID, UUID]:
    """The root of each name: where its pointers end.

    A circle ends at the name that only a claim leads on from, so that an order has its way; of several the smallest id.
    """
    roots: dict[UUID, UUID] = {}
    for start in forest:
        path: dict[UUID, None] = {}
        at = start
        while at not in roots and at not in path:
            path[at] = None
            target = forest[at].target if at in forest else None
            if target is None:
                roots[at] = at
                break
            at = target
        if at in path and at not in roots:
            names = list(path)
            circle = names[names.index(at) :]
            root = min([name for name in circle if not forest[name].ordered] or circle)
        else:
            root = roots[at]
        roots |= dict.fromkeys(path, root)
    return roots


async def list_again(connection: Connection, names: Sequence[UUID]) -> Totals:
    """List or hide these names, which were deleted or aren't any more; gives by how much totals of lists change.

    Who makes names count as one meanwhile comes before or after this.
    """
    await write_aliases.lock_canon(connection)
    return await _list(connection, sorted(names))


async def _list(connection: Connection, names: Sequence[UUID]) -> Totals:
    """List or hide these names, and the namespaces that may have gained or lost their last one."""
    totals: Totals = Counter()
    spaces: set[UUID] = set()
    for kind, hide in (("datasets", write_listing.hide_datasets), ("jobs", write_listing.hide_jobs)):
        for namespace, is_hidden in await hide(connection, names):
            spaces.add(namespace)
            for scope in (namespace, NONE):
                totals[scope, kind] += -1 if is_hidden else 1
    grown = await write_listing.hide_namespaces(connection, sorted({*names, *spaces}))
    if grown:
        totals[NONE, "namespaces"] = grown
    return totals
