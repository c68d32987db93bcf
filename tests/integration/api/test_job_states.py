"""Jobs by the state of their newest run: right totals, whatever the order of events and the jobs' names."""

from typing import Any

from .conftest import Client, stamp


async def listed(client: Client, *states: str, **query: Any) -> tuple[list[str], int]:
    """The names of the jobs with these states, and how many there are said to be."""
    found = await client.get("/api/v1/jobs", lastRunStates=list(states), **query)
    return [job["name"] for job in found["jobs"]], found["totalCount"]


async def test_the_newest_run_counts_however_events_come(client: Client) -> None:
    await client.run("late", 2, at=20)
    await client.run("late", 1, event="START", at=1)
    await client.run("late", 1, event="FAIL", at=10)
    await client.run("worse", 3, event="START", at=1)
    await client.run("worse", 3, event="FAIL", at=30)
    await client.run("again", 4, event="ABORT", at=2)
    await client.run("again", 5, event="START", at=40)
    assert await listed(client, "COMPLETED") == (["late"], 1)
    assert await listed(client, "FAILED") == (["worse"], 1)
    assert await listed(client, "RUNNING") == (["again"], 1)
    assert await listed(client, "ABORTED") == ([], 0)
    assert await listed(client, "RUNNING", "FAILED", "COMPLETED") == (["again", "worse", "late"], 3)
    assert await listed(client, "RUNNING", "FAILED", "COMPLETED", limit=1, offset=1) == (["worse"], 3)
    await client.run("again", 5, event="COMPLETE", at=50)
    assert await listed(client, "RUNNING") == ([], 0)
    await client.run("late", 6, event="OTHER", at=60)
    assert await listed(client, "RUNNING") == (["late"], 1)


async def test_a_job_that_is_only_named_as_a_parent_is_new_until_it_speaks(client: Client) -> None:
    parent = {"parent": {"run": {"runId": f"{9:032}"}, "job": {"namespace": "jobs", "name": "dag"}}}
    await client.run("task", 1, event="START", at=1, facets=stamp(parent))
    assert await listed(client, "NEW") == (["dag"], 1)
    await client.run("dag", 9, event="START", at=0)
    assert await listed(client, "NEW") == ([], 0)
    assert sorted((await listed(client, "RUNNING"))[0]) == ["dag", "dag.task"]


async def test_namespaces_deletions_and_aliases(client: Client) -> None:
    await client.run("one", 1, at=1, namespace="a")
    await client.run("two", 2, at=2, namespace="b")
    await client.run("old", 3, event="FAIL", at=3, namespace="b")
    for namespace, names in (("a", ["one"]), ("b", ["two"])):
        found = await client.get(f"/api/v1/namespaces/{namespace}/jobs", lastRunStates="COMPLETED")
        assert ([job["name"] for job in found["jobs"]], found["totalCount"]) == (names, 1)
    body = {"kind": "job", "old": "b:old", "new": "b:two"}
    assert (await client.http.post("/api/v2/alias", json=body)).status_code == 201
    assert await listed(client, "COMPLETED") == (["one"], 1)  # the newest run of both names failed
    assert await listed(client, "FAILED") == (["two"], 1)
    assert (await client.http.delete("/api/v1/namespaces/a/jobs/one")).status_code == 200
    assert await listed(client, "COMPLETED") == ([], 0)


async def test_states_that_few_have(client: Client) -> None:
    many = 30
    for number in range(many):
        await client.run(f"j{number}", number + 1, event="FAIL" if number == 7 else "COMPLETE", at=number)
    assert await listed(client, "FAILED") == (["j7"], 1)
    assert (await listed(client, "COMPLETED", limit=3))[1] == many - 1
    await client.run("j3", 99, event="FAIL", at=99)
    assert await listed(client, "FAILED") == (["j3", "j7"], 2)
