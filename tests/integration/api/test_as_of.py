"""Lineage as of a time, and by the newest runs alone."""

from datetime import timedelta
from typing import Any

import pytest


async def _tables(client: Any, node: str, **query: Any) -> list[str]:
    graph = (await client.get("/api/v1/lineage", nodeId=node, **query))["graph"]
    edges = {(edge["origin"], edge["destination"]) for node in graph for edge in node["inEdges"] + node["outEdges"]}
    return sorted(f"{one.split(':')[-1]}>{other.split(':')[-1]}" for one, other in edges)


async def _columns(client: Any, node: str, **query: Any) -> list[str]:
    graph = (await client.get("/api/v1/column-lineage", nodeId=node, **query))["graph"]
    return sorted(
        f"{source['dataset']}.{source['field']}>{node['data']['dataset']}.{node['data']['field']}"
        for node in graph
        for source in node["data"]["inputFields"]
    )


def _at(client: Any, seconds: float) -> str:
    return (client.noon + timedelta(seconds=seconds)).isoformat()


async def _story(client: Any) -> None:
    """load reads a, then b, into d; report reads d; d is dropped, and written by another job."""
    d = client.dataset
    await client.run("load", 1, at=0, inputs=[d("a")], outputs=[d("d", "x", lineage={"x": ["a.x"]})])
    await client.run("report", 2, at=50, inputs=[d("d")])
    await client.run("load", 3, at=100, inputs=[d("b")], outputs=[d("d", "x y", lineage={"x": ["b.x"], "y": ["b.y"]})])
    await client.run("load", 4, at=150, event="FAIL", inputs=[d("wrong")], outputs=[d("d")])
    drop = d("d", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("clean", 5, at=200, outputs=[drop])
    await client.run("again", 6, at=250, inputs=[d("c")], outputs=[d("d", "z", lineage={"z": ["c.z"]})])


async def test_tables_as_of_a_time(client: Any) -> None:
    await _story(client)
    seen = {
        seconds: await _tables(client, "dataset:data:d", asOf=_at(client, seconds))
        for seconds in (-1, 0, 60, 160, 210, 300)
    }
    assert seen == {
        -1: [],
        0: ["a>load", "load>d"],
        60: ["a>load", "d>report", "load>d"],
        160: ["b>load", "d>report", "load>d"],
        210: ["d>report"],
        300: ["again>d", "c>again", "d>report"],
    }
    assert await _tables(client, "job:jobs:load", asOf=_at(client, 60)) == seen[60]
    assert await _tables(client, "dataset:data:a", asOf=_at(client, 160)) == []
    assert await _tables(client, "dataset:data:d") == seen[300]


async def test_columns_as_of_a_time(client: Any) -> None:
    await _story(client)
    assert [await _columns(client, "dataset:data:d", asOf=_at(client, seconds)) for seconds in (0, 160, 300)] == [
        ["a.x>d.x"],
        ["b.x>d.x", "b.y>d.y"],
        ["c.z>d.z"],
    ]
    assert await _columns(client, "datasetField:data:d:y", asOf=_at(client, 160)) == ["b.y>d.y"]
    assert await _columns(client, "job:jobs:load", asOf=_at(client, 60)) == ["a.x>d.x"]
    for node, seconds in (("datasetField:data:d:y", 60), ("dataset:data:d", -1), ("dataset:data:d", 210)):
        await client.get("/api/v1/column-lineage", nodeId=node, asOf=_at(client, seconds), status=404)


async def test_mapped_tasks_of_one_parent_run_count_together_then_too(client: Any) -> None:
    for run, name, of in ((1, "a", 9), (2, "b", 9), (3, "c", 8)):
        parent = {"parent": {"run": {"runId": f"{of:032}"}, "job": {"namespace": "jobs", "name": "dag"}}}
        await client.run(
            "map", run, at=run * 60, facets=parent, inputs=[client.dataset(name)], outputs=[client.dataset("d")]
        )
    node = "dataset:data:d"
    assert await _tables(client, node, asOf=_at(client, 130)) == ["a>dag.map", "b>dag.map", "dag.map>d"]
    assert await _tables(client, node, asOf=_at(client, 190)) == ["c>dag.map", "dag.map>d"]
    assert await _tables(client, node) == ["c>dag.map", "dag.map>d"]


async def test_by_the_newest_run_alone(client: Any) -> None:
    d = client.dataset
    await client.run("load", 1, inputs=[d("a")], outputs=[d("t1")])
    await client.run("load", 2, at=60, inputs=[d("b")], outputs=[d("t2")])
    await client.run("use", 3, at=70, inputs=[d("t1"), d("t2")])
    assert await _tables(client, "job:jobs:load") == ["a>load", "b>load", "load>t1", "load>t2", "t1>use", "t2>use"]
    assert await _tables(client, "job:jobs:load", latestRun="true") == ["b>load", "load>t2", "t1>use", "t2>use"]
    assert await _tables(client, "dataset:data:a", latestRun="true") == []
    await client.run("load", 4, at=80, event="START", inputs=[d("c")])
    assert await _tables(client, "job:jobs:load", latestRun="true") == ["c>load"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("lineage?nodeId=dataset:data:d&asOf=yesterday", 404),
        ("lineage?nodeId=dataset:data:d&asOf=2026-03-02T12:00:00Z&latestRun=true", 400),
        ("column-lineage?nodeId=dataset:data:d&asOf=2026-03-02T12:00:00Z&withDownstream=true", 400),
    ],
)
async def test_refusals(shared: Any, query: str, status: int) -> None:
    assert (await shared.get(f"/api/v1/{query}", status=status))["message"]


async def _node(client: Any, node: str, seconds: float) -> Any:
    graph = (await client.get("/api/v1/lineage", nodeId=node, asOf=_at(client, seconds)))["graph"]
    return next(found["data"] for found in graph if found["id"] == node)


async def test_a_dataset_of_a_time_shows_what_was_true_then(client: Any) -> None:
    def said(text: str, source: str) -> dict[str, Any]:
        return {"documentation": {"description": text}, "dataSource": {"name": source, "uri": f"s3://{source}"}}

    d = client.dataset
    tagged = {"tags": {"tags": [{"key": "gold", "value": "true"}]}}
    await client.run("load", 1, at=10, inputs=[d("a")], outputs=[d("d", "x", facets=said("first", "one"))])
    await client.run("load", 2, at=20, inputs=[d("a")], outputs=[d("d", "x y", facets=said("second", "two") | tagged)])
    await client.run("load", 3, at=30, inputs=[d("a")], outputs=[d("d", "z")])
    nodes = [await _node(client, "dataset:data:d", seconds) for seconds in (15, 25, 35)]
    assert [[field["name"] for field in node["fields"]] for node in nodes] == [["x"], ["x", "y"], ["z"]]
    assert [node["lastModifiedAt"][-9:] for node in nodes] == ["12:00:10Z", "12:00:20Z", "12:00:30Z"]
    assert [node["description"] for node in nodes] == ["first", "second", "second"]
    assert [node["sourceName"] for node in nodes] == ["one", "two", "two"]
    assert [node["tags"] for node in nodes] == [[], ["gold"], ["gold"]]


async def test_a_dataset_that_was_dropped_by_then_shows_no_fields(client: Any) -> None:
    await _story(client)
    await client.run("watch", 9, at=205, inputs=[client.dataset("d")])
    node = await _node(client, "dataset:data:d", 220)
    assert (node["fields"], node["lastLifecycleState"]) == ([], "DROP")


async def test_a_job_of_a_time_shows_the_run_of_then_as_it_stood(client: Any) -> None:
    d = client.dataset

    def said(text: str) -> dict[str, Any]:
        return {"documentation": {"description": text}}

    await client.run("load", 1, event="START", at=10, inputs=[d("a")], job_facets=said("first"))
    await client.run("load", 1, at=20, outputs=[d("d")], facets={"later": {"value": 1}})
    await client.run("load", 2, event="START", at=30, inputs=[d("a")], job_facets=said("second"))
    await client.run("load", 2, event="FAIL", at=40)
    nodes = [await _node(client, "job:jobs:load", seconds) for seconds in (25, 35, 45)]
    runs = [node["latestRun"] for node in nodes]
    assert [(run["id"][-1], run["state"], run["endedAt"] is None) for run in runs] == [
        ("1", "COMPLETED", False),
        ("2", "RUNNING", True),
        ("2", "FAILED", False),
    ]
    assert [run["durationMs"] for run in runs] == [10_000, None, 10_000]
    assert [node["description"] for node in nodes] == ["first", "second", "second"]
    assert [node["updatedAt"][-9:] for node in nodes] == ["12:00:20Z", "12:00:30Z", "12:00:40Z"]
    assert "later" in runs[0]["facets"]
    then = await _node(client, "job:jobs:load", 15)
    assert (then["latestRun"]["state"], then["outputs"]) == ("RUNNING", [])
    assert ("later" in then["latestRun"]["facets"], then["latestRun"]["outputDatasetVersions"]) == (False, [])


async def test_columns_of_a_time_have_the_types_and_statuses_of_then(client: Any) -> None:
    d = client.dataset
    await client.run("load", 1, at=10, inputs=[d("a", "x")], outputs=[d("d", "y", lineage={"y": ["a.x"]})])
    await client.run("load", 2, at=20, inputs=[d("a", "x")], outputs=[d("d", "y z", lineage={"y": []})])
    query = {"nodeId": "datasetField:data:d:y"}
    statuses = []
    for seconds in (15, 25):
        graph = (await client.get("/api/v1/column-lineage", **query, asOf=_at(client, seconds)))["graph"]
        statuses.append([(node["data"]["field"], node["data"]["fieldType"], node["data"]["status"]) for node in graph])
    assert statuses[0][-1] == ("y", "INT", "traced")
    assert statuses[1] == [("y", "INT", "constant")]
    await client.get("/api/v1/column-lineage", nodeId="datasetField:data:d:z", asOf=_at(client, 15), status=404)


async def test_what_was_stated_before_a_drop_is_not_the_schema_of_what_is_stated_after_it(client: Any) -> None:
    drop = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    again = {"documentation": {"description": "again"}}
    said = [client.dataset("d", "x"), client.dataset("d", facets=drop), client.dataset("d", facets=again)]
    for minute, named in enumerate(said):
        await client.post(
            {
                "eventTime": _at(client, 60 * minute),
                "producer": "https://example.com/tests",
                "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
                "dataset": named,
            }
        )
    path = "/api/v1/namespaces/data/datasets/d"
    shown = await client.get(path)
    assert (shown["fields"], shown["deleted"], shown["description"]) == ([], False, "again")
    versions = (await client.get(f"{path}/versions"))["versions"]
    fields = [(one["lifecycleState"], [field["name"] for field in one["fields"]]) for one in versions]
    assert fields == [("", []), ("DROP", ["x"]), ("", ["x"])]
    assert versions[0]["version"] == shown["currentVersion"]
    await client.get("/api/v1/column-lineage", 404, nodeId="dataset:data:d", asOf=_at(client, 180))


def _stated(client: Any, seconds: float, **said: Any) -> dict[str, Any]:
    return {"eventTime": _at(client, seconds), "producer": "https://example.com/tests", "schemaURL": SCHEMA_URL, **said}


SCHEMA_URL = "https://openlineage.io/spec/2-0-2/OpenLineage.json"


@pytest.mark.parametrize("by", ["dataset", "job"])
async def test_what_static_events_stated_of_columns(client: Any, by: str) -> None:
    def event(seconds: float, **said: Any) -> dict[str, Any]:
        target = client.dataset("d", **said)
        job = {"job": {"namespace": "jobs", "name": "design"}, "outputs": [target]}
        return _stated(client, seconds, **(job if by == "job" else {"dataset": target}))

    note = {"documentation": {"description": "d"}}
    later = event(30, fields="x y", lineage={"x": ["b.x"]})
    for one in (later, event(20, facets=note), event(10, fields="x", lineage={"x": ["a.x"]})):
        await client.post(one)
    node = "dataset:data:d"
    for seconds in (10, 25):
        assert await _columns(client, node, asOf=_at(client, seconds)) == ["a.x>d.x"]
    assert await _columns(client, node, asOf=_at(client, 30)) == ["b.x>d.x"] == await _columns(client, node)
    await client.get("/api/v1/column-lineage", nodeId=node, asOf=_at(client, 9), status=404)


async def test_what_a_job_event_drops_it_does_not_write(client: Any) -> None:
    d = client.dataset
    drop = d("gone", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    job = {"namespace": "jobs", "name": "design"}
    await client.post(_stated(client, 10, job=job, inputs=[d("a")], outputs=[d("kept"), drop]))
    for query in ({}, {"asOf": _at(client, 10)}, {"asOf": _at(client, 20)}):
        assert await _tables(client, "dataset:data:a", **query) == ["a>design", "design>kept"]
        assert await _tables(client, "dataset:data:gone", **query) == []


async def test_a_job_that_writes_nothing_read_what_it_said_by_then(client: Any) -> None:
    d = client.dataset

    def event(seconds: float, *inputs: str, outputs: tuple[str, ...] = ()) -> dict[str, Any]:
        sides = {"inputs": [d(name) for name in inputs], "outputs": [d(name) for name in outputs]}
        return _stated(client, seconds, job={"namespace": "jobs", "name": "dash"}, **sides)

    await client.run("check", 1, at=15, inputs=[d("a")])
    # from 40 on, both write
    for one in (event(40, "c", outputs=("d",)), event(30, "b"), event(20, "a", "b")):
        await client.post(one)
    await client.run("check", 2, at=40, inputs=[d("a")], outputs=[d("d")])
    seen = {
        seconds: await _tables(client, "dataset:data:a", asOf=_at(client, seconds), depth=0)
        for seconds in (10, 15, 25, 35, 45)
    }
    assert seen == {
        10: [],
        15: ["a>check"],
        25: ["a>check", "a>dash", "b>dash"],
        35: ["a>check"],
        45: ["a>check", "check>d"],
    }
    assert seen[45] == await _tables(client, "dataset:data:a", depth=0)
    readers = {
        seconds: [
            one["name"]
            for one in (await client.get("/api/v2/impact", namespace="data", name="a", asOf=_at(client, seconds)))[
                "consumers"
            ]
        ]
        for seconds in (25, 35)
    }
    assert readers == {25: ["check", "dash"], 35: ["check"]}


def _told(*entries: tuple[str, list[str]]) -> dict[str, Any]:
    def named(name: str, **more: Any) -> dict[str, Any]:
        return {"namespace": "data", "name": name, "type": "DATASET", **more}

    return {
        "_producer": "https://example.com/tests",
        "_schemaURL": "https://openlineage.io/spec/facets/1-0-0/LineageFacet.json#/$defs/LineageFacet",
        "entries": [named(target, inputs=[named(source) for source in sources]) for target, sources in entries],
    }


async def test_what_lineage_facets_told_goes_before_inputs_then_too(client: Any) -> None:
    d = client.dataset
    gone = {"_producer": "https://example.com/tests", "_schemaURL": "https://example.com/s", "_deleted": True}

    def event(seconds: float, lineage: dict[str, Any] | None, *inputs: str) -> dict[str, Any]:
        job = {"namespace": "jobs", "name": "design", "facets": {"lineage": lineage} if lineage else {}}
        named = [d(name) for name in inputs]
        return _stated(client, seconds, job=job, inputs=named, outputs=[d("d"), d("e")])

    for one in (
        event(40, gone, "a", "c"),
        event(20, _told(("d", ["a"]), ("e", ["b"])), "a", "b"),
        event(30, _told(("d", ["b"])), "a", "b"),
        event(10, None, "a"),
    ):
        await client.post(one)
    seen = {
        seconds: await _tables(client, "dataset:data:d", asOf=_at(client, seconds), depth=0)
        for seconds in (9, 10, 25, 45)
    }
    assert seen[9] == []
    assert seen[10] == ["a>design", "design>d", "design>e"]
    assert seen[25] == ["a>design", "b>design", "design>d", "design>e"]
    assert seen[45] == ["a>design", "c>design", "design>d", "design>e"] == await _tables(client, "dataset:data:d")
    for seconds, sources in ((25, ["a"]), (35, ["b"]), (45, ["a", "c"])):
        found = await client.get("/api/v2/upstream", namespace="data", name="d", asOf=_at(client, seconds))
        assert sorted(one["name"] for one in found["datasets"]) == sorted(["d", *sources])


async def test_what_a_run_told_goes_before_its_inputs_then_too(client: Any) -> None:
    d = client.dataset
    await client.run(
        "load", 1, at=10, inputs=[d("a"), d("b")], outputs=[d("d")], job_facets={"lineage": _told(("d", ["a"]))}
    )
    expected = ["a>load", "load>d"]
    assert await _tables(client, "dataset:data:d", asOf=_at(client, 10), depth=0) == expected
