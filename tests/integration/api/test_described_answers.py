"""Every answer of v1 has the shape that the API's description says, and the description leaves no route out."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator

from .test_marquez_web import _fill as fill

INTAKE = {("post", "/api/v1/lineage"), ("post", "/api/v1/lineage/batch")}


class Described:
    """The receiver's description of itself, and which of its routes were asked."""

    def __init__(self, client: Any, spec: dict[str, Any]) -> None:
        self._client, self._spec = client, spec
        self.asked: set[tuple[str, str]] = set()
        self._routes = [
            (re.compile(re.sub(r"{\w+}", "[^/]*", path) + "$"), path) for path in sorted(spec["paths"], key=len)
        ]

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """An answer, held against what is described for its route and status."""
        response = await self._client.http.request(method, path, **({} if body is None else {"json": body}))
        bare = path.partition("?")[0]
        route = next(route for pattern, route in self._routes if pattern.match(bare))
        answers = self._spec["paths"][route][method.lower()]["responses"]
        assert str(response.status_code) in answers, (method, path, response.text)
        schema = answers[str(response.status_code)]["content"]["application/json"]["schema"]
        self._hold(schema, response.json(), f"{method} {path}")
        if response.status_code < 400:
            self.asked.add((method.lower(), route))
        return response.json()

    def _hold(self, schema: dict[str, Any], answer: Any, where: str) -> None:
        whole = {**schema, "components": self._spec["components"]}
        checker = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
        assert [f"{where}: {fault.json_path}: {fault.message}" for fault in checker.iter_errors(answer)] == []


@pytest.fixture
async def described(client: Any) -> Described:
    return Described(client, await client.get("/openapi.json"))


def _routes(spec: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for path, operations in spec["paths"].items():
        for method in operations:
            if path.startswith("/api/v1/") and (method, path) not in INTAKE:
                yield method, path


async def _put_everything(described: Described) -> None:
    space, table, job = ("/api/v1/namespaces/put", "/api/v1/namespaces/put/datasets/t", "/api/v1/namespaces/put/jobs/j")
    await described.ask("PUT", space, {"ownerName": "ann"})
    await described.ask("PUT", "/api/v1/sources/wh", {"type": "X", "connectionUrl": "x://y", "description": "Here"})
    await described.ask("PUT", "/api/v1/tags/GOLD", {"description": None})
    put = {"physicalName": "t", "sourceName": "wh", "fields": [{"name": "a", "tags": ["K"]}], "description": "d"}
    await described.ask("PUT", table, {"type": "DB_TABLE", **put})
    await described.ask("PUT", f"{space}/datasets/s", {"type": "STREAM", "schemaLocation": "http://x/1", **put})
    named = [{"namespace": "put", "name": "t"}]
    await described.ask("PUT", job, {"type": "SERVICE", "inputs": named, "outputs": named, "location": "git://x"})
    for path in (table, f"{table}/fields/a", job):
        for method in ("POST", "DELETE"):
            await described.ask(method, f"{path}/tags/GOLD")
    run = await described.ask("POST", f"{job}/runs", {"args": {"a": "1"}, "nominalStartTime": "2026-03-01T00:00:00Z"})
    for state in ("start", "complete"):
        await described.ask("POST", f"/api/v1/jobs/runs/{run['id']}/{state}")
    await described.ask("PUT", f"{space}/datasets/gone", {"type": "DB_TABLE", **put})
    await described.ask("DELETE", f"{space}/datasets/gone")
    await described.ask("PUT", f"{space}/jobs/gone", {"type": "BATCH", "inputs": [], "outputs": []})
    await described.ask("DELETE", f"{space}/jobs/gone")
    await described.ask("PUT", "/api/v1/namespaces/gone", {"ownerName": "ann"})
    await described.ask("DELETE", "/api/v1/namespaces/gone")


async def _read_everything(described: Described) -> None:
    for path in ("sources", "tags", "jobs", "events/lineage", "search?q=d"):
        await described.ask("GET", f"/api/v1/{path}")
    await described.ask("GET", "/api/v1/sources/wh")
    for noun in ("lineage-events", "jobs", "datasets", "sources"):
        await described.ask("GET", f"/api/v1/stats/{noun}?period=DAY")
    for space in (await described.ask("GET", "/api/v1/namespaces"))["namespaces"]:
        path = f"/api/v1/namespaces/{quote(space['name'], safe='')}"
        await described.ask("GET", path)
        for job in (await described.ask("GET", f"{path}/jobs"))["jobs"]:
            await _read_job(described, f"{path}/jobs/{quote(job['name'], safe='')}", job["id"])
        for dataset in (await described.ask("GET", f"{path}/datasets"))["datasets"]:
            await _read_dataset(described, f"{path}/datasets/{quote(dataset['name'], safe='')}", dataset["id"])


async def _read_job(described: Described, path: str, named: dict[str, str]) -> None:
    await described.ask("GET", path)
    for version in (await described.ask("GET", f"{path}/versions"))["versions"]:
        await described.ask("GET", f"{path}/versions/{version['version']}")
    for run in (await described.ask("GET", f"{path}/runs"))["runs"]:
        await described.ask("GET", f"/api/v1/jobs/runs/{run['id']}")
        await described.ask("GET", f"/api/v1/runlineage/upstream?runId={run['id']}")
        for kind in ("run", "job", "dataset"):
            await described.ask("GET", f"/api/v1/jobs/runs/{run['id']}/facets?type={kind}")
    node = quote(f"job:{named['namespace']}:{named['name']}", safe="")
    await described.ask("GET", f"/api/v1/lineage?nodeId={node}")
    await described.ask("GET", f"/api/v1/column-lineage?nodeId={node}")


async def _read_dataset(described: Described, path: str, named: dict[str, str]) -> None:
    await described.ask("GET", path)
    node = quote(f"dataset:{named['namespace']}:{named['name']}", safe="")
    for version in (await described.ask("GET", f"{path}/versions"))["versions"]:
        await described.ask("GET", f"{path}/versions/{version['version']}")
        await described.ask("GET", f"/api/v1/column-lineage?nodeId={node}%23{version['version']}")
    await described.ask("GET", f"/api/v1/lineage?nodeId={node}")
    await described.ask("GET", f"/api/v1/column-lineage?nodeId={node}&withDownstream=true")


async def test_every_answer_is_as_described_and_every_route_is_asked(client: Any, described: Described) -> None:
    await fill(client)
    await _put_everything(described)
    await _read_everything(described)
    assert set(_routes(await client.get("/openapi.json"))) - described.asked == set()


async def test_refusals_are_as_described(described: Described) -> None:
    for method, path in (
        ("GET", "/api/v1/namespaces/none"),
        ("GET", "/api/v1/namespaces?limit=-1"),
        ("GET", "/api/v1/namespaces?limit=many"),
        ("GET", "/api/v1/search"),
        ("GET", "/api/v1/lineage?nodeId=dataset:x"),
        ("GET", f"/api/v1/jobs/runs/{UUID(int=7)}"),
        ("GET", "/api/v1/stats/jobs?period=YEAR"),
        ("PUT", "/api/v1/namespaces/n"),
        ("DELETE", "/api/v1/namespaces/none/jobs/none"),
    ):
        await described.ask(method, path)
    assert described.asked == set()


async def test_a_body_that_is_given_as_an_example_is_taken(client: Any) -> None:
    spec = await client.get("/openapi.json")
    await client.run("load", 1, outputs=[client.dataset("shop.public.orders", namespace="postgres://db.example:5432")])
    await client.http.put("/api/v1/sources/warehouse", json={"type": "X", "connectionUrl": "x://y"})
    taken = 0
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" in content and path.startswith("/api/v1/"):
                names = {"namespace": "jobs", "name": "warehouse" if "/sources/" in path else "load", "tag": "GOLD"}
                response = await client.http.request(method, path.format(**names), json=content["example"])
                assert response.status_code in {200, 201}, (path, response.text)
                taken += 1
    assert taken == 8
