"""Keep what was refused, so that nothing is lost and it can be sent again."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

QUOTA_BYTES = 512 * 1024 * 1024

INSERT_REJECTED = """
insert into rejected as r (
    id, rule, pointer, expected, message, status, source, body, truncated, size, coding, errors, first_at, last_at
)
select
    case when room.whole or $9 then $1 else $2 end,
    $3, $4, $5, $6, $7, $8,
    case when room.whole or $9 then $10 else ''::bytea end,
    $9 or not room.whole,
    $11, $12, $13::text::jsonb, $14, $14
from (
    select pg_total_relation_size('rejected') < $15 or exists(select 1 from rejected where id = $1) as whole
) as room
on conflict (id) do update set
    count = r.count + 1,
    size = greatest(r.size, excluded.size),
    last_at = greatest(r.last_at, excluded.last_at)
"""


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A refused body, or its beginning (`truncated`), and the first rule it broke; `errors` are all, as JSON."""

    id: bytes
    without_body: bytes
    rule: str
    pointer: str
    expected: str
    message: str
    status: int
    source: str
    truncated: bool
    body: bytes
    size: int
    coding: str
    errors: str


async def insert_rejected(connection: asyncpg.Connection, row: RejectedRow, at: datetime, quota: int) -> None:
    """Keep a refused body; the same body again is counted.

    Once the table takes up `quota` bytes only what is said about further ones is kept, as one row for each value of
    `without_body`.
    """
    await connection.execute(
        INSERT_REJECTED, row.id, row.without_body, row.rule, row.pointer, row.expected, row.message, row.status,
        row.source, row.truncated, row.body, row.size, row.coding, row.errors, at, quota,
    )  # fmt: skip


MARK_REPLAYED = """
update rejected set replayed_at = coalesce(replayed_at, $2), tried_at = $2 where id = $1
"""


async def mark_replayed(connection: asyncpg.Connection, identity: bytes, at: datetime) -> None:
    """This body has been taken after all."""
    await connection.execute(MARK_REPLAYED, identity, at)


MARK_REFUSED_AGAIN = """
update rejected set
    rule = $2, pointer = $3, expected = $4, message = $5, status = $6, errors = $7::text::jsonb, tried_at = $8
where id = $1
"""


async def mark_refused_again(connection: asyncpg.Connection, identity: bytes, row: RejectedRow, at: datetime) -> None:
    """This body was tried again and refused, for the reasons that are now the newest."""
    await connection.execute(
        MARK_REFUSED_AGAIN, identity, row.rule, row.pointer, row.expected, row.message, row.status, row.errors, at
    )
