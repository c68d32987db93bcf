"""Bad days of the intake: no room on the disk, no free connection, clients that go."""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import httpx
import pytest

from lineal_receiver.ingest import persist
from lineal_receiver.postgres.pool import open_pool

from .conftest import read_state
from .test_gate import JSON, URL, body, count, serve_on

SECONDS = 120.0

# PostgreSQL reports a full disk wherever a page has to be made; here it does so where a test wants it.
FULL = """
create function no_room() returns trigger language plpgsql as $$
begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
end
$$
"""


def head(content: bytes) -> bytes:
    return f"POST {URL} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n\r\n".encode()


@pytest.mark.parametrize("table", ["log_stray", "run_io", "slot", "event_hour"])
async def test_a_full_disk(database_url: str, table: str) -> None:
    """Wherever it strikes: 503, nothing of the event is there; with room again it is taken."""
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        assert (await client.post(URL, content=body(1), headers=JSON)).status_code == 201
        before = await read_state(pool)
        await pool.execute(FULL)
        await pool.execute(
            f"create trigger no_room before insert or update on {table} for each row execute function no_room()"
        )
        answer = await client.post(URL, content=body(2), headers=JSON)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "No space left on device" in answer.json()["message"]
        assert await read_state(pool) == before
        reading = await client.get("/api/v1/namespaces/nightly/jobs")
        assert (reading.status_code, reading.json()["totalCount"]) == (200, 1)
        await pool.execute(f"drop trigger no_room on {table}")
        assert (await client.post(URL, content=body(2), headers=JSON)).status_code == 201
        assert await count(pool) == 2


# What befalls PostgreSQL in the middle of a transaction that has written half of an event.
MISHAPS = {
    "its process is killed": "perform pg_terminate_backend(pg_backend_pid());",
    "it became a standby": "raise exception 'cannot execute INSERT' using errcode = 'read_only_sql_transaction';",
    "a statement takes too long": "perform pg_sleep(600);",
    "it has no memory": "raise exception 'out of memory' using errcode = 'out_of_memory';",
    "it stops": "raise exception 'terminating connection' using errcode = 'admin_shutdown';",
}


@pytest.mark.parametrize("mishap", MISHAPS)
async def test_a_mishap_in_the_middle(database_url: str, mishap: str) -> None:
    """503 for all of a batch and nothing of it is there; afterwards all of it is taken, and so is what came alone."""
    async with open_pool(database_url, statement_seconds=2.0) as pool, serve_on(pool) as client:
        assert (await client.post(URL, content=body(1), headers=JSON)).status_code == 201
        before = await read_state(pool)
        done = f"begin {MISHAPS[mishap]} return new; end"
        await pool.execute(f"create function mishap() returns trigger language plpgsql as $$ {done} $$")
        await pool.execute("create trigger mishap before insert on slot for each row execute function mishap()")
        several = b"[" + b",".join(body(n) for n in range(2, 7)) + b"]"
        for path, content in ((URL, body(9)), (f"{URL}/batch", several)):
            answer = await client.post(path, content=content, headers=JSON)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert await read_state(pool) == before
        await pool.execute("drop trigger mishap on slot")
        assert (await client.post(f"{URL}/batch", content=several, headers=JSON)).json()["status"] == "success"
        assert (await client.post(URL, content=body(9), headers=JSON)).status_code == 201
        assert await count(pool) == 7


async def test_fewer_connections_than_the_pool_has_places_for(database_url: str, server_url: str) -> None:
    """Nobody is told more than to come again, and what needs one connection works."""
    name = f"lineal_test_{uuid4().hex[:12]}"
    async with open_pool(database_url) as owner:
        await owner.execute(f"create role {name} login connection limit 1 password 'x'")
        await owner.execute(f"grant all on all tables in schema public to {name}")
        try:
            parts = urlsplit(database_url)
            place = f"{parts.hostname}:{parts.port}" if parts.port else parts.netloc.rpartition("@")[2]
            url = urlunsplit(parts._replace(netloc=f"{name}:x@{place}"))
            async with open_pool(url) as pool, serve_on(pool) as client:
                sent = [client.post(URL, content=body(n), headers=JSON) for n in range(8)]
                asked = [client.get("/api/v1/namespaces") for _ in range(8)]
                answers = await asyncio.gather(*sent, *asked)
                assert {answer.status_code for answer in answers} <= {200, 201, 503}
                assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 503)
                assert (await client.post(URL, content=body(9), headers=JSON)).status_code == 201
                kept = 1 + sum(answer.status_code == 201 for answer in answers)
                assert await owner.fetchval("select count(*) from log") == kept
        finally:
            await owner.execute(f"drop owned by {name}")
            await owner.execute(f"drop role {name}")


async def test_a_full_disk_for_what_is_refused(database_url: str) -> None:
    """A refusal that can't be kept isn't final either: the client is to come again."""
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        await pool.execute(FULL)
        await pool.execute("create trigger no_room before insert on rejected for each row execute function no_room()")
        assert (await client.post(URL, content=b"{}", headers=JSON)).status_code == 503
        await pool.execute("drop trigger no_room on rejected")
        assert (await client.post(URL, content=b"{}", headers=JSON)).status_code == 422
        assert await pool.fetchval("select sum(count) from rejected") == 1


async def test_a_full_disk_in_a_batch(database_url: str) -> None:
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        await pool.execute(FULL)
        await pool.execute("create trigger no_room before insert on run for each row execute function no_room()")
        events = b"[" + b",".join((body(1), b"{}", body(2))) + b"]"
        answer = await client.post(URL + "/batch", content=events, headers=JSON)
        assert answer.json()["summary"] == {
            "received": 3, "successful": 0, "failed": 3, "retriable": 2, "non_retriable": 1,
        }  # fmt: skip
        assert await count(pool) == 0


async def test_no_free_connection(pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persist, "ACQUIRE_SECONDS", 0.05)
    async with serve_on(pool) as client:
        taken = [await pool.acquire() for _ in range(pool.get_max_size())]
        answers = await asyncio.gather(*(client.post(URL, content=body(n), headers=JSON) for n in range(5)))
        assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "2")}
        assert (await client.post(URL, content=b"{}", headers=JSON)).status_code == 503
        for connection in taken:
            await pool.release(connection)
        assert (await client.post(URL, content=body(1), headers=JSON)).status_code == 201
        assert await count(pool) == 1


async def test_clients_that_go_before_their_answer(pool: asyncpg.Pool) -> None:
    """Their events are whole, so they are kept; the others get their answers."""
    contents = [body(1, run={"runId": str(uuid4())}) for _ in range(10)]
    async with serve_on(pool) as client:
        writers = []
        for content in contents:
            _, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
            writer.write(head(content) + content)
            await writer.drain()
            writers.append(writer)
        for writer in writers:
            writer.transport.abort()
        assert (await client.post(URL, content=body(2), headers=JSON)).status_code == 201
        await asyncio.wait_for(_until(pool, 11), SECONDS)
        found = await client.get("/metrics")
        assert found.status_code == 200
    assert await count(pool) == 11


async def _until(pool: asyncpg.Pool, records: int) -> None:
    while await count(pool) < records:  # noqa: ASYNC110 - the database tells, no event does
        await asyncio.sleep(0.01)


async def test_a_slow_client_is_in_nobodys_way(pool: asyncpg.Pool) -> None:
    """One that sends byte after byte holds no connection to PostgreSQL and no place in a transaction."""
    content = body(1)
    async with serve_on(pool) as client:
        slow: list[tuple[Any, Any]] = []
        for _ in range(2 * pool.get_max_size()):
            reader, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
            writer.write(head(content) + content)
            await writer.drain()
            slow.append((reader, writer))
        for minute in range(2, 5):
            assert (await client.post(URL, content=body(minute), headers=JSON)).status_code == 201
        reader, writer = slow[0]
        for at in range(9, len(content)):
            writer.write(content[at : at + 1])
            await writer.drain()
        assert (await asyncio.wait_for(reader.readline(), SECONDS)).startswith(b"HTTP/1.1 201 ")
        for _, writer in slow:
            writer.transport.abort()
        assert await count(pool) == 4


async def test_an_event_that_waits_for_a_lock_does_not_hold_up_reads(pool: asyncpg.Pool) -> None:
    async with serve_on(pool) as client:
        assert (await client.post(URL, content=body(1), headers=JSON)).status_code == 201
        async with pool.acquire() as holder, holder.transaction():
            await holder.execute("select * from job_state for update")
            waiting = asyncio.create_task(client.post(URL, content=body(2), headers=JSON))
            jobs = await client.get("/api/v1/namespaces/nightly/jobs")
            assert (jobs.status_code, json.loads(jobs.content)["totalCount"]) == (200, 1)
            assert not waiting.done()
        answer: httpx.Response = await asyncio.wait_for(waiting, SECONDS)
        assert answer.status_code == 201
