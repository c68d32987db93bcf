"""What is in force of datasets that were renamed, or written under several names: found among their writes.

A slot holds what one name was written last: that may have been the name of another dataset before, and what another of
the dataset's names was written since is in another slot.
"""

from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v1.writes_then import Standing
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_aliases import Pair
from lineal_receiver.store.read_columns import ColumnEdgeRow
from lineal_receiver.store.read_past_columns import list_fields_of_sets
from lineal_receiver.store.read_past_graph import list_jobs_that_touched, list_outputs
from lineal_receiver.store.read_renames import fetch_own_times
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.read_writes_at import JobWrite


class Moved:
    """The datasets of a read whose slots don't count: with renames in their history, or written under many names."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._then = NamesThen(identities)

    def has(self, root: UUID) -> bool:
        """Whether a name, whose renames were looked up, was ever renamed or given to something."""
        return root in self._identities.history

    def tells_of(self, root: UUID) -> bool:
        """Whether what is in force of a name, which was looked up, is told here."""
        return self.has(root) or root in self._identities.several

    async def learn(self, roots: list[UUID]) -> None:
        """Look up what was renamed, and what was written under several names."""
        await self._identities.learn(roots)
        await self._identities.count_names(roots)

    async def list_uses(self, datasets: list[UUID], jobs: list[UUID], pairs: list[Pair], limit: int) -> list[UseRow]:
        """What was made of what, where either was renamed: beside `datasets`, or by `jobs`; more may be in the answer.

        pairs: slots (dataset, job) of other datasets that are made of such.
        """
        standing = await self._find_near(datasets, jobs, limit)
        roots = await self._identities.find_roots(name for pair in pairs for name in pair)
        named = [(job, dataset) for dataset, job in pairs if job != NONE]
        standing |= await self._then.find_writes(named)
        static = [roots[dataset] for dataset, job in pairs if job == NONE]
        uses, _ = await self._then.list_uses(standing, limit) if standing else ([], False)
        told, _ = await self._then.step_to_declared([*datasets, *static], limit)
        return [
            use
            for use in dict.fromkeys([*uses, *told])
            if self.tells_of(use.target) or (use.source is not None and self.has(use.source))
        ]

    async def list_edges(
        self, datasets: list[UUID], targets: list[UUID], limit: int, *, rows: bool = False
    ) -> list[ColumnEdgeRow]:
        """Column edges where either end was renamed: into `targets`, or beside `datasets`; there may be more."""
        near = {dataset for dataset, _ in await self._find_near(datasets, [], limit)}
        into = list(dict.fromkeys([*datasets, *sorted(near), *targets]))
        await self.learn(into)
        wanted = [dataset for dataset in into if self.tells_of(dataset) or dataset in targets]
        builds = await self._then.find_builds(wanted)
        columns = await self._list_columns(builds, wanted, limit)
        columns += [(dataset, "") for dataset in wanted] if rows else []
        found, _ = await self._then.list_edges(
            [(column, *build) for column in columns for build in builds[column[0]]], limit, rows=rows
        )
        return [edge for edge in found if self.tells_of(edge.target_dataset) or self.has(edge.source_dataset)]

    async def _list_columns(
        self, builds: dict[UUID, list[tuple[UUID, JobWrite]]], datasets: list[UUID], limit: int
    ) -> list[tuple[UUID, str]]:
        sets = [
            (dataset, write.edge_set_id)
            for dataset in datasets
            for _, write in builds[dataset]
            if write.edge_set_id is not None
        ]
        return await list_fields_of_sets(self._identities.connection, sets, limit)

    async def find_builds(self, datasets: list[UUID]) -> dict[Pair, list[JobWrite]]:
        """The readings of those of `datasets` that were renamed, by (dataset, job), the newest first."""
        wanted = await self._choose(datasets)
        builds = await self._then.find_builds(wanted)
        found: dict[Pair, list[JobWrite]] = {}
        for dataset in wanted:
            for job, write in builds[dataset]:
                found.setdefault((dataset, job), []).append(write)
        return found

    async def list_writers(self, datasets: list[UUID]) -> list[Pair]:
        """Whose writes, or statements, are in force of those of `datasets` that were renamed: (dataset, job)."""
        wanted = await self._choose(datasets)
        return [key for key in await self._then.find_all(wanted) if key[0] in wanted]

    async def follow_reads(self, reads: list[Pair]) -> dict[Pair, UUID]:
        """What is called now what jobs that write nothing read (job, dataset), by the time of their slots."""
        times: dict[UUID, datetime] = await fetch_own_times(
            self._identities.connection, list({job for job, _ in reads})
        )
        roots = await self._identities.find_roots(dataset for _, dataset in reads)
        history = self._identities.history
        return {
            (job, dataset): history.follow(roots[dataset], times[job], written=False) or roots[dataset]
            for job, dataset in reads
            if job in times
        }

    async def _choose(self, datasets: list[UUID]) -> list[UUID]:
        await self.learn(datasets)
        return [dataset for dataset in dict.fromkeys(datasets) if self.tells_of(dataset)]

    async def _find_near(self, datasets: list[UUID], jobs: list[UUID], limit: int) -> Standing:
        """What `jobs`, and those that ever touched `datasets`, wrote of what was renamed."""
        identities = self._identities
        names = await identities.expand(datasets)
        near = await list_jobs_that_touched(identities.connection, names, limit) if names else []
        every = [*await identities.expand_jobs(jobs), *near]
        made = await list_outputs(identities.connection, list(dict.fromkeys(every)), limit) if every else []
        roots = await identities.find_roots(dataset for _, dataset in made)
        await self.learn(list(set(roots.values())))
        return await self._then.find_writes([(job, dataset) for job, dataset in made if self.tells_of(roots[dataset])])
