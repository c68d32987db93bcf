"""What reads of lineage cost on examples/shop: a real `dbt build`, then every dataset asked for, in one process."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from reads import asking

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.serve import spare_collector

ROUTES: dict[str, dict[str, str]] = {
    "around a dataset": {"path": "/api/v2/lineage"},
    "around a dataset, without its columns": {"path": "/api/v2/lineage", "columns": "none"},
    "upstream of a dataset": {"path": "/api/v2/upstream"},
    "upstream of a column": {"path": "/api/v2/upstream", "field": "*"},
    "downstream of a column": {"path": "/api/v2/downstream", "field": "*"},
    "impact of a column": {"path": "/api/v2/impact", "field": "*"},
    "around a dataset a year from now": {"path": "/api/v2/as-of", "at": "2999-01-01"},
    "columns of a dataset (v1)": {"path": "/api/v1/column-lineage"},
}


async def measure(dsn: str, requests: int) -> None:
    """A row a read: p50 and p99 in ms, and the CPU of this process (which asks, too) in ms a request."""
    async with asking(dsn) as client:
        found = (await client.get("/api/v2/search", params={"q": "shop.", "kind": "dataset", "limit": 200})).json()
        targets = [(one["namespace"], one["name"]) for one in found["results"]]
        fields = {target: await _find_field(client, target) for target in targets}
        print(f"\n{len(targets)} datasets\n\n| read | p50 ms | p99 ms | CPU ms |\n|---|---|---|---|")
        for name, asked in ROUTES.items():
            taken, began = [], 0.0
            for number in range(requests + len(targets)):
                if number == len(targets):  # once round, until plans and caches are as they are after a while
                    began = time.process_time()
                target = targets[number % len(targets)]
                query = {key: value for key, value in asked.items() if key != "path"}
                query |= {"namespace": target[0], "name": target[1]}
                if query.get("field") == "*":
                    query["field"] = fields[target]
                started = time.perf_counter()
                response = await client.get(asked["path"], params=query)
                if number >= len(targets):
                    taken.append((time.perf_counter() - started) * 1000)
                if response.status_code != 200:
                    raise SystemExit(f"{asked['path']} {query}: {response.status_code} {response.text[:200]}")
            cpu = (time.process_time() - began) * 1000 / requests
            ordered = sorted(taken)
            last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
            print(f"| {name} | {statistics.median(ordered):.1f} | {last:.1f} | {cpu:.1f} |", flush=True)


async def _find_field(client: Any, target: tuple[str, str]) -> str:
    """A column of a dataset, the one that most is made of or that is made of most."""
    graph = (await client.get("/api/v2/lineage", params={"namespace": target[0], "name": target[1]})).json()
    columns = graph["datasets"][0]["columns"]
    return str(max(columns, key=lambda one: (one["upstream"] + one["downstream"], one["name"]))["name"])


def main(requests: int) -> None:
    """Build the shop into an embedded PostgreSQL that is thrown away, and ask."""
    spare_collector()
    with tempfile.TemporaryDirectory(prefix="lineal-bench-") as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "demo"
        command = [sys.executable, "-m", "lineal_receiver.cli", "demo", "--once", "--dir", str(place)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with start_embedded(place / "postgres") as server:
            asyncio.run(measure(server.connection.dsn, requests))
