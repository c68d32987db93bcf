"""Events to send: the shapes that the measurements are about."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import Any
from uuid import uuid4

from openlineage.client.uuid import generate_new_uuid

COLUMNS, SOURCES = 20, 3
BEGIN, TICK = datetime(2026, 3, 1, tzinfo=timezone.utc), timedelta(milliseconds=100)
_TICKS = count()
FACET = {"_producer": "https://bench.example/1", "_schemaURL": "https://bench.example/facet.json"}


def build_event(world: str, columns: int, kind: str = "COMPLETE", run: str | None = None) -> bytes:
    """An event of a run that writes one table from three, later than those before; `world` names job and tables."""
    sources = [{"namespace": "bench://db", "name": f"{world}.source_{n}"} for n in range(SOURCES)]
    edges = {
        f"column_{column}": {
            "inputFields": [
                {
                    **source,
                    "field": f"column_{column}",
                    "transformations": [
                        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "", "masking": False}
                    ],
                }
                for source in sources
            ]
        }
        for column in range(columns)
    }
    schema = {**FACET, "fields": [{"name": name, "type": "bigint"} for name in edges]}
    table = {"namespace": "bench://db", "name": f"{world}.target"}
    event: dict[str, Any] = {
        "eventType": kind,
        "eventTime": (BEGIN + next(_TICKS) * TICK).isoformat(),
        "producer": "https://bench.example/1",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run or str(generate_new_uuid())},
        "job": {"namespace": "bench", "name": f"{world}.job"},
        "inputs": [{**source, "facets": {"schema": schema}} for source in sources] if columns else sources,
        "outputs": [
            {**table, "facets": {"schema": schema, "columnLineage": {**FACET, "fields": edges}} if columns else {}}
        ],
    }
    return json.dumps(event).encode()


def new_runs(world: str, columns: int, *, random_ids: bool = False) -> Iterator[bytes]:
    """A repeat: COMPLETEs of new runs that say what earlier runs said; their ids as OpenLineage's clients make them."""
    while True:
        yield build_event(world, columns, run=str(uuid4()) if random_ids else None)


def started_runs(world: str, columns: int) -> Iterator[bytes]:
    """A repeat: START and COMPLETE of new runs, both with everything."""
    while True:
        run = str(generate_new_uuid())
        yield build_event(world, columns, "START", run)
        yield build_event(world, columns, "COMPLETE", run)


def identical(world: str, columns: int) -> Iterator[bytes]:
    """A repeat: the same 100 events again and again."""
    bodies = [build_event(world, columns) for _ in range(100)]
    while True:
        yield from bodies


def all_new(columns: int) -> Iterator[bytes]:
    """Every event names a job, tables and columns that were never seen."""
    tag = uuid4().hex[:6]
    number = 0
    while True:
        number += 1
        yield build_event(f"w{tag}{number}", columns)


def build_large(size: int, number: int) -> bytes:
    """One event of about `size` bytes: a table of so many columns, each from three fields, of new names."""
    per_column = len(build_event(f"large{number}", 200)) / 200
    return build_event(f"large{number}", int(size / per_column))
