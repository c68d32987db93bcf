"""Soft deletion: what is deleted is shown nowhere, until an event that is later than all that were seen."""

from typing import Any
from uuid import UUID

import pytest

JOBS, DATA = "jobs", "data"


async def _delete(client: Any, *segments: str, status: int = 200) -> Any:
    response = await client.http.delete(client.path(*segments))
    assert response.status_code == status, response.text
    return response.json()


async def _delete_job(client: Any, name: str) -> Any:
    return await _delete(client, "namespaces", JOBS, "jobs", name)


async def _delete_dataset(client: Any, name: str) -> Any:
    return await _delete(client, "namespaces", DATA, "datasets", name)


async def _chain(client: Any, *, at: float = 0) -> None:
    """d1 -> j1 -> d2 -> j3 -> d3, with columns."""
    made = client.dataset("d2", "x", lineage={"x": ["d1.x"]})
    await client.run("j1", 1, at=at, inputs=[client.dataset("d1", "x")], outputs=[made])
    made = client.dataset("d3", "x", lineage={"x": ["d2.x"]})
    await client.run("j3", 3, at=at, inputs=[client.dataset("d2", "x")], outputs=[made])


async def _nodes(client: Any, node: str = f"dataset:{DATA}:d1") -> set[str]:
    return {found["id"].split(":")[-1] for found in (await client.get("/api/v1/lineage", nodeId=node))["graph"]}


async def _columns(client: Any, name: str) -> set[str]:
    graph = await client.get("/api/v1/column-lineage", nodeId=f"datasetField:{DATA}:{name}:x", withDownstream="true")
    return {node["data"]["dataset"] for node in graph["graph"]}


async def _jobs(client: Any, namespace: str = JOBS) -> tuple[list[str], int]:
    found = await client.get(client.path("namespaces", namespace, "jobs"))
    return sorted(job["name"] for job in found["jobs"]), found["totalCount"]


async def _datasets(client: Any, namespace: str = DATA) -> tuple[list[str], int]:
    found = await client.get(client.path("namespaces", namespace, "datasets"))
    return [row["name"] for row in found["datasets"]], found["totalCount"]


async def test_a_deleted_job_is_nowhere_and_does_not_connect_the_graph(client: Any) -> None:
    await _chain(client)
    assert await _nodes(client) == {"d1", "j1", "d2", "j3", "d3"}
    assert (await _delete_job(client, "j3"))["name"] == "j3"

    assert await _nodes(client) == {"d1", "j1", "d2"}
    assert await _columns(client, "d1") == {"d1", "d2"}
    assert await _jobs(client) == (["j1"], 1)
    everywhere = await client.get("/api/v1/jobs")
    assert ([job["name"] for job in everywhere["jobs"]], everywhere["totalCount"]) == (["j1"], 1)
    completed = await client.get(client.path("namespaces", JOBS, "jobs"), lastRunStates="COMPLETED")
    assert ([job["name"] for job in completed["jobs"]], completed["totalCount"]) == (["j1"], 1)
    assert (await client.get("/api/v1/search", q="j3"))["totalCount"] == 0
    for path in ("jobs/j3", "jobs/j3/runs", "jobs/j3/versions"):
        await client.get(f"/api/v1/namespaces/{JOBS}/{path}", status=404)
    await client.get("/api/v1/lineage", nodeId=f"job:{JOBS}:j3", status=404)
    shown = await client.get(client.path("namespaces", DATA, "datasets", "d3"))
    assert shown["columnLineage"] is None
    assert (await client.get("/api/v1/stats/jobs", period="DAY"))[-1]["count"] == 1
    await _delete(client, "namespaces", JOBS, "jobs", "j3", status=404)
    runs = (await client.get("/api/v2/runs"))["runs"]
    assert [run["job"]["name"] for run in runs] == ["j1"]
    # What ran is history, and stays.
    assert (await client.get("/api/v1/jobs/runs/00000000-0000-0000-0000-000000000003"))["state"] == "COMPLETED"


async def test_only_an_event_that_is_later_revives_and_history_comes_back_with_it(client: Any) -> None:
    await _chain(client)
    await _delete_job(client, "j3")
    await _chain(client)  # the same events once more
    await client.run("j3", 4, at=-60, outputs=[client.dataset("d4")])
    assert await _nodes(client) == {"d1", "j1", "d2"}
    await client.run("j3", 5, event="START", at=1)
    assert await _nodes(client) == {"d1", "j1", "d2", "j3", "d3", "d4"}
    assert (await client.get(client.path("namespaces", JOBS, "jobs", "j3", "runs")))["totalCount"] == 3


async def test_another_event_of_the_same_time_revives(client: Any) -> None:
    await _chain(client)
    await _delete_job(client, "j3")
    await _delete_dataset(client, "d3")
    await client.run("j3", 6, at=0, outputs=[client.dataset("d3")])
    assert (await _jobs(client))[0] == ["j1", "j3"]
    assert (await _datasets(client))[0] == ["d1", "d2", "d3"]


async def test_a_deleted_dataset_is_nowhere(client: Any) -> None:
    await _chain(client)
    gone = await _delete_dataset(client, "d2")
    assert (gone["name"], gone["fields"][0]["name"], gone["deleted"]) == ("d2", "x", False)
    assert await _nodes(client) == {"d1", "j1"}
    assert await _columns(client, "d3") == {"d3"}
    assert await _datasets(client) == (["d1", "d3"], 2)
    assert (await client.get("/api/v1/search", q="d2"))["totalCount"] == 0
    job = await client.get(client.path("namespaces", JOBS, "jobs", "j3"))
    assert ([row["name"] for row in job["inputs"]], [row["name"] for row in job["outputs"]]) == ([], ["d3"])
    for path in ("datasets/d2", "datasets/d2/versions"):
        await client.get(f"/api/v1/namespaces/{DATA}/{path}", status=404)
    await client.get("/api/v1/lineage", nodeId=f"dataset:{DATA}:d2", status=404)
    await client.run("reader", 9, at=5, inputs=[client.dataset("d2")])
    assert await _datasets(client) == (["d1", "d2", "d3"], 3)
    assert await _nodes(client) == {"d1", "j1", "d2", "j3", "d3", "reader"}


async def test_a_deleted_namespace_hides_all_and_an_event_brings_back_its_own(client: Any) -> None:
    await _chain(client)
    assert (await _delete(client, "namespaces", DATA))["isHidden"] is False
    assert (await client.get(client.path("namespaces", DATA)))["isHidden"] is True
    listed = (await client.get("/api/v1/namespaces"))["namespaces"]
    assert {row["name"]: row["isHidden"] for row in listed}[DATA] is True
    assert await _datasets(client) == ([], 0)
    assert await _nodes(client, f"job:{JOBS}:j1") == {"j1"}
    await client.run("old", 7, at=-1, outputs=[client.dataset("late arrival")])
    assert await _datasets(client) == ([], 0)
    await client.run("new", 8, at=1, outputs=[client.dataset("d3")])
    assert await _datasets(client) == (["d3"], 1)
    assert (await client.get(client.path("namespaces", DATA)))["isHidden"] is False
    await _delete(client, "namespaces", JOBS)
    assert await _jobs(client) == ([], 0)


async def test_what_is_put_again_is_there_again_even_if_its_events_ran_ahead_of_the_clock(client: Any) -> None:
    await client.http.put(client.path("namespaces", DATA), json={"ownerName": "ann"})
    ahead = 365 * 24 * 3600 * 100
    await client.run("j1", 1, at=ahead)  # a hundred years ahead: from the future
    await client.run("j1", 2, at=0, outputs=[client.dataset("d1")])
    await _delete_job(client, "j1")
    await client.run("j1", 3, at=ahead + 1)
    assert await _jobs(client) == ([], 0)
    put = {"type": "BATCH", "inputs": [], "outputs": []}
    assert (await client.http.put(client.path("namespaces", JOBS, "jobs", "j1"), json=put)).status_code == 200
    assert await _jobs(client) == (["j1"], 1)
    await _delete_dataset(client, "d1")
    put = {"type": "DB_TABLE", "physicalName": "d1", "sourceName": "default"}
    assert (await client.http.put(client.path("namespaces", DATA, "datasets", "d1"), json=put)).status_code == 200
    assert await _datasets(client) == (["d1"], 1)
    await _delete(client, "namespaces", DATA)
    assert await _datasets(client) == ([], 0)
    assert (await client.http.put(client.path("namespaces", DATA), json={"ownerName": "bob"})).json()[
        "isHidden"
    ] is False
    assert await _datasets(client) == ([], 0)  # the namespace is back, not what was in it


async def test_what_is_not_there_can_not_be_deleted(client: Any) -> None:
    await _delete(client, "namespaces", "none", status=404)
    await _delete(client, "namespaces", JOBS, "jobs", "none", status=404)
    await _delete(client, "namespaces", DATA, "datasets", "none", status=404)


async def test_pages_and_totals_are_full_of_what_is_left_and_aliases_go_with_their_root(client: Any) -> None:
    for name in "abcdef":
        await client.run(f"j{name}", ord(name), outputs=[client.dataset(name)])
    link = {"symlinks": {"identifiers": [{"namespace": DATA, "name": "z", "type": "TABLE"}]}}
    await client.run("ja", 1, at=1, outputs=[client.dataset("a", facets=link)])
    for name in "acd":
        await _delete_dataset(client, name)
        await _delete_job(client, f"j{name}")
    assert await _datasets(client) == (["b", "e", "f"], 3)
    assert await _jobs(client) == (["jb", "je", "jf"], 3)
    page = await client.get(client.path("namespaces", DATA, "datasets"), limit=2, offset=1)
    assert ([row["name"] for row in page["datasets"]], page["totalCount"]) == (["e", "f"], 3)
    page = await client.get(client.path("namespaces", JOBS, "jobs"), limit=2, offset=1)
    assert (len(page["jobs"]), page["totalCount"]) == (2, 3)
    for name in "az":
        await client.get(f"/api/v1/namespaces/{DATA}/datasets/{name}", status=404)
    summary = await client.get("/api/v2/summary")
    assert (summary["datasets"], summary["jobs"]) == (3, 3)


async def test_a_child_that_was_deleted_is_put_again_by_the_name_that_v1_gives_it(client: Any) -> None:
    await client.http.put("/api/v1/namespaces/jobs", json={"ownerName": "me"})
    parent = {"parent": {"job": {"namespace": "jobs", "name": "dag"}, "run": {"runId": str(UUID(int=9))}}}
    await client.run("task", 1, facets=parent)
    path = "/api/v1/namespaces/jobs/jobs/dag.task"
    assert (await client.http.delete(path)).status_code == 200
    await client.get(path, 404)
    again = await client.http.put(path, json={"type": "BATCH", "inputs": [], "outputs": []})
    assert (again.status_code, again.json()["name"]) == (200, "dag.task")
    listed = (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"]
    assert sorted(job["name"] for job in listed) == ["dag", "dag.task"]
    assert (await client.get(f"{path}/runs"))["totalCount"] == 1


@pytest.mark.parametrize("aliased", [False, True])
async def test_what_stands_beside_it_names_nothing_that_is_deleted(client: Any, aliased: bool) -> None:
    if aliased:
        named = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "x", "type": "TABLE"}]}}
        await client.run("other", 9, outputs=[client.dataset("elsewhere", facets=named, namespace="lake")])
    await _chain(client)
    await _delete_job(client, "j3")
    d2, d3 = (client.path("namespaces", DATA, "datasets", name) for name in ("d2", "d3"))
    assert (await client.get(d3))["columnLineage"] is None
    assert (await client.get(d2))["columnLineage"] is not None
    await _delete_dataset(client, "d1")
    assert (await client.get(d2))["columnLineage"] is None
    job = await client.get(client.path("namespaces", JOBS, "jobs", "j1"))
    assert (job["inputs"], [row["name"] for row in job["outputs"]]) == ([], ["d2"])
    listed = (await client.get(client.path("namespaces", JOBS, "jobs")))["jobs"]
    assert [row["inputs"] for row in listed if row["name"] == "j1"] == [[]]
    await _chain(client, at=60)
    assert (await client.get(d3))["columnLineage"][0]["inputFields"][0]["dataset"] == "d2"
    job = await client.get(client.path("namespaces", JOBS, "jobs", "j1"))
    assert [row["name"] for row in job["inputs"]] == ["d1"]


@pytest.mark.parametrize("asked", ["etl_v1", "etl_v2"])
async def test_a_job_is_deleted_under_all_its_names(client: Any, asked: str) -> None:
    for minute, name in enumerate(("etl_v1", "etl_v2")):
        await client.run(name, 1 + minute, at=60 * minute, outputs=[client.dataset(name)])
    alias = {
        "kind": "job",
        "old": {"namespace": JOBS, "name": "etl_v1"},
        "new": {"namespace": JOBS, "name": "etl_v2"},
    }
    assert (await client.http.post("/api/v2/alias", json=alias)).status_code == 201
    await _delete_job(client, asked)
    assert (await client.get("/api/v1/jobs"))["totalCount"] == 0
    await client.get(client.path("namespaces", JOBS, "jobs", asked), status=404)
    await client.run("etl_v1", 3, at=120, outputs=[client.dataset("again")])
    assert [job["name"] for job in (await client.get("/api/v1/jobs"))["jobs"]] == ["etl_v2"]


async def test_what_a_deleted_job_alone_told_of_columns_is_as_if_it_were_gone(client: Any) -> None:
    await client.run("j1", 1, outputs=[client.dataset("d2", "x", lineage={"x": ["d1.x"], "more": ["d1.y"]})])
    query = {"namespace": DATA, "name": "d2"}

    async def read_columns(name: str, **more: Any) -> dict[str, tuple[str, str | None]]:
        graph = await client.get("/api/v2/lineage", **query | {"name": name}, **more)
        (found,) = [one for one in graph["datasets"] if one["name"] == name]
        return {column["name"]: (column["status"], column["reason"]) for column in found["columns"]}

    assert await read_columns("d2") == {"x": ("traced", None), "more": ("traced", None)}
    assert await read_columns("d1") == {"x": ("source", None), "y": ("source", None)}
    await _delete_job(client, "j1")
    for when in ({}, {"asOf": "2026-03-02T13:00:00Z"}):
        assert await read_columns("d2", **when) == {"x": ("unresolved", "no_column_lineage")}
        assert await read_columns("d1", **when) == {}


async def test_a_column_without_a_name_is_shown(client: Any) -> None:
    fields = {"schema": {"fields": [{"name": "", "type": "INT"}, {"name": "x", "type": "INT"}]}}
    await client.run("j1", 1, outputs=[client.dataset("d1", facets=fields)])
    graph = await client.get("/api/v2/lineage", namespace=DATA, name="d1")
    assert [(one["name"], one["type"], one["status"]) for one in graph["datasets"][0]["columns"]] == [
        ("", "INT", "unresolved"),
        ("x", "INT", "unresolved"),
    ]
