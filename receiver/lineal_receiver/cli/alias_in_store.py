"""Aliases in a database, without a receiver."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from typing import Any

from lineal_receiver.api.answers import encode
from lineal_receiver.api.refusals import Refusal
from lineal_receiver.api.v2.alias_commands import Change, prepare_put, prepare_removal
from lineal_receiver.api.v2.alias_lint import CUT, find_likely
from lineal_receiver.api.v2.aliases import build_page
from lineal_receiver.errors import AliasRefused
from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.postgres.database import join_database, prepare_database
from lineal_receiver.postgres.pool import Pool, open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.store.read_snapshot import Connection, snapshot

Prepare = Callable[[Connection, dict[str, Any]], Awaitable[Change]]


class StoreBook:
    """Asks the database, and keeps commands as a receiver would."""

    def __init__(self, pool: Pool, vault: Vault) -> None:
        self._pool, self._vault = pool, vault

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them."""
        async with snapshot(self._pool) as connection:
            found: dict[str, Any] = json.loads(encode(await build_page(connection, {**query, "limit": "1000"})))
            return found

    async def put(self, kind: str, old: str, new: str) -> dict[str, Any]:
        """Let a name count as another."""
        return await self._keep(prepare_put, {"kind": kind, "old": old, "new": new})

    async def remove(self, kind: str, old: str) -> dict[str, Any]:
        """Let it count as itself again."""
        return await self._keep(prepare_removal, {"kind": kind, "old": old})

    async def _keep(self, prepare: Prepare, asked: dict[str, Any]) -> dict[str, Any]:
        try:
            async with snapshot(self._pool) as connection:
                change = await prepare(connection, asked)
        except Refusal as refusal:
            raise AliasRefused(reason=str(refusal.body["detail"])) from None
        if change.action is not None:
            await self._vault.keep(build_command(change.action, datetime.now(timezone.utc), change.arguments))
        return change.arguments

    async def lint(self, query: dict[str, str]) -> dict[str, Any]:
        """Likely pairs."""
        async with snapshot(self._pool, "freely") as connection:
            pairs, whole = await find_likely(connection, query.get("kind"), query.get("namespace"))
        return {"likely": pairs} | ({} if whole else {"cut": CUT})


@asynccontextmanager
async def open_store_book(settings: Settings) -> AsyncIterator[StoreBook]:
    """The book in the database of these settings, which is brought up to date."""
    with join_database(settings.database_url, settings.data_dir) as address:
        await prepare_database(address)
        async with (
            open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool,
            Vault(pool) as vault,
        ):
            yield StoreBook(pool, vault)
