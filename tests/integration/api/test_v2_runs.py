"""Runs across jobs: their states, filters, and pages by cursor."""

from typing import Any
from uuid import UUID

import pytest

ROOT, TASK, LOST, OTHER = 1, 2, 3, 4


def under(job: str, run: int, root: tuple[str, int] | None = None) -> dict[str, Any]:
    """Run facets with a parent."""
    named = {"job": {"namespace": "jobs", "name": job}, "run": {"runId": str(UUID(int=run))}}
    if root is not None:
        named["root"] = {"job": {"namespace": "jobs", "name": root[0]}, "run": {"runId": str(UUID(int=root[1]))}}
    return {"parent": named}


async def states(client: Any, **query: Any) -> list[tuple[str, str]]:
    runs = (await client.get("/api/v2/runs", **query))["runs"]
    return [(run["job"]["name"], run["state"]) for run in runs]


async def test_a_run_without_an_end_is_open_until_its_parent_or_root_has_one(client: Any) -> None:
    await client.run("app", ROOT, event="START", at=0)
    await client.run("app.task", TASK, event="START", at=1, facets=under("app", ROOT))
    await client.run("app.task.query", LOST, event="START", at=2, facets=under("app.task", TASK, ("app", ROOT)))
    assert await states(client) == [("app.task.query", "RUNNING"), ("app.task", "RUNNING"), ("app", "RUNNING")]
    await client.run("app", ROOT, event="FAIL", at=9)
    found = (await client.get("/api/v2/runs"))["runs"]
    assert [(run["state"], run["stateText"]) for run in found] == [
        ("OPEN_PARENT_ENDED", "open, parent ended"),
        ("OPEN_PARENT_ENDED", "open, parent ended"),
        ("FAILED", "failed"),
    ]
    await client.run("app.task", TASK, event="COMPLETE", at=8)
    assert await states(client, state="COMPLETED") == [("app.task", "COMPLETED")]


async def test_a_parent_that_speaks_under_another_name_is_found_by_its_run(client: Any) -> None:
    await client.run("child", TASK, event="START", facets=under("its_own_name", ROOT))
    await client.run("parent", ROOT, event="COMPLETE", at=5)
    assert ("child", "OPEN_PARENT_ENDED") in await states(client)
    await client.run("its_own_name", ROOT, event="START", at=0)
    assert ("child", "RUNNING") in await states(client)


async def test_a_parent_that_was_only_named(client: Any) -> None:
    await client.run("child", TASK, event="START", facets=under("app", ROOT))
    named, child = sorted((await client.get("/api/v2/runs"))["runs"], key=lambda run: run["job"]["name"])
    assert (named["job"]["name"], named["state"], named["onlyNamed"]) == ("app", "NEW", True)
    assert child["parent"] == {"runId": str(UUID(int=ROOT)), "job": {"namespace": "jobs", "name": "app"}}
    assert (child["root"], child["state"]) == (None, "RUNNING")


async def test_children_are_bundled(client: Any) -> None:
    await client.run("app", ROOT, event="START", at=0)
    for number in range(5):
        child = 10 + number
        await client.run("task", child, event="START", at=number + 1, facets=under("app", ROOT))
        if number < 2:
            await client.run("task", child, event="COMPLETE", at=number + 20)
    await client.run("stranger", OTHER, event="START")
    bundle = await client.get("/api/v2/runs", parent=str(UUID(int=ROOT)), limit=2)
    assert (bundle["parent"]["job"]["name"], bundle["states"]) == ("app", {"RUNNING": 3, "COMPLETED": 2})
    assert [run["runId"][-2:] for run in bundle["runs"]] == ["0e", "0d"]
    rest = await client.get("/api/v2/runs", parent=str(UUID(int=ROOT)), limit=9, cursor=bundle["nextCursor"])
    assert ([run["runId"][-2:] for run in rest["runs"]], rest["nextCursor"]) == (["0c", "0b", "0a"], None)


async def test_ends_that_contradict_each_other_and_times_that_run_backwards(client: Any) -> None:
    await client.run("load", ROOT, event="START", at=10)
    await client.run("load", ROOT, event="COMPLETE", at=4)
    await client.run("load", ROOT, event="FAIL", at=5)
    (run,) = (await client.get("/api/v2/runs"))["runs"]
    assert (run["state"], run["endsSeen"], run["conflictingEnds"]) == ("COMPLETED", ["FAIL", "COMPLETE"], True)
    assert (run["durationMs"], run["endsBeforeStart"]) == (None, True)
    await client.run("load", ROOT, event="START", at=1.5)
    (run,) = (await client.get("/api/v2/runs"))["runs"]
    assert (run["durationMs"], run["endsBeforeStart"], run["startedAt"]) == (2500, False, "2026-03-02T12:00:01.500000Z")


async def test_filters(client: Any) -> None:
    await client.run("load", 1, event="COMPLETE", at=1)
    await client.run("load", 2, event="FAIL", at=2)
    await client.run("mend", 2, event="ABORT", at=3)
    await client.run("load", 5, event="START", at=4, namespace="a/b: %2F+ü")
    assert await states(client, namespace="jobs", job="load") == [("load", "FAILED"), ("load", "COMPLETED")]
    assert await states(client, namespace="a/b: %2F+ü") == [("load", "RUNNING")]
    assert await states(client, namespace="a/b: %2F+ü", job="load") == [("load", "RUNNING")]
    assert await states(client, runId=str(UUID(int=2))) == [("mend", "ABORTED"), ("load", "FAILED")]
    assert await states(client, state=["failed", "ABORTED"]) == [("mend", "ABORTED"), ("load", "FAILED")]
    assert await states(client, namespace="jobs", job="none") == []
    assert await states(client, namespace="none") == []


async def test_pages_are_stable_while_runs_come(client: Any) -> None:
    for number in range(7):
        await client.run("load", number, event="COMPLETE" if number % 2 else "START", at=number // 3)
    seen: list[str] = []
    cursor = None
    while True:
        page = await client.get("/api/v2/runs", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [run["runId"] for run in page["runs"]]
        await client.run("load", 100 + len(seen), event="START", at=500)
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert sorted(seen) == [str(UUID(int=number)) for number in range(7)]
    filtered = await client.get("/api/v2/runs", limit=2, state="COMPLETED")
    again = await client.get("/api/v2/runs", limit=2, state="COMPLETED", cursor=filtered["nextCursor"])
    assert (len(filtered["runs"]), len(again["runs"]), again["nextCursor"]) == (2, 1, None)


async def test_a_run_id_that_is_no_uuid(client: Any) -> None:
    event = {
        "eventType": "START",
        "eventTime": "2026-03-02T12:00:00Z",
        "run": {"runId": "scheduled__2026-03-02"},
        "job": {"namespace": "jobs", "name": "load"},
        "producer": "https://example.com/tests",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    }
    await client.post(event)
    (run,) = (await client.get("/api/v2/runs", runId="scheduled__2026-03-02"))["runs"]
    assert run["externalId"] == "scheduled__2026-03-02"


@pytest.mark.parametrize(
    ("query", "status", "kind"),
    [
        ({"job": "load"}, 400, "namespace-missing"),
        ({"state": "DONE"}, 400, "no-such-state"),
        ({"limit": "0"}, 400, "bad-limit"),
        ({"limit": "ten"}, 400, "bad-limit"),
        ({"cursor": "x"}, 400, "bad-cursor"),
        ({"cursor": "WzEsMiwzXQ"}, 400, "bad-cursor"),
        ({"cursor": "bnVsbA"}, 400, "bad-cursor"),
        ({"parent": str(UUID(int=77))}, 404, "no-such-run"),
    ],
)
async def test_what_is_asked_for_badly_is_said(shared: Any, query: dict[str, str], status: int, kind: str) -> None:
    answer = await shared.http.get("/api/v2/runs", params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["type"].endswith(kind)
    assert answer.json()["detail"]
