"""P3: what was answered with 201 is there after SIGKILL of the server, and of PostgreSQL, in the middle of posts."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest

from lineal_receiver.postgres.database import join_database
from lineal_receiver.postgres.pool import connect

from .events import dataset, lineage, run_event

CLIENTS, ENOUGH, SECONDS = 6, 40, 300


class Server:
    """`lineal serve` as a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self.process, self.url = process, url


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Server]:
    """A server on this data directory, stopped in the end if it still lives."""
    command = [sys.executable, "-m", "lineal_receiver.cli", "serve", "--port", "0", "--data-dir", str(folder)]
    environment = {**os.environ, "LINEAL_LOG_LEVEL": "error"}
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=environment)
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), SECONDS)).decode()
    try:
        yield Server(process, next(word for word in line.split() if word.startswith("http")))
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def post_until_gone(url: str, kept: set[str], enough: asyncio.Event) -> None:
    """Post events of ever new runs, and note the runs of those that were acknowledged."""
    target = dataset("b", columnLineage=lineage(x="a.x"))
    async with httpx.AsyncClient(base_url=url, timeout=SECONDS) as client:
        with suppress(httpx.TransportError):
            while True:
                event = run_event("COMPLETE", len(kept) % 60, inputs=[dataset("a")], outputs=[target])
                run = event["run"]["runId"] = str(uuid4())
                answer = await client.post("/api/v1/lineage", json=event)
                if answer.status_code == 503:
                    return
                assert answer.status_code == 201
                kept.add(run)
                if len(kept) >= ENOUGH:
                    enough.set()


async def find_postmaster(folder: Path) -> int:
    """The process id of the embedded PostgreSQL."""
    with join_database(None, folder) as dsn:
        connection = await connect(dsn)
        backend = await connection.fetchval("select pg_backend_pid()")
        stat = await asyncio.to_thread(Path(f"/proc/{backend}/stat").read_text)
        await connection.close()
    return int(stat.rpartition(") ")[2].split()[1])


async def read_kept(folder: Path) -> set[str]:
    """The runs in the log, each of which has its model row too."""
    with join_database(None, folder) as dsn:
        connection = await connect(dsn)
        rows: list[asyncpg.Record] = await connection.fetch("select run_id from log")
        half = await connection.fetchval(
            "select count(*) from log as l where not exists "
            "(select 1 from run_io as io where io.job_id = l.job_id and io.run_id = l.run_id and io.class = 2)"
        )
        await connection.close()
    assert half == 0
    return {str(row["run_id"]) for row in rows}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds PostgreSQL's process in /proc")
@pytest.mark.parametrize("victim", ["server", "postgres"])
async def test_what_was_acknowledged_survives_a_kill(scratch: Path, victim: str) -> None:
    folder = scratch / f"kill-{victim}-{uuid4().hex[:6]}"
    kept: set[str] = set()
    async with serving(folder) as server:
        enough = asyncio.Event()
        clients = [asyncio.create_task(post_until_gone(server.url, kept, enough)) for _ in range(CLIENTS)]
        await asyncio.wait_for(enough.wait(), SECONDS)
        os.kill(server.process.pid if victim == "server" else await find_postmaster(folder), signal.SIGKILL)
        await asyncio.wait_for(asyncio.gather(*clients), SECONDS)
    assert len(kept) >= ENOUGH
    async with serving(folder) as again:
        found = await read_kept(folder)
        assert kept <= found
        async with httpx.AsyncClient(base_url=again.url) as client:
            event = json.loads(json.dumps(run_event("COMPLETE", 1)))
            assert (await client.post("/api/v1/lineage", json=event)).status_code == 201
