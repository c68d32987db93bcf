"""How long reads take, and whether they stay flat when the store grows."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import asyncpg
import httpx
from fill import EDGES_A_MODEL, fill, fill_diamonds, fill_hub, make_database

from lineal_receiver.app import create_app
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.serve import spare_collector
from lineal_receiver.settings import Settings

JOBS, DATA = "bench", quote("postgres://bench:5432", safe="")
LAYERS, DIAMOND_WIDTH, DIAMOND_DEPTH, READERS = 10, 3, 50, 100_000
DENSE = 2_000
Paths = Callable[[int, random.Random], dict[str, str]]
Times = dict[str, tuple[float, float, int]]


def edge_paths(models: int, chance: random.Random) -> dict[str, str]:
    """A walk of each kind, from random models of the last and of the first layer."""
    layer = 200 if models == DENSE else 20
    first = chance.randrange(models // (LAYERS * layer)) * LAYERS * layer + chance.randrange(layer)
    last, at = first + (LAYERS - 1) * layer, chance.randrange(20)
    column = f"/api/v1/column-lineage?nodeId=datasetField:{DATA}:"
    v2 = f"/api/v1/lineage?nodeId=dataset:{DATA}:db.t"
    return {
        "columns upstream, depth 20": f"{column}db.t{last}:c{at}&depth=20",
        "columns downstream, depth 20": f"{column}db.t{first}:c{at}&depth=20&withDownstream=true",
        "columns of a table, both ways, depth 2": f"/api/v1/column-lineage?nodeId=dataset:{DATA}:db.t{last}&depth=2"
        "&withDownstream=true",
        "tables, depth 1": f"{v2}{last}&depth=1",
        "tables, depth 20": f"{v2}{last}&depth=20",
        "around a table (v2)": f"/api/v2/lineage?{_named(last)}",
        "columns upstream (v2)": f"/api/v2/upstream?{_named(last)}&field=c{at}",
        "impact of a column (v2)": f"/api/v2/impact?{_named(first)}&field=c{at}",
        "search, a rare table or column (v2)": f"/api/v2/search?q=t{last}",
        "what isn't known (v2)": "/api/v2/unresolved",
    }


def _named(model: int) -> str:
    return f"namespace={DATA}&name=db.t{model}"


def job_paths(models: int, chance: random.Random) -> dict[str, str]:
    """Lists and entities."""
    number = chance.randrange(models)
    job, dataset = f"/api/v1/namespaces/{JOBS}/jobs/m{number}", f"/api/v1/namespaces/{DATA}/datasets/db.t{number}"
    return {
        "jobs, 25": "/api/v1/jobs?limit=25",
        "jobs of a namespace, 25 from 300 on": f"/api/v1/namespaces/{JOBS}/jobs?limit=25&offset=300",
        "jobs by state, 25": "/api/v1/jobs?limit=25&lastRunStates=COMPLETED",
        "jobs by a state that none has, 25": "/api/v1/jobs?limit=25&lastRunStates=FAILED",
        "job": job,
        "job's runs, 25": f"{job}/runs?limit=25",
        "job's versions, 25": f"{job}/versions?limit=25",
        "runs of all jobs (v2), 25": "/api/v2/runs?limit=25",
        "datasets, 25": f"/api/v1/namespaces/{DATA}/datasets?limit=25",
        "dataset": dataset,
        "dataset's versions, 25": f"{dataset}/versions?limit=25",
        "search, a rare name": f"/api/v1/search?q=t{number}&limit=25",
        "search, a name that all have": "/api/v1/search?q=db.t&limit=25",
        "namespaces": "/api/v1/namespaces",
        "stats of jobs, a week": "/api/v1/stats/jobs?period=WEEK&timezone=UTC",
        "summary (v2)": "/api/v2/summary",
    }


def odd_paths(_models: int, _chance: random.Random) -> dict[str, str]:
    """Shapes that explode where paths are walked one by one."""
    column = f"/api/v1/column-lineage?nodeId=datasetField:{DATA}:"
    end = DIAMOND_WIDTH * DIAMOND_DEPTH
    return {
        "450-edge diamonds upstream": f"{column}db.t1:d{end}&depth=100",
        "450-edge diamonds downstream": f"{column}db.t1:d0&depth=100&withDownstream=true",
        f"hub of {READERS} readers downstream": f"{column}db.t0:hub&depth=2&withDownstream=true",
        "450-edge diamonds, impact (v2)": f"/api/v2/impact?{_named(1)}&field=d0",
        "450-edge diamonds, five ways through (v2)": f"/api/v2/path?fromNamespace={DATA}&fromName=db.t1&fromField=d0"
        f"&toNamespace={DATA}&toName=db.t1&toField=d{end}",
        "around the hub (v2)": f"/api/v2/lineage?{_named(0)}",
        "impact of the hub (v2)": f"/api/v2/impact?{_named(0)}&field=hub",
    }


@asynccontextmanager
async def asking(
    dsn: str, around: Callable[[Any], Any] = lambda app: app, *, answer_bytes: int = 0
) -> AsyncIterator[httpx.AsyncClient]:
    """The application on a database, with something around it, asked in its own process; it keeps no answers."""
    async with open_pool(dsn) as pool:
        app: Any = create_app(Settings(database_url=dsn, data_dir=Path(), answer_bytes=answer_bytes), pool)
        async with (
            httpx.AsyncClient(transport=httpx.ASGITransport(around(app)), base_url="http://bench") as client,
            _lifespan(app),
        ):
            yield client


@asynccontextmanager
async def _lifespan(app: Any) -> AsyncIterator[None]:
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    started, stopped = asyncio.Event(), asyncio.Event()

    async def send(message: dict[str, str]) -> None:
        (started if message["type"].startswith("lifespan.startup") else stopped).set()

    serving = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, inbox.get, send))
    await inbox.put({"type": "lifespan.startup"})
    await started.wait()
    yield
    await inbox.put({"type": "lifespan.shutdown"})
    await stopped.wait()
    await serving


async def measure(dsn: str, paths: Paths, models: int, requests: int) -> Times:
    """By read: p50 and p99 in ms, and the bytes of an answer."""
    times: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    chance = random.Random(11)
    async with asking(dsn) as client:
        for number in range(requests + 3):
            for name, path in paths(models, chance).items():
                began = time.perf_counter()
                response = await client.get(path)
                took = (time.perf_counter() - began) * 1000
                if response.status_code != 200:
                    raise SystemExit(f"{path}: {response.status_code} {response.text[:200]}")
                sizes[name] = len(response.content)
                if number >= 3:  # plans and caches as they are after a while
                    times.setdefault(name, []).append(took)
    return {name: (*_cuts(taken), sizes[name]) for name, taken in times.items()}


def _cuts(taken: list[float]) -> tuple[float, float]:
    ordered = sorted(taken)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


def print_table(columns: list[str], results: list[Times]) -> None:
    """A row a read; the last column says how p50 grew from the first size to the last."""
    print("\n| read | " + " | ".join(f"{c}: p50 / p99 ms" for c in columns) + " | KB | growth |")
    print("|---" * (len(columns) + 3) + "|")
    for name in results[0]:
        cells = [f"{result[name][0]:.1f} / {result[name][1]:.1f}" for result in results]
        growth = results[-1][name][0] / results[0][name][0]
        print(f"| {name} | " + " | ".join(cells) + f" | {results[-1][name][2] / 1024:.0f} | {growth:.1f} |", flush=True)


async def run_edges(server: str, sizes: list[int], requests: int) -> None:
    """Walks, from the smallest number of column edges to the largest."""
    results, columns = [], []
    for edges in sizes:
        dsn = await make_database(server, f"bench_edges_{edges}")
        models = max(1, round(edges / EDGES_A_MODEL / 200)) * 200
        began = time.perf_counter()
        await fill(dsn, models=models, runs=1)
        found = await count(dsn, "edge_active")
        print(f"{models} models, {found} edges, written in {time.perf_counter() - began:.0f} s", flush=True)
        columns.append(f"{found} edges")
        results.append(await measure(dsn, edge_paths, models, requests))
        await drop(server, dsn)
    print_table(columns, results)


async def run_jobs(server: str, sizes: list[int], requests: int) -> None:
    """Lists, from the smallest number of jobs to the largest, with ten runs each."""
    results, columns = [], []
    for models in sizes:
        dsn = await make_database(server, f"bench_jobs_{models}")
        began = time.perf_counter()
        await fill(dsn, models=models, runs=10, columns=False)
        found = await count(dsn, "run")
        print(f"{models} jobs, {found} runs, written in {time.perf_counter() - began:.0f} s", flush=True)
        columns.append(f"{models} jobs, {found} runs")
        results.append(await measure(dsn, job_paths, models, requests))
        await drop(server, dsn)
    print_table(columns, results)


async def run_odd(server: str, requests: int) -> None:
    """2,000 models in 10 layers, diamonds, a hub."""
    dsn = await make_database(server, "bench_odd")
    await fill(dsn, models=DENSE, runs=1, layer=DENSE // LAYERS, dense=True)
    layers = await measure(dsn, edge_paths, DENSE, requests)
    await fill_diamonds(dsn, DIAMOND_WIDTH, DIAMOND_DEPTH)
    await fill_hub(dsn, READERS)
    print_table(["2,000 models in 10 layers"], [layers])
    print_table([f"450 edges, {READERS} readers"], [await measure(dsn, odd_paths, DENSE, requests)])
    await drop(server, dsn)


async def count(dsn: str, table: str) -> int:
    """Rows of a table."""
    connection = await asyncpg.connect(dsn)
    found: int = await connection.fetchval(f"select count(*) from {table}")
    await connection.close()
    return found


async def drop(server: str, dsn: str) -> None:
    """Give the room back."""
    connection = await asyncpg.connect(server)
    await connection.execute(f'drop database "{urlsplit(dsn).path[1:]}" with (force)')
    await connection.close()


def main(what: str, sizes: list[int], requests: int) -> None:
    """Measure on an embedded PostgreSQL that is thrown away, with Python's collector as the server sets it."""
    spare_collector()
    with tempfile.TemporaryDirectory(prefix="lineal-bench-") as folder:
        Path(folder).chmod(0o755)
        with start_embedded(Path(folder) / "data") as server:
            dsn = server.connection.dsn
            if what == "edges":
                asyncio.run(run_edges(dsn, sizes, requests))
            elif what == "jobs":
                asyncio.run(run_jobs(dsn, sizes, requests))
            else:
                asyncio.run(run_odd(dsn, requests))
