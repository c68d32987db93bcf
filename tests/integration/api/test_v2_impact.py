"""What breaks, why one reaches another, and the evidence of one edge."""

from typing import Any
from uuid import UUID

from .test_v2_attention import ago


def rows_of(source: str, *fields: str) -> dict[str, Any]:
    """`dataset` of columnLineage: columns that decide the rows."""
    return {
        "dataset": [
            {"namespace": "data", "name": source, "field": field,
             "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}
            for field in fields
        ]
    }  # fmt: skip


def made(fields: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    """A columnLineage facet: {"a": ["source.a"]}."""

    def name(source: str) -> dict[str, str]:
        table, _, field = source.rpartition(".")
        return {"namespace": "data", "name": table, "field": field}

    inputs = {field: {"inputFields": [name(one) for one in sources]} for field, sources in fields.items()}
    return {"columnLineage": {"fields": inputs, **more}}


async def tell(client: Any) -> None:
    """orders -> revenue (amount by value, status by rows) -> chart; orders -> blind (nothing told) -> after."""
    table, owned = client.dataset, {"ownership": {"owners": [{"name": "finance", "type": "TEAM"}]}}
    sums = made({"total": ["orders.amount"]}, **rows_of("orders", "status"))
    summed = table("revenue", "total", facets={**sums, **owned})
    await client.run("sum", 1, inputs=[table("orders", "id amount status")], outputs=[summed])
    await client.run("draw", 2, at=1, inputs=[table("revenue")],
        outputs=[table("chart", "value fixed", lineage={"value": ["revenue.total"], "fixed": []})])  # fmt: skip
    await client.run("hide", 3, at=2, inputs=[table("orders")], outputs=[table("blind", "x")])
    await client.run("go_on", 4, at=3, inputs=[table("blind")],
        outputs=[table("after", "x", lineage={"x": ["blind.x"]})])  # fmt: skip
    ann = {"ownership": {"owners": [{"name": "ann"}]}}
    await client.run("dashboard", 5, at=4, inputs=[table("chart")], job_facets=ann)


async def impact(client: Any, **query: Any) -> Any:
    return await client.get("/api/v2/impact", namespace="data", **query)


def whys(answer: dict[str, Any], kind: str) -> dict[str, tuple[str, int]]:
    def name(one: dict[str, Any]) -> str:
        return f"{one['name']}.{one['field']}" if "field" in one else str(one["name"])

    return {name(one): (one["why"], one["distance"]) for one in answer[kind]}


async def test_of_a_column(client: Any) -> None:
    await tell(client)
    amount = await impact(client, name="orders", field="amount")
    assert whys(amount, "columns") == {"revenue.total": ("direct", 1), "chart.value": ("direct", 2)}
    assert whys(amount, "datasets") == {
        "revenue": ("direct", 1), "chart": ("direct", 2), "blind": ("table", 1), "after": ("table", 2),
    }  # fmt: skip
    assert whys(amount, "jobs") == {
        "sum": ("direct", 1),
        "draw": ("direct", 2),
        "hide": ("table", 1),
        "go_on": ("table", 2),
    }
    assert whys(amount, "consumers") == {"dashboard": ("table", 3)}
    assert amount["counts"] == {"columns": 2, "datasets": 4, "jobs": 4, "consumers": 1, "checks": 0}
    assert (amount["owners"], amount["cut"], amount["next"]) == (["ann", "finance"], None, {})
    assert [one["via"]["field"] for one in amount["columns"]] == ["amount", "total"]
    assert amount["datasets"][1]["owners"] == [{"name": "finance", "type": "TEAM"}]


async def test_of_what_decides_the_rows(client: Any) -> None:
    await tell(client)
    status = await impact(client, name="orders", field="status")
    assert whys(status, "columns") == {}
    assert whys(status, "datasets") == {
        "revenue": ("rows", 1), "chart": ("rows", 2), "blind": ("table", 1), "after": ("table", 2),
    }  # fmt: skip
    assert whys(status, "jobs")["sum"] == ("rows", 1)
    values = await impact(client, name="orders", field="status", withRows="false")
    assert whys(values, "datasets") == {"blind": ("table", 1), "after": ("table", 2)}
    unused = await impact(client, name="orders", field="id")
    assert whys(unused, "datasets") == {"blind": ("table", 1), "after": ("table", 2)}


async def test_of_a_dataset_and_a_job(client: Any) -> None:
    await tell(client)
    orders = await impact(client, name="orders")
    assert whys(orders, "datasets") == {
        "revenue": ("direct", 1), "chart": ("direct", 2), "blind": ("table", 1), "after": ("table", 2),
    }  # fmt: skip
    assert whys(orders, "consumers") == {"dashboard": ("rows", 3)}
    job = await client.get("/api/v2/impact", namespace="jobs", name="sum", type="job")
    assert whys(job, "datasets") == {"chart": ("direct", 2)}
    assert whys(job, "jobs") == {"draw": ("direct", 2)}
    then = await impact(client, name="orders", asOf="2026-03-02T12:00:00.5Z")
    assert whys(then, "datasets") == {"revenue": ("direct", 1)}
    assert (await impact(client, name="orders", asOf="2026-03-03"))["counts"] == orders["counts"]


async def test_checks_are_no_consumers(client: Any) -> None:
    await tell(client)
    before = await impact(client, name="orders")
    for number, kind in enumerate(("TEST", "unit_test", "DATA_QUALITY_CHECK", "DASHBOARD"), start=1):
        facet = {"jobType": {"processingType": "BATCH", "integration": "DBT", "jobType": kind}}
        await client.run(
            f"own {kind}", 50 + number, at=50 + number, inputs=[client.dataset("revenue")], job_facets=facet
        )
    found = await impact(client, name="orders")
    assert found["counts"] == {**before["counts"], "consumers": before["counts"]["consumers"] + 1, "checks": 3}
    assert [one["name"] for one in found["checks"]] == ["own DATA_QUALITY_CHECK", "own TEST", "own unit_test"]
    assert "own DASHBOARD" in [one["name"] for one in found["consumers"]]
    listed = await impact(client, name="orders", kind="checks", limit=1)
    assert (len(listed["checks"]), sorted(listed["next"])) == (1, ["checks"])
    await client.run("late", 60, event="START", at=ago(2), outputs=[client.dataset("orders")])
    (run,) = (await client.get("/api/v2/attention"))["runs"]
    assert (run["downstream"]["consumers"], run["downstream"]["checks"]) == (found["counts"]["consumers"], 3)


async def test_pages(client: Any) -> None:
    await tell(client)
    first = await impact(client, name="orders", limit=1)
    assert {kind: len(first[kind]) for kind in ("columns", "datasets", "jobs", "consumers", "checks")} == {
        "columns": 1, "datasets": 1, "jobs": 1, "consumers": 1, "checks": 0,
    }  # fmt: skip
    assert sorted(first["next"]) == ["columns", "datasets", "jobs"]
    names = [one["name"] for one in first["datasets"]]
    cursor = first["next"]["datasets"]
    while cursor is not None:
        page = await impact(client, name="orders", limit=1, cursor=cursor)
        assert "columns" not in page
        names += [one["name"] for one in page["datasets"]]
        cursor = page["next"].get("datasets")
    assert names == ["blind", "revenue", "after", "chart"]
    await client.get("/api/v2/impact", status=400, namespace="data", name="orders", cursor="x")
    refused = await client.get("/api/v2/impact", status=400, namespace="data", name="orders", kind="x")
    assert refused["detail"] == "`kind` is one of columns, datasets, jobs, consumers, checks."


async def path(client: Any, first: tuple[str, str | None], last: tuple[str, str | None], **query: Any) -> Any:
    asked = {"fromNamespace": "data", "fromName": first[0], "toNamespace": "data", "toName": last[0]}
    fields = {key: end[1] for key, end in (("fromField", first), ("toField", last)) if end[1]}
    return await client.get("/api/v2/path", **asked, **fields, **query)


async def test_why_one_reaches_another(client: Any) -> None:
    await tell(client)
    way = await path(client, ("orders", "amount"), ("chart", "value"))
    assert (way["reaches"], way["level"], way["cut"]) == (True, "columns", None)
    assert way["sentence"] == "orders.amount reaches chart.value in 2 steps, by values."
    names = {one["id"]: one["name"] for one in way["datasets"]}
    (only,) = way["paths"]
    assert (only["length"], only["why"]) == (2, "direct")
    steps = [
        (names[step["source"]["dataset"]], step["source"]["field"], step["target"]["field"]) for step in only["steps"]
    ]
    assert steps == [("orders", "amount", "total"), ("revenue", "total", "value")]
    assert {job["name"] for job in way["jobs"]} == {"sum", "draw"}
    assert {one["run"]["runId"] for one in way["transforms"]} == {str(UUID(int=1)), str(UUID(int=2))}


async def test_a_way_over_rows_over_tables_backwards_and_none(client: Any) -> None:
    await tell(client)
    rows = await path(client, ("orders", "status"), ("chart", "value"))
    assert (rows["sentence"], rows["paths"][0]["why"]) == (
        "orders.status reaches chart.value in 2 steps, by what decides the rows.", "rows",
    )  # fmt: skip
    assert rows["paths"][0]["steps"][0]["target"]["field"] is None
    values = await path(client, ("orders", "status"), ("chart", "value"), withRows="false")
    assert (values["level"], values["paths"][0]["why"]) == ("tables", "table")
    blind = await path(client, ("orders", "id"), ("after", "x"))
    assert (blind["level"], blind["paths"][0]["length"]) == ("tables", 2)
    whole = await path(client, ("orders", None), ("chart", None))
    assert (whole["level"], [one["why"] for one in whole["paths"]]) == ("columns", ["direct", "rows"])
    back = await path(client, ("chart", None), ("orders", None))
    assert (back["reaches"], back["reachesBack"], back["paths"]) == (False, True, [])
    assert back["sentence"] == "chart doesn't reach orders; orders reaches chart."
    none = await path(client, ("chart", None), ("after", None))
    assert (none["reaches"], none["reachesBack"], none["level"]) == (False, False, None)
    then = await path(client, ("orders", "amount"), ("revenue", "total"), asOf="2026-03-02T12:00:00.5Z")
    assert (then["level"], then["paths"][0]["length"]) == ("columns", 1)
    await client.get("/api/v2/path", status=400, fromNamespace="data", fromName="orders")
    assert (await client.http.get("/api/v2/path?fromNamespace=a&fromName=b&toNamespace=c&toName=d")).status_code == 404


async def test_a_diamond_has_two_ways_and_a_circle_one_of_finite_length(client: Any) -> None:
    table = client.dataset
    await client.run("l", 1, inputs=[table("a", "x")], outputs=[table("b", "x", lineage={"x": ["a.x"]})])
    await client.run("r", 2, inputs=[table("a", "x")], outputs=[table("c", "x", lineage={"x": ["a.x"]})])
    await client.run("m", 3, outputs=[table("d", "x", lineage={"x": ["b.x", "c.x"]})], inputs=[table("b"), table("c")])
    await client.run("back", 4, inputs=[table("d")], outputs=[table("a", "x", lineage={"x": ["d.x"]})])
    both = await path(client, ("a", "x"), ("d", "x"))
    assert [one["length"] for one in both["paths"]] == [2, 2]
    one = await path(client, ("a", "x"), ("d", "x"), limit=1)
    assert (len(one["paths"]), one["cut"] is None) == (1, False)
    assert whys(await impact(client, name="a", field="x"), "columns") == {
        "b.x": ("direct", 1), "c.x": ("direct", 1), "d.x": ("direct", 2),
    }  # fmt: skip


async def test_many_ways_of_one_length_are_not_gone_through_one_by_one(client: Any) -> None:
    layers, lineage = 30, {}
    for layer in range(1, layers):
        for place in "abc":
            lineage[f"{place}{layer}"] = [f"t.{other}{layer - 1}" for other in "abc"]
    made = client.dataset("t", " ".join([*lineage, "a0", "b0", "c0"]), lineage=lineage)
    await client.run("weave", 1, inputs=[client.dataset("t")], outputs=[made])
    found = await path(client, ("t", "a0"), ("t", f"a{layers - 1}"))
    assert [one["length"] for one in found["paths"]] == [layers - 1] * 5
    assert len({tuple(step["source"]["field"] for step in one["steps"]) for one in found["paths"]}) == 5


async def test_the_evidence_of_one_edge(client: Any) -> None:
    sql = {"sql": {"query": "select sum(amount) total from orders", "dialect": "duckdb"}}
    table = client.dataset
    await client.run("sum", 1, inputs=[table("orders", "amount")], job_facets=sql,
        outputs=[table("revenue", "total", lineage={"total": ["orders.amount"]})])  # fmt: skip
    asked = {"namespace": "data", "name": "revenue", "sourceNamespace": "data", "sourceName": "orders"}
    edge = await client.get("/api/v2/edge", **asked, field="total", sourceField="amount")
    (transform,) = edge["transforms"]
    assert transform["sql"] == {"query": "select sum(amount) total from orders", "dialect": "duckdb"}
    assert [(one["direct"], one["transform"]) for one in edge["edges"]] == [(True, transform["id"])]
    assert ([job["name"] for job in edge["jobs"]], edge["source"]["field"]) == (["sum"], "amount")
    refused = await client.http.get("/api/v2/edge", params={**asked, "sourceField": "amount"})
    assert (refused.status_code, refused.json()["type"]) == (404, "about:blank#no-such-edge")
    await client.get("/api/v2/edge", status=400, **asked, field="total")


async def test_an_edge_from_a_column_without_a_name(client: Any) -> None:
    fields = {"x": {"inputFields": [{"namespace": "data", "name": "src", "field": ""}]}}
    made = client.dataset("made", "x", facets={"columnLineage": {"fields": fields}})
    await client.run("make", 1, inputs=[client.dataset("src")], outputs=[made])
    asked = {"namespace": "data", "name": "made", "sourceNamespace": "data", "sourceName": "src"}
    (edge,) = (await client.get("/api/v2/edge", **asked, field="x", sourceField=""))["edges"]
    assert (edge["source"]["field"], edge["target"]["field"]) == ("", "x")
    await client.get("/api/v2/edge", status=404, **asked, sourceField="")
