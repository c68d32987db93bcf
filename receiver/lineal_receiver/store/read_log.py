"""The log, record by record, as it was accepted: what everything else is computed from."""

from collections.abc import AsyncIterator, Sequence
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
    async for records in _fetch_by_heads(connection, FETCH_HEADS, most):
        yield records


_FETCH_MISSING_HEADS = """
select l.day, l.id, body_size(l.body) as size
from log as l
where not exists (select from lineal_verify.log as s where s.day = l.day and s.id = l.id)
order by l.day, l.id
"""


async def fetch_missing_records(connection: asyncpg.Connection, most: int) -> AsyncIterator[list[LogRecord]]:
    """The records that the shadow doesn't have yet, as `fetch_records`."""
    async for records in _fetch_by_heads(connection, _FETCH_MISSING_HEADS, most):
        yield records


async def fetch_some_records(
    connection: asyncpg.Connection, keys: Sequence[tuple[date, bytes]], most: int
) -> AsyncIterator[list[LogRecord]]:
    """Records of these keys, up to `most` at once."""
    for start in range(0, len(keys), most):
        yield await _fetch_bodies(connection, keys[start : start + most])


async def _fetch_by_heads(connection: asyncpg.Connection, heads: str, most: int) -> AsyncIterator[list[LogRecord]]:
    keys: list[tuple[date, bytes]] = []
    size = 0
    async for head in connection.cursor(heads, prefetch=HEADS_AT_ONCE):
        if keys and (len(keys) == most or size + head["size"] > BYTES_AT_ONCE):
            yield await _fetch_bodies(connection, keys)
            keys, size = [], 0
        keys.append((head["day"], head["id"]))
        size += head["size"]
    if keys:
        yield await _fetch_bodies(connection, keys)


async def _fetch_bodies(connection: asyncpg.Connection, keys: Sequence[tuple[date, bytes]]) -> list[LogRecord]:
    rows = await connection.fetch(FETCH_BODIES, [day for day, _ in keys], [identity for _, identity in keys])
    return [
        LogRecord(
            row["day"], row["id"], row["kind"], row["event_type"], row["event_time"], row["received_at"], row["flags"],
            unpack(row["body"]),
        )
        for row in rows
    ]  # fmt: skip


FIND_RECORDS = """
select day, id
from log
where id >= $1 and id <= $2
order by id
limit 2
"""


async def find_records(connection: asyncpg.Connection, first: bytes, last: bytes) -> list[tuple[date, bytes]]:
    """The keys of records with an id in [first, last], two at most; looks through the whole log."""
    return [(row["day"], row["id"]) for row in await connection.fetch(FIND_RECORDS, first, last)]
