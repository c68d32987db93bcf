"""What was refused: kept with every reason, listed, shown, tried again; by the API and by the command, both ways."""

import asyncio
import gzip
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from lineal_receiver.settings import Settings

from .events import dataset, facet, run_event
from .test_gate import JSON, URL, body, serve_on

REJECTED = "/api/v2/rejected"
Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture
def serve(pool: asyncpg.Pool) -> Serve:
    """Starts a receiver with some settings on an empty database."""

    @asynccontextmanager
    async def start(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
        async with serve_on(pool, Settings(data_dir=Path("unused"), **settings)) as client:
            yield client

    return start


NAIVE = body(1, eventTime="2026-01-15T10:00:00", run={"runId": "manual__1"})


async def refuse(client: httpx.AsyncClient, content: bytes, **headers: str) -> httpx.Response:
    answer = await client.post(URL, content=content, headers={**JSON, **headers})
    assert answer.status_code >= 400
    return answer


async def newest(client: httpx.AsyncClient, **query: str) -> Any:
    answer = await client.get(REJECTED, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["rejected"]


async def test_a_refused_body_is_listed_and_shown_with_all_that_is_known(serve: Serve) -> None:
    broken = body(1, job={"name": "x"}, eventType=7)
    async with serve() as client:
        for _ in range(2):
            await refuse(client, broken)
        (row,) = await newest(client)
        assert (row["status"], row["rule"], row["pointer"], row["count"]) == (422, "type", "/eventType", 2)
        assert (row["source"], row["size"], row["truncated"]) == ("127.0.0.1", len(broken), False)
        assert (row["coding"], row["triedAt"], row["replayedAt"]) == (None, None, None)
        for name in (row["id"], row["id"][:8], row["id"][:12].upper()):
            shown = (await client.get(f"{REJECTED}/{name}")).json()
            assert [(e["pointer"], e["rule"]) for e in shown["errors"]] == [
                ("/eventType", "type"),
                ("/eventType", "enum"),
                ("/job/namespace", "required"),
            ]
            assert all(e["expected"] and e["message"] for e in shown["errors"])
        sent = await client.get(f"{REJECTED}/{row['id']}/body")
        assert (sent.content, sent.headers["x-content-type-options"]) == (broken, "nosniff")


async def test_ids_that_name_nothing_or_too_much(serve: Serve, pool: asyncpg.Pool) -> None:
    async with serve() as client:
        for number in range(2):
            await refuse(client, b"{%d" % number)
        async with pool.acquire() as connection:
            await connection.execute("update rejected set id = set_byte(set_byte(set_byte(id, 0, 1), 1, 2), 2, 3)")
        for name, status in (("010203", 409), ("0102", 404), ("f" * 64, 404), ("g" * 64, 404), ("%20", 404)):
            for answer in (
                await client.get(f"{REJECTED}/{name}"),
                await client.get(f"{REJECTED}/{name}/body"),
                await client.post(f"{REJECTED}/{name}/replay"),
            ):
                assert (answer.status_code, answer.json()["status"]) == (status, status)


async def test_the_list_is_filtered_and_paged_in_the_order_that_they_came(serve: Serve, pool: asyncpg.Pool) -> None:
    async with serve() as client:
        for number in range(5):
            await refuse(client, b"%d" % number)
        await refuse(client, body(eventTime="yesterday"))
        async with pool.acquire() as connection:  # several at the same time
            await connection.execute("update rejected set first_at = '2026-01-01' where rule = 'type'")
        ids = [row["id"] for row in await newest(client)]
        assert len(ids) == 6
        assert [row["rule"] for row in await newest(client)] == ["format", *["type"] * 5]
        paged: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = (await client.get(REJECTED, params={"limit": "2", "cursor": cursor})).json()
            assert page["totalCount"] == 6
            paged += [row["id"] for row in page["rejected"]]
            cursor = page["next"]
            await refuse(client, b"0")  # a repeat moves nothing
        assert paged == ids
        assert len(await newest(client, rule="type")) == 5
        assert len(await newest(client, status="422")) == 1
        assert len(await newest(client, source="10.0.0.1")) == 0
        assert len(await newest(client, replayed="false")) == 6
        for query in ("cursor=x", "cursor=W10", "limit=-1", "limit=ten", "status=4xx", "replayed=maybe"):
            answer = await client.get(f"{REJECTED}?{query}")
            assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")


async def test_what_a_strict_receiver_refused_is_taken_later(serve: Serve, pool: asyncpg.Pool) -> None:
    async with serve(strict=True) as client:
        answer = await refuse(client, NAIVE)
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/eventTime", "/run/runId"]
        (row,) = await newest(client)
        again = await client.post(f"{REJECTED}/{row['id']}/replay")
        assert (again.status_code, again.json()["status"]) == (422, 422)
        assert [error["pointer"] for error in again.json()["errors"]] == ["/eventTime", "/run/runId"]
        (row,) = await newest(client, replayed="false")
        assert (row["count"], row["triedAt"] is None) == (1, False)
    async with serve() as client:
        for outcome in ("accepted", "duplicate"):
            again = await client.post(f"{REJECTED}/{row['id'][:10]}/replay")
            assert (again.status_code, again.json()) == (200, {"id": row["id"], "outcome": outcome})
        (row,) = await newest(client, replayed="true")
        assert row["replayedAt"] is not None
        assert await newest(client, replayed="false") == []
        jobs = (await client.get("/api/v1/namespaces/nightly/jobs")).json()
        assert jobs["totalCount"] == 1


async def test_a_replay_that_fails_says_why_it_does_now(serve: Serve) -> None:
    odd = json.dumps(
        run_event("COMPLETE", 1, outputs=[dataset("b", schema=facet(fields={}))]) | {"job": {"name": "x"}}
    ).encode()
    async with serve() as client:
        await refuse(client, odd)
        (row,) = await newest(client)
        again = await client.post(f"{REJECTED}/{row['id']}/replay")
        assert (again.status_code, again.json()["errors"][0]["pointer"]) == (422, "/job/namespace")
        assert again.json()["errors"][0]["rule"] == "required"


async def test_of_what_was_too_large_only_the_beginning_is_there(serve: Serve) -> None:
    async with serve(max_body_bytes=10_000) as client:
        await refuse(client, b"[" + b" " * 20_000 + b"]")
        await refuse(client, gzip.compress(bytes(5_000_000)), **{"content-encoding": "gzip"})
        await refuse(client, body(), **{"content-type": "text/plain"})
        rows = {(row["rule"], row["size"] > 10_000): row for row in await newest(client)}
        assert rows["size", True]["truncated"]
        assert rows["content_type", False]["size"] == len(body())
        assert sorted(row["size"] for row in rows.values())[-1] >= 10_001
        for row in await newest(client):
            sent = await client.get(f"{REJECTED}/{row['id']}/body")
            assert sent.headers["lineal-cut"] == f"the first {len(sent.content)} bytes"
            assert len(sent.content) <= 4096
            again = await client.post(f"{REJECTED}/{row['id']}/replay")
            assert (again.status_code, again.json()["status"]) == (409, 409)


async def test_gzip_that_is_broken_is_kept_as_it_came(serve: Serve) -> None:
    packed = gzip.compress(body())[:-4]
    async with serve() as client:
        await refuse(client, packed, **{"content-encoding": "gzip"})
        (row,) = await newest(client)
        assert (row["rule"], row["coding"], row["truncated"], row["size"]) == ("gzip", "gzip", False, len(packed))
        sent = await client.get(f"{REJECTED}/{row['id']}/body")
        assert (sent.content, sent.headers["lineal-coding"]) == (packed, "gzip")
        again = await client.post(f"{REJECTED}/{row['id']}/replay")
        assert (again.status_code, again.json()["errors"][0]["rule"]) == (400, "gzip")


async def test_above_the_quota_only_what_is_said_is_kept(serve: Serve) -> None:
    async with serve(rejected_bytes=1) as client:
        for number in range(4):
            await refuse(client, b"{%d" % number)
        await refuse(client, b"[1]")
        rows = {row["rule"]: row for row in await newest(client)}
        assert {rule: (row["count"], row["truncated"], row["size"]) for rule, row in rows.items()} == {
            "json": (4, True, 2),
            "type": (1, True, 3),
        }
        assert (await client.get(f"{REJECTED}/{rows['json']['id']}/body")).content == b""


async def lineal(*arguments: object) -> tuple[int | None, str, str]:
    command = [sys.executable, "-m", "lineal_receiver.cli", "rejected", *map(str, arguments)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_the_command_asks_a_receiver_or_the_database(serve: Serve, pool: asyncpg.Pool, server_url: str) -> None:
    async with pool.acquire() as connection:
        database_url = urlsplit(server_url)._replace(path=f"/{await connection.fetchval('select current_database()')}")
    async with serve(strict=True) as client:
        await refuse(client, NAIVE)
        await refuse(client, b"{")
        rows = await newest(client)
        over_http = ("--url", str(client.base_url))
        in_store = ("--database-url", database_url.geturl())
        for way in (over_http, in_store):
            code, out, err = await lineal("list", *way)
            assert (code, err) == (0, "")
            assert [line[:12] for line in out.splitlines()] == [*(row["id"][:12] for row in rows), "2 of 2"]
        code, out, _ = await lineal("list", "--rule", "json", "--open", "--json", *over_http)
        assert [json.loads(line)["id"] for line in out.splitlines()] == [rows[0]["id"]]
        code, out, _ = await lineal("show", rows[1]["id"][:9], *over_http)
        assert code == 0
        assert "- /run/runId: 'manual__1' is none; expected a UUID" in out
        code, out, _ = await lineal("show", "--body", rows[1]["id"], *in_store)
        assert (code, out.encode()) == (0, NAIVE)
        code, out, err = await lineal("replay", rows[1]["id"], *over_http)
        assert (code, out.splitlines()[-1]) == (1, "0 taken, 1 still refused")
        code, out, err = await lineal("replay", *in_store)  # this one isn't strict
        assert (code, err) == (1, "")
        assert out.splitlines() == [
            f"taken {rows[1]['id'][:12]}: accepted",
            next(line for line in out.splitlines() if line.startswith(f"refused {rows[0]['id'][:12]}: the body: ")),
            "1 taken, 1 still refused",
        ]
        for way in (over_http, in_store):
            code, out, err = await lineal("show", "abcdef012345", *way)
            assert (code, out, err.count("\n")) == (1, "", 1)
            assert "No rejected body has the id abcdef012345" in err
