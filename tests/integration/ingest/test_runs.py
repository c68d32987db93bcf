"""Runs by value: states, times, parents, versions of jobs."""

import json

import asyncpg

from lineal_receiver.ids import NONE, job_id, run_uuid
from lineal_receiver.ingest.intake import Accepted, Intake

from .asking import EDGES, RUNS, STATES, Ask, Send, at, edges, fields
from .conftest import read_state
from .events import RUN, dataset, facet, job_event, lineage, parent, run_event, schema


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


async def test_parents_are_placeholders_until_they_speak(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app", (9, "dag"))}
    await send(run_event("START", 5, 1, run_facets=facets))
    placeholders = "select j.name, r.placeholder, r.first_at from run r join job j on j.id = r.job_id order by 1"
    assert await ask(placeholders) == [("app", True, at(5)), ("dag", True, at(5)), ("load", False, at(5))]
    await send(run_event("COMPLETE", 7, 8, "app"))
    assert (await ask(placeholders))[0] == ("app", False, at(7))
    assert await ask("select n from total where kind = 'jobs' and scope = $1", NONE) == [(3,)]
    assert await ask("select placeholder from job_state where job_id = $1", job_id("nightly", "app")) == [(False,)]


async def test_the_parent_under_its_old_key(send: Send, ask: Ask) -> None:
    await send(run_event("START", 5, 1, run_facets={"parentRun": parent(8, "app")}))
    assert await ask("select right(parent_run::text, 2) from run where not placeholder") == [("08",)]


async def test_a_run_id_that_is_no_uuid_is_kept(send: Send, ask: Ask) -> None:
    event = run_event("START", 1)
    event["run"]["runId"] = "manual__2026"
    await send(event)
    assert await ask("select run_id, external_id from run") == [run_uuid("manual__2026")]


async def test_one_run_id_under_two_jobs_is_two_runs(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, 1, "load"), run_event("FAIL", 1, 1, "mend"))
    assert await ask(f"select count(*) from run where run_id = '{RUN}01'") == [(2,)]


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


async def test_a_run_that_is_no_stream_after_all_makes_no_version(send: Send, ask: Ask) -> None:
    stream, batch = ({"jobType": facet(processingType=kind, integration="X")} for kind in ("STREAMING", "BATCH"))
    statement = run_event("RUNNING", 1, inputs=[dataset("a")], job_facets=stream)
    await send(statement, run_event("RUNNING", 2, job_facets=batch))
    assert await ask("select version_id from run") == [(None,)]


async def test_an_event_from_the_future_ranks_behind_every_sane_one(send: Send, ask: Ask) -> None:
    late = dataset("b", schema=schema("y"), columnLineage=lineage(y="c.y"))
    await send(run_event("COMPLETE", 1, 1, outputs=[late]) | {"eventTime": "2999-01-01T00:00:00Z"})
    assert await ask(EDGES) == edges(("b", "y", "c", "y"))
    sane = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("COMPLETE", 1, 2, outputs=[sane]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert fields(await ask(STATES), "b") == ["x"]


async def test_the_same_event_again_changes_nothing(send: Send, ask: Ask, intake: Intake, pool: asyncpg.Pool) -> None:
    event = run_event("COMPLETE", 1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))])
    await send(event)
    before = await read_state(pool)
    for body in (json.dumps(event, indent=2), json.dumps(dict(reversed(event.items())))):
        assert await intake.take(body.encode()) == Accepted(False)
    assert await read_state(pool) == before
