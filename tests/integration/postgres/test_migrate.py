"""Migrations on a real database."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from lineal_receiver.errors import (
    DatabaseNewer,
    MigrationBlocked,
    MigrationEdited,
    MigrationFailed,
    MigrationMisnamed,
)
from lineal_receiver.postgres import migrate as module
from lineal_receiver.postgres.migrate import fetch_applied, migrate, read_migrations
from lineal_receiver.postgres.pool import connect


def write(folder: Path, *files: tuple[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, sql in files:
        (folder / name).write_text(sql, encoding="utf-8")
    return folder


ONE = ("0001_create_shelf.sql", "create table shelf (id integer primary key);\ninsert into shelf values (1);\n")
TWO = ("0002_add_label.sql", "alter table shelf add column label text;\n")


@pytest.fixture
async def connection(empty_database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await connect(empty_database_url)
    yield connection
    await connection.close()


async def test_applies_what_is_missing_in_order_once(connection: asyncpg.Connection, tmp_path: Path) -> None:
    folder = write(tmp_path / "m", ONE)
    assert await migrate(connection, read_migrations(folder)) == ("0001_create_shelf",)
    write(folder, TWO)
    assert await migrate(connection, read_migrations(folder)) == ("0002_add_label",)
    assert await migrate(connection, read_migrations(folder)) == ()
    assert await connection.fetch("select id, label from shelf") == [(1, None)]
    assert [name for name, _ in await fetch_applied(connection)] == ["0001_create_shelf", "0002_add_label"]


async def test_edited_file_is_refused(connection: asyncpg.Connection, tmp_path: Path) -> None:
    folder = write(tmp_path / "m", ONE)
    await migrate(connection, read_migrations(folder))
    write(folder, (ONE[0], ONE[1] + "-- a remark\n"), TWO)
    with pytest.raises(MigrationEdited, match="0001_create_shelf"):
        await migrate(connection, read_migrations(folder))
    assert len(await fetch_applied(connection)) == 1


async def test_line_ends_of_a_checkout_are_no_edit(connection: asyncpg.Connection, tmp_path: Path) -> None:
    folder = write(tmp_path / "m", ONE)
    await migrate(connection, read_migrations(folder))
    (folder / ONE[0]).write_bytes(ONE[1].replace("\n", "\r\n").encode())
    assert await migrate(connection, read_migrations(folder)) == ()


async def test_renamed_file_is_refused(connection: asyncpg.Connection, tmp_path: Path) -> None:
    await migrate(connection, read_migrations(write(tmp_path / "a", ONE)))
    with pytest.raises(MigrationEdited, match="0001_create_shelf"):
        await migrate(connection, read_migrations(write(tmp_path / "b", ("0001_create_board.sql", ONE[1]))))


async def test_failing_file_leaves_nothing_behind_and_says_where(
    connection: asyncpg.Connection, tmp_path: Path
) -> None:
    bad = ("0002_break_shelf.sql", "create table other (id integer);\n\nselect nothing_like_it from shelf;\n")
    migrations = read_migrations(write(tmp_path / "m", ONE, bad))
    with pytest.raises(MigrationFailed) as caught:
        await migrate(connection, migrations)
    assert caught.value.name == "0002_break_shelf"
    assert caught.value.line == 3
    assert "nothing_like_it" in caught.value.statement
    assert 'column "nothing_like_it" does not exist' in str(caught.value)
    assert await connection.fetchval("select to_regclass('other')") is None
    assert [name for name, _ in await fetch_applied(connection)] == ["0001_create_shelf"]
    assert await connection.fetchval("select count(*) from pg_locks where locktype = 'advisory'") == 0


async def test_a_statement_that_fails_while_running_is_named(connection: asyncpg.Connection, tmp_path: Path) -> None:
    bad = (
        "0002_fill_shelf.sql",
        "insert into shelf values (2);\n\n-- twice\ninsert into shelf\nvalues (2);\nselect 1;\n",
    )
    with pytest.raises(MigrationFailed) as caught:
        await migrate(connection, read_migrations(write(tmp_path / "m", ONE, bad)))
    assert caught.value.line == 4
    assert caught.value.statement.startswith("insert into shelf")
    assert await connection.fetchval("select count(*) from shelf") == 1


async def test_newer_database_is_refused(connection: asyncpg.Connection, tmp_path: Path) -> None:
    await migrate(connection, read_migrations(write(tmp_path / "new", ONE, TWO)))
    with pytest.raises(DatabaseNewer, match=r"0002_add_label.*0001_create_shelf"):
        await migrate(connection, read_migrations(write(tmp_path / "old", ONE)))


async def test_two_servers_migrate_one_database_at_once(empty_database_url: str, tmp_path: Path) -> None:
    slow = ("0003_fill_slowly.sql", "select pg_sleep(0.2);\ninsert into shelf values (3);\n")
    migrations = read_migrations(write(tmp_path / "m", ONE, TWO, slow))
    connections = [await connect(empty_database_url) for _ in range(4)]
    try:
        applied = await asyncio.gather(*(migrate(connection, migrations) for connection in connections))
        assert sorted(map(len, applied)) == [0, 0, 0, 3]
        assert await connections[0].fetchval("select count(*) from shelf") == 2
    finally:
        for connection in connections:
            await connection.close()


async def test_waits_for_a_lock_only_so_long(
    connection: asyncpg.Connection, empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.1)
    await migrate(connection, read_migrations(write(tmp_path / "m", ONE)))
    reader = await connect(empty_database_url)
    try:
        async with reader.transaction():
            await reader.execute("select id from shelf")
            with pytest.raises(MigrationBlocked, match="0002_add_label"):
                await migrate(connection, read_migrations(write(tmp_path / "m", TWO)))
    finally:
        await reader.close()
    assert await migrate(connection, read_migrations(tmp_path / "m")) == ("0002_add_label",)


@pytest.mark.parametrize(
    "name", ["1_create_a.sql", "0001_Create_A.sql", "0001_create.sql", "0002_create_a.sql", "0000_create_a.sql"]
)
def test_misnamed_files_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MigrationMisnamed, match=name):
        read_migrations(write(tmp_path / "m", (name, "select 1;")))


def test_a_number_used_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MigrationMisnamed, match="0001_drop_board"):
        read_migrations(write(tmp_path / "m", ONE, ("0001_drop_board.sql", "select 1;")))
