"""The archive horizon, and the records that were older than it when they came."""

from dataclasses import dataclass
from datetime import date, datetime

from lineal_receiver.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Horizon:
    """The horizon as it was last set; `at` None: it was taken away."""

    at: datetime | None
    set_at: datetime
    made_by: str
    why: str


FIND_HORIZON = """
select at, set_at, made_by, why from horizon
"""


async def find_horizon(connection: Connection) -> Horizon | None:
    """The horizon; None if none was ever set."""
    row = await connection.fetchrow(FIND_HORIZON)
    return Horizon(**row) if row else None


COUNT_LATE = """
select count(*) from (select from log where flags & 65536 <> 0 limit $1) as late
"""


async def count_late(connection: Connection, limit: int) -> int:
    """The records that came after their time, counted to `limit`."""
    return int(await connection.fetchval(COUNT_LATE, limit))


@dataclass(frozen=True, slots=True)
class LateRecord:
    """A record that is kept and not folded."""

    day: date
    id: bytes
    kind: str
    event_type: str | None
    event_time: datetime
    received_at: datetime
    size: int


LIST_LATE = """
select day, id, kind, event_type, event_time, received_at, body_size(body) as size
from log
where flags & 65536 <> 0 and ($1::timestamptz is null or (received_at, id) < ($1, $2::bytea))
order by received_at desc, id desc
limit $3
"""


async def list_late(connection: Connection, after: tuple[datetime, bytes] | None, limit: int) -> list[LateRecord]:
    """The newest `limit` by their receipt, or those that follow the one at `after`."""
    at, identity = after or (None, None)
    return [LateRecord(**row) for row in await connection.fetch(LIST_LATE, at, identity, limit)]
