"""`lineal serve` as its users run it: a process, its port, its signals, its crashes."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from lineal_receiver.postgres.postmaster import stop_orphan
from lineal_receiver.postgres.processes import find_processes

SECONDS = 30.0


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_starts_says_where_ends_in_order_and_keeps_everything(
    data_dir: Path, starter: Starter, number: signal.Signals
) -> None:
    server = starter.serve("--data-dir", data_dir)
    assert server.line == f"Lineal listens on {server.url} (data in {data_dir})\n"
    for path in ("/healthz", "/readyz"):
        assert httpx.get(server.url + path).status_code == 200
    assert server.post("first") == 201
    assert server.end(number) == 0
    assert find_processes(data_dir / "cluster") == {}
    again = starter.serve("--data-dir", data_dir)
    assert again.jobs() == {"first"}
    assert again.end() == 0


def test_no_acknowledged_event_is_lost_by_kill_9(data_dir: Path, starter: Starter) -> None:
    kept: set[str] = set()
    for name in ("one", "two"):
        server = starter.serve("--data-dir", data_dir)
        assert server.jobs() == kept
        assert server.post(name) == 201
        kept.add(name)
        server.end(signal.SIGKILL)
    server = starter.serve("--data-dir", data_dir)
    assert server.jobs() == kept
    assert server.end() == 0


def test_serves_on_after_its_postgres_was_killed(data_dir: Path, starter: Starter) -> None:
    server = starter.serve("--data-dir", data_dir)
    assert server.post("before") == 201
    told = json.loads((data_dir / "server.json").read_text())
    os.kill(told["postmaster"], signal.SIGKILL)

    def accepted() -> bool:
        status = server.post("after")
        assert status in {201, 503}
        return status == 201

    wait_for(accepted, "an accepted event")
    wait_for(lambda: httpx.get(server.url + "/readyz").status_code == 200, "readiness")
    assert server.jobs() == {"before", "after"}
    assert server.end() == 0


def test_what_is_under_way_is_finished_before_the_end(data_dir: Path, starter: Starter) -> None:
    server = starter.serve("--data-dir", data_dir)
    body = json.dumps(event("under-way")).encode()
    lines = [
        "POST /api/v1/lineage HTTP/1.1",
        "Host: x",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    head = "\r\n".join([*lines, "", ""])
    address = ("127.0.0.1", urlsplit(server.url).port or 0)
    with socket.create_connection(address, timeout=SECONDS) as connection:
        connection.sendall(head.encode() + body[:20])
        wait_for(lambda: httpx.get(server.url + "/healthz").status_code == 200, "an answer beside")
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: not can_connect(address), "the closed port")
        connection.sendall(body[20:])
        assert connection.recv(4096).startswith(b"HTTP/1.1 201 ")
    assert server.process.wait(SECONDS) == 0
    again = starter.serve("--data-dir", data_dir)
    assert again.jobs() == {"under-way"}
    assert again.end() == 0


def can_connect(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=SECONDS).close()
    except OSError:
        return False
    return True


def fail(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """The exit code and what was said on stderr; nothing may be said on stdout."""
    out, err = process.communicate(timeout=SECONDS)
    assert out == ""
    return process.returncode, err


def test_second_server_taken_port_and_guests(data_dir: Path, scratch: Path, starter: Starter) -> None:
    server = starter.serve("--data-dir", data_dir)
    code, said = fail(starter.popen("serve", "--data-dir", data_dir, "--port", "0"))
    assert code == 2
    assert said == (
        f"lineal: {data_dir} is in use by process {server.process.pid} (lineal serve): "
        "stop that process, or choose another --data-dir.\n"
    )
    port = str(urlsplit(server.url).port)
    code, said = fail(starter.popen("serve", "--data-dir", scratch / "never-made", "--port", port))
    assert code == 2
    assert said.startswith(f"lineal: Port {port} on 127.0.0.1 is taken by another process: choose another with --port")
    assert said.count("\n") == 1
    assert not (scratch / "never-made").exists()

    guest = starter.popen("ingest", "--data-dir", data_dir, "-")
    out, err = guest.communicate(json.dumps(event("from-file")) + "\n", timeout=SECONDS)
    assert (guest.returncode, out, err) == (0, "1 accepted, 0 duplicate, 0 rejected\n", "")
    assert server.jobs() == {"from-file"}
    assert server.end() == 0


def test_ingest_without_a_server_and_its_exit_code(data_dir: Path, starter: Starter) -> None:
    guest = starter.popen("ingest", "--data-dir", data_dir, "-")
    out, err = guest.communicate(json.dumps(event("alone")) + "\n{}\n", timeout=SECONDS)
    assert (guest.returncode, err) == (1, "")
    assert out.endswith("1 accepted, 0 duplicate, 1 rejected\n")
    assert "standard input:2" in out
    server = starter.serve("--data-dir", data_dir)
    assert server.jobs() == {"alone"}
    assert server.end() == 0


def test_ingest_over_http(data_dir: Path, tmp_path: Path, starter: Starter) -> None:
    path = tmp_path / "events.ndjson.gz"
    lines = [json.dumps(event("sent")), "{}", "", json.dumps(event("sent-too")), "no json"]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    server = starter.serve("--data-dir", data_dir)
    sender = starter.popen("ingest", "--url", server.url + "/", path)
    out, err = sender.communicate(timeout=SECONDS)
    assert (sender.returncode, err) == (1, "")
    assert [line.partition(": ")[0] for line in out.splitlines()] == [
        f"rejected {path}:2",
        f"rejected {path}:5",
        "2 accepted or duplicate, 2 rejected",
    ]
    assert server.jobs() == {"sent", "sent-too"}
    code, said = fail(starter.popen("ingest", "--url", server.url + "/elsewhere", path))
    assert (code, said.count("\n")) == (3, 1)
    assert "it answers 404 Not Found" in said
    assert server.end() == 0


def test_two_servers_on_one_database_start_at_once(empty_database_url: str, starter: Starter) -> None:
    processes = [starter.popen("serve", "--port", "0", LINEAL_DATABASE_URL=empty_database_url) for _ in range(2)]
    servers = []
    for process in processes:
        assert process.stdout is not None
        servers.append(Server(process=process, line=process.stdout.readline()))
    password = urlsplit(empty_database_url).password or "-"
    assert all("(PostgreSQL at 127.0.0.1:" in server.line and password not in server.line for server in servers)
    assert servers[0].post("here") == 201
    assert servers[1].post("there") == 201
    assert servers[0].jobs() == servers[1].jobs() == {"here", "there"}
    assert [server.end() for server in servers] == [0, 0]


def test_a_database_that_is_not_there(starter: Starter) -> None:
    code, said = fail(starter.popen("serve", "--port", "0", LINEAL_DATABASE_URL="postgresql://u:geheim@127.0.0.1:1/d"))
    assert code == 3
    assert said.startswith("lineal: Can't connect to PostgreSQL at 127.0.0.1:1/d: the connection is refused.")
    assert said.count("\n") == 1


def test_an_open_address_needs_the_flag(data_dir: Path, starter: Starter) -> None:
    code, said = fail(starter.popen("serve", "--data-dir", data_dir, "--host", "0.0.0.0", "--port", "0"))
    assert (code, said.count("\n")) == (2, 1)
    assert "--insecure-listen" in said
    server = starter.serve("--data-dir", data_dir, "--host", "0.0.0.0", "--insecure-listen")
    assert server.url.startswith("http://127.0.0.1:")
    assert httpx.get(server.url + "/healthz").status_code == 200
    assert server.end() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another account")
def test_root_with_a_place_closed_to_its_account(scratch: Path, starter: Starter) -> None:
    closed = scratch / "closed-to-account"
    closed.mkdir(mode=0o700)
    code, said = fail(starter.popen("serve", "--data-dir", closed / "data", "--port", "0"))
    assert (code, said.count("\n")) == (2, 1)
    assert f"can't enter {closed}, so it can't reach {closed / 'data'}: choose a --data-dir" in said
    server = starter.serve("--data-dir", closed / "data", "--temporary-if-blocked")
    found = re.search(r"\(data in (\S+), removed at the end: PostgreSQL's account can't reach (\S+)\)", server.line)
    assert found is not None
    assert found[2] == str(closed / "data")
    assert server.post("here") == 201
    assert server.end() == 0
    assert not Path(found[1]).exists()
