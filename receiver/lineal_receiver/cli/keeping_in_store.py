"""The horizon and redactions in a database, without a receiver."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timezone
from typing import Any

from lineal_receiver.api.answers import encode
from lineal_receiver.api.refusals import Refusal
from lineal_receiver.api.v2 import redact
from lineal_receiver.api.v2.horizon import build_arguments, build_horizon, build_late, check_horizon
from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.postgres.database import join_database, prepare_database
from lineal_receiver.postgres.pool import Pool, open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.store.read_snapshot import snapshot


class StoreKeeper:
    """Asks the database, and keeps commands as a receiver would."""

    def __init__(self, pool: Pool, vault: Vault) -> None:
        self._pool, self._vault = pool, vault

    async def horizon(self) -> dict[str, Any]:
        """The horizon, and how many records are late."""
        async with snapshot(self._pool) as connection:
            return _as_sent(await build_horizon(connection))

    async def set_horizon(self, said: dict[str, str]) -> dict[str, Any]:
        """Set it (`at`), or take it away."""
        now = datetime.now(timezone.utc)
        with _refusing():
            if "at" in said:
                arguments = build_arguments(said, "", now)
            else:
                async with snapshot(self._pool) as connection:
                    await check_horizon(connection)
                arguments = {"at": None, **said}
        await self._vault.keep(build_command("set_horizon", now, arguments))
        return await self.horizon()

    async def late(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of late records."""
        with _refusing():
            async with snapshot(self._pool) as connection:
                return _as_sent(await build_late(connection, query))

    async def redactions(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of what was redacted."""
        with _refusing():
            async with snapshot(self._pool) as connection:
                return _as_sent(await redact.build_page(connection, query))

    async def redact(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Take something out of the log, or say what that would change."""
        with _refusing():
            return _as_sent(await redact.build_outcome(self._pool, asked, ""))


@asynccontextmanager
async def open_store_keeper(settings: Settings) -> AsyncIterator[StoreKeeper]:
    """The keeper of the database of these settings, which is brought up to date."""
    with join_database(settings.database_url, settings.data_dir) as address:
        await prepare_database(address)
        async with (
            open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool,
            Vault(pool) as vault,
        ):
            yield StoreKeeper(pool, vault)


@contextmanager
def _refusing() -> Iterator[None]:
    """The API's refusals as sentences."""
    try:
        yield
    except Refusal as refusal:
        raise CommandRefused(reason=str(refusal.body["detail"])) from None


def _as_sent(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(answer))
    return found
