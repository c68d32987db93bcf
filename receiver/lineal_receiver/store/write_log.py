"""Append accepted records to the log."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.packing import pack

INSERT_RECORDS = """
insert into log (day, id, kind, event_type, event_time, received_at, flags, job_id, run_id, body)
select day, id, kind, event_type, event_time, received_at, flags, job_id, run_id, body
from unnest(
    $1::date[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::int[], $8::uuid[],
    $9::uuid[],
    $10::bytea[]
) as r (day, id, kind, event_type, event_time, received_at, flags, job_id, run_id, body)
order by day, id
on conflict (day, id) do nothing
returning id
"""


async def insert_records(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> set[bytes]:
    """Keep these records; gives the ids of those that weren't there before."""
    packed = [(*row, pack(body)) for *row, body in rows]
    return {row["id"] for row in await connection.fetch(INSERT_RECORDS, *transpose(packed, 10))}


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
