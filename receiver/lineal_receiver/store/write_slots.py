"""Slots: what is in force of (dataset, job)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import literal, transpose

UPSERT_SLOTS = """
insert into slot as s (
    dataset_id, job_id, run_id, run_ids, build_id, build_ids, last_known_build_id, class, future, effective_at
)
select
    n.dataset_id, n.job_id, n.run_id, n.run_ids::uuid[], n.build_id, n.build_ids::bytea[], n.last_known_build_id,
    n.class,
    n.future,
    n.effective_at
from unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::text[], $7::bytea[], $8::smallint[],
    $9::boolean[], $10::timestamptz[]
) as n (dataset_id, job_id, run_id, run_ids, build_id, build_ids, last_known_build_id, class, future, effective_at)
order by n.dataset_id, n.job_id
on conflict (dataset_id, job_id) do update set
    run_id = excluded.run_id,
    run_ids = excluded.run_ids,
    build_id = excluded.build_id,
    build_ids = excluded.build_ids,
    last_known_build_id = excluded.last_known_build_id,
    class = excluded.class,
    future = excluded.future,
    effective_at = excluded.effective_at
where
    (s.run_id, s.run_ids, s.build_id, s.build_ids, s.last_known_build_id, s.class, s.future, s.effective_at)
    is distinct from (
        excluded.run_id, excluded.run_ids, excluded.build_id, excluded.build_ids, excluded.last_known_build_id,
        excluded.class,
        excluded.future,
        excluded.effective_at
    )
"""


async def upsert_slots(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Put slots (dataset, job, run, runs, build, builds, last known build, class, future, effective at) in force."""
    sent = [
        (d, j, run, literal(runs), build, _bytes_literal(builds), *rest)
        for d, j, run, runs, build, builds, *rest in rows
    ]
    await connection.execute(UPSERT_SLOTS, *transpose(sent, 10))


def _bytes_literal(ids: Sequence[bytes]) -> str:
    return "{" + ",".join(f'"\\\\x{one.hex()}"' for one in ids) + "}"


# The keys stand there as sets, too: plans from when the table was small look at all of it for the join alone.
DELETE_SLOTS = """
delete from slot as s
using unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
where
    s.dataset_id = any($1::uuid[])
    and s.job_id = any($2::uuid[])
    and s.dataset_id = k.dataset_id
    and s.job_id = k.job_id
returning s.dataset_id, s.job_id
"""


async def delete_slots(connection: asyncpg.Connection, pairs: Sequence[tuple[UUID, UUID]]) -> list[tuple[UUID, UUID]]:
    """Nothing is in force any more of these (dataset, job); gives those of which something was."""
    return [tuple(row) for row in await connection.fetch(DELETE_SLOTS, *transpose(pairs, 2))]


FETCH_SLOTS = """
select s.dataset_id, s.job_id, s.run_ids, s.build_ids, s.last_known_build_id, s.ended
from slot as s
where s.dataset_id = any($1::uuid[])
"""


async def fetch_slots(connection: asyncpg.Connection, datasets: Sequence[UUID]) -> list[Any]:
    """The slots of these datasets."""
    rows: list[Any] = await connection.fetch(FETCH_SLOTS, datasets)
    return rows


END_SLOTS = """
update slot as s
set ended = e.ended
from (
    select
        t.dataset_id,
        t.job_id,
        coalesce(d.dropped_at > t.effective_at, false)
        or exists (
            select 1
            from run_io as o
            where
                uuid_send(o.dataset_id) = uuid_send(t.dataset_id) and o.side = 'o' and o.lifecycle = 'OVERWRITE'
                and o.class = 2
                and not o.subset and not o.future and o.stated_key is null
                and o.effective_at > t.effective_at and o.begun_at > t.effective_at and o.job_id <> t.job_id
                and t.class = 2
        )
        or exists (
            select 1
            from statement as o
            where
                o.dataset_id = t.dataset_id and o.kind = 'w' and not o.future and o.job_id <> t.job_id
                and o.key >= first_key(t.effective_at + interval '1 microsecond')
                and t.class = 2
        ) as ended
    from slot as t
    join dataset_state as d on d.dataset_id = t.dataset_id
    where t.dataset_id = any($1::uuid[]) and t.job_id <> '00000000-0000-0000-0000-000000000000'
) as e
where s.dataset_id = e.dataset_id and s.job_id = e.job_id and s.ended <> e.ended
returning s.dataset_id, s.job_id, s.ended
"""

END_STATIC_SLOTS = """
update slot as s
set ended = e.ended
from (
    select
        t.dataset_id,
        exists (
            select 1
            from slot as o
            where
                o.dataset_id = t.dataset_id and o.job_id <> '00000000-0000-0000-0000-000000000000' and not o.ended
                and o.future <= t.future
        )
        or coalesce(d.dropped_at > t.effective_at, false) as ended
    from slot as t
    join dataset_state as d on d.dataset_id = t.dataset_id
    where t.dataset_id = any($1::uuid[]) and t.job_id = '00000000-0000-0000-0000-000000000000'
) as e
where s.dataset_id = e.dataset_id and s.job_id = '00000000-0000-0000-0000-000000000000' and s.ended <> e.ended
returning s.dataset_id, s.job_id, s.ended
"""


async def end_slots(
    connection: asyncpg.Connection, datasets: Sequence[UUID], static: Sequence[UUID]
) -> dict[tuple[UUID, UUID], bool]:
    """Derive which slots of these (locked) datasets ended: by a DROP, an OVERWRITE, static ones by any job's.

    `static` are those of them that have a slot without a job. Gives the slots that ended, or didn't after all.
    """
    rows = await connection.fetch(END_SLOTS, datasets)
    if static:
        rows += await connection.fetch(END_STATIC_SLOTS, static)
    return {(row["dataset_id"], row["job_id"]): row["ended"] for row in rows}
