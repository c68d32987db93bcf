"""A real PostgreSQL for every test that asks: one server a session, one fresh database a test."""

import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.migrate import migrate, read_migrations
from lineal_receiver.postgres.pool import connect, open_pool
from lineal_receiver.resources import find_data

# Nothing here may fail for a slow machine, nor by chance: the same examples every time, until a test changes.
settings.register_profile(
    "same", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
# New ones each time: `make explore`, before a release, and after a change of the merge's or the column engine's rules.
settings.register_profile("explore", parent=settings.get_profile("same"), derandomize=False, print_blob=True)
settings.register_profile("deep", parent=settings.get_profile("explore"), max_examples=3_000)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """A suite that runs in the background ignores Ctrl-C, and so would every process that a test starts to stop it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    """A temporary folder that root's PostgreSQL account can pass through (pytest's own is closed to others)."""
    folder = Path(tempfile.mkdtemp(prefix="lineal-tests-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server_url(scratch: Path) -> Iterator[str]:
    """A PostgreSQL server for this session: LINEAL_TEST_DATABASE_URL (its user may create databases), or embedded."""
    given = os.environ.get("LINEAL_TEST_DATABASE_URL")
    if given:
        yield given
        return
    with start_embedded(scratch / "server") as server:
        yield server.connection.dsn


@pytest.fixture(scope="session")
async def template(server_url: str) -> AsyncIterator[str]:
    """The name of a migrated database, to be copied."""
    async with _database(server_url) as name:
        connection = await connect(with_database(server_url, name))
        try:
            await migrate(connection, read_migrations(find_data("migrations")))
        finally:
            await connection.close()
        yield name


@pytest.fixture
async def database_url(server_url: str, template: str) -> AsyncIterator[str]:
    """A fresh migrated database."""
    async with _database(server_url, template) as name:
        yield with_database(server_url, name)


@pytest.fixture
async def empty_database_url(server_url: str) -> AsyncIterator[str]:
    """A fresh database without any of our tables."""
    async with _database(server_url) as name:
        yield with_database(server_url, name)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on a fresh migrated database."""
    async with open_pool(database_url) as pool:
        yield pool


def with_database(url: str, name: str) -> str:
    """The same server, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@asynccontextmanager
async def _database(server_url: str, template: str = "template1") -> AsyncIterator[str]:
    """The name of a database that lives as long as the block."""
    name = f"lineal_test_{uuid4().hex[:12]}"
    await _execute(server_url, f'create database "{name}" template "{template}"')
    try:
        yield name
    finally:
        await _execute(server_url, f'drop database "{name}" with (force)')


async def _execute(url: str, sql: str) -> None:
    connection = await connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
