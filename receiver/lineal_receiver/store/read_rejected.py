"""What was refused: a list in the order that it came, one of it, its body."""

from dataclasses import dataclass
from datetime import datetime

from lineal_receiver.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Rejected:
    """A refused body: why, from whom, how often; `size` is what is known of it (at least, where it is `truncated`)."""

    id: bytes
    rule: str
    pointer: str
    expected: str
    message: str
    status: int
    source: str
    size: int
    truncated: bool
    coding: str
    count: int
    first_at: datetime
    last_at: datetime
    tried_at: datetime | None
    replayed_at: datetime | None
    errors: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of them: those of a rule, a status, a sender; taken since (or not); None asks nothing."""

    rule: str | None = None
    status: int | None = None
    source: str | None = None
    replayed: bool | None = None


LIST_REJECTED = """
select
    id, rule, pointer, expected, message, status, source, size, truncated, coding, count, first_at, last_at, tried_at,
    replayed_at, errors::text as errors
from rejected
where ($1::text is null or rule = $1)
    and ($2::integer is null or status = $2)
    and ($3::text is null or source = $3)
    and ($4::boolean is null or (replayed_at is not null) = $4)
    and ($5::timestamptz is null or (first_at, id) < ($5, $6::bytea))
order by first_at desc, id desc
limit $7
"""


async def list_rejected(
    connection: Connection, wanted: Wanted, after: tuple[datetime, bytes] | None, limit: int
) -> list[Rejected]:
    """The newest `limit` of them, or those that follow the one at `after`."""
    at, identity = after or (None, None)
    rows = await connection.fetch(
        LIST_REJECTED, wanted.rule, wanted.status, wanted.source, wanted.replayed, at, identity, limit
    )
    return [Rejected(**row) for row in rows]


COUNT_REJECTED_OF = """
select count(*)
from (
    select 1
    from rejected
    where ($1::text is null or rule = $1)
        and ($2::integer is null or status = $2)
        and ($3::text is null or source = $3)
        and ($4::boolean is null or (replayed_at is not null) = $4)
    limit $5
) as counted
"""


async def count_rejected_of(connection: Connection, wanted: Wanted, most: int) -> int:
    """How many there are, counted to `most`."""
    return int(
        await connection.fetchval(COUNT_REJECTED_OF, wanted.rule, wanted.status, wanted.source, wanted.replayed, most)
    )


FIND_REJECTED = """
select
    id, rule, pointer, expected, message, status, source, size, truncated, coding, count, first_at, last_at, tried_at,
    replayed_at, errors::text as errors
from rejected
where id >= $1 and id <= $2
order by id
limit 2
"""


async def find_rejected(connection: Connection, first: bytes, last: bytes) -> list[Rejected]:
    """Those with an id in [first, last], two at most: enough to know whether a beginning of an id names one."""
    return [Rejected(**row) for row in await connection.fetch(FIND_REJECTED, first, last)]


FETCH_REJECTED_BODY = """
select body from rejected where id = $1
"""


async def fetch_rejected_body(connection: Connection, identity: bytes) -> bytes:
    """The body of one of them, or its beginning."""
    return bytes(await connection.fetchval(FETCH_REJECTED_BODY, identity))
