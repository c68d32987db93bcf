"""Marquez's routes that write: what they answer, and what is there afterwards."""

from typing import Any

import pytest

from .test_names import AWKWARD

TABLE = {"type": "DB_TABLE", "physicalName": "t", "sourceName": "default"}
BATCH: dict[str, Any] = {"type": "BATCH", "inputs": [], "outputs": []}


async def _ask(client: Any, method: str, *segments: str, body: Any = None, status: int = 200) -> Any:
    response = await client.http.request(method, client.path(*segments), json=body)
    assert response.status_code == status, response.text
    return response.json()


async def test_every_write_takes_an_awkward_name(client: Any) -> None:
    for number, name in enumerate(AWKWARD):
        await _write_everywhere(client, name, f"01900000-0000-7000-8000-{number:012}")


async def _write_everywhere(client: Any, name: str, run: str) -> None:
    space, job = ("namespaces", name), ("namespaces", name, "jobs", name)
    assert (await _ask(client, "PUT", *space, body={"ownerName": name}))["ownerName"] == name
    source = await _ask(client, "PUT", "sources", name, body={"type": "X", "connectionUrl": f"x://{name}"})
    assert (source["name"], source["connectionUrl"]) == (name, f"x://{name}")
    data = (*space, "datasets", name)
    put = {**TABLE, "sourceName": name, "physicalName": name, "fields": [{"name": name}], "description": name}
    made = await _ask(client, "PUT", *data, body=put)
    assert (made["id"], made["sourceName"]) == ({"namespace": name, "name": name}, name)
    assert (made["physicalName"], made["description"], made["fields"][0]["name"]) == (name, name, name)
    named = [{"namespace": name, "name": name}]
    assert (await _ask(client, "PUT", *job, body={**BATCH, "inputs": named, "location": name}))["inputs"] == named
    assert (await _ask(client, "PUT", "tags", name, body={"description": name}))["name"] == name
    assert (await _ask(client, "POST", *data, "tags", name))["tags"] == [name]
    tagged = await _ask(client, "POST", *data, "fields", name, "tags", name)
    assert tagged["fields"][0]["tags"] == [name.upper()]
    assert (await _ask(client, "POST", *job, "tags", name))["tags"] == [name]
    assert name in [tag["name"] for tag in (await client.get("/api/v1/tags"))["tags"]]
    made = await _ask(client, "POST", *job, "runs", body={"id": run, "args": {name: name}}, status=201)
    assert made["args"] == {name: name}
    assert (await _ask(client, "POST", "jobs", "runs", run, "complete"))["state"] == "COMPLETED"
    assert (await _ask(client, "DELETE", *data, "fields", name, "tags", name))["fields"][0]["tags"] == []
    assert (await _ask(client, "DELETE", *data, "tags", name))["tags"] == []
    assert (await _ask(client, "DELETE", *job, "tags", name))["tags"] == []
    assert (await _ask(client, "DELETE", *data))["name"] == name
    assert (await _ask(client, "DELETE", *job))["name"] == name
    assert (await _ask(client, "DELETE", *space))["name"] == name
    assert (await client.get(client.path(*space)))["isHidden"] is True


@pytest.mark.parametrize(
    ("segments", "body", "errors"),
    [
        (("namespaces", "n"), {}, ["ownerName must not be null"]),
        (("namespaces", "n"), {"ownerName": 1}, ["ownerName must be a string"]),
        (("namespaces", "n"), None, ["The request body must not be null"]),
        (("sources", "s"), {"type": " "}, ["type must not be blank", "connectionUrl must not be null"]),
        (
            ("namespaces", "default", "datasets", "d"),
            {**TABLE, "type": "FILE", "fields": [{}, 1], "tags": [None], "runId": "x"},
            [
                "type must be one of [DB_TABLE, STREAM]",
                "fields[1] must be an object",
                "fields[0].name must not be null",
                "tags[0] must not be null",
                "runId must be a UUID",
            ],
        ),
        (
            ("namespaces", "default", "datasets", "d"),
            {**TABLE, "type": "STREAM"},
            ["schemaLocation must not be null"],
        ),
        (
            ("namespaces", "default", "jobs", "j"),
            {"type": "BATCH", "inputs": [{"namespace": "n"}]},
            ["inputs[0].name must not be null", "outputs must not be null"],
        ),
        (("tags", "t"), {"description": ["x"]}, ["description must be a string"]),
    ],
)  # fmt: skip
async def test_a_body_that_will_not_do(shared: Any, segments: tuple[str, ...], body: Any, errors: list[str]) -> None:
    response = await shared.http.put(shared.path(*segments), **({} if body is None else {"json": body}))
    assert (response.status_code, response.json()) == (422, {"errors": errors})


@pytest.mark.parametrize("text", ["{", "[]", '"x"', '{"ownerName": NaN}', '{"ownerName": "\\ud800"}'])
async def test_a_body_that_is_no_object(shared: Any, text: str) -> None:
    headers = {"Content-Type": "application/json"}
    response = await shared.http.put(shared.path("namespaces", "n"), content=text.encode(), headers=headers)
    assert response.status_code == 400
    assert set(response.json()) == {"code", "message"}


async def test_a_body_of_another_type_or_too_large(shared: Any) -> None:
    path = shared.path("namespaces", "n")
    response = await shared.http.put(path, content=b"{}", headers={"Content-Type": "text/plain"})
    assert response.status_code == 415
    large = {"ownerName": "a", "description": "x" * (17 * 1024 * 1024)}
    assert (await shared.http.put(path, json=large)).status_code == 413


async def test_what_a_write_needs_must_be_there(client: Any) -> None:
    await _ask(client, "PUT", "namespaces", "n", body={"ownerName": "ann"})
    run = "01900000-0000-7000-8000-000000000001"
    for method, segments, body, message in (
        ("PUT", ("namespaces", "none", "datasets", "d"), TABLE, "Namespace 'none' not found."),
        ("PUT", ("namespaces", "n", "datasets", "d"), {**TABLE, "sourceName": "s"}, "Source 's' not found."),
        ("PUT", ("namespaces", "n", "datasets", "d"), {**TABLE, "runId": run}, f"Run '{run}' not found."),
        ("PUT", ("namespaces", "none", "jobs", "j"), BATCH, "Namespace 'none' not found."),
        ("PUT", ("namespaces", "n", "jobs", "j"), {**BATCH, "runId": run}, f"Run '{run}' not found."),
        ("PUT", ("namespaces", "n", "jobs", "j"), {**BATCH, "inputs": [{"namespace": "n", "name": "d"}]},
         "Dataset 'd' not found."),
        ("POST", ("namespaces", "n", "jobs", "j", "runs"), {}, "Job 'j' not found."),
        ("POST", ("jobs", "runs", run, "start"), None, f"Run '{run}' not found."),
        ("POST", ("namespaces", "n", "datasets", "d", "tags", "t"), None, "Dataset 'd' not found."),
        ("POST", ("namespaces", "n", "jobs", "j", "tags", "t"), None, "Job 'j' not found."),
    ):  # fmt: skip
        found = await _ask(client, method, *segments, body=body, status=404)
        assert found == {"code": 404, "message": message}
    await _ask(client, "PUT", "namespaces", "n", "datasets", "d", body=TABLE)
    for method in ("POST", "DELETE"):
        found = await _ask(client, method, "namespaces", "n", "datasets", "d", "fields", "f", "tags", "t", status=404)
        assert found == {"code": 404, "message": "Field 'f' not found for dataset 'd'."}
    await _ask(client, "POST", "jobs", "runs", run, "pause", status=404)
    await _ask(client, "POST", "jobs", "runs", "no-uuid", "start", status=404)


async def test_a_run_of_the_api_from_new_to_its_end(client: Any) -> None:
    for name in ("raw", "made"):
        await _ask(client, "PUT", "namespaces", "default", "datasets", name, body=TABLE)
    raw, made = ({"namespace": "default", "name": name} for name in ("raw", "made"))
    job = ("namespaces", "default", "jobs", "j")
    put = {"type": "BATCH", "inputs": [raw], "outputs": [made], "location": "https://code.example/1"}
    assert (await _ask(client, "PUT", *job, body=put))["outputs"] == []  # as in Marquez, before any run
    assert (await client.get(client.path(*job, "versions")))["versions"] == []
    created = await client.http.post(client.path(*job, "runs"), json={})
    run = created.json()["id"]
    assert created.headers["location"] == f"http://receiver/api/v1/jobs/runs/{run}"
    assert created.json()["state"] == "NEW"
    started = await client.http.post(f"/api/v1/jobs/runs/{run}/start", params={"at": "2026-03-02T10:00:00+01:00"})
    assert (started.json()["state"], started.json()["startedAt"]) == ("RUNNING", "2026-03-02T09:00:00Z")
    ended = await client.http.post(f"/api/v1/jobs/runs/{run}/complete", params={"at": "2026-03-02T09:00:10Z"})
    assert (ended.json()["state"], ended.json()["durationMs"]) == ("COMPLETED", 10_000)
    assert ended.json()["jobVersion"] is not None
    shown = await client.get(client.path(*job))
    assert (shown["inputs"], shown["outputs"], shown["location"]) == ([raw], [made], "https://code.example/1")
    assert [row["latestRun"]["id"] for row in (await client.get(client.path(*job, "versions")))["versions"]] == [run]
    graph = (await client.get("/api/v1/lineage", nodeId="dataset:default:raw"))["graph"]
    assert [node["id"] for node in graph] == ["dataset:default:made", "dataset:default:raw", "job:default:j"]
    await _ask(client, "POST", "jobs", "runs", run, "fail")  # too late: the earliest end decides
    assert (await client.get(f"/api/v1/jobs/runs/{run}"))["state"] == "COMPLETED"


async def test_a_dataset_that_a_run_wrote_is_there_before_its_end_and_gone_if_it_fails(client: Any) -> None:
    data, job = ("namespaces", "default", "datasets", "d"), ("namespaces", "default", "jobs", "j")
    await _ask(client, "PUT", *data, body={**TABLE, "fields": [{"name": "a"}]})
    await _ask(client, "PUT", *job, body=BATCH)
    run = (await _ask(client, "POST", *job, "runs", body={}, status=201))["id"]
    put = {**TABLE, "fields": [{"name": "a"}, {"name": "b"}], "runId": run}
    assert [field["name"] for field in (await _ask(client, "PUT", *data, body=put))["fields"]] == ["a", "b"]
    versions = (await client.get(client.path(*data, "versions")))["versions"]
    assert [(v["createdByRun"] or {}).get("id") for v in versions] == [run, None]
    await _ask(client, "POST", "jobs", "runs", run, "fail")
    assert [field["name"] for field in (await client.get(client.path(*data)))["fields"]] == ["a"]


async def test_all_writes_are_in_the_log_as_commands(client: Any, pool: Any) -> None:
    await _ask(client, "PUT", "namespaces", "n", body={"ownerName": "ann"})
    await _ask(client, "PUT", "tags", "t", body={})
    await _ask(client, "DELETE", "namespaces", "n")
    rows = await pool.fetch("select event_type, body from log where kind = 'command' order by event_time")
    assert [row["event_type"] for row in rows] == ["put_namespace", "put_tag", "delete"]
    events = (await client.get("/api/v1/events/lineage"))["events"]
    assert events == []
