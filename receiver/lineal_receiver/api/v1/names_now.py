"""What is in force, under the names of now: the slots of one dataset or job under several names taken together."""

from datetime import datetime
from functools import partial
from uuid import UUID

from lineal_receiver.api.v1.ahead import ColumnsAhead, TablesAhead
from lineal_receiver.api.v1.identities import Identities, open_identities
from lineal_receiver.api.v1.left_behind import LeftBehind
from lineal_receiver.api.v1.steps import Step, TableSteps
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_ahead import look_around, look_at_columns
from lineal_receiver.store.read_aliases import Pair, fetch_replaced, step_from_slots, step_to_slots
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow, step_downstream, step_upstream
from lineal_receiver.store.read_graph import StepRow, step_to_datasets, step_to_jobs
from lineal_receiver.store.read_renames import SlotRow, fetch_ended_since, fetch_slot_times
from lineal_receiver.store.read_snapshot import Connection

Use = tuple[UUID, UUID, UUID]
"""A slot's dataset, its job, and a dataset that this reads (or the slot's again)."""

FAR = 3
"""So many levels are more than one look at all that lies ahead."""


class NamesNow:
    """The steps of walks through what is in force now."""

    def __init__(self, identities: Identities) -> None:
        self.identities, self._connection = identities, identities.connection
        self.left = LeftBehind(identities) if identities.renames else None

    async def look_at_columns(self, columns: list[Column], depth: int, *, upstream: bool) -> Step:
        """Steps in one direction from `columns`, looked up at once where the way is long and the graph small."""
        step = self.step_upstream if upstream else self.step_downstream
        if depth >= FAR and not self.identities.any:
            ahead = ColumnsAhead(partial(look_at_columns, self._connection, upstream=upstream), step, upstream=upstream)
            if await ahead.look(columns):
                return ahead.step
        return step

    async def look_around(self, jobs: list[UUID], datasets: list[UUID], depth: int) -> TableSteps:
        """Steps from these jobs and datasets, looked up at once where the way is long and the graph small."""
        if depth >= FAR and not self.identities.any:
            steps = await look_around(self._connection, jobs, datasets)
            if steps is not None:
                return TablesAhead(steps)
        return self

    async def step_upstream(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges into `columns` under any name; whether `limit` rows were too few."""
        edges = await step_upstream(self._connection, await self.identities.expand_columns(columns), limit)
        found = await self.fold_edges(edges) + await self._list_left(columns, limit)
        wanted = set(columns)
        return list(dict.fromkeys(edge for edge in found if edge.target in wanted)), len(edges) == limit

    async def step_downstream(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges out of `columns` under any name; whether `limit` rows were too few."""
        edges = await step_downstream(self._connection, await self.identities.expand_columns(columns), limit)
        found = await self.fold_edges(edges) + await self._list_left(columns, limit)
        wanted = set(columns)
        return list(dict.fromkeys(edge for edge in found if edge.source in wanted)), len(edges) == limit

    async def _list_left(self, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
        if self.left is None or not columns:
            return []
        return await self.left.list_edges(list({dataset for dataset, _ in columns}), limit)

    async def fold_edges(self, edges: list[ColumnEdgeRow]) -> list[ColumnEdgeRow]:
        """These edges between the names that stand for their datasets, without what another name's replaced."""
        if not self.identities.any or not edges:
            return edges
        steps = [(edge.target_dataset, edge.job_id, edge.source_dataset) for edge in edges]
        folded = await self.settle(steps)
        return list(
            dict.fromkeys(
                edge._replace(target_dataset=place[0], job_id=place[1], source_dataset=place[2])
                for edge, step in zip(edges, steps, strict=True)
                if (place := folded[step]) is not None
            )
        )

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets` now under any name; whether `limit` rows were too few."""
        if not self.identities.any:
            jobs = await step_to_jobs(self._connection, datasets, limit)
            return jobs, len(jobs) == limit
        rows = await step_to_slots(self._connection, await self.identities.expand(datasets), limit)
        folded = await self.settle(rows)
        wanted = set(datasets)
        near = (folded[row] for row in rows)
        kept = dict.fromkeys(place[1] for place in near if place is not None and wanted & {place[0], place[2]})
        left = await self.left.list_uses(datasets, [], limit) if self.left is not None else []
        kept |= dict.fromkeys(use.job for use in left if wanted & {use.target, use.source})
        return list(kept), len(rows) == limit

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write now, by the names that stand for it; whether `limit` rows were too few."""
        if not self.identities.any:
            found = await step_to_datasets(self._connection, jobs, limit)
            return found, len(found) == limit
        rows = await step_from_slots(self._connection, await self.identities.expand_jobs(jobs), limit)
        folded = await self.settle([(target, job, dataset) for job, target, dataset, _ in rows])
        steps = [
            StepRow(place[1], place[0] if side == "o" else place[2], side)
            for job, target, dataset, side in rows
            if (place := folded[target, job, dataset]) is not None
        ]
        for use in await self.left.list_uses([], jobs, limit) if self.left is not None else []:
            steps.append(StepRow(use.job, use.target, "o"))
            steps += [StepRow(use.job, use.source, "i")] if use.source is not None else []
        return list(dict.fromkeys(steps)), len(rows) == limit

    async def settle(self, steps: list[Use]) -> dict[Use, Use | None]:
        """What these are called now; None where the slot was replaced under another name."""
        wanted = list(dict.fromkeys(steps))
        identities = self.identities
        roots = await identities.find_roots(name for three in wanted for name in three)
        pairs = list(dict.fromkeys((target, job) for target, job, _ in wanted))
        replaced = await fetch_replaced(self._connection, pairs) if identities.aliases and pairs else set()
        if not identities.renames or not wanted:
            return {
                (target, job, other): None if (target, job) in replaced else (roots[target], roots[job], roots[other])
                for target, job, other in wanted
            }
        await identities.learn([roots[name] for target, _, other in wanted for name in (target, other) if name != NONE])
        slots = await self._place_slots(pairs, roots)
        placed: dict[Use, Use | None] = {}
        for target, job, other in wanted:
            at, place = slots.get((target, job), (None, roots[target]))
            if place is None or (target, job) in replaced:
                placed[target, job, other] = None
            elif other == target:
                placed[target, job, other] = (place, roots[job], place)
            else:
                source = identities.history.follow(roots[other], at, written=False) if at else roots[other]
                placed[target, job, other] = (place, roots[job], source or roots[other])
        return placed

    async def _place_slots(
        self, pairs: list[Pair], roots: dict[UUID, UUID]
    ) -> dict[Pair, tuple[datetime, UUID | None]]:
        """By slot: since when it is in force, and of what it is now; None: replaced there by a newer one."""
        identities = self.identities
        jobs = list({job for _, job in pairs})
        datasets = await identities.expand(list({roots[target] for target, _ in pairs if target != NONE}))
        known = await fetch_slot_times(self._connection, await identities.expand_jobs(jobs), [*datasets, NONE])
        roots = roots | await identities.find_roots(name for slot in known for name in (slot.dataset_id, slot.job_id))
        history = identities.history
        places = {slot: history.follow(roots[slot.dataset_id], slot.effective_at, written=True) for slot in known}
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
        ended = await fetch_ended_since(self._connection, moved) if moved else set()
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


async def open_names_now(connection: Connection) -> NamesNow:
    """Steps by the names as this read finds them."""
    return NamesNow(await open_identities(connection))
