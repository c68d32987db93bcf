"""The log, record by record, as it was accepted: what everything else is computed from."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, datetime

import asyncpg

from lineal_receiver.store.packing import unpack

HEADS_AT_ONCE = 500
BYTES_AT_ONCE = 8 * 1024 * 1024

COUNT_RECORDS = "select count(*) from log"

FETCH_HEADS = """
select day, id, body_size(body) as size
from log
order by day, id
"""

FETCH_BODIES = """
select l.day, l.id, l.kind, l.event_type, l.event_time, l.received_at, l.flags, l.job_id, l.run_id, l.body
from unnest($1::date[], $2::bytea[]) as k (day, id)
join log as l on l.day = k.day and l.id = k.id
order by l.day, l.id
"""


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One row of the log."""

    day: date
    id: bytes
    kind: str
    event_type: str | None
    event_time: datetime
    received_at: datetime
    flags: int
    body: bytes


async def count_records(connection: asyncpg.Connection) -> int:
    """How many records there are."""
    return int(await connection.fetchval(COUNT_RECORDS))


async def fetch_records(connection: asyncpg.Connection, most: int) -> AsyncIterator[list[LogRecord]]:
    """All records by (day, id), up to `most` and some 8 MB at once (one that is larger comes alone).

    Needs a transaction, and sees the log as its snapshot does.
    """
    keys: list[tuple[date, bytes]] = []
    size = 0
    async for head in connection.cursor(FETCH_HEADS, prefetch=HEADS_AT_ONCE):
        if keys and (len(keys) == most or size + head["size"] > BYTES_AT_ONCE):
            yield await _fetch_bodies(connection, keys)
            keys, size = [], 0
        keys.append((head["day"], head["id"]))
        size += head["size"]
    if keys:
        yield await _fetch_bodies(connection, keys)


async def _fetch_bodies(connection: asyncpg.Connection, keys: list[tuple[date, bytes]]) -> list[LogRecord]:
    rows = await connection.fetch(FETCH_BODIES, [day for day, _ in keys], [identity for _, identity in keys])
    return [
        LogRecord(
            row["day"], row["id"], row["kind"], row["event_type"], row["event_time"], row["received_at"], row["flags"],
            unpack(row["body"]),
        )
        for row in rows
    ]  # fmt: skip
