"""State of datasets by value: schemas, drops, facets, names and text that are hard to keep."""

import json
from datetime import datetime, timezone

from lineal_receiver.ids import NONE, job_id
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.store.packing import unpack

from .asking import EDGES, STATES, Ask, Send, at, edges, fields
from .events import dataset, facet, lineage, run_event, schema


async def test_what_is_said_of_the_future_neither_drops_nor_updates(send: Send, ask: Ask) -> None:
    drop = dataset("b", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    over = dataset("b", lifecycleStateChange=facet(lifecycleStateChange="OVERWRITE"))
    future = {"eventTime": "2999-01-01T00:00:00Z"}
    updated = "select updated_at from job_state where job_id = $1"
    await send(run_event("COMPLETE", 1, 1, "mend", outputs=[drop]) | future)
    assert await ask(updated, job_id("nightly", "mend")) == [(datetime(2999, 1, 1, tzinfo=timezone.utc),)]
    await send(
        run_event("COMPLETE", 1, 4, "app", outputs=[over]) | future,
        run_event("COMPLETE", 3, 3, "mend"),
        run_event("COMPLETE", 2, 2, outputs=[dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))]),
    )
    assert await ask(updated, job_id("nightly", "mend")) == [(at(3),)]
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert (await ask(STATES))[1][1:4] == ("write", None, None)


async def test_what_readers_saw_before_a_drop_is_gone_with_it(send: Send, ask: Ask) -> None:
    drop = run_event(
        "COMPLETE", 5, 2, "app", outputs=[dataset("a", lifecycleStateChange=facet(lifecycleStateChange="DROP"))]
    )
    await send(run_event("COMPLETE", 1, 1, inputs=[dataset("a", schema=schema("x"))]), drop)
    assert (await ask(STATES))[0][1:] == (None, "DROP", True, None)
    await send(run_event("COMPLETE", 2, 3, "late", inputs=[dataset("a", schema=schema("z"))]))
    assert (await ask(STATES))[0][4] is None
    await send(run_event("COMPLETE", 6, 4, "load", inputs=[dataset("a", schema=schema("y"))]))
    found = await ask(STATES)
    assert (found[0][1], fields(found, "a")) == ("read", ["y"])
    assert await ask("select count(*) from schema_body where fields like '[{%' ") == [(4,)]


async def test_without_a_writer_the_schema_is_what_readers_saw(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, 1, "one", inputs=[dataset("a", schema=schema("x", "y"))]),
        run_event("COMPLETE", 2, 2, "two", inputs=[dataset("a", schema=schema("z"))]),
    )
    found = await ask(STATES)
    assert (found[0][1], fields(found, "a")) == ("read", ["x", "y", "z"])
    await send(run_event("COMPLETE", 3, 3, "one", inputs=[dataset("a", schema=schema("x"))]))
    assert sorted(fields(await ask(STATES), "a")) == ["x", "z"]
    await send(run_event("COMPLETE", 0, 4, "load", outputs=[dataset("a", schema=schema("k"))]))
    found = await ask(STATES)
    assert (found[0][1], fields(found, "a")) == ("write", ["k"])


async def test_a_schema_without_fields_says_nothing(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, 1, outputs=[dataset("b", schema=schema("x"))]),
        run_event("COMPLETE", 2, 2, outputs=[dataset("b", schema=facet(fields=[]))]),
    )
    assert fields(await ask(STATES), "b") == ["x"]


async def test_facets_of_the_start_survive_and_only_a_deletion_removes(send: Send, ask: Ask) -> None:
    note = facet(description="kept")
    facets = "select name, deleted from facet where scope_id = $1 and side = 'j'"
    await send(
        run_event("START", 1, job_facets={"documentation": note}),
        run_event("COMPLETE", 2, job_facets={"documentation": None}),
    )
    assert await ask(facets, NONE) == [("documentation", False)]
    await send(run_event("OTHER", 3, job_facets={"documentation": facet(_deleted=True)}))
    assert await ask(facets, NONE) == [("documentation", True)]


async def test_unnamed_namespaces_belong_to_their_job(send: Send, ask: Ask) -> None:
    nameless = {"namespace": "", "name": "/data/x"}
    await send(run_event("COMPLETE", 1, outputs=[nameless]))
    assert ("unnamed://nightly",) in await ask("select name from namespace")


async def test_text_that_postgres_cannot_hold_is_kept(send: Send, ask: Ask, intake: Intake) -> None:
    event = run_event("COMPLETE", 1, outputs=[dataset("b\0", documentation=facet(description="a\0b"))])
    event["job"]["name"] = "j\0"
    raw = json.dumps(event).replace("a\\u0000b", "a\\u0000\\ud800b").encode()
    assert await intake.take(raw) == Accepted(True)
    assert await intake.take(raw) == Accepted(False)
    rows = await ask("select body, body_size(body) from log")
    assert [(unpack(body), size) for body, size in rows] == [(raw, len(raw))]
    assert await ask("select body::jsonb ->> 'description' from facet_body") == [("a\\u0000\\ud800b",)]


async def test_names_may_be_longer_than_an_index_entry(send: Send, ask: Ask, intake: Intake) -> None:
    name = "".join(map(chr, (33 + (k * k + k // 7) % 15000 for k in range(9000)))).encode("utf-8", "ignore").decode()
    event = run_event("COMPLETE", 1, outputs=[dataset(name, columnLineage=lineage(x="a.x"))])
    event["job"] = {"namespace": name, "name": name}
    event["outputs"][0]["namespace"] = name
    await send(event)
    seed = "select e.source_column from column_lineage_edge e where e.target_relation = $1 and e.resolved"
    assert await ask(seed, f"{name}/{name}") == [("x",)]
    refused = await intake.take(
        json.dumps(run_event("COMPLETE", 1, outputs=[dataset("b", **{name: facet(note="x")})])).encode()
    )
    assert isinstance(refused, Refused)
    assert (refused.status, "too long to be indexed" in refused.message) == (422, True)
