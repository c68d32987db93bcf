"""What isn't known, how schemas changed, and what is another between two times or runs."""

from typing import Any
from uuid import UUID


def own(*columns: tuple[str, str, str | None], sql: str = "q") -> dict[str, Any]:
    """Lineal's own facet: columns with status and reason."""
    told = [{"name": name, "status": status, "reason": reason} for name, status, reason in columns]
    lost = any(status == "unresolved" for _, status, _ in columns)
    status = "partial" if lost else "resolved"
    facet = {"modelId": "m", "status": status, "columns": told, "gaps": [], "relations": [], "sqlHash": sql}
    return {"lineal_lineage": facet}


async def test_unresolved_columns_with_reasons(client: Any) -> None:
    table = client.dataset
    await client.run(
        "a", 1, outputs=[table("t1", "x y", facets=own(("x", "unresolved", "parser_error"), ("y", "constant", None)))]
    )
    await client.run("b", 2, at=1, outputs=[table("t2", "p q", lineage={"p": ["s.p"]})])
    await client.run("c", 3, at=2, outputs=[table("t3", "z")])
    odd = [("u", "unresolved", "of_tomorrow"), ("v", "unresolved", "parser_error")]
    await client.run("d", 4, at=3, outputs=[table("t4", "u v", facets=own(*odd), namespace="else")])
    found = await client.get("/api/v2/unresolved")
    assert [(one["reason"], one["count"]) for one in found["reasons"]] == [
        ("parser_error", 2), ("not_reported", 1), ("of_tomorrow", 1),
    ]  # fmt: skip
    assert {one["reason"]: one["sentence"] for one in found["reasons"]} == {
        "parser_error": "The SQL can't be parsed.",
        "not_reported": "The job says where other columns come from, but nothing of this one.",
        "of_tomorrow": "The producer gave the reason 'of_tomorrow'.",
    }
    assert (found["total"], found["silent"], found["capped"], found["next"]) == (4, 1, False, None)
    listed = {f"{one['name']}.{one['field']}": (one["reason"], one["job"]["name"]) for one in found["columns"]}
    assert listed == {
        "t1.x": ("parser_error", "a"), "t2.q": ("not_reported", "b"), "t4.u": ("of_tomorrow", "d"),
        "t4.v": ("parser_error", "d"),
    }  # fmt: skip
    parsed = await client.get("/api/v2/unresolved", reason="parser_error")
    assert {one["field"] for one in parsed["columns"]} == {"x", "v"}
    of_space = await client.get("/api/v2/unresolved", namespace="else")
    assert ({one["field"] for one in of_space["columns"]}, of_space["total"]) == ({"u", "v"}, 2)
    of_table = await client.get("/api/v2/unresolved", namespace="data", name="t2")
    assert ([one["field"] for one in of_table["columns"]], of_table["total"], of_table["silent"]) == (["q"], 1, 0)
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = await client.get("/api/v2/unresolved", limit=1, cursor=cursor)
        seen += [f"{one['name']}.{one['field']}" for one in page["columns"]]
        cursor = page["next"]
    assert sorted(seen) == sorted(listed)
    await client.get("/api/v2/unresolved", status=404, namespace="data", name="none")
    await client.get("/api/v2/unresolved", status=400, name="t1")
    await client.get("/api/v2/unresolved", status=400, cursor="WyJ4Il0")


async def test_columns_that_no_reading_reports_are_listed_and_counted(client: Any) -> None:
    table = client.dataset
    # the schema comes by another event than the reading; one job traces what another leaves out
    await client.run("a", 1, event="START", outputs=[table("t", "x y")])
    await client.run("a", 1, at=1, outputs=[table("t", lineage={"x": ["s.x"]})])
    await client.run("b", 2, at=2, outputs=[table("u", "p q r", lineage={"p": ["s.p"]})])
    await client.run("c", 3, at=3, outputs=[table("u", "p q r", lineage={"q": ["s.q"]})])
    await client.run("d", 4, at=4, inputs=[table("read", "z")], outputs=[table("v", lineage={"w": []})])
    found = await client.get("/api/v2/unresolved")
    listed = {f"{one['name']}.{one['field']}": (one["reason"], one["job"]["name"]) for one in found["columns"]}
    assert listed == {"t.y": ("not_reported", "a"), "u.r": ("not_reported", "c")}
    assert ([(one["reason"], one["count"]) for one in found["reasons"]], found["total"]) == ([("not_reported", 2)], 2)
    for name, fields in (("t", ["y"]), ("u", ["r"]), ("v", [])):
        one = await client.get("/api/v2/unresolved", namespace="data", name=name)
        assert ([column["field"] for column in one["columns"]], one["total"]) == (fields, len(fields))
    assert (await client.get("/api/v2/unresolved", reason="parser_error"))["columns"] == []
    graph = await client.get("/api/v2/lineage", namespace="data", name="u", direction="upstream")
    assert {column["name"]: column["status"] for column in graph["datasets"][0]["columns"]} == {
        "p": "traced", "q": "traced", "r": "unresolved",
    }  # fmt: skip
    summary = await client.get("/api/v2/summary")
    assert summary["columns"] == {"traced": 3, "constant": 1, "unresolved": 2, "total": 6}


async def test_the_last_known_edges_are_told_beside_what_is_unresolved(client: Any) -> None:
    table = client.dataset
    good = table("t", "x", lineage={"x": ["s.x"]}, facets=own(("x", "traced", None), sql="1"))
    lost = own(("x", "unresolved", "dynamic_sql"), sql="2")
    lost["lineal_lineage"]["status"] = "unresolved"
    await client.run("a", 1, outputs=[good])
    await client.run("a", 2, at=1, outputs=[table("t", "x", facets=lost)])
    (column,) = (await client.get("/api/v2/unresolved"))["columns"]
    assert (column["field"], column["lastKnown"], column["since"]) == ("x", True, "2026-03-02T12:00:01Z")


async def drift(client: Any, name: str, **query: Any) -> Any:
    return await client.get("/api/v2/drift", namespace="data", name=name, **query)


async def test_how_a_schema_changed(client: Any) -> None:
    def typed(*fields: tuple[str, str]) -> dict[str, Any]:
        schema = {"schema": {"fields": [{"name": name, "type": kind} for name, kind in fields]}}
        return client.dataset("t", facets=schema)  # type: ignore[no-any-return]

    schemas = [
        typed(("a", "INT"), ("b", "INT")), typed(("a", "INT"), ("b", "INT")), typed(("b", "TEXT"), ("c", "INT")),
        typed(("c", "INT"), ("b", "TEXT")),
    ]  # fmt: skip
    for number, schema in enumerate(schemas):
        await client.run("load", number + 1, at=number, outputs=[schema])
    dropped = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    await client.run("clean", 8, at=8, outputs=[client.dataset("t", facets=dropped)])
    versions = (await drift(client, "t"))["versions"]
    told = [(one["came"], one["went"], one["retyped"], one["moved"], one["first"]) for one in versions]
    a, b, c = {"name": "a", "type": "INT"}, {"name": "b", "type": "INT"}, {"name": "c", "type": "INT"}
    text = {"name": "b", "type": "TEXT"}
    assert told == [
        ([], [c, text], [], False, False),
        ([], [], [], True, False),
        ([c], [a], [{"name": "b", "from": "INT", "to": "TEXT"}], False, False),
        ([a, b], [], [], False, True),
    ]
    assert [(one["since"][17:19], one["until"] and one["until"][17:19]) for one in versions] == [
        ("08", None), ("03", "08"), ("02", "03"), ("00", "02"),
    ]  # fmt: skip
    assert [one["lifecycle"] for one in versions] == ["DROP", None, None, None]
    assert (versions[1]["run"]["runId"], versions[1]["job"]["name"], versions[1]["columns"]) == (
        str(UUID(int=4)),
        "load",
        2,
    )
    pages: list[Any] = []
    cursor = ""
    while cursor is not None:
        page = await drift(client, "t", limit=1, cursor=cursor)
        pages += page["versions"]
        cursor = page["next"]
    assert pages == versions
    await client.get("/api/v2/drift", status=404, namespace="data", name="none")
    assert (await drift(client, "t", limit=2))["versions"] == versions[:2]


async def test_what_changed_between_two_times(client: Any) -> None:
    table = client.dataset
    await client.run(
        "sum",
        1,
        inputs=[table("orders", "a b")],
        outputs=[table("t", "x gone", lineage={"x": ["orders.a"], "gone": ["orders.b"]})],
    )
    await client.run("sum", 2, at=60, inputs=[table("orders"), table("rates", "r")],
        outputs=[table("t", "x new", lineage={"x": ["orders.a", "rates.r"], "new": ["orders.b"]})])  # fmt: skip
    asked = {"namespace": "data", "name": "t", "from": "2026-03-02T12:00:30Z"}
    found = await client.get("/api/v2/diff", **asked, to="2026-03-02T12:02:00Z")

    def names(kind: str) -> list[tuple[str, str]]:
        return [
            (f"{one['source']['name']}.{one['source']['field']}", f"{one['target']['name']}.{one['target']['field']}")
            for one in found["columnEdges"][kind]
        ]

    assert [one["field"] for one in found["columns"]["came"]] == ["new"]
    assert [one["field"] for one in found["columns"]["went"]] == ["gone"]
    assert names("came") == [("orders.b", "t.new"), ("rates.r", "t.x")]
    assert names("went") == [("orders.b", "t.gone")]
    assert [one["source"]["name"] for one in found["tableEdges"]["came"]] == ["rates"]
    assert (found["same"], found["cut"], found["from"]["at"]) == (False, None, "2026-03-02T12:00:30Z")
    column = await client.get("/api/v2/diff", **asked, field="x")
    assert ([one["source"]["field"] for one in column["columnEdges"]["came"]], column["columns"]["went"]) == (["r"], [])
    same = await client.get("/api/v2/diff", **{**asked, "from": "2026-03-02T12:01:30Z"})
    assert (same["same"], same["columns"]) == (True, {"came": [], "went": [], "changed": []})
    await client.get("/api/v2/diff", status=400, namespace="data", name="t")
    await client.get("/api/v2/diff", status=400, fromRun="x")


async def test_what_changed_between_two_runs(client: Any) -> None:
    schema = {"schema": {"fields": [{"name": "x", "type": "BIGINT"}]}}
    table = client.dataset
    await client.run("sum", 1, inputs=[table("orders")], outputs=[table("t", "x", lineage={"x": ["orders.a"]})])
    edge = {"fields": {"x": {"inputFields": [{"namespace": "data", "name": "orders", "field": "a",
        "transformations": [{"type": "DIRECT", "subtype": "AGGREGATION"}]}]}}}  # fmt: skip
    await client.run("sum", 2, at=60, outputs=[table("t", facets={**schema, "columnLineage": edge})])
    found = await client.get("/api/v2/diff", fromRun=str(UUID(int=1)), toRun=str(UUID(int=2)))
    (column,) = found["columns"]["changed"]
    assert (column["field"], column["from"]["type"], column["to"]["type"]) == ("x", "INT", "BIGINT")
    (changed,) = found["columnEdges"]["changed"]
    assert [kind["subtype"] for kind in changed["to"]["kinds"]] == ["AGGREGATION"]
    assert [one["source"]["name"] for one in found["tableEdges"]["went"]] == ["orders"]
    assert (found["target"], found["to"]["run"]["state"]) == (None, "COMPLETED")
    await client.get("/api/v2/diff", status=404, fromRun=str(UUID(int=1)), toRun="none")


async def test_a_renamed_target_is_compared_with_what_it_was(client: Any) -> None:
    table = client.dataset
    await client.run("sum", 1, inputs=[table("orders")], outputs=[table("old", "x", lineage={"x": ["orders.a"]})])
    renamed = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "data", "name": "old"}}
    await client.run("move", 2, at=60, outputs=[table("new", facets={"lifecycleStateChange": renamed})])
    found = await client.get("/api/v2/diff", **{"namespace": "data", "name": "new", "from": "2026-03-02T12:00:30Z"})
    assert found["target"]["name"] == "new"
    assert (found["columns"], found["columnEdges"]) == ({"came": [], "went": [], "changed": []},) * 2
