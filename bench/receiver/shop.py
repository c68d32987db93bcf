"""What reads of lineage cost on examples/shop: a real `dbt build`, then every dataset asked for."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import uvloop
from machine import Machine, serve
from reads import asking

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.serve import spare_collector

ROUTES: dict[str, dict[str, str]] = {
    "around a dataset": {"path": "/api/v2/lineage"},
    "around a dataset, without its columns": {"path": "/api/v2/lineage", "columns": "none"},
    "upstream of a dataset": {"path": "/api/v2/upstream"},
    "upstream of a column": {"path": "/api/v2/upstream", "field": "*"},
    "downstream of a dataset": {"path": "/api/v2/downstream"},
    "downstream of a column": {"path": "/api/v2/downstream", "field": "*"},
    "impact of a dataset": {"path": "/api/v2/impact"},
    "impact of a column": {"path": "/api/v2/impact", "field": "*"},
    "path between two datasets": {"path": "/api/v2/path"},
    "around a dataset a year from now": {"path": "/api/v2/as-of", "at": "2999-01-01"},
    "columns of a dataset (v1)": {"path": "/api/v1/column-lineage"},
}
Targets = list[tuple[str, str, str]]
"""Namespace and name of a dataset, and a column of it."""
Measured = dict[str, tuple[list[float], list[float]]]
"""By read, in ms: what each answer took that was made anew, and each that was given again."""
ANSWER_BYTES = 33_554_432


@dataclass
class Clock:
    """Around the application: how long, in ms, each request takes from its call to its last byte."""

    taken: list[float] = field(default_factory=list)

    def around(self, app: Any) -> Any:
        """The application with this clock."""

        async def timed(scope: Any, receive: Any, send: Any) -> None:
            began = time.perf_counter()
            await app(scope, receive, send)
            if scope["type"] == "http":
                self.taken.append((time.perf_counter() - began) * 1000)

        return timed


async def find_targets(client: httpx.AsyncClient) -> Targets:
    """Every dataset of the shop, with the column that most is made of or that is made of most."""
    found = (await client.get("/api/v2/search", params={"q": "shop.", "kind": "dataset", "limit": 200})).json()
    targets = []
    for one in found["results"]:
        named = {"namespace": one["namespace"], "name": one["name"]}
        columns = (await client.get("/api/v2/lineage", params=named)).json()["datasets"][0]["columns"]
        largest = max(columns, key=lambda column: (column["upstream"] + column["downstream"], column["name"]))
        targets.append((one["namespace"], one["name"], largest["name"]))
    return targets


async def ask(
    client: httpx.AsyncClient,
    asked: dict[str, str],
    targets: Targets,
    requests: int,
    writer: asyncpg.Connection | None = None,
) -> AsyncIterator[float]:
    """How long each of so many requests took, in ms; with a `writer` something is committed before each."""
    for number in range(requests):
        if writer is not None:
            await writer.fetchval("select pg_current_xact_id()")
        (namespace, name, column), other = targets[number % len(targets)], targets[(7 * number + 3) % len(targets)]
        query = {key: value.replace("*", column) for key, value in asked.items() if key != "path"}
        if asked["path"].endswith("/path"):
            ends = {"fromNamespace": other[0], "fromName": other[1], "toNamespace": namespace, "toName": name}
            query |= ends
        else:
            query |= {"namespace": namespace, "name": name}
        began = time.perf_counter()
        response = await client.get(asked["path"], params=query)
        if response.status_code != 200:
            raise SystemExit(f"{asked['path']} {query}: {response.status_code} {response.text[:200]}")
        yield (time.perf_counter() - began) * 1000


async def measure_server(dsn: str, requests: int) -> Measured:
    """By read: ms in the server, from the call of the application to its last byte: made anew, and given again."""
    clock = Clock()
    writer = await asyncpg.connect(dsn)
    async with asking(dsn, clock.around, answer_bytes=ANSWER_BYTES) as client:
        targets = await find_targets(client)
        found = {}
        for name, asked in ROUTES.items():
            # Once round before it counts, until plans and caches are as they are after a while.
            _ = [took async for took in ask(client, asked, targets, len(targets), writer)]
            clock.taken.clear()
            _ = [took async for took in ask(client, asked, targets, requests, writer)]
            made = sorted(clock.taken)
            _ = [took async for took in ask(client, asked, targets, len(targets))]
            clock.taken.clear()
            _ = [took async for took in ask(client, asked, targets, requests)]
            found[name] = made, sorted(clock.taken)
    await writer.close()
    return found


async def measure_http(machine: Machine, requests: int) -> dict[str, tuple[list[float], float]]:
    """By read, made anew: ms over HTTP to a server in another process, and the CPU of that and its PostgreSQL, ms."""
    found = {}
    writer = await asyncpg.connect(machine.dsn)
    async with httpx.AsyncClient(base_url=machine.url) as client:
        targets = await find_targets(client)
        for name, asked in ROUTES.items():
            _ = [took async for took in ask(client, asked, targets, len(targets), writer)]
            before = machine.cpu()
            taken = sorted([took async for took in ask(client, asked, targets, requests, writer)])
            found[name] = (taken, (machine.cpu() - before) * 1000 / requests)
    await writer.close()
    return found


def print_table(server: Measured, http: dict[str, tuple[list[float], float]]) -> None:
    """A row a read."""
    heads = [
        "read",
        "first answers, in the server: p50 / p99 ms",
        "over HTTP: p50 / p99 ms",
        "CPU, with PostgreSQL's, ms",
        "asked again, nothing committed since, in the server: p50 / p99 ms",
    ]
    print(f"\n| {' | '.join(heads)} |\n|---|---|---|---|---|")
    for name, (made, again) in server.items():
        outside, cpu = http[name]
        print(f"| {name} | {_cut(made)} | {_cut(outside)} | {cpu:.1f} | {_cut(again)} |", flush=True)


def _cut(taken: list[float]) -> str:
    return f"{statistics.median(taken):.1f} / {taken[min(len(taken) - 1, int(len(taken) * 0.99))]:.1f}"


def main(requests: int) -> None:
    """Build the shop into an embedded PostgreSQL that is thrown away, and ask."""
    spare_collector()
    with tempfile.TemporaryDirectory(prefix="lineal-bench-") as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "demo"
        command = [sys.executable, "-m", "lineal_receiver.cli", "demo", "--once", "--dir", str(place)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with start_embedded(place / "postgres") as postgres:
            server = uvloop.run(measure_server(postgres.connection.dsn, requests))
        with serve(place / "postgres") as machine:
            print_table(server, uvloop.run(measure_http(machine, requests)))
