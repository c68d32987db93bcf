"""The steps of a walk over tables: from jobs to their datasets, from datasets to their jobs.

Each limit stands inside, too, so that a hub's rows beyond it aren't read.
"""

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
select distinct io.job_id, io.dataset_id, io.side
from (
    (
        select written.job_id, written.dataset_id, 'o' as side
        from unnest($1::uuid[]) as job(id)
        cross join lateral (
            select s.job_id, s.dataset_id
            from slot as s
            where s.job_id = job.id and s.dataset_id <> $2 and not s.ended
            limit $3
        ) as written
        limit $3
    )
    union all
    (
        select read.job_id, read.source_dataset, 'i'
        from unnest($1::uuid[]) as job(id)
        cross join lateral (
            select e.job_id, e.source_dataset
            from table_edge as e
            where e.job_id = job.id
            limit $3
        ) as read
        limit $3
    )
) as io
limit $3
"""


async def step_to_datasets(connection: Connection, jobs: list[UUID], limit: int) -> list[StepRow]:
    """What `jobs` read and write now, `limit` rows of it."""
    return [StepRow(**row) for row in await connection.fetch(STEP_TO_DATASETS, jobs, NONE, limit)]


STEP_TO_JOBS = """
select distinct io.job_id
from (
    (
        select writer.job_id
        from unnest($1::uuid[]) as dataset(id)
        cross join lateral (
            select s.job_id
            from slot as s
            where s.dataset_id = dataset.id and s.job_id <> $3 and not s.ended
            order by s.job_id
            limit $2
        ) as writer
        limit $2
    )
    union all
    (
        select reader.job_id
        from unnest($1::uuid[]) as dataset(id)
        cross join lateral (
            select e.job_id
            from table_edge as e
            where e.source_dataset = dataset.id and e.job_id <> $3
            order by e.job_id, e.target_dataset
            limit $2
        ) as reader
        limit $2
    )
) as io
limit $2
"""


async def step_to_jobs(connection: Connection, datasets: list[UUID], limit: int) -> list[UUID]:
    """The jobs that read or write any of `datasets` now, `limit` of them."""
    return [row["job_id"] for row in await connection.fetch(STEP_TO_JOBS, datasets, limit, NONE)]
