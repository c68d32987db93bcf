"""Every read of /api/v2 is described with an example of the shape of its answers, and takes whatever is asked."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .test_v2_attention import ago, under
from .test_v2_changes import own

SPACE = "postgres://db.example:5432"
TARGET = {"namespace": SPACE, "name": "shop.mart.revenue"}
COLUMN = {**TARGET, "field": "total"}
SOURCE = {"sourceNamespace": SPACE, "sourceName": "shop.public.orders", "sourceField": "amount"}
ENDS = {
    "fromNamespace": SPACE, "fromName": "shop.public.orders", "fromField": "amount",
    "toNamespace": SPACE, "toName": "shop.mart.revenue", "toField": "total",
}  # fmt: skip

ASKED: dict[str, dict[str, str]] = {
    "/api/v2/lineage": TARGET,
    "/api/v2/upstream": COLUMN,
    "/api/v2/downstream": {**COLUMN, "name": "shop.public.orders", "field": "amount"},
    "/api/v2/as-of": {**TARGET, "at": "2026-12-31"},
    "/api/v2/edge": {**COLUMN, **SOURCE},
    "/api/v2/impact": {"namespace": SPACE, "name": "shop.public.orders", "field": "amount"},
    "/api/v2/path": ENDS,
    "/api/v2/diff": {**TARGET, "from": "2026-03-02T12:00:00Z"},
    "/api/v2/unresolved": {},
    "/api/v2/search": {"q": "revenue"},
    "/api/v2/drift": TARGET,
    "/api/v2/attention": {},
    "/api/v2/runs/tree": {"runId": str(UUID(int=1))},
    "/api/v2/events": {"runId": str(UUID(int=1))},
    "/api/v2/runs": {},
    "/api/v2/summary": {},
}


async def tell(client: Any) -> None:
    """A run that makes a table out of another, a change of its schema, one column that can't be told, and a failure."""

    def table(name: str, fields: str, **more: Any) -> dict[str, Any]:
        return client.dataset(name, fields, namespace=SPACE, **more)  # type: ignore[no-any-return]

    orders = table("shop.public.orders", "id amount")
    owned = {"ownership": {"owners": [{"name": "finance", "type": "MAINTAINER"}]}}
    code = {"sourceCodeLocation": {"type": "git", "url": "https://example.com/revenue.sql", "path": "revenue.sql"}}
    said = {"sql": {"query": "select sum(amount) as total from orders", "dialect": "postgres"}, **code, **owned}
    told = own(("total", "traced", None), ("note", "unresolved", "opaque_function"))
    lineage = {"total": ["shop.public.orders.amount"]}
    first = table("shop.mart.revenue", "total", lineage=lineage, facets=owned)
    await client.run("revenue", 1, inputs=[orders], outputs=[first], job_facets=said)
    second = table("shop.mart.revenue", "total note", lineage=lineage, facets={**owned, **told})
    child = under("nightly", 1)
    await client.run("revenue", 2, at=60, inputs=[orders], outputs=[second], job_facets=said, facets=child)
    await client.run("dashboard", 3, at=61, inputs=[second], job_facets=owned)
    why = {"errorMessage": {"message": "deadlock detected", "programmingLanguage": "sql"}}
    await client.run("load", 4, event="FAIL", at=ago(1), outputs=[orders], facets=why)


def lacks(shown: Any, real: Any, where: str) -> list[str]:
    """What an example shows that a real answer hasn't, and the other way round."""
    if isinstance(shown, dict) and isinstance(real, dict):
        missing = [f"{where}: {key} is only in one" for key in shown.keys() ^ real.keys()]
        return missing + [
            gap for key in shown.keys() & real.keys() for gap in lacks(shown[key], real[key], f"{where}/{key}")
        ]
    if isinstance(shown, list) and isinstance(real, list) and shown and real:
        return lacks(shown[0], real[0], f"{where}/0")
    return []


async def test_examples_have_the_shape_of_answers(client: Any) -> None:
    await tell(client)
    paths = (await client.get("/openapi.json"))["paths"]
    described = {path for path in paths if path.startswith("/api/v2/") and "get" in paths[path]}
    for path in sorted(described):
        answers = paths[path]["get"]["responses"]
        media = next((media for media, content in answers["200"]["content"].items() if "example" in content), "")
        assert media, path
        assert "application/problem+json" in answers["400"]["content"], path
        if path in ASKED:
            real = await client.get(path, **ASKED[path])
            assert lacks(answers["200"]["content"][media]["example"], real, path) == []
    for path, query in ASKED.items():
        if path in ("/api/v2/summary", "/api/v2/runs"):
            continue
        named = {parameter["name"] for parameter in paths[path]["get"]["parameters"]}
        assert query.keys() <= named, path


def event(at: str, name: str, run: int) -> dict[str, Any]:
    """A run that writes a table."""
    return {
        "eventType": "COMPLETE",
        "eventTime": at,
        "producer": "https://example.com/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(UUID(int=run, version=4))},
        "job": {"namespace": "nightly", "name": "copy"},
        "outputs": [{"namespace": SPACE, "name": name}],
    }


async def test_what_an_operator_asks_and_does_is_described_as_it_is_answered(client: Any) -> None:
    await tell(client)
    http = client.http
    assert (
        await http.post("/api/v1/lineage", json=event("2026-03-02T12:00:00Z", "x", 7) | {"run": {}})
    ).status_code == 422
    await http.post("/api/v1/lineage", json=event("2026-03-02T12:00:00Z", "shop.public.Orders", 8))
    paths = (await client.get("/openapi.json"))["paths"]
    (refused,) = (await client.get("/api/v2/rejected"))["rejected"]
    old = {"namespace": SPACE, "name": "shop.public.Orders"}
    alias = {"kind": "dataset", "old": old, "new": {**old, "name": "shop.public.orders"}}
    dataset = {"namespace": SPACE, "name": "shop.mart.revenue"}
    lint = await client.get("/api/v2/alias/lint")
    assert [(pair["old"], pair["new"]) for pair in lint["likely"]] in ([(old, alias["new"])], [(alias["new"], old)])

    for method, path, status, sent in (
        ("post", "/api/v2/alias", 201, {"json": alias}),
        ("post", "/api/v2/alias", 200, {"json": alias}),
        ("post", "/api/v2/alias", 409, {"json": {**alias, "old": alias["new"], "new": old}}),
        ("post", "/api/v2/alias", 422, {"json": {}}),
        ("post", "/api/v2/alias", 415, {"content": b"{}", "headers": {"Content-Type": "text/plain"}}),
        ("post", "/api/v2/alias", 400, {"content": b"{", "headers": {"Content-Type": "application/json"}}),
        ("delete", "/api/v2/horizon", 404, {}),
        ("put", "/api/v2/horizon", 422, {"json": {"at": "soon"}}),
        ("put", "/api/v2/horizon", 200, {"json": {"at": "2026-01-31", "why": "archived"}}),
        ("post", "/api/v2/redact", 422, {"json": {}}),
        ("post", "/api/v2/redact", 200, {"json": {"text": "deadlock detected", "why": "a name"}}),
        ("post", "/api/v2/rejected/{id}/replay", 422, {}),
        ("post", "/api/v2/runs/{run}/trust", 200, {}),
        ("post", "/api/v2/datasets/trust", 200, {"params": dataset}),
        ("post", "/api/v2/datasets/trust", 404, {"params": {**dataset, "name": "nothing"}}),
        ("post", "/api/v2/datasets/trust", 400, {}),
        ("post", "/api/v2/jobs/trust", 404, {"params": dataset}),
        ("post", "/api/v2/jobs/trust", 400, {}),
    ):
        real = await http.request(method, path.format(id=refused["id"], run=UUID(int=1)), **sent)
        assert real.status_code == status, (method, path, real.text)
        (content,) = paths[path][method]["responses"][str(status)]["content"].items()
        assert content[0] == real.headers["content-type"]
        told = real.json()
        if status < 400:
            assert lacks(content[1]["example"], told, path) == []

    await http.post("/api/v1/lineage", json=event("2026-01-02T12:00:00Z", "x", 9))
    read = {
        path: await client.get(path)
        for path in ("/api/v2/rejected", "/api/v2/alias", "/api/v2/horizon", "/api/v2/late", "/api/v2/redact")
    }
    read["/api/v2/alias/lint"] = lint
    read["/api/v2/rejected/{id}"] = await client.get(f"/api/v2/rejected/{refused['id']}")
    for path, answer in read.items():
        (content,) = paths[path]["get"]["responses"]["200"]["content"].values()
        assert lacks(content["example"], answer, path) == []

    gone = await http.delete("/api/v2/alias", params={"kind": "dataset", **old})
    assert (gone.status_code, gone.headers["content-type"]) == (200, "application/json")
    assert {name["name"] for name in paths["/api/v2/horizon"]["delete"]["parameters"]} == {"why", "by"}


ODD = [
    "-1", "0", "1", "9" * 20, "true", "null", "0001-01-01", "9999-12-31T23:59:59.999999+00:00", "2026-03-02",
    "2026-03-02T12:00:00-23:59", "W10", "WyJhIl0", "WyJhIiwiYiJd", "WyIxIiwiMiIsIjMiXQ", "eyJ9", "dataset:a:b",
    "job:a:b", "datasetField:a:b:c", "run:x", str(UUID(int=1)), "a" * 300, SPACE, "shop.mart.revenue", "total", "csv",
]  # fmt: skip
SIGNS = "ab:/%#+?&=.,;'\"\\()[]{}*|\x00\n🕷0-1 \u202eé"
texts = st.text(alphabet=SIGNS, max_size=8) | st.sampled_from(ODD)


@pytest.fixture(scope="module")
async def told(shared: Any) -> Any:
    await tell(shared)
    return shared


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
async def test_whatever_is_asked_is_answered_or_refused_with_a_problem(told: Any, data: st.DataObject) -> None:
    paths = (await told.get("/openapi.json"))["paths"]
    reads = sorted(path for path in paths if path.startswith("/api/v2/") and "get" in paths[path] and "{" not in path)
    path = data.draw(st.sampled_from(reads))
    names = [parameter["name"] for parameter in paths[path]["get"].get("parameters", [])]
    query = dict(ASKED.get(path, {}))
    for name in data.draw(st.lists(st.sampled_from(names), unique=True)) if names else ():
        query[name] = data.draw(texts)
    response = await told.http.get(path, params=query)
    assert response.status_code in {200, 400, 404}, (path, query, response.text)
    if response.status_code != 200:
        assert response.headers["content-type"] == "application/problem+json", (path, query)
        assert response.json().keys() >= {"type", "title", "status", "detail"}


@pytest.mark.parametrize("event", ["x", "20260302-00", "99999999-" + "0" * 64, "\x00", "a/b", "20260302-" + "g" * 64])
async def test_events_by_odd_ids(shared: Any, event: str) -> None:
    for rest in ("", "/body"):
        response = await shared.http.get(f"/api/v2/events/{event.replace('/', '%2F').replace(chr(0), '%00')}{rest}")
        assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")
