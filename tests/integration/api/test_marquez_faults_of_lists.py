"""What Marquez gets wrong about lists, names, graphs and errors, and what is right instead."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest


async def test_every_row_of_a_long_page_has_its_facets(client: Any) -> None:
    made = [client.dataset(f"d{at:02}", "x", facets={"mine": {"at": at}}) for at in range(15)]
    await client.run("j", 1, outputs=made)
    page = await client.get("/api/v1/namespaces/data/datasets?limit=15")
    assert [row["facets"]["mine"]["at"] for row in page["datasets"]] == list(range(15))


async def test_totals_of_jobs_follow_the_states_asked_for(client: Any) -> None:
    for run, event in ((1, "COMPLETE"), (2, "FAIL"), (3, "START"), (4, "ABORT"), (5, "FAIL")):
        await client.run(f"j{run}", run, at=run, event=event)
    failed = await client.get("/api/v1/jobs?lastRunStates=FAILED&limit=1")
    assert ([job["name"] for job in failed["jobs"]], failed["totalCount"]) == (["j5"], 2)
    some = await client.get("/api/v1/namespaces/jobs/jobs?lastRunStates=ABORTED&lastRunStates=RUNNING")
    assert ([job["name"] for job in some["jobs"]], some["totalCount"]) == (["j4", "j3"], 2)
    assert (await client.get("/api/v1/jobs?lastRunStates=OTHER")) == {"jobs": [], "totalCount": 0}


async def test_totals_of_events_count_run_events_alone(client: Any) -> None:
    await client.run("j", 1)
    other = {
        "eventTime": client.noon.isoformat(),
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
    }
    await client.post({**other, "job": {"namespace": "jobs", "name": "declared"}})
    await client.post({**other, "dataset": {"namespace": "data", "name": "d"}})
    found = await client.get("/api/v1/events/lineage")
    assert (len(found["events"]), found["totalCount"]) == (1, 1)


async def test_events_of_the_far_future_are_visible(client: Any) -> None:
    await client.run("j", 1, at=timedelta(days=40 * 366).total_seconds())
    found = await client.get("/api/v1/events/lineage")
    assert (found["events"][0]["eventTime"][:4], found["totalCount"]) == ("2066", 1)


async def test_sort_of_search_sorts(client: Any) -> None:
    for run, name in ((1, "b_found"), (2, "a_found"), (3, "c_found")):
        await client.run(name, run, at=run)
    by_name = await client.get("/api/v1/search?q=found&sort=NAME")
    assert [row["name"] for row in by_name["results"]] == ["a_found", "b_found", "c_found"]
    by_time = await client.get("/api/v1/search?q=found&sort=update_at")
    assert [row["name"] for row in by_time["results"]] == ["c_found", "a_found", "b_found"]
    first = await client.get("/api/v1/search?q=found&sort=UPDATE_AT&limit=1")
    assert ([row["name"] for row in first["results"]], first["totalCount"]) == (["c_found"], 3)


async def test_no_name_breaks_the_list_of_namespaces(client: Any) -> None:
    names = ["mysql://h/db?tz=UTC,x", "sqlserver://h;database=😂", "tab\there", "a b%c"]
    await client.run("j", 1, outputs=[client.dataset("d", namespace=name) for name in names])
    listed = (await client.get("/api/v1/namespaces"))["namespaces"]
    assert {row["name"] for row in listed} == {"default", "jobs", *names}


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ("oracle://h:1521", "1table"),
        ("trino://h:1337", "catalog.schema.table"),
        ("abfss://c@account.dfs.core.windows.net", "a/b:c"),
        ("9", "9"),
    ],
)
async def test_no_node_id_is_guessed_wrong(client: Any, namespace: str, name: str) -> None:
    made = client.dataset(name, "1x", namespace=namespace)
    made["facets"]["columnLineage"] = {
        "_producer": "https://example.com",
        "_schemaURL": "https://example.com/F.json",
        "fields": {"1x": {"inputFields": [{"namespace": namespace, "name": "2from", "field": "3y"}]}},
    }
    await client.run("j", 1, outputs=[made])
    node = f"dataset:{namespace}:{name}"
    graph = (await client.get("/api/v1/lineage", nodeId=node))["graph"]
    assert [row["id"] for row in graph] == [*sorted([node, f"dataset:{namespace}:2from"]), "job:jobs:j"]
    field = f"datasetField:{namespace}:{name}:1x"
    graph = (await client.get("/api/v1/column-lineage", nodeId=field))["graph"]
    assert {row["id"] for row in graph} == {field, f"datasetField:{namespace}:2from:3y"}


async def test_a_dataset_starts_from_all_its_jobs(client: Any) -> None:
    shared, other = client.dataset("d"), client.dataset("other")
    await client.run("j1", 1, inputs=[shared], outputs=[client.dataset("o1")])
    await client.run("j1", 2, at=60, inputs=[other], outputs=[client.dataset("o1")])
    await client.run("j2", 3, inputs=[shared], outputs=[client.dataset("o2")])
    for depth in (0, 1, 20):
        graph = (await client.get(f"/api/v1/lineage?nodeId=dataset:data:d&depth={depth}"))["graph"]
        assert [node["id"] for node in graph] == ["dataset:data:d", "dataset:data:o2", "job:jobs:j2"]


async def test_a_cycle_of_jobs_and_its_nearest_neighbours(client: Any) -> None:
    a, b, c = client.dataset("a"), client.dataset("b"), client.dataset("c")
    await client.run("there", 1, inputs=[a], outputs=[b])
    await client.run("back", 2, inputs=[b], outputs=[a])
    await client.run("on", 3, inputs=[b], outputs=[c])
    await client.run("further", 4, inputs=[c], outputs=[client.dataset("z")])
    graph = (await client.get("/api/v1/lineage?nodeId=job:jobs:there&depth=1"))["graph"]
    assert [node["id"] for node in graph] == [
        *(f"dataset:data:{name}" for name in "abc"),
        *(f"job:jobs:{name}" for name in ("back", "on", "there")),
    ]
    edges = {(edge["origin"], edge["destination"]) for node in graph for edge in node["inEdges"]}
    assert ("dataset:data:b", "job:jobs:back") in edges
    assert ("job:jobs:back", "dataset:data:a") in edges


@pytest.mark.parametrize(
    "body",
    [
        b'{"eventTime":"2021-11-03"',
        b"[",
        b"",
        b"null",
        b'{"eventTime": 1}',
        b'{"run": {"runId": []}, "job": 3}',
        b"\xff",
    ],
)
async def test_a_body_that_is_no_event_is_the_senders_fault_and_shows_nothing_of_ours(shared: Any, body: bytes) -> None:
    answer = await shared.http.post("/api/v1/lineage", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in {400, 422}
    assert answer.json()["message"]
    for inside in ("Traceback", "lineal_receiver", "asyncpg", "orjson", "select ", "jsonschema", ".py"):
        assert inside not in answer.text


@pytest.mark.parametrize(
    "query",
    [
        "lineage?nodeId=dataset:a",
        "lineage?nodeId=run:a:b",
        "lineage?nodeId=",
        "lineage?nodeId=:::",
        "column-lineage?nodeId=run:x",
        "column-lineage?nodeId=datasetField:a:b",
        "namespaces/a/datasets/b/versions?limit=-1",
        "namespaces/a/datasets/b/versions?offset=-1",
        "namespaces/a/jobs/b/runs?limit=-1",
        "namespaces/a/jobs/b/versions?limit=-1",
        "jobs?limit=-1",
        "jobs?offset=99999999999999999999",
        "sources?limit=-1",
        "search?q=a&limit=-1",
        "events/lineage?limit=-1",
        "events/lineage?offset=-1",
        "events/lineage?after=x",
        "lineage?nodeId=job:a:b&depth=-1",
        "column-lineage?nodeId=job:a:b&depth=x",
        f"runlineage/upstream?runId={UUID(int=1)}&depth=-1",
        "jobs/runs/%00",
        "namespaces/%00",
        "namespaces/%FF/jobs/%FF",
        "search?q=%00",
        "search?q=%ED%A0%80",
        "lineage?nodeId=dataset:%00:%00",
    ],
)
async def test_a_question_that_makes_no_sense_is_the_askers_fault(shared: Any, query: str) -> None:
    answer = await shared.http.get(f"/api/v1/{query}")
    assert answer.status_code in {200, 400, 404}, answer.text
    body = answer.json()
    if answer.status_code != 200:
        assert body.get("message") or body["errors"]
        assert "Traceback" not in answer.text


async def test_the_namespaces_are_whole_without_a_limit(client: Any) -> None:
    await client.run("j", 1, outputs=[client.dataset("d", namespace=f"space {at:03}") for at in range(150)])
    listed = (await client.get("/api/v1/namespaces"))["namespaces"]
    assert len(listed) == 152
    assert [row["name"] for row in (await client.get("/api/v1/namespaces?limit=2&offset=151"))["namespaces"]] == [
        "space 149"
    ]


async def test_a_limit_that_is_too_large_is_not_cut_in_silence(shared: Any) -> None:
    for path in ("namespaces", "jobs", "namespaces/default/jobs", "namespaces/default/datasets", "sources"):
        whole = await shared.http.get(f"/api/v1/{path}?limit=1000")
        cut = await shared.http.get(f"/api/v1/{path}?limit=1001")
        assert ("lineal-cut" in whole.headers, cut.headers["lineal-cut"]) == (
            False,
            "one answer holds 1000 rows; ask for more by offset",
        )
    assert "lineal-cut" in (await shared.http.get("/api/v1/events/lineage?limit=100000")).headers


async def test_a_parent_that_names_no_run_refuses_no_event(client: Any) -> None:
    parent = {"parent": {"run": {}, "job": {"namespace": "jobs", "name": "dag"}}}
    run = await client.run("j", 1, facets=parent)
    answered = await client.get(f"/api/v1/jobs/runs/{run}")
    assert (answered["state"], answered["args"]) == ("COMPLETED", {})
    assert answered["facets"]["parent"]["job"]["name"] == "dag"
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["parentJobName"] is None


async def test_any_namespace_of_an_input_is_taken(client: Any) -> None:
    name = "sqlserver://h:3342;user=a;database=😂"
    await client.run("j", 1, inputs=[client.dataset("t", namespace=name)])
    assert (await client.get("/api/v1/namespaces/jobs/jobs/j"))["inputs"] == [{"namespace": name, "name": "t"}]
    listed = await client.get(client.path("namespaces", name, "datasets"))
    assert [row["name"] for row in listed["datasets"]] == ["t"]
