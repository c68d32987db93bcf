"""Reads when PostgreSQL is away, or no connection is free."""

from typing import Any

import asyncpg
import pytest

from lineal_receiver.store import read_snapshot


async def test_without_a_database_reads_say_when_to_try_again(client: Any, pool: asyncpg.Pool) -> None:
    await pool.close()
    for path, kind in (("/api/v1/jobs", "application/json"), ("/api/v2/summary", "application/problem+json")):
        response = await client.http.get(path)
        assert (response.status_code, response.headers["retry-after"]) == (503, "2")
        assert response.headers["content-type"] == kind
        assert "Traceback" not in response.text


async def test_without_a_free_connection_too(client: Any, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_snapshot, "ACQUIRE_SECONDS", 0.05)
    taken = [await pool.acquire() for _ in range(pool.get_max_size())]
    assert (await client.http.get("/api/v1/jobs")).status_code == 503
    for connection in taken:
        await pool.release(connection)
    assert (await client.http.get("/api/v1/jobs")).status_code == 200
