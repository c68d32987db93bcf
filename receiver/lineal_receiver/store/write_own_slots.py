"""Candidates for the slots of jobs that write nothing: their newest completed run, open run and statement."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.ids import STATIC
from lineal_receiver.store.arrays import transpose

# What is in force of most jobs stands or falls with the runs that were told of: the others needn't be looked at again.
FETCH_KEPT_OWN_SLOTS = """
with dated as (
    select
        s.job_id,
        s.run_id,
        s.class,
        s.effective_at,
        case when s.run_id = any($4::uuid[]) then 2 when r.end_rank is null then 1 else 0 end as place
    from slot as s
    left join run as r on r.job_id = s.job_id and r.run_id = s.run_id
    where
        s.dataset_id = '00000000-0000-0000-0000-000000000000' and s.job_id = any($1::uuid[]) and not s.future
        and (
            s.run_id = any($4::uuid[])
            or (
                not r.future
                and not r.placeholder
                and case
                    when r.end_rank = 2 then (2, r.end_at)
                    when r.end_rank is not null then (0, r.end_at)
                    when r.streaming then (2, coalesce(r.seen_at, r.last_at))
                    else (1, least(coalesce(r.start_at, r.running_at, r.first_at), r.seen_at))
                end = (s.class::integer, s.effective_at)
            )
        )
),
told as (
    select d.job_id, t.run_id
    from dated as d
    join unnest($2::uuid[], $3::uuid[]) as t (job_id, run_id) on t.job_id = d.job_id
)
select
    d.job_id,
    c.run_id,
    c.class,
    false as future,
    c.effective_at,
    exists (
        select
        from told as t
        join run_io as io on io.job_id = t.job_id and io.run_id = t.run_id and io.side = 'o' and not io.ahead
        where t.job_id = d.job_id
    ) as writes
from dated as d
cross join lateral (
    select d.run_id, d.class::integer as class, d.effective_at, d.place
    union all
    select
        r.run_id,
        case when r.end_rank = 2 or r.streaming then 2 else 1 end,
        case
            when r.end_rank = 2 then r.end_at
            when r.streaming then coalesce(r.seen_at, r.last_at)
            else least(coalesce(r.start_at, r.running_at, r.first_at), r.seen_at)
        end,
        case when r.end_rank = 2 then 0 else 1 end
    from told as t
    join run as r on r.job_id = t.job_id and r.run_id = t.run_id
    where t.job_id = d.job_id and not r.future and not r.placeholder and (r.end_rank = 2 or r.end_rank is null)
    union all
    (
        select io.run_id, 2, io.stated_at, 2
        from run_io as io
        where io.job_id = d.job_id and io.side = 'i' and io.stated_key is not null and not io.future
        order by io.stated_key desc
        limit 1
    )
) as c
order by d.job_id, c.class, c.effective_at, c.place desc, c.run_id desc
"""


async def fetch_kept_own_slots(
    connection: asyncpg.Connection, jobs: Sequence[UUID], told: Sequence[tuple[UUID, UUID]]
) -> list[Any]:
    """As `fetch_own_slots`, of those of these jobs whose slot holds until something newer is told; `told`: (job, run).

    writes: the job writes something now.
    """
    rows: list[Any] = await connection.fetch(FETCH_KEPT_OWN_SLOTS, jobs, *transpose(told, 2), STATIC)
    return rows


FETCH_OWN_SLOTS = """
select k.job_id, c.run_id, c.class, c.future, c.effective_at
from unnest($1::uuid[]) as k (job_id)
cross join lateral (
    (
        select r.run_id, 2 as class, r.future, r.end_at as effective_at, 0 as place
        from run as r
        where r.job_id = k.job_id and r.end_rank = 2
        order by r.future, r.end_at desc, r.run_id
        limit 1
    )
    union all
    (
        select
            r.run_id,
            case when r.streaming then 2 else 1 end,
            r.future,
            case
                when r.streaming then coalesce(r.seen_at, r.last_at)
                else least(coalesce(r.start_at, r.running_at, r.first_at), r.seen_at)
            end as at,
            1
        from run as r
        where r.job_id = k.job_id and r.end_rank is null and not r.placeholder
        order by r.future, r.streaming desc, at desc, r.run_id
        limit 1
    )
    union all
    (
        select io.run_id, 2, io.future, io.stated_at, 2
        from run_io as io
        where io.job_id = k.job_id and io.side = 'i' and io.stated_key is not null
        order by io.future, io.stated_key desc
        limit 1
    )
) as c
where
    not exists (
        select
        from job_dataset as j
        join run_io as io on io.dataset_id = j.dataset_id and io.job_id = j.job_id and io.side = 'o' and not io.ahead
        where j.job_id = k.job_id and j.side = 'o'
    )
    and (not c.future or not exists (select from job_dataset as j where j.job_id = k.job_id and j.side = 'o'))
order by k.job_id, c.future desc, c.class, c.effective_at, c.place desc, c.run_id desc
"""


async def fetch_own_slots(connection: asyncpg.Connection, jobs: Sequence[UUID]) -> list[Any]:
    """Of those of these jobs that write nothing: the newest completed run, open run and statement, the best last.

    Of a job that only events from the future have write something: those that aren't from the future.
    """
    rows: list[Any] = await connection.fetch(FETCH_OWN_SLOTS, jobs)
    return rows
