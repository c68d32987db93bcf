"""Tags: by the API and by events' `tags` facets, on datasets, fields and jobs."""

from typing import Any


def _facet(*tags: tuple[str, str, str | None]) -> dict[str, Any]:
    return {
        "tags": [
            {"key": key, "value": value, "source": "TEST"} | ({"field": field} if field else {})
            for key, value, field in tags
        ]
    }


async def _ask(client: Any, method: str, path: str) -> Any:
    response = await client.http.request(method, path)
    assert response.status_code == 200, response.text
    return response.json()


async def test_tags_of_facets_are_shown_and_the_newest_facet_counts(client: Any) -> None:
    first = client.dataset(
        "d", "x", facets={"tags": _facet(("pii", "true", "x"), ("tier", "1", None), ("old", "", None))}
    )
    await client.run("j", 1, outputs=[first], job_facets={"tags": _facet(("team", "data", None))})
    path = "/api/v1/namespaces/data/datasets/d"
    shown = await client.get(path)
    assert (shown["tags"], shown["fields"][0]["tags"]) == (["old", "tier:1"], ["pii"])
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["tags"] == ["team:data"]
    assert (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"][0]["tags"] == ["team:data"]
    graph = (await client.get("/api/v1/lineage", nodeId="dataset:data:d"))["graph"]
    assert graph[0]["data"]["tags"] == ["old", "tier:1"]
    assert (await client.get(f"{path}/versions"))["versions"][0]["fields"][0]["tags"] == ["pii"]
    await client.run("j", 2, at=60, outputs=[client.dataset("d", "x", facets={"tags": _facet(("tier", "2", None))})])
    shown = await client.get(path)
    assert (shown["tags"], shown["fields"][0]["tags"]) == (["tier:2"], [])


async def test_a_tag_is_there_if_it_was_added_last(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("d", "x", facets={"tags": _facet(("tier", "1", None))})])
    path = "/api/v1/namespaces/data/datasets/d"
    for _ in range(2):
        assert (await _ask(client, "POST", f"{path}/tags/GOLD"))["tags"] == ["GOLD", "tier:1"]
        assert (await _ask(client, "DELETE", f"{path}/tags/GOLD"))["tags"] == ["tier:1"]
    assert (await _ask(client, "DELETE", f"{path}/tags/tier%3A1"))["tags"] == []  # of the facet: it was said before
    assert (await _ask(client, "DELETE", f"{path}/tags/never"))["tags"] == []
    assert (await _ask(client, "POST", f"{path}/tags/GOLD"))["tags"] == ["GOLD"]
    assert (await _ask(client, "POST", f"{path}/fields/x/tags/pii"))["fields"][0]["tags"] == ["PII"]
    assert (await _ask(client, "DELETE", f"{path}/fields/x/tags/pii"))["fields"][0]["tags"] == []


async def test_a_child_job_is_tagged_by_what_it_is_called_and_not_its_namesake(client: Any) -> None:
    parent = {
        "parent": {
            "run": {"runId": "01900000-0000-7000-8000-000000000009"},
            "job": {"namespace": "jobs", "name": "dag"},
        }
    }
    await client.run("task", 1, facets=parent)
    await client.run("task", 2, namespace="others")
    assert (await _ask(client, "POST", "/api/v1/namespaces/jobs/jobs/dag.task/tags/GOLD"))["tags"] == ["GOLD"]
    assert (await client.get("/api/v1/namespaces/jobs/jobs/task"))["tags"] == ["GOLD"]
    assert (await client.get("/api/v1/namespaces/others/jobs/task"))["tags"] == []
    assert (await client.get("/api/v1/namespaces/jobs/jobs/dag"))["tags"] == []


async def test_the_list_of_tags(client: Any) -> None:
    async def listed(**query: Any) -> list[tuple[str, Any]]:
        return [(tag["name"], tag["description"]) for tag in (await client.get("/api/v1/tags", **query))["tags"]]

    seeds = await listed()
    assert [name for name, _ in seeds] == ["PII", "SENSITIVE"]
    await client.run("j", 1)
    await _ask(client, "POST", "/api/v1/namespaces/jobs/jobs/j/tags/PII")
    assert await listed() == seeds
    for description in ("Ours", None):
        await client.http.put("/api/v1/tags/PII", json={"description": description})
        await client.http.put("/api/v1/tags/AAA", json={"description": description})
        assert (await listed())[:2] == [("AAA", description), ("PII", description)]
    assert await listed(limit=1, offset=2) == seeds[1:]


async def test_a_tag_of_the_future_can_be_removed(client: Any) -> None:
    ahead = 100 * 365 * 24 * 3600
    target = client.dataset("d", "x", facets={"tags": _facet(("tier", "1", None))})
    await client.run("j", 1, at=ahead, outputs=[target], job_facets={"tags": _facet(("team", "data", None))})
    path = "/api/v1/namespaces/data/datasets/d"
    assert (await client.get(path))["tags"] == ["tier:1"]
    assert (await _ask(client, "DELETE", f"{path}/tags/tier%3A1"))["tags"] == []
    again = client.dataset("d", "x", facets={"tags": _facet(("tier", "2", None))})
    await client.run("j", 2, outputs=[again], job_facets={"tags": _facet(("team", "now", None))})
    assert (await client.get(path))["tags"] == ["tier:2"]
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["tags"] == ["team:now"]
