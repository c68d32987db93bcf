"""The steps of a walk over tables: from jobs to their datasets, from datasets to their jobs."""

from dataclasses import dataclass
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class StepRow:
    """A job and a dataset that it reads (side i) or writes (side o) now."""

    job_id: UUID
    dataset_id: UUID
    side: str


STEP_TO_DATASETS = """
select s.job_id, s.dataset_id, 'o' as side
from slot as s
where s.job_id = any($1::uuid[]) and s.dataset_id <> $2 and not s.ended
union
select e.job_id, e.source_dataset, 'i'
from table_edge as e
where e.job_id = any($1::uuid[])
limit $3
"""


async def step_to_datasets(connection: Connection, jobs: list[UUID], limit: int) -> list[StepRow]:
    """What `jobs` read and write now, `limit` rows of it."""
    return [StepRow(**row) for row in await connection.fetch(STEP_TO_DATASETS, jobs, NONE, limit)]


STEP_TO_JOBS = """
select s.job_id
from slot as s
where s.dataset_id = any($1::uuid[]) and not s.ended
union
select e.job_id
from table_edge as e
where e.source_dataset = any($1::uuid[])
limit $2
"""


async def step_to_jobs(connection: Connection, datasets: list[UUID], limit: int) -> list[UUID]:
    """The jobs that read or write any of `datasets` now, `limit` of them."""
    return [row["job_id"] for row in await connection.fetch(STEP_TO_JOBS, datasets, limit)]
