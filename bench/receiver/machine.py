"""A server of its own on a fresh data directory, and what it and its PostgreSQL use."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from lineal_receiver.postgres.binaries import find_binaries
from lineal_receiver.postgres.database import join_database

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Machine:
    """A running server: its URL, the address of its PostgreSQL, the process ids of both."""

    url: str
    dsn: str
    server: int
    postmaster: int

    def cpu(self) -> float:
        """Seconds of CPU that the server and its PostgreSQL have used, ended backends included."""
        total = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = _stat(path)
            except OSError:
                continue
            if int(path.parent.name) in (self.server, self.postmaster):
                total += sum(fields[11:15])
            elif fields[1] == self.postmaster:
                total += sum(fields[11:13])
        return total / TICKS

    def peak_mb(self) -> dict[str, float]:
        """The largest resident memory since `forget_peak`, of the server and of its largest PostgreSQL process."""
        backends = [peak for pid, peak in _peaks() if _parent(pid) == self.postmaster]
        server = next(peak for pid, peak in _peaks() if pid == self.server)
        return {"server": server, "PostgreSQL": max(backends)}

    def forget_peak(self) -> None:
        """Start to measure the peak of memory anew."""
        for pid, _ in _peaks():
            if pid == self.server or _parent(pid) == self.postmaster:
                Path(f"/proc/{pid}/clear_refs").write_text("5")


@contextmanager
def serve(data: Path | None = None) -> Iterator[Machine]:
    """A server with the settings that everybody gets, on the data there, or on none."""
    with tempfile.TemporaryDirectory(prefix="lineal-bench-") as folder:
        Path(folder).chmod(0o755)
        data = data or Path(folder) / "data"
        command = [sys.executable, "-m", "lineal_receiver.cli", "serve", "--port", "0", "--data-dir", str(data)]
        environment = {**os.environ, "LINEAL_LOG_LEVEL": "error"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            try:
                url = next(word for word in process.stdout.readline().split() if word.startswith("http"))
                with join_database(None, data) as dsn:
                    yield Machine(url, dsn, process.pid, _postmaster(process.pid))
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait()


def find_pgbench() -> str | None:
    """PostgreSQL's own measuring program: the embedded PostgreSQL's, or one on the path."""
    beside = find_binaries().folder / "pgbench"
    return str(beside) if beside.exists() else shutil.which("pgbench")


async def ask(dsn: str, sql: str, *arguments: object) -> object:
    """One value."""
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(sql, *arguments)
    finally:
        await connection.close()


def _postmaster(server: int) -> int:
    for path in Path("/proc").glob("[0-9]*/stat"):
        if _parent(int(path.parent.name)) == server and "postgres" in path.read_text().partition(")")[0]:
            return int(path.parent.name)
    raise SystemExit("the server's PostgreSQL was not found")


def _stat(path: Path) -> list[int]:
    """What follows the name and state in a process's stat, from a zero on so that [1] is the parent."""
    return [0, *(int(word) for word in path.read_text().rpartition(") ")[2].split()[1:20])]


def _parent(pid: int) -> int:
    try:
        return _stat(Path(f"/proc/{pid}/stat"))[1]
    except OSError:
        return 0


def _peaks() -> Iterator[tuple[int, float]]:
    """Process ids and their peak of resident memory in MB."""
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = path.read_text().splitlines()
        except OSError:
            continue
        for line in lines:
            if line.startswith("VmHWM:"):
                yield int(path.parent.name), int(line.split()[1]) / 1024
