"""Which names count as one: from claims to pointers, from pointers to roots. The rules: `docs/merge.md`, Aliases."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.store import write_aliases
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.write_aliases import Node, Pointer

Totals = Counter[tuple[UUID, str]]


async def derive_aliases(
    connection: Connection,
    changes: Changes,
    judged: Iterable[tuple[UUID, UUID]],
    named: tuple[Sequence[UUID], Sequence[UUID]],
) -> Totals:
    """Keep claims, turn the pointers that follow, and list or hide what another name stands for; the last of all locks.

    `judged` are runs of which the class of anything may have changed, `named` the datasets and the namespaces that may
    be new. Gives by how much totals of lists change.
    """
    touched: set[tuple[UUID, UUID]] = set()
    if changes.claims:
        rows = [(*key, at) for key, at in changes.claims.items()]
        touched |= await write_aliases.upsert_claims(connection, rows)
    runs = sorted(judged)
    if runs:
        touched |= await write_aliases.judge_claims(connection, runs)
    turned = await _turn_pointers(connection, touched) if touched else {}
    hidden, totals = await _find_hidden(connection, *named)
    if not turned and not hidden:
        return totals
    await write_aliases.lock_canon(connection)
    moved = await _move(connection, turned) if turned else set()
    for namespace, is_hidden in await write_aliases.hide_datasets(connection, sorted({*hidden, *moved})):
        for scope in (namespace, NONE):
            totals[scope, "datasets"] += -1 if is_hidden else 1
    return totals


async def _find_hidden(
    connection: Connection, datasets: Sequence[UUID], namespaces: Sequence[UUID]
) -> tuple[list[UUID], Totals]:
    """Those of these datasets, named by now, that are in no list; the namespaces are listed at once."""
    if not datasets and not namespaces:
        return [], Counter()
    hidden, spaces = await write_aliases.find_hidden(connection, sorted(datasets), sorted(namespaces))
    shown = await write_aliases.show_namespaces(connection, spaces) if spaces else 0
    return hidden, Counter({(NONE, "namespaces"): shown} if shown else {})


async def _turn_pointers(connection: Connection, touched: set[tuple[UUID, UUID]]) -> dict[UUID, Pointer]:
    """The pointers that must turn, with the names' rows locked; what only others dispute is written at once."""
    withdrawing = sorted({declarer for alias, declarer in touched if alias == NONE})
    await write_aliases.lock_claims(connection, alone=bool(withdrawing))
    names = {alias for alias, _ in touched if alias != NONE}
    if withdrawing:
        names |= await write_aliases.fetch_claimed(connection, withdrawing)
    before = await write_aliases.lock_pointers(connection, sorted(names))
    after = await write_aliases.fetch_pointers(connection, sorted(names))
    changed = {name: pointer for name, pointer in after.items() if pointer != before[name]}
    turned = {name: pointer for name, pointer in changed.items() if pointer.claimed != before[name].claimed}
    disputed = [(name, pointer) for name, pointer in sorted(changed.items()) if name not in turned]
    if disputed:
        await write_aliases.update_pointers(connection, disputed)
    return turned


async def _move(connection: Connection, turned: Mapping[UUID, Pointer]) -> set[UUID]:
    """Turn pointers and give every name that is led elsewhere its root; gives the names whose listing may change."""
    await write_aliases.update_pointers(connection, sorted(turned.items(), key=lambda item: item[0]))
    forest = await write_aliases.fetch_forest(connection, sorted(turned))
    roots = find_roots(forest)
    moved = {name: roots[name] for name, node in sorted(forest.items()) if roots[name] != (node.root or name)}
    await write_aliases.move(connection, moved)
    left = {forest[name].root or name for name in moved}
    return {*moved, *moved.values(), *left}


def find_roots(forest: Mapping[UUID, Node]) -> dict[UUID, UUID]:
    """The root of each name: where its pointers end; of a cycle, the smallest id."""
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
            root = min(names[names.index(at) :])
        else:
            root = roots[at]
        roots |= dict.fromkeys(path, root)
    return roots
