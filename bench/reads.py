"""How long reads take on a generated store: p50 and p99 of each route, over ASGI, on a real PostgreSQL.

usage: python bench/reads.py [--edges 100000] [--requests 50] [--database-url DSN of an empty database]
Models stand in layers of 200; each has 20 columns, and each column is made from 2 columns of 3 models one layer up.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import asyncpg
import httpx

from lineal_receiver.app import create_app
from lineal_receiver.ids import NONE, content_id, dataset_id, job_id, namespace_id
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.migrate import migrate, read_migrations
from lineal_receiver.postgres.pool import connect, open_pool
from lineal_receiver.resources import find_data
from lineal_receiver.settings import Settings

JOBS, DATA = "bench", "postgres://bench:5432"
LAYER, COLUMNS, PARENTS, SOURCES, RUNS = 200, 20, 3, 2, 10
FIELDS = "[" + ",".join(f'{{"name":"c{i}","type":"INT"}}' for i in range(COLUMNS)) + "]"
START = datetime(2026, 1, 1, tzinfo=timezone.utc)


Table = tuple[str, str, list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Model:
    """A generated model: its place, job, dataset and the models that it reads."""

    number: int
    job: UUID
    dataset: UUID
    parents: tuple[int, ...]


def build_models(edges: int) -> list[Model]:
    """As many models as make about this many column edges."""
    chance = random.Random(7)
    models: list[Model] = []
    for number in range(max(LAYER * 2, edges // (COLUMNS * SOURCES))):
        layer = number // LAYER
        above = range((layer - 1) * LAYER, layer * LAYER) if layer % 10 else range(0)
        parents = tuple(sorted(chance.sample(above, PARENTS))) if above else ()
        models.append(Model(number, job_id(JOBS, f"m{number}"), dataset_id(DATA, f"db.t{number}"), parents))
    return models


async def fill(connection: asyncpg.Connection, models: list[Model]) -> None:
    """Write the store as ingest would leave it."""
    for table, columns, rows in (*_build_entities(models), *_build_runs(models), *_build_lineage(models)):
        await connection.copy_records_to_table(table, columns=columns.split(), records=rows)
    await connection.executemany(
        "insert into build (id, model_id, job_id, dataset_id, out_columns, ref_relations, status, edge_set_id)"
        " values ($1, $2, $3, $4, '{}', '{}', 'resolved', $1)",
        [(_build(m), f"m{m.number}", m.job, m.dataset) for m in models],
    )
    await connection.execute("vacuum analyze")


def _build_entities(models: list[Model]) -> Iterator[Table]:
    jobs, data = namespace_id(JOBS), namespace_id(DATA)
    yield "namespace", "id name created_at", [(jobs, JOBS, START), (data, DATA, START)]
    yield "job", "id namespace_id name", [(m.job, jobs, f"m{m.number}") for m in models]
    yield "dataset", "id namespace_id name", [(m.dataset, data, f"db.t{m.number}") for m in models]
    yield "schema_body", "id fields", [(content_id(FIELDS.encode()), FIELDS)]
    columns = "job_id namespace_id created_at updated_at"
    yield "job_state", columns, [(m.job, jobs, START, START + timedelta(minutes=m.number)) for m in models]
    columns = "dataset_id namespace_id created_at updated_at written_at schema_id schema_origin write_job write_run"
    schema = content_id(FIELDS.encode())
    rows = [(m.dataset, data, START, START, START, schema, "write", m.job, _run(m, RUNS - 1)) for m in models]
    yield "dataset_state", columns, rows
    totals = [(scope, kind, len(models)) for scope, kind in ((NONE, "jobs"), (jobs, "jobs"), (data, "datasets"))]
    totals += [(NONE, "datasets", len(models)), (NONE, "namespaces", 2), *((m.job, "runs", RUNS) for m in models)]
    yield "total", "scope kind n", totals


def _build_runs(models: list[Model]) -> Iterator[Table]:
    runs = [(m, _run(m, i), START + timedelta(hours=i)) for m in models for i in range(RUNS)]
    columns = "job_id run_id start_at first_at last_at typed end_at end_rank"
    yield "run", columns, [(m.job, run, at, at, at, True, at + timedelta(seconds=9), 2) for m, run, at in runs]
    columns = "dataset_id job_id run_id side said_at named_at class effective_at begun_at schema_id"
    schema = content_id(FIELDS.encode())
    for side in (b"o", b"i"):
        rows = [
            (dataset, m.job, run, side, at, at, 2, at + timedelta(seconds=9), at, schema if side == b"o" else None)
            for m, run, at in runs
            for dataset in ([m.dataset] if side == b"o" else [models[parent].dataset for parent in m.parents])
        ]
        yield "run_io", columns, rows


def _build_lineage(models: list[Model]) -> Iterator[Table]:
    columns = "dataset_id job_id run_id run_ids build_id build_ids class effective_at"
    last = [(m, _run(m, RUNS - 1)) for m in models]
    yield "slot", columns, [(m.dataset, m.job, run, [run], _build(m), [_build(m)], 2, START) for m, run in last]
    columns = "edge_set_id field position status"
    known = [(m, "traced" if m.parents else "unresolved") for m in models]
    yield "edge_set_column", columns, [(_build(m), f"c{i}", i, status) for m, status in known for i in range(COLUMNS)]
    columns = "target_dataset job_id source_dataset"
    yield "table_edge", columns, [(m.dataset, m.job, models[parent].dataset) for m in models for parent in m.parents]
    columns = "target_dataset job_id target_field source_dataset source_field type subtype masking expression"
    yield "edge_active", columns, list(_build_edges(models))


def _run(model: Model, number: int) -> UUID:
    return UUID(int=(model.number + 1) * 1000 + number)


def _build(model: Model) -> bytes:
    return content_id(f"build {model.number}".encode())


def _build_edges(models: list[Model]) -> Iterator[tuple[Any, ...]]:
    for model in models:
        for column in range(COLUMNS if model.parents else 0):
            for source in range(SOURCES):
                parent = models[model.parents[(column + source) % PARENTS]]
                yield (
                    *(model.dataset, model.job, f"c{column}", parent.dataset, f"c{(column + source) % COLUMNS}"),
                    *("DIRECT", "TRANSFORMATION", False, "a + b"),
                )


def build_paths(models: list[Model], chance: random.Random) -> dict[str, str]:
    """A request of each kind, about random models."""
    layers = min(10, len(models) // LAYER)
    last, first = (models[chance.randrange(LAYER) + LAYER * layer] for layer in (layers - 1, 0))
    data = quote(DATA, safe="")
    column = f"/api/v1/column-lineage?nodeId=datasetField:{data}:"
    job, dataset = f"/api/v1/namespaces/{JOBS}/jobs/m{last.number}", f"db.t{last.number}"
    return {
        "lineage, depth 1": f"/api/v1/lineage?nodeId=dataset:{data}:{dataset}&depth=1",
        "lineage, depth 20 (whole component)": f"/api/v1/lineage?nodeId=dataset:{data}:{dataset}",
        "column-lineage upstream of a column": f"{column}{dataset}:c1",
        "column-lineage downstream of a source": f"{column}db.t{first.number}:c1&depth=3&withDownstream=true",
        "column-lineage of a dataset, both ways": f"/api/v1/column-lineage?nodeId=dataset:{data}:{dataset}&depth=2"
        "&withDownstream=true",
        "jobs, 25": f"/api/v1/jobs?limit=25&offset={chance.randrange(100)}",
        "jobs by state, 25": "/api/v1/jobs?limit=25&lastRunStates=FAILED",
        "job": job,
        "job's runs, 100": f"{job}/runs",
        "datasets, 25": f"/api/v1/namespaces/{data}/datasets?limit=25",
        "dataset": f"/api/v1/namespaces/{data}/datasets/{dataset}",
        "dataset's versions, 100": f"/api/v1/namespaces/{data}/datasets/{dataset}/versions",
        "run": f"/api/v1/jobs/runs/{_run(last, 3)}",
        "search": f"/api/v1/search?q=t{last.number}&limit=100",
        "stats": "/api/v1/stats/jobs?period=WEEK&timezone=UTC",
        "namespaces": "/api/v1/namespaces",
        "summary": "/api/v2/summary",
    }


async def measure(client: httpx.AsyncClient, models: list[Model], requests: int) -> None:
    """Ask everything `requests` times and print how long each took."""
    chance = random.Random(11)
    times: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    for _ in range(requests):
        for name, path in build_paths(models, chance).items():
            began = time.perf_counter()
            response = await client.get(path)
            times.setdefault(name, []).append((time.perf_counter() - began) * 1000)
            if response.status_code != 200:
                raise SystemExit(f"{path}: {response.status_code} {response.text[:200]}")
            sizes[name] = len(response.content)
    print(f"{'read':42} {'p50 ms':>8} {'p99 ms':>8} {'KB':>8}")
    for name, taken in times.items():
        taken.sort()
        slowest = taken[min(len(taken) - 1, int(len(taken) * 0.99))]
        print(f"{name:42} {statistics.median(taken):8.1f} {slowest:8.1f} {sizes[name] / 1024:8.1f}")


async def run(dsn: str, edges: int, requests: int) -> None:
    """Fill the database and measure."""
    connection = await connect(dsn)
    await migrate(connection, read_migrations(find_data("migrations")))
    models = build_models(edges)
    began = time.perf_counter()
    await fill(connection, models)
    count = await connection.fetchval("select count(*) from edge_active")
    print(f"{len(models)} models, {count} column edges, written in {time.perf_counter() - began:.1f} s")
    await connection.close()
    async with open_pool(dsn) as pool:
        app: Any = create_app(Settings(database_url=dsn, data_dir=Path()), pool)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bench") as client:
            await _with_lifespan(app, measure(client, models, requests))


async def _with_lifespan(app: Any, work: Any) -> None:
    """Run `work` while the application is started."""
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    started, stopped = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, str]) -> None:
        (started if message["type"].startswith("lifespan.startup") else stopped).set()

    serving = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, inbox.get, send))
    await inbox.put({"type": "lifespan.startup"})
    await started.wait()
    await work
    await inbox.put({"type": "lifespan.shutdown"})
    await stopped.wait()
    await serving


def main() -> None:
    """Measure on the database given, or on an embedded one that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=50)
    parser.add_argument("--database-url")
    given = parser.parse_args()
    with ExitStack() as stack:
        dsn = given.database_url
        if dsn is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lineal-bench-")))
            folder.chmod(0o755)
            dsn = stack.enter_context(start_embedded(folder / "data")).connection.dsn
        asyncio.run(run(dsn, given.edges, given.requests))


if __name__ == "__main__":
    main()
