"""A data directory of an older PostgreSQL major, moved to ours."""

import os
import subprocess
from pathlib import Path

import pytest

from lineal_receiver.errors import (
    BinariesMissing,
    DirectoryInUse,
    NothingToUpgrade,
    OtherMajor,
    PostgresFailed,
    UpgradeUnfinished,
)
from lineal_receiver.postgres import upgrade as module
from lineal_receiver.postgres.account import choose_account
from lineal_receiver.postgres.binaries import Binaries, find_binaries, read_binaries
from lineal_receiver.postgres.cluster import create_cluster
from lineal_receiver.postgres.directory import Connection, DataDirectory
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.pool import connect
from lineal_receiver.postgres.postmaster import HOST, start_postmaster
from lineal_receiver.postgres.upgrade import upgrade_directory

OLD = [Path(f"/usr/lib/postgresql/{major}/bin") for major in (17, 16, 15, 14)]


@pytest.fixture(scope="module")
def old_binaries() -> Binaries:
    """Programs of an older major that this machine happens to have."""
    for folder in OLD:
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return read_binaries(folder)
    pytest.skip("no PostgreSQL 14 to 17 in /usr/lib/postgresql to upgrade from")


@pytest.fixture(scope="module")
async def old_once(scratch: Path, old_binaries: Binaries) -> Path:
    """A data directory whose cluster is of the older major, with something in it."""
    directory = DataDirectory(scratch / "old-once")
    directory.prepare()
    os.chmod(directory.path, 0o711)  # noqa: PTH101 - nothing else runs in this test
    account = choose_account()
    directory.write_marker(old_binaries.major, initialised=True)
    password = directory.ensure_password()
    create_cluster(directory.cluster, old_binaries, account, password)
    server = start_postmaster(directory, directory.cluster, old_binaries, account, 0)
    try:
        connection = await connect(Connection(host=HOST, port=server.port, password=password).dsn)
        await connection.execute("create extension pg_trgm")
        await connection.execute("create table kept (name text primary key, body jsonb, day date) ")
        await connection.execute("create index on kept using gin (name gin_trgm_ops)")
        await connection.execute("""insert into kept values ('ä "b"\\n', '{"a": [1, null]}', '2026-01-02')""")
        await connection.execute("create view seen as select name from kept")
        await connection.close()
    finally:
        server.stop()
    return directory.path


@pytest.fixture
def old_dir(data_dir: Path, old_once: Path) -> Path:
    """A copy of it."""
    subprocess.run(["cp", "-a", str(old_once), str(data_dir)], check=True)
    return data_dir


async def test_everything_is_there_afterwards(old_dir: Path, old_binaries: Binaries) -> None:
    with pytest.raises(OtherMajor, match=f"PostgreSQL {old_binaries.major} "):
        start_embedded(old_dir)
    said: list[str] = []
    kept = upgrade_directory(old_dir, old_binaries.folder, said.append)
    assert kept == old_dir / f"cluster-{old_binaries.major}"
    assert (kept / "PG_VERSION").read_text().strip() == old_binaries.major
    assert len(said) == 2
    assert not (old_dir / "dump.sql").exists()
    with start_embedded(old_dir) as server:
        connection = await connect(server.connection.dsn)
        assert connection.get_server_version().major == int(find_binaries().major)
        assert await connection.fetch("select name, body, day::text from kept") == [
            ('ä "b"\\n', {"a": [1, None]}, "2026-01-02")
        ]
        assert await connection.fetchval("select name from seen where name ~ 'b'") == 'ä "b"\\n'
        assert await connection.fetchval("select count(*) from pg_indexes where tablename = 'kept'") == 2
        await connection.close()
    with pytest.raises(NothingToUpgrade):
        upgrade_directory(old_dir, old_binaries.folder, said.append)


async def test_a_failing_restore_leaves_the_old_cluster_in_its_place(
    old_dir: Path, old_binaries: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = module._dump

    def dump_broken(*arguments: object) -> None:
        dump(*arguments)  # type: ignore[arg-type] # passes on what it is given
        with (old_dir / "dump.sql").open("a") as file:
            file.write("\nselect from nowhere;\n")

    monkeypatch.setattr(module, "_dump", dump_broken)
    with pytest.raises(PostgresFailed, match='"nowhere" does not exist'):
        upgrade_directory(old_dir, old_binaries.folder, print)
    assert (old_dir / "cluster" / "PG_VERSION").read_text().strip() == old_binaries.major
    assert not (old_dir / "cluster-new").exists()
    monkeypatch.undo()
    upgrade_directory(old_dir, old_binaries.folder, print)


async def test_stopped_within_the_swap(old_dir: Path, old_binaries: Binaries) -> None:
    upgrade_directory(old_dir, old_binaries.folder, print)
    (old_dir / "cluster").rename(old_dir / "cluster-new")
    with pytest.raises(UpgradeUnfinished, match="lineal upgrade"):
        start_embedded(old_dir)
    assert upgrade_directory(old_dir, None, print) == old_dir / f"cluster-{old_binaries.major}"
    start_embedded(old_dir).stop()


def test_a_folder_without_programs(made_dir: Path, tmp_path: Path) -> None:
    (made_dir / "cluster" / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(BinariesMissing, match=r"PostgreSQL 9\.6 .*--old-bin DIR"):
        upgrade_directory(made_dir, tmp_path, print)
    with pytest.raises(BinariesMissing, match=r"holds PostgreSQL 18\.\d+, not 9\.6"):
        upgrade_directory(made_dir, find_binaries().folder, print)
    assert (made_dir / "cluster" / "PG_VERSION").read_text() == "9.6\n"


def test_nothing_to_do(data_dir: Path) -> None:
    with pytest.raises(NothingToUpgrade):
        upgrade_directory(data_dir, None, print)
    assert not data_dir.exists()


def test_not_while_it_runs(made_dir: Path) -> None:
    with start_embedded(made_dir), pytest.raises(DirectoryInUse):
        upgrade_directory(made_dir, None, print)
