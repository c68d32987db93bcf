"""Redaction: a text is gone from every table, all else is as if it had never been said, and it doesn't come back."""

import asyncio
import gzip
import io
import json
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest

from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.redaction.asking import read_wanted
from lineal_receiver.ingest.redaction.redact import Outcome, preview, redact
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.ingest.verify import VerifyRunning, verify
from lineal_receiver.postgres.pool import connect, open_pool
from lineal_receiver.store import shadow
from lineal_receiver.store.packing import unpack

from .asking import Ask, Send
from .commands import command
from .conftest import read_state
from .events import dataset, facet, job_event, own, parent, run_event, schema

SECRET = 'hun/ter"2é\N{GRINNING FACE}'
JUDGE = Judge(read_bundle())
Taken = Callable[..., Awaitable[Outcome]]


@pytest.fixture
def take_out(pool: asyncpg.Pool) -> Taken:
    """Redact, as the API does."""

    async def run(dry: bool = False, **asked: Any) -> Outcome:
        async with pool.acquire() as connection:
            wanted = await read_wanted(connection, asked, {"by": "ann", "why": "a slip"})
        return await (preview if dry else redact)(pool, JUDGE, wanted)

    return run


def address_of(connection: Any) -> str:
    """The address of the database that a connection is to."""
    known = connection._params
    host, port = connection._addr
    return f"postgresql://{known.user}:{known.password}@{host}:{port}/{known.database}"


async def check(pool: asyncpg.Pool) -> None:
    """The store is what its log says."""
    out = io.StringIO()
    async with pool.acquire() as connection:
        url = address_of(connection)
    report = await verify(url, out=out, err=io.StringIO())
    assert report.findings == 0, out.getvalue()


async def held(pool: asyncpg.Pool, text: str) -> set[str]:
    """The tables that hold a text in any spelling, bodies too."""
    spellings = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    found = set()
    async with pool.acquire() as connection:
        names = await connection.fetch("select tablename from pg_tables where schemaname = 'public'")
        for (name,) in names:
            for row in await connection.fetch(f'select t.*, t::text as whole from "{name}" as t'):
                kept = row.get("body")
                said = row["whole"] + (unpack(kept).decode("utf-8", "replace") if isinstance(kept, bytes) else "")
                if any(one in said or one in said.replace("\\\\", "\\").replace('""', '"') for one in spellings):
                    found.add(name)
    return found


def story(secret: str) -> list[dict[str, Any]]:
    """Events that say a text in names, columns, facets, expressions, errors, ids of runs, keys, tags and numbers."""
    columns = facet(
        fields={
            "x": {
                "inputFields": [
                    {
                        "namespace": "postgres://db.example:5432", "name": f"raw_{secret}", "field": f"f_{secret}",
                        "transformations": [
                            {"type": "DIRECT", "subtype": "T", "description": f"concat({secret})", "masking": False}
                        ],
                    }
                ]
            }
        }
    )  # fmt: skip
    job = {"namespace": "nightly", "name": "load", "facets": {"sql": facet(query=f"select '{secret}' as x")}}
    return [
        {**run_event("START", 0, 1, inputs=[dataset(f"raw_{secret}", schema=schema(f"f_{secret}"))]), "job": job},
        {
            **run_event(
                "COMPLETE", 5, 1,
                outputs=[dataset("b", schema=schema("x"), columnLineage=columns)],
                run_facets={"parent": parent(8, f"app {secret}"), f"my_{secret}": facet(a=[{secret: [secret]}])},
            ),
            "job": job,
        },
        run_event("FAIL", 6, 2, run_facets={"errorMessage": facet(message=f"no {secret}!", programmingLanguage="x")}),
        {**run_event("START", 7, 3), "run": {"runId": f"scheduled__{secret}", "facets": {}}},
        job_event(8, "mend", [dataset(f"raw_{secret}")], [dataset("c", documentation=facet(description=secret))]),
    ]  # fmt: skip


async def test_a_text_is_gone_from_everywhere_and_all_is_as_if_it_had_never_been_said(
    pool: asyncpg.Pool, intake: Intake, send: Send, take_out: Taken, ask: Ask
) -> None:
    events = story(SECRET)
    await send(*events, run_event("COMPLETE", 9, 9, outputs=[dataset("z")]))
    said = command("put_tag", 1, 5, name="PII", description=f"not {SECRET}")
    await intake._vault.keep(said)
    refused = await intake.take(json.dumps({"job": SECRET}).encode(), f"from {SECRET}")
    assert isinstance(refused, Refused)
    before = await held(pool, SECRET)
    assert {"dataset", "edge", "facet_body", "job", "log_stray", "rejected", "run", "schema_body", "tag"} <= before
    ids = await ask("select id from log where kind <> 'command' order by id")
    seen = await take_out(dry=True, text=SECRET)
    assert (seen.records, seen.rejected, seen.command) == (6, 1, None)
    assert seen.rows["edge"] == 1
    assert seen.rows["rejected"] == 1
    assert await held(pool, SECRET) == before

    done = await take_out(text=SECRET)
    assert (done.records, done.rejected) == (6, 1)
    assert await held(pool, SECRET) == set()
    await check(pool)
    assert await ask("select id from log where kind <> 'command' order by id") == ids
    assert await ask("select count(*)::int from log where flags & 32768 <> 0") == [(6,)]
    assert await ask("select expression, source_field from edge") == [("concat(***)", "f_***")]
    assert await ask("select name from dataset where name like 'raw%'") == [("raw_***",)]
    assert await ask("select what, made_by, why, records::int, rejected::int from redaction") == [
        ("text", "ann", "a slip", 6, 1)
    ]
    for event in events:  # the originals again: known
        assert await intake.take(json.dumps(event).encode()) == Accepted(new=False)
    assert not await intake._vault.keep(said)
    assert isinstance(await intake.take(json.dumps({"job": SECRET}).encode(), "x"), Refused)
    assert await held(pool, SECRET) == set()
    assert await ask("select count::int from rejected") == [(2,)]
    assert (await take_out(text=SECRET)).command is None
    await check(pool)


async def test_what_follows_is_what_the_redacted_events_would_have_made(
    pool: asyncpg.Pool, send: Send, take_out: Taken
) -> None:
    await send(*story(SECRET))
    await take_out(text=SECRET)
    redacted = await read_state(pool)
    async with pool.acquire() as connection:
        for name in redacted:
            await connection.execute(f'delete from "{name}"')
    async with Vault(pool) as vault:  # one that knows nothing of what was here
        for event in story("***"):
            assert await Intake(JUDGE, vault).take(json.dumps(event).encode()) == Accepted(new=True)
    plain = await read_state(pool)
    # Ids and keys are hashes of what was said first, and the command itself is a record.
    for name in ("dataset", "job", "edge_set", "edge", "facet_body", "schema_body", "build", "slot", "table_edge"):
        assert redacted[name] == plain[name], name


async def test_a_server_that_works_meanwhile_forgets_what_is_gone(
    pool: asyncpg.Pool, intake: Intake, send: Send, take_out: Taken
) -> None:
    await send(*story("secret-a"))
    await take_out(text="secret-a")
    # The vault had sent these names, schemas and facets before; now they are said again by other events.
    again = [{**event, "eventTime": event["eventTime"].replace("T10", "T12")} for event in story("secret-a")]
    await send(*again)
    await check(pool)
    assert "facet_body" in await held(pool, "secret-a")
    await take_out(text="secret-a")
    assert await held(pool, "secret-a") == set()
    await check(pool)


async def test_writers_go_on_while_it_is_done(pool: asyncpg.Pool, intake: Intake, send: Send, take_out: Taken) -> None:
    await send(*story("secret-a"))
    bodies = [
        json.dumps(run_event("COMPLETE", minute, minute, outputs=[dataset(f"t{minute}_secret-a")])).encode()
        for minute in range(40)
    ]

    async def write() -> None:
        for body in bodies:
            assert await intake.take(body) == Accepted(new=True)

    done, _ = await asyncio.gather(take_out(text="secret-a"), write())
    assert done.records >= 5
    await check(pool)
    await take_out(text="secret-a")
    await check(pool)
    assert await held(pool, "secret-a") == set()
    for body in bodies:
        assert await intake.take(body) == Accepted(new=False)


async def test_places_of_a_record_are_redacted_and_nothing_else(
    pool: asyncpg.Pool, intake: Intake, send: Send, take_out: Taken, ask: Ask
) -> None:
    events = story("secret-a")
    await send(*events)
    ((identity,),) = await ask("select encode(id, 'hex') from log where event_type = 'FAIL'")
    asked = {"record": identity[:10], "pointers": ["/run/facets/errorMessage/message"]}
    assert (await take_out(dry=True, **asked)).ids == (bytes.fromhex(identity),)
    done = await take_out(**asked)
    assert (done.records, done.rejected) == (1, 0)
    await check(pool)
    ((kept,),) = await ask("select body from log where event_type = 'FAIL'")
    said = json.loads(unpack(kept))["run"]["facets"]["errorMessage"]
    assert (said["message"], said["programmingLanguage"]) == ("***", "x")
    assert await ask("select what, encode(record_id, 'hex'), pointers, records::int from redaction") == [
        ("pointers", identity, ["/run/facets/errorMessage/message"], 1)
    ]
    for event in events:
        assert await intake.take(json.dumps(event).encode()) == Accepted(new=False)
    # A whole facet: its texts go, its shape stays.
    assert (await take_out(record=identity, pointers=["/run/facets/errorMessage"])).records == 1
    await check(pool)
    assert (await take_out(record=identity, pointers=["/run/facets/errorMessage"])).command is None


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"text": "abc"}, "4 to"),
        ({"text": "    "}, "only blanks"),
        ({"text": 12345}, "4 to"),
        ({"text": "****"}, "more of it"),
        ({"text": "space"}, "more of it"),
        ({"text": "2026-03-01T10"}, "can't be folded then"),
        ({"text": "a slip"}, "'why' and 'by'"),
        ({"text": "unresolved"}, "would still stand in rows of"),
        ({}, "give either"),
        ({"text": "abcd", "record": "abcdef"}, "give either"),
        ({"record": "abcdefabcdef", "pointers": ["/job"]}, "no record has"),
        ({"record": "abc", "pointers": ["/job"]}, "a record's id"),
        ({"record": "FAIL", "pointers": ["/job/none"]}, "nothing at /job/none"),
        ({"record": "FAIL", "pointers": ["/eventTime"]}, "can't be folded then"),
        ({"record": "FAIL", "pointers": ["job"]}, "begins with a slash"),
        ({"record": "FAIL", "pointers": []}, "1 to"),
    ],
)
async def test_what_would_leave_a_store_that_holds_no_more_is_refused_and_changes_nothing(
    pool: asyncpg.Pool, send: Send, take_out: Taken, ask: Ask, asked: dict[str, Any], why: str
) -> None:
    unread = own("unresolved", ("x", "unresolved"))
    await send(*story("secret-a"), run_event("COMPLETE", 9, 9, outputs=[dataset("d", lineal_lineage=unread)]))
    ((identity,),) = await ask("select encode(id, 'hex') from log where event_type = 'FAIL'")
    if asked.get("record") == "FAIL":
        asked = {**asked, "record": identity}
    before = await read_state(pool)
    with pytest.raises(CommandRefused, match=why):
        await take_out(**asked)
    assert await read_state(pool) == before
    await check(pool)


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (b'{"no": "json secret-a', b'{"no": "json ***'),
        (b'{"escaped": "secret\\u002da \\u0073ecret-a"}', b'{"escaped": "*** ***"}'),
        (gzip.compress(b'{"a": "secret-a"} ' + bytes(20_000))[:-12], b""),
    ],
)
async def test_refused_bodies_are_redacted_whatever_they_are(
    pool: asyncpg.Pool, intake: Intake, take_out: Taken, ask: Ask, body: bytes, kept: bytes
) -> None:
    coding = "gzip" if body.startswith(b"\x1f\x8b") else ""
    refused = Refused(400, (Fault("/a", "json", "no secret-a", "'secret-a' doesn't hold"),))
    await intake.refuse(body, refused, "secret-a:1", coding=coding)
    await intake.refuse(b'{"innocent": 1}', Refused(400, (Fault("", "json", "x", "y"),)), "file:1")
    assert (await take_out(text="secret-a")).rejected == 1
    assert await held(pool, "secret-a") == set()
    rows = await ask("select body, truncated, message, expected, source from rejected order by message desc")
    assert rows == [
        (b'{"innocent": 1}', False, "y", "x", "file:1"),
        (kept, bool(coding), "redacted", "no ***", "***:1"),
    ]
    await check(pool)


async def test_the_end_of_a_body_that_was_cut_off_may_be_the_beginning_of_the_text(
    intake: Intake, take_out: Taken, ask: Ask
) -> None:
    refused = Refused(413, (Fault("", "size", "less", "more"),))
    await intake.refuse(b'{"a": "top secr', refused, "x", whole=False, size=9_000_000)
    assert (await take_out(text="secret-a")).rejected == 1
    assert await ask("select body from rejected") == [(b'{"a": "top ***',)]


async def test_one_at_a_time(database_url: str) -> None:
    other = await connect(database_url)
    assert await shadow.own_shadow(other)
    async with open_pool(database_url) as pool:
        async with pool.acquire() as connection:
            wanted = await read_wanted(connection, {"text": "secret-a"}, {})
        with pytest.raises(VerifyRunning):
            await redact(pool, JUDGE, wanted)
    await other.close()
