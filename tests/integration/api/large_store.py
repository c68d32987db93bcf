"""A large store, written into the tables as ingest would leave them: many jobs, one with many runs, one hub."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from lineal_receiver.ids import NONE, content_id, dataset_id, job_id, namespace_id, run_scope

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
JOBS, DATA = "jobs", "data"
FIELDS = '[{"name":"c","type":"INT"}]'
SCHEMA = content_id(FIELDS.encode())
HUB = dataset_id(DATA, "hub")

INSERT_BUILDS = """
insert into build (id, model_id, job_id, dataset_id, out_columns, ref_relations, status, edge_set_id, counts)
select build_id, 'm', job_id, dataset_id, '{c}', '{}', 'resolved', build_id, '[["traced", null, 1]]'
from slot
"""

INSERT_STATES = """
insert into job_newest (job_id, namespace_id, state)
select s.job_id, s.namespace_id, newest_state(array[s.job_id])
from job_state as s
"""

Table = tuple[str, str, Iterable[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Size:
    """How many jobs, runs of each, runs of the busy job, namespaces and events in the log."""

    jobs: int
    runs: int
    busy: int
    namespaces: int
    events: int


@dataclass(frozen=True, slots=True)
class Job:
    """A job that reads the hub and writes a table of its own name."""

    number: int
    name: str
    runs: int

    @property
    def id(self) -> UUID:
        """The job's id."""
        return job_id(JOBS, self.name)

    @property
    def dataset(self) -> UUID:
        """The table that it writes."""
        return dataset_id(DATA, self.name)

    def run(self, number: int) -> UUID:
        """The id of a run."""
        return UUID(int=(self.number + 1) * 10_000_000 + number)

    def at(self, number: int) -> datetime:
        """When a run started."""
        return START + timedelta(minutes=number, seconds=self.number % 60, microseconds=self.number)


def build_jobs(size: Size) -> list[Job]:
    """The jobs, the busy one first."""
    return [Job(0, "busy", size.busy), *(Job(at, f"j{at}", size.runs) for at in range(1, size.jobs))]


async def fill(connection: asyncpg.Connection, size: Size) -> None:
    """Write the whole store."""
    jobs = build_jobs(size)
    for table, columns, rows in (
        *_names(jobs, size),
        *_states(jobs),
        *_runs(jobs),
        *_lineage(jobs),
        *_rest(jobs, size),
    ):
        await connection.copy_records_to_table(table, columns=columns.split(), records=rows)
    await connection.execute(INSERT_BUILDS)
    await connection.execute(INSERT_STATES)
    await connection.execute("analyze")


def _names(jobs: list[Job], size: Size) -> Iterator[Table]:
    spaces = [JOBS, DATA, *(f"space {at}" for at in range(size.namespaces))]
    yield "namespace", "id name created_at", [(namespace_id(name), name, START) for name in spaces]
    yield "job", "id namespace_id name", [(job.id, namespace_id(JOBS), job.name) for job in jobs]
    datasets = [(HUB, namespace_id(DATA), "hub"), *((job.dataset, namespace_id(DATA), job.name) for job in jobs)]
    yield "dataset", "id namespace_id name", datasets
    yield "schema_body", "id fields", [(SCHEMA, FIELDS)]
    totals = [(scope, "jobs", len(jobs)) for scope in (NONE, namespace_id(JOBS))]
    totals += [(scope, "datasets", len(jobs) + 1) for scope in (NONE, namespace_id(DATA))]
    totals += [(NONE, "namespaces", len(spaces)), *((job.id, "runs", job.runs) for job in jobs)]
    totals += [(job.dataset, "versions", job.runs) for job in jobs]
    yield "total", "scope kind n", totals


def _states(jobs: list[Job]) -> Iterator[Table]:
    rows = [(job.id, namespace_id(JOBS), START, job.at(job.runs)) for job in jobs]
    yield "job_state", "job_id namespace_id created_at seen_at", rows
    columns = "dataset_id namespace_id created_at updated_at written_at schema_id schema_origin version_id write_job"
    written = [
        (
            job.dataset,
            namespace_id(DATA),
            START,
            job.at(job.runs),
            job.at(job.runs),
            SCHEMA,
            "write",
            job.dataset,
            job.id,
        )
        for job in jobs
    ]
    yield "dataset_state", columns, [*written, (HUB, namespace_id(DATA), START, START, None, None, None, None, None)]


def _runs(jobs: list[Job]) -> Iterator[Table]:
    columns = "job_id run_id start_at first_at last_at typed end_at end_rank version_id"
    runs = [(job, number, job.at(number)) for job in jobs for number in range(job.runs)]
    rank = (2, 2, 2, 0)
    rows = (
        (job.id, job.run(n), at, at, at + timedelta(seconds=9), True, at + timedelta(seconds=9), rank[n % 4], job.id)
        for job, n, at in runs
    )
    yield "run", columns, rows
    yield "job_version", "job_id id inputs outputs created_at", [(j.id, j.id, [HUB], [j.dataset], START) for j in jobs]
    columns = "dataset_id job_id run_id side said_at named_at class effective_at begun_at schema_id"
    sides = ((b"o", SCHEMA), (b"i", None))
    yield (
        "run_io",
        columns,
        (
            (
                job.dataset if side == b"o" else HUB,
                job.id,
                job.run(n),
                side,
                at,
                at,
                2 if rank[n % 4] else 0,
                at,
                at,
                schema,
            )
            for job, n, at in runs
            for side, schema in sides
        ),
    )
    named = [(job.id, side, job.dataset if side == b"o" else HUB) for job in jobs for side, _ in sides]
    yield "job_dataset", "job_id side dataset_id", named


def _lineage(jobs: list[Job]) -> Iterator[Table]:
    builds = {job.id: content_id(job.id.bytes) for job in jobs}
    columns = "dataset_id job_id run_id run_ids build_id build_ids class effective_at"
    slots = ((j, j.run(j.runs - 1), builds[j.id]) for j in jobs)
    yield "slot", columns, [(j.dataset, j.id, run, [run], build, [build], 2, START) for j, run, build in slots]
    yield "edge_set_column", "edge_set_id field position status", [(builds[j.id], "c", 0, "traced") for j in jobs]
    yield "table_edge", "target_dataset job_id source_dataset", [(j.dataset, j.id, HUB) for j in jobs]
    columns = "target_dataset job_id target_field source_dataset source_field type subtype masking"
    yield "edge_active", columns, [(j.dataset, j.id, "c", HUB, "c", "DIRECT", "IDENTITY", False) for j in jobs]


def _rest(jobs: list[Job], size: Size) -> Iterator[Table]:
    """Facets (a source that all share, words for each job and run), and the log."""
    bodies = {name: orjson.dumps({"name": name, "uri": "s3://b", "description": name}) for name in ("one", "two")}
    ids = {name: content_id(body) for name, body in bodies.items()}
    yield "facet_body", "id body touched_day", [(ids[name], bodies[name].decode(), START.date()) for name in ids]
    columns = "entity_id scope_id name side key at body_id"
    facets = [
        row
        for job in jobs
        for row in (
            (job.dataset, NONE, "dataSource", b"w", b"", START, ids["one"]),
            (job.id, NONE, "documentation", b"j", b"", START, ids["two"]),
            (job.id, job.run(job.runs - 1), "documentation", b"r", b"", START, ids["two"]),
            (HUB, run_scope(job.id, job.run(job.runs - 1)), "dataQualityMetrics", b"i", b"", START, ids["two"]),
        )
    ]
    yield "facet", columns, facets
    minute = timedelta(minutes=1)
    yield (
        "log",
        "day id kind event_type event_time received_at body",
        (
            ((at := START + minute * n).date(), content_id(b"%d" % n), "run", "START", at, at, b'{"eventTime":""}')
            for n in range(size.events)
        ),
    )
    hours = [(START + timedelta(hours=n), "run", "START", 60) for n in range(size.events // 60)]
    yield "event_hour", "hour kind event_type events", hours
