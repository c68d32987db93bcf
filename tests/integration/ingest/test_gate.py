"""The gate over real HTTP: sizes, codings, types, verdicts, and what is kept of what is refused."""

import asyncio
import gzip
import json
import random
import socket
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import uvicorn

from lineal_receiver.app import create_app
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.settings import Settings

from .events import dataset, run_event

LIMIT = 64 * 1024
SECONDS = 60.0
SETTINGS = Settings(data_dir=Path("unused"), max_body_bytes=LIMIT)
URL = "/api/v1/lineage"
JSON = {"content-type": "application/json"}


@pytest.fixture
async def client(pool: asyncpg.Pool) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server on an empty database."""
    async with serve_on(pool) as client:
        yield client


@asynccontextmanager
async def serve_on(pool: asyncpg.Pool, settings: Settings = SETTINGS) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server on this pool."""
    app = create_app(settings, pool)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as client:
                yield client
        finally:
            server.should_exit = True
            await serving


def body(minute: int = 1, **changes: Any) -> bytes:
    return json.dumps(run_event("COMPLETE", minute, outputs=[dataset("b")]) | changes).encode()


async def rejected(pool: asyncpg.Pool) -> list[tuple[Any, ...]]:
    async with pool.acquire() as connection:
        rows = await connection.fetch(
            "select rule, pointer, status, count, truncated, body from rejected order by rule"
        )
    return [tuple(row) for row in rows]


async def count(pool: asyncpg.Pool) -> int:
    async with pool.acquire() as connection:
        return int(await connection.fetchval("select count(*) from log"))


async def test_an_event_and_its_duplicate_are_created(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    for content in (body(), body(), json.dumps(json.loads(body()), indent=4).encode()):
        answer = await client.post(URL, content=content, headers=JSON)
        assert (answer.status_code, answer.content) == (201, b"")
    assert await count(pool) == 1


async def test_content_types_that_are_taken(client: httpx.AsyncClient) -> None:
    for content_type in (
        "application/json",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/cloudevents+json",
    ):
        answer = await client.post(URL, content=body(), headers={"content-type": content_type})
        assert answer.status_code == 201


async def test_types_and_codings_that_are_not_taken(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    refused = [
        ({"content-type": "text/plain"}, "content_type"),
        ({"content-type": "application/x-www-form-urlencoded"}, "content_type"),
        ({"content-type": "application/json; charset=latin-1"}, "charset"),
        ({**JSON, "content-encoding": "deflate"}, "content_encoding"),
        ({**JSON, "content-encoding": "gzip, gzip"}, "content_encoding"),
        ({**JSON, "content-encoding": "br"}, "content_encoding"),
    ]
    for headers, rule in refused:
        answer = await client.post(URL, content=body(), headers=headers)
        assert (answer.status_code, answer.json()["errors"][0]["rule"]) == (415, rule)
    assert await count(pool) == 0
    assert [(row[0], row[3], row[5]) for row in await rejected(pool)] == [
        ("charset", 1, body()), ("content_encoding", 3, body()), ("content_type", 2, body()),
    ]  # fmt: skip


async def test_gzip_in_one_part_or_several_chunked(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    packed = [gzip.compress(body(1)), gzip.compress(body(2)[:50]) + gzip.compress(body(2)[50:])]

    async def drip(content: bytes) -> AsyncIterator[bytes]:
        for at in range(0, len(content), 7):
            yield content[at : at + 7]

    for content in packed:
        answer = await client.post(URL, content=drip(content), headers={**JSON, "content-encoding": "gzip"})
        assert answer.status_code == 201
    assert await count(pool) == 2


async def test_broken_gzip_is_a_bad_request(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    whole = gzip.compress(body())
    for content in (
        body(), b"", whole[:-9], whole[:20], whole + b"junk", zlib.compress(body()), whole[:-8] + bytes(8),
    ):  # fmt: skip
        answer = await client.post(URL, content=content, headers={**JSON, "content-encoding": "gzip"})
        assert (answer.status_code, answer.json()["errors"][0]["rule"]) == (400, "gzip")
    assert await count(pool) == 0


def padded(size: int) -> bytes:
    """An event of exactly this size."""
    event = body(producer="")
    return body(producer="x" * (size - len(event)))


def plain(content: bytes) -> tuple[bytes, dict[str, str]]:
    return content, JSON


def packed(content: bytes) -> tuple[bytes, dict[str, str]]:
    return gzip.compress(content), {**JSON, "content-encoding": "gzip"}


@pytest.mark.parametrize("pack", [plain, packed])
async def test_the_limit_counts_unpacked_bytes(
    client: httpx.AsyncClient, pool: asyncpg.Pool, pack: Callable[[bytes], tuple[bytes, dict[str, str]]]
) -> None:
    content, headers = pack(padded(LIMIT))
    assert (await client.post(URL, content=content, headers=headers)).status_code == 201
    content, headers = pack(padded(LIMIT + 1))
    answer = await client.post(URL, content=content, headers=headers)
    assert answer.status_code == 413
    assert str(LIMIT) in answer.json()["message"]
    assert [(row[0], row[2], row[4], len(row[5])) for row in await rejected(pool)] == [("size", 413, True, 4096)]


async def test_too_much_without_a_length_is_stopped(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 4096

    answer = await client.post(URL, content=endless(), headers=JSON)
    assert answer.status_code == 413


async def test_a_bomb_is_stopped_at_the_limit(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(gzip.compress(bytes(100_000_000)))  # 100 MB in a few hundred bytes, packed twice
    answer = await client.post(URL, content=gzip.decompress(bomb), headers={**JSON, "content-encoding": "gzip"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("content", "status", "pointer", "rule"),
    [
        (b"{", 400, "", "json"),
        (b'{"a": NaN}', 400, "", "json"),
        (b"[]", 400, "", "type"),
        (b"{" * 9999, 400, "", "json"),
        (body(job={"name": "x"}), 422, "/job/namespace", "required"),
        (body(eventTime="2026-01-15"), 422, "/eventTime", "format"),
        (body(eventType="DONE"), 422, "/eventType", "enum"),
    ],
)
async def test_refusals_say_what_is_wrong_where_and_are_kept(
    client: httpx.AsyncClient, pool: asyncpg.Pool, content: bytes, status: int, pointer: str, rule: str
) -> None:
    for _ in range(2):
        answer = await client.post(URL, content=content, headers=JSON)
        said = answer.json()
        assert (answer.status_code, said["code"]) == (status, status)
        assert (said["errors"][0]["pointer"], said["errors"][0]["rule"]) == (pointer, rule)
        assert said["errors"][0]["expected"] in said["message"]
    assert await rejected(pool) == [(rule, pointer, status, 2, False, content)]


async def test_facet_names_too_long_for_an_index_are_refused_without_harm(
    client: httpx.AsyncClient, pool: asyncpg.Pool
) -> None:
    noise = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=9000))
    facet = {"_producer": "https://example.com/x", "_schemaURL": "https://example.com/x.json"}
    odd = body(2, job={"namespace": "n", "name": "j", "facets": {noise: facet}})
    answers = await asyncio.gather(
        *(client.post(URL, content=content, headers=JSON) for content in (body(1), odd, body(3), body(4)))
    )
    assert [answer.status_code for answer in answers] == [201, 422, 201, 201]
    assert [row[0] for row in await rejected(pool)] == ["storable"]
    assert await count(pool) == 3


async def test_a_client_that_hangs_up_leaves_nothing(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
    head = f"POST {URL} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body())}\r\n\r\n"
    writer.write(head.encode() + body()[:-1])
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert (await client.post(URL, content=body(2), headers=JSON)).status_code == 201
    assert await count(pool) == 1


async def test_health(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    assert (await client.get("/readyz")).json() == {"status": "ready"}


LOSE = """
select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
"""


async def test_lost_connections_are_replaced(database_url: str) -> None:
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        assert (await client.post(URL, content=body(1), headers=JSON)).status_code == 201
        async with pool.acquire() as connection:
            await connection.execute(LOSE)  # as a restart of PostgreSQL does
        statuses = [(await client.post(URL, content=body(minute), headers=JSON)).status_code for minute in range(2, 6)]
        assert set(statuses) <= {201, 503}
        assert await count(pool) >= 1 + statuses.count(201)


async def test_a_database_that_is_away_is_503_with_retry_after(database_url: str) -> None:
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        await pool.close()
        answer = await client.post(URL, content=body(), headers=JSON)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert (await client.get("/readyz")).status_code == 503
        read = await client.get("/api/v1/namespaces")
        assert (read.status_code, read.json()["code"], read.headers["retry-after"]) == (503, 503, "2")


async def test_what_is_not_there_has_the_shape_of_its_version(client: httpx.AsyncClient) -> None:
    for path, key in (("/api/v1/nothing", "code"), ("/api/v2/nothing", "status"), ("/nothing", "code")):
        answer = await client.get(path)
        assert (answer.status_code, answer.json()[key]) == (404, 404)


async def test_secrets_are_in_no_table(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    secret = "hunter2"
    source = {"namespace": f"postgres://loader:{secret}@db.example:5432", "name": "shop.orders", "facets": {}}
    facet = {
        "_producer": f"https://u:{secret}@git.example/x",
        "_schemaURL": "x",
        "query": f"jdbc:x://h?password={secret}",
    }
    bad = {"namespace": "n", "name": f"https://h/?token={secret}", "facets": {"mine": {"password": secret}}}
    event = body(inputs=[source], job={"namespace": "nightly", "name": "load", "facets": {"sql": facet}})
    for content, status in (
        (event, 201),
        (event.replace(secret.encode(), b"rotated-since"), 201),
        (body(eventType="DONE", job=bad), 422),
        (body(job=bad) + b"junk", 400),
    ):
        assert (await client.post(URL, content=content, headers=JSON)).status_code == status
    await client.post(URL, content=event, headers={"content-type": "text/plain"})
    assert await count(pool) == 1
    assert len(await rejected(pool)) == 3
    async with pool.acquire() as connection:
        tables = await connection.fetch(
            "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )
        for table in tables:
            for row in await connection.fetch(f'select * from "{table["relname"]}"'):
                for value in row.values():
                    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    assert secret not in text, table["relname"]
                    assert "rotated" not in text, table["relname"]
        (names,) = await connection.fetch("select name from namespace where name like 'postgres://loader%'")
        assert names["name"] == "postgres://loader:***@db.example:5432"
