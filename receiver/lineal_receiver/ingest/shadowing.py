"""An empty set of the store's tables beside it, to fold the log into: one at a time, and gone afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from lineal_receiver.errors import LinealError
from lineal_receiver.postgres.migrate import read_migrations
from lineal_receiver.postgres.statements import split_statements
from lineal_receiver.resources import find_data
from lineal_receiver.store import shadow
from lineal_receiver.store.connection import Connection


@dataclass(eq=False)
class VerifyRunning(LinealError):
    """Another `lineal verify` or `lineal redact` works on this database: wait for its end."""

    exit_code = 2


@dataclass(eq=False)
class ShadowIncomplete(LinealError):
    """The database has tables of which the migrations know nothing ({tables}), so nothing is folded beside them."""

    tables: str


@asynccontextmanager
async def shadowing(connection: Connection) -> AsyncIterator[None]:
    """Within the block the connection sees an empty set of the store's tables. VerifyRunning, ShadowIncomplete."""
    if not await shadow.own_shadow(connection):
        raise VerifyRunning
    live = await shadow.find_live_schema(connection) or "public"
    statements = [
        statement.sql
        for migration in read_migrations(find_data("migrations"))
        for statement in split_statements(migration.sql)
    ]
    try:
        await shadow.make_shadow(connection, statements)
        unknown = await shadow.fetch_unshadowed(connection, live)
        if unknown:
            raise ShadowIncomplete(tables=", ".join(unknown))
        yield
    finally:
        if not connection.is_closed():
            await shadow.drop_shadow(connection)
