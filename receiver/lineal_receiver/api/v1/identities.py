"""Names that count as one, looked up as a read comes by them: answers name the root, whatever name was sent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

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
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class Identities:
    """The names of one read; where nothing is an alias, every question is answered without asking the store."""

    connection: Connection
    any: bool

    async def find_roots(self, names: Iterable[UUID]) -> dict[UUID, UUID]:
        """The name that stands for each name, itself for most."""
        own = {name: name for name in names}
        return own | (await fetch_roots(self.connection, list(own)) if self.any and own else {})

    async def expand(self, roots: list[UUID]) -> list[UUID]:
        """These names and all that count as them."""
        if not self.any or not roots:
            return roots
        aliases = await fetch_aliases(self.connection, roots)
        return [name for root in roots for name in (root, *aliases.get(root, ()))]

    async def expand_columns(self, columns: list[Column]) -> list[Column]:
        """These columns under every name of their datasets."""
        if not self.any or not columns:
            return columns
        aliases = await fetch_aliases(self.connection, list({dataset for dataset, _ in columns}))
        return [(name, field) for dataset, field in columns for name in (dataset, *aliases.get(dataset, ()))]

    async def fold_columns(self, columns: list[Column]) -> list[Column]:
        """These columns, each once, under the names that stand for their datasets."""
        roots = await self.find_roots(dataset for dataset, _ in columns)
        return list(dict.fromkeys((roots[dataset], field) for dataset, field in columns))

    async def fold_edges(self, edges: list[ColumnEdgeRow], *, now: bool = True) -> list[ColumnEdgeRow]:
        """These edges between the names that stand for their datasets; `now`: without what another name's replaced."""
        if not self.any or not edges:
            return edges
        ends = ((edge.target_dataset, edge.source_dataset, edge.job_id) for edge in edges)
        roots = await self.find_roots(name for three in ends for name in three)
        pairs = ((edge.target_dataset, edge.job_id) for edge in edges)
        replaced = await self._find_replaced(pairs) if now else set()
        folded = (
            replace(
                edge,
                target_dataset=roots[edge.target_dataset],
                source_dataset=roots[edge.source_dataset],
                job_id=roots[edge.job_id],
            )
            for edge in edges
            if (edge.target_dataset, edge.job_id) not in replaced
        )
        return list(dict.fromkeys(folded))

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets` now under any name; whether `limit` rows were too few."""
        if not self.any:
            jobs = await step_to_jobs(self.connection, datasets, limit)
            return jobs, len(jobs) == limit
        pairs = await step_to_slots(self.connection, await self.expand(datasets), limit)
        replaced = await self._find_replaced(pairs)
        kept = [job for dataset, job in pairs if (dataset, job) not in replaced]
        roots = await self.find_roots(kept)
        return list(dict.fromkeys(roots[job] for job in kept)), len(pairs) == limit

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write now, by the names that stand for it; whether `limit` rows were too few."""
        if not self.any:
            found = await step_to_datasets(self.connection, jobs, limit)
            return found, len(found) == limit
        rows = await step_from_slots(self.connection, await self.expand(jobs), limit)
        replaced = await self._find_replaced((target, job) for job, target, _, _ in rows)
        roots = await self.find_roots(name for job, _, dataset, _ in rows for name in (job, dataset))
        steps = (
            StepRow(roots[job], roots[dataset], side)
            for job, target, dataset, side in rows
            if (target, job) not in replaced
        )
        return list(dict.fromkeys(steps)), len(rows) == limit

    async def _find_replaced(self, pairs: Iterable[Pair]) -> set[Pair]:
        wanted = list(dict.fromkeys(pairs))
        return await fetch_replaced(self.connection, wanted) if wanted else set()


async def open_identities(connection: Connection) -> Identities:
    """The names as this read finds them."""
    return Identities(connection, await have_aliases(connection))
