"""How a node ended: by dbt's event, or by dbt's result where dbt can't put its own event into words.

dbt leaves an event empty when anything in it is of a type that its message lacks, as is a number for a key of `meta`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lineal_producer.dbt.fields import field_of, text_of
from lineal_producer.dbt.stack import Running


class End(NamedTuple):
    """What dbt says of the end of a node; times as dbt writes them, empty where it tells none; seconds."""

    unique_id: str
    resource_type: str
    started_at: str
    finished_at: str
    status: str
    message: str | None
    execution_time: float


def read_end(event: Any, running: Running | None) -> End | None:
    """The end that a NodeFinished tells of; None when it tells of no node."""
    info, told = event.data.node_info, event.data.run_result
    if info.unique_id:
        seconds = float(told.execution_time or 0.0)
        times = (info.node_started_at, info.node_finished_at)
        return End(info.unique_id, info.resource_type, *times, told.status, told.message or None, seconds)
    if running is None or running.result is None:
        return None
    node, result = running.node, running.result
    return End(
        str(node.unique_id),
        text_of(node, "resource_type") or "",
        "",
        "",
        text_of(result, "status") or "",
        text_of(result, "message"),
        float(field_of(result, "execution_time", 0.0)),
    )
