"""Names that count as one, looked up as a read comes by them: answers name the root, whatever name was sent."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.renames import History
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_aliases import (
    Pair,
    fetch_aliases,
    fetch_replaced,
    fetch_roots,
    have_aliases,
    step_from_slots,
    step_to_slots,
)
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow, step_to_datasets, step_to_jobs
from lineal_receiver.store.read_renames import (
    RenameRow,
    SlotRow,
    fetch_ended_since,
    fetch_renames,
    fetch_slot_times,
    have_renames,
)
from lineal_receiver.store.read_snapshot import Connection

MOST_HOPS = 16
"""So many renames away names are looked for."""


class Identities:
    """The names of one read; where there is no alias and no rename, nothing is asked of the store."""

    def __init__(self, connection: Connection, *, aliases: bool, renames: bool) -> None:
        self.connection = connection
        self._aliases, self._renames = aliases, renames
        self._looked_up: set[UUID] = set()
        self._found: dict[RenameRow, None] = {}
        self._history = History(())

    @property
    def any(self) -> bool:
        """Whether any name may count as another."""
        return self._aliases or self._renames

    async def find_roots(self, names: Iterable[UUID]) -> dict[UUID, UUID]:
        """The name that stands for each name, itself for most."""
        own = {name: name for name in names}
        return own | (await fetch_roots(self.connection, list(own)) if self._aliases and own else {})

    async def expand(self, roots: list[UUID]) -> list[UUID]:
        """These names, all that count as them, and all that were renamed to or from any of them."""
        if not self.any or not roots:
            return roots
        near = await self._look_up(roots)
        return list(dict.fromkeys(name for root in roots for name in near[root]))

    async def expand_columns(self, columns: list[Column]) -> list[Column]:
        """These columns under every name that their datasets have or had."""
        if not self.any or not columns:
            return columns
        near = await self._look_up(list({dataset for dataset, _ in columns}))
        return list(dict.fromkeys((name, field) for dataset, field in columns for name in near[dataset]))

    async def _look_up(self, roots: list[UUID]) -> dict[UUID, list[UUID]]:
        """By root: all names that are the same dataset now, or were once; their renames are known afterwards."""
        near = {root: [root] for root in roots}
        if self._aliases:
            for root, aliases in (await fetch_aliases(self.connection, roots)).items():
                near[root] += aliases
        if not self._renames:
            return near
        await self._learn([name for names in near.values() for name in names])
        kin: dict[UUID, set[UUID]] = {}
        for rename in self._found:
            kin.setdefault(rename.old_id, set()).add(rename.new_id)
            kin.setdefault(rename.new_id, set()).add(rename.old_id)
        for names in near.values():
            for name in names:  # grows while it is gone through
                names += sorted(kin.get(name, set()) - set(names))
        every = list({name for names in near.values() for name in names})
        if self._aliases and every:
            others = await fetch_aliases(self.connection, every)
            for names in near.values():
                names += [alias for name in list(names) for alias in others.get(name, ()) if alias not in names]
        return near

    async def _learn(self, names: list[UUID]) -> None:
        """Look up what these names became and were, and these, and so on; between roots."""
        frontier = set(names) - self._looked_up
        for _ in range(MOST_HOPS):
            if not frontier:
                break
            self._looked_up |= frontier
            found = await fetch_renames(self.connection, list(frontier))
            roots = await self.find_roots(name for row in found for name in (row.old_id, row.new_id))
            rows = [RenameRow(roots[row.old_id], roots[row.new_id], row.at) for row in found]
            self._found |= dict.fromkeys(rows)
            frontier = {name for row in rows for name in (row.old_id, row.new_id)} - self._looked_up
            if self._aliases and frontier:
                aliases = await fetch_aliases(self.connection, list(frontier))
                frontier |= {alias for found_aliases in aliases.values() for alias in found_aliases} - self._looked_up
        self._history = History(self._found)

    async def find_current(self, names: dict[UUID, datetime | None]) -> dict[UUID, UUID]:
        """What is called now what these roots, last written at these times, were; most are what they were."""
        if not self._renames or not names:
            return {name: name for name in names}
        await self._learn(list(names))
        history = self._history
        return {
            name: history.follow_last(name) if history.is_gone(name, written) else name
            for name, written in names.items()
        }

    async def fold_columns(self, columns: list[Column]) -> list[Column]:
        """These columns, each once, under the names that stand for their datasets."""
        roots = await self.find_roots(dataset for dataset, _ in columns)
        return list(dict.fromkeys((roots[dataset], field) for dataset, field in columns))

    async def fold_edges(self, edges: list[ColumnEdgeRow], *, now: bool = True) -> list[ColumnEdgeRow]:
        """These edges between the names that stand for their datasets; `now`: without what another name's replaced."""
        if not self.any or not edges:
            return edges
        if not now:
            return await self._fold_past(edges)
        steps = [(edge.target_dataset, edge.job_id, edge.source_dataset) for edge in edges]
        folded = await self._settle(steps)
        return list(
            dict.fromkeys(
                replace(edge, target_dataset=place[0], job_id=place[1], source_dataset=place[2])
                for edge, step in zip(edges, steps, strict=True)
                if (place := folded[step]) is not None
            )
        )

    async def _fold_past(self, edges: list[ColumnEdgeRow]) -> list[ColumnEdgeRow]:
        ends = ((edge.target_dataset, edge.source_dataset, edge.job_id) for edge in edges)
        roots = await self.find_roots(name for three in ends for name in three)
        return list(
            dict.fromkeys(
                replace(
                    edge,
                    target_dataset=roots[edge.target_dataset],
                    source_dataset=roots[edge.source_dataset],
                    job_id=roots[edge.job_id],
                )
                for edge in edges
            )
        )

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets` now under any name; whether `limit` rows were too few."""
        if not self.any:
            jobs = await step_to_jobs(self.connection, datasets, limit)
            return jobs, len(jobs) == limit
        rows = await step_to_slots(self.connection, await self.expand(datasets), limit)
        folded = await self._settle(rows)
        wanted = set(datasets)
        near = (folded[row] for row in rows)
        kept = dict.fromkeys(place[1] for place in near if place is not None and wanted & {place[0], place[2]})
        return list(kept), len(rows) == limit

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write now, by the names that stand for it; whether `limit` rows were too few."""
        if not self.any:
            found = await step_to_datasets(self.connection, jobs, limit)
            return found, len(found) == limit
        rows = await step_from_slots(self.connection, await self._expand_jobs(jobs), limit)
        folded = await self._settle([(target, job, dataset) for job, target, dataset, _ in rows])
        steps = (
            StepRow(place[1], place[0] if side == "o" else place[2], side)
            for job, target, dataset, side in rows
            if (place := folded[target, job, dataset]) is not None
        )
        return list(dict.fromkeys(steps)), len(rows) == limit

    async def _expand_jobs(self, jobs: list[UUID]) -> list[UUID]:
        if not self._aliases or not jobs:
            return jobs
        aliases = await fetch_aliases(self.connection, jobs)
        return [name for job in jobs for name in (job, *aliases.get(job, ()))]

    async def _settle(
        self, steps: list[tuple[UUID, UUID, UUID]]
    ) -> dict[tuple[UUID, UUID, UUID], tuple[UUID, UUID, UUID] | None]:
        """What (slot's dataset, job, dataset) are called now; None where the slot was replaced under another name."""
        wanted = list(dict.fromkeys(steps))
        roots = await self.find_roots(name for three in wanted for name in three)
        pairs = list(dict.fromkeys((target, job) for target, job, _ in wanted))
        replaced = await fetch_replaced(self.connection, pairs) if self._aliases and pairs else set()
        if not self._renames or not wanted:
            return {
                (target, job, other): None if (target, job) in replaced else (roots[target], roots[job], roots[other])
                for target, job, other in wanted
            }
        await self._learn([roots[name] for target, _, other in wanted for name in (target, other) if name != NONE])
        slots = await self._place_slots(pairs, roots)
        placed: dict[tuple[UUID, UUID, UUID], tuple[UUID, UUID, UUID] | None] = {}
        for target, job, other in wanted:
            at, place = slots.get((target, job), (None, roots[target]))
            if place is None or (target, job) in replaced:
                placed[target, job, other] = None
            elif other == target:
                placed[target, job, other] = (place, roots[job], place)
            else:
                source = self._history.follow(roots[other], at, written=False) if at else roots[other]
                placed[target, job, other] = (place, roots[job], source or roots[other])
        return placed

    async def _place_slots(
        self, pairs: list[Pair], roots: dict[UUID, UUID]
    ) -> dict[Pair, tuple[datetime, UUID | None]]:
        """By slot: since when it is in force, and of what it is now; None: replaced there by a newer one."""
        jobs = list({job for _, job in pairs})
        datasets = await self.expand(list({roots[target] for target, _ in pairs if target != NONE}))
        known = await fetch_slot_times(self.connection, await self._expand_jobs(jobs), [*datasets, NONE])
        roots = roots | await self.find_roots(name for slot in known for name in (slot.dataset_id, slot.job_id))
        places = {slot: self._history.follow(roots[slot.dataset_id], slot.effective_at, written=True) for slot in known}
        newest: dict[Pair, SlotRow] = {}
        for slot, place in places.items():
            if place is not None:
                key = (place, roots[slot.job_id])
                newest[key] = max(newest.get(key, slot), slot, key=_age)
        moved = [
            (slot.dataset_id, slot.job_id, place, slot.effective_at)
            for slot, place in places.items()
            if place is not None and place != roots[slot.dataset_id] and newest[place, roots[slot.job_id]] == slot
        ]
        ended = await fetch_ended_since(self.connection, moved) if moved else set()
        return {
            (slot.dataset_id, slot.job_id): (
                slot.effective_at,
                place
                if place is not None
                and newest[place, roots[slot.job_id]] == slot
                and (slot.dataset_id, slot.job_id) not in ended
                else None,
            )
            for slot, place in places.items()
        }


def _age(slot: SlotRow) -> tuple[int, datetime, UUID, UUID]:
    return slot.rank, slot.effective_at, slot.dataset_id, slot.job_id


async def open_identities(connection: Connection) -> Identities:
    """The names as this read finds them."""
    return Identities(connection, aliases=await have_aliases(connection), renames=await have_renames(connection))
