"""What Marquez gets wrong about columns, schemas and facets, and what is right instead."""

from typing import Any

EVENT = {"producer": "https://example.com", "eventTime": "2026-03-02T12:00:00Z"}
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"


async def _edges(client: Any, node: str, **query: Any) -> dict[str, list[str]]:
    """The columns of a graph, each with those it is made from."""
    graph = (await client.get("/api/v1/column-lineage", nodeId=node, **query))["graph"]
    return {
        f"{node['data']['dataset']}.{node['data']['field']}": [
            f"{source['dataset']}.{source['field']}" for source in node["data"]["inputFields"]
        ]
        for node in graph
    }


async def test_kinds_of_dependency_are_kept(client: Any) -> None:
    made = client.dataset("b", "y z", lineage={"y": ["a.x"], "z": ["a.x"]})
    stated = {"type": "INDIRECT", "subtype": "JOIN", "description": "on x", "masking": True}
    made["facets"]["columnLineage"]["fields"]["y"]["inputFields"][0]["transformations"] = [
        {"type": "DIRECT", "subtype": "IDENTITY"},
        stated,
    ]
    await client.run("j", 1, inputs=[client.dataset("a", "x")], outputs=[made])
    graph = (await client.get("/api/v1/column-lineage?nodeId=dataset:data:b"))["graph"]
    kinds = {node["data"]["field"]: node["data"]["inputFields"][0]["transformations"] for node in graph[1:]}
    direct = {"type": "DIRECT", "subtype": "IDENTITY", "description": "", "masking": False}
    assert kinds["y"] == [direct, stated]
    assert kinds["z"] == [{**direct, "subtype": ""}]


async def test_column_lineage_needs_no_schema_and_no_inputs(client: Any) -> None:
    made = client.dataset("b", lineage={"y": ["a.x"]})
    await client.run("without", 1, inputs=[client.dataset("a")], outputs=[made])
    assert await _edges(client, "datasetField:data:b:y") == {"a.x": [], "b.y": ["a.x"]}
    await client.run("alone", 2, outputs=[client.dataset("c", lineage={"z": ["b.y"]})])
    assert await _edges(client, "datasetField:data:c:z") == {"a.x": [], "b.y": ["a.x"], "c.z": ["b.y"]}
    listed = await client.get("/api/v1/namespaces/data/datasets/c")
    assert [(column["name"], column["inputFields"][0]["field"]) for column in listed["columnLineage"]] == [("z", "y")]


async def test_a_job_event_and_a_dataset_event_make_edges(client: Any) -> None:
    job = {"namespace": "jobs", "name": "declared"}
    made = client.dataset("b", "y", lineage={"y": ["a.x"]})
    await client.post({**EVENT, "schemaURL": CORE + "JobEvent", "job": job, "inputs": [], "outputs": [made]})
    made = client.dataset("d", "z", lineage={"z": ["c.w"]})
    await client.post({**EVENT, "schemaURL": CORE + "DatasetEvent", "dataset": made})
    assert await _edges(client, "dataset:data:b") == {"a.x": [], "b.y": ["a.x"]}
    assert await _edges(client, "dataset:data:d") == {"c.w": [], "d.z": ["c.w"]}


async def test_outputs_before_inputs_lose_no_edge(client: Any) -> None:
    await client.run("j", 1, at=60, outputs=[client.dataset("b", "y", lineage={"y": ["a.x"]})])
    await client.run("j", 1, event="START", inputs=[client.dataset("a", "x")])
    assert await _edges(client, "dataset:data:b") == {"a.x": [], "b.y": ["a.x"]}


async def test_downstream_of_a_root_column(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("b", "y", lineage={"y": ["a.x"]})])
    wanted = {"a.x": [], "b.y": ["a.x"]}
    assert await _edges(client, "datasetField:data:a:x", withDownstream="true") == wanted
    assert await _edges(client, "datasetField:data:a:x") == {"a.x": []}


async def test_an_edge_ends_with_the_run_that_no_longer_has_it(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("b", "y", lineage={"y": ["a.x"]})])
    await client.run("j", 2, at=60, outputs=[client.dataset("b", "y", lineage={"y": ["a.z"]})])
    assert await _edges(client, "datasetField:data:b:y") == {"a.z": [], "b.y": ["a.z"]}
    old = (await client.get("/api/v1/namespaces/data/datasets/b/versions"))["versions"][1]["version"]
    then = await _edges(client, f"datasetField:data:b:y#{old}")
    assert then == {"a.x": [], "b.y": ["a.x"]}


async def test_a_reader_adds_no_columns_and_changes_no_types(client: Any) -> None:
    await client.run("writer", 1, outputs=[client.dataset("d", "c")])
    seen = client.dataset("d", "c more")
    seen["facets"]["schema"]["fields"][0]["type"] = "BIGINT"
    await client.run("reader", 2, at=60, inputs=[seen])
    found = await client.get("/api/v1/namespaces/data/datasets/d")
    assert [(field["name"], field["type"]) for field in found["fields"]] == [("c", "INT")]
    assert (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["totalCount"] == 1


async def test_a_write_without_schema_wipes_no_fields(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("d", "a b")])
    await client.run("j", 2, at=60, outputs=[client.dataset("d")])
    await client.run("j", 3, at=120, outputs=[client.dataset("d", "")])
    found = await client.get("/api/v1/namespaces/data/datasets/d")
    assert [field["name"] for field in found["fields"]] == ["a", "b"]
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    assert [[field["name"] for field in version["fields"]] for version in versions] == [["a", "b"]] * 3


async def test_a_word_once_said_is_not_wiped_by_one_who_says_nothing(client: Any) -> None:
    documented = client.dataset("d", "a", facets={"documentation": {"description": "Orders."}})
    job_facets = {"documentation": {"description": "Loads."}}
    await client.run("j", 1, event="START", outputs=[documented], job_facets=job_facets)
    await client.run("j", 1, at=60, outputs=[client.dataset("d", "a")])
    await client.run("reader", 2, at=120, inputs=[client.dataset("d", "a")])
    assert (await client.get("/api/v1/namespaces/data/datasets/d"))["description"] == "Orders."
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["description"] == "Loads."


async def test_output_and_input_facets_show_on_dataset_version_and_run(client: Any) -> None:
    written = client.dataset("d", "a", outputFacets={"outputStatistics": {"rowCount": 7}})
    await client.run("j", 1, outputs=[written])
    checked = client.dataset("d", inputFacets={"dataQualityMetrics": {"rowCount": 7, "columnMetrics": {}}})
    run = await client.run("check", 2, at=60, inputs=[checked])
    found = await client.get("/api/v1/namespaces/data/datasets/d")
    assert found["facets"]["outputStatistics"]["rowCount"] == 7
    assert found["facets"]["dataQualityMetrics"]["rowCount"] == 7
    version = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"][0]
    assert version["facets"]["outputStatistics"]["rowCount"] == 7
    read = (await client.get(f"/api/v1/jobs/runs/{run}"))["inputDatasetVersions"][0]
    assert (read["datasetVersionId"]["version"], sorted(read["facets"])) == (version["version"], ["dataQualityMetrics"])


async def test_a_reader_that_names_a_version_read_that_one(client: Any) -> None:
    for run, name in ((1, "1"), (2, "2")):
        written = client.dataset("d", "a", facets={"version": {"datasetVersion": name}})
        await client.run("writer", run, at=run * 60, outputs=[written])
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    by_name = {version["facets"]["version"]["datasetVersion"]: version["version"] for version in versions}
    assert sorted(by_name) == ["1", "2"]
    read = {}
    for run, name in ((3, "1"), (4, "2"), (5, None), (6, "none has this")):
        facets = None if name is None else {"version": {"datasetVersion": name}}
        run_id = await client.run("reader", run, at=run * 60, inputs=[client.dataset("d", facets=facets)])
        found = await client.get(f"/api/v1/jobs/runs/{run_id}")
        read[name] = found["inputDatasetVersions"][0]["datasetVersionId"]["version"]
    assert read == {"1": by_name["1"], "2": by_name["2"], None: by_name["2"], "none has this": by_name["2"]}
    again = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    assert [version["facets"]["version"]["datasetVersion"] for version in again] == ["2", "1"]
    upstream = await client.get("/api/v1/runlineage/upstream", runId="00000000-0000-0000-0000-000000000003")
    assert upstream["runs"][0]["inputs"][0]["producedByRunId"] == "00000000-0000-0000-0000-000000000001"
