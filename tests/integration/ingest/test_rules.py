"""The merge rules by value: what is in force after which events."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from typing import Any

import asyncpg
import pytest

from lineal_receiver.ids import NONE, job_id, run_uuid
from lineal_receiver.ingest.intake import Accepted, Intake, Refused

from .events import RUN, dataset, dataset_event, facet, job_event, lineage, own, parent, run_event, schema

Send = Callable[..., Awaitable[None]]


@pytest.fixture
def send(intake: Intake) -> Send:
    """Take events one by one."""

    async def send_all(*events: dict[str, Any]) -> None:
        for event in events:
            assert isinstance(await intake.take(json.dumps(event).encode()), Accepted)

    return send_all


@pytest.fixture
def ask(pool: asyncpg.Pool) -> Callable[..., Awaitable[list[tuple[Any, ...]]]]:
    """Rows as tuples."""

    async def fetch(sql: str, *arguments: Any) -> list[tuple[Any, ...]]:
        async with pool.acquire() as connection:
            return [tuple(row) for row in await connection.fetch(sql, *arguments)]

    return fetch


Ask = Callable[..., Awaitable[list[tuple[Any, ...]]]]

EDGES = """
select t.name, e.target_field, s.name, e.source_field, e.last_known
from edge_active as e join dataset as t on t.id = e.target_dataset join dataset as s on s.id = e.source_dataset
order by 1, 2, 3, 4
"""
TABLE_EDGES = """
select s.name, j.name, t.name
from table_edge as e join dataset as t on t.id = e.target_dataset join dataset as s on s.id = e.source_dataset
join job as j on j.id = e.job_id order by 1, 2, 3
"""
SLOTS = """
select d.name, j.name, s.class, s.ended, b.status
from slot as s left join dataset as d on d.id = s.dataset_id left join job as j on j.id = s.job_id
left join build as b on b.id = s.build_id order by 1, 2
"""
RUNS = "select right(run_id::text, 2), start_at, end_at, end_rank, ends_seen from run where not placeholder order by 1"
STATES = """
select d.name, s.schema_origin, s.lifecycle, s.dropped_at > coalesce(s.written_at, '-infinity'), b.fields
from dataset_state as s join dataset as d on d.id = s.dataset_id
left join schema_body as b on b.id = s.schema_id order by 1
"""


def at(minute: int) -> datetime:
    return datetime(2026, 3, 1, 10, minute, tzinfo=timezone.utc)


def edges(*rows: tuple[str, str, str, str]) -> list[tuple[Any, ...]]:
    return [(*row, False) for row in rows]


def fields(found: list[tuple[Any, ...]], name: str) -> list[str]:
    text = next(row[-1] for row in found if row[0] == name)
    return [field["name"] for field in json.loads(text)] if text else []


async def test_while_a_run_is_under_way_its_lineage_is_there(send: Send, ask: Ask) -> None:
    target = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("START", 0, inputs=[dataset("a")], outputs=[target]))
    assert await ask(RUNS) == [("01", at(0), None, None, 0)]
    assert await ask(SLOTS) == [("b", "load", 1, False, "resolved")]
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]
    found = await ask(STATES)
    assert (found[1][1], fields(found, "b")) == ("pending", ["x"])


async def test_a_late_start_fills_in_the_start(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 9), run_event("RUNNING", 3), run_event("START", 1), run_event("START", 5))
    assert await ask(RUNS) == [("01", at(1), at(9), 2, 4)]


async def test_the_earliest_end_decides(send: Send, ask: Ask) -> None:
    # Spark sends FAIL and then COMPLETE; Airflow COMPLETE and then FAIL for a task that was marked by hand
    await send(
        run_event("COMPLETE", 3, run=1), run_event("FAIL", 2, run=1),
        run_event("FAIL", 3, run=2), run_event("COMPLETE", 2, run=2),
        run_event("COMPLETE", 2, run=3), run_event("ABORT", 2, run=3),
    )  # fmt: skip
    assert [(row[0], row[3], row[4]) for row in await ask(RUNS)] == [("01", 0, 5), ("02", 2, 5), ("03", 1, 6)]


async def test_a_failed_run_leaves_the_last_good_one_in_force(send: Send, ask: Ask) -> None:
    good = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    worse = dataset("b", schema=schema("y"), columnLineage=lineage(y="c.y"))
    await send(
        run_event("COMPLETE", 1, run=1, inputs=[dataset("a")], outputs=[good]),
        run_event("START", 2, run=2, inputs=[dataset("c")], outputs=[worse]),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    await send(run_event("FAIL", 3, run=2, inputs=[dataset("c")], outputs=[worse]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]
    assert fields(await ask(STATES), "b") == ["x"]


async def test_what_only_a_failure_names_is_no_write(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, inputs=[dataset("a")], outputs=[dataset("b")]),
        run_event("FAIL", 2, inputs=[dataset("x")], outputs=[dataset("c")]),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]


async def test_an_announced_output_is_never_effective(send: Send, ask: Ask) -> None:
    await send(
        run_event("START", 1, outputs=[dataset("a")]),
        run_event("COMPLETE", 2, outputs=[dataset("b")]),
    )
    rows = await ask(
        "select d.name, i.class, i.announced from run_io i join dataset d on d.id = i.dataset_id order by 1"
    )
    assert rows == [("a", 1, True), ("b", 2, False)]


async def test_an_end_that_names_nothing_confirms_all(send: Send, ask: Ask) -> None:
    await send(run_event("START", 1, outputs=[dataset("a")]), run_event("COMPLETE", 2))
    assert await ask("select class, announced from run_io") == [(2, False)]


async def test_a_dropped_input_goes_and_a_parameterised_job_keeps_its_outputs(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, run=1, inputs=[dataset("a"), dataset("c")], outputs=[dataset("b")]),
        run_event("COMPLETE", 2, run=2, inputs=[dataset("a")], outputs=[dataset("b")]),
        run_event("COMPLETE", 3, run=3, inputs=[dataset("c")], outputs=[dataset("d")]),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "d")]


async def test_an_empty_facet_that_nobody_vouches_for_says_nothing(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", columnLineage=lineage())]),
        run_event("COMPLETE", 3, run=3, outputs=[dataset("b", columnLineage=None)]),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_a_column_that_changed_its_source_loses_the_old_edge(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", columnLineage=lineage(x="c.x"))]),
        run_event("COMPLETE", 1, run=1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))]),
    )
    assert await ask(EDGES) == edges(("b", "x", "c", "x"))
    assert len(await ask("select from build")) == 2


async def test_new_sql_that_cannot_be_read_shows_the_last_known_edges_marked(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    blind = dataset("b", lineal_lineage=own("unresolved", ("x", "unresolved"), sql="q2"))
    await send(run_event("COMPLETE", 1, run=1, outputs=[good]), run_event("COMPLETE", 2, run=2, outputs=[blind]))
    assert await ask(SLOTS) == [("b", "load", 2, False, "unresolved")]
    assert await ask(EDGES) == [("b", "x", "a", "x", True)]
    await send(run_event("COMPLETE", 3, run=3, outputs=[good]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_the_same_sql_read_well_before_stands_in(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", lineal_lineage=own("unresolved", schema_hash=None))]),
    )
    assert await ask(SLOTS) == [("b", "load", 2, False, "resolved")]
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    # other columns in the sources: the old reading doesn't stand in, its edges are only the last known
    other = own("unresolved", ("x", "unresolved"), schema_hash="s2")
    await send(run_event("COMPLETE", 3, run=3, outputs=[dataset("b", lineal_lineage=other)]))
    assert await ask(EDGES) == [("b", "x", "a", "x", True)]


async def test_a_failed_reading_is_kept_but_never_in_force(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", lineal_lineage=own("failed", sql="q9"))]),
    )
    assert await ask(SLOTS) == [("b", "load", 2, False, "resolved")]
    assert sorted(await ask("select status from build")) == [("failed",), ("resolved",)]


async def test_several_writers_are_united_and_an_overwrite_ends_the_others(send: Send, ask: Ask) -> None:
    create, overwrite = (facet(lifecycleStateChange=change) for change in ("CREATE", "OVERWRITE"))
    await send(
        run_event("COMPLETE", 1, 1, "load", outputs=[dataset("b", columnLineage=lineage(x="a.x"))]),
        run_event(
            "COMPLETE",
            2,
            2,
            "mend",
            outputs=[dataset("b", columnLineage=lineage(x="c.x"), lifecycleStateChange=create)],
        ),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "x", "c", "x"))
    part = dataset("b", columnLineage=lineage(y="c.y"), lifecycleStateChange=overwrite)
    subset = facet(outputCondition={"type": "location", "locations": ["x"]})
    await send(run_event("COMPLETE", 3, 3, "mend", outputs=[part | {"outputFacets": {"subset": subset}}]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "y", "c", "y"))
    await send(run_event("COMPLETE", 4, 4, "mend", outputs=[part]))
    assert await ask(EDGES) == edges(("b", "y", "c", "y"))
    assert await ask(SLOTS) == [("b", "load", 2, True, "resolved"), ("b", "mend", 2, False, "resolved")]


async def test_a_drop_ends_slots_and_schema_until_the_next_write(send: Send, ask: Ask) -> None:
    drop = facet(lifecycleStateChange="DROP")
    written = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[written]),
        run_event("COMPLETE", 2, 2, "app", outputs=[dataset("b", lifecycleStateChange=drop)]),
    )
    assert await ask(EDGES) == []
    assert await ask(TABLE_EDGES) == []
    assert (await ask(STATES))[1][1:] == (None, "DROP", True, None)
    await send(run_event("COMPLETE", 3, 3, inputs=[dataset("b")]))  # reading doesn't revive
    assert (await ask(STATES))[1][3] is True
    await send(run_event("COMPLETE", 4, 4, inputs=[dataset("a")], outputs=[written]))
    assert (await ask(STATES))[1][1:4] == ("write", None, False)
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_writes_under_one_parent_count_together_until_the_next_parent(send: Send, ask: Ask) -> None:
    def write(minute: int, run: int, under: int, source: str) -> dict[str, Any]:
        target = dataset("b", columnLineage=lineage(x=f"{source}.x"))
        facets = {"parent": parent(under, "app")}
        return run_event("COMPLETE", minute, run, inputs=[dataset(source)], outputs=[target], run_facets=facets)

    await send(write(1, 1, 8, "a"), write(2, 2, 8, "c"))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "x", "c", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "b")]
    await send(write(3, 3, 9, "c"))
    assert await ask(EDGES) == edges(("b", "x", "c", "x"))


async def test_a_drop_in_between_ends_the_writes_before_it_whenever_it_comes(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app")}
    drop = dataset("b", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("b")], run_facets=facets),
        run_event("COMPLETE", 5, 2, inputs=[dataset("c")], outputs=[dataset("b")], run_facets=facets),
        run_event("COMPLETE", 3, 3, "mend", outputs=[drop]),
    )
    assert await ask(TABLE_EDGES) == [("c", "load", "b")]
    await send(run_event("FAIL", 2, 3, "mend"))  # it wasn't dropped after all
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "b")]


async def test_mapped_tasks_do_not_cross(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app")}
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("orders")], outputs=[dataset("copy_orders")], run_facets=facets),
        run_event("COMPLETE", 1, 2, inputs=[dataset("people")], outputs=[dataset("copy_people")], run_facets=facets),
    )
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy_orders"), ("people", "load", "copy_people")]


async def test_an_open_stream_is_effective_even_if_its_type_comes_late(send: Send, ask: Ask) -> None:
    target = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("START", 1, inputs=[dataset("a")], outputs=[target]))
    assert (await ask(SLOTS))[0][2] == 1
    stream = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
    await send(run_event("RUNNING", 2, job_facets=stream))
    assert (await ask(SLOTS))[0][2] == 2
    assert (await ask(STATES))[1][1] == "write"
    assert await ask("select cardinality(outputs) from job_version") == [(1,)]
    other = run_event("RUNNING", 3, inputs=[dataset("c")], outputs=[dataset("b")], job_facets=stream)
    await send(other, other | {"eventTime": "2026-03-01T10:04:00Z", "inputs": [], "outputs": []})
    rows = await ask("select cardinality(inputs), cardinality(outputs) from job_version order by 1")
    assert rows == [(1, 1), (2, 1)]


async def test_a_run_that_is_no_stream_after_all_makes_no_version(send: Send, ask: Ask) -> None:
    stream, batch = ({"jobType": facet(processingType=kind, integration="X")} for kind in ("STREAMING", "BATCH"))
    statement = run_event("RUNNING", 1, inputs=[dataset("a")], job_facets=stream)
    await send(statement, run_event("RUNNING", 2, job_facets=batch))
    assert await ask("select version_id from run") == [(None,)]


async def test_static_events_make_edges_until_a_job_writes(send: Send, ask: Ask) -> None:
    await send(
        job_event(1, "dashboard", [dataset("a")], [dataset("b")]),
        dataset_event(1, dataset("c", schema=schema("x"), columnLineage=lineage(x="a.x"))),
    )
    assert await ask(TABLE_EDGES) == [("a", "dashboard", "b")]
    assert await ask(EDGES) == edges(("c", "x", "a", "x"))
    await send(run_event("COMPLETE", 2, outputs=[dataset("c", columnLineage=lineage(x="b.x"))]))
    assert await ask(EDGES) == edges(("c", "x", "b", "x"))


async def test_a_job_that_writes_nothing_has_a_slot_for_itself(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, 1, "check", inputs=[dataset("a")]),
        run_event("START", 2, 2, "check", inputs=[dataset("b")]),
    )
    rows = await ask("select dataset_id, right(run_id::text, 2), class from slot")
    assert rows == [(NONE, "01", 2)]
    reads = "select d.name from table_edge e join dataset d on d.id = e.source_dataset where e.target_dataset = $1"
    assert await ask(reads, NONE) == [("a",)]
    await send(run_event("COMPLETE", 3, 3, "check", outputs=[dataset("c")]))
    assert [(row[0] == NONE) for row in await ask("select dataset_id from slot")] == [False]
    assert await ask(reads, NONE) == []


async def test_parents_are_placeholders_until_they_speak(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app", (9, "dag"))}
    await send(run_event("START", 5, 1, run_facets=facets))
    placeholders = "select j.name, r.placeholder, r.first_at from run r join job j on j.id = r.job_id order by 1"
    assert await ask(placeholders) == [("app", True, at(5)), ("dag", True, at(5)), ("load", False, at(5))]
    await send(run_event("COMPLETE", 7, 8, "app"))
    assert (await ask(placeholders))[0] == ("app", False, at(7))
    assert await ask("select n from total where kind = 'jobs' and scope = $1", NONE) == [(3,)]
    assert await ask("select placeholder from job_state where job_id = $1", job_id("nightly", "app")) == [(False,)]


async def test_an_event_from_the_future_ranks_behind_every_sane_one(send: Send, ask: Ask) -> None:
    late = dataset("b", schema=schema("y"), columnLineage=lineage(y="c.y"))
    await send(run_event("COMPLETE", 1, 1, outputs=[late]) | {"eventTime": "2999-01-01T00:00:00Z"})
    assert await ask(EDGES) == edges(("b", "y", "c", "y"))
    sane = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("COMPLETE", 1, 2, outputs=[sane]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert fields(await ask(STATES), "b") == ["x"]


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


async def test_two_listings_of_one_output_are_one(send: Send, ask: Ask) -> None:
    twice = [dataset("b", schema=schema("x")), dataset("b", columnLineage=lineage(x="b.x"))]
    await send(run_event("COMPLETE", 1, inputs=[dataset("b")], outputs=twice))
    assert await ask(EDGES) == edges(("b", "x", "b", "x"))
    assert await ask(TABLE_EDGES) == [("b", "load", "b")]


async def test_the_parent_under_its_old_key(send: Send, ask: Ask) -> None:
    await send(run_event("START", 5, 1, run_facets={"parentRun": parent(8, "app")}))
    assert await ask("select right(parent_run::text, 2) from run where not placeholder") == [("08",)]


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


async def test_a_run_id_that_is_no_uuid_is_kept(send: Send, ask: Ask) -> None:
    event = run_event("START", 1)
    event["run"]["runId"] = "manual__2026"
    await send(event)
    assert await ask("select run_id, external_id from run") == [run_uuid("manual__2026")]


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
    assert await ask("select body from log") == [(raw,)]
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


async def test_the_seed_query(send: Send, ask: Ask) -> None:
    facts = own("partial", ("amount", "traced"), ("share", "unresolved"), model="orders")
    target = dataset("orders", columnLineage=lineage(amount="raw.price"), lineal_lineage=facts)
    await send(run_event("COMPLETE", 1, inputs=[dataset("raw")], outputs=[target]))
    query = """
    select e.source_relation, e.source_column, e.target_relation, e.target_column, e.expression, e.resolved from
    column_lineage_edge e join lineage_build b on b.id = e.build_id and b.is_active where e.target_relation = $1
    """
    assert sorted(await ask(query, "model.shop.orders"), key=str) == [
        ("postgres://db.example:5432/raw", "price", "model.shop.orders", "amount", "amount_x", True),
        (None, None, "model.shop.orders", "share", "share_x", False),
    ]


async def test_the_same_event_again_changes_nothing(send: Send, ask: Ask, intake: Intake, pool: asyncpg.Pool) -> None:
    from .conftest import read_state

    event = run_event("COMPLETE", 1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))])
    await send(event)
    before = await read_state(pool)
    for body in (json.dumps(event, indent=2), json.dumps(dict(reversed(event.items())))):
        assert await intake.take(body.encode()) == Accepted(False)
    assert await read_state(pool) == before


async def test_job_versions_come_with_ends_and_follow_late_facts(send: Send, ask: Ask) -> None:
    counted = "cardinality(inputs), cardinality(outputs)"
    versions = f"select {counted}, created_at, right(run_id::text, 2) from job_version order by 3"
    await send(run_event("COMPLETE", 5, 1, outputs=[dataset("b")]))
    assert await ask(versions) == [(0, 1, at(5), "01")]
    await send(run_event("START", 1, 1, inputs=[dataset("a")]))
    assert await ask(versions) == [(1, 1, at(5), "01")]
    await send(run_event("COMPLETE", 7, 2, inputs=[dataset("a")], outputs=[dataset("b")]))
    assert await ask(versions) == [(1, 1, at(5), "01")]
    await send(job_event(2, "load", [dataset("a")], [dataset("b")]))
    assert await ask(versions) == [(1, 1, at(2), None)]


async def test_one_run_id_under_two_jobs_is_two_runs(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, 1, "load"), run_event("FAIL", 1, 1, "mend"))
    assert await ask(f"select count(*) from run where run_id = '{RUN}01'") == [(2,)]
