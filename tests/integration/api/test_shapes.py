"""The keys of every answer, which clients look up without asking first."""

from typing import Any
from uuid import UUID

RUN = (
    "id createdAt updatedAt nominalStartTime nominalEndTime state startedAt endedAt durationMs args jobVersion"
    " inputDatasetVersions outputDatasetVersions facets"
)
JOB_DATA = (
    "id type name simpleName parentJobName parentJobUuid createdAt updatedAt namespace inputs outputs location"
    " description latestRun"
)
DATASET_DATA = (
    "id type name physicalName createdAt updatedAt namespace sourceName fields tags lastModifiedAt description"
    " lastLifecycleState"
)
SHAPES = {
    "run": RUN,
    "job": f"{JOB_DATA} latestRuns facets currentVersion labels tags",
    "job node": f"{JOB_DATA} currentRunUuid",
    "job version": "id name createdAt version namespace location inputs outputs latestRun",
    "dataset": f"{DATASET_DATA} currentVersion columnLineage facets deleted",
    "dataset node": DATASET_DATA,
    "dataset version": "id type name physicalName createdAt version namespace sourceName fields tags lifecycleState"
    " description currentSchemaVersion createdByRun facets",
    "column": "namespace dataset datasetVersion field fieldType transformationDescription transformationType"
    " inputFields status reason message expression",
    "input field": "namespace dataset datasetVersion field transformationDescription transformationType"
    " transformations",
    "namespace": "name createdAt updatedAt ownerName description isHidden",
    "source": "type name createdAt updatedAt connectionUrl description",
    "search result": "type name updatedAt namespace nodeId",
}


async def test_every_answer_has_all_its_keys(client: Any) -> None:
    source = client.dataset("a", "x", facets={"dataSource": {"name": "s", "uri": "s3://b"}})
    await client.run("j", 1, inputs=[source], outputs=[client.dataset("b", "y", lineage={"y": ["a.x"]})])
    jobs, data = "/api/v1/namespaces/jobs/jobs", "/api/v1/namespaces/data/datasets"
    graph = (await client.get("/api/v1/lineage?nodeId=job:jobs:j"))["graph"]
    columns = (await client.get("/api/v1/column-lineage?nodeId=dataset:data:b"))["graph"]
    found = {
        "run": await client.get(f"/api/v1/jobs/runs/{UUID(int=1)}"),
        "job": (await client.get(jobs))["jobs"][0],
        "job node": next(node["data"] for node in graph if node["type"] == "JOB"),
        "job version": (await client.get(f"{jobs}/j/versions"))["versions"][0],
        "dataset": (await client.get(data))["datasets"][0],
        "dataset node": next(node["data"] for node in graph if node["type"] == "DATASET"),
        "dataset version": (await client.get(f"{data}/b/versions"))["versions"][0],
        "column": columns[1]["data"],
        "input field": columns[1]["data"]["inputFields"][0],
        "namespace": (await client.get("/api/v1/namespaces"))["namespaces"][0],
        "source": (await client.get("/api/v1/sources"))["sources"][0],
        "search result": (await client.get("/api/v1/search?q=j"))["results"][0],
    }
    assert {name: sorted(answer) for name, answer in found.items()} == {
        name: sorted(keys.split()) for name, keys in SHAPES.items()
    }
    for node in (*graph, *columns):
        assert sorted(node) == ["data", "id", "inEdges", "outEdges", "type"]


async def test_the_receiver_describes_itself(shared: Any) -> None:
    described = await shared.get("/openapi.json")
    assert {"/api/v1/lineage", "/api/v1/namespaces/{namespace}/jobs/{name}/runs", "/api/v2/summary"} <= set(
        described["paths"]
    )
    intake = described["paths"]["/api/v1/lineage"]["post"]
    sent = intake["requestBody"]["content"]["application/json"]["example"]
    assert (await shared.http.post("/api/v1/lineage", json=sent)).status_code == 201
    assert set(intake["responses"]) == {"201", "400", "413", "415", "422", "503"}
    assert "post" in described["paths"]["/api/v1/lineage/batch"]
    names = [row["name"] for row in described["paths"]["/api/v1/column-lineage"]["get"]["parameters"]]
    assert names == ["nodeId", "depth", "withDownstream", "asOf"]
