"""Runs that want attention: those that failed or were aborted and that nothing has made good, and open ones."""

from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_run_list import Place
from lineal_receiver.store.read_snapshot import Connection

MOST_LOOKED_AT = 20_000

# What completed in a later run of the job, that isn't a sibling under the same parent, is made good.
_WANTING = """
select r.job_id, r.run_id, r.end_rank, coalesce(r.start_at, r.running_at, r.first_at) as began_at
from (
    select *
    from run as within
    where not within.future and coalesce(within.start_at, within.running_at, within.first_at) >= $1
    order by coalesce(within.start_at, within.running_at, within.first_at) desc, within.job_id desc, within.run_id desc
    limit $2
) as r
where
    not r.placeholder
    and r.end_rank is distinct from 2
    and ($3::uuid is null or r.job_id in (select j.job_id from job_state as j where j.namespace_id = $3))
    and not exists (select from hidden as h where h.entity_id = r.job_id)
    and (
        $4
        or r.end_rank is null
        or not exists (
            select
            from run as later
            where
                later.job_id = r.job_id
                and not later.future
                and later.end_rank = 2
                and coalesce(later.start_at, later.running_at, later.first_at)
                > coalesce(r.start_at, r.running_at, r.first_at)
                and (r.parent_run is null or later.parent_run is distinct from r.parent_run)
        )
    )"""

LIST_WANTING = f"""
select w.job_id, w.run_id
from ({_WANTING}
) as w
where
    (w.began_at, w.job_id, w.run_id) < ($5, $6::uuid, $7::uuid)
    and coalesce(w.end_rank, 3) = any($8::smallint[])
order by w.began_at desc, w.job_id desc, w.run_id desc
limit $9
"""  # noqa: S608 - of constants


async def list_wanting(
    connection: Connection,
    since: datetime,
    namespace: UUID | None,
    after: Place,
    ends: list[int],
    limit: int,
    *,
    every: bool,
) -> list[tuple[UUID, UUID]]:
    """The (job, run) keys of the next runs that began since, the last first.

    ends: 0 failed, 1 aborted, 3 open. every: those that were made good, too.
    """
    rows = await connection.fetch(
        LIST_WANTING,
        since,
        MOST_LOOKED_AT,
        namespace,
        every,
        after.at,
        after.job,
        after.run,
        ends,
        limit,
    )
    return [(row["job_id"], row["run_id"]) for row in rows]


COUNT_WANTING = f"""
select coalesce(w.end_rank, 3)::integer as how_it_ended, count(*) as n
from ({_WANTING}
) as w
group by 1
"""  # noqa: S608 - of constants


async def count_wanting(
    connection: Connection, since: datetime, namespace: UUID | None, *, every: bool
) -> dict[int, int]:
    """How many runs want attention, by how they ended: 0 failed, 1 aborted, 3 open."""
    rows = await connection.fetch(COUNT_WANTING, since, MOST_LOOKED_AT, namespace, every)
    return {row["how_it_ended"]: row["n"] for row in rows}


HAS_MORE = """
select exists (
    select
    from run as r
    where not r.future and coalesce(r.start_at, r.running_at, r.first_at) >= $1
    order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.job_id desc, r.run_id desc
    limit 1 offset $2
)
"""


async def has_more_runs(connection: Connection, since: datetime) -> bool:
    """Whether more runs began since than are looked at."""
    return bool(await connection.fetchval(HAS_MORE, since, MOST_LOOKED_AT))


FETCH_NAMED_OUTPUTS = """
select io.job_id, io.run_id, io.dataset_id
from unnest($1::uuid[], $2::uuid[]) as wanted(job_id, run_id)
join run_io as io on io.job_id = wanted.job_id and io.run_id = wanted.run_id and io.side = 'o'
order by io.job_id, io.run_id, io.dataset_id
limit $3
"""


async def fetch_named_outputs(
    connection: Connection, keys: list[tuple[UUID, UUID]], limit: int
) -> list[tuple[tuple[UUID, UUID], UUID]]:
    """What runs (job, run) named as outputs, whether they wrote them or not, `limit` rows."""
    jobs, runs = [job for job, _ in keys], [run for _, run in keys]
    rows = await connection.fetch(FETCH_NAMED_OUTPUTS, jobs, runs, limit)
    return [((row["job_id"], row["run_id"]), row["dataset_id"]) for row in rows]
