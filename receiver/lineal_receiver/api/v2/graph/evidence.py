"""What vouches for the edges of a graph: readings by job and dataset, each with its run, event and producer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import read_json, read_object
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v2.graph.jobs import build_short, find_own_state
from lineal_receiver.api.v2.graph.walked import Graph
from lineal_receiver.ids import NONE
from lineal_receiver.store.packing import unpack
from lineal_receiver.store.read_readings import (
    Pair,
    ReadingRow,
    fetch_readings,
    fetch_readings_of_runs,
    fetch_small_bodies,
)
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import JobWrite

MOST_READINGS = 500
MOST_BODIES, MOST_BYTES = 50, 65_536
"""So many events, none larger than this as they are kept, are read to say who sent them."""
LARGEST_KNOWN = 8_192

_PRODUCER = re.compile(rb'"producer"\s*:\s*("(?:[^"\\]|\\.)*")')


def name_event(day: date, event: bytes) -> str:
    """The id of an event in answers: its UTC day and its id in hex."""
    return f"{day:%Y%m%d}-{event.hex()}"


async def fetch_readings_of(connection: Connection, graph: Graph, pairs: list[Pair]) -> dict[Pair, ReadingRow]:
    """By slot (dataset, job), as they are called: the newest reading under any name."""
    if isinstance(graph.names, NamesThen):
        return await _fetch_readings_then(connection, graph.names, pairs)
    identities = graph.names.identities
    if not identities.any:
        return {(row.dataset_id, row.job_id): row for row in await fetch_readings(connection, pairs)}
    asked: dict[Pair, None] = {}
    for dataset, job in pairs:
        jobs = [job] if job == NONE else await identities.expand_jobs([job])
        asked |= dict.fromkeys((name, called) for name in await identities.expand([dataset]) for called in jobs)
    rows = await fetch_readings(connection, list(asked))
    folded = await graph.names.settle([(row.dataset_id, row.job_id, row.dataset_id) for row in rows])
    newest: dict[Pair, ReadingRow] = {}
    for row in sorted(rows, key=lambda one: (one.effective_at, one.dataset_id, one.job_id)):
        place = folded[row.dataset_id, row.job_id, row.dataset_id]
        if place is not None:
            newest[place[0], place[1]] = row
    wanted = set(pairs)
    found = {pair: row for pair, row in newest.items() if pair in wanted}
    moved = {} if graph.names.moved is None else await graph.names.moved.find_builds([one for one, _ in pairs])
    rest = {pair: moved[pair][0] for pair in pairs if pair in moved}
    return found | await fetch_readings_of_writes(connection, rest)


async def _fetch_readings_then(connection: Connection, names: NamesThen, pairs: list[Pair]) -> dict[Pair, ReadingRow]:
    builds = await names.find_builds(dataset for dataset, _ in pairs)
    made = {(dataset, job): write for dataset, found in builds.items() for job, write in reversed(found)}
    return await fetch_readings_of_writes(connection, {pair: made[pair] for pair in pairs if pair in made})


async def fetch_readings_of_writes(connection: Connection, writes: dict[Pair, JobWrite]) -> dict[Pair, ReadingRow]:
    """What vouches for each of these writes, by what its slot is called."""
    keys = {pair: (write.dataset_id, write.job_id, write.run_id) for pair, write in writes.items()}
    rows = await fetch_readings_of_runs(connection, list(dict.fromkeys(keys.values())))
    return {pair: rows[key] for pair, key in keys.items() if key in rows}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Readings by slot, the first MOST_READINGS, and the small ones of the events that told them, packed, by id."""

    readings: dict[Pair, ReadingRow]
    bodies: dict[bytes, bytes]


async def fetch_evidence(connection: Connection, graph: Graph, pairs: list[Pair]) -> Evidence:
    """What vouches for these slots."""
    readings = await fetch_readings_of(connection, graph, pairs)
    shown = dict(sorted(readings.items())[:MOST_READINGS])
    events = [(day, event) for row in shown.values() if (day := row.event_day) and (event := row.event_id)]
    return Evidence(shown, await fetch_small_bodies(connection, list(dict.fromkeys(events))[:MOST_BODIES], MOST_BYTES))


def build_transforms(evidence: Evidence, files: dict[UUID, dict[str, Any] | None]) -> dict[Pair, dict[str, Any]]:
    """The entries of `transforms`, by slot; `files`: where the jobs' code lies."""
    transforms = {}
    for (dataset, job), row in evidence.readings.items():
        transforms[dataset, job] = {
            "id": name_transform(dataset, job),
            "job": None if job == NONE else job,
            "target": dataset,
            "run": _build_run(row),
            "event": _build_event(row),
            "producer": None if row.event_id is None else find_producer(evidence.bodies.get(row.event_id)),
            "file": files.get(job),
            "status": row.status,
            "message": row.message,
            "dialect": row.dialect,
            "sqlHash": row.sql_hash,
            "parserVersion": row.parser_version,
            "rulesVersion": row.rules_version,
            "lastKnown": row.last_known,
            "firstSeenAt": row.first_at or row.effective_at,
            "lastSeenAt": row.last_at or row.effective_at,
        }
    return transforms


def _build_run(row: ReadingRow) -> dict[str, Any] | None:
    """The run that told it, by its own events alone."""
    if row.run_id is None or row.typed is None:
        return None
    state, started = find_own_state(row.end_rank, typed=row.typed), row.start_at or row.running_at
    return build_short(row.run_id, state, started, row.end_at)


def name_transform(dataset: UUID, job: UUID) -> str:
    """The id of a transform: that of the job and of the dataset."""
    return f"{job}/{dataset}"


def _build_event(row: ReadingRow) -> dict[str, Any] | None:
    if row.event_id is None or row.event_day is None:
        return None
    event = name_event(row.event_day, row.event_id)
    return {"id": event, "time": row.event_time, "body": f"/api/v2/events/{event}/body"}


def find_producer(packed: bytes | None) -> str | None:
    """The `producer` of an event; None of one that isn't at hand."""
    if packed is None:
        return None
    return _find_again(packed) if len(packed) <= LARGEST_KNOWN else _read_producer(packed)


@lru_cache(maxsize=1_024)
def _find_again(packed: bytes) -> str | None:
    """The same events vouch for answer after answer, and to unpack one costs more than all else about it."""
    return _read_producer(packed)


def _read_producer(packed: bytes) -> str | None:
    body = unpack(packed)
    said = _PRODUCER.findall(body)
    if not said:
        return None
    # Every event has one; where the word stands once, the rest needn't be read.
    producer = read_json(said[0]) if len(said) == 1 else read_object(body).get("producer")
    return producer if isinstance(producer, str) else None


def build_table_edges(uses: Iterable[Any]) -> list[dict[str, Any]]:
    """Uses as answers write them."""
    return [
        {
            "source": use.source,
            "job": None if use.job == NONE else use.job,
            "target": None if use.target == NONE else use.target,
        }
        for use in uses
    ]
