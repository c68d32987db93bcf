"""Known facets of any shape are kept raw, and break no read."""

from typing import Any

import pytest

from lineal_receiver.ingest.schemas import read_bundle

from .conftest import NOON, PRODUCER, path

MEMBERS = [
    "args", "assertions", "columnMetrics", "columns", "dataset", "datasetType", "datasetVersion", "description",
    "entries", "errors", "fields", "hierarchy", "identifiers", "inputs", "job", "jobType", "lifecycleStateChange",
    "message", "modelId", "name", "nominalEndTime", "nominalStartTime", "owners", "previousIdentifier",
    "processingType", "query", "root", "rowCount", "run", "sourceCode", "status", "storageLayer", "subType",
    "tags", "tests", "type", "uri", "url", "version",
]  # fmt: skip
OWN = ("lineal_dataset", "lineal_job", "lineal_lineage", "lineal_run")
BASE = {"_producer": PRODUCER, "_schemaURL": "https://example.com/Facet.json"}
ODD = [
    *(None, True, 7, "", "text", [], {}, [[]], [None], ["text"], [{"name": 7}], {"name": "b"}, {"": []}, {"x": None}),
    *({"x": [7]}, {"x": {"inputFields": [7], "inputs": {}}}, [{"key": 7, "field": [], "fields": [7]}], "0001-01-01"),
]


def spread(value: Any) -> dict[str, dict[str, Any]]:
    """Every known facet with this value, by what it belongs to."""
    own = dict.fromkeys(OWN, value) if isinstance(value, dict) else {}  # no schema is published for these
    facets: dict[str, dict[str, Any]] = {name: dict(own) for name in ("run", "job", "dataset")}
    for entity, key in read_bundle().facets:
        facets.setdefault(entity, {})[key] = value
    return facets


SHAPES = [*([], [1], "text", 7, True), BASE, *(BASE | dict.fromkeys(MEMBERS, odd) for odd in ODD)]


async def tell(client: Any, number: int, value: Any, *, static: bool) -> None:
    """An event in which every known facet has this value; the job and its datasets are called by its number."""
    facets = spread(value)
    sides = [{"namespace": "data", "name": f"{name}{number}", "facets": facets["dataset"]} for name in ("read", "made")]
    event: dict[str, Any] = {
        "eventTime": NOON.isoformat(),
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
        "job": {"namespace": "jobs", "name": f"odd{number}", "facets": facets["job"]},
        "inputs": [sides[0] | {"inputFacets": facets["input"]}],
        "outputs": [sides[1] | {"outputFacets": facets["output"]}],
    }
    if not static:
        run = {"runId": f"22222222-0000-7000-8000-{number:012}", "facets": facets["run"]}
        event |= {"eventType": "COMPLETE", "run": run}
    await client.post(event)


@pytest.mark.parametrize("static", [False, True])
async def test_what_no_schema_takes_is_kept_and_breaks_no_read(client: Any, static: bool) -> None:
    for number, value in enumerate(SHAPES):
        await tell(client, number, value, static=static)
    for asked in (
        *("namespaces", "sources", "tags", "jobs?limit=100", "events/lineage", "search?q=d&limit=100"),
        *("namespaces/jobs/jobs?limit=100", "namespaces/data/datasets?limit=100"),
    ):
        await client.get(f"/api/v1/{asked}")
    for number in range(len(SHAPES)):
        await look(client, number)
    runs = (await client.get("/api/v2/runs", limit=100))["runs"]
    assert len([run for run in runs if run["job"]["name"].startswith("odd")]) == (0 if static else len(SHAPES))


async def look(client: Any, number: int) -> None:
    """Read all that there is of one such job."""
    job = path("namespaces", "jobs", "jobs", f"odd{number}")
    assert (await client.get(job))["name"] == f"odd{number}"
    await client.get(f"{job}/versions")
    await client.get("/api/v1/lineage", nodeId=f"job:jobs:odd{number}")
    await client.get("/api/v1/lineage", nodeId=f"job:jobs:odd{number}", asOf="2030-01-01T00:00:00Z")
    for run in (await client.get(f"{job}/runs"))["runs"]:
        await client.get(f"/api/v1/jobs/runs/{run['id']}")
        await client.get(f"/api/v1/jobs/runs/{run['id']}/facets", type="run")
        await client.get("/api/v1/runlineage/upstream", runId=run["id"])
    for name in (f"read{number}", f"made{number}"):
        dataset = path("namespaces", "data", "datasets", name)
        facets = (await client.get(dataset))["facets"]
        assert (facets.get("storage"), facets.get("dataSource")) == (SHAPES[number], SHAPES[number])
        for version in (await client.get(f"{dataset}/versions"))["versions"]:
            await client.get(f"{dataset}/versions/{version['version']}")
        lineage = await client.http.get(f"/api/v1/column-lineage?nodeId=dataset:data:{name}&withDownstream=true")
        assert lineage.status_code in (200, 404)
