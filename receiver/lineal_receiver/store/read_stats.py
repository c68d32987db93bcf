"""Counts over time: events an hour as kept, and entities by when they were first seen."""

from dataclasses import dataclass
from datetime import datetime

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class HourRow:
    """Events of a type in an hour."""

    hour: datetime
    event_type: str
    events: int


FETCH_EVENT_HOURS = """
select hour, event_type, sum(events)::bigint as events
from event_hour
where kind = 'run' and hour >= $1 and hour < $2
group by hour, event_type
order by hour, event_type
"""


async def fetch_event_hours(connection: Connection, start: datetime, end: datetime) -> list[HourRow]:
    """Run events by hour and type in [start, end)."""
    return [HourRow(**row) for row in await connection.fetch(FETCH_EVENT_HOURS, start, end)]


COUNT_JOBS_SINCE = """
with edges as (
    select at, lead(at, 1, 'infinity') over (order by at) as until
    from unnest($1::timestamptz[]) as edge(at)
),
counted as (
    select e.at, (select count(*) from job_state as s where s.created_at >= e.at and s.created_at < e.until
        and not exists (select from hidden as h where h.entity_id = s.job_id)) as n
    from edges as e
)
select (sum(n) over (order by at desc))::bigint as n from counted order by at
"""


async def count_jobs_since(connection: Connection, edges: list[datetime]) -> list[int]:
    """For each of `edges`, times in order, how many jobs were first seen at or after it."""
    return [row["n"] for row in await connection.fetch(COUNT_JOBS_SINCE, edges)]


COUNT_DATASETS_SINCE = """
with edges as (
    select at, lead(at, 1, 'infinity') over (order by at) as until
    from unnest($1::timestamptz[]) as edge(at)
),
counted as (
    select e.at, (select count(*) from dataset_state as s where s.created_at >= e.at and s.created_at < e.until
        and not exists (select from hidden as h where h.entity_id = s.dataset_id)) as n
    from edges as e
)
select (sum(n) over (order by at desc))::bigint as n from counted order by at
"""


async def count_datasets_since(connection: Connection, edges: list[datetime]) -> list[int]:
    """For each of `edges`, times in order, how many datasets were first seen at or after it."""
    return [row["n"] for row in await connection.fetch(COUNT_DATASETS_SINCE, edges)]
