"""An intake on a fresh database, and the whole state of the store to compare."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import httpx
import pytest
from fastapi import FastAPI

from lineal_receiver.api import router
from lineal_receiver.api.errors import install_handlers
from lineal_receiver.api.kept import KeptAnswers
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import connect, open_pool

from .asking import Ask, Send


@pytest.fixture(scope="session")
async def shared_pool(server_url: str, template: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on one database for all tests here: emptying it is faster than making another."""
    name = f"lineal_test_{uuid4().hex[:12]}"
    connection = await connect(server_url)
    await connection.execute(f'create database "{name}" template "{template}"')
    async with open_pool(urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))) as pool:
        yield pool
    await connection.execute(f'drop database "{name}" with (force)')
    await connection.close()


@pytest.fixture
async def pool(shared_pool: asyncpg.Pool) -> asyncpg.Pool:
    """A pool on an empty database."""
    await empty(shared_pool)
    return shared_pool


@pytest.fixture
async def intake(pool: asyncpg.Pool) -> AsyncIterator[Intake]:
    """The intake on a fresh database."""
    async with Vault(pool) as vault:
        yield Intake(Judge(read_bundle()), vault)


@pytest.fixture
def send(intake: Intake) -> Send:
    """Take events one by one."""

    async def send_all(*events: dict[str, Any]) -> None:
        for event in events:
            assert isinstance(await intake.take(json.dumps(event).encode()), Accepted)

    return send_all


@pytest.fixture
def ask(pool: asyncpg.Pool) -> Ask:
    """Rows as tuples."""

    async def fetch(sql: str, *arguments: Any) -> list[tuple[Any, ...]]:
        async with pool.acquire() as connection:
            return [tuple(row) for row in await connection.fetch(sql, *arguments)]

    return fetch


# What may differ between two ways to the same state: when a record was received, and the raw bytes and flags of its
# first acceptance.
EXCEPTED = {"log": {"received_at", "flags", "body"}}
# Refusals aren't records, and the list of migrations isn't state.
LEFT_OUT = {"rejected", "schema_migration"}
KEPT = "schema_migration"


async def read_state(pool: asyncpg.Pool) -> dict[str, list[str]]:
    """Every row of every table, as text, sorted."""
    state: dict[str, list[str]] = {}
    async with pool.acquire() as connection:
        for table in await _tables(connection):
            if table in LEFT_OUT:
                continue
            rows = await connection.fetch(f'select to_jsonb(t) as row from "{table}" as t')
            left_out = EXCEPTED.get(table, set())
            state[table] = sorted(
                str(sorted((k, v) for k, v in row["row"].items() if k not in left_out)) for row in rows
            )
    return state


async def empty(pool: asyncpg.Pool) -> None:
    """Remove every row: of small tables that is ten times faster than to truncate them."""
    async with pool.acquire() as connection, connection.transaction():
        for table in await _tables(connection):
            await connection.execute(f'delete from "{table}"')


async def _tables(connection: Any) -> list[str]:
    rows = await connection.fetch(
        "select c.relname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace "
        "where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1"
    )
    return [row["relname"] for row in rows if row["relname"] != KEPT]


@pytest.fixture(scope="module")
async def http(shared_pool: asyncpg.Pool) -> AsyncIterator[httpx.AsyncClient]:
    """Asks a receiver that only answers; events come by vaults of their own."""
    app: Any = FastAPI()
    install_handlers(app)
    app.include_router(router())
    app.state.pool, app.state.kept = shared_pool, KeptAnswers(0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://receiver") as client:
        yield client
