"""Steps of a walk through what was looked up at once."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from uuid import UUID

from lineal_receiver.api.v1.steps import Step
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow

Look = Callable[[list[Column]], Awaitable["list[ColumnEdgeRow] | None"]]
"""All edges that any way leads over from columns in one direction; None where there are too many."""


class ColumnsAhead:
    """Steps over column edges in one direction; what decides rows leads to columns that no edge had led to."""

    def __init__(self, look: Look, beyond: Step, *, upstream: bool) -> None:
        """`beyond` takes the steps from where `look` finds too much."""
        self._look, self._beyond, self._upstream = look, beyond, upstream
        self._edges: dict[Column, list[ColumnEdgeRow]] = {}

    async def look(self, columns: list[Column]) -> bool:
        """Look up all that lies ahead of these columns; whether that isn't too much."""
        edges = await self._look(columns)
        if edges is None:
            return False
        ahead: dict[Column, list[ColumnEdgeRow]] = defaultdict(list, {column: [] for column in columns})
        for edge in edges:
            near, far = (edge.target, edge.source) if self._upstream else (edge.source, edge.target)
            ahead[near].append(edge)
            ahead.setdefault(far, [])
        self._edges |= ahead
        return True

    async def step(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges of `columns`; whether `limit` was too few."""
        unknown = [column for column in columns if column not in self._edges]
        if unknown and not await self.look(unknown):
            return await self._beyond(columns, limit)
        found = [edge for column in columns for edge in self._edges[column]]
        return found[:limit], len(found) >= limit


class TablesAhead:
    """Steps between jobs and datasets."""

    def __init__(self, steps: list[StepRow]) -> None:
        self._of_job: dict[UUID, list[StepRow]] = defaultdict(list)
        self._of_dataset: dict[UUID, list[UUID]] = defaultdict(list)
        for step in steps:
            self._of_job[step.job_id].append(step)
            self._of_dataset[step.dataset_id].append(step.job_id)

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets`; whether `limit` was too few."""
        found = list(dict.fromkeys(job for dataset in datasets for job in self._of_dataset.get(dataset, ())))
        return found[:limit], len(found) >= limit

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write; whether `limit` was too few."""
        found = [step for job in jobs for step in self._of_job.get(job, ())]
        return found[:limit], len(found) >= limit
