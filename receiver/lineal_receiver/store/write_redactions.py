"""Change what records of the log and refused bodies say, while nobody else writes."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.packing import pack

REDACTED = 1 << 15
"""In `log.flags`: something was taken out of the record; its id is that of what it said before."""

LIFT_LIMITS = """
select
    set_config('statement_timeout', '0', false),
    set_config('idle_in_transaction_session_timeout', '0', false)
"""


async def lift_limits(connection: Connection) -> None:
    """Let this session take as long as it needs."""
    await connection.execute(LIFT_LIMITS)


LOCK_LOG = "lock table log in share row exclusive mode"


async def own_log(connection: Connection) -> None:
    """Until the transaction ends nobody else writes: each transaction begins with the log. Reads go on."""
    await connection.execute(LOCK_LOG)


UPDATE_RECORDS = """
update log as l
set
    body = r.body,
    flags = l.flags | 32768,
    job_id = case when l.flags & 65536 = 0 then r.job_id end,
    run_id = case when l.flags & 65536 = 0 then r.run_id end
from unnest($1::date[], $2::bytea[], $3::bytea[], $4::uuid[], $5::uuid[]) as r (day, id, body, job_id, run_id)
where l.day = r.day and l.id = r.id
"""


async def update_records(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Let these records (day, id, body, job, run) say this from now on."""
    packed = [(day, identity, pack(body), *rest) for day, identity, body, *rest in rows]
    await connection.execute(UPDATE_RECORDS, *transpose(packed, 5))


LIST_REJECTED_IDS = """
select id from rejected order by id
"""

FETCH_REJECTED_WHOLE = """
select id, pointer, expected, message, source, body, truncated, coding, errors::text as errors
from rejected
where id = $1
"""


@dataclass(frozen=True, slots=True)
class RefusedBody:
    """All that is kept of a refused body in words."""

    id: bytes
    pointer: str
    expected: str
    message: str
    source: str
    body: bytes
    truncated: bool
    coding: str
    errors: str


async def fetch_rejected_whole(connection: Connection) -> AsyncIterator[RefusedBody]:
    """Every refused body, one at a time; needs a transaction."""
    async for head in connection.cursor(LIST_REJECTED_IDS, prefetch=1_000):
        yield RefusedBody(**await connection.fetchrow(FETCH_REJECTED_WHOLE, head["id"]))


UPDATE_REJECTED = """
update rejected
set
    pointer = $2, expected = $3, message = $4, source = $5, body = $6, truncated = $7, errors = $8::text::jsonb
where id = $1
"""


async def update_rejected(connection: Connection, row: RefusedBody) -> None:
    """Keep this instead."""
    await connection.execute(
        UPDATE_REJECTED, row.id, row.pointer, row.expected, row.message, row.source, row.body, row.truncated, row.errors
    )
