"""Jobs by the state of their newest run."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

STATES = ("FAILED", "ABORTED", "COMPLETED", "RUNNING", "NEW")
"""As the store numbers them."""

RARE = 20
"""Where fewer than one job in so many has a state, all that have it are sorted; else jobs are gone through in order."""

# Those with several names, and those that aren't shown, are few: they are looked at one by one.
COUNT_JOBS_BY_STATE = """
with odd as materialized (
    select s.job_id, false as shown
    from job_state as s
    where s.hidden
    union
    select s.job_id, true
    from (select distinct c.root_id from canon as c) as root
    join job_state as s on s.job_id = root.root_id
)
select
    (select count(*) from job_newest as n where $2::uuid is null and n.state = any($1::smallint[]))
    + (select count(*) from job_newest as n where n.namespace_id = $2 and n.state = any($1::smallint[]))
    - (
        select count(distinct n.job_id)
        from odd
        join job_newest as n on n.job_id = odd.job_id
        where n.state = any($1::smallint[]) and n.namespace_id = coalesce($2::uuid, n.namespace_id)
    )
    + (
        select count(*)
        from odd
        join job_state as s on s.job_id = odd.job_id
        where
            odd.shown
            and not s.hidden
            and s.namespace_id = coalesce($2::uuid, s.namespace_id)
            and newest_state(
                array(select s.job_id union all select c.id from canon as c where c.root_id = s.job_id)
            ) = any($1::smallint[])
    )
"""

# "offset 0" holds the order, in which the first that match are soon found.
LIST_JOBS_BY_STATE = """
select s.job_id
from (
    select job_id, sorted_at
    from job_state
    where not hidden
    order by sorted_at desc, job_id
    offset 0
) as s
where
    case
        when exists (select from canon as c where c.root_id = s.job_id) then newest_state(
            array(select s.job_id union all select c.id from canon as c where c.root_id = s.job_id)
        )
        else (select n.state from job_newest as n where n.job_id = s.job_id)
    end = any($1::smallint[])
order by s.sorted_at desc, s.job_id
limit $2 offset $3
"""

LIST_JOBS_OF_NAMESPACE_BY_STATE = """
select s.job_id
from (
    select job_id, sorted_at
    from job_state
    where namespace_id = $4 and not hidden
    order by sorted_at desc, job_id
    offset 0
) as s
where
    case
        when exists (select from canon as c where c.root_id = s.job_id) then newest_state(
            array(select s.job_id union all select c.id from canon as c where c.root_id = s.job_id)
        )
        else (select n.state from job_newest as n where n.job_id = s.job_id)
    end = any($1::smallint[])
order by s.sorted_at desc, s.job_id
limit $2 offset $3
"""

LIST_FEW_JOBS_BY_STATE = """
select s.job_id
from (
    select n.job_id from job_newest as n where $2::uuid is null and n.state = any($1::smallint[])
    union all
    select n.job_id from job_newest as n where n.namespace_id = $2 and n.state = any($1::smallint[])
) as likely
join job_state as s on s.job_id = likely.job_id
where
    not s.hidden
    and not exists (select from canon as c where c.root_id = s.job_id)
union all
select s.job_id
from (select distinct c.root_id from canon as c) as root
join job_state as s on s.job_id = root.root_id
where
    not s.hidden
    and s.namespace_id = coalesce($2::uuid, s.namespace_id)
    and newest_state(array(select s.job_id union all select c.id from canon as c where c.root_id = s.job_id))
    = any($1::smallint[])
"""

SORT_JOBS = """
select s.job_id
from job_state as s
where s.job_id = any($1::uuid[])
order by s.sorted_at desc, s.job_id
limit $2 offset $3
"""


async def list_jobs_by_state(
    connection: Connection, namespace: UUID | None, among: int, states: list[str], limit: int, offset: int
) -> tuple[list[UUID], int]:
    """A page of the jobs (`among` so many) whose newest run is in one of `states`, and how many are."""
    wanted = [number for number, state in enumerate(STATES) if state in states]
    count = int(await connection.fetchval(COUNT_JOBS_BY_STATE, wanted, namespace))
    if count * RARE < among:
        few = await connection.fetch(LIST_FEW_JOBS_BY_STATE, wanted, namespace) if count else []
        rows = await connection.fetch(SORT_JOBS, [row["job_id"] for row in few], limit, offset) if few else []
    elif namespace is None:
        rows = await connection.fetch(LIST_JOBS_BY_STATE, wanted, limit, offset)
    else:
        rows = await connection.fetch(LIST_JOBS_OF_NAMESPACE_BY_STATE, wanted, limit, offset, namespace)
    return [row["job_id"] for row in rows], count
