"""What a walk asks for: a step from what it has met to what lies beside it."""

from collections.abc import Awaitable, Callable
from typing import Protocol
from uuid import UUID

from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow


class DatasetSteps(Protocol):
    """From jobs to datasets; says whether `limit` rows were too few."""

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and write."""


class TableSteps(DatasetSteps, Protocol):
    """From datasets to jobs, too."""

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs that read or write any of `datasets`."""


Step = Callable[[list[Column], int], Awaitable[tuple[list[ColumnEdgeRow], bool]]]
"""The edges of columns in one direction, between the names that stand for their datasets; were `limit` rows too few?"""
