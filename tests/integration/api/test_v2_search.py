"""One search over tables, columns and jobs: what is found, in which order, by pages."""

from typing import Any

import pytest


async def find(client: Any, q: str, **query: Any) -> list[tuple[str, str, str]]:
    found = (await client.get("/api/v2/search", q=q, **query))["results"]
    return [
        (one["kind"], f"{one['name']}.{one['field']}" if one["field"] else one["name"], one["match"]) for one in found
    ]


async def tell(client: Any) -> None:
    table = client.dataset
    await client.run("load_orders", 1, inputs=[table("raw.public.orders", "Order_ID amount")],
        outputs=[table("mart.orders", "order_id total"), table("mart.orders_daily", "day orders")])  # fmt: skip


async def test_tables_columns_and_jobs_the_best_match_first(client: Any) -> None:
    await tell(client)
    assert await find(client, "ORDERS") == [
        ("column", "mart.orders_daily.orders", "exact"),
        ("dataset", "mart.orders", "word"),
        ("dataset", "raw.public.orders", "word"),
        ("dataset", "mart.orders_daily", "prefix"),
        ("job", "load_orders", "part"),
    ]
    assert await find(client, "order_id") == [
        ("column", "mart.orders.order_id", "exact"),
        ("column", "raw.public.orders.Order_ID", "exact"),
    ]
    assert await find(client, "orders.order", kind="column") == [
        ("column", "mart.orders.order_id", "prefix"),
        ("column", "raw.public.orders.Order_ID", "prefix"),
    ]
    assert await find(client, "orders", kind=["job", "dataset"], namespace="jobs") == [("job", "load_orders", "part")]
    (column,) = (await client.get("/api/v2/search", q="total"))["results"]
    assert (column["type"], column["namespace"], column["field"]) == ("INT", "data", "total")
    graph = await client.get("/api/v2/lineage", namespace="data", name="mart.orders")
    assert column["id"] == graph["target"]["id"]
    assert await find(client, "type") == []
    assert await find(client, "INT") == []


async def test_signs_are_taken_literally(client: Any) -> None:
    table = client.dataset
    names = ("100%_a", 'say "x"\\', "a.*b", "(", "🕷 web")
    for number, name in enumerate(names):
        schema = {"schema": {"fields": [{"name": f"c {name}", "type": "T", "description": "d"}]}}
        await client.run("j", number + 1, at=number, outputs=[table(f"t {name}", facets=schema)])
    for name in names:
        assert {kind for kind, _, _ in await find(client, name)} == {"dataset", "column"}
        assert len(await find(client, name)) == 2
    assert await find(client, "%") == await find(client, "100%_a")
    assert await find(client, ".+") == []


async def test_what_a_schema_no_longer_has_or_is_deleted_is_not_found(client: Any) -> None:
    table = client.dataset
    await client.run("j", 1, outputs=[table("t", "gone kept"), table("u", "kept")])
    await client.run("j", 2, at=1, outputs=[table("t", "kept")])
    assert await find(client, "gone") == []
    await client.http.delete("/api/v1/namespaces/data/datasets/u")
    assert await find(client, "kept") == [("column", "t.kept", "exact")]


async def test_a_table_of_two_names_is_found_once(client: Any) -> None:
    table = client.dataset
    links = {"symlinks": {"identifiers": [{"namespace": "data", "name": "hive.sales", "type": "TABLE"}]}}
    await client.run("j", 1, outputs=[table("s3.sales", "id", facets=links)])
    await client.run("r", 2, at=1, inputs=[table("hive.sales", "id")])
    assert await find(client, "sales") == [("dataset", "s3.sales", "word")]
    assert await find(client, "id", kind="column") == [("column", "s3.sales.id", "exact")]


async def test_pages(client: Any) -> None:
    for number in range(7):
        await client.run("j", number + 1, at=number, outputs=[client.dataset(f"t{number}", "amount")])
    seen: list[str] = []
    page = await client.get("/api/v2/search", q="amount", limit=3)
    while True:
        seen += [one["name"] for one in page["results"]]
        if page["next"] is None:
            break
        page = await client.get("/api/v2/search", q="amount", limit=3, cursor=page["next"])
    assert seen == [f"t{number}" for number in range(7)]


@pytest.mark.parametrize(
    "query",
    [{}, {"q": " "}, {"q": "a", "kind": "x"}, {"q": "a", "cursor": "x"}, {"q": "a", "limit": "x"}, {"q": "a" * 1_001}],
)
async def test_what_cannot_be_read_is_refused(shared: Any, query: dict[str, str]) -> None:
    response = await shared.http.get("/api/v2/search", params=query)
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")


async def test_odd_queries_find_nothing(shared: Any) -> None:
    for q in ("\x00", "\\", "'; drop table log", "(((", "[", "a" * 1_000, "🕷", ".", "..", "a.", ".b"):
        assert (await shared.http.get("/api/v2/search", params={"q": q})).json()["results"] == []
