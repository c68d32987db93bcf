"""What Marquez gets wrong about runs, jobs and the lineage in force, and what is right instead."""

from datetime import timedelta
from typing import Any
from uuid import UUID


def _parent(run: int, job: str = "dag") -> dict[str, Any]:
    return {"parent": {"run": {"runId": str(UUID(int=run))}, "job": {"namespace": "jobs", "name": job}}}


async def _ids(client: Any, query: str) -> list[str]:
    return [node["id"] for node in (await client.get(f"/api/v1/lineage?{query}"))["graph"]]


async def _run(client: Any, run: int) -> Any:
    return await client.get(f"/api/v1/jobs/runs/{UUID(int=run)}")


async def test_a_late_start_does_not_reopen_a_run(client: Any) -> None:
    await client.run("j", 1, at=60)
    await client.run("j", 1, at=0, event="START")
    run = await _run(client, 1)
    assert (run["state"], run["startedAt"], run["endedAt"], run["durationMs"]) == (
        "COMPLETED",
        "2026-03-02T12:00:00Z",
        "2026-03-02T12:01:00Z",
        60_000,
    )
    job = await client.get("/api/v1/namespaces/jobs/jobs/j")
    assert (job["latestRun"]["state"], job["updatedAt"]) == ("COMPLETED", "2026-03-02T12:01:00Z")


async def test_a_second_start_does_not_move_the_start(client: Any) -> None:
    for event, at in (("START", 300), ("START", 0), ("RUNNING", 360), ("COMPLETE", 600)):
        await client.run("j", 1, at=at, event=event)
    run = await _run(client, 1)
    assert (run["startedAt"], run["durationMs"]) == ("2026-03-02T12:00:00Z", 600_000)


async def test_a_run_without_start_has_no_duration_out_of_thin_air(client: Any) -> None:
    await client.run("j", 1, at=60)
    run = await _run(client, 1)
    assert (run["startedAt"], run["endedAt"], run["durationMs"]) == (None, "2026-03-02T12:01:00Z", None)


async def test_an_open_run_has_no_end(client: Any) -> None:
    await client.run("j", 1, event="START")
    run = await _run(client, 1)
    assert (run["state"], run["endedAt"], run["durationMs"]) == ("RUNNING", None, None)


async def test_nominal_times_are_those_of_the_facet(client: Any) -> None:
    facets = {"nominalTime": {"nominalStartTime": "2026-03-02T01:00:00+01:00"}}
    await client.run("j", 1, event="START", facets=facets)
    await client.run("j", 1, at=5)
    run = await _run(client, 1)
    assert (run["nominalStartTime"], run["nominalEndTime"]) == ("2026-03-02T00:00:00Z", None)


async def test_lineage_and_facets_are_there_from_the_first_event(client: Any) -> None:
    sql = {"sql": {"query": "select 1"}}
    await client.run(
        "j", 1, event="START", inputs=[client.dataset("a")], outputs=[client.dataset("b", "x")], job_facets=sql
    )
    assert await _ids(client, "nodeId=job:jobs:j") == ["dataset:data:a", "dataset:data:b", "job:jobs:j"]
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["facets"]["sql"]["query"] == "select 1"
    assert [field["name"] for field in (await client.get("/api/v1/namespaces/data/datasets/b"))["fields"]] == ["x"]


async def test_an_event_without_datasets_takes_no_lineage_away(client: Any) -> None:
    whole = ["dataset:data:a", "dataset:data:b", "job:jobs:j"]
    await client.run("j", 1, inputs=[client.dataset("a")], outputs=[client.dataset("b")])
    await client.run("j", 2, at=60, event="START")
    assert await _ids(client, "nodeId=dataset:data:a") == whole
    await client.run("j", 2, at=70, event="ABORT")
    assert await _ids(client, "nodeId=dataset:data:b") == whole
    for run, keys in ((3, ("inputs", "outputs")), (4, ("inputs",)), (5, ("outputs",))):
        event = {
            "eventType": "COMPLETE",
            "eventTime": (client.noon + timedelta(seconds=run * 100)).isoformat(),
            "run": {"runId": str(UUID(int=run))},
            "job": {"namespace": "jobs", "name": "j"},
            "inputs": [],
            "outputs": [],
            "producer": "https://example.com",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        }
        await client.post({key: value for key, value in event.items() if key not in keys})
        assert await _ids(client, "nodeId=job:jobs:j") == whole
    job = await client.get("/api/v1/namespaces/jobs/jobs/j")
    assert (job["inputs"], job["outputs"]) == (
        [{"namespace": "data", "name": "a"}],
        [{"namespace": "data", "name": "b"}],
    )


async def test_a_job_that_writes_another_table_keeps_the_first(client: Any) -> None:
    await client.run("j", 1, inputs=[client.dataset("a")], outputs=[client.dataset("t_a")])
    await client.run("j", 2, at=60, inputs=[client.dataset("a")], outputs=[client.dataset("t_b")])
    assert await _ids(client, "nodeId=dataset:data:t_a") == [
        "dataset:data:a",
        "dataset:data:t_a",
        "dataset:data:t_b",
        "job:jobs:j",
    ]


async def test_the_same_event_twice_is_one(client: Any) -> None:
    for _ in range(3):
        await client.run("j", 1, inputs=[client.dataset("a", "x")], outputs=[client.dataset("b", "y")])
    graph = (await client.get("/api/v1/lineage?nodeId=job:jobs:j"))["graph"]
    assert [(node["id"], len(node["inEdges"]), len(node["outEdges"])) for node in graph] == [
        ("dataset:data:a", 0, 1),
        ("dataset:data:b", 1, 0),
        ("job:jobs:j", 1, 1),
    ]
    assert (await client.get("/api/v1/events/lineage"))["totalCount"] == 1
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j/runs"))["totalCount"] == 1
    assert (await client.get("/api/v1/namespaces/data/datasets/b/versions"))["totalCount"] == 1


async def test_an_end_without_the_parent_facet_makes_no_second_job(client: Any) -> None:
    await client.run("dag", 9, event="START")
    await client.run("task", 1, event="START", facets=_parent(9))
    await client.run("task", 1, at=60)
    jobs = await client.get("/api/v1/namespaces/jobs/jobs")
    assert (sorted(job["name"] for job in jobs["jobs"]), jobs["totalCount"]) == (["dag", "dag.task"], 2)
    for name in ("dag.task", "task"):
        runs = await client.get(f"/api/v1/namespaces/jobs/jobs/{name}/runs")
        assert ([run["state"] for run in runs["runs"]], runs["totalCount"]) == (["COMPLETED"], 1)
    assert (await _run(client, 9))["state"] == "RUNNING"


async def test_a_run_counted_is_a_run_listed(client: Any) -> None:
    await client.run("app", 1, event="START", facets=_parent(9))
    for name in ("app", "dag.app", "dag"):
        runs = await client.get(f"/api/v1/namespaces/jobs/jobs/{name}/runs")
        assert (len(runs["runs"]), runs["totalCount"]) == (1, 1)
    assert (await client.get("/api/v1/namespaces/jobs/jobs/dag"))["latestRun"]["state"] == "NEW"


async def test_a_child_shows_its_own_run_in_the_graph_not_its_parents(client: Any) -> None:
    await client.run("dag", 9, event="START")
    await client.run("task", 1, facets=_parent(9), outputs=[client.dataset("d")])
    graph = (await client.get("/api/v1/lineage?nodeId=dataset:data:d"))["graph"]
    node = next(node["data"] for node in graph if node["type"] == "JOB")
    assert (node["currentRunUuid"], node["latestRun"]["state"]) == (str(UUID(int=1)), "COMPLETED")


async def test_one_run_id_under_two_jobs_is_two_runs(client: Any) -> None:
    await client.run("a", 1, outputs=[client.dataset("of_a")])
    await client.run("b", 1, at=5, event="FAIL", inputs=[client.dataset("of_a")], outputs=[client.dataset("of_b")])
    for name, state, outputs in (("a", "COMPLETED", ["of_a"]), ("b", "FAILED", [])):
        listed = await client.get(f"/api/v1/namespaces/jobs/jobs/{name}/runs")
        assert listed["totalCount"] == 1
        run = listed["runs"][0]
        written = [version["datasetVersionId"]["name"] for version in run["outputDatasetVersions"]]
        assert (run["id"], run["state"], written) == (str(UUID(int=1)), state, outputs)
    assert (await _run(client, 1))["state"] == "COMPLETED"


async def test_a_thousand_alike_runs_are_runs_and_versions_and_nothing_else(client: Any, pool: Any) -> None:
    counted = "select (select count(*) from edge), (select count(*) from edge_active), (select count(*) from build),"
    counted += " (select count(*) from schema_body), (select count(*) from facet_body), (select count(*) from slot)"
    sizes = []
    for batch in range(2):
        for number in range(20):
            run = 1 + batch * 20 + number
            await client.run(
                "j",
                run,
                at=run * 60,
                inputs=[client.dataset("a", "x")],
                outputs=[client.dataset("b", "y", lineage={"y": ["a.x"]})],
            )
        async with pool.acquire() as connection:
            sizes.append(tuple(await connection.fetchrow(counted)))
    assert sizes[0] == sizes[1]
    versions = await client.get("/api/v1/namespaces/data/datasets/b/versions?limit=3")
    assert (versions["totalCount"], len({row["currentSchemaVersion"] for row in versions["versions"]})) == (40, 1)
