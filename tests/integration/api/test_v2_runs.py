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


async def test_a_message_with_a_long_trace_behind_it_is_told(client: Any) -> None:
    why = {"message": "no column x", "programmingLanguage": "SQL", "stackTrace": "x" * 70_000}
    await client.run("load", ROOT, event="FAIL", facets={"errorMessage": why})
    (run,) = (await client.get("/api/v2/runs"))["runs"]
    assert run["error"] == "no column x"


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
        await client.run("load", 10 + number, event="COMPLETE" if number % 2 else "START", at=number // 3)
    seen: list[str] = []
    cursor = None
    while True:
        page = await client.get("/api/v2/runs", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [run["runId"] for run in page["runs"]]
        await client.run("load", 100 + len(seen), event="START", at=500)
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert sorted(seen) == [str(UUID(int=10 + number)) for number in range(7)]
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


async def test_one_id_under_two_jobs_is_two_runs_and_both_say_so(client: Any) -> None:
    await client.run("one", ROOT, at=5)
    await client.run("two", ROOT, event="START", at=3)
    await client.run("three", TASK, at=1, facets=under("only_named", OTHER))
    await client.run("four", OTHER, at=0)
    shared = {run["job"]["name"]: run["sharedRunId"] for run in (await client.get("/api/v2/runs"))["runs"]}
    assert shared == {"one": True, "two": True, "three": False, "four": False, "only_named": False}
    both = (await client.get("/api/v2/runs", runId=str(UUID(int=ROOT))))["runs"]
    assert [run["job"]["name"] for run in both] == ["one", "two"]
    assert (await client.get(f"/api/v1/jobs/runs/{UUID(int=ROOT)}"))["jobVersion"] is None  # the earliest: two's
    for old, new in (("one", "uno"), ("two", "uno")):
        body = {"kind": "job", "old": {"namespace": "jobs", "name": old}, "new": {"namespace": "jobs", "name": new}}
        assert (await client.http.post("/api/v2/alias", json=body)).status_code < 300
    both = (await client.get("/api/v2/runs", runId=str(UUID(int=ROOT))))["runs"]
    assert [run["sharedRunId"] for run in both] == [False, False]


async def test_runs_from_the_future_are_listed_last(client: Any) -> None:
    ahead = 100 * 365 * 24 * 3600
    for number, at in enumerate((0, ahead, 5, ahead + 9)):
        await client.run(f"j{number}", 10 + number, at=at)
        await client.run("same", 20 + number, at=at)
    names = []
    cursor = None
    while cursor is not None or not names:
        page = await client.get("/api/v2/runs", limit=3, **({"cursor": cursor} if cursor else {}))
        names += [run["runId"][-2:] for run in page["runs"]]
        cursor = page["nextCursor"]
    assert {*names[:4]} == {"0a", "0c", "14", "16"}
    assert names[4:6] in (["0d", "17"], ["17", "0d"])
    for query in ({}, {"limit": 1}):
        listed = (await client.get("/api/v2/runs", namespace="jobs", job="same", **query))["runs"]
        assert [run["runId"][-2:] for run in listed][:4] == ["16", "14", "17", "15"][: query.get("limit", 4)]
    v1 = (await client.get("/api/v1/namespaces/jobs/jobs/same/runs"))["runs"]
    assert [run["id"][-2:] for run in v1] == ["16", "14", "17", "15"]
    jobs = (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"]
    assert {job["name"] for job in jobs[3:]} == {"j1", "j3"}
    found = (await client.get("/api/v1/search", q="j", sort="UPDATE_AT", filter="JOB"))["results"]
    assert [one["name"] for one in found] == ["j2", "j0", "j3", "j1"]


async def test_the_nil_id_is_found_as_it_was_sent(client: Any) -> None:
    """Though it stands for static events in the store, which the same job can have."""
    nil = str(UUID(int=0))
    event = {
        "eventTime": "2026-03-02T12:00:00Z",
        "producer": "https://example.com/tests",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
        "job": {"namespace": "jobs", "name": "j"},
        "outputs": [client.dataset("d")],
    }
    await client.post(event)
    await client.run("j", UUID(int=0), outputs=[client.dataset("d", "x")])
    (run,) = (await client.get("/api/v2/runs", runId=nil))["runs"]
    assert (run["externalId"], run["state"]) == (nil, "COMPLETED")
    assert (await client.get(f"/api/v1/jobs/runs/{nil}"))["id"] == run["runId"]
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    assert [(one["createdByRun"] or {}).get("id") for one in versions].count(run["runId"]) == 1
