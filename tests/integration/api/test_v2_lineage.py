"""The graph around datasets, columns and jobs: what is in it, by value."""

from typing import Any
from uuid import UUID

import pytest

ODD = "s3://b:1/x%2F#a+b c 🕷"


def name_all(graph: dict[str, Any]) -> dict[str, str]:
    return {one["id"]: one["name"] for key in ("datasets", "jobs") for one in graph[key]}


def tables(graph: dict[str, Any]) -> set[tuple[str | None, str | None, str | None]]:
    names = name_all(graph)
    return {tuple(names.get(edge[end]) for end in ("source", "job", "target")) for edge in graph["tableEdges"]}  # type: ignore[misc]


def columns(graph: dict[str, Any]) -> set[tuple[str, str | None]]:
    names = name_all(graph)

    def write(end: dict[str, str | None]) -> str:
        return f"{names[str(end['dataset'])]}.{end['field'] or '*'}"

    return {(write(edge["source"]), write(edge["target"])) for edge in graph["columnEdges"]}


def places(graph: dict[str, Any], key: str = "datasets") -> dict[str, tuple[int, str]]:
    return {one["name"]: (one["distance"], one["side"]) for one in graph[key]}


def fields_of(graph: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    (found,) = (one for one in graph["datasets"] if one["name"] == name)
    return {column["name"]: column for column in found["columns"]}


async def ask(client: Any, name: str, route: str = "lineage", **query: Any) -> Any:
    return await client.get(f"/api/v2/{route}", namespace=query.pop("namespace", "data"), name=name, **query)


async def tell_chain(client: Any) -> None:
    """raw.orders -> orders -> revenue; orders -> returns; a dashboard reads revenue."""
    table = client.dataset
    await client.run("stage", 1, inputs=[table("raw", "id amount")],
        outputs=[table("orders", "id amount", lineage={"id": ["raw.id"], "amount": ["raw.amount"]})])  # fmt: skip
    await client.run("sum", 2, at=1, inputs=[table("orders")],
        outputs=[table("revenue", "total", lineage={"total": ["orders.amount"]})])  # fmt: skip
    await client.run("filter", 3, at=2, inputs=[table("orders")],
        outputs=[table("returns", "id", lineage={"id": ["orders.id"]})])  # fmt: skip
    await client.run("dashboard", 4, at=3, inputs=[table("revenue")])


async def test_one_step_around_a_dataset(client: Any) -> None:
    await tell_chain(client)
    graph = await ask(client, "orders")
    assert places(graph) == {
        "orders": (0, "target"), "raw": (1, "upstream"), "returns": (1, "downstream"), "revenue": (1, "downstream"),
    }  # fmt: skip
    assert places(graph, "jobs") == {"stage": (1, "upstream"), "sum": (1, "downstream"), "filter": (1, "downstream")}
    assert tables(graph) == {
        ("raw", "stage", "orders"), ("orders", "sum", "revenue"), ("orders", "filter", "returns")
    }  # fmt: skip
    assert columns(graph) == {
        ("raw.id", "orders.id"), ("raw.amount", "orders.amount"), ("orders.amount", "revenue.total"),
        ("orders.id", "returns.id"),
    }  # fmt: skip
    more = {one["name"]: one["more"] for one in graph["datasets"]}
    assert more == {
        "orders": {"upstream": 0, "downstream": 0},
        "raw": {"upstream": 0, "downstream": 0},
        "returns": {"upstream": 0, "downstream": 0},
        "revenue": {"upstream": 0, "downstream": 1},
    }
    assert graph["target"] == {
        "kind": "dataset", "id": graph["target"]["id"], "namespace": "data", "name": "orders", "field": None,
    }  # fmt: skip
    assert (graph["cut"], graph["asOf"], graph["depth"]) == (None, None, 1)


async def test_statuses_and_what_lies_beside_a_column(client: Any) -> None:
    table = client.dataset
    await client.run("stage", 1, inputs=[table("raw", "id")],
        outputs=[table("orders", "id fixed lost", lineage={"id": ["raw.id"], "fixed": []})])  # fmt: skip
    await client.run("copy", 2, at=1, inputs=[table("orders")], outputs=[table("blind", "a")])
    made = [table(name, "id", lineage={"id": ["orders.id"]}) for name in ("a", "b")]
    await client.run("up", 3, at=2, inputs=[table("orders")], outputs=made)
    graph = await ask(client, "orders")
    shown = {
        f"{one['name']}.{column['name']}": (
            column["status"],
            column["reason"],
            column["upstream"],
            column["downstream"],
        )
        for one in graph["datasets"]
        for column in one["columns"]
    }
    assert shown == {
        "raw.id": ("source", None, 0, 1),
        "orders.id": ("traced", None, 1, 2),
        "orders.fixed": ("constant", None, 0, 0),
        "orders.lost": ("unresolved", "not_reported", 0, 0),
        "blind.a": ("unresolved", "no_column_lineage", 0, 0),
        "a.id": ("traced", None, 1, 0),
        "b.id": ("traced", None, 1, 0),
    }
    assert fields_of(graph, "blind")["a"]["sentence"].startswith("The job that writes this dataset says nothing")
    assert {one["name"]: one["written"] for one in graph["datasets"]}["raw"] is False


async def test_one_column_both_ways_and_one_way(client: Any) -> None:
    await tell_chain(client)
    both = await ask(client, "orders", field="amount", depth=5, columns="reached")
    assert columns(both) == {("raw.amount", "orders.amount"), ("orders.amount", "revenue.total")}
    assert {name: list(fields_of(both, name)) for name in ("raw", "orders", "revenue")} == {
        "raw": ["amount"], "orders": ["amount"], "revenue": ["total"],
    }  # fmt: skip
    assert places(both, "jobs") == {"stage": (1, "upstream"), "sum": (1, "downstream")}
    up = await ask(client, "revenue", "upstream", field="total")
    assert places(up) == {"revenue": (0, "target"), "orders": (1, "upstream"), "raw": (2, "upstream")}
    near = await ask(client, "revenue", "upstream", field="total", depth=1)
    assert columns(near) == {("orders.amount", "revenue.total")}
    down = await ask(client, "raw", "downstream", field="id")
    assert columns(down) == {("raw.id", "orders.id"), ("orders.id", "returns.id")}
    assert tables(down) == {("raw", "stage", "orders"), ("orders", "filter", "returns")}


async def test_a_whole_dataset_one_way_shows_the_columns_on_the_ways(client: Any) -> None:
    await tell_chain(client)
    up = await ask(client, "returns", "upstream")
    assert (places(up), columns(up)) == (
        {"returns": (0, "target"), "orders": (1, "upstream"), "raw": (2, "upstream")},
        {("raw.id", "orders.id"), ("orders.id", "returns.id"), ("raw.amount", "orders.amount")},
    )
    assert {name: list(fields_of(up, name)) for name in ("returns", "orders", "raw")} == {
        "returns": ["id"], "orders": ["id"], "raw": ["id"],
    }  # fmt: skip


async def test_a_job_and_those_that_only_read(client: Any) -> None:
    await tell_chain(client)
    graph = await client.get("/api/v2/lineage", namespace="jobs", name="sum", type="job", depth=2)
    assert places(graph) == {
        "orders": (1, "upstream"), "raw": (2, "upstream"), "revenue": (1, "downstream"),
    }  # fmt: skip
    assert {one["name"]: (one["distance"], one["consumer"]) for one in graph["jobs"]} == {
        "sum": (0, False), "stage": (2, False), "dashboard": (2, True),
    }  # fmt: skip
    assert ("revenue", "dashboard", None) in tables(graph)
    run = next(one["lastRun"] for one in graph["jobs"] if one["name"] == "sum")
    assert run == {
        "runId": str(UUID(int=2)), "state": "COMPLETED", "stateText": "completed", "startedAt": None,
        "endedAt": "2026-03-02T12:00:01Z", "durationMs": None,
    }  # fmt: skip


async def test_what_decides_the_rows_is_there_when_asked_for(client: Any) -> None:
    table = client.dataset
    filtered = {
        "fields": {
            "total": {
                "inputFields": [
                    {"namespace": "data", "name": "orders", "field": "amount"},
                    {"namespace": "data", "name": "orders", "field": "day",
                     "transformations": [{"type": "INDIRECT", "subtype": "WINDOW"}]},
                ]
            }
        },
        "dataset": [
            {"namespace": "data", "name": "orders", "field": "status",
             "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}
        ],
    }  # fmt: skip
    await client.run("sum", 1, inputs=[table("orders", "amount day status")],
        outputs=[table("revenue", "total", facets={"columnLineage": filtered})])  # fmt: skip
    await client.run("show", 2, at=1, inputs=[table("revenue")],
        outputs=[table("chart", "value", lineage={"value": ["revenue.total"]})])  # fmt: skip
    direct = ("orders.amount", "revenue.total")
    assert columns(await ask(client, "revenue", direction="upstream")) == {direct}
    rows = await ask(client, "revenue", direction="upstream", withRows="true")
    assert columns(rows) == {direct, ("orders.day", "revenue.total"), ("orders.status", "revenue.*")}
    up = await ask(client, "chart", "upstream", field="value", withRows="true")
    assert columns(up) == {("revenue.total", "chart.value")} | columns(rows)
    down = await ask(client, "orders", "downstream", field="status", withRows="true")
    assert columns(down) == {("orders.status", "revenue.*"), ("revenue.total", "chart.value")}
    assert columns(await ask(client, "orders", "downstream", field="status")) == set()
    kinds = {edge["source"]["field"]: (edge["kinds"], edge["direct"]) for edge in rows["columnEdges"]}
    assert kinds["status"] == ([{"type": "INDIRECT", "subtype": "FILTER", "masking": False}], False)


async def test_circles_and_diamonds_end(client: Any) -> None:
    table = client.dataset
    await client.run("one", 1, inputs=[table("a", "x")], outputs=[table("b", "x", lineage={"x": ["a.x"]})])
    await client.run("two", 2, inputs=[table("b")], outputs=[table("a", "x", lineage={"x": ["b.x"]})])
    await client.run("self", 3, inputs=[table("a")], outputs=[table("a", "x", lineage={"x": ["a.x"]})])
    graph = await ask(client, "a", depth=50)
    assert columns(graph) == {("a.x", "b.x"), ("b.x", "a.x"), ("a.x", "a.x")}
    assert places(graph) == {"a": (0, "target"), "b": (1, "both")}
    assert columns(await ask(client, "a", field="x", depth=50)) == columns(graph)


async def test_nothing_is_drawn_across_what_a_job_maps(client: Any) -> None:
    table = client.dataset
    await client.run("copy", 1, inputs=[table("a")], outputs=[table("a2")])
    await client.run("copy", 2, at=1, inputs=[table("b")], outputs=[table("b2")])
    graph = await client.get("/api/v2/lineage", namespace="jobs", name="copy", type="job")
    assert tables(graph) == {("a", "copy", "a2"), ("b", "copy", "b2")}
    assert tables(await ask(client, "a", depth=9)) == {("a", "copy", "a2")}


async def test_a_hub_is_cut_and_says_so(client: Any) -> None:
    table = client.dataset
    for number in range(12):
        await client.run(f"read{number:02}", number + 1, inputs=[table("hub", "x")],
            outputs=[table(f"t{number:02}", "x", lineage={"x": ["hub.x"]})])  # fmt: skip
    response = await client.http.get("/api/v2/lineage", params={"namespace": "data", "name": "hub", "limit": 9})
    graph = response.json()
    assert len(graph["datasets"]) + len(graph["jobs"]) <= 9
    assert graph["cut"] == response.headers["Lineal-Cut"] == (
        "there is more than one answer holds; the nearest datasets and jobs are given"
    )  # fmt: skip
    (hub,) = (one for one in graph["datasets"] if one["name"] == "hub")
    assert hub["more"]["downstream"] == 12 - len(graph["jobs"])
    assert (
        graph
        == (await client.http.get("/api/v2/lineage", params={"namespace": "data", "name": "hub", "limit": 9})).json()
    )
    cut = await ask(client, "hub", "downstream", field="x", limit=5)
    assert (len(cut["datasets"]) + len(cut["jobs"]), cut["cut"] is None) == (5, False)


async def test_evidence(client: Any) -> None:
    table = client.dataset
    code = {
        "type": "git",
        "url": "https://x/o.sql",
        "repoUrl": "https://x",
        "path": "o.sql",
        "version": "1",
        "branch": "b",
    }
    told = table("orders", "id", lineage={"id": ["raw.id"]})
    for number in (1, 2, 3):
        await client.run("stage", number, at=number, inputs=[table("raw", "id")], outputs=[told],
            job_facets={"sourceCodeLocation": code})  # fmt: skip
    graph = await ask(client, "orders")
    (edge,) = graph["columnEdges"]
    (transform,) = graph["transforms"]
    assert (edge["transform"], edge["job"], edge["lastKnown"]) == (transform["id"], transform["job"], False)
    assert (transform["firstSeenAt"], transform["lastSeenAt"]) == ("2026-03-02T12:00:01Z", "2026-03-02T12:00:03Z")
    assert (transform["run"]["runId"], transform["status"]) == (str(UUID(int=3)), "resolved")
    assert (transform["producer"], transform["file"]) == ("https://example.com/tests", code)
    # Without a repository: the path that dbt knows, as Lineal's producer tells it or openlineage-dbt.
    for job, facets in (
        ("ours", {"lineal_node": {"uniqueId": "model.shop.x", "package": "shop", "file": "models/x.sql"}}),
        ("theirs", {"dbt_node": {"original_file_path": "models/x.sql", "unique_id": "model.shop.x"}}),
        ("both", {"lineal_node": {"file": "models/x.sql"}, "dbt_node": {"original_file_path": "other.sql"}}),
    ):
        written = table(f"by_{job}", "id", lineage={"id": ["raw.id"]})
        await client.run(job, 9, inputs=[table("raw", "id")], outputs=[written], job_facets=facets)
        (found,) = (await ask(client, f"by_{job}"))["transforms"]
        assert found["file"] == {**dict.fromkeys(code), "path": "models/x.sql"}
    body = await client.get(transform["event"]["body"])
    assert (body["run"]["runId"], body["job"]["name"]) == (str(UUID(int=3)), "stage")
    one = await client.get(f"/api/v2/events/{transform['event']['id']}")
    assert (one["job"], one["eventType"], one["eventTime"]) == (
        {"namespace": "jobs", "name": "stage"}, "COMPLETE", "2026-03-02T12:00:03Z",
    )  # fmt: skip
    listed = (await client.get("/api/v2/events", runId=str(UUID(int=3))))["events"]
    assert listed == [one]


async def test_events_by_pages(client: Any) -> None:
    for number in range(5):
        await client.run("load", number + 1, at=number // 2)
    seen: list[str] = []
    page = await client.get("/api/v2/events", limit=2)
    while True:
        seen += [event["runId"] for event in page["events"]]
        if page["next"] is None:
            break
        page = await client.get("/api/v2/events", limit=2, cursor=page["next"])
    assert sorted(seen) == [str(UUID(int=number)) for number in range(1, 6)]
    assert seen[0] == str(UUID(int=5))
    for number, kind in enumerate(("START", "RUNNING", "OTHER", "COMPLETE")):
        await client.run("long", 9, event=kind, at=number // 2)
    first = await client.get("/api/v2/events", runId=str(UUID(int=9)), limit=3)
    rest = await client.get("/api/v2/events", runId=str(UUID(int=9)), limit=3, cursor=first["next"])
    assert (len(first["events"]), len(rest["events"]), rest["next"]) == (3, 1, None)
    assert len({event["id"] for event in first["events"] + rest["events"]}) == 4
    await client.get("/api/v2/events/20260302-00", status=404)
    await client.get(f"/api/v2/events/20260302-{'0' * 64}/body", status=404)


async def test_sql_that_can_no_longer_be_read_shows_the_last_edges_marked_so(client: Any) -> None:
    table = client.dataset
    lost = {
        "modelId": "m", "status": "unresolved", "gaps": [], "relations": [], "sqlHash": "2",
        "columns": [{"name": "id", "status": "unresolved", "reason": "parser_error"}],
    }  # fmt: skip
    good = {**lost, "status": "resolved", "sqlHash": "1", "columns": [{"name": "id", "status": "traced"}]}
    await client.run("stage", 1, inputs=[table("raw", "id")],
        outputs=[table("orders", "id", lineage={"id": ["raw.id"]}, facets={"lineal_lineage": good})])  # fmt: skip
    await client.run("stage", 2, at=1, inputs=[table("raw", "id")],
        outputs=[table("orders", "id", facets={"lineal_lineage": lost})])  # fmt: skip
    graph = await ask(client, "orders")
    column = fields_of(graph, "orders")["id"]
    assert (column["status"], column["reason"], column["lastKnown"]) == ("unresolved", "parser_error", True)
    assert column["sentence"] == "The SQL can't be parsed."
    assert [edge["lastKnown"] for edge in graph["columnEdges"]] == [True]


async def test_as_of(client: Any) -> None:
    table = client.dataset
    await client.run(
        "stage", 1, inputs=[table("raw", "id")], outputs=[table("orders", "id", lineage={"id": ["raw.id"]})]
    )
    await client.run("stage", 2, at=60, inputs=[table("new", "id")],
        outputs=[table("orders", "id day", lineage={"id": ["new.id"], "day": ["new.id"]})])  # fmt: skip
    then = await ask(client, "orders", asOf="2026-03-02T12:00:30Z")
    assert (tables(then), columns(then)) == ({("raw", "stage", "orders")}, {("raw.id", "orders.id")})
    assert list(fields_of(then, "orders")) == ["id"]
    assert then["asOf"] == "2026-03-02T12:00:30Z"
    assert [one["run"]["runId"] for one in then["transforms"]] == [str(UUID(int=1))]
    assert then == await ask(client, "orders", "as-of", at="2026-03-02T12:00:30Z")
    column = await ask(client, "raw", "downstream", field="id", asOf="2026-03-02T12:00:30Z")
    assert columns(column) == {("raw.id", "orders.id")}
    now = await ask(client, "orders")
    assert columns(now) == {("new.id", "orders.id"), ("new.id", "orders.day")}
    assert columns(await ask(client, "orders", asOf="2026-03-03")) == columns(now)
    assert columns(await ask(client, "raw", "downstream", field="id")) == set()


async def test_aliases_and_renames_lead_to_what_it_is_called_now(client: Any) -> None:
    table = client.dataset
    await client.run(
        "stage", 1, inputs=[table("raw", "id")], outputs=[table("orders", "id", lineage={"id": ["raw.id"]})]
    )
    await client.run(
        "use", 2, at=1, inputs=[table("ord", "id")], outputs=[table("r", "id", lineage={"id": ["ord.id"]})]
    )
    old, new = ({"namespace": "data", "name": name} for name in ("ord", "orders"))
    taken = await client.http.post("/api/v2/alias", json={"kind": "dataset", "old": old, "new": new})
    assert taken.status_code == 201
    graph = await ask(client, "ord")
    assert graph["target"]["name"] == "orders"
    assert columns(graph) == {("raw.id", "orders.id"), ("orders.id", "r.id")}
    assert fields_of(graph, "orders")["id"]["downstream"] == 1
    assert {transform["run"]["runId"] for transform in graph["transforms"]} == {str(UUID(int=1)), str(UUID(int=2))}
    renamed = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "data", "name": "orders"}}
    await client.run("move", 3, at=5, outputs=[table("sales", facets={"lifecycleStateChange": renamed})])
    after = await ask(client, "orders", depth=3)
    assert after["target"]["name"] == "sales"
    assert columns(after) == {("raw.id", "sales.id"), ("sales.id", "r.id")}
    assert (await ask(client, "sales", asOf="2026-03-02T12:00:02Z"))["target"]["name"] == "orders"


async def test_names_of_all_signs(client: Any) -> None:
    table = client.dataset
    await client.run(ODD, 1, namespace=ODD, inputs=[table(f"{ODD}1", "id", namespace=ODD)],
        outputs=[table(ODD, "id", lineage={"a:b %#": [f"{ODD}1.id"]}, namespace=ODD)])  # fmt: skip
    graph = await ask(client, ODD, namespace=ODD, field="a:b %#")
    assert graph["target"] | {"id": None} == {
        "kind": "column", "id": None, "namespace": ODD, "name": ODD, "field": "a:b %#",
    }  # fmt: skip
    assert columns(graph) == {(f"{ODD}1.id", f"{ODD}.a:b %#")}
    job = await client.get("/api/v2/lineage", namespace=ODD, name=ODD, type="job")
    assert tables(job) == {(f"{ODD}1", ODD, ODD)}


async def test_what_is_deleted_connects_nothing(client: Any) -> None:
    await tell_chain(client)
    assert (await client.http.delete("/api/v1/namespaces/data/datasets/orders")).status_code == 200
    assert tables(await ask(client, "raw", depth=5)) == set()
    await ask(client, "orders", status=404)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ({}, "no-target"),
        ({"namespace": "data"}, "no-target"),
        ({"namespace": "data", "name": "t", "type": "column"}, "no-target"),
        ({"nodeId": "run:1"}, "no-target"),
        ({"namespace": "data", "name": "t", "depth": "-1"}, "bad-depth"),
        ({"namespace": "data", "name": "t", "depth": "9999999999"}, "bad-depth"),
        ({"namespace": "data", "name": "t", "asOf": "yesterday"}, "bad-asof"),
        ({"namespace": "data", "name": "t", "asOf": "0000-00-00"}, "bad-asof"),
        ({"namespace": "data", "name": "t", "direction": "sideways"}, "bad-direction"),
        ({"namespace": "data", "name": "t", "withRows": "1"}, "bad-withrows"),
        ({"namespace": "data", "name": "t", "limit": "0"}, "bad-limit"),
    ],
)
async def test_what_cannot_be_read_is_refused(shared: Any, query: dict[str, str], kind: str) -> None:
    response = await shared.http.get("/api/v2/lineage", params=query)
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")
    assert response.json()["type"] == f"about:blank#{kind}"


async def test_what_is_not_known_is_not_found(shared: Any) -> None:
    for query in ({"name": "none"}, {"name": "none", "field": "x"}, {"name": "none", "type": "job"}, {"name": "\x00"}):
        response = await shared.http.get("/api/v2/lineage", params={"namespace": "data", **query})
        assert (response.status_code, response.json()["type"]) == (404, "about:blank#no-such-node")
    assert (await shared.http.get("/api/v2/as-of?namespace=data&name=none")).status_code == 400


async def test_wide_tables_and_hubs_keep_every_status_and_count(client: Any) -> None:
    table, width = client.dataset, 1_200
    names = [f"c{number}" for number in range(width)]
    lineage = {name: ["hub.key"] for name in names[:-1]}
    await client.run("spread", 1, inputs=[table("hub", "key other")],
        outputs=[table("wide", " ".join(names), lineage=lineage)])  # fmt: skip
    graph = await ask(client, "hub")
    assert {name: (one["upstream"], one["downstream"]) for name, one in fields_of(graph, "hub").items()} == {
        "key": (0, 100), "other": (0, 0),
    }  # fmt: skip
    wide = fields_of(graph, "wide")
    assert list(wide) == names
    assert {(one["status"], one["upstream"]) for one in wide.values()} == {("traced", 1), ("unresolved", 0)}
    assert (wide[names[-1]]["reason"], len(graph["columnEdges"])) == ("not_reported", width - 1)


async def test_an_edge_of_what_is_no_input_of_its_run_has_its_job_and_evidence(client: Any) -> None:
    d = client.dataset
    await client.run("named", 1, inputs=[d("a")], outputs=[d("b")])
    await client.run("other", 2, at=1, inputs=[d("c")], outputs=[d("b", "x", lineage={"x": ["a.x"]})])
    graph = await client.get("/api/v2/downstream", namespace="data", name="a", columns="all")
    (edge,) = graph["columnEdges"]
    assert {one["name"] for one in graph["jobs"] if one["id"] == edge["job"]} == {"other"}
    (told,) = [one for one in graph["transforms"] if one["id"] == edge["transform"]]
    assert told["run"]["runId"] == "00000000-0000-0000-0000-000000000002"
    assert (edge["job"], edge["source"]["dataset"]) in {(use["job"], use["source"]) for use in graph["tableEdges"]}
