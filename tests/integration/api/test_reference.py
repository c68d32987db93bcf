"""The description at /docs, and HEAD."""

import re
from typing import Any
from uuid import UUID


async def test_the_page_lists_every_route_and_loads_nothing(shared: Any) -> None:
    page = await shared.http.get("/docs")
    described = await shared.get("/openapi.json")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for path, operations in described["paths"].items():
        for method in operations:
            assert f"<b>{method.upper()}</b> <code>{path}</code>" in page.text
    assert not re.search(r"<(script|link|img|iframe)|https?://(?!example|openlineage|db\.)", page.text)
    assert "withDownstream" in page.text
    assert (await shared.http.get("/redoc")).status_code == 404


async def test_head_answers_like_get_without_the_body(client: Any) -> None:
    await client.run("j", 1)
    for path in (
        "/",
        "/healthz",
        "/readyz",
        "/docs",
        "/openapi.json",
        "/api/v1/namespaces",
        "/api/v1/namespaces/jobs/jobs/j",
        f"/api/v1/jobs/runs/{UUID(int=1)}",
        "/api/v1/namespaces/none",
        "/api/v1/jobs?limit=-1",
        "/api/v2/summary",
        "/nothing",
    ):
        asked, told = await client.http.get(path), await client.http.head(path)
        assert (told.status_code, told.content) == (asked.status_code, b""), path
        assert told.headers["content-length"] == asked.headers["content-length"]
        assert told.headers["content-type"] == asked.headers["content-type"]
    events = await client.http.head("/api/v1/events/lineage")
    assert (events.status_code, events.content) == (200, b"")
    batch = await client.http.head("/api/v1/lineage/batch")
    assert (batch.status_code, batch.headers["allow"]) == (405, "POST")


async def test_a_slash_at_the_end_is_let_go_where_no_name_could_follow(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("d")])
    for path in (
        "search/?q=j",
        "jobs/",
        "events/lineage/",
        "stats/jobs/?period=DAY",
        "stats/sources/?period=DAY",
        "namespaces/jobs/",
        "namespaces/jobs/jobs/j/",
        "namespaces/jobs/jobs/j/runs/",
        "namespaces/data/datasets/d/versions/",
        "lineage/?nodeId=job:jobs:j",
        f"jobs/runs/{UUID(int=1)}/",
    ):
        assert await client.get(f"/api/v1/{path}") == await client.get(f"/api/v1/{path.replace('/?', '?').rstrip('/')}")
    assert (await client.get("/api/v1/namespaces/jobs/jobs/", status=404))["message"] == "Job '' not found."
