"""Steps of a walk through what was looked up at once."""

from collections import defaultdict
from uuid import UUID

from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow


class ColumnsAhead:
    """Steps over column edges in one direction."""

    def __init__(self, edges: list[ColumnEdgeRow], *, upstream: bool) -> None:
        self._edges: dict[Column, list[ColumnEdgeRow]] = defaultdict(list)
        for edge in edges:
            self._edges[edge.target if upstream else edge.source].append(edge)

    async def step(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges of `columns`; whether `limit` was too few."""
        found = [edge for column in columns for edge in self._edges.get(column, ())]
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
