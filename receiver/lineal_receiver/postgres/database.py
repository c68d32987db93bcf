"""The database that a command works on: anyone's by its address, or the embedded one of a data directory."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lineal_receiver.errors import DirectoryInUse, StoreMissing, StoreNotReady, StoreOutdated
from lineal_receiver.postgres.directory import DATABASE, USER, DataDirectory
from lineal_receiver.postgres.embedded import EmbeddedServer, start_embedded
from lineal_receiver.postgres.explain import describe, explaining
from lineal_receiver.postgres.lock import find_holder, visit
from lineal_receiver.postgres.migrate import fetch_applied, find_missing, migrate, read_migrations
from lineal_receiver.postgres.pool import check_server, connect
from lineal_receiver.postgres.probe import Answer, probe_server
from lineal_receiver.resources import find_data

JOIN_SECONDS = 60.0
GUEST_SECONDS = 3600.0


@contextmanager
def join_database(database_url: str | None, data_dir: Path) -> Iterator[str]:
    """The address of a database: `database_url`, or that of `data_dir`.

    If a live process runs PostgreSQL in the directory, its server is joined; else one runs here for the time of the
    block, and at its end waits for others who joined it. StoreNotReady if the process that holds it doesn't get ready.
    """
    if database_url is not None:
        yield database_url
        return
    directory = DataDirectory(data_dir.absolute())
    deadline = time.monotonic() + JOIN_SECONDS
    while True:
        server = _start(data_dir)
        if server is not None:
            try:
                yield server.connection.dsn
            finally:
                server.stop(guest_seconds=GUEST_SECONDS)
            return
        with visit(directory) as welcome:
            address = _find_address(directory) if welcome else None
            if address is not None:
                yield address
                return
        if time.monotonic() > deadline:
            raise StoreNotReady(path=directory.path, holder=str(find_holder(directory)), seconds=JOIN_SECONDS)
        time.sleep(0.05)


def find_running(data_dir: Path) -> str | None:
    """The address of the server that a live process runs in a directory; None if none takes connections there."""
    return _find_address(DataDirectory(data_dir.absolute()))


async def prepare_database(address: str) -> tuple[str, ...]:
    """Check that the server at `address` can be used and migrate the database there; the names of what was applied."""
    connection = await connect(address)
    migrations = read_migrations(find_data("migrations"))
    try:
        with explaining(address):
            await check_server(connection, describe(address))
            return await migrate(connection, migrations)
    finally:
        await connection.close()


def check_directory(data_dir: Path) -> None:
    """StoreMissing if nothing was ever kept in a data directory."""
    directory = DataDirectory(data_dir.absolute())
    if directory.find_major() is None:
        raise StoreMissing(where=str(directory.path))


async def check_store(address: str) -> None:
    """Check that there is a store at `address` that can be asked; StoreMissing or StoreOutdated. Nothing is changed."""
    connection = await connect(address)
    try:
        with explaining(address):
            await check_server(connection, describe(address))
            applied = await fetch_applied(connection)
    finally:
        await connection.close()
    missing = find_missing(read_migrations(find_data("migrations")), applied)
    if not applied:
        raise StoreMissing(where=describe(address))
    if missing:
        raise StoreOutdated(where=describe(address), missing=", ".join(migration.name for migration in missing))


def _start(data_dir: Path) -> EmbeddedServer | None:
    with suppress(DirectoryInUse):
        return start_embedded(data_dir)
    return None


def _find_address(directory: DataDirectory) -> str | None:
    """The address of the server that the holder of `directory` runs; None if it takes no connections now."""
    holder = find_holder(directory)
    connection = directory.find_connection(holder.pid) if holder else None
    if connection is None:
        return None
    if probe_server(connection.host, connection.port, USER, DATABASE) is not Answer.READY:
        return None
    return connection.dsn
