"""Jobs by the state of their newest run."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

MOST_FILTERED_JOBS = 10_000

LIST_JOBS_BY_STATE = """
select looked_at.job_id
from (
    select s.job_id, s.updated_at
    from job_state as s
    where
        not s.hidden
        and ($1::uuid is null or s.namespace_id = $1)
        and not exists (select from gone as g where g.entity_id = s.job_id)
    order by s.updated_at desc, s.job_id
    limit $3
) as looked_at
cross join lateral (
    select case r.end_rank
        when 0 then 'FAILED'
        when 1 then 'ABORTED'
        when 2 then 'COMPLETED'
        else case when r.typed then 'RUNNING' else 'NEW' end
    end as state
    from run as r
    where r.job_id = looked_at.job_id
    order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
    limit 1
) as newest
where newest.state = any($2::text[])
order by looked_at.updated_at desc, looked_at.job_id
"""


async def list_jobs_by_state(connection: Connection, namespace: UUID | None, states: list[str]) -> list[UUID]:
    """The jobs whose newest run is in one of `states`, among the MOST_FILTERED_JOBS updated last."""
    rows = await connection.fetch(LIST_JOBS_BY_STATE, namespace, states, MOST_FILTERED_JOBS)
    return [row["job_id"] for row in rows]
