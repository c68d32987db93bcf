"""Connections to PostgreSQL: a pool set up our way, to a server that keeps what it acknowledges."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import asyncpg
import orjson

from lineal_receiver.errors import StoreTooOld, StoreUnreachable, StoreUnsafe

OLDEST_MAJOR = 14
SCHEMES = ("postgresql://", "postgres://")
CONNECT_SECONDS = 10.0
SERVER_SETTINGS = {"application_name": "lineal", "timezone": "UTC", "client_min_messages": "warning"}


Pool: TypeAlias = asyncpg.Pool
Address: TypeAlias = str | Callable[[], str]
"""A connection string, or what gives the one that is right now (an embedded server may restart on another port)."""


def find_address(address: Address) -> str:
    """The connection string that is right now."""
    return address if isinstance(address, str) else address()


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
        min_size=1,
        max_size=size,
        init=set_codecs,
        timeout=CONNECT_SECONDS,
        server_settings={**SERVER_SETTINGS, "statement_timeout": str(int(statement_seconds * 1000))},
    )
    async with pool:
        yield pool


async def connect(dsn: str) -> asyncpg.Connection:
    """One connection set up like the pool's, without its time limit; StoreUnreachable says why there is none."""
    where = describe(dsn)
    try:
        _check_scheme(dsn)
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS, server_settings=SERVER_SETTINGS)
    except (OSError, asyncio.TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        reason, remedy = _explain(error)
        raise StoreUnreachable(where=where, reason=reason, remedy=remedy) from None  # its cause may hold the password
    await set_codecs(connection)
    return connection


def _check_scheme(dsn: str) -> None:
    """asyncpg takes much for a DSN, down to an empty text, and then tries its defaults."""
    if not dsn.startswith(SCHEMES):
        raise ValueError("not a PostgreSQL address")


async def set_codecs(connection: asyncpg.Connection) -> None:
    """Read and write `json` and `jsonb` as Python values."""
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name,
            schema="pg_catalog",
            encoder=_encode_json,
            decoder=orjson.loads,
            format="text",
        )


def _encode_json(value: object) -> str:
    return orjson.dumps(value).decode()


CHECK_SERVER = """
select current_setting('server_version') as version,
       current_setting('server_version_num')::int / 10000 as major,
       current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as synchronous_commit
"""


async def check_server(connection: asyncpg.Connection, where: str) -> None:
    """Refuse a server that is too old, or that could lose what it acknowledged."""
    row = await connection.fetchrow(CHECK_SERVER)
    if row["major"] < OLDEST_MAJOR:
        raise StoreTooOld(where=where, found=row["version"], needed=OLDEST_MAJOR)
    if row["fsync"] != "on":
        raise StoreUnsafe(where=where, setting="fsync", value=row["fsync"])
    if row["synchronous_commit"] == "off":
        raise StoreUnsafe(where=where, setting="synchronous_commit", value="off")


def describe(dsn: str) -> str:
    """Where a DSN points, without its password."""
    try:
        parts = urlsplit(dsn)
        host = parts.hostname or "the default host"
        port = parts.port or 5432
    except ValueError:
        return "the given address"
    return f"{f'[{host}]' if ':' in host else host}:{port}{parts.path}"


def _explain(error: Exception) -> tuple[str, str]:
    """The reason for people, and what to do about it."""
    address = "Check the host and port, and that the server runs and lets this machine in."
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return "there is no such database", "Create it (createdb), or correct the name in the address."
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):
        return "the user or password is refused", "Correct them in the address, or in pg_hba.conf on the server."
    if isinstance(error, (asyncpg.InterfaceError, asyncpg.ClientConfigurationError, ValueError)):
        return (
            "the address can't be read",
            "Write it as postgresql://user:password@host:5432/database, special characters in the password %-encoded.",
        )
    if isinstance(error, asyncpg.TooManyConnectionsError):
        return "it has no free connection", "Raise max_connections there, or close others."
    if isinstance(error, asyncpg.CannotConnectNowError):
        return "it is starting up or shutting down", "Try again in a moment."
    if isinstance(error, socket.gaierror):
        return "there is no host of that name", "Correct the host in the address."
    if isinstance(error, ConnectionRefusedError):
        return "the connection is refused", address
    if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
        return f"no answer within {CONNECT_SECONDS:g} s", address
    return type(error).__name__ if not isinstance(error, asyncpg.PostgresError) else str(error), address
