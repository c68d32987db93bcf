"""P3: once a 201 has gone out, the event survives `kill -9` of the server and of PostgreSQL, under load."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from .conftest import SECONDS, Server, Starter, event, wait_for

CLIENTS = 4
MORE = 40


class Load:
    """Clients that post all the time, to whatever server there is, and remember what was acknowledged."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.statuses: set[int] = set()
        self.url = ""
        self._stop = threading.Event()

    def post_on(self, client: int) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            name = f"{client}-{number}"
            try:
                answer = httpx.post(f"{self.url}/api/v1/lineage", json=event(name), timeout=SECONDS)
            except httpx.HTTPError:  # the server is away
                self._stop.wait(0.05)
                continue
            self.statuses.add(answer.status_code)
            if answer.status_code == 201:
                self.acknowledged.append(name)

    @contextmanager
    def running(self, server: Server) -> Iterator[None]:
        self.url = server.url
        clients = [threading.Thread(target=self.post_on, args=(client,)) for client in range(CLIENTS)]
        for client in clients:
            client.start()
        try:
            yield
        finally:
            self._stop.set()
            for client in clients:
                client.join()

    def wait_for_more(self) -> None:
        goal = len(self.acknowledged) + MORE
        wait_for(lambda: len(self.acknowledged) >= goal, f"{MORE} more acknowledged events")


@pytest.mark.parametrize("order", [("postgres", "server"), ("server", "postgres")])
def test_p3_nothing_acknowledged_is_lost(data_dir: Path, starter: Starter, order: tuple[str, str]) -> None:
    server = starter.serve("--data-dir", data_dir)
    load = Load()
    with load.running(server):
        load.wait_for_more()
        for victim in order:
            if victim == "postgres":
                os.kill(json.loads((data_dir / "server.json").read_text())["postmaster"], signal.SIGKILL)
            else:
                server.end(signal.SIGKILL)
                server = starter.serve("--data-dir", data_dir)
                load.url = server.url
            load.wait_for_more()
    assert load.statuses <= {201, 503}
    stored = {job["name"] for page in read_pages(server) for job in page}
    assert set(load.acknowledged) <= stored
    assert server.end() == 0


def read_pages(server: Server) -> Iterator[list[dict[str, str]]]:
    """All jobs of the namespace, a page at a time."""
    offset = 0
    while True:
        answer = httpx.get(
            f"{server.url}/api/v1/namespaces/tests/jobs", params={"limit": 100, "offset": offset}, timeout=SECONDS
        )
        page = answer.json()["jobs"]
        if not page:
            return
        yield page
        offset += len(page)
