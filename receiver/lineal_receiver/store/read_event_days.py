"""Which days hold the first of some events by time: of thousands of partitions only theirs are looked at."""

from datetime import date, datetime, timezone

from lineal_receiver.store.read_snapshot import Connection

# Whole hours alone: how much of the hour at either end counts isn't known. Hour by hour, until there are enough.
FIND_OLDEST_HOUR = """
with recursive reached as (
    select date_trunc('hour', $3::timestamptz) as hour, 0::bigint as n
    union all
    select further.hour, reached.n + further.n
    from reached
    cross join lateral (
        select h.hour, sum(h.events)::bigint as n
        from event_hour as h
        where h.kind = $1 and h.hour = (
            select e.hour from event_hour as e
            where e.kind = $1 and e.hour >= $2 and e.hour < reached.hour
            order by e.hour desc
            limit 1
        )
        group by h.hour
    ) as further
    where reached.n < $4
)
select hour from reached where n >= $4
"""

FIND_NEWEST_HOUR = """
with recursive reached as (
    select $2::timestamptz - interval '1 microsecond' as hour, 0::bigint as n
    union all
    select further.hour, reached.n + further.n
    from reached
    cross join lateral (
        select h.hour, sum(h.events)::bigint as n
        from event_hour as h
        where h.kind = $1 and h.hour = (
            select e.hour from event_hour as e
            where e.kind = $1 and e.hour > reached.hour and e.hour < date_trunc('hour', $3::timestamptz)
            order by e.hour
            limit 1
        )
        group by h.hour
    ) as further
    where reached.n < $4
)
select hour from reached where n >= $4
"""


async def find_event_days(
    connection: Connection, kind: str, after: datetime, before: datetime, count: int, *, newest: bool
) -> tuple[date, date]:
    """The UTC days, both included, in which the first `count` records of a kind in [after, before) lie."""
    first, last = _day(after), _day(before)
    if count == 0:
        return first, first
    hour = await connection.fetchval(FIND_OLDEST_HOUR if newest else FIND_NEWEST_HOUR, kind, after, before, count)
    if hour is None:
        return first, last
    return (_day(hour), last) if newest else (first, _day(hour))


def _day(moment: datetime) -> date:
    return moment.astimezone(timezone.utc).date()
