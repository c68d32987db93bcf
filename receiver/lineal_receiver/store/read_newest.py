"""The newest event of something: what its deletion remembers."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FIND_JOB_TIME = """
select seen_at from job_state where job_id = $1
"""


async def find_job_time(connection: Connection, job: UUID) -> datetime | None:
    """The time of a job's newest event that isn't from the future."""
    at: datetime | None = await connection.fetchval(FIND_JOB_TIME, job)
    return at


FIND_DATASET_TIME = """
select max(newest.at)
from (
    select to_timestamp_of_seen(s.seen) as at
    from static_seen as s
    join dataset as d on d.id = s.dataset_id
    where not s.future and ($1::uuid is null or d.id = $1) and ($2::uuid is null or d.namespace_id = $2)
    union all
    select r.seen_at
    from dataset as d
    cross join lateral runs_of_dataset(d.id) as io
    join run as r on r.job_id = io.job_id and r.run_id = io.run_id
    where ($1::uuid is null or d.id = $1) and ($2::uuid is null or d.namespace_id = $2)
) as newest
"""


async def find_dataset_time(connection: Connection, dataset: UUID) -> datetime | None:
    """The time of the newest event, not from the future, of a dataset or of a run that named it."""
    at: datetime | None = await connection.fetchval(FIND_DATASET_TIME, dataset, None)
    return at


FIND_NAMESPACE_TIME = """
select greatest(
    (select n.updated_at from namespace_state as n where n.namespace_id = $1),
    (select max(j.seen_at) from job_state as j where j.namespace_id = $1)
)
"""


async def find_namespace_time(connection: Connection, namespace: UUID) -> datetime | None:
    """The time of the newest event of anything in a namespace, or of its own last change."""
    own: datetime | None = await connection.fetchval(FIND_NAMESPACE_TIME, namespace)
    datasets: datetime | None = await connection.fetchval(FIND_DATASET_TIME, None, namespace)
    return max((at for at in (own, datasets) if at is not None), default=None)


LIST_RECORDS_AT = """
select encode(substring(id from 1 for 8), 'hex') as id
from log
where
    day = ($1::timestamptz at time zone 'UTC')::date and event_time = $1
    and kind in ('run', 'job', 'dataset', 'command')
order by id
"""


async def list_records_at(connection: Connection, at: datetime) -> list[str]:
    """The beginnings of the ids of all records of a time, in hex."""
    return [row["id"] for row in await connection.fetch(LIST_RECORDS_AT, at)]
