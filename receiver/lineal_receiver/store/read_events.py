"""The log of run events, by time."""

from dataclasses import dataclass
from datetime import date, datetime, timezone

from lineal_receiver.store.packing import unpack
from lineal_receiver.store.read_event_days import find_event_days
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class EventKey:
    """Where an event lies in the log, and how many bytes it has."""

    day: date
    id: bytes
    size: int


LIST_EVENTS_NEWEST_FIRST = """
select day, id, body_size(body) as size
from log
where kind = 'run' and event_time >= $1 and event_time < $2 and day between $5 and $6
order by event_time desc, id
limit $3 offset $4
"""


async def list_events_newest_first(
    connection: Connection, after: datetime, before: datetime, limit: int, offset: int
) -> list[EventKey]:
    """A page of the run events in [after, before), the newest first."""
    days = await find_event_days(connection, "run", after, before, limit + offset, newest=True)
    rows = await connection.fetch(LIST_EVENTS_NEWEST_FIRST, after, before, limit, offset, *days)
    return [EventKey(**row) for row in rows]


LIST_EVENTS_OLDEST_FIRST = """
select day, id, body_size(body) as size
from log
where kind = 'run' and event_time >= $1 and event_time < $2 and day between $5 and $6
order by event_time asc, id desc
limit $3 offset $4
"""


async def list_events_oldest_first(
    connection: Connection, after: datetime, before: datetime, limit: int, offset: int
) -> list[EventKey]:
    """A page of the run events in [after, before), the oldest first: the other order backwards."""
    days = await find_event_days(connection, "run", after, before, limit + offset, newest=False)
    rows = await connection.fetch(LIST_EVENTS_OLDEST_FIRST, after, before, limit, offset, *days)
    return [EventKey(**row) for row in rows]


# The limit keeps one look-up a key: as a plain join, all events of the days might be read and compared with the keys.
FETCH_EVENT_BODIES = """
select l.id, l.body
from unnest($1::date[], $2::bytea[]) as wanted(day, id)
cross join lateral (
    select log.id, log.body
    from log
    where log.day = wanted.day and log.id = wanted.id and log.day between $3 and $4
    limit 1
) as l
"""


async def fetch_event_bodies(connection: Connection, keys: list[EventKey]) -> dict[bytes, bytes]:
    """The bodies of these events as they were sent, by id."""
    days, ids = [key.day for key in keys], [key.id for key in keys]
    rows = await connection.fetch(FETCH_EVENT_BODIES, days, ids, min(days), max(days)) if days else []
    return {row["id"]: unpack(row["body"]) for row in rows}


# The day stands beside the time, so that of the log's partitions only those of the days at the ends are looked at; the
# order, so that these are walked by time, not all of them read by their key.
COUNT_EVENTS = """
with hours as (
    select
        date_trunc('hour', $1::timestamptz - interval '1 microsecond') + interval '1 hour' as first,
        date_trunc('hour', $2::timestamptz) as last
)
select
    case
        when first >= last then (
            select count(*)
            from (
                select
                from log
                where kind = 'run' and event_time >= $1 and event_time < $2 and day between $3 and $4
                order by event_time
            ) as within
        )
        else (
            select coalesce(sum(events), 0) from event_hour where kind = 'run' and hour >= first and hour < last
        ) + (
            select count(*)
            from (
                select
                from log
                where kind = 'run' and event_time >= $1 and event_time < first and day = $3
                order by event_time
            ) as before_first
        ) + (
            select count(*)
            from (
                select
                from log
                where kind = 'run' and event_time >= last and event_time < $2 and day = $4
                order by event_time
            ) as from_last
        )
    end
from hours
"""


async def count_events(connection: Connection, after: datetime, before: datetime) -> int:
    """The number of run events in [after, before): whole hours from the counts kept, the ends counted."""
    days = (moment.astimezone(timezone.utc).date() for moment in (after, before))
    return int(await connection.fetchval(COUNT_EVENTS, after, before, *days))
