"""`lineal serve` as its users run it: a process, its port, its signals, its crashes."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from lineal_receiver.postgres.processes import find_processes

from .conftest import SECONDS, Server, Starter, event, wait_for


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
    nowhere = "postgresql://u:geheim@127.0.0.1:1/d"
    code, said = fail(starter.popen("serve", "--port", "0", LINEAL_DATABASE_URL=nowhere, LINEAL_WAIT_SECONDS="0"))
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
