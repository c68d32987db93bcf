"""Who wrote datasets, and whether anything had, until a time."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import NameAt

LIST_WRITERS = """
select distinct k.dataset_id, writer.id as job_id
from unnest($1::uuid[]) as k(dataset_id)
cross join lateral jobs_that_wrote(k.dataset_id) as writer(id)
order by k.dataset_id, writer.id
"""


async def list_writers(connection: Connection, datasets: list[UUID]) -> list[tuple[UUID, UUID]]:
    """The jobs that ever wrote any of `datasets`, or NONE for what DatasetEvents told: (job, dataset)."""
    rows = await connection.fetch(LIST_WRITERS, datasets) if datasets else []
    return [(row["job_id"], row["dataset_id"]) for row in rows]


LIST_WRITERS_UNTIL = """
select distinct k.job_id
from unnest($1::uuid[], $2::uuid[]) as k(job_id, dataset_id)
where
    exists (
        select
        from run_io as io
        where
            io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o' and not io.ahead
            and io.effective_at <= $3
    )
"""


async def list_writers_until(connection: Connection, made: list[tuple[UUID, UUID]], at: datetime) -> list[UUID]:
    """Those jobs of these (job, dataset) that had said by then that they write it, whether they did or failed."""
    jobs, datasets = [job for job, _ in made], [dataset for _, dataset in made]
    rows = await connection.fetch(LIST_WRITERS_UNTIL, jobs, datasets, at) if made else []
    return [row["job_id"] for row in rows]


LIST_WRITTEN = """
select k.place
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as k(place, dataset_id, since, until)
where
    exists (
        select
        from run_io as io
        where
            io.dataset_id = k.dataset_id
            and io.side = 'o'
            and io.class = 2
            and io.effective_at between k.since and k.until
            and io.lifecycle is distinct from 'DROP'
    )
"""


async def list_written(connection: Connection, names: list[NameAt]) -> set[int]:
    """The places of those of `names` that anything had written in their time."""
    if not names:
        return set()
    columns = (list(column) for column in zip(*names, strict=True))
    return {row["place"] for row in await connection.fetch(LIST_WRITTEN, *columns)}
