"""`lineal` processes, and what tests ask of them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from lineal_receiver.postgres.postmaster import stop_orphan
from lineal_receiver.postgres.processes import find_processes

SECONDS = 120.0


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Poll until `condition` gives something true, and give that."""
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{what} didn't come within {SECONDS:g} s"
        time.sleep(0.02)
    return found


@dataclass(frozen=True, slots=True)
class Server:
    """A running `lineal serve`, and the line that it said."""

    process: "subprocess.Popen[str]"
    line: str

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+", self.line)
        assert found is not None, self.line
        return found[0]

    def post(self, name: str) -> int:
        """Send an event of a run of the job `name`; the status."""
        return httpx.post(f"{self.url}/api/v1/lineage", json=event(name), timeout=SECONDS).status_code

    def jobs(self) -> set[str]:
        answer = httpx.get(f"{self.url}/api/v1/namespaces/tests/jobs", timeout=SECONDS)
        return {job["name"] for job in answer.json()["jobs"]}

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@dataclass(frozen=True, slots=True)
class Starter:
    """Starts `lineal` processes, and ends those that a failed test left."""

    started: "list[subprocess.Popen[str]]" = field(default_factory=list)

    def popen(self, *arguments: str | Path, **variables: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "lineal_receiver.cli", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LINEAL_LOG_LEVEL": "error", **variables},
        )
        self.started.append(process)
        return process

    def serve(self, *arguments: str | Path, **variables: str) -> Server:
        process = self.popen(
            "serve", *(arguments if "--port" in arguments else [*arguments, "--port", "0"]), **variables
        )
        assert process.stdout is not None
        return Server(process=process, line=process.stdout.readline())


@pytest.fixture
def starter() -> Iterator[Starter]:
    starter = Starter()
    yield starter
    for process in starter.started:
        process.kill()
        with process:
            pass


@pytest.fixture
def data_dir(scratch: Path) -> Iterator[Path]:
    """A path for a data directory; no PostgreSQL may run in it when the test is over."""
    path = scratch / f"serve-{uuid4().hex[:8]}"
    yield path
    left = find_processes(path / "cluster")
    stop_orphan(path / "cluster")
    shutil.rmtree(path, ignore_errors=True)
    assert left == {}


def event(name: str) -> dict[str, Any]:
    return {
        "eventTime": "2026-01-02T03:04:05Z",
        "eventType": "COMPLETE",
        "producer": "https://example.org/tests",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid4())},
        "job": {"namespace": "tests", "name": name},
        "inputs": [],
        "outputs": [],
    }
