"""A run whose clock was right though it seemed ahead is ranked by its times, once that is said."""

from datetime import datetime, timezone
from typing import Any
from uuid import UUID

import pytest


async def test_a_run_from_the_future_that_is_trusted(client: Any) -> None:
    ahead = 100 * 365 * 24 * 3600
    await client.run("j", 1, outputs=[client.dataset("d", "now")])
    run = await client.run("j", 2, at=ahead, outputs=[client.dataset("d", "then")])
    path = "/api/v1/namespaces/data/datasets/d"

    async def shown() -> tuple[str, str]:
        fields = (await client.get(path))["fields"]
        return fields[0]["name"], (await client.get("/api/v1/namespaces/jobs/jobs/j"))["latestRun"]["id"]

    assert (await shown())[0] == "now"
    response = await client.http.post(f"/api/v2/runs/{run}/trust")
    assert response.status_code == 200
    assert [(row["runId"], row["fromTheFuture"]) for row in response.json()["runs"]] == [(run, False)]
    assert await shown() == ("then", run)
    missing = await client.http.post("/api/v2/runs/00000000-0000-0000-0000-00000000000f/trust")
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")


async def test_what_is_said_of_a_dataset_from_the_future(client: Any) -> None:
    def event(time: str, field: str) -> dict[str, Any]:
        return {
            "eventTime": time,
            "producer": "https://example.com/tests",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
            "dataset": client.dataset("d", field),
        }

    await client.run("j", 1, outputs=[client.dataset("d", "run")])
    await client.post(event("2926-03-01T00:00:00Z", "then"))
    path = "/api/v1/namespaces/data/datasets/d"
    assert (await client.get(path))["fields"][0]["name"] == "run"
    answers = [
        await client.http.post("/api/v2/datasets/trust", params=params)
        for params in ({"namespace": "data", "name": "d"}, {"namespace": "data", "name": "e"}, {"name": "d"})
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 400]
    assert (await client.get(path))["fields"][0]["name"] == "then"


async def test_what_is_said_of_a_job_from_the_future(client: Any) -> None:
    def event(time: str, url: str) -> dict[str, Any]:
        place = {"_producer": "https://example.com", "_schemaURL": "https://example.com/s", "type": "git", "url": url}
        return {
            "eventTime": time,
            "producer": "https://example.com/tests",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
            "job": {"namespace": "jobs", "name": "j", "facets": {"sourceCodeLocation": place}},
        }

    await client.post(event("2926-03-01T00:00:00Z", "https://then.example/"))
    await client.post(event("2026-03-01T00:00:00Z", "https://now.example/"))
    path = "/api/v1/namespaces/jobs/jobs/j"
    assert (await client.get(path))["location"] == "https://now.example/"
    answers = [
        await client.http.post("/api/v2/jobs/trust", params=params)
        for params in ({"namespace": "jobs", "name": "j"}, {"namespace": "jobs", "name": "k"}, {"name": "j"})
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 400]
    found = await client.get(path)
    assert (found["location"], found["updatedAt"][:4]) == ("https://then.example/", "2926")


@pytest.mark.parametrize("time", ["2926-03-01T00:00:00Z", "9999-12-31T00:00:00Z"])
async def test_what_is_put_anew_after_a_trusted_future_drags_no_other_write_along(client: Any, time: str) -> None:
    space, job = client.path("namespaces", "jobs"), client.path("namespaces", "jobs", "jobs", "j")
    body = {"type": "BATCH", "inputs": [], "outputs": []}
    await client.http.put(space, json={"ownerName": "ann"})
    await client.http.put(job, json=body)
    run = str(UUID(int=5))
    assert (await client.http.post(f"{job}/runs", json={"id": run})).status_code == 201
    assert (await client.http.post(f"/api/v1/jobs/runs/{run}/complete", params={"at": time})).status_code == 200
    assert (await client.http.post(f"/api/v2/runs/{run}/trust")).status_code == 200
    for again in ("first", "second", "third"):
        assert (await client.http.delete(job)).status_code == 200
        assert (await client.http.put(job, json={**body, "description": again})).status_code == 200
        assert (await client.get(job))["description"] == again
    put = (await client.http.put(space, json={"ownerName": "bob"})).json()
    assert datetime.fromisoformat(put["updatedAt"]) < datetime.now(timezone.utc)
    for method, tags in (("POST", ["T"]), ("DELETE", [])):
        assert (await client.http.request(method, f"{job}/tags/T")).json()["tags"] == tags


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
async def test_a_run_is_marked_at_the_ends_of_time(client: Any, time: str) -> None:
    run = await client.run("j", 1, event="RUNNING")
    answered = await client.http.post(f"/api/v1/jobs/runs/{run}/fail", params={"at": time})
    assert (answered.status_code, answered.json()["state"]) == (200, "FAILED")


async def test_what_is_trusted_is_found_where_its_time_says(client: Any) -> None:
    """Read by a trusted run of the future, and written by nobody: updated last of all."""
    await client.run("now", 1, inputs=[client.dataset("seen now")])
    run = await client.run("then", 2, at=100 * 365 * 24 * 3600, inputs=[client.dataset("seen then")])

    async def found() -> list[str]:
        answer = await client.get("/api/v1/search", q="e", sort="UPDATE_AT")
        return [one["name"] for one in answer["results"]]

    assert (await found())[0] == "seen now"
    assert (await client.http.post(f"/api/v2/runs/{run}/trust")).status_code == 200
    assert await found() == ["seen then", "then", "seen now"]
