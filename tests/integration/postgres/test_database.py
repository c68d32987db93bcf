"""Joining the server of a data directory, or running one for as long as it is needed."""

import threading
from pathlib import Path

import pytest

from lineal_receiver.errors import StoreNotReady
from lineal_receiver.postgres import database as module
from lineal_receiver.postgres.database import join_database, prepare_database
from lineal_receiver.postgres.directory import DataDirectory
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.lock import lock_directory, visit
from lineal_receiver.postgres.pool import connect
from lineal_receiver.postgres.processes import find_processes
from lineal_receiver.resources import find_data

from .conftest import SECONDS, Person, wait_for


def test_an_address_is_taken_as_it_is(data_dir: Path) -> None:
    with join_database("postgresql://somewhere/x", data_dir) as address:
        assert address == "postgresql://somewhere/x"
    assert not data_dir.exists()


async def test_a_free_directory_gets_a_server_for_the_time(data_dir: Path) -> None:
    with join_database(None, data_dir) as address:
        connection = await connect(address)
        assert await connection.fetchval("select 1") == 1
        await connection.close()
    assert find_processes(data_dir / "cluster") == {}


async def test_a_held_directory_is_joined(made_dir: Path, myself: Person) -> None:
    held = myself.hold(made_dir)
    with join_database(None, made_dir) as address:
        assert address == held.said["dsn"]
        connection = await connect(address)
        assert await connection.fetchval("select 1") == 1
        await connection.close()
    assert held.process.poll() is None
    assert held.end() == 0


async def test_who_joins_while_the_holder_starts_waits_for_it(data_dir: Path, myself: Person) -> None:
    process = myself.popen(Path(__file__).with_name("holder.py"), data_dir)
    wait_for((data_dir / "lineal.lock").exists, "the lock")
    with join_database(None, data_dir) as address:
        connection = await connect(address)
        await connection.close()
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


def test_a_holder_waits_for_its_guests(made_dir: Path) -> None:
    """Two `lineal ingest` at once: the first to end doesn't take the server from the second."""
    joined, leave = threading.Event(), threading.Event()
    addresses: list[str] = []

    def be_guest() -> None:
        with join_database(None, made_dir) as address:
            addresses.append(address)
            joined.set()
            leave.wait(SECONDS)

    guest = threading.Thread(target=be_guest)
    ended = threading.Event()

    def be_host() -> None:
        with join_database(None, made_dir) as address:
            addresses.append(address)
            guest.start()
            joined.wait(SECONDS)
        ended.set()

    host = threading.Thread(target=be_host)
    host.start()
    assert joined.wait(SECONDS)
    assert not ended.wait(0.3)
    assert find_processes(made_dir / "cluster")
    leave.set()
    host.join(SECONDS)
    guest.join(SECONDS)
    assert ended.is_set()
    assert addresses[0] == addresses[1]


def test_a_closing_holder_lets_nobody_in(data_dir: Path) -> None:
    directory = DataDirectory(data_dir)
    directory.prepare()
    with lock_directory(directory) as lock:
        with visit(directory) as welcome:
            assert welcome
            assert not lock.close_to_guests(0.0)
        assert lock.close_to_guests(1.0)
        with visit(directory) as welcome:
            assert not welcome


def test_a_holder_that_never_gets_ready(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "JOIN_SECONDS", 0.1)
    directory = DataDirectory(data_dir)
    directory.prepare()
    with (
        lock_directory(directory),
        pytest.raises(StoreNotReady, match=r"process \d+ .* doesn't answer"),
        join_database(None, data_dir),
    ):
        pass


async def test_the_address_of_a_killed_server_is_not_believed(made_dir: Path, myself: Person) -> None:
    held = myself.hold(made_dir)
    held.process.kill()
    held.process.wait()
    stale = (made_dir / "server.json").read_text()
    with start_embedded(made_dir) as server:
        (made_dir / "server.json").write_text(stale)
        assert server.directory.find_connection(server.pid) is None


async def test_preparing_migrates_once(empty_database_url: str) -> None:
    names = tuple(sorted(path.stem for path in find_data("migrations").glob("*.sql")))
    assert await prepare_database(empty_database_url) == names
    assert await prepare_database(empty_database_url) == ()
