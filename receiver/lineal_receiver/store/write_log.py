"""Append accepted records to the log."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.packing import pack

LATE = 1 << 16
"""In `flags`: older than the archive horizon when it was first accepted. Such a record tells of no job and no run."""

INSERT_RECORDS = """
insert into log (day, id, kind, event_type, event_time, received_at, flags, job_id, run_id, body)
select
    r.day, r.id, r.kind, r.event_type, r.event_time, r.received_at,
    case when judged.late then r.flags | 65536 else r.flags end,
    case when not judged.late then r.job_id end,
    case when not judged.late then r.run_id end,
    r.body
from unnest(
    $1::date[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::int[], $8::uuid[],
    $9::uuid[],
    $10::bytea[]
) as r (day, id, kind, event_type, event_time, received_at, flags, job_id, run_id, body)
cross join lateral (
    select
        r.flags & 65536 <> 0
        or (
            $11 and r.kind <> 'command'
            and coalesce(r.event_time < (select h.at from horizon as h), false)
        ) as late
) as judged
where not exists (select from log as l where l.day = r.day and l.id = r.id)
order by r.day, r.id
returning id, flags & 65536 <> 0 as late
"""


async def insert_records(
    connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]], *, judge_late: bool
) -> dict[bytes, bool]:
    """Keep these records; gives the ids of those that weren't there before, and whether each is late.

    `judge_late`: by the horizon that is in force, else as the flags say. UniqueViolationError: another server keeps one
    of them just now.
    """
    packed = [(*row, pack(body)) for *row, body in rows]
    found = await connection.fetch(INSERT_RECORDS, *transpose(packed, 10), judge_late)
    return {row["id"]: row["late"] for row in found}


ADD_HOURS = """
insert into event_hour (hour, kind, event_type, events)
select hour, kind, event_type, events
from unnest($1::timestamptz[], $2::text[], $3::text[], $4::bigint[]) as h (hour, kind, event_type, events)
order by hour, kind, event_type
on conflict (hour, kind, event_type) do update set events = event_hour.events + excluded.events
"""


async def add_hours(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Count records that were really added, by (hour, kind, event type)."""
    await connection.execute(ADD_HOURS, *transpose(rows, 4))
