"""What was redacted: a list, the newest first."""

from dataclasses import dataclass
from datetime import datetime

from lineal_receiver.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Redaction:
    """Who took what out of how many records and refused bodies, and why."""

    id: bytes
    at: datetime
    what: str
    made_by: str
    why: str
    record_id: bytes | None
    pointers: list[str]
    records: int
    rejected: int


LIST_REDACTIONS = """
select id, at, what, made_by, why, record_id, pointers, records, rejected
from redaction
where $1::timestamptz is null or (at, id) < ($1, $2::bytea)
order by at desc, id desc
limit $3
"""


async def list_redactions(connection: Connection, after: tuple[datetime, bytes] | None, limit: int) -> list[Redaction]:
    """The newest `limit`, or those that follow the one at `after`."""
    at, identity = after or (None, None)
    return [Redaction(**row) for row in await connection.fetch(LIST_REDACTIONS, at, identity, limit)]
