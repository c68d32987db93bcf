"""Steps over tables by each job's newest run, instead of the runs in force."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.touching import step_to_touching
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_past_graph import step_to_datasets_of_latest


class NewestRuns:
    """Steps by each job's newest run alone, however it ended."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What the newest run of each of `jobs` read and wrote, by the names that stand for it now."""
        identities = self._identities
        rows = await step_to_datasets_of_latest(identities.connection, await identities.expand_jobs(jobs), limit)
        roots = await identities.find_roots(name for row in rows for name in (row.job_id, row.dataset_id))
        if identities.renames:
            await identities.learn([roots[row.dataset_id] for row in rows])
        newest: dict[UUID, datetime] = {}
        for row in rows:
            newest[roots[row.job_id]] = max(newest.get(roots[row.job_id], row.started_at), row.started_at)
        steps = dict.fromkeys(
            StepRow(roots[row.job_id], self._follow(roots[row.dataset_id], row.at, row.side), row.side)
            for row in rows
            if row.started_at == newest[roots[row.job_id]]
        )
        return list(steps), len(rows) == limit

    def _follow(self, root: UUID, at: datetime, side: str) -> UUID:
        return self._identities.history.follow(root, at, written=side == "o") or root

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs whose newest run read or wrote any of `datasets`."""
        return await step_to_touching(self._identities, self, datasets, limit)
