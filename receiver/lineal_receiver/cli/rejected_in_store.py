"""Refused bodies in a database, without a receiver."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from lineal_receiver.api.answers import encode
from lineal_receiver.api.v2.rejected import build_page, describe_whole, read_query
from lineal_receiver.ingest.intake import Intake, Refused
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.replay import fetch_whole, find_one, replay
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.database import join_database, prepare_database
from lineal_receiver.postgres.pool import Pool, open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.store.read_rejected import fetch_rejected_body
from lineal_receiver.store.read_snapshot import snapshot


class StoreShelf:
    """Asks the database, and takes what is tried again as a receiver would."""

    def __init__(self, pool: Pool, intake: Intake, limit: int) -> None:
        self._pool, self._intake, self._limit = pool, intake, limit

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them."""
        async with snapshot(self._pool) as connection:
            return _as_sent(await build_page(connection, read_query(query)))

    async def show(self, identity: str) -> dict[str, Any]:
        """One, with its errors."""
        async with snapshot(self._pool) as connection:
            return _as_sent(describe_whole(await find_one(connection, identity)))

    async def fetch_body(self, identity: str) -> bytes:
        """Its body."""
        async with snapshot(self._pool) as connection:
            return await fetch_rejected_body(connection, (await find_one(connection, identity)).id)

    async def replay(self, identity: str) -> tuple[bool, str]:
        """Whether it is taken now, and what is to be said of it."""
        async with snapshot(self._pool) as connection:
            found = await find_one(connection, identity)
            body = await fetch_whole(connection, found)
        outcome = await replay(self._intake, found, body, self._limit)
        if isinstance(outcome, Refused):
            return False, outcome.message
        return True, "accepted" if outcome.new else "duplicate"


@asynccontextmanager
async def open_store_shelf(settings: Settings) -> AsyncIterator[StoreShelf]:
    """The shelf in the database of these settings, which is brought up to date."""
    with join_database(settings.database_url, settings.data_dir) as address:
        await prepare_database(address)
        async with (
            open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool,
            Vault(pool, rejected_bytes=settings.rejected_bytes) as vault,
        ):
            intake = Intake(Judge(read_bundle()), vault, strict=settings.strict)
            yield StoreShelf(pool, intake, settings.max_body_bytes)


def _as_sent(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(answer))
    return found
