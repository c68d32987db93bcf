"""Which days hold the first of some events by time: of thousands of partitions only theirs are looked at."""

from datetime import date, datetime, timezone

from lineal_receiver.store.read_snapshot import Connection

# Whole hours alone: how much of the hour at either end counts isn't known.
FIND_OLDEST_HOUR = """
select reached.hour
from (
    select h.hour, sum(sum(h.events)) over (order by h.hour desc) as n
    from event_hour as h
    where h.kind = $1 and h.hour >= $2 and h.hour < date_trunc('hour', $3::timestamptz)
    group by h.hour
) as reached
where reached.n >= $4
order by reached.hour desc
limit 1
"""

FIND_NEWEST_HOUR = """
select reached.hour
from (
    select h.hour, sum(sum(h.events)) over (order by h.hour) as n
    from event_hour as h
    where h.kind = $1 and h.hour >= $2 and h.hour < date_trunc('hour', $3::timestamptz)
    group by h.hour
) as reached
where reached.n >= $4
order by reached.hour
limit 1
"""


async def find_event_days(
    connection: Connection, kind: str, after: datetime, before: datetime, count: int, *, newest: bool
) -> tuple[date, date]:
    """The UTC days, both included, in which the first `count` records of a kind in [after, before) lie."""
    first, last = _day(after), _day(before)
    hour = await connection.fetchval(FIND_OLDEST_HOUR if newest else FIND_NEWEST_HOUR, kind, after, before, count)
    if hour is None:
        return first, last
    return (_day(hour), last) if newest else (first, _day(hour))


def _day(moment: datetime) -> date:
    return moment.astimezone(timezone.utc).date()
