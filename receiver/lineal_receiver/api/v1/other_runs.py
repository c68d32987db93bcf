"""Steps over tables by other runs than those in force."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_past_graph import (
    list_jobs_that_touched,
    step_to_datasets_at,
    step_to_datasets_of_latest,
)

Fetch = Callable[[list[UUID], int], Awaitable[list[StepRow]]]


@dataclass(frozen=True, slots=True)
class OtherRuns:
    """Steps by what `fetch` says that jobs read and wrote."""

    identities: Identities
    fetch: Fetch

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and wrote, by the names that stand for it."""
        rows = await self.fetch(jobs, limit)
        roots = await self.identities.find_roots(row.dataset_id for row in rows)
        steps = dict.fromkeys(StepRow(row.job_id, roots[row.dataset_id], row.side) for row in rows)
        return list(steps), len(rows) == limit

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or wrote any of `datasets`: of all that ever did, those whose run in question did."""
        wanted = set(datasets)
        jobs = await list_jobs_that_touched(self.identities.connection, await self.identities.expand(datasets), limit)
        steps, cut = await self.step_to_datasets(jobs, limit)
        found = dict.fromkeys(step.job_id for step in steps if step.dataset_id in wanted)
        return list(found), cut or len(jobs) == limit


def runs_at(identities: Identities, at: datetime) -> OtherRuns:
    """Steps by the runs that were in force at a time."""

    async def fetch(jobs: list[UUID], limit: int) -> list[StepRow]:
        return await step_to_datasets_at(identities.connection, jobs, at, limit)

    return OtherRuns(identities, fetch)


def latest_runs(identities: Identities) -> OtherRuns:
    """Steps by each job's newest run alone, however it ended."""

    async def fetch(jobs: list[UUID], limit: int) -> list[StepRow]:
        return await step_to_datasets_of_latest(identities.connection, jobs, limit)

    return OtherRuns(identities, fetch)
