"""GET /api/v1/stats: events an hour or a day, and how many jobs, datasets and sources there were."""

from datetime import datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.sources import list_sources
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import snapshot
from lineal_receiver.store.read_stats import count_datasets_since, count_jobs_since, fetch_event_hours
from lineal_receiver.store.read_totals import fetch_total

router = read_router()

Period = Annotated[Text, Query(description="DAY (24 hours) or WEEK (7 days)")]
Zone = Annotated[Text, Query(description="an IANA name; needed for WEEK")]

TYPES = {"START": "start", "COMPLETE": "complete", "FAIL": "fail", "ABORT": "abort"}


def build_intervals(period: str | None, zone: str | None, now: datetime) -> list[datetime]:
    """The edges of the hours up to the current one (DAY) or of the days up to today (WEEK); 400 for another period."""
    if period == "DAY":
        hour = now.replace(minute=0, second=0, microsecond=0)
        return [hour + timedelta(hours=step) for step in range(-23, 2)]
    if period != "WEEK":
        raise refused(400, "Invalid period")
    if not zone:
        raise refused(400, "Timezone must be specified for period 'WEEK'")
    place = _read_zone(zone)
    today = now.astimezone(place).date()
    days = [today + timedelta(days=step) for step in range(-6, 2)]
    return [datetime(day.year, day.month, day.day, tzinfo=place).astimezone(timezone.utc) for day in days]


def _read_zone(name: str) -> tzinfo:
    if name.upper() in {"UTC", "Z", "GMT"}:
        return timezone.utc  # there without the machine's time zone files
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise refused(400, f"Invalid timezone '{name}'") from None


def _edges(period: str | None, zone: str | None) -> list[datetime]:
    return build_intervals(period, zone, datetime.now(timezone.utc))


@router.get("/api/v1/stats/lineage-events")
async def show_events(request: Request, period: Period = None, timezone: Zone = None) -> Response:
    """Events by type in each hour or day."""
    edges = _edges(period, timezone)
    async with snapshot(request.app.state.pool) as connection:
        hours = await fetch_event_hours(connection, edges[0], edges[-1])
    rows: list[dict[str, Any]] = []
    for start, end in pairwise(edges):
        row: dict[str, Any] = {"startInterval": start, "endInterval": end, **dict.fromkeys(TYPES.values(), 0)}
        for hour in hours:
            if start <= hour.hour < end and hour.event_type in TYPES:
                row[TYPES[hour.event_type]] += hour.events
        rows.append(row)
    return answer(rows)


def build_counts(edges: list[datetime], total: int, later: list[int]) -> list[dict[str, Any]]:
    """Counts at the end of each interval: of the `total` now, without those that came `later` than it."""
    return [
        {"startInterval": start, "endInterval": end, "count": max(0, total - after)}
        for (start, end), after in zip(pairwise(edges), later, strict=True)
    ]


@router.get("/api/v1/stats/jobs")
async def show_jobs(request: Request, period: Period = None, timezone: Zone = None) -> Response:
    """How many jobs there were at the end of each hour or day."""
    edges = _edges(period, timezone)
    async with snapshot(request.app.state.pool) as connection:
        total, later = await fetch_total(connection, NONE, "jobs"), await count_jobs_since(connection, edges[1:])
    return answer(build_counts(edges, total, later))


@router.get("/api/v1/stats/datasets")
async def show_datasets(request: Request, period: Period = None, timezone: Zone = None) -> Response:
    """How many datasets there were at the end of each hour or day."""
    edges = _edges(period, timezone)
    async with snapshot(request.app.state.pool) as connection:
        total = await fetch_total(connection, NONE, "datasets")
        later = await count_datasets_since(connection, edges[1:])
    return answer(build_counts(edges, total, later))


@router.get("/api/v1/stats/sources")
async def show_sources(request: Request, period: Period = None, timezone: Zone = None) -> Response:
    """How many sources there were at the end of each hour or day."""
    edges = _edges(period, timezone)
    async with snapshot(request.app.state.pool) as connection:
        sources = await list_sources(connection)
    later = [sum(source.created_at >= edge for source in sources) for edge in edges[1:]]
    return answer(build_counts(edges, len(sources), later))
