"""Load with kills: events that get in each other's way, SIGKILL of the server and of PostgreSQL, and `lineal verify`.

    python tools/soak.py                    10 minutes
    python tools/soak.py --seconds 60       shorter; --clients, --kills, --seed

Each client sends until it is answered, as producers do. In the end everything is sent once more, what was acknowledged
is looked up in the log, and `lineal verify` folds the log again and compares every table.

Ends with 0 if nothing that was acknowledged is missing, no answer was one that shouldn't be, and verify finds nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from soak_story import Story

from lineal_receiver.ingest.envelope import open_envelope
from lineal_receiver.postgres.database import join_database
from lineal_receiver.postgres.pool import connect

READY_SECONDS, ANSWER_SECONDS = 180, 60
LINEAL = [sys.executable, "-m", "lineal_receiver.cli"]


@dataclass
class Figures:
    """What happened."""

    began: float = field(default_factory=time.perf_counter)
    acknowledged: list[bytes] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    away: list[float] = field(default_factory=list)
    peak_mb: int = 0

    def line(self) -> str:
        """One line of how it goes."""
        passed = time.perf_counter() - self.began
        cuts = statistics.quantiles(self.took, n=100) if len(self.took) > 1 else [0.0] * 99
        kills = ", ".join(f"{count} of the {victim}" for victim, count in self.kills.items()) or "none"
        return (
            f"{passed:6.0f} s  {len(self.took)} answers ({len(self.took) / passed:.0f}/s), "
            f"p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms; sent again {self.statuses['away']}; "
            f"kills: {kills}; server at most {self.peak_mb} MB"
        )


class Server:
    """`lineal serve` on a data directory, started again whenever it is killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self._process: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The one that runs, once started."""
        if self._process is None:
            raise RuntimeError("not started")
        return self._process

    async def start(self) -> None:
        """Start it, and wait until it says where it listens."""
        arguments = [*LINEAL, "serve", "--port", "0", "--data-dir", str(self.folder)]
        environment = {**os.environ, "LINEAL_LOG_LEVEL": "error"}
        self._process = await asyncio.create_subprocess_exec(
            *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, env=environment
        )
        if self.process.stdout is None:
            raise RuntimeError("its output isn't ours")
        line = (await asyncio.wait_for(self.process.stdout.readline(), READY_SECONDS)).decode()
        self.url = next(word for word in line.split() if word.startswith("http"))

    async def kill(self) -> None:
        """SIGKILL the server; its PostgreSQL outlives it, and is taken over."""
        self.process.kill()
        await self.process.wait()
        await self.start()

    def kill_postgres(self) -> None:
        """SIGKILL the postmaster; the server starts another."""
        for path in self.folder.rglob("postmaster.pid"):
            with suppress(ProcessLookupError, ValueError, IndexError):
                os.kill(int(path.read_text().splitlines()[0]), signal.SIGKILL)

    def measure(self) -> int:
        """Its resident memory in MB, where /proc tells."""
        try:
            text = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        return next((int(line.split()[1]) // 1024 for line in text.splitlines() if line.startswith("VmHWM")), 0)

    async def stop(self) -> None:
        """Stop it as an operator does."""
        self.process.terminate()
        await asyncio.wait_for(self.process.wait(), READY_SECONDS)


class Sender:
    """One keep-alive connection, opened anew where the server is after a restart."""

    def __init__(self, server: Server, figures: Figures) -> None:
        self.server, self.figures = server, figures
        self.http = httpx.AsyncClient(timeout=ANSWER_SECONDS, verify=False)  # noqa: S501 - loopback, without TLS

    async def send(self, method: str, path: str, body: bytes | None = None) -> int:
        """Send one request again and again until it is answered; its status."""
        figures = self.figures
        while True:
            start = time.perf_counter()
            try:
                headers = {"Content-Type": "application/json"}
                answer = await self.http.request(method, self.server.url + path, content=body, headers=headers)
            except httpx.HTTPError:
                figures.statuses["away"] += 1
                await asyncio.sleep(0.1)
                continue
            if answer.status_code == 503:
                figures.statuses["away"] += 1
                await asyncio.sleep(0.1)
                continue
            figures.took.append(time.perf_counter() - start)
            figures.statuses[f"{method} {answer.status_code}"] += 1
            return answer.status_code


async def run_client(sender: Sender, story: Iterator[Any], until: float) -> None:
    """Tell a story until time is up."""
    figures = sender.figures
    while time.perf_counter() < until:
        method, path, content = next(story)
        body = None if content is None else json.dumps(content).encode()
        status = await sender.send(method, path, body)
        if path == "/api/v1/lineage":
            if status != 201:
                figures.statuses["unexpected"] += 1
            elif body is not None:
                figures.acknowledged.append(body)
        elif status not in (200, 201, 204, 404):
            figures.statuses["unexpected"] += 1


async def kill_now_and_then(sender: Sender, kills: int, until: float, chance: random.Random) -> None:
    """Kill the server and PostgreSQL in turns, spread over the time that there is."""
    server, figures = sender.server, sender.figures
    start = time.perf_counter()
    each = (until - start) / (kills + 1)
    for number in range(kills):
        # by the clock, so that the kills lie in the load however long each takes to get over
        await asyncio.sleep(max(0.0, start + each * (number + chance.uniform(0.6, 1.2)) - time.perf_counter()))
        victim = "server" if number % 2 == 0 else "postgres"
        began = time.perf_counter()
        if victim == "server":
            await server.kill()
        else:
            server.kill_postgres()
        figures.kills[victim] += 1
        await sender.send("GET", "/readyz")  # 503 until the database answers
        figures.away.append(time.perf_counter() - began)


async def report_now_and_then(server: Server, figures: Figures) -> None:
    """A line every ten seconds."""
    while True:
        await asyncio.sleep(10)
        figures.peak_mb = max(figures.peak_mb, server.measure())
        print(figures.line(), flush=True)


@asynccontextmanager
async def reporting(server: Server, figures: Figures) -> AsyncIterator[None]:
    """While entered, it says how it goes."""
    task = asyncio.create_task(report_now_and_then(server, figures))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def find_lost(folder: Path, figures: Figures) -> int:
    """How many events were acknowledged and aren't in the log."""
    wanted = {open_envelope(body).id for body in figures.acknowledged}
    with join_database(None, folder) as address:
        connection = await connect(address)
        try:
            rows = await connection.fetch("select id from log where id = any($1::bytea[])", list(wanted))
        finally:
            await connection.close()
    return len(wanted - {row["id"] for row in rows})


async def verify(folder: Path) -> int:
    """The exit code of `lineal verify`."""
    process = await asyncio.create_subprocess_exec(*LINEAL, "verify", "--data-dir", str(folder))
    return await process.wait()


async def soak(options: argparse.Namespace, folder: Path) -> int:
    """The whole run; the exit code."""
    figures, server, chance = Figures(), Server(folder), random.Random(options.seed)  # noqa: S311 - a fixed story
    await server.start()
    try:
        until = time.perf_counter() + options.seconds
        senders = [Sender(server, figures) for _ in range(options.clients + 1)]
        stories = [Story(random.Random(f"{options.seed} {n}")).tell() for n in range(options.clients)]  # noqa: S311
        async with reporting(server, figures):
            await asyncio.gather(
                *(run_client(sender, story, until) for sender, story in zip(senders, stories, strict=False)),
                kill_now_and_then(senders[-1], options.kills, until, chance),
            )
            again = chance.sample(figures.acknowledged, min(len(figures.acknowledged), options.again))
            for start in range(0, len(again), options.clients):
                part = again[start : start + options.clients]
                await asyncio.gather(
                    *(sender.send("POST", "/api/v1/lineage", body) for sender, body in zip(senders, part, strict=False))
                )
        figures.peak_mb = max(figures.peak_mb, server.measure())
    finally:
        await server.stop()
    lost, differs = await find_lost(folder, figures), await verify(folder)
    print(figures.line())
    print("answers " + ", ".join(f"{what}: {count}" for what, count in sorted(figures.statuses.items())))
    if figures.away:
        print(f"ready again after a kill in {statistics.median(figures.away):.1f} s, at most {max(figures.away):.1f} s")
    print(f"acknowledged {len(figures.acknowledged)}, of these lost {lost}; verify ended with {differs}")
    return int(bool(lost or differs or figures.statuses["unexpected"] or not figures.acknowledged))


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--kills", type=int, default=None, help="default: one every 20 seconds, at least 2")
    parser.add_argument("--again", type=int, default=2_000, help="how many events are sent once more in the end")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.kills is None:
        options.kills = max(2, int(options.seconds // 20))
    folder = Path(tempfile.mkdtemp(prefix="lineal-soak-"))
    folder.chmod(0o755)  # root's PostgreSQL account must get through
    try:
        return asyncio.run(soak(options, folder / "data"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
