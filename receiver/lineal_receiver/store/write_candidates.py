"""Candidates for slots: the writes and builds that what is in force is chosen from."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.ids import AHEAD, NONE
from lineal_receiver.store.arrays import transpose

HOLDERS = (NONE, AHEAD)
"""What stands for the run where static events stated a build that can be in force."""

# Each rank and whether there is a build is a place of its own in the index, where the newest is found at once.
# `offset 0`: each write's build is looked up; while there are few builds a plan would take all writes of each instead.
# Runs are looked up by their id alone ("is not distinct" uses no index): before the first ANALYZE, a plan would read
# all runs of the job.
FETCH_ANCHORS = """
with rank (future, class) as (values (false, 2::smallint), (false, 1), (true, 2), (true, 1))
select
    k.dataset_id,
    k.job_id,
    n.run_id,
    n.class,
    n.future,
    n.effective_at,
    nr.parent_run,
    b.run_id as built_run,
    b.class as built_class,
    b.future as built_future,
    br.parent_run as built_parent,
    d.dropped_at
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
join dataset_state as d on d.dataset_id = k.dataset_id
left join lateral (
    select w.run_id, w.class, w.future, w.effective_at
    from rank
    cross join (values (true), (false)) as with_build (has)
    cross join lateral (
        select io.run_id, io.class, io.future, io.effective_at
        from run_io as io
        where
            io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o' and io.future = rank.future
            and io.class = rank.class and io.has_build = with_build.has and io.lifecycle is distinct from 'DROP'
            and (
                io.stated_key is null
                or io.job_id = '00000000-0000-0000-0000-000000000000'
                or (io.future, io.stated_key) = (
                    select v.future, v.stated_key
                    from newest_statement as v
                    where v.job_id = io.job_id and v.side = io.side
                )
            )
        order by io.effective_at desc, io.run_id
        limit 1
    ) as w
    order by w.future, w.class desc, w.effective_at desc, w.run_id
    limit 1
) as n on true
left join run as nr on nr.run_id = n.run_id and nr.job_id is not distinct from k.job_id
left join lateral (
    select w.run_id, w.class, w.future
    from (
        select made.run_id, made.class, made.future, made.effective_at
        from rank
        cross join lateral (
            select io.run_id, io.class, io.future, io.effective_at
            from run_io as io
            cross join lateral (
                select c.status from build as c where c.id = coalesce(io.told_build_id, io.build_id) offset 0
            ) as c
            where
                io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o' and io.future = rank.future
                and io.class = rank.class and io.has_build and io.lifecycle is distinct from 'DROP'
                and io.stated_key is null and c.status <> 'failed'
            order by io.effective_at desc, io.run_id
            limit 1
        ) as made
        union all
        select s.run_id, s.class, s.future, s.stated_at
        from stated_build as s
        where
            s.dataset_id = k.dataset_id and s.job_id = k.job_id and s.run_id = any($3::uuid[])
            and (d.dropped_at is null or s.stated_at >= d.dropped_at)
            and (
                s.job_id = '00000000-0000-0000-0000-000000000000'
                or (s.future, s.stated_key) = (
                    select v.future, v.stated_key
                    from newest_statement as v
                    where v.job_id = s.job_id and v.side = 'o'
                )
            )
    ) as w
    order by w.future, w.class desc, w.effective_at desc, w.run_id
    limit 1
) as b on true
left join run as br on br.run_id = b.run_id and br.job_id is not distinct from k.job_id
"""


async def fetch_anchors(connection: asyncpg.Connection, pairs: Sequence[tuple[UUID, UUID]]) -> list[Any]:
    """The newest write of each (dataset, job), the newest that carries a build, and when the dataset was dropped."""
    rows: list[Any] = await connection.fetch(FETCH_ANCHORS, *transpose(pairs, 2), HOLDERS)
    return rows


FETCH_WRITES = """
select
    k.dataset_id,
    k.job_id,
    k.run_id as anchor,
    w.run_id,
    w.effective_at,
    w.lifecycle,
    b.id as build_id,
    b.sql_hash,
    b.schema_hash,
    b.sqlglot_version,
    b.rules_version,
    b.status,
    cardinality(b.out_columns) as columns
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::uuid[])
as k (dataset_id, job_id, run_id, future, parent_run)
cross join lateral (
    select f.run_id, f.effective_at, f.lifecycle, f.build_id
    from (
        select each.run_id, each.effective_at, each.lifecycle, each.build_id
        from (values (true), (false)) as with_build (has)
        cross join lateral (
            select io.run_id, io.effective_at, io.lifecycle, coalesce(io.told_build_id, io.build_id) as build_id
            from run_io as io
            where
                k.parent_run is not null and io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o'
                and io.class = 2 and io.future = k.future and io.has_build = with_build.has
            order by io.effective_at desc, io.run_id
            limit $6
        ) as each
        order by each.effective_at desc, each.run_id
        limit $6
    ) as f
    where
        f.run_id <> k.run_id
        and (select r.parent_run from run as r where r.job_id = k.job_id and r.run_id = f.run_id) = k.parent_run
    union all
    select io.run_id, io.effective_at, io.lifecycle, coalesce(io.told_build_id, io.build_id) as build_id
    from run_io as io
    where io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.run_id = k.run_id and io.side = 'o'
) as w
left join build as b on b.id = w.build_id and b.status <> 'failed'
order by k.dataset_id, k.job_id, k.run_id, w.effective_at desc, w.run_id
"""


async def fetch_writes(connection: asyncpg.Connection, anchors: Sequence[tuple[Any, ...]], reach: int) -> list[Any]:
    """For each anchor (dataset, job, run, from the future, parent run or None): its write, those under that parent.

    The newest first; those from the future don't count together with others.

    Looks back over the newest `reach` writes.
    """
    rows: list[Any] = await connection.fetch(FETCH_WRITES, *transpose(anchors, 5), reach)
    return rows


FETCH_STAND_INS = """
select k.dataset_id, k.job_id, k.sql_hash, b.id as build_id, b.schema_hash, b.sqlglot_version, b.rules_version,
b.status,
       w.effective_at
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[]) as k (dataset_id, job_id, sql_hash, class)
join build as b on b.dataset_id = k.dataset_id and b.job_id = k.job_id and b.sql_hash = k.sql_hash
cross join lateral (
    select rank.future, used.effective_at
    from (values (false), (true)) as rank (future)
    cross join lateral (
        (
            select io.effective_at
            from run_io as io
            where
                io.dataset_id = k.dataset_id and io.job_id = k.job_id
                and coalesce(io.told_build_id, io.build_id) = b.id
                and io.side = 'o' and io.has_build and io.future = rank.future
                and io.class = k.class and io.lifecycle is distinct from 'DROP' and io.stated_key is null
            order by io.effective_at desc
            limit 1
        )
        union all
        select s.stated_at
        from stated_build as s
        where
            s.dataset_id = k.dataset_id and s.job_id = k.job_id and s.run_id = any($5::uuid[]) and s.build_id = b.id
            and s.future = rank.future and s.class = k.class
    ) as used
    order by rank.future, used.effective_at desc
    limit 1
) as w
where b.status in ('resolved', 'partial')
order by w.future, w.effective_at desc, b.id
"""


async def fetch_stand_ins(connection: asyncpg.Connection, keys: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Builds of the same SQL, for (dataset, job, sql hash, class), that were in use, newest first."""
    rows: list[Any] = await connection.fetch(FETCH_STAND_INS, *transpose(keys, 4), HOLDERS)
    return rows


FETCH_LAST_KNOWN = """
select k.dataset_id, k.job_id, w.build_id, w.effective_at
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as k (dataset_id, job_id, dropped_at)
cross join lateral (
    select known.build_id, known.effective_at
    from (values (false), (true)) as rank (future)
    cross join lateral (
        (
            select coalesce(io.told_build_id, io.build_id) as build_id, io.effective_at, io.run_id
            from run_io as io
            cross join lateral (
                select b.status from build as b where b.id = coalesce(io.told_build_id, io.build_id) offset 0
            ) as b
            where
                io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o' and io.class = 2
                and io.future = rank.future and io.has_build and io.lifecycle is distinct from 'DROP'
                and io.stated_key is null and io.effective_at >= coalesce(k.dropped_at, '-infinity')
                and b.status in ('resolved', 'partial')
            order by io.effective_at desc, io.run_id
            limit 1
        )
        union all
        select s.build_id, s.stated_at, s.run_id
        from stated_build as s
        join build as b on b.id = s.build_id and b.status in ('resolved', 'partial')
        where
            s.dataset_id = k.dataset_id and s.job_id = k.job_id and s.run_id = any($4::uuid[])
            and s.future = rank.future and s.stated_at >= coalesce(k.dropped_at, '-infinity')
    ) as known
    order by rank.future, known.effective_at desc, known.run_id
    limit 1
) as w
"""


async def fetch_last_known(connection: asyncpg.Connection, keys: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The newest build with edges of each (dataset, job, dropped at)."""
    rows: list[Any] = await connection.fetch(FETCH_LAST_KNOWN, *transpose(keys, 3), HOLDERS)
    return rows
