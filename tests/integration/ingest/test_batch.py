"""POST /api/v1/lineage/batch as OpenLineage's HTTP API describes it: an answer for each event, none hurt by another."""

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import httpx
import pytest
from jsonschema import Draft202012Validator

from lineal_receiver.ingest import batch
from lineal_receiver.ingest.batch import split_array
from lineal_receiver.postgres.pool import open_pool

from .events import PRODUCER, dataset
from .test_gate import JSON, LIMIT, body, count, rejected, serve_on

URL = "/api/v1/lineage/batch"
COUNT = {"type": "integer", "minimum": 0}
ANSWER = {
    "type": "object",
    "required": ["status", "summary"],
    "properties": {
        "status": {"enum": ["success", "partial_success"]},
        "summary": {
            "type": "object",
            "required": ["received", "successful", "failed"],
            "properties": dict.fromkeys(["received", "successful", "failed", "retriable", "non_retriable"], COUNT),
            "additionalProperties": False,
        },
        "failed_events": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["index", "reason", "retriable"],
                "properties": {"index": COUNT, "reason": {"type": "string"}, "retriable": {"type": "boolean"}},
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture
async def client(pool: asyncpg.Pool) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server on an empty database."""
    async with serve_on(pool) as client:
        yield client


async def send(client: httpx.AsyncClient, content: bytes, **headers: str) -> Any:
    """Send a batch that is answered event by event."""
    answer = await client.post(URL, content=content, headers={**JSON, **headers})
    assert answer.status_code == 200, answer.text
    said = answer.json()
    Draft202012Validator(ANSWER).validate(said)
    summary = said["summary"]
    assert summary["successful"] + summary["failed"] == summary["received"]
    assert summary["retriable"] + summary["non_retriable"] == summary["failed"] == len(said["failed_events"])
    assert (said["status"] == "success") is (summary["failed"] == 0)
    return said


async def test_each_event_has_its_answer(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    said = await send(client, b"[" + body(1) + b" , {}, " + body(2) + b"]\n")
    assert said["status"] == "partial_success"
    assert said["summary"] == {"received": 3, "successful": 2, "failed": 1, "retriable": 0, "non_retriable": 1}
    (failed,) = said["failed_events"]
    assert (failed["index"], failed["retriable"]) == (1, False)
    assert failed["reason"].endswith("expected 'run' and 'job', or 'job' alone, or 'dataset' alone")
    assert await count(pool) == 2
    assert [(row[0], row[5]) for row in await rejected(pool)] == [("required", b"{}")]


async def test_every_kind_of_event_and_repeats(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    stated = {"eventTime": "2026-01-15T10:00:00Z", "producer": PRODUCER, "schemaURL": "https://example.com/x"}
    job = stated | {"job": {"namespace": "n", "name": "j"}, "inputs": [dataset("a")]}
    table = stated | {"dataset": dataset("c")}
    events = b",".join((body(1), json.dumps(job).encode(), json.dumps(table).encode(), body(1)))
    assert (await send(client, b"[%b]" % events))["summary"]["successful"] == 4
    assert await count(pool) == 3
    packed = gzip.compress(b"[%b]" % events)
    assert (await send(client, packed, **{"content-encoding": "gzip"}))["status"] == "success"
    assert await count(pool) == 3
    assert (await send(client, b" [ ] "))["summary"]["received"] == 0


async def test_a_bad_entry_hurts_no_other(client: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
    bad = [
        b'{"a": NaN}', b"1e999", b"null", b"[[]]", b'{"a": 1,}', b"{'a': 1}", b"1 2", b'"],{\\""',
        b"[" * 5000 + b"]" * 5000, body(3, job={"name": "x"}), body(4, eventTime="soon"), b'{"a": "\\ud800"}', b"\x01",
    ]  # fmt: skip
    events = [body(1), *bad, body(2)]
    said = await send(client, b"[" + b",".join(events) + b"]")
    assert said["summary"]["successful"] == 2
    assert [failed["index"] for failed in said["failed_events"]] == list(range(1, len(bad) + 1))
    assert all(failed["reason"] for failed in said["failed_events"])
    assert await count(pool) == 2
    assert {row[5] for row in await rejected(pool)} == set(bad)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" ",
        b"{}",
        b"1",
        b"[",
        b"[1",
        b"[1,]",
        b"[,1]",
        b"[1,,2]",
        b"[] x",
        b"[1]]",
        b"\xff[]",
        b"[" * 5000,
    ],
)
async def test_what_is_no_array_is_a_bad_request(client: httpx.AsyncClient, pool: asyncpg.Pool, content: bytes) -> None:
    answer = await client.post(URL, content=content, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, 400)
    (error,) = answer.json()["errors"]
    assert (error["rule"], error["pointer"], bool(error["expected"])) == ("json", "", True)
    assert [row[5] for row in await rejected(pool)] == [content]


async def test_too_much_at_once(client: httpx.AsyncClient, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_EVENTS", 3)
    assert (await send(client, b"[1,2,3]"))["summary"]["failed"] == 3
    many = await client.post(URL, content=b"[1,2,3,4]", headers=JSON)
    large = await client.post(URL, content=b"[%b]" % (b" " * LIMIT), headers=JSON)
    assert [(answer.status_code, answer.json()["errors"][0]["rule"]) for answer in (many, large)] == [
        (413, "events"),
        (413, "size"),
    ]
    assert (await client.post(f"{URL}/", content=b"[]", headers=JSON)).status_code == 200
    assert (await client.post(URL, content=b"[]", headers={"content-type": "text/plain"})).status_code == 415


async def test_what_could_not_be_kept_yet_is_retriable_and_all_of_it_is_503(database_url: str) -> None:
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        await pool.close()
        answer = await client.post(URL, content=b"[%b,%b]" % (body(1), body(2)), headers=JSON)
        assert (answer.status_code, answer.headers["retry-after"], answer.json()["code"]) == (503, "2", 503)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (b"[]", []),
        (b" [ 1 , [2, 3] ,{}]\n", [b"1", b"[2, 3]", b"{}"]),
        (b'["a,]\\"", "\\\\"]', [b'"a,]\\""', b'"\\\\"']),
        (b'[{"a": [1, NaN]}, x]', [b'{"a": [1, NaN]}', b"x"]),
        (b"[" + b"[" * 3000 + b"]" * 3000 + b", 1]", [b"[" * 3000 + b"]" * 3000, b"1"]),
    ],
)
def test_an_array_is_cut_into_what_was_sent(text: bytes, parts: list[bytes]) -> None:
    assert split_array(text) == parts
