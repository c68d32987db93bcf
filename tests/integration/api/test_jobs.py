"""Jobs: the list, one, its names, states, versions and runs."""

from typing import Any
from uuid import UUID

PARENT = {"run": {"runId": str(UUID(int=99))}, "job": {"namespace": "jobs", "name": "dag"}}


async def test_a_job_with_everything(client: Any) -> None:
    await client.run(
        "load",
        1,
        event="START",
        inputs=[client.dataset("a")],
        job_facets={
            "documentation": {"description": "Loads."},
            "sourceCodeLocation": {"type": "git", "url": "https://example.com/load.py"},
            "jobType": {"processingType": "BATCH", "integration": "DBT", "jobType": "MODEL"},
        },
    )
    await client.run("load", 1, at=60, outputs=[client.dataset("b")])
    job = await client.get("/api/v1/namespaces/jobs/jobs/load")
    facets = job.pop("facets")
    assert facets["documentation"]["description"] == "Loads."
    latest = job.pop("latestRun")
    assert job.pop("latestRuns") == [latest]
    assert (latest["state"], latest["startedAt"], latest["endedAt"], latest["durationMs"]) == (
        "COMPLETED",
        "2026-03-02T12:00:00Z",
        "2026-03-02T12:01:00Z",
        60_000,
    )
    assert UUID(job.pop("currentVersion"))
    assert job == {
        "id": {"namespace": "jobs", "name": "load"},
        "type": "BATCH",
        "name": "load",
        "simpleName": "load",
        "parentJobName": None,
        "parentJobUuid": None,
        "createdAt": "2026-03-02T12:00:00Z",
        "updatedAt": "2026-03-02T12:01:00Z",
        "namespace": "jobs",
        "inputs": [{"namespace": "data", "name": "a"}],
        "outputs": [{"namespace": "data", "name": "b"}],
        "location": "https://example.com/load.py",
        "description": "Loads.",
        "labels": ["MODEL", "DBT"],
        "tags": [],
    }


async def test_jobs_are_listed_by_update_with_right_totals(client: Any) -> None:
    for number in range(5):
        await client.run(f"j{number}", number + 1, at=number)
    await client.run("j0", 9, at=100)
    await client.run("elsewhere", 10, at=50, namespace="other")
    page = await client.get("/api/v1/namespaces/jobs/jobs", limit=2, offset=1)
    assert ([job["name"] for job in page["jobs"]], page["totalCount"]) == (["j4", "j3"], 5)
    everywhere = await client.get("/api/v1/jobs")
    names = [job["name"] for job in everywhere["jobs"]]
    assert (names, everywhere["totalCount"]) == (["j0", "elsewhere", "j4", "j3", "j2", "j1"], 6)
    assert await client.get("/api/v1/namespaces/nothing/jobs") == {"jobs": [], "totalCount": 0}


async def test_jobs_by_the_state_of_their_newest_run_with_that_total(client: Any) -> None:
    await client.run("good", 1, event="FAIL", at=0)
    await client.run("good", 2, event="COMPLETE", at=10)
    await client.run("bad", 3, event="FAIL", at=20)
    await client.run("open", 4, event="START", at=30)
    failed = await client.get("/api/v1/jobs?lastRunStates=FAILED")
    assert ([job["name"] for job in failed["jobs"]], failed["totalCount"]) == (["bad"], 1)
    two = await client.get("/api/v1/namespaces/jobs/jobs?lastRunStates=RUNNING&lastRunStates=COMPLETED&limit=1")
    assert ([job["name"] for job in two["jobs"]], two["totalCount"]) == (["open"], 2)


async def test_a_child_is_called_by_its_parent_and_found_by_both_names(client: Any) -> None:
    await client.run("task", 1, facets={"parent": PARENT})
    for name in ("dag.task", "task"):
        job = await client.get(f"/api/v1/namespaces/jobs/jobs/{name}")
        assert (job["name"], job["simpleName"], job["parentJobName"]) == ("dag.task", "task", "dag")
    parent = await client.get("/api/v1/namespaces/jobs/jobs/dag")
    assert job["parentJobUuid"] is not None
    assert (parent["parentJobName"], parent["latestRun"]["state"]) == (None, "NEW")
    runs = await client.get("/api/v1/namespaces/jobs/jobs/dag/runs")
    assert ([run["id"] for run in runs["runs"]], runs["totalCount"]) == ([PARENT["run"]["runId"]], 1)
    graph = await client.get("/api/v1/lineage?nodeId=job:jobs:dag.task")
    assert [node["id"] for node in graph["graph"]] == ["job:jobs:dag.task"]


async def test_a_name_as_sent_comes_before_one_that_is_made(client: Any) -> None:
    await client.run("task", 1, facets={"parent": PARENT})
    await client.run("dag.task", 2, at=5)
    job = await client.get("/api/v1/namespaces/jobs/jobs/dag.task")
    assert job["latestRun"]["id"] == str(UUID(int=2))


async def test_without_runs_the_latest_runs_are_null(client: Any) -> None:
    await client.post(
        {
            "eventTime": client.noon.isoformat(),
            "job": {"namespace": "jobs", "name": "declared"},
            "inputs": [client.dataset("a")],
            "outputs": [],
            "producer": "https://example.com",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
        }
    )
    job = await client.get("/api/v1/namespaces/jobs/jobs/declared")
    assert (job["latestRun"], job["latestRuns"], job["tags"], job["facets"]) == (None, None, [], {})
    assert job["inputs"] == [{"namespace": "data", "name": "a"}]


async def test_ten_latest_runs_newest_first(client: Any) -> None:
    for number in range(12):
        await client.run("busy", number + 1, at=number)
    job = await client.get("/api/v1/namespaces/jobs/jobs/busy")
    assert [run["id"] for run in job["latestRuns"]] == [str(UUID(int=number)) for number in range(12, 2, -1)]
    runs = await client.get("/api/v1/namespaces/jobs/jobs/busy/runs", limit=3, offset=10)
    assert ([run["id"] for run in runs["runs"]], runs["totalCount"]) == ([str(UUID(int=2)), str(UUID(int=1))], 12)


async def test_a_version_for_each_set_of_datasets_with_its_last_run(client: Any) -> None:
    for number, outputs in enumerate((["a"], ["b"], ["a"])):
        await client.run("j", number + 1, at=number, outputs=[client.dataset(name) for name in outputs])
    versions = (await client.get("/api/v1/namespaces/jobs/jobs/j/versions"))["versions"]
    assert sorted(version["outputs"][0]["name"] for version in versions) == ["a", "b"]
    assert {version["outputs"][0]["name"]: version["latestRun"]["id"] for version in versions} == {
        "a": str(UUID(int=3)),
        "b": str(UUID(int=2)),
    }
    one = await client.get(f"/api/v1/namespaces/jobs/jobs/j/versions/{versions[0]['version']}")
    assert one == versions[0]
    runs = (await client.get("/api/v1/namespaces/jobs/jobs/j/runs"))["runs"]
    assert runs[0]["jobVersion"]["version"] == runs[2]["jobVersion"]["version"] != runs[1]["jobVersion"]["version"]


async def test_lists_show_the_facets_of_the_newest_run(client: Any) -> None:
    kind = {"jobType": {"processingType": "BATCH", "integration": "DBT", "jobType": "MODEL"}}
    await client.run("j", 1, job_facets=kind)
    await client.run("j", 2, at=9)
    listed = (await client.get("/api/v1/jobs"))["jobs"][0]
    alone = await client.get("/api/v1/namespaces/jobs/jobs/j")
    assert (listed["labels"], alone["labels"]) == ([], ["MODEL", "DBT"])
