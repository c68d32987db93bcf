"""What Marquez answers where its own clients look: what was put by the API, what a version shows, what isn't there."""

from datetime import datetime, timezone
from typing import Any
from uuid import UUID

import pytest

SPACE = "shop:eu"
TABLE = {"type": "DB_TABLE", "physicalName": "eu.orders", "sourceName": "wh"}
PUT = {**TABLE, "description": "All orders", "fields": [{"name": "id", "type": "INT", "tags": ["KEY"]}], "tags": ["G"]}
NOBODY = "0190a000-0000-7000-8000-00000000dead"


async def _ask(client: Any, method: str, *segments: str, body: Any = None, status: int = 200) -> Any:
    response = await client.http.request(method, client.path(*segments), **({} if body is None else {"json": body}))
    assert response.status_code == status, response.text
    return response.json()


def _soon(client: Any) -> float:
    """Seconds from the tests' noon to a moment after everything that was put so far."""
    return float((datetime.now(timezone.utc) - client.noon).total_seconds()) + 1


async def _begin(client: Any) -> None:
    await _ask(client, "PUT", "namespaces", SPACE, body={"ownerName": "ann"})
    await _ask(client, "PUT", "sources", "wh", body={"type": "MYSQL", "connectionUrl": "jdbc:mysql://h/d"})


async def test_what_was_put_is_no_facet_that_anybody_sent(client: Any) -> None:
    await _begin(client)
    table = ("namespaces", SPACE, "datasets", "orders")
    made = await _ask(client, "PUT", *table, body=PUT)
    assert (made["facets"], made["lastModifiedAt"]) == ({}, None)
    assert (made["sourceName"], made["physicalName"], made["description"]) == ("wh", "eu.orders", "All orders")
    (version,) = (await _ask(client, "GET", *table, "versions"))["versions"]
    assert (version["facets"], version["createdByRun"], version["fields"]) == ({}, None, made["fields"])
    job = ("namespaces", SPACE, "jobs", "load")
    said = {"type": "STREAM", "inputs": [], "outputs": [{"namespace": SPACE, "name": "orders"}], "location": "git://x"}
    made = await _ask(client, "PUT", *job, body={**said, "description": "Loads"})
    assert (made["facets"], made["labels"], made["type"]) == ({}, [], "STREAM")
    assert (made["location"], made["description"]) == ("git://x", "Loads")
    times = {"nominalStartTime": "2026-03-01T00:00:00Z", "nominalEndTime": "2026-03-02T00:00:00Z"}
    run = await _ask(client, "POST", *job, "runs", body={**times, "args": {"a": "1"}}, status=201)
    assert (run["facets"], run["args"]) == ({}, {"a": "1"})
    assert {key: run[key] for key in times} == times
    bare = await _ask(client, "POST", *job, "runs", body=times, status=201)
    assert (bare["args"], bare["nominalStartTime"]) == ({}, times["nominalStartTime"])
    plain = await _ask(client, "POST", *job, "runs", body={"args": {"n": 7, "full": True, "x": 1.5}}, status=201)
    assert plain["args"] == {"n": "7", "full": "true", "x": "1.5"}
    await _ask(client, "POST", *job, "runs", body={"args": {"n": [7]}}, status=422)
    late = await _ask(client, "POST", *job, "runs", body={"nominalEndTime": times["nominalEndTime"]}, status=201)
    assert (late["nominalStartTime"], late["nominalEndTime"]) == (None, times["nominalEndTime"])
    for kind in ("run", "job"):
        found = await client.get(f"/api/v1/jobs/runs/{run['id']}/facets", type=kind)
        assert found == {"runId": run["id"], "facets": {}}


async def test_facets_of_events_stay_beside_what_was_put(client: Any) -> None:
    await _begin(client)
    table = ("namespaces", SPACE, "datasets", "orders")
    await _ask(client, "PUT", *table, body=PUT)
    told = client.dataset("orders", "id total", facets={"mine": {"x": 1}}, namespace=SPACE)
    await client.run("load", 1, outputs=[told], at=_soon(client))
    found = await _ask(client, "GET", *table)
    assert (sorted(found["facets"]), found["description"]) == (["mine", "schema"], "All orders")
    assert (found["sourceName"], found["tags"]) == ("wh", ["G"])
    assert found["lastModifiedAt"] is not None


async def test_the_version_in_force_is_shown_as_the_dataset_is(client: Any) -> None:
    await _begin(client)
    table = ("namespaces", SPACE, "datasets", "orders")
    await _ask(client, "PUT", *table, body=PUT)
    told = client.dataset("orders", "id", facets={"kept": {"x": 1}}, namespace=SPACE)
    await client.run("load", 1, outputs=[told], at=_soon(client))
    seen = client.dataset(
        "orders", facets={"seen": {"x": 2}}, namespace=SPACE, inputFacets={"dataQualityMetrics": {"columnMetrics": {}}}
    )
    await client.run("report", 2, inputs=[seen], at=_soon(client) + 9)
    newest, first = (await _ask(client, "GET", *table, "versions"))["versions"]
    assert sorted(newest["facets"]) == ["dataQualityMetrics", "kept", "schema", "seen"]
    assert newest["facets"] == (await _ask(client, "GET", *table))["facets"]
    assert await _ask(client, "GET", *table, "versions", newest["version"]) == newest
    assert (newest["createdByRun"]["id"], first["createdByRun"]) == (str(UUID(int=1)), None)
    for version in (newest, first):  # what the write of a run didn't say is as it was put
        assert (version["sourceName"], version["physicalName"]) == ("wh", "eu.orders")
        assert (version["description"], version["tags"]) == ("All orders", ["G"])


async def test_what_was_only_read_shows_its_readers_facets_on_its_version_too(client: Any) -> None:
    seen = client.dataset("raw", "a", facets={"mine": {"x": 1}, "dataSource": {"name": "lake", "uri": "s3://lake"}})
    await client.run("report", 1, inputs=[seen])
    path = client.path("namespaces", "data", "datasets", "raw")
    (version,) = (await client.get(f"{path}/versions"))["versions"]
    assert sorted(version["facets"]) == ["dataSource", "mine", "schema"]
    assert version["facets"] == (await client.get(path))["facets"]
    assert (version["sourceName"], version["createdByRun"]) == ("lake", None)


@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ("datasets", "d")),
        ("DELETE", ("datasets", "d")),
        ("GET", ("datasets", "d", "versions")),
        ("GET", ("datasets", "d", "versions", NOBODY)),
        ("POST", ("datasets", "d", "tags", "T")),
        ("DELETE", ("datasets", "d", "tags", "T")),
        ("POST", ("datasets", "d", "fields", "f", "tags", "T")),
        ("DELETE", ("datasets", "d", "fields", "f", "tags", "T")),
        ("GET", ("jobs", "j")),
        ("DELETE", ("jobs", "j")),
        ("GET", ("jobs", "j", "runs")),
        ("GET", ("jobs", "j", "versions")),
        ("GET", ("jobs", "j", "versions", NOBODY)),
        ("POST", ("jobs", "j", "tags", "T")),
        ("DELETE", ("jobs", "j", "tags", "T")),
        ("POST", ("jobs", "j", "runs")),
    ],
    ids=" ".join,
)
async def test_of_what_is_not_there_the_namespace_is_named_first(
    client: Any, method: str, rest: tuple[str, ...]
) -> None:
    said = await _ask(client, method, "namespaces", "no where", *rest, status=404)
    assert said == {"code": 404, "message": "Namespace 'no where' not found."}
    await _ask(client, "PUT", "namespaces", "no where", body={"ownerName": "ann"})
    said = await _ask(client, method, "namespaces", "no where", *rest, status=404)
    noun, name = ("Dataset", "d") if rest[0] == "datasets" else ("Job", "j")
    assert said == {"code": 404, "message": f"{noun} '{name}' not found."}


async def test_a_method_that_a_route_has_not(shared: Any) -> None:
    for method, path in (("POST", "namespaces"), ("PATCH", "jobs")):
        said = await _ask(shared, method, *path.split("/"), status=405)
        assert said == {"code": 405, "message": "HTTP 405 Method Not Allowed"}


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/healthz", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/api/v1/namespaces", "GET, HEAD"),
        ("/api/v1/namespaces/a%2Fb", "GET, HEAD, PUT, DELETE"),
        ("/api/v1/namespaces/n/datasets/d", "GET, HEAD, PUT, DELETE"),
        ("/api/v1/namespaces/n/jobs/j/", "GET, HEAD, PUT, DELETE"),
        ("/api/v1/namespaces/n/jobs/j/runs", "GET, HEAD, POST"),
        ("/api/v1/namespaces/n/datasets/d/tags/t", "POST, DELETE"),
        ("/api/v2/alias", "GET, HEAD, POST, DELETE"),
        ("/api/v2/horizon", "GET, HEAD, PUT, DELETE"),
        ("/api/v2/lineage", "GET, HEAD"),
    ],
)
async def test_every_method_of_a_path_is_told_to_who_asks_by_another(shared: Any, path: str, methods: str) -> None:
    """Not those of the route that stands first alone; what is there is never said not to be."""
    for other in ("PATCH", "OPTIONS", "TRACE"):
        answer = await shared.http.request(other, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, methods)
    unknown = await shared.http.request("PATCH", f"{path}/no/such/thing/at/all")
    assert (unknown.status_code, unknown.headers.get("allow")) == (404, None)


async def test_a_task_that_names_itself_as_its_parent_means_what_stands_before_its_last_dot(client: Any) -> None:
    def above(name: str, run: int) -> dict[str, Any]:
        return {"parent": {"run": {"runId": str(UUID(int=run))}, "job": {"namespace": "jobs", "name": name}}}

    await client.run("dag.v1.load", 1, facets=above("dag.v1.load", 9), at=5)
    await client.run("dag.v1", 9, at=9)
    await client.run("dag.v1.check", 2, facets=above("dag.v1.check", 9), at=7)
    await client.run("alone", 3, facets=above("alone", 8))
    await client.run("app.step", 4, facets=above("app.step", 4))
    jobs = {job["name"]: job for job in (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"]}
    assert {name: (job["parentJobName"], job["simpleName"]) for name, job in jobs.items()} == {
        "dag.v1": (None, "dag.v1"),
        "dag.v1.load": ("dag.v1", "load"),
        "dag.v1.check": ("dag.v1", "check"),
        "alone": (None, "alone"),
        "app.step": (None, "app.step"),
    }
    runs = (await client.get("/api/v1/namespaces/jobs/jobs/dag.v1/runs"))["runs"]
    assert [(run["id"], run["state"]) for run in runs] == [(str(UUID(int=9)), "COMPLETED")]
    for task, run in (("dag.v1.load", 1), ("dag.v1.check", 2), ("app.step", 4)):
        runs = (await client.get(f"/api/v1/namespaces/jobs/jobs/{task}/runs"))["runs"]
        assert [run["id"] for run in runs] == [str(UUID(int=run))]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1-beta/graphql"),
        ("GET", "/api/v1-beta/graphql?query={jobs{name}}"),
        ("GET", "/api/v1/schema.json"),
        ("GET", "/graphql-playground/"),
        ("GET", "/api/v2beta/search/jobs?q=a"),
        ("GET", "/api/v2beta/search/datasets?q=a"),
    ],
)
async def test_what_is_not_served_says_so(shared: Any, method: str, path: str) -> None:
    answered = await shared.http.request(method, path)
    assert (answered.status_code, answered.json()["code"]) == (501, 501)
    assert answered.json()["message"].startswith("Lineal doesn't serve Marquez's ")
