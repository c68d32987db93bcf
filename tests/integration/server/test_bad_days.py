"""Bad days of a whole server: PostgreSQL that comes late, goes and comes back; a stop in the middle of work."""

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import httpx
import pytest

from .conftest import SECONDS, Server, Starter, event, wait_for
from .proxy import Door
from .test_promise_3_accepted_means_kept import Load


@pytest.fixture
def door(database_url: str) -> Iterator[Door]:
    with closing(Door(database_url)) as door:
        yield door


def ask(url: str, sql: str) -> list[Any]:
    """Rows, asked in a loop of their own: this one is pytest's."""

    async def fetch() -> list[Any]:
        connection = await asyncpg.connect(url)
        try:
            return list(await connection.fetch(sql))
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, fetch()).result()


def served(process: "subprocess.Popen[str]") -> Server:
    assert process.stdout is not None
    return Server(process=process, line=process.stdout.readline())


def told(starter: Starter, door: Door) -> tuple["subprocess.Popen[str]", str]:
    """A server that was started before its database, and what it says of that."""
    process = starter.popen("serve", "--port", "0", LINEAL_DATABASE_URL=door.url, LINEAL_LOG_LEVEL="warning")
    assert process.stderr is not None
    return process, process.stderr.readline()


def test_a_database_that_comes_late_is_waited_for_aloud(starter: Starter, door: Door) -> None:
    process, said = told(starter, door)
    assert "database_awaited" in said
    assert f"127.0.0.1:{door.port}" in said
    assert "the connection is refused" in said
    assert (urlsplit(door.url).password or "no password") not in said
    door.open()
    server = served(process)
    assert server.post("late") == 201
    assert server.end() == 0


def test_who_waits_can_be_stopped(starter: Starter, door: Door) -> None:
    process, _ = told(starter, door)
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == 0


@pytest.mark.parametrize("part", ["database", "time"])
def test_what_does_not_pass_is_not_waited_for(starter: Starter, door: Door, database_url: str, part: str) -> None:
    """A database that isn't there is said at once; one that doesn't come, when the time is over."""
    url, seconds = (
        (urlunsplit(urlsplit(database_url)._replace(path="/never-made")), "86400")
        if part == "database"
        else (door.url, "0.3")
    )
    process = starter.popen("serve", "--port", "0", LINEAL_DATABASE_URL=url, LINEAL_WAIT_SECONDS=seconds)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (3, "")
    assert err.splitlines()[-1].startswith("lineal: Can't connect to PostgreSQL at 127.0.0.1:")
    assert ("there is no such database" in err) == (part == "database")


def test_lost_and_back(starter: Starter, door: Door, database_url: str) -> None:
    """What was answered 201 is there, the rest was told to come again, nothing is half-written, and it goes on."""
    door.open()
    server = starter.serve(LINEAL_DATABASE_URL=door.url)
    load = Load()
    with load.running(server):
        load.wait_for_more()
        door.shut()
        wait_for(lambda: 503 in load.statuses, "a 503")
        assert httpx.get(f"{server.url}/healthz", timeout=SECONDS).status_code == 200
        away = httpx.post(f"{server.url}/api/v1/lineage", json=event("away"), timeout=SECONDS)
        assert (away.status_code, away.headers["retry-after"]) == (503, "2")
        assert httpx.get(f"{server.url}/readyz", timeout=SECONDS).status_code == 503
        door.open()
        wait_for(lambda: httpx.get(f"{server.url}/readyz", timeout=SECONDS).status_code == 200, "readiness")
        load.wait_for_more()
    assert load.statuses == {201, 503}
    assert server.end() == 0
    jobs = {row["name"] for row in ask(database_url, "select name from job")}
    (counts,) = ask(
        database_url,
        "select (select count(*) from log) as log, (select count(*) from run) as run, "
        "(select n from total where kind = 'jobs' and scope = '00000000-0000-0000-0000-000000000000') as jobs, "
        "(select sum(events) from event_hour) as hours",
    )
    assert set(load.acknowledged) <= jobs
    assert counts["log"] == counts["run"] == counts["jobs"] == counts["hours"] == len(jobs)


def test_a_commit_without_an_answer_is_no_201(starter: Starter, door: Door, database_url: str) -> None:
    door.open()
    server = starter.serve(LINEAL_DATABASE_URL=door.url, LINEAL_HOT_DAYS="0")  # which commits in the background
    assert server.post("before") == 201
    sent = event("unknown")
    door.swallow_commit.set()
    statuses = [httpx.post(f"{server.url}/api/v1/lineage", json=sent, timeout=SECONDS).status_code for _ in range(2)]
    assert not door.swallow_commit.is_set()
    assert statuses == [503, 201]
    assert server.end() == 0
    assert ask(database_url, "select count(*) from log")[0][0] == 2
    assert ask(database_url, "select sum(events) from event_hour")[0][0] == 2


def test_a_stop_under_load(data_dir: Path, starter: Starter) -> None:
    """What was accepted is there after the next start; nobody else was told that it was."""
    server = starter.serve("--data-dir", data_dir)
    load = Load()
    with load.running(server):
        load.wait_for_more()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS) == 0
    assert load.statuses <= {201, 503}
    again = starter.serve("--data-dir", data_dir)
    jobs: set[str] = set()
    while len(found := _page(again, len(jobs))) > 0:
        jobs |= found
    assert jobs
    assert set(load.acknowledged) <= jobs
    assert again.end() == 0


def _page(server: Server, offset: int) -> set[str]:
    path = f"/api/v1/namespaces/tests/jobs?limit=100&offset={offset}"
    return {job["name"] for job in httpx.get(server.url + path, timeout=SECONDS).json()["jobs"]}
