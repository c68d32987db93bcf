"""Events a second over HTTP, against single-row inserts of the same bodies into the same PostgreSQL, in the same run.

`python bench/ingest.py [--seconds 5] [--clients 1 8 32]`: repeat traffic (new runs that say what earlier ones said),
and
all-new (names and edges that were never seen). CPU is that of the server and of PostgreSQL together, for each event.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg

from lineal_receiver.postgres.database import join_database

COLUMNS, SOURCES = 20, 3
FACET = {"_producer": "https://bench.example/1", "_schemaURL": "https://bench.example/facet.json"}
TICKS = os.sysconf("SC_CLK_TCK")


def build_event(number: int, world: str, columns: int) -> bytes:
    """A COMPLETE of a new run that writes one table from three; `world` names the tables."""
    sources = [{"namespace": "bench://db", "name": f"{world}.source_{n}"} for n in range(SOURCES)]
    fields = {
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
    schema = {**FACET, "fields": [{"name": name, "type": "bigint"} for name in fields]}
    table = {"namespace": "bench://db", "name": f"{world}.target"}
    event = {
        "eventType": "COMPLETE",
        "eventTime": f"2026-03-01T00:{number // 60 % 60:02}:{number % 60:02}.{number % 1000:03}Z",
        "producer": "https://bench.example/1",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid4())},
        "job": {"namespace": "bench", "name": f"{world}.job"},
        "inputs": [{**source, "facets": {"schema": schema}} for source in sources] if columns else sources,
        "outputs": [
            {**table, "facets": {"schema": schema, "columnLineage": {**FACET, "fields": fields}} if columns else {}}
        ],
    }
    return json.dumps(event).encode()


@dataclass(frozen=True, slots=True)
class Result:
    """What one measurement gave."""

    rate: float
    p50_ms: float
    p99_ms: float
    cpu_ms: float
    bad: int


async def measure(
    clients: int, seconds: float, bodies: Iterator[bytes], open_one: Callable[[], Any], cpu: Callable[[], float]
) -> Result:
    """Send bodies from several clients for a while; each client sends the next when the last is answered."""
    took: list[float] = []
    bad = 0
    end = time.perf_counter() + seconds
    before, began = cpu(), time.perf_counter()

    async def client() -> None:
        nonlocal bad
        async with open_one() as send:
            while time.perf_counter() < end:
                body = next(bodies)
                start = time.perf_counter()
                bad += not await send(body)
                took.append(time.perf_counter() - start)

    await asyncio.gather(*(client() for _ in range(clients)))
    elapsed, spent = time.perf_counter() - began, cpu() - before
    cuts = statistics.quantiles(took, n=100)
    return Result(len(took) / elapsed, cuts[49] * 1000, cuts[98] * 1000, spent / len(took) * 1000, bad)


def http(url: str) -> Callable[[], Any]:
    """A keep-alive connection that posts events, written by hand so that the client costs little."""
    parts = urlsplit(url)

    @asynccontextmanager
    async def open_one() -> AsyncIterator[Callable[[bytes], Any]]:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        head = f"POST /api/v1/lineage HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: application/json\r\n"

        async def send(body: bytes) -> bool:
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            status, length = answer.split(b" ", 2)[1], 0
            for line in answer.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            await reader.readexactly(length)
            return status == b"201"

        yield send
        writer.close()

    return open_one


def insert(dsn: str) -> Callable[[], Any]:
    """A connection that inserts each body as a row, one transaction each."""

    @asynccontextmanager
    async def open_one() -> AsyncIterator[Callable[[bytes], Any]]:
        connection = await asyncpg.connect(dsn)
        statement = await connection.prepare("insert into bench_body (body) values ($1)")

        async def send(body: bytes) -> bool:
            await statement.fetch(body)
            return True

        yield send
        await connection.close()

    return open_one


def events(world: str | None, columns: int) -> Iterator[bytes]:
    """Events without end; without a `world` each is of its own."""
    number = 0
    while True:
        number += 1
        yield build_event(number, world or f"w{number}", columns)


@contextmanager
def serve() -> Iterator[tuple[str, str, int]]:
    """A server on a fresh data directory: its URL, the DSN of its PostgreSQL, its process id."""
    with tempfile.TemporaryDirectory(prefix="lineal-bench-") as folder:
        Path(folder).chmod(0o755)
        command = [sys.executable, "-m", "lineal_receiver.cli", "serve", "--port", "0", "--data-dir", f"{folder}/data"]
        environment = {**os.environ, "LINEAL_LOG_LEVEL": "warning"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            url = next(word for word in process.stdout.readline().split() if word.startswith("http"))
            with join_database(None, Path(folder) / "data") as dsn:
                yield url, dsn, process.pid
            process.send_signal(signal.SIGTERM)
            process.wait()


async def find_postmaster(dsn: str) -> int:
    """The process id of the PostgreSQL server: the parent of the process behind a connection."""
    connection = await asyncpg.connect(dsn)
    backend = await connection.fetchval("select pg_backend_pid()")
    parent = _stat(Path(f"/proc/{backend}/stat"))[1]
    await connection.close()
    return parent


def _stat(path: Path) -> list[int]:
    """What follows the name and state in a process's stat, from a zero on so that [1] is the parent."""
    return [0, *(int(word) for word in path.read_text().rpartition(") ")[2].split()[1:20])]


def cpu_of(server: int, postmaster: int) -> Callable[[], float]:
    """Seconds of CPU that the server and its PostgreSQL have used, ended backends included."""

    def read() -> float:
        total = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = _stat(path)
            except OSError:
                continue
            if int(path.parent.name) in (server, postmaster):
                total += sum(fields[11:15])
            elif fields[1] == postmaster:
                total += sum(fields[11:13])
        return total / TICKS

    return read


async def run(clients: list[int], seconds: float) -> None:
    with serve() as (url, dsn, pid):
        connection = await asyncpg.connect(dsn)
        await connection.execute(
            "create table bench_body (id bigint generated always as identity primary key, body bytea)"
        )
        await connection.close()
        cpu = cpu_of(pid, await find_postmaster(dsn))
        print(
            f"{'':34}{'clients':>8}{'events/s':>10}{'p50 ms':>8}{'p99 ms':>8}{'CPU ms':>8}{'inserts/s':>11}{'ratio':>7}"
        )
        for name, world, columns in (
            ("small, repeat", "small", 0),
            (f"{COLUMNS} columns x {SOURCES}, repeat", "wide", COLUMNS),
            (f"{COLUMNS} columns x {SOURCES}, all new", None, COLUMNS),
        ):
            size = len(build_event(1, "x", columns))
            for count in clients:
                stream = events(world, columns)
                plain = await measure(count, seconds / 2, events(world, columns), insert(dsn), cpu)
                taken = await measure(count, seconds, stream, http(url), cpu)
                label = f"{name} ({size / 1000:.1f} KB)"
                print(
                    f"{label:34}{count:>8}{taken.rate:>10.0f}{taken.p50_ms:>8.1f}{taken.p99_ms:>8.1f}{taken.cpu_ms:>8.2f}"
                    f"{plain.rate:>11.0f}{taken.rate / plain.rate:>7.2f}"
                    + (f"  {taken.bad} not taken" if taken.bad else ""),
                    flush=True,
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    options = parser.parse_args()
    asyncio.run(run(options.clients, options.seconds))
