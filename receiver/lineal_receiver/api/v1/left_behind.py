"""What is in force under a new name though its writer has written the old one again, whose slot is about that now.

Tables that are built aside and swapped in by renames are so: each build writes the name that the next swap gives away.
"""

from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.names_then import NamesThen, Standing
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_aliases import Pair
from lineal_receiver.store.read_columns import ColumnEdgeRow
from lineal_receiver.store.read_past_columns import list_fields_of_sets
from lineal_receiver.store.read_past_graph import list_jobs_that_touched
from lineal_receiver.store.read_renames import fetch_given_away, fetch_slot_times
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.read_writes_at import JobWrite


class LeftBehind:
    """Finds what no slot holds; of names that were never given away, with one look at the store."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._then = NamesThen(identities)

    async def list_uses(self, datasets: list[UUID], jobs: list[UUID], limit: int) -> list[UseRow]:
        """What was made of what: into `datasets`, out of them, or by `jobs`; there may be more in the answer."""
        standing, _ = await self._find(datasets, jobs, limit)
        return (await self._then.list_uses(standing, limit))[0] if standing else []

    async def find_builds(self, datasets: list[UUID], limit: int) -> dict[Pair, JobWrite]:
        """The writes that say where columns come from, by (dataset, job); of other datasets, too."""
        standing, times = await self._find(datasets, [], limit)
        builds = await self._then.find_builds(dataset for dataset, _ in standing)
        return {
            (dataset, job): write
            for dataset, found in builds.items()
            for job, write in found
            if job != NONE and await self._is_left(dataset, write, times)
        }

    async def list_edges(self, datasets: list[UUID], limit: int, *, rows: bool = False) -> list[ColumnEdgeRow]:
        """Edges into columns of `datasets`, and out of these; there may be more in the answer."""
        left = await self.find_builds(datasets, limit)
        sets = [(dataset, write.edge_set_id) for (dataset, _), write in left.items() if write.edge_set_id is not None]
        columns = await list_fields_of_sets(self._identities.connection, sets, limit)
        into = [(c, job, write) for (dataset, job), write in left.items() for c in columns if c[0] == dataset]
        if rows:
            into += [((dataset, ""), job, write) for (dataset, job), write in left.items()]
        return (await self._then.list_edges(into, limit, rows=rows))[0]

    async def _find(self, datasets: list[UUID], jobs: list[UUID], limit: int) -> tuple[Standing, dict[Pair, datetime]]:
        """What stands under other names than it was written by, and was written by again; and when slots were."""
        identities, connection = self._identities, self._identities.connection
        names = await identities.expand(datasets)
        near = await list_jobs_that_touched(connection, names, limit) if names else []
        given = await fetch_given_away(connection, names, [*await identities.expand_jobs(jobs), *near])
        if not given:
            return {}, {}
        roots = await identities.find_roots(name for pair in given for name in pair)
        every = await identities.expand(list({roots[dataset] for dataset, _ in given}))
        writers = await identities.expand_jobs(list({roots[job] for _, job in given}))
        slots = await fetch_slot_times(connection, writers, every)
        times = {(slot.dataset_id, slot.job_id): slot.effective_at for slot in slots}
        standing = await self._then.find_writes([(job, dataset) for dataset, job in times])
        return {key: write for key, write in standing.items() if await self._is_left(key[0], write, times)}, times

    async def _is_left(self, place: UUID, write: JobWrite, times: dict[Pair, datetime]) -> bool:
        root = (await self._identities.find_roots([write.dataset_id]))[write.dataset_id]
        again = times.get((write.dataset_id, write.job_id))
        return root != place and again is not None and again > write.effective_at
