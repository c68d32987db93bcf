"""A name that can be sent can be asked for, in every route."""

from typing import Any
from urllib.parse import quote
from uuid import UUID

AWKWARD = [
    "postgres://db.example:5432",
    "a/b//c",
    "100%",
    "%2F",
    "a#b?c&d=e",
    "x+y z",
    "ünï🕷",
    "a:b:c",
    "..a",
    "\\'\"",
    " lead and trail ",
    "jdbc:mysql://h/db?tz=UTC,x",
]


async def test_every_route_finds_an_awkward_name(client: Any) -> None:
    for name in AWKWARD:
        await _find_in_every_route(client, name)


async def _find_in_every_route(client: Any, name: str) -> None:
    source = client.dataset(f"in {name}", "x", namespace=name)
    target = {**client.dataset(f"out {name}", "x", namespace=name)}
    target["facets"]["columnLineage"] = {
        "_producer": "https://example.com",
        "_schemaURL": "https://example.com/F.json",
        "fields": {f"f{name}": {"inputFields": [{"namespace": name, "name": f"in {name}", "field": f"f{name}"}]}},
    }
    await client.run(f"job {name}", 1, inputs=[source], outputs=[target], namespace=name)

    spaces = await client.get("/api/v1/namespaces")
    assert name in [space["name"] for space in spaces["namespaces"]]
    assert (await client.get(client.path("namespaces", name)))["name"] == name
    jobs = client.path("namespaces", name, "jobs")
    assert [job["name"] for job in (await client.get(jobs))["jobs"]] == [f"job {name}"]
    job = client.path("namespaces", name, "jobs", f"job {name}")
    assert (await client.get(job))["id"] == {"namespace": name, "name": f"job {name}"}
    assert (await client.get(f"{job}/runs"))["runs"][0]["id"] == str(UUID(int=1))
    version = (await client.get(f"{job}/versions"))["versions"][0]["version"]
    assert (await client.get(f"{job}/versions/{version}"))["version"] == version
    data = client.path("namespaces", name, "datasets", f"out {name}")
    assert (await client.get(data))["name"] == f"out {name}"
    listed = await client.get(client.path("namespaces", name, "datasets"))
    assert [row["name"] for row in listed["datasets"]] == sorted([f"in {name}", f"out {name}"])
    version = (await client.get(f"{data}/versions"))["versions"][0]["version"]
    assert (await client.get(f"{data}/versions/{version}"))["version"] == version


async def test_every_node_id_finds_an_awkward_name(client: Any) -> None:
    for name in AWKWARD:
        await _find_by_every_node_id(client, name)


async def _find_by_every_node_id(client: Any, name: str) -> None:
    source = client.dataset(f"in {name}", namespace=name)
    target = client.dataset(f"out {name}", namespace=name)
    target["facets"]["columnLineage"] = {
        "_producer": "https://example.com",
        "_schemaURL": "https://example.com/F.json",
        "fields": {f"f{name}": {"inputFields": [{"namespace": name, "name": f"in {name}", "field": f"f{name}"}]}},
    }
    await client.run(f"job {name}", 1, inputs=[source], outputs=[target], namespace=name)
    names = {
        "job": [name, f"job {name}"],
        "dataset": [name, f"out {name}"],
        "datasetField": [name, f"out {name}", f"f{name}"],
    }
    for kind, parts in names.items():
        route = "/api/v1/column-lineage" if kind == "datasetField" else "/api/v1/lineage"
        wanted = ":".join((kind, *parts))
        by_part = ":".join((kind, *(quote(part, safe="") for part in parts)))
        for asked in (quote(wanted, safe=""), by_part):
            graph = (await client.get(f"{route}?nodeId={asked}"))["graph"]
            assert wanted in [node["id"] for node in graph]
        query = dict(zip(("namespace", "name", "field"), parts, strict=False), type=kind.removesuffix("Field"))
        graph = (await client.get(route, **query))["graph"]
        assert wanted in [node["id"] for node in graph]


async def test_a_slash_in_a_name_is_not_a_slash_of_the_path(client: Any) -> None:
    await client.run("a/runs", 1, namespace="n")
    await client.run("a", 2, namespace="n")
    runs = await client.get("/api/v1/namespaces/n/jobs/a/runs")
    assert [run["id"] for run in runs["runs"]] == [str(UUID(int=2))]
    assert (await client.get("/api/v1/namespaces/n/jobs/a%2Fruns"))["name"] == "a/runs"


async def test_of_several_readings_the_one_that_exists_is_taken(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("b:c", namespace="a")])
    asked = "/api/v1/lineage?nodeId=dataset%3Aa%3Ab%3Ac"
    assert "dataset:a:b:c" in [node["id"] for node in (await client.get(asked))["graph"]]
    await client.run("k", 2, outputs=[client.dataset("c", namespace="a:b")])
    apart = await client.get("/api/v1/lineage?nodeId=dataset:a%3Ab:c")
    assert [node["data"]["namespace"] for node in apart["graph"] if node["type"] == "DATASET"] == ["a:b"]
    apart = await client.get("/api/v1/lineage?nodeId=dataset:a:b%3Ac")
    assert [node["data"]["namespace"] for node in apart["graph"] if node["type"] == "DATASET"] == ["a"]
