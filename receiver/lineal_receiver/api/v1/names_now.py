"""What is in force, under the names of now: the slots of one dataset or job under several names taken together."""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from lineal_receiver.api.v1.ahead import ColumnsAhead, TablesAhead
from lineal_receiver.api.v1.identities import Identities, open_identities
from lineal_receiver.api.v1.moved import Moved
from lineal_receiver.api.v1.steps import Step, TableSteps
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_ahead import look_around, look_at_columns
from lineal_receiver.store.read_aliases import Pair, fetch_replaced, step_from_slots, step_to_slots
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow, step_downstream, step_upstream
from lineal_receiver.store.read_graph import StepRow, step_to_datasets, step_to_jobs
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow

Use = tuple[UUID, UUID, UUID]
"""A slot's dataset, its job, and a dataset that this reads (or the slot's again)."""

FAR = 3
"""So many levels are more than one look at all that lies ahead."""


class NamesNow:
    """The steps of walks through what is in force now."""

    def __init__(self, identities: Identities) -> None:
        self.identities, self._connection = identities, identities.connection
        self.moved = Moved(identities) if identities.any else None

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
        found = await self.fold_edges(edges, {dataset for dataset, _ in columns}, limit)
        wanted = set(columns)
        return list(dict.fromkeys(edge for edge in found if edge.target in wanted)), len(edges) == limit

    async def step_downstream(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges out of `columns` under any name; whether `limit` rows were too few."""
        edges = await step_downstream(self._connection, await self.identities.expand_columns(columns), limit)
        found = await self.fold_edges(edges, {dataset for dataset, _ in columns}, limit)
        wanted = set(columns)
        return list(dict.fromkeys(edge for edge in found if edge.source in wanted)), len(edges) == limit

    async def fold_edges(
        self, edges: list[ColumnEdgeRow], around: Iterable[UUID], limit: int, *, rows: bool = False
    ) -> list[ColumnEdgeRow]:
        """These edges between the names that stand for their datasets, without what another name's replaced.

        With those `around` datasets that only renames tell of; there may be more in the answer.
        """
        if not self.identities.any:
            return edges
        steps = [(edge.target_dataset, edge.job_id, edge.source_dataset) for edge in edges]
        folded, moved = await self._settle(steps)
        found = dict.fromkeys(
            edge._replace(target_dataset=place[0], job_id=place[1], source_dataset=place[2])
            for edge, step in zip(edges, steps, strict=True)
            if (place := folded[step]) is not None
        )
        if self.moved is not None:
            roots = await self.identities.find_roots(dataset for dataset, _ in moved)
            targets = list(dict.fromkeys(roots.values()))
            found |= dict.fromkeys(await self.moved.list_edges(list(around), targets, limit, rows=rows))
        return list(found)

    async def fold_uses(self, uses: list[UseRow], datasets: list[UUID], jobs: list[UUID], limit: int) -> list[UseRow]:
        """The same of uses beside `datasets`, or of `jobs`."""
        if not self.identities.any:
            return uses
        steps = [(use.target, use.job, use.target if use.source is None else use.source) for use in uses]
        folded, moved = await self._settle(steps)
        found = dict.fromkeys(
            UseRow(place[0], place[1], None if use.source is None else place[2])
            for use, step in zip(uses, steps, strict=True)
            if (place := folded[step]) is not None
        )
        if self.moved is not None:
            found |= dict.fromkeys(await self.moved.list_uses(datasets, jobs, moved, limit))
        return list(found)

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets` now under any name; whether `limit` rows were too few."""
        if not self.identities.any:
            jobs = await step_to_jobs(self._connection, datasets, limit)
            return jobs, len(jobs) == limit
        rows = await step_to_slots(self._connection, await self.identities.expand(datasets), limit)
        near = [UseRow(target, job, None if other == target else other) for target, job, other in rows]
        uses = await self.fold_uses(near, datasets, [], limit)
        wanted = set(datasets)
        jobs = list(dict.fromkeys(use.job for use in uses if use.job != NONE and wanted & {use.target, use.source}))
        return jobs, len(rows) == limit

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write now, by the names that stand for it; whether `limit` rows were too few."""
        if not self.identities.any:
            found = await step_to_datasets(self._connection, jobs, limit)
            return found, len(found) == limit
        rows = await step_from_slots(self._connection, await self.identities.expand_jobs(jobs), limit)
        own = [UseRow(target, job, None if side == "o" else dataset) for job, target, dataset, side in rows]
        steps: dict[StepRow, None] = {}
        for use in await self.fold_uses(own, [], jobs, limit):
            if use.target != NONE:
                steps.setdefault(StepRow(use.job, use.target, "o"))
            if use.source is not None:
                steps.setdefault(StepRow(use.job, use.source, "i"))
        return list(steps), len(rows) == limit

    async def settle(self, steps: list[Use]) -> dict[Use, Use | None]:
        """What these are called now; None where another name's slot is in force, or the writes are to be looked at."""
        return (await self._settle(steps))[0]

    async def _settle(self, steps: list[Use]) -> tuple[dict[Use, Use | None], list[Pair]]:
        """The same, and those of their slots (dataset, job) that are made of something that was renamed."""
        wanted = list(dict.fromkeys(steps))
        identities = self.identities
        roots = await identities.find_roots(name for three in wanted for name in three)
        only_read = list(dict.fromkeys(job for target, job, _ in wanted if target == NONE))
        replaced = await fetch_replaced(self._connection, only_read) if identities.aliases else set()
        placed: dict[Use, Use | None] = {
            (target, job, other): None
            if target == NONE and job in replaced
            else (roots[target], roots[job], roots[other])
            for target, job, other in wanted
        }
        if self.moved is None or not wanted:
            return placed, []
        await self.moved.learn([roots[name] for target, _, other in wanted for name in (target, other) if name != NONE])
        read = [(job, other) for target, job, other in wanted if target == NONE and self.moved.has(roots[other])]
        now = await self.moved.follow_reads(read)
        made: dict[Pair, None] = {}
        for target, job, other in wanted:
            step = (target, job, other)
            if placed[step] is None or not (self.moved.tells_of(roots[target]) or self.moved.has(roots[other])):
                continue
            if target == NONE:
                placed[step] = (NONE, roots[job], now.get((job, other), roots[other]))
                continue
            placed[step] = None
            if not self.moved.tells_of(roots[target]):
                made.setdefault((target, job))
        return placed, list(made)


async def open_names_now(connection: Connection) -> NamesNow:
    """Steps by the names as this read finds them."""
    return NamesNow(await open_identities(connection))
