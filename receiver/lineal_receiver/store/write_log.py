"""Append accepted records to the log."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.packing import pack

LATE = 1 << 16
"""In `flags`: older than the archive horizon when it was first accepted. Such a record tells of no job and no run."""

FIND_RECORDS = """
select
    array(
        select l.id
        from unnest($1::date[], $2::bytea[]) as k (day, id)
        join log as l on l.day = k.day and l.id = k.id
    ) as found,
    (select h.at from horizon as h) as horizon
"""

RECORD = (
    "day", "id", "kind", "event_type", "event_time", "received_at", "flags", "job_id", "run_id", "body",
)  # fmt: skip


async def insert_records(
    connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]], *, judge_late: bool
) -> dict[bytes, bool]:
    """Keep these records (`RECORD`); gives the ids of those that weren't there before, and whether each is late.

    `judge_late`: by the horizon that is in force, else as the flags say. UniqueViolationError: another server keeps one
    of them just now.
    """
    by_key = sorted(rows, key=lambda row: row[:2])
    known = await connection.fetchrow(FIND_RECORDS, *transpose([row[:2] for row in by_key], 2))
    found, horizon = set(known["found"]), known["horizon"] if judge_late else None
    kept: dict[bytes, bool] = {}
    records = []
    for day, identity, kind, event_type, at, received_at, flags, job, run, body in by_key:
        if identity in found:
            continue
        late = bool(flags & LATE) or (horizon is not None and kind != "command" and at < horizon)
        told = (flags | LATE, None, None) if late else (flags, job, run)
        records.append((day, identity, kind, event_type, at, received_at, *told, pack(body)))
        kept[identity] = late
    if records:
        await connection.copy_records_to_table("log", records=records, columns=RECORD)
    return kept


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
