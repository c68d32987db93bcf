"""The table graph: nodes, edges, depth, both directions, cycles, and where it is cut."""

from typing import Any

import pytest

from lineal_receiver.api.v1 import walks


def _ids(answer: Any) -> list[str]:
    return [node["id"].replace(":jobs:", ":").replace(":data:", ":") for node in answer["graph"]]


async def _chain(client: Any, *jobs: tuple[str, str, str]) -> None:
    for number, (job, sources, targets) in enumerate(jobs):
        await client.run(
            job,
            number + 1,
            at=number,
            inputs=[client.dataset(name) for name in sources.split()],
            outputs=[client.dataset(name) for name in targets.split()],
        )


async def test_nodes_and_edges_as_marquez_writes_them(client: Any) -> None:
    await _chain(client, ("load", "raw", "orders"), ("total", "orders", "totals"))
    graph = (await client.get("/api/v1/lineage?nodeId=job:jobs:load"))["graph"]
    nodes = {node["id"]: node for node in graph}
    assert list(nodes) == sorted(nodes)
    assert list(nodes) == [
        "dataset:data:orders",
        "dataset:data:raw",
        "dataset:data:totals",
        "job:jobs:load",
        "job:jobs:total",
    ]
    orders, load = nodes["dataset:data:orders"], nodes["job:jobs:load"]
    assert (orders["type"], load["type"]) == ("DATASET", "JOB")
    assert orders["inEdges"] == [{"origin": "job:jobs:load", "destination": "dataset:data:orders"}]
    assert orders["outEdges"] == [{"origin": "dataset:data:orders", "destination": "job:jobs:total"}]
    assert load["inEdges"] == [{"origin": "dataset:data:raw", "destination": "job:jobs:load"}]
    assert load["outEdges"] == [{"origin": "job:jobs:load", "destination": "dataset:data:orders"}]
    assert load["data"]["inputs"] == [{"namespace": "data", "name": "raw"}]
    assert load["data"]["outputs"] == [{"namespace": "data", "name": "orders"}]
    assert load["data"]["latestRun"]["state"] == "COMPLETED"
    assert load["data"]["currentRunUuid"] == load["data"]["latestRun"]["id"]
    assert (orders["data"]["fields"], orders["data"]["tags"], orders["data"]["lastLifecycleState"]) == ([], [], "")


async def test_depth_counts_jobs(client: Any) -> None:
    await _chain(client, ("a", "0", "1"), ("b", "1", "2"), ("c", "2", "3"), ("d", "3", "4"))
    depth = {
        number: _ids(await client.get(f"/api/v1/lineage?nodeId=job:jobs:a&depth={number}")) for number in (0, 1, 9)
    }
    assert depth[0] == ["dataset:0", "dataset:1", "job:a"]
    assert depth[1] == ["dataset:0", "dataset:1", "dataset:2", "job:a", "job:b"]
    assert len(depth[9]) == 9
    around = _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:2&depth=0"))
    assert around == ["dataset:1", "dataset:2", "dataset:3", "job:b", "job:c"]


async def test_all_readers_and_writers_of_a_dataset_are_there(client: Any) -> None:
    await _chain(client, ("w1", "", "d"), ("w2", "", "d"), ("r1", "d", "e"), ("r2", "d", "f"))
    assert _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:d&depth=1")) == [
        *("dataset:d", "dataset:e", "dataset:f", "job:r1", "job:r2", "job:w1", "job:w2"),
    ]


async def test_a_job_that_only_reads_is_there(client: Any) -> None:
    await _chain(client, ("w", "", "d"), ("dashboard", "d", ""))
    assert _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:d")) == ["dataset:d", "job:dashboard", "job:w"]


async def test_cycles_end(client: Any) -> None:
    await _chain(client, ("a", "z", "x"), ("b", "x", "y"), ("c", "y", "z"), ("self", "s", "s"))
    assert len(_ids(await client.get("/api/v1/lineage?nodeId=job:jobs:b&depth=50"))) == 6
    selfish = (await client.get("/api/v1/lineage?nodeId=job:jobs:self"))["graph"]
    assert [len(node["inEdges"]) + len(node["outEdges"]) for node in selfish] == [2, 2]


async def test_lineage_stays_while_a_run_is_under_way_and_after_it_failed(client: Any) -> None:
    await _chain(client, ("j", "a", "b"))
    await client.run("j", 7, at=10, event="START")
    assert _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:a")) == ["dataset:a", "dataset:b", "job:j"]
    await client.run("j", 7, at=20, event="FAIL")
    assert _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:a")) == ["dataset:a", "dataset:b", "job:j"]


async def test_the_first_run_shows_before_it_ends(client: Any) -> None:
    await client.run("j", 1, event="START", inputs=[client.dataset("a")], outputs=[client.dataset("b")])
    assert _ids(await client.get("/api/v1/lineage?nodeId=job:jobs:j")) == ["dataset:a", "dataset:b", "job:j"]


async def test_outputs_of_other_runs_stay(client: Any) -> None:
    await _chain(client, ("j", "a", "t1"), ("j", "a", "t2"))
    assert _ids(await client.get("/api/v1/lineage?nodeId=dataset:data:t1")) == [
        *("dataset:a", "dataset:t1", "dataset:t2", "job:j"),
    ]


async def test_alone(client: Any) -> None:
    await client.run("idle", 1)
    assert _ids(await client.get("/api/v1/lineage?nodeId=job:jobs:idle")) == ["job:idle"]


async def test_a_large_graph_is_cut_and_says_so(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await _chain(client, *((f"r{number}", "hub", f"o{number}") for number in range(6)))
    monkeypatch.setattr(walks, "MOST_NODES", 6)  # of the program, so kept answers don't know: each is asked for anew
    response = await client.http.get("/api/v1/lineage?nodeId=dataset:data:hub&depth=20")
    assert response.status_code == 200
    assert len(response.json()["graph"]) == 6
    assert "Lineal-Cut" in response.headers
    monkeypatch.setattr(walks, "MOST_NODES", 50)
    monkeypatch.setattr(walks, "MOST_EDGES", 3)
    response = await client.http.get("/api/v1/lineage?nodeId=dataset:data:hub&depth=21")
    assert "Lineal-Cut" in response.headers
    monkeypatch.setattr(walks, "MOST_EDGES", 50)
    whole = await client.http.get("/api/v1/lineage?nodeId=dataset:data:hub&depth=22")
    assert len(whole.json()["graph"]) == 13
    assert "Lineal-Cut" not in whole.headers


@pytest.mark.parametrize(
    ("query", "status", "body"),
    [
        ("", 400, {"errors": ["query param nodeId must not be null"]}),
        ("?nodeId=", 400, {"errors": ["query param nodeId must not be null"]}),
        ("?nodeId=dataset:x:y", 404, {"code": 404, "message": "Dataset 'y' not found."}),
        ("?nodeId=job:x:y", 404, {"code": 404, "message": "Job 'y' not found."}),
        ("?nodeId=table:x:y", 404, {"code": 404, "message": "HTTP 404 Not Found"}),
        ("?nodeId=run:1", 404, {"code": 404, "message": "Node 'run:1' must be of type dataset or job!"}),
        ("?nodeId=dataset:x", 400, {"code": 400, "message": "nodeId 'dataset:x' must be dataset:<namespace>:<name>"}),
        ("?nodeId=dataset:x:y&depth=-1", 400, {"errors": ["query param depth must be greater than or equal to 0"]}),
        ("?nodeId=dataset:x:y&depth=x", 404, {"code": 404, "message": "HTTP 404 Not Found"}),
        ("?namespace=n", 400, {"errors": ["query param name must not be blank"]}),
        ("?namespace=n&name=d&type=x", 400, {"errors": ["query param type must be one of [JOB, DATASET]"]}),
    ],
)
async def test_refusals(shared: Any, query: str, status: int, body: Any) -> None:
    assert await shared.get(f"/api/v1/lineage{query}", status=status) == body


async def test_what_no_job_said_joins_no_strangers(client: Any) -> None:
    core = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"
    event = {"eventTime": client.noon.isoformat(), "producer": "https://example.com", "schemaURL": core}
    for name in ("a", "b"):
        made = client.dataset(name, "x", lineage={"x": [f"from_{name}.x"]})
        await client.post({**event, "dataset": made})
    for name in ("a", "from_a", "b", "from_b"):
        graph = (await client.get(f"/api/v1/lineage?nodeId=dataset:data:{name}"))["graph"]
        assert [node["id"] for node in graph] == [f"dataset:data:{name}"]
