"""Send bodies from several clients for a while, over HTTP or as plain inserts, and say how it went."""

import asyncio
import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from machine import find_pgbench


@dataclass(frozen=True, slots=True)
class Result:
    """What one measurement gave."""

    count: int
    rate: float
    p50_ms: float
    p99_ms: float
    cpu_ms: float
    bad: int


async def measure(
    clients: int, seconds: float, bodies: Iterator[bytes], open_one: Callable[[], Any], cpu: Callable[[], float]
) -> Result:
    """Each client sends the next body when the last is answered; for 0 `seconds` until there are no more."""
    took: list[float] = []
    bad = 0
    end = time.perf_counter() + seconds
    before, began = cpu(), time.perf_counter()

    async def client() -> None:
        nonlocal bad
        async with open_one() as send:
            while not seconds or time.perf_counter() < end:
                body = next(bodies, None)
                if body is None:
                    break
                start = time.perf_counter()
                bad += not await send(body)
                took.append(time.perf_counter() - start)

    await asyncio.gather(*(client() for _ in range(clients)))
    elapsed, spent = time.perf_counter() - began, cpu() - before
    cuts = statistics.quantiles(took, n=100)
    count = len(took)
    return Result(count, count / elapsed, cuts[49] * 1000, cuts[98] * 1000, spent / count * 1000, bad)


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


async def single_inserts(dsn: str, body: bytes, clients: int, seconds: float) -> tuple[str, float]:
    """The ceiling: rows a second of the same body, one a transaction; by pgbench, else by a loop of ours."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        "create table if not exists bench_body (id bigint generated always as identity primary key, body text)"
    )
    await connection.close()
    pgbench = find_pgbench()
    if pgbench is not None:
        return "pgbench", await asyncio.to_thread(_run_pgbench, pgbench, dsn, body, clients, seconds)
    nothing = await measure(clients, seconds, iter(lambda: body, None), _inserts(dsn), time.process_time)
    return "asyncpg", nothing.rate


def _run_pgbench(program: str, dsn: str, body: bytes, clients: int, seconds: float) -> float:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "insert.sql"
        literal = body.decode().replace("'", "''")
        script.write_text(f"insert into bench_body (body) values ('{literal}');\n")
        parts = urlsplit(dsn)
        environment = {**os.environ, "PGPASSWORD": parts.password or "", "PGUSER": parts.username or ""}
        command = [program, "-n", "-f", str(script), "-c", str(clients), "-j", "2", "-T", str(max(1, round(seconds)))]
        command += ["-h", parts.hostname or "", "-p", str(parts.port or 5432), parts.path.lstrip("/")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    found = re.search(r"tps = ([\d.]+) \(without", done.stdout)
    if done.returncode or found is None:
        raise SystemExit(f"pgbench failed: {done.stderr[-500:]}")
    return float(found[1])


def _inserts(dsn: str) -> Callable[[], Any]:
    @asynccontextmanager
    async def open_one() -> AsyncIterator[Callable[[bytes], Any]]:
        connection = await asyncpg.connect(dsn)
        statement = await connection.prepare("insert into bench_body (body) values ($1)")

        async def send(body: bytes) -> bool:
            await statement.fetch(body.decode())
            return True

        yield send
        await connection.close()

    return open_one
