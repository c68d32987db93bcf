"""Say in words for people why there is no connection to PostgreSQL, and never with the password."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import asyncpg

from lineal_receiver.errors import StoreUnreachable

CONNECT_SECONDS = 10.0
ADDRESS = "Check the host and port, and that the server runs and lets this machine in."
LATER = "Try again when the server is there."

# The first that fits; a reason of None is what the error itself says. Text about an address that can't be read is never
# shown: a password with an unescaped sign in it looks like a part of the address.
EXPLANATIONS: tuple[tuple[tuple[type[Exception], ...], str | None, str], ...] = (
    ((asyncpg.InvalidCatalogNameError,), "there is no such database", "Create it (createdb), or correct its name."),
    (
        (asyncpg.InvalidAuthorizationSpecificationError,),
        "the user or password is refused",
        "Correct them in the address, or in pg_hba.conf on the server.",
    ),
    (
        (ValueError,),  # asyncpg's own error about an address is one, too
        "the address can't be read",
        "Write it as postgresql://user:password@host:5432/database, special characters in the password %-encoded.",
    ),
    (
        (asyncpg.InterfaceError, asyncpg.InternalClientError, asyncpg.ConnectionDoesNotExistError),
        "the connection was lost",
        LATER,
    ),
    ((asyncpg.TooManyConnectionsError,), "it has no free connection", "Raise max_connections there, or close others."),
    (
        (asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError, asyncpg.CrashShutdownError),
        "it is starting up or shutting down",
        LATER,
    ),
    ((socket.gaierror,), "there is no host of that name", "Correct the host in the address."),
    ((ConnectionRefusedError,), "the connection is refused", ADDRESS),
    ((TimeoutError, asyncio.TimeoutError), f"no answer within {CONNECT_SECONDS:g} s", ADDRESS),
    ((FileNotFoundError,), None, "Check the files and the socket that the address names."),
)
LOST: tuple[type[Exception], ...] = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
PASSING: tuple[type[Exception], ...] = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.ConnectionDoesNotExistError,
    asyncpg.TooManyConnectionsError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
"""What a server that is still to come, or that restarts, looks like."""
LASTING = (FileNotFoundError, PermissionError, ssl.SSLError)
"""Those of them that are faults of the address."""
REFUSED: tuple[type[Exception], ...] = (*LOST, ValueError, asyncio.TimeoutError, asyncpg.PostgresError)


@contextmanager
def explaining(dsn: str, kinds: tuple[type[Exception], ...] = LOST) -> Iterator[None]:
    """Turn errors of these kinds within the block into StoreUnreachable: a lost connection, or why there is none."""
    try:
        yield
    except kinds as error:
        reason, remedy = _explain(error)
        passing = isinstance(error, PASSING) and not isinstance(error, LASTING)
        raise StoreUnreachable(
            where=describe(dsn), reason=reason, remedy=remedy, passing=passing
        ) from None  # it may hold the password


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
    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, asyncpg.ClientConfigurationError) and "certificate" in said:
        return said, "Name the file in the address (sslrootcert=…), or take another sslmode."
    for kinds, reason, remedy in EXPLANATIONS:
        if isinstance(error, kinds):
            return reason or said, remedy
    return said, ADDRESS
