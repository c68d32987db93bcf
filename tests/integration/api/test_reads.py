"""Namespaces, runs, events, tags, search, stats, the summary; and what all reads refuse."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest


async def test_the_root_says_where_to_go_on(shared: Any) -> None:
    root = await shared.get("/")

    assert root["name"] == "Lineal"
    for link in (root["summary"], root["openapi"]):
        assert await shared.get(link)


async def test_an_empty_receiver_answers_every_list(shared: Any) -> None:
    spaces = (await shared.get("/api/v1/namespaces"))["namespaces"]
    assert [space["name"] for space in spaces] == ["default"]
    assert (await shared.get("/api/v1/namespaces/default"))["isHidden"] is False
    assert [tag["name"] for tag in (await shared.get("/api/v1/tags"))["tags"]] == ["PII", "SENSITIVE"]
    assert await shared.get("/api/v1/jobs") == {"jobs": [], "totalCount": 0}
    assert await shared.get("/api/v1/namespaces/default/datasets") == {"datasets": [], "totalCount": 0}
    assert await shared.get("/api/v1/events/lineage") == {"events": [], "totalCount": 0}
    assert await shared.get("/api/v1/sources") == {"sources": []}
    assert await shared.get("/api/v1/search?q=a") == {"totalCount": 0, "results": []}
    for noun in ("jobs", "datasets", "sources"):
        rows = await shared.get(f"/api/v1/stats/{noun}?period=DAY&timezone=UTC")
        assert [row["count"] for row in rows] == [0] * 24
    rows = await shared.get("/api/v1/stats/lineage-events?period=WEEK&timezone=Asia/Kolkata")
    assert [row["start"] + row["fail"] + row["complete"] + row["abort"] for row in rows] == [0] * 7


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("nothing", 404, {"code": 404, "message": "HTTP 404 Not Found"}),
        ("namespaces/none", 404, {"code": 404, "message": "Namespace 'none' not found."}),
        ("namespaces?limit=-1", 400, {"errors": ["query param limit must be greater than or equal to 0"]}),
        ("namespaces?limit=abc", 404, {"code": 404, "message": "HTTP 404 Not Found"}),
        ("namespaces/n/jobs/none", 404, {"code": 404, "message": "Namespace 'n' not found."}),
        ("namespaces/n/jobs/none/runs", 404, {"code": 404, "message": "Namespace 'n' not found."}),
        ("namespaces/n/jobs/none/versions", 404, {"code": 404, "message": "Namespace 'n' not found."}),
        ("namespaces/n/datasets/none", 404, {"code": 404, "message": "Namespace 'n' not found."}),
        ("namespaces/n/datasets/none/versions?limit=-1", 400, None),
        ("jobs/runs/notauuid", 404, {"code": 404, "message": "HTTP 404 Not Found"}),
        (f"jobs/runs/{UUID(int=5)}", 404, {"code": 404, "message": f"Run '{UUID(int=5)}' not found."}),
        (f"jobs/runs/{UUID(int=5)}/facets", 400, {"errors": ["query param type must not be null"]}),
        (
            f"jobs/runs/{UUID(int=5)}/facets?type=x",
            400,
            {"code": 400, "message": "query param type must be one of [RUN, JOB, DATASET]"},
        ),
        ("jobs?lastRunStates=DONE", 404, None),
        ("events/lineage?before=yesterday", 404, None),
        ("events/lineage?sortDirection=up", 404, None),
        ("search", 400, {"errors": ["query param q must not be blank"]}),
        ("search?q=%20", 400, {"errors": ["query param q must not be blank"]}),
        ("search?q=a&filter=TABLE", 404, None),
        ("stats/jobs", 400, {"code": 400, "message": "Invalid period"}),
        ("stats/jobs?period=WEEK", 400, None),
        ("stats/jobs?period=WEEK&timezone=Moon/Base", 400, None),
        ("runlineage/upstream", 400, {"errors": ["query param runId must not be null"]}),
        (f"runlineage/upstream?runId={UUID(int=5)}", 404, {"code": 404, "message": f"Run '{UUID(int=5)}' not found."}),
    ],
)
async def test_refusals(shared: Any, path: str, status: int, body: Any) -> None:
    answer = await shared.get(f"/api/v1/{path}", status=status)
    assert body is None or answer == body


async def test_a_run_with_its_facets(client: Any) -> None:
    facets = {
        "nominalTime": {"nominalStartTime": "2026-03-02T11:00:00Z", "nominalEndTime": "2026-03-02T12:00:00Z"},
        "parent": {"run": {"runId": str(UUID(int=9))}, "job": {"namespace": "jobs", "name": "dag"}},
    }
    sql = {"sql": {"query": "select 1"}}
    run_id = await client.run("j", 1, event="START", facets=facets, job_facets=sql)
    await client.run("j", 1, at=5, event="ABORT")
    run = await client.get(f"/api/v1/jobs/runs/{run_id}")
    assert sorted(run["facets"]) == ["nominalTime", "parent"]
    assert (run["state"], run["nominalStartTime"], run["nominalEndTime"], run["durationMs"]) == (
        "ABORTED",
        "2026-03-02T11:00:00Z",
        "2026-03-02T12:00:00Z",
        5000,
    )
    assert run["args"] == {
        "nominal_start_time": "2026-03-02T11:00Z",
        "nominal_end_time": "2026-03-02T12:00Z",
        "run_id": str(UUID(int=9)),
        "name": "dag",
        "namespace": "jobs",
    }
    own = await client.get(f"/api/v1/jobs/runs/{run_id}/facets?type=run")
    assert (own["runId"], own["facets"]) == (run_id, run["facets"])
    of_job = await client.get(f"/api/v1/jobs/runs/{run_id}/facets?type=job")
    assert of_job["facets"]["sql"]["query"] == "select 1"
    assert await client.get(f"/api/v1/jobs/runs/{run_id}/facets?type=dataset") is None


async def test_a_large_facet_is_left_to_the_runs_own_facets(client: Any) -> None:
    run_id = await client.run("j", 1, facets={"plan": {"text": "x" * 100_000}, "small": {"n": 1}})
    assert sorted((await client.get(f"/api/v1/jobs/runs/{run_id}"))["facets"]) == ["small"]
    other = await client.run("k", 2, facets={"plan": {"text": "x" * 10_000}, "small": {"n": 1}})
    assert sorted((await client.get(f"/api/v1/jobs/runs/{other}"))["facets"]) == ["plan", "small"]
    listed = (await client.get("/api/v1/jobs"))["jobs"]
    assert [sorted(job["latestRun"]["facets"]) for job in listed] == [["small"], ["small"]]
    assert sorted((await client.get(f"/api/v1/jobs/runs/{run_id}/facets?type=run"))["facets"]) == ["plan", "small"]


async def test_events_come_back_by_time_with_right_totals(client: Any) -> None:
    for number in range(4):
        await client.run("j", number + 1, at=number * 1800, facets={"mine": {"n": number}})
    await client.post(
        {
            "eventTime": client.noon.isoformat(),
            "dataset": {"namespace": "data", "name": "d"},
            "producer": "https://example.com",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        }
    )
    newest = await client.get("/api/v1/events/lineage", limit=3)
    assert ([event["run"]["facets"]["mine"]["n"] for event in newest["events"]], newest["totalCount"]) == ([3, 2, 1], 4)
    oldest = await client.get("/api/v1/events/lineage", limit=2, offset=1, sortDirection="asc")
    assert [event["run"]["facets"]["mine"]["n"] for event in oldest["events"]] == [1, 2]
    for direction in ("asc", "desc"):
        none = await client.get("/api/v1/events/lineage", limit=0, sortDirection=direction)
        assert none == {"events": [], "totalCount": 4}
    window = await client.get(
        "/api/v1/events/lineage",
        after=(client.noon + timedelta(minutes=30)).isoformat(),
        before=(client.noon + timedelta(minutes=90)).isoformat(),
    )
    assert ([event["run"]["facets"]["mine"]["n"] for event in window["events"]], window["totalCount"]) == ([2, 1], 2)
    assert newest["events"][0]["inputs"] == []
    assert newest["events"][0]["run"]["facets"]["parent"] is None


async def test_totals_of_windows_count_whole_hours_and_their_ends(client: Any) -> None:
    for number in range(10):
        await client.run("j", number + 1, at=number * 900)
    for first in range(10):
        for last in range(first, 10):
            window = await client.get(
                "/api/v1/events/lineage",
                after=(client.noon + timedelta(seconds=first * 900)).isoformat(),
                before=(client.noon + timedelta(seconds=last * 900)).isoformat(),
            )
            assert (len(window["events"]), window["totalCount"]) == (last - first, last - first)


async def test_numbers_of_an_event_come_back_as_they_were_sent(client: Any) -> None:
    event = {
        "eventType": "START",
        "eventTime": client.noon.isoformat(),
        "run": {"runId": str(UUID(int=1))},
        "job": {"namespace": "n", "name": "j"},
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    }
    body = json.dumps(event)[:-1] + ',"extra":{"big":12345678901234567890123,"exact":1.10}}'
    sent = await client.http.post("/api/v1/lineage", content=body, headers={"Content-Type": "application/json"})
    assert sent.status_code == 201
    answer = (await client.http.get("/api/v1/events/lineage")).text
    assert '"big":12345678901234567890123' in answer
    assert '"exact":1.10' in answer


async def test_search_takes_its_words_literally_in_any_case(client: Any) -> None:
    parent = {"run": {"runId": str(UUID(int=9))}, "job": {"namespace": "jobs", "name": "dag"}}
    names = ("Orders_raw", "ordersXraw", "50%off")
    await client.run("load_orders", 1, facets={"parent": parent}, outputs=[client.dataset(name) for name in names])
    found = await client.get("/api/v1/search", q="ORDERS")
    assert ([(row["type"], row["name"]) for row in found["results"]], found["totalCount"]) == (
        [("JOB", "dag.load_orders"), ("DATASET", "Orders_raw"), ("DATASET", "ordersXraw")],
        3,
    )
    assert found["results"][0]["nodeId"] == "job:jobs:dag.load_orders"
    assert [row["name"] for row in (await client.get("/api/v1/search", q="s_r"))["results"]] == ["Orders_raw"]
    assert [row["name"] for row in (await client.get("/api/v1/search", q="0%o"))["results"]] == ["50%off"]
    part = await client.get("/api/v1/search", q="orders", filter="dataset", limit=1)
    assert ([row["name"] for row in part["results"]], part["totalCount"]) == (["Orders_raw"], 2)
    assert (await client.get("/api/v1/search", q="orders", namespace="data"))["totalCount"] == 2
    assert (await client.get("/api/v1/search", q="orders", before="2026-03-02"))["totalCount"] == 0
    assert (await client.get("/api/v1/search", q="orders", after="2026-03-02"))["totalCount"] == 3


async def test_a_plus_in_a_search_is_a_space_or_else_a_plus(client: Any) -> None:
    await client.run("load", 1, outputs=[client.dataset(name) for name in ("a b", "a+c", "+", "d%2Be", "d e")])

    async def find(query: str) -> list[str]:
        return [row["name"] for row in (await client.get(f"/api/v1/search?q={query}&filter=DATASET"))["results"]]

    assert await find("a+b") == ["a b"]
    assert await find("a+c") == await find("a%2Bc") == ["a+c"]
    assert await find("+") == await find("%2B") == ["+", "a+c"]
    assert await find("d+e") == ["d e"]
    assert await find("d%252Be") == ["d%2Be"]
    assert await find("a+d") == []
    await client.get("/api/v1/search?q=%20", status=400)


async def test_stats_count_events_by_hour_and_entities_ever(client: Any) -> None:
    now = datetime.now(timezone.utc)
    ago = (now - client.noon).total_seconds() - 7200
    await client.run("j", 1, at=ago, event="START", outputs=[client.dataset("d")])
    await client.run("j", 1, at=ago, event="FAIL")
    rows = await client.get("/api/v1/stats/lineage-events?period=DAY")
    assert sum(row["start"] for row in rows) == sum(row["fail"] for row in rows) == 1
    jobs = [row["count"] for row in await client.get("/api/v1/stats/jobs?period=DAY")]
    assert (jobs[0], jobs[-1], jobs) == (0, 1, sorted(jobs))
    assert [row["count"] for row in await client.get("/api/v1/stats/datasets?period=WEEK&timezone=UTC")][-1] == 1


async def test_the_summary(client: Any) -> None:
    made = client.dataset("out", "x y z", lineage={"x": ["in.a", "in.b"], "y": []})
    await client.run("j", 1, inputs=[client.dataset("in")], outputs=[made])
    await client.run("k", 2, event="FAIL", namespace="other")
    await client.http.post("/api/v1/lineage", content=b"{", headers={"Content-Type": "application/json"})
    summary = await client.get("/api/v2/summary")
    assert summary == {
        "runs": {"COMPLETED": 1, "RUNNING": 0, "FAILED": 1, "ABORTED": 0, "NEW": 0, "total": 2},
        "namespaces": 3,
        "jobs": 2,
        "datasets": 2,
        "edges": 2,
        "columns": {"traced": 1, "constant": 1, "unresolved": 1, "total": 3},
        "models": {"resolved": 0, "partial": 1, "unresolved": 0, "failed": 0},
        "events": {"accepted": 2, "rejected": 1, "late": 0},
        "capped": [],
    }
    part = await client.get("/api/v2/summary", namespace="other")
    assert (part["runs"]["total"], part["jobs"], part["edges"], part["columns"]["total"]) == (1, 1, 0, 0)
    response = await client.http.get("/api/v2/summary?namespace=nothing")
    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")
    assert response.json()["detail"] == "No event has named the namespace 'nothing'."


async def test_search_finds_a_child_by_its_parents_name_and_by_both(client: Any) -> None:
    async def child(name: str, run: int, of: str, namespace: str = "jobs") -> None:
        parent = {"run": {"runId": str(UUID(int=run + 100))}, "job": {"namespace": "jobs", "name": of}}
        await client.run(name, run, facets={"parent": parent}, namespace=namespace)

    await child("mid", 1, "Nightly")
    await child("load_orders", 2, "mid", "elsewhere")
    await child("nightly_clean", 3, "other")
    found = await client.get("/api/v1/search", q="nightly")
    assert [row["name"] for row in found["results"]] == [
        "Nightly",
        "Nightly.mid",
        "Nightly.mid.load_orders",
        "other.nightly_clean",
    ]
    assert found["totalCount"] == 4
    for asked, names in {
        "Nightly.mid": ["Nightly.mid", "Nightly.mid.load_orders"],
        "mid.load": ["Nightly.mid.load_orders"],
        "nightly.mid.LOAD_O": ["Nightly.mid.load_orders"],
        "er.nightly_": ["other.nightly_clean"],
        "Nightly.load": [],
        "mid.orders": [],
        ".": ["Nightly.mid", "Nightly.mid.load_orders", "other.nightly_clean"],
    }.items():
        found = await client.get("/api/v1/search", q=asked)
        assert ([row["name"] for row in found["results"]], found["totalCount"]) == (names, len(names)), asked
    inside = await client.get("/api/v1/search", q="nightly", namespace="elsewhere")
    assert [row["name"] for row in inside["results"]] == ["Nightly.mid.load_orders"]
