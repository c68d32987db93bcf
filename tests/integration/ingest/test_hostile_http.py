"""Clients that misbehave, over real sockets: slow, lying, gone, too large, too many; and what bodies may look like."""

import asyncio
import gzip
import json
import socket
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import uvicorn

from lineal_receiver.api import room
from lineal_receiver.app import create_app
from lineal_receiver.protocol import MOST_HEAD_BYTES, build_protocol
from lineal_receiver.settings import Settings

from .events import dataset, facet, run_event
from .test_gate import JSON, SECONDS, URL, body, count, rejected, serve_on

PATIENCE = 0.3
HEAD = b"POST /api/v1/lineage HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


@asynccontextmanager
async def serve_impatiently(pool: asyncpg.Pool, **settings: Any) -> AsyncIterator[int]:
    """The port of a server that waits PATIENCE seconds for a head and for a body."""
    app = create_app(Settings(data_dir=Path("unused"), body_seconds=PATIENCE, **settings), pool)
    config = uvicorn.Config(app, log_config=None, lifespan="on", http=build_protocol(PATIENCE))
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await serving


async def talk(port: int, *parts: bytes, half: bool = False) -> bytes:
    """What a server says to these bytes until it hangs up; half: the client says that it sends no more."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        if half:
            writer.write_eof()
        return await asyncio.wait_for(reader.read(), SECONDS)
    finally:
        writer.close()


@pytest.mark.parametrize("sent", [b"", b"\r\n", HEAD[:20], HEAD])
async def test_a_head_that_does_not_come_is_not_waited_for(pool: asyncpg.Pool, sent: bytes) -> None:
    async with serve_impatiently(pool) as port:
        said = await talk(port, sent)
    assert b"HTTP/1.1 408 Request Timeout" in said
    assert json.loads(said.rpartition(b"\r\n\r\n")[2])["code"] == 408


async def test_a_head_of_any_size_is_not_kept(pool: asyncpg.Pool) -> None:
    async with serve_impatiently(pool) as port:
        said = await talk(port, HEAD + b"x-large: " + b"a" * (MOST_HEAD_BYTES + 1))
        assert said.startswith(b"HTTP/1.1 431 ")
        content = body()
        whole = b"%bcontent-length: %d\r\nconnection: close\r\n\r\n%b" % (HEAD, len(content), content)
        assert (await talk(port, whole)).startswith(b"HTTP/1.1 201 ")


async def test_a_body_that_does_not_come_is_not_waited_for(pool: asyncpg.Pool) -> None:
    async with serve_impatiently(pool) as port:
        for beginning in (b"", b'{"eventType"'):
            said = await talk(port, HEAD + b"content-length: 1000\r\n\r\n" + beginning)
            assert said.startswith(b"HTTP/1.1 408 ")
            answer = json.loads(said.rpartition(b"\r\n\r\n")[2])
            assert (answer["code"], answer["errors"][0]["rule"]) == (408, "slow")
        said = await talk(port, HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\n{}")
        assert said.startswith(b"HTTP/1.1 408 ")
        said = await talk(port, HEAD.replace(b"json", b"xml") + b"content-length: 1000\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 415 ")
    assert await count(pool) == 0
    assert [(row[0], row[2], row[4]) for row in await rejected(pool)][-1] == ("slow", 408, True)


@pytest.mark.parametrize(
    ("head", "content", "status"),
    [
        (b"content-length: 5", b"{}   junk that is another request", b"400"),
        (b"content-length: -1", b"{}", b"400"),
        (b"content-length: 99999999999999999999999999", b"{}", b"4"),
        (b"content-length: 2\r\ntransfer-encoding: chunked", b"{}", b"400"),
        (b"transfer-encoding: chunked", b"zz\r\n", b"400"),
        (b"transfer-encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n", b"422"),
        (b"content-length: 0", b"", b"400"),
    ],
)
async def test_lengths_that_lie(pool: asyncpg.Pool, head: bytes, content: bytes, status: bytes) -> None:
    async with serve_impatiently(pool) as port:
        said = await talk(port, HEAD + head + b"\r\n\r\n" + content)
        assert said.startswith(b"HTTP/1.1 " + status), said
        whole = body()
        good = b"%bcontent-length: %d\r\nconnection: close\r\n\r\n%b" % (HEAD, len(whole), whole)
        assert (await talk(port, good)).startswith(b"HTTP/1.1 201 ")
    assert await count(pool) == 1


async def test_clients_that_hang_up_in_the_middle(pool: asyncpg.Pool) -> None:
    async with serve_impatiently(pool) as port:
        for beginning in (HEAD[:30], HEAD + b"content-length: 1000\r\n\r\n{", HEAD + b"content-encoding: gzip\r\n"):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(beginning)
            await writer.drain()
            writer.transport.abort()
        whole = body()
        good = b"%bcontent-length: %d\r\nconnection: close\r\n\r\n%b" % (HEAD, len(whole), whole)
        assert (await talk(port, good)).startswith(b"HTTP/1.1 201 ")
    assert await count(pool) == 1


async def test_large_bodies_wait_for_room(pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LARGE", 1000)
    monkeypatch.setattr(room, "PLACES", 1)
    held = b"%bcontent-length: 100000\r\n\r\n{%b" % (HEAD, b" " * 5000)
    padded = body(producer="x" * 3000)
    large = b"%bcontent-length: %d\r\nconnection: close\r\n\r\n%b" % (HEAD, len(padded), padded)
    async with serve_impatiently(pool) as port:
        slow = asyncio.create_task(talk(port, held))
        answers = await asyncio.gather(*(talk(port, large) for _ in range(3)))
        assert (await slow).startswith(b"HTTP/1.1 408 ")
        statuses = {answer[9:12] for answer in answers}
        assert statuses <= {b"201", b"503"}  # who waited too long is told to come again
        assert all(b"retry-after: 2" in answer for answer in answers if b" 503 " in answer)
        assert (await talk(port, large)).startswith(b"HTTP/1.1 201 ")


async def test_a_bomb_takes_no_more_memory_than_the_limit(pool: asyncpg.Pool) -> None:
    """1,000:1 and in many members: what is unpacked at once is little, and in all never above the limit."""
    limit = 2_000_000
    one = gzip.compress(bytes(20_000_000))
    bombs = [one, gzip.compress(b" " * 100) * 50 + one, gzip.compress(b"[" * 20_000_000)]
    async with serve_on(pool, Settings(data_dir=Path("unused"), max_body_bytes=limit)) as client:
        tracemalloc.start()
        try:
            for bomb in bombs:
                tracemalloc.reset_peak()
                before, _ = tracemalloc.get_traced_memory()
                answer = await client.post(URL, content=bomb, headers={**JSON, "content-encoding": "gzip"})
                assert answer.status_code == 413
                assert tracemalloc.get_traced_memory()[1] - before < 8 * limit
        finally:
            tracemalloc.stop()
    kept = await rejected(pool)
    assert {(row[0], row[2], row[4]) for row in kept} == {("size", 413, True)}
    assert all(len(row[5]) == 4096 for row in kept)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"content-type": ""}, 201),
        ({"content-type": "application/json;charset=UTF-8;profile=x"}, 201),
        ({"content-type": "APPLICATION/JSON; Charset=utf8"}, 201),
        ({"content-type": "application/vnd.openlineage+json"}, 201),
        ({"content-type": "application/json", "content-encoding": "identity"}, 201),
        ({"content-type": "application/json", "content-encoding": ""}, 201),
        ({"content-type": "application/json; charset=utf-16"}, 415),
        ({"content-type": "text/json"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"content-type": "\xe4"}, 415),
        ({"content-encoding": "zstd"}, 415),
        ({"content-encoding": "br"}, 415),
        ({"content-encoding": "compress"}, 415),
        ({"content-encoding": "gzip, identity"}, 400),
        ({"content-encoding": "gzip, br"}, 415),
    ],
)
async def test_types_and_codings(pool: asyncpg.Pool, headers: dict[str, str], status: int) -> None:
    async with serve_on(pool) as client:
        sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        answer = await client.post(URL, content=body(), headers=sent)
        assert answer.status_code == status, answer.text
        if status != 201:
            (error,) = answer.json()["errors"]
            assert error["rule"]
            assert error["expected"]
            assert error["expected"] in answer.json()["message"]


JAVA = b"connection: Upgrade, HTTP2-Settings\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\nupgrade: h2c\r\n"


@pytest.mark.parametrize("offer", [JAVA, b"upgrade: websocket\r\nconnection: upgrade\r\n", b"upgrade: h2c\r\n"])
async def test_a_request_that_offers_another_protocol_is_read(pool: asyncpg.Pool, offer: bytes) -> None:
    """Java's HttpClient offers HTTP/2 with each; the body came after the head, in parts, or as chunks."""
    content = body()
    length = b"content-length: %d\r\n" % len(content)
    plain = HEAD + length + b"\r\n" + content
    chunked = HEAD + offer + b"transfer-encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
    offered = HEAD + offer + length + b"\r\n" + content
    async with serve_impatiently(pool) as port:
        for parts in ([offered], [offered[:20], offered[20:-10], offered[-10:]], [plain + offered + plain], [chunked]):
            said = await talk(port, *parts, b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            statuses = [line.split(b" ")[1] for line in said.splitlines() if line.startswith(b"HTTP/1.1 ")]
            posts = sum(part.count(b"POST ") for part in parts)
            assert statuses == [b"201"] * posts + [b"200"], said
    assert await count(pool) == 1
    assert await rejected(pool) == []


async def test_a_tunnel_is_refused(pool: asyncpg.Pool) -> None:
    async with serve_impatiently(pool) as port:
        said = await talk(port, b"CONNECT /api/v1/lineage HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 405 ")


@pytest.mark.parametrize("keep", [b"", b"connection: close\r\n", b"connection: keep-alive\r\n"])
async def test_who_sends_no_more_is_answered(pool: asyncpg.Pool, keep: bytes) -> None:
    content = body()
    post = HEAD + keep + b"content-length: %d\r\n\r\n%b" % (len(content), content)
    read = b"GET /api/v2/summary HTTP/1.1\r\nhost: x\r\n%b\r\n" % keep
    async with serve_impatiently(pool) as port:
        for request, status in ((post, b"201"), (read, b"200")):
            said = await talk(port, request, half=True)
            assert said.startswith(b"HTTP/1.1 %b " % status), said
            assert b"connection: close\r\n" in said
    assert await count(pool) == 1


async def test_all_that_was_asked_before_the_end_is_answered(pool: asyncpg.Pool) -> None:
    read = b"GET /api/v2/summary HTTP/1.1\r\nhost: x\r\n\r\n"
    async with serve_impatiently(pool) as port:
        said = await talk(port, read * 3, half=True)
    assert said.count(b"HTTP/1.1 200 ") == 3
    assert said.count(b"connection: close\r\n") == 1


@pytest.mark.parametrize("sent", [b"", HEAD[:20], HEAD + b"content-length: 400\r\n\r\n{"])
async def test_half_a_request_is_not_answered(pool: asyncpg.Pool, sent: bytes) -> None:
    read = b"GET /api/v2/summary HTTP/1.1\r\nhost: x\r\n\r\n"
    async with serve_impatiently(pool) as port:
        assert await talk(port, sent, half=True) == b""
        said = await talk(port, read, half=True)
    assert said.startswith(b"HTTP/1.1 200 ")
    assert await count(pool) == 0


async def test_methods_and_paths_beside_it(pool: asyncpg.Pool) -> None:
    async with serve_on(pool) as client:
        assert (await client.post(f"{URL}/", content=body(), headers=JSON)).status_code == 201
        for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
            answer = await client.request(method, URL, content=body())
            assert (answer.status_code, answer.json()["code"]) == (405, 405)
            assert answer.headers["allow"] == "GET, HEAD, POST"
            answer = await client.request(method, f"{URL}/batch", content=body())
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        for method in ("GET", "HEAD"):
            answer = await client.request(method, f"{URL}/batch/")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await client.head(URL)).status_code == 400
        assert (await client.post(f"{URL}/nothing", content=body(), headers=JSON)).status_code == 404


def event_of(**changes: Any) -> bytes:
    return json.dumps(run_event("COMPLETE", 1, outputs=[dataset("b", **changes)])).encode()


def nested(levels: int) -> bytes:
    inside = b'[{"name": "a", "fields": ' * levels + b"[]" + b"}]" * levels
    return event_of(schema=facet(fields="here")).replace(b'"here"', inside)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (nested(100), 201),
        (nested(450), 201),
        (nested(600), 400),
        (event_of(mine=facet(x="here")).replace(b'"here"', b"[" * 900 + b"]" * 900), 201),
        (event_of(mine=facet(x="a\0b\ud800")), 201),
        (event_of(mine=facet(x=10**300)), 201),
        (event_of(mine=facet(x=7)).replace(b" 7", b" 1" + b"0" * 5000), 201),
        (event_of(mine=facet(x=7)).replace(b" 7", b" 1e400"), 201),
        (event_of(mine=facet(x=7)).replace(b" 7", b" -NaN"), 400),
        (event_of(**{"a\0b": facet(), "": facet(), "x" * 500: facet()}), 201),
        (event_of(schema=facet(fields=None), columnLineage=facet(fields=None), lifecycleStateChange=None), 201),
        (event_of(schema=facet(fields=[{"name": "x" * 5000}])), 201),
        (event_of(lineage=facet(inputs=[None], fields=[])), 201),
        (event_of(symlinks=facet(identifiers=[{}]), version=facet(datasetVersion=7)), 201),
        (body(run={"runId": ""}), 201),
        (body(run={"runId": "x" * 10_000}), 201),
        (body(job={"namespace": "", "name": ""}), 201),
        (body(job={"namespace": "n" * 5000, "name": "\0\ud800/%00"}), 201),
        (body(inputs=[dataset(str(number)) for number in range(3000)]), 413),
        *((body(eventTime=time), status) for time, status in {
            "2026-06-30T23:59:60Z": 201, "2026-01-15T24:00:00Z": 422, "0000-01-01T00:00:00Z": 422,
            "0001-01-01T00:00:00+01:00": 422, "9999-12-31T23:59:59-01:00": 422, "10000-01-01T00:00:00Z": 422,
            "2026-01-15T10:00:00+24:00": 422, "2026-01-15T10:00:00-23:59": 201, "2026-01-15 10:00:00Z": 201,
            "2026-01-15T10:00:00.123456789Z": 201, "2026-W03-4T10:00:00Z": 422, "2026-01-15t10:00:00z": 201,
            "2026-02-30T10:00:00Z": 422, "": 422, " ": 422, "\u0662026-01-15T10:00:00Z": 422, "1736935200": 422,
        }.items()),
    ],
)  # fmt: skip
async def test_no_body_makes_it_stumble(pool: asyncpg.Pool, content: bytes, status: int) -> None:
    async with serve_on(pool) as client:
        answer = await client.post(URL, content=content, headers=JSON)
        assert answer.status_code == status, answer.text[:500]
        assert await count(pool) == (status == 201)
        if status != 201:
            said = answer.json()
            assert said["code"] == status
            assert all(error["rule"] and error["expected"] for error in said["errors"])
            assert len(await rejected(pool)) == 1


async def test_after_a_fault_of_its_own_it_hangs_up_and_says_so(pool: asyncpg.Pool) -> None:
    await pool.execute("alter table tag rename to tag_that_is_away")
    try:
        async with serve_impatiently(pool) as port:
            said = await talk(port, b"GET /api/v1/tags HTTP/1.1\r\nhost: x\r\n\r\n")
            again = await talk(port, b"GET /api/v1/namespaces HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    finally:  # other tests have this database, too
        await pool.execute("alter table tag_that_is_away rename to tag")
    head, _, answer = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    assert b"connection: close" in head.lower().splitlines()
    assert json.loads(answer) == {"code": 500, "message": "a fault of the server; its log says more"}
    assert again.startswith(b"HTTP/1.1 200 ")
