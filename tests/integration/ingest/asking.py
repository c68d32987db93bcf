"""What tests ask the store, and how they write what they expect."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from typing import Any

Send = Callable[..., Awaitable[None]]
Ask = Callable[..., Awaitable[list[tuple[Any, ...]]]]

EDGES = """
select t.name, e.target_field, s.name, e.source_field, e.last_known
from edge_active as e join dataset as t on t.id = e.target_dataset join dataset as s on s.id = e.source_dataset
order by 1, 2, 3, 4
"""
TABLE_EDGES = """
select s.name, j.name, t.name
from table_edge as e join dataset as t on t.id = e.target_dataset join dataset as s on s.id = e.source_dataset
join job as j on j.id = e.job_id order by 1, 2, 3
"""
SLOTS = """
select d.name, j.name, s.class, s.ended, b.status
from slot as s left join dataset as d on d.id = s.dataset_id left join job as j on j.id = s.job_id
left join build as b on b.id = s.build_id order by 1, 2
"""
RUNS = "select right(run_id::text, 2), start_at, end_at, end_rank, ends_seen from run where not placeholder order by 1"
STATES = """
select d.name, s.schema_origin, s.lifecycle, s.dropped_at > coalesce(s.written_at, '-infinity'), b.fields
from dataset_state as s join dataset as d on d.id = s.dataset_id
left join schema_body as b on b.id = s.schema_id order by 1
"""


def at(minute: int) -> datetime:
    return datetime(2026, 3, 1, 10, minute, tzinfo=timezone.utc)


def edges(*rows: tuple[str, str, str, str]) -> list[tuple[Any, ...]]:
    return [(*row, False) for row in rows]


def fields(found: list[tuple[Any, ...]], name: str) -> list[str]:
    text = next(row[-1] for row in found if row[0] == name)
    return [field["name"] for field in json.loads(text)] if text else []
