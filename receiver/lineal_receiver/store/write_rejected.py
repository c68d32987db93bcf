"""Keep what was refused, so that nothing is lost and it can be sent again."""

from datetime import datetime

import asyncpg

QUOTA_BYTES = 512 * 1024 * 1024

INSERT_REJECTED = """
insert into rejected as r (
    id, rule, pointer, expected, message, status, source, body, truncated, first_at, last_at
)
select
    $1, $2, $3, $4, $5, $6, $7,
    case when pg_total_relation_size('rejected') < $11 then $8::bytea else ''::bytea end,
    $9 or pg_total_relation_size('rejected') >= $11,
    $10,
    $10
on conflict (id) do update set
    count = r.count + 1,
    last_at = greatest(r.last_at, excluded.last_at)
"""


async def insert_rejected(
    connection: asyncpg.Connection,
    *,
    identity: bytes,
    rule: str,
    pointer: str,
    expected: str,
    message: str,
    status: int,
    source: str,
    body: bytes,
    truncated: bool,
    at: datetime,
) -> None:
    """Keep a refused body with the first rule it broke; the same body again is counted.

    Above `QUOTA_BYTES` only what is said about it is kept, marked as truncated.
    """
    await connection.execute(
        INSERT_REJECTED, identity, rule, pointer, expected, message, status, source, body, truncated, at, QUOTA_BYTES
    )
