"""The column graph: both directions, kinds, statuses, versions, and what isn't there."""

from typing import Any

import pytest

ROUTE = "/api/v1/column-lineage"


def _ids(answer: Any) -> list[str]:
    return [node["id"].replace("datasetField:data:", "").replace(":", ".") for node in answer["graph"]]


async def _story(client: Any) -> None:
    """raw(cents, id, other) → orders(amount, id) → totals(total, n); raw → audit(cents)."""
    await client.run("load", 1, at=0, inputs=[client.dataset("raw", "cents id other")], outputs=[
        client.dataset("orders", "amount id", lineage={"amount": ["raw.cents"], "id": ["raw.id"]}),
    ])  # fmt: skip
    await client.run("total", 2, at=10, inputs=[client.dataset("orders")], outputs=[
        client.dataset("totals", "total n", lineage={"total": ["orders.amount", "orders.id"], "n": []}),
    ])  # fmt: skip
    await client.run("audit", 3, at=20, inputs=[client.dataset("raw")], outputs=[
        client.dataset("audit", "cents", lineage={"cents": ["raw.cents"]}),
    ])  # fmt: skip


async def test_upstream(client: Any) -> None:
    await _story(client)
    answer = await client.get(f"{ROUTE}?nodeId=datasetField:data:totals:total")
    assert _ids(answer) == ["orders.amount", "orders.id", "raw.cents", "raw.id", "totals.total"]
    near = await client.get(f"{ROUTE}?nodeId=datasetField:data:totals:total&depth=1")
    assert _ids(near) == ["orders.amount", "orders.id", "totals.total"]
    nodes = {node["id"]: node for node in answer["graph"]}
    total = nodes["datasetField:data:totals:total"]
    assert total["type"] == "DATASET_FIELD"
    assert total["inEdges"] == [
        {"origin": total["id"], "destination": "datasetField:data:orders:amount"},
        {"origin": total["id"], "destination": "datasetField:data:orders:id"},
    ]
    amount = nodes["datasetField:data:orders:amount"]
    assert amount["outEdges"] == [{"origin": amount["id"], "destination": total["id"]}]
    assert (total["data"]["fieldType"], total["data"]["status"]) == ("INT", "traced")
    current = (await client.get("/api/v1/namespaces/data/datasets/orders"))["currentVersion"]
    assert (amount["data"]["datasetVersion"], total["data"]["inputFields"][0]["datasetVersion"]) == (current, current)


async def test_downstream_from_a_root_column_without_its_siblings(client: Any) -> None:
    await _story(client)
    answer = await client.get(f"{ROUTE}?nodeId=datasetField:data:raw:cents&withDownstream=true")
    assert _ids(answer) == ["audit.cents", "orders.amount", "raw.cents", "totals.total"]
    both = await client.get(f"{ROUTE}?nodeId=datasetField:data:orders:amount&withDownstream=true")
    assert _ids(both) == ["orders.amount", "raw.cents", "totals.total"]


async def test_a_dataset_starts_from_all_its_columns(client: Any) -> None:
    await _story(client)
    answer = await client.get(f"{ROUTE}?nodeId=dataset:data:totals&depth=1")
    assert _ids(answer) == ["orders.amount", "orders.id", "totals.n", "totals.total"]
    statuses = {node["data"]["field"]: node["data"]["status"] for node in answer["graph"]}
    assert (statuses["n"], statuses["total"]) == ("constant", "traced")


async def test_a_job_starts_from_the_columns_that_it_makes(client: Any) -> None:
    await _story(client)
    answer = await client.get(f"{ROUTE}?nodeId=job:jobs:load&depth=1")
    assert _ids(answer) == ["orders.amount", "orders.id", "raw.cents", "raw.id"]


async def test_a_job_shows_what_it_can_not_tell(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("out", "a b", lineage={"a": []})])
    answer = await client.get(f"{ROUTE}?nodeId=job:jobs:j")
    assert [(node["data"]["field"], node["data"]["status"], node["data"]["reason"]) for node in answer["graph"]] == [
        ("a", "constant", None),
        ("b", "unresolved", "not_reported"),
    ]


async def test_without_columns_there_is_no_node(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("bare")])
    for node in ("dataset:data:bare", "job:jobs:j"):
        answer = await client.get(f"{ROUTE}?nodeId={node}", status=404)
        assert answer == {"code": 404, "message": "Could not find node"}


async def test_a_known_column_without_lineage_stands_alone(client: Any) -> None:
    await _story(client)
    assert _ids(await client.get(f"{ROUTE}?nodeId=datasetField:data:raw:other")) == ["raw.other"]
    for missing in ("datasetField:data:raw:nope", "datasetField:data:nope:x", "dataset:data:nope", "job:jobs:nope"):
        answer = await client.get(f"{ROUTE}?nodeId={missing}", status=404)
        assert answer == {"code": 404, "message": "Could not find node"}


async def test_kinds_are_given_beside_the_old_fields(client: Any) -> None:
    made = client.dataset("out", "x y z", lineage={"x": ["in.a"], "y": ["in.a"]})
    fields = made["facets"]["columnLineage"]["fields"]
    fields["x"]["inputFields"][0]["transformations"] = [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "md5(a)", "masking": True},
        {"type": "INDIRECT", "subtype": "FILTER", "description": "", "masking": False},
    ]
    fields["y"] |= {"transformationDescription": "as it was", "transformationType": "mine"}
    await client.run("j", 1, inputs=[client.dataset("in")], outputs=[made])
    answer = await client.get(f"{ROUTE}?nodeId=dataset:data:out")
    data = {node["data"]["field"]: node["data"] for node in answer["graph"]}
    assert data["x"]["inputFields"][0]["transformations"] == [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "md5(a)", "masking": True},
        {"type": "INDIRECT", "subtype": "FILTER", "description": "", "masking": False},
    ]
    assert (data["x"]["transformationType"], data["x"]["transformationDescription"]) == ("MASKED", "md5(a)")
    assert (data["y"]["transformationType"], data["y"]["transformationDescription"]) == ("mine", "as it was")
    assert (data["z"]["status"], data["z"]["reason"]) == ("unresolved", "not_reported")
    dataset = await client.get("/api/v1/namespaces/data/datasets/out")
    by_name = {column["name"]: column["inputFields"][0] for column in dataset["columnLineage"]}
    assert by_name["y"] == {
        "namespace": "data",
        "dataset": "in",
        "field": "a",
        "transformationDescription": "as it was",
        "transformationType": "mine",
    }


async def test_edges_end_with_the_run_that_no_longer_has_them_and_stay_in_the_past(client: Any) -> None:
    for number, source in enumerate(("raw.x", "raw.z")):
        written = client.dataset("d", "y", lineage={"y": [source]})
        await client.run("j", number + 1, at=number * 10, inputs=[client.dataset("raw", "x z")], outputs=[written])
    now = await client.get(f"{ROUTE}?nodeId=datasetField:data:d:y")
    assert _ids(now) == ["d.y", "raw.z"]
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    for version, source in zip(versions, ("raw:z", "raw:x"), strict=True):
        for node in ("dataset:data:d", "datasetField:data:d:y"):
            past = await client.get(ROUTE, nodeId=f"{node}#{version['version']}")
            ids = [found["id"] for found in past["graph"]]
            assert ids[0] == f"datasetField:data:d:y#{version['version']}"
            assert ids[1].startswith(f"datasetField:data:{source}#")
    refused = await client.get(
        ROUTE, status=400, nodeId=f"dataset:data:d#{versions[0]['version']}", withDownstream="true"
    )
    assert refused["code"] == 400


async def test_what_is_only_the_last_known_is_marked_and_not_counted(client: Any) -> None:
    def read(status: str, sql: str) -> dict[str, Any]:
        columns = [{"name": "x", "status": "traced" if status == "resolved" else "unresolved"}]
        return {"modelId": "m", "status": status, "columns": columns, "gaps": [], "relations": [], "sqlHash": sql}

    good = {"lineal_lineage": read("resolved", "q1")}
    await client.run("j", 1, at=0, outputs=[client.dataset("out", "x", lineage={"x": ["in.a"]}, facets=good)])
    assert (await client.get("/api/v2/summary"))["edges"] == 1
    blind = {"lineal_lineage": read("unresolved", "q2")}
    await client.run("j", 2, at=10, outputs=[client.dataset("out", "x", facets=blind)])
    graph = (await client.get("/api/v1/column-lineage?nodeId=datasetField:data:out:x"))["graph"]
    (node,) = [node for node in graph if node["data"]["field"] == "x"]
    assert node["data"]["status"] == "unresolved"
    assert [(source["field"], source["lastKnown"]) for source in node["data"]["inputFields"]] == [("a", True)]
    (column,) = (await client.get("/api/v1/namespaces/data/datasets/out"))["columnLineage"]
    assert [(source["field"], source["lastKnown"]) for source in column["inputFields"]] == [("a", True)]
    summary = await client.get("/api/v2/summary")
    assert (summary["edges"], summary["columns"]["unresolved"], summary["columns"]["traced"]) == (0, 1, 0)


async def test_diamonds_cost_what_they_hold(client: Any) -> None:
    outputs = {
        f"d{number}": {column: [f"d{number - 1}.{source}" for source in "abcd"] for column in "abcd"}
        for number in range(1, 25)
    }
    for number, (name, lineage) in enumerate(outputs.items()):
        await client.run(f"j{name}", number + 1, at=number, outputs=[client.dataset(name, "a b c d", lineage=lineage)])
    answer = await client.get(f"{ROUTE}?nodeId=datasetField:data:d24:a&depth=20")
    assert len(answer["graph"]) == 1 + 4 * 20


@pytest.mark.parametrize(
    ("query", "status"), [("", 400), ("?nodeId=run:1", 404), ("?nodeId=datasetField:a:b", 400), ("?nodeId=x", 404)]
)
async def test_refusals(shared: Any, query: str, status: int) -> None:
    await shared.get(f"{ROUTE}{query}", status=status)


async def _then(client: Any, dataset: str, version: int) -> list[str]:
    """The sources of a dataset's columns as of its version, the newest being 0."""
    versions = (await client.get(f"/api/v1/namespaces/data/datasets/{dataset}/versions"))["versions"]
    asked = f"dataset:data:{dataset}#{versions[version]['version']}"
    graph = (await client.get("/api/v1/column-lineage", nodeId=asked))["graph"]
    nodes = [node["data"] for node in graph if node["data"]["dataset"] == dataset]
    return sorted(f"{source['dataset']}.{source['field']}" for node in nodes for source in node["inputFields"])


async def test_the_past_is_the_union_of_the_jobs_that_had_written(client: Any) -> None:
    await client.run("one", 1, outputs=[client.dataset("d", "x", lineage={"x": ["a.x"]})])
    await client.run("two", 2, at=60, outputs=[client.dataset("d", "x", lineage={"x": ["b.x"]})])
    await client.run("one", 3, at=120, outputs=[client.dataset("d", "x", lineage={"x": ["c.x"]})])
    over = client.dataset(
        "d", "x", lineage={"x": ["z.x"]}, facets={"lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE"}}
    )
    await client.run("three", 4, at=180, event="START")
    await client.run("three", 4, at=200, outputs=[over])
    gone = client.dataset("d", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("drop", 5, at=240, outputs=[gone])
    await client.run("two", 6, at=300, outputs=[client.dataset("d", "x", lineage={"x": ["e.x"]})])
    assert [await _then(client, "d", version) for version in (5, 4, 3, 2, 0)] == [
        ["a.x"],
        ["a.x", "b.x"],
        ["b.x", "c.x"],
        ["z.x"],
        ["e.x"],
    ]


async def test_the_past_of_what_a_statement_without_job_said_ends_with_the_first_job(client: Any) -> None:
    said = client.dataset("d", "x", lineage={"x": ["said.x"]})
    core = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"
    event = {"eventTime": client.noon.isoformat(), "producer": "https://example.com", "schemaURL": core}
    await client.post({**event, "dataset": said})
    assert await _then(client, "d", 0) == ["said.x"]
    await client.run("one", 1, at=60, outputs=[client.dataset("d", "x", lineage={"x": ["a.x"]})])
    assert [await _then(client, "d", version) for version in (0, 1)] == [["a.x"], ["said.x"]]


async def test_a_failed_reading_does_not_hide_the_past(client: Any) -> None:
    await client.run("one", 1, outputs=[client.dataset("d", "x", lineage={"x": ["a.x"]})])
    own = {"modelId": "m", "status": "failed", "columns": [], "gaps": [], "relations": [], "sqlHash": "q"}
    await client.run("one", 2, at=60, outputs=[client.dataset("d", "x", facets={"lineal_lineage": own})])
    assert await _then(client, "d", 0) == ["a.x"]


async def test_what_the_schema_of_another_event_has_beside_is_not_reported(client: Any) -> None:
    await client.run("load", 1, event="START", at=1, outputs=[client.dataset("d", "x y")])
    await client.run("load", 1, at=2, outputs=[client.dataset("d", lineage={"x": ["a.x"]})])
    graph = (await client.get("/api/v1/column-lineage", nodeId="dataset:data:d"))["graph"]
    shown = {node["data"]["field"]: (node["data"]["status"], node["data"]["reason"]) for node in graph[1:]}
    assert shown == {"x": ("traced", None), "y": ("unresolved", "not_reported")}
    await client.run("note", 2, at=3, outputs=[client.dataset("e", "x y")])
    graph = (await client.get("/api/v1/column-lineage", nodeId="dataset:data:e"))["graph"]
    assert [node["data"]["status"] for node in graph] == [None, None]  # of which nothing tells
