"""`lineal serve` asked to end, or killed, while it starts: nothing is left running, and the next start works."""

import signal
from pathlib import Path

import pytest

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.processes import find_processes

from .conftest import SECONDS, Person, wait_for

MOMENTS = ["lineal.lock", "making-*/cluster/PG_VERSION", "cluster/postmaster.pid"]


@pytest.mark.parametrize(
    ("number", "moment"), [*((signal.SIGTERM, moment) for moment in MOMENTS), (signal.SIGINT, "making-*")]
)
def test_asked_to_end(data_dir: Path, myself: Person, number: signal.Signals, moment: str) -> None:
    process = myself.popen("-m", "lineal_receiver.cli", "serve", "--data-dir", data_dir, "--port", "0")
    wait_for(lambda: list(data_dir.glob(moment)), moment)
    process.send_signal(number)
    assert process.wait(SECONDS) == 0
    assert find_processes(data_dir / "cluster") == {}
    assert list(data_dir.glob("making-*")) == []
    start_embedded(data_dir).stop()


def test_a_short_command_asked_to_end(data_dir: Path, myself: Person) -> None:
    """`lineal ingest` that waits for its input takes its server with it."""
    process = myself.popen("-m", "lineal_receiver.cli", "ingest", "--data-dir", data_dir, "-")
    wait_for(lambda: (data_dir / "server.json").exists(), "the server")
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == 130
    assert find_processes(data_dir / "cluster") == {}


@pytest.mark.parametrize("moment", MOMENTS[1:])
def test_killed(data_dir: Path, myself: Person, moment: str) -> None:
    process = myself.popen("-m", "lineal_receiver.cli", "serve", "--data-dir", data_dir, "--port", "0")
    wait_for(lambda: list(data_dir.glob(moment)), moment)
    process.kill()
    process.wait(SECONDS)
    start_embedded(data_dir).stop()
    assert find_processes(data_dir / "cluster") == {}
