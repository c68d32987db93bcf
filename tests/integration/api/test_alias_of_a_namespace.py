"""A namespace that counts as another: every answer is as if all had been sent under the one name."""

import json
import re
from typing import Any

import pytest

from lineal_receiver.app import create_app
from lineal_receiver.settings import Settings

from .conftest import NOON, PRODUCER, Client, copied, dataset, open_client

OLD, NEW = "postgres://DB:5432", "data"
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,64}")
RUNS = "00000000-0000-0000"


def told(name: str, fields: str | None = None, rows: str | None = None, **facets: Any) -> dict[str, Any]:
    """A dataset as in `dataset`; `rows`: the column of `s` that decides its rows."""
    found = dataset(name, fields, **facets)
    if rows is not None:
        decides = {"namespace": NEW, "name": "s", "field": rows, "transformations": [{"type": "INDIRECT"}]}
        found["facets"]["columnLineage"]["dataset"] = [decides]
    return found


async def tell(client: Client, old: frozenset[str]) -> None:
    """A story in one namespace; of the datasets `old` in the other."""

    def rename(found: dict[str, Any]) -> dict[str, Any]:
        return found | {"namespace": OLD} if found.get("namespace") == NEW and found.get("name") in old else found

    def named(event: dict[str, Any]) -> dict[str, Any]:
        return dict(json.loads(json.dumps(event), object_hook=rename))

    def send(**event: Any) -> Any:
        return client.run(**named(event))

    await send(job="load", run=1, inputs=[dataset("s")], outputs=[told("t", "x", rows="k", lineage={"x": ["s.x"]})])
    await send(
        job="next", run=2, at=1, inputs=[dataset("t", "x z")], outputs=[told("u", lineage={"y": ["t.w", "t.x"]})]
    )
    await send(job="look", run=3, at=2, event="FAIL", inputs=[dataset("v", "x y")])
    await send(job="late", run=4, at=3, event="START", outputs=[told("v", lineage={"x": ["u.y"]})])
    static = {"eventTime": NOON.isoformat(), "producer": PRODUCER, "dataset": dataset("w", "x y")}
    await client.post(
        named(static) | {"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"}
    )
    await send(job="bare", run=5, at=4, outputs=[told("w", rows="r", lineage={})])
    await send(job="aside", run=6, at=5, inputs=[dataset("s")], outputs=[told("x", "a b", lineage={"a": ["s.x"]})])
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": NEW, "name": "x"}}
    await send(job="swap", run=7, at=6, outputs=[dataset("y", facets={"lifecycleStateChange": change})])


async def ask(client: Client) -> dict[str, Any]:
    """Every answer of the story, without ids, which are those of names."""
    answers: dict[str, Any] = {}
    for name in "stuvwxy":
        of: dict[str, Any] = {"namespace": NEW, "name": name}
        for route in ("lineage", "upstream", "downstream", "impact"):
            for rows in ("false", "true"):
                answers[f"v2 {route} {name} {rows}"] = await client.get(f"/api/v2/{route}", **of, withRows=rows)
        for way in ("false", "true"):
            answers[f"columns {name} {way}"] = await client.get("/api/v1/column-lineage", **of, withDownstream=way)
        answers[f"tables {name}"] = await client.get("/api/v1/lineage", **of)
        path = ("namespaces", NEW, "datasets", name)
        answers[name] = [await client.get(client.path(*path)), await client.get(client.path(*path, "versions"))]
    for what in ("unresolved", "summary", "runs"):
        answers[what] = await client.get(f"/api/v2/{what}")
    del answers["summary"]["events"]  # the alias is a record
    del answers["summary"]["namespaces"]
    text = json.dumps(answers).replace(OLD, NEW)
    found: dict[str, Any] = json.loads(ID.sub(lambda one: one[0] if one[0].startswith(RUNS) else "id", text))
    return {key: _sort(value) for key, value in found.items()}


def _sort(value: Any) -> Any:
    """Lists whose order is that of ids, in one order."""
    if isinstance(value, dict):
        return {key: _sort(one) for key, one in value.items()}
    return sorted((_sort(one) for one in value), key=json.dumps) if isinstance(value, list) else value


@pytest.mark.parametrize("old", ["ty", "vwx", "stuvwxy"])
async def test_answers_are_as_if_all_had_been_sent_under_one_name(
    server_url: str, template: str, tmp_path: Any, client: Client, old: str
) -> None:
    await tell(client, frozenset())
    async with copied(server_url, template) as url:
        settings = Settings(database_url=url, data_dir=tmp_path)
        async with open_client(create_app(settings)) as other:
            body = {"kind": "namespace", "old": {"namespace": OLD}, "new": {"namespace": NEW}}
            assert (await other.http.post("/api/v2/alias", json=body)).status_code == 201
            await tell(other, frozenset(old))
            expected, found = await ask(client), await ask(other)
            assert {key for key in expected if found[key] != expected[key]} == set()


async def test_a_column_that_a_job_leaves_out_is_so_whichever_names_there_are(client: Client) -> None:
    """Of `t.w` its writer says nothing, though it tells of others: the way is asked for, which shows only `w`."""
    for _ in range(2):
        await tell(client, frozenset())
        shown = await client.get("/api/v2/upstream", namespace=NEW, name="u")
        assert [(one["name"], one["reason"]) for one in _columns(shown, "t")] == [("w", "not_reported"), ("x", None)]
        past = await client.get("/api/v2/upstream", namespace=NEW, name="u", asOf="2026-03-02T13:00:00Z")
        assert [(one["name"], one["reason"]) for one in _columns(past, "t")] == [("w", "not_reported"), ("x", None)]
        await client.http.post("/api/v2/alias", json={"kind": "dataset", "old": "elsewhere:a", "new": "elsewhere:b"})


async def test_a_column_that_only_decides_rows_is_one_of_its_dataset(client: Client) -> None:
    """With no way to it where rows aren't asked for; the same in a store with other names."""
    for _ in range(2):
        await tell(client, frozenset())
        for rows, downstream in (("false", 0), ("true", 1)):
            shown = await client.get("/api/v2/lineage", namespace=NEW, name="s", withRows=rows)
            assert [(one["name"], one["downstream"]) for one in _columns(shown, "s")] == [
                ("k", downstream), ("r", downstream), ("x", 2),
            ]  # fmt: skip
        await client.http.post("/api/v2/alias", json={"kind": "dataset", "old": "elsewhere:a", "new": "elsewhere:b"})


def _columns(shown: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(one["columns"] for one in shown["datasets"] if one["name"] == name)
    return sorted(found, key=lambda one: str(one["name"]))
