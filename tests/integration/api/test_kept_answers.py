"""Answers about lineage are given again while nothing was committed, and are new after anything was."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_receiver.app import create_app
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.settings import Settings

from .conftest import PRODUCER, Client, copied, dataset, open_client, path

ROUTES = (
    "/api/v2/lineage?namespace=data&name=t",
    "/api/v2/upstream?namespace=data&name=t&field=a",
    "/api/v2/downstream?namespace=data&name=raw",
    "/api/v2/impact?namespace=data&name=raw",
    "/api/v2/path?fromNamespace=data&fromName=raw&toNamespace=data&toName=t",
    "/api/v2/lineage?namespace=data&name=t&asOf=2999-01-01",
    "/api/v1/lineage?nodeId=dataset:data:t",
    "/api/v1/column-lineage?nodeId=datasetField:data:t:a",
)
Write = Callable[[Client], Awaitable[Any]]
WITHOUT_A_ZONE = {
    "eventType": "COMPLETE",
    "eventTime": "2026-03-02T13:00:00",
    "run": {"runId": str(uuid4())},
    "job": {"namespace": "jobs", "name": "replayed"},
    "inputs": [{"namespace": "data", "name": "t"}],
    "producer": PRODUCER,
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
}


async def load(client: Client, run: int, name: str = "t", column: str = "a") -> None:
    made = dataset(name, column, lineage={column: [f"raw.{column}"]})
    await client.run("load", run, at=run, inputs=[dataset("raw", column)], outputs=[made])


async def count(client: Client) -> tuple[int, int]:
    """So many answers were given again, so many worked out."""
    lines = (await client.http.get("/metrics")).text.splitlines()
    said = dict(line.rsplit(" ", 1) for line in lines if line.startswith("lineage_answers_total"))
    kept, made = (int(said[f'lineage_answers_total{{from="{way}"}}']) for way in ("kept", "made"))
    return kept, made


async def given_again(client: Client, route: str) -> httpx.Response:
    """An answer that was given again: not always at once, for PostgreSQL's own upkeep (autovacuum) commits, too."""
    for _ in range(50):
        kept, _ = await count(client)
        found = await client.http.get(route)
        if (await count(client))[0] > kept:
            return found
    raise AssertionError(f"{route} was never given again")


async def worked_out(client: Client, route: str) -> httpx.Response:
    """An answer that was worked out."""
    kept, made = await count(client)
    found = await client.http.get(route)
    assert await count(client) == (kept, made + 1)
    return found


@pytest.mark.parametrize("route", ROUTES)
async def test_what_was_answered_is_given_again(client: Client, route: str) -> None:
    await load(client, 1)
    first = await worked_out(client, route)
    assert first.status_code == 200
    again = await given_again(client, route)
    assert (again.content, again.headers) == (first.content, first.headers)
    assert (await worked_out(client, f"{route}&depth=2")).status_code == 200


async def _alias(client: Client) -> None:
    ends = {"old": {"namespace": "data", "name": "u"}, "new": {"namespace": "data", "name": "t"}}
    assert (await client.http.post("/api/v2/alias", json={"kind": "dataset", **ends})).status_code == 201


async def _delete(client: Client) -> None:
    assert (await client.http.delete(path("namespaces", "jobs", "jobs", "report"))).status_code == 200


async def _tag(client: Client) -> None:
    answer = await client.http.post(path("namespaces", "data", "datasets", "t", "tags", "PII"))
    assert answer.status_code == 200, answer.text


async def _redact(client: Client) -> None:
    answer = await client.http.post("/api/v2/redact", json={"text": "u_4711", "why": "a ticket"})
    assert (answer.status_code, answer.json()["dryRun"]) == (200, False)


async def _replay(client: Client) -> None:
    (refused,) = (await client.get("/api/v2/rejected"))["rejected"]
    assert (await client.http.post(f"/api/v2/rejected/{refused['id']}/replay")).status_code == 200


@pytest.mark.parametrize(
    "write", [lambda client: load(client, 9, "t", "b"), _alias, _delete, _tag, _redact, _replay],
    ids=["event", "alias", "deletion", "tag", "redaction", "replay"],
)  # fmt: skip
async def test_after_any_write_the_answer_is_the_new_one(
    pool: asyncpg.Pool, database_url: str, tmp_path: Path, write: Write
) -> None:
    strict = Settings(database_url=database_url, data_dir=tmp_path, strict=True)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        refusing = await enter(open_client(create_app(strict, pool)))
        asked = await enter(open_client(create_app(Settings(data_dir=tmp_path), pool)))
        # Another process: its answers and its connections are its own.
        there = await enter(open_pool(database_url))
        other = await enter(open_client(create_app(Settings(data_dir=tmp_path, answer_bytes=0), there)))
        await load(other, 1)
        await load(other, 2, "u")
        secret = {"documentation": {"description": "of u_4711"}}
        late = [dataset("t", "a", facets=secret, lineage={"a": ["raw.a"]})]
        await other.run("late", 3, at=3, inputs=[dataset("raw"), dataset("t")], outputs=late)
        await other.run("report", 4, at=4, inputs=[dataset("t", "a")])
        assert (await refusing.http.post("/api/v1/lineage", json=WITHOUT_A_ZONE)).status_code == 422
        route = ROUTES[0]
        before = await asked.get(route)
        assert (await given_again(asked, route)).json() == before
        await write(other)
        after = (await worked_out(asked, route)).json()
        assert after == await other.get(route)
        assert after != before


async def test_what_is_under_way_counts_when_it_is_committed_whatever_was_begun_since(
    client: Client, pool: asyncpg.Pool
) -> None:
    await load(client, 1)
    rename = "update dataset set name = $1 where name = 't'"
    async with pool.acquire() as first, pool.acquire() as second:
        begun, later = first.transaction(), second.transaction()
        await begun.start()
        await first.execute(rename, "t2")
        await later.start()
        await second.fetchval("select pg_current_xact_id()")
        assert [one["name"] for one in (await client.get(ROUTES[0]))["datasets"]] == ["t", "raw"]
        await given_again(client, ROUTES[0])
        await begun.commit()
        new = (await worked_out(client, ROUTES[0])).json()
        assert [one["name"] for one in new["datasets"]] == ["t2", "raw"]
        await later.rollback()  # of what ended nothing was kept, but that isn't told
        await worked_out(client, ROUTES[0])


async def test_on_a_connection_that_is_newer_than_an_answer_it_is_worked_out_again(
    client: Client, pool: asyncpg.Pool
) -> None:
    await load(client, 1)
    await client.get(ROUTES[0])
    await given_again(client, ROUTES[0])
    await pool.expire_connections()
    await worked_out(client, ROUTES[0])
    await given_again(client, ROUTES[0])


async def test_refusals_are_not_kept(client: Client) -> None:
    await client.get(ROUTES[0], status=404)
    await load(client, 1)
    assert (await client.get(ROUTES[0]))["target"]["name"] == "t"
    assert await count(client) == (0, 2)


async def test_who_has_an_answer_is_not_sent_it_again(client: Client) -> None:
    await load(client, 1)
    first = await client.http.get(ROUTES[0])
    tag = first.headers["etag"]
    assert (first.headers["cache-control"], tag[0], tag[-1]) == ("no-cache", '"', '"')
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        same = await client.http.get(ROUTES[0], headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert (await client.http.get(ROUTES[0], headers={"If-None-Match": '"x"'})).content == first.content
    await load(client, 2, "t", "b")
    new = await client.http.get(ROUTES[0], headers={"If-None-Match": tag})
    assert (new.status_code, new.headers["etag"] == tag) == (200, False)
    head = await client.http.head(ROUTES[0])
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", new.headers["etag"])


@pytest.fixture(scope="module")
async def both(server_url: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Any]:
    """A receiver that keeps answers and one that keeps none, two processes on one store."""
    folder = tmp_path_factory.mktemp("data")
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(copied(server_url, template))
        keeping, plain = (Settings(database_url=url, data_dir=folder, answer_bytes=n) for n in (400_000, 0))
        yield [await stack.enter_async_context(open_client(create_app(one))) for one in (keeping, plain)]


names, columns = st.sampled_from("abc"), st.sampled_from("xy")
writes = st.one_of(
    st.tuples(st.just("tell"), names, names, columns),
    st.tuples(st.just("join"), names, names),
    st.tuples(st.just("part"), names),
    st.tuples(st.just("delete"), names),
    st.tuples(st.just("end"), names),
)
questions = st.lists(st.tuples(st.sampled_from(["lineage", "impact"]), names), min_size=1, max_size=4)
told = st.lists(st.tuples(st.integers(0, 1), writes, questions), min_size=2, max_size=8)


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(told=told)
async def test_kept_answers_are_those_that_would_be_made(both: list[Client], told: list[Any]) -> None:
    """Whatever is told in between, by this process or another."""
    space, first = uuid4().hex, ("tell", "a", "b", "x")
    for number, (by, write, asked) in enumerate([(0, first, [("lineage", "a"), ("impact", "b")]), *told]):
        await _write(both[by], space, number, *write)
        for route, name in asked:
            query = {"namespace": space, "name": name}
            found = [await client.http.get(f"/api/v2/{route}", params=query) for client in (*both, both[0])]
            assert {(one.status_code, one.content) for one in found} == {(found[1].status_code, found[1].content)}
    assert (await count(both[0]))[0] > 0


async def _write(client: Client, space: str, number: int, what: str, name: str, *rest: str) -> None:
    if what == "tell":
        source, column = rest
        made = dataset(name, column, lineage={column: [f"{source}.{column}"]}, namespace=space)
        read = [dataset(source, column, namespace=space)]
        await client.run(f"make {name}", uuid4(), at=number, inputs=read, outputs=[made], namespace=space)
    elif what == "join":
        ends = {"old": {"namespace": space, "name": name}, "new": {"namespace": space, "name": rest[0]}}
        await client.http.post("/api/v2/alias", json={"kind": "dataset", **ends})
    elif what == "part":
        await client.http.delete("/api/v2/alias", params={"kind": "dataset", "namespace": space, "name": name})
    elif what == "delete":
        await client.http.delete(path("namespaces", space, "datasets", name))
    else:
        await client.http.delete(path("namespaces", space, "jobs", f"make {name}"))
