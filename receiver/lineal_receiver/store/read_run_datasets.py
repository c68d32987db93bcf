"""What runs read and wrote, and whose writes they read."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_runs import RunKey
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class RunDatasetRow:
    """A dataset that a run read (side i) or wrote (side o), and which version of it.

    writer_job, writer_run: the write that was read; None where nobody is known to have written the dataset before.
    named: the version that the run said that it read; read_at: until when writes count for it; schema_id:
    what the run said that it saw.
    """

    job_id: UUID
    run_id: UUID
    side: str
    dataset_id: UUID
    namespace: str
    name: str
    version_id: UUID
    writer_job: UUID | None
    writer_run: UUID | None
    said_at: datetime
    named: UUID | None
    read_at: datetime
    schema_id: bytes | None


FETCH_RUN_DATASETS = """
select
    io.job_id,
    io.run_id,
    io.side::text as side,
    io.dataset_id,
    n.name as namespace,
    d.name,
    case
        when made.job_id is null then write_version(io.dataset_id, $3, $3, io.schema_id, null)
        else write_version(io.dataset_id, made.job_id, made.run_id, made.schema_id, made.lifecycle)
    end as version_id,
    made.job_id as writer_job,
    made.run_id as writer_run,
    io.said_at,
    said.version as named,
    reading.at as read_at,
    io.schema_id
from unnest($1::uuid[], $2::uuid[]) as wanted(job_id, run_id)
join run as r on r.job_id = wanted.job_id and r.run_id = wanted.run_id
join run_io as io on io.job_id = r.job_id and io.run_id = r.run_id
join dataset as d on d.id = io.dataset_id
join namespace as n on n.id = d.namespace_id
cross join lateral (
    select case
        when r.streaming and r.end_rank is null then coalesce(r.seen_at, r.last_at)
        else coalesce(r.start_at, r.first_at)
    end as at
) as reading
left join named_version as said
    on
        io.side = 'i'
        and said.dataset_id = io.dataset_id
        and said.job_id = io.job_id
        and said.run_id = io.run_id
        and said.side = 'i'
left join lateral (
    select write.job_id, write.run_id, write.schema_id, write.lifecycle
    from named_version as given
    join run_io as write
        on
            write.dataset_id = given.dataset_id
            and write.job_id = given.job_id
            and write.run_id = given.run_id
            and write.side = 'o'
            and write.class = 2
    where given.dataset_id = said.dataset_id and given.side = 'o' and given.version = said.version
    order by
        write.future, write.effective_at <= reading.at desc, write.effective_at desc, write.job_id, write.run_id
    limit 1
) as named on true
left join lateral (
    (
        select io.job_id, io.run_id, io.schema_id, io.lifecycle
        where io.side = 'o'
    )
    union all
    (
        select named.job_id, named.run_id, named.schema_id, named.lifecycle
        where named.job_id is not null
    )
    union all
    (
        select read.job_id, read.run_id, read.schema_id, read.lifecycle
        from run_io as read
        where
            io.side = 'i'
            and named.job_id is null
            and read.dataset_id = io.dataset_id
            and read.side = 'o'
            and read.class = 2
            and not read.future
            and read.effective_at <= reading.at
        order by read.effective_at desc, read.job_id, read.run_id
        limit 1
    )
    union all
    (
        select read.job_id, read.run_id, read.schema_id, read.lifecycle
        from run_io as read
        where
            io.side = 'i'
            and named.job_id is null
            and read.dataset_id = io.dataset_id
            and read.side = 'o'
            and read.class = 2
            and read.future
            and read.effective_at <= reading.at
        order by read.effective_at desc, read.job_id, read.run_id
        limit 1
    )
    limit 1
) as made on true
where io.side = 'i' or (io.class > 0 and not io.announced)
order by io.job_id, io.run_id, n.name, d.name, io.side
"""


async def fetch_run_datasets(connection: Connection, keys: list[RunKey]) -> dict[RunKey, list[RunDatasetRow]]:
    """What each of the runs read and wrote; what only a failure named was never written.

    What was read is what the input's `version` facet names, if a write named it too, else the newest write until then.
    """
    found: dict[RunKey, list[RunDatasetRow]] = {}
    jobs, runs = [key[0] for key in keys], [key[1] for key in keys]
    for row in await connection.fetch(FETCH_RUN_DATASETS, jobs, runs, NONE):
        found.setdefault((row["job_id"], row["run_id"]), []).append(RunDatasetRow(**row))
    return found
