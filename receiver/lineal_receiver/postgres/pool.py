"""Connections to PostgreSQL: a pool set up our way, to a server that keeps what it acknowledges."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg

from lineal_receiver.errors import StoreReadOnly, StoreTooOld, StoreUnsafe
from lineal_receiver.postgres.codecs import set_codecs
from lineal_receiver.postgres.explain import CONNECT_SECONDS, REFUSED, describe, explaining

OLDEST_MAJOR = 14
SCHEMES = ("postgresql://", "postgres://")
SERVER_SETTINGS = {"application_name": "lineal", "timezone": "UTC", "client_min_messages": "warning"}


LONGEST_STATEMENT = 64 * 1024
"""Statements up to so many characters are prepared once; those that are made of several may be long."""

Pool: TypeAlias = asyncpg.Pool
Address: TypeAlias = str | Callable[[], str]
"""A connection string, or what gives the one that is right now (an embedded server may restart on another port)."""


def find_address(address: Address) -> str:
    """The connection string that is right now."""
    return address if isinstance(address, str) else address()


class PooledConnection(asyncpg.Connection):  # type: ignore[misc]  # asyncpg ships no types
    """A connection that needs no reset where all that was done with it ended with a transaction.

    opened_at: since when it stands, in seconds of this process's clock.
    """

    _spared = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.opened_at = time.monotonic()

    def spare_reset(self) -> None:
        """Whoever has it now leaves no setting, lock or cursor behind: the pool needn't ask for these to go."""
        self._spared = True

    def get_reset_query(self) -> str:
        """What the pool asks when it gets the connection back; nothing where that is spared."""
        spared, self._spared = self._spared, False
        return "" if spared else str(super().get_reset_query())


@asynccontextmanager
async def open_pool(address: Address, *, size: int = 10, statement_seconds: float = 60.0) -> AsyncIterator[Pool]:
    """A pool of up to `size` connections to a server that was found reachable, new enough and safe.

    StoreUnreachable, StoreTooOld and StoreUnsafe say why not; statements longer than `statement_seconds` are cancelled.
    """
    connection = await connect(find_address(address))
    try:
        await check_server(connection, describe(find_address(address)))
    finally:
        await connection.close()

    async def open_one(_dsn: str, **arguments: Any) -> asyncpg.Connection:
        return await asyncpg.connect(find_address(address), **arguments)

    pool = asyncpg.create_pool(
        find_address(address),
        connect=open_one,
        min_size=0,  # it would complain aloud of connections that it can't keep open while the server is away
        max_size=size,
        connection_class=PooledConnection,
        init=set_codecs,
        max_cacheable_statement_size=LONGEST_STATEMENT,
        timeout=CONNECT_SECONDS,
        server_settings={**SERVER_SETTINGS, "statement_timeout": str(int(statement_seconds * 1000))},
    )
    async with pool:
        yield pool


async def connect(dsn: str) -> asyncpg.Connection:
    """One connection set up like the pool's, without its time limit; StoreUnreachable says why there is none."""
    with explaining(dsn, REFUSED):
        _check_scheme(dsn)
        # A role's own time limit is meant for its queries, not for migrations.
        server_settings = {**SERVER_SETTINGS, "statement_timeout": "0"}
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS, server_settings=server_settings)
        await set_codecs(connection)
        return connection


def _check_scheme(dsn: str) -> None:
    """asyncpg takes much for a DSN, down to an empty text, and then tries its defaults."""
    if not dsn.startswith(SCHEMES):
        raise ValueError("not a PostgreSQL address")


CHECK_SERVER = """
select current_setting('server_version') as version,
       current_setting('server_version_num')::int / 10000 as major,
       current_setting('fsync') as fsync,
       current_setting('transaction_read_only') as read_only,
       current_setting('synchronous_commit') as synchronous_commit
"""


async def check_server(connection: asyncpg.Connection, where: str) -> None:
    """Refuse a server that is too old, or that could lose what it acknowledged."""
    row = await connection.fetchrow(CHECK_SERVER)
    if row["major"] < OLDEST_MAJOR:
        raise StoreTooOld(where=where, found=row["version"], needed=OLDEST_MAJOR)
    if row["fsync"] != "on":
        raise StoreUnsafe(where=where, setting="fsync", value=row["fsync"])
    if row["read_only"] == "on":  # a standby's transactions are, too
        raise StoreReadOnly(where=where)
    if row["synchronous_commit"] == "off":
        raise StoreUnsafe(where=where, setting="synchronous_commit", value="off")
