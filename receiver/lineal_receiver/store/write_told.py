"""Explicit lineage: what `lineage` facets told, which of it is in force, and what jobs consume beside it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.ids import NONE
from lineal_receiver.store.arrays import literal, transpose

UPSERT_TOLD = """
insert into told_lineage as t (job_id, run_id, dataset_id, key, deleted_key, sources, build_id)
select n.job_id, n.run_id, n.dataset_id, n.key, n.deleted_key, n.sources::uuid[], n.build_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[], $6::text[], $7::bytea[]) as n (
    job_id, run_id, dataset_id, key, deleted_key, sources, build_id
)
order by n.job_id, n.run_id, n.dataset_id
on conflict (job_id, run_id, dataset_id) do update set
    key = greatest(t.key, excluded.key),
    deleted_key = greatest(t.deleted_key, excluded.deleted_key),
    sources = case when excluded.key > coalesce(t.key, '') then excluded.sources else t.sources end,
    build_id = case when excluded.key > coalesce(t.key, '') then excluded.build_id else t.build_id end
where excluded.key > coalesce(t.key, '') or excluded.deleted_key > coalesce(t.deleted_key, '')
"""

FETCH_TOLD = """
select t.job_id, t.run_id, t.dataset_id
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join told_lineage as t on t.job_id = k.job_id and t.run_id = k.run_id
"""

SETTLE_TOLD = """
update told_lineage as t
set in_force = d.in_force
from (
    select
        s.job_id,
        s.run_id,
        s.dataset_id,
        s.key is not null and s.key >= coalesce(greatest(s.deleted_key, w.deleted_key), '') as in_force
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (job_id, run_id, dataset_id)
    join told_lineage as s on s.job_id = k.job_id and s.run_id = k.run_id and s.dataset_id = k.dataset_id
    left join told_lineage as w
        on w.job_id = s.job_id and w.run_id = s.run_id and w.dataset_id = '00000000-0000-0000-0000-000000000000'
) as d
where
    t.job_id = d.job_id and t.run_id = d.run_id and t.dataset_id = d.dataset_id and t.in_force <> d.in_force
"""

SETTLE_TOLD_BUILDS = """
update run_io as io
set told_build_id = d.build_id
from (
    select s.dataset_id, s.job_id, s.run_id, case when s.in_force then s.build_id end as build_id
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (job_id, run_id, dataset_id)
    join told_lineage as s on s.job_id = k.job_id and s.run_id = k.run_id and s.dataset_id = k.dataset_id
) as d
where
    io.dataset_id = d.dataset_id and io.job_id = d.job_id and io.run_id = d.run_id and io.side = 'o'
    and io.told_build_id is distinct from d.build_id
"""


async def upsert_told(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join what was told (job, run, dataset or none, key, deletion's key, sources, build) and derive from it."""
    sent = [(*row[:5], None if row[5] is None else literal(row[5]), row[6]) for row in rows]
    await connection.execute(UPSERT_TOLD, *transpose(sent, 7))
    keys = {(row[0], row[1], row[2]) for row in rows}
    whole = sorted({(job, run) for job, run, dataset in keys if dataset == NONE})
    if whole:
        keys |= {tuple(row) for row in await connection.fetch(FETCH_TOLD, *transpose(whole, 2))}
    settled = transpose(sorted(keys), 3)
    await connection.execute(SETTLE_TOLD, *settled)
    await connection.execute(SETTLE_TOLD_BUILDS, *settled)


LOCK_TELLERS = """
select j.job_id
from job_state as j
where
    j.job_id = any($1::uuid[])
    and exists (
        select
        from told_lineage as t
        where t.job_id = j.job_id and t.dataset_id = '00000000-0000-0000-0000-000000000000'
    )
order by j.job_id
for update
"""

DELETE_CONSUMED = """
delete from table_edge as e
where
    e.target_dataset = '00000000-0000-0000-0000-000000000000'
    and e.job_id = any($1::uuid[])
    and not exists (
        select
        from slot as s
        where s.dataset_id = '00000000-0000-0000-0000-000000000000' and s.job_id = e.job_id
    )
    and not exists (
        select
        from slot as s
        join told_lineage as g
            on g.job_id = s.job_id and g.run_id = any(s.run_ids)
            and g.dataset_id = '00000000-0000-0000-0000-000000000000' and g.in_force
        join run_io as i on i.job_id = g.job_id and i.run_id = g.run_id and i.side = 'i' and i.named_at is not null
        where
            (
                i.stated_key is null
                or (i.future, i.stated_key) = (
                    select v.future, v.stated_key
                    from newest_statement as v
                    where v.job_id = i.job_id and v.side = i.side
                )
            )
            and s.job_id = e.job_id and not s.ended and i.dataset_id = e.source_dataset
            and not exists (
                select
                from told_lineage as t
                where t.job_id = g.job_id and t.run_id = g.run_id and t.in_force and i.dataset_id = any(t.sources)
            )
    )
"""

INSERT_CONSUMED = """
insert into table_edge (target_dataset, job_id, source_dataset)
select distinct '00000000-0000-0000-0000-000000000000'::uuid, s.job_id, i.dataset_id
from slot as s
join told_lineage as g
    on g.job_id = s.job_id and g.run_id = any(s.run_ids)
    and g.dataset_id = '00000000-0000-0000-0000-000000000000' and g.in_force
join run_io as i on i.job_id = g.job_id and i.run_id = g.run_id and i.side = 'i' and i.named_at is not null
where
    s.job_id = any($1::uuid[]) and not s.ended
    and (
        i.stated_key is null
        or (i.future, i.stated_key) = (
            select v.future, v.stated_key
            from newest_statement as v
            where v.job_id = i.job_id and v.side = i.side
        )
    )
    and s.dataset_id <> '00000000-0000-0000-0000-000000000000'
    and not exists (
        select
        from told_lineage as t
        where t.job_id = g.job_id and t.run_id = g.run_id and t.in_force and i.dataset_id = any(t.sources)
    )
order by 2, 3
on conflict do nothing
"""


async def settle_consumed(connection: asyncpg.Connection, jobs: Sequence[UUID]) -> None:
    """What those of these jobs that told their lineage read without its feeding a dataset: edges to the job alone.

    Their slots belong to datasets' rows, so the jobs' rows are locked here, last, before all of them are looked at.
    """
    tellers = [row["job_id"] for row in await connection.fetch(LOCK_TELLERS, jobs)]
    if tellers:
        await connection.execute(DELETE_CONSUMED, tellers)
        await connection.execute(INSERT_CONSUMED, tellers)
