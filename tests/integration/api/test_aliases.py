"""Datasets under several names: whichever is asked for or written, it is one dataset, also when that is told late."""

from typing import Any

from .conftest import NOON, Client, dataset, path, stamp

HIVE = "hive://metastore:9083"


def links(*names: str, namespace: str = HIVE) -> dict[str, Any]:
    """The facet that says what else a dataset is called."""
    return {"symlinks": {"identifiers": [{"namespace": namespace, "name": name, "type": "TABLE"} for name in names]}}


async def declare(client: Client, name: str, facets: dict[str, Any], at: float = 0, namespace: str = "data") -> None:
    """Send a static event of a dataset."""
    await client.post(
        {
            "eventTime": NOON.replace(second=int(at)).isoformat(),
            "dataset": {"namespace": namespace, "name": name, "facets": stamp(facets)},
            "producer": "https://example.com/tests",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        }
    )


async def graph(client: Client, node: str, **query: Any) -> dict[str, list[str]]:
    """By node, where its edges lead."""
    found = await client.get("/api/v1/lineage", nodeId=node, **query)
    return {node["id"]: [edge["destination"] for edge in node["outEdges"]] for node in found["graph"]}


async def columns(client: Client, node: str) -> dict[str, list[str]]:
    """By column, the columns that it is made from."""
    found = await client.get("/api/v1/column-lineage", nodeId=node, withDownstream="true")
    return {
        node["id"]: [
            f"{source['namespace']}:{source['dataset']}:{source['field']}" for source in node["data"]["inputFields"]
        ]
        for node in found["graph"]
    }


async def names(client: Client, namespace: str) -> tuple[list[str], int]:
    """What a namespace lists, and how many it says there are."""
    found = await client.get(path("namespaces", namespace, "datasets"))
    return [row["name"] for row in found["datasets"]], found["totalCount"]


async def test_a_dataset_is_found_by_its_other_name(client: Client) -> None:
    await client.run("load", 1, outputs=[dataset("/lake/t", "a b", facets=links("db.t"))])
    by_name = await client.get(path("namespaces", "data", "datasets", "/lake/t"))
    by_alias = await client.get(path("namespaces", HIVE, "datasets", "db.t"))
    assert by_alias == by_name
    assert (by_name["name"], [field["name"] for field in by_name["fields"]]) == ("/lake/t", ["a", "b"])
    versions = await client.get(path("namespaces", HIVE, "datasets", "db.t", "versions"))
    assert versions["totalCount"] == 1
    assert versions["versions"][0]["version"] == by_name["currentVersion"]


async def test_a_name_that_only_an_alias_mentions_makes_a_namespace_and_no_dataset(client: Client) -> None:
    await client.run("load", 1, outputs=[dataset("/lake/t", "a", facets=links("db.t"))])
    listed = await client.get("/api/v1/namespaces")
    assert [row["name"] for row in listed["namespaces"]] == ["data", "default", HIVE, "jobs"]
    assert await names(client, "data") == (["/lake/t"], 1)
    assert await names(client, HIVE) == ([], 0)
    assert (await client.get(path("namespaces", HIVE)))["createdAt"] == "1970-01-01T00:00:00Z"


async def test_a_symlink_that_comes_late_joins_what_was_there(client: Client) -> None:
    await client.run("writer", 1, at=1, outputs=[dataset("db.t", "a", namespace=HIVE)])
    await client.run("reader", 2, at=2, inputs=[dataset("/lake/t")], outputs=[dataset("out")])
    assert await names(client, HIVE) == (["db.t"], 1)
    await declare(client, "/lake/t", links("db.t"), at=3)
    expected = {
        "dataset:data:/lake/t": ["job:jobs:reader"],
        "dataset:data:out": [],
        "job:jobs:writer": ["dataset:data:/lake/t"],
        "job:jobs:reader": ["dataset:data:out"],
    }
    for node in ("dataset:data:/lake/t", f"dataset:{HIVE}:db.t", "job:jobs:writer", "dataset:data:out"):
        assert await graph(client, node) == expected
    assert await names(client, HIVE) == ([], 0)
    assert await names(client, "data") == (["/lake/t", "out"], 2)
    found = await client.get(path("namespaces", "data", "datasets", "/lake/t"))
    assert [field["name"] for field in found["fields"]] == ["a"]
    assert found["currentVersion"] is not None
    job = await client.get(path("namespaces", "jobs", "jobs", "writer"))
    assert [output["name"] for output in job["outputs"]] == ["/lake/t"]


async def test_columns_are_followed_through_other_names_both_ways(client: Client) -> None:
    made = dataset("db.t", "a", namespace=HIVE, lineage={"a": ["raw.x"]})
    await client.run("writer", 1, at=1, outputs=[made])
    await client.run(
        "reader", 2, at=2, inputs=[dataset("/lake/t")], outputs=[dataset("out", "b", lineage={"b": ["/lake/t.a"]})]
    )
    await declare(client, "/lake/t", links("db.t"), at=3)
    expected = {
        f"datasetField:{HIVE}:raw:x": [],
        "datasetField:data:/lake/t:a": [f"{HIVE}:raw:x"],
        "datasetField:data:out:b": ["data:/lake/t:a"],
    }
    for node in (f"datasetField:{HIVE}:db.t:a", "datasetField:data:out:b", f"datasetField:{HIVE}:raw:x"):
        assert await columns(client, node) == expected
    found = await client.get(path("namespaces", "data", "datasets", "out"))
    assert found["columnLineage"][0]["inputFields"][0]["dataset"] == "/lake/t"
    listed = await client.get(path("namespaces", "data", "datasets"))
    assert [row["name"] for row in listed["datasets"]] == ["/lake/t", "out"]


async def test_of_one_job_the_newest_write_under_any_name_is_in_force(client: Client) -> None:
    await client.run(
        "load", 1, at=1, inputs=[dataset("old")], outputs=[dataset("db.t", "a", namespace=HIVE, lineage={"a": ["o.x"]})]
    )
    made = dataset("/lake/t", "a c", lineage={"a": ["n.x"]}, facets=links("db.t"))
    await client.run("load", 2, at=2, inputs=[dataset("new")], outputs=[made])
    assert await graph(client, "dataset:data:/lake/t") == {
        "dataset:data:n": ["job:jobs:load"],
        "dataset:data:new": ["job:jobs:load"],
        "dataset:data:/lake/t": [],
        "job:jobs:load": ["dataset:data:/lake/t"],
    }
    assert (await columns(client, "datasetField:data:/lake/t:a"))["datasetField:data:/lake/t:a"] == ["data:n:x"]
    assert "job:jobs:load" not in await graph(client, "dataset:data:old")
    found = await client.get(path("namespaces", "data", "datasets", "/lake/t"))
    assert [field["name"] for field in found["fields"]] == ["a", "c"]
    versions = await client.get(path("namespaces", "data", "datasets", "/lake/t", "versions"))
    assert (versions["totalCount"], len(versions["versions"])) == (2, 2)


async def test_a_drop_under_one_name_ends_what_was_written_under_another(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("in")], outputs=[dataset("/lake/t", "a", facets=links("db.t"))])
    dropped = dataset("db.t", namespace=HIVE, facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("drop", 2, at=2, outputs=[dropped])
    found = await client.get(path("namespaces", "data", "datasets", "/lake/t"))
    assert (found["deleted"], found["lastLifecycleState"], found["fields"]) == (True, "DROP", [])
    assert "job:jobs:load" not in await graph(client, "dataset:data:/lake/t")
    await client.run("load", 3, at=3, inputs=[dataset("in")], outputs=[dataset("/lake/t", "b")])
    found = await client.get(path("namespaces", HIVE, "datasets", "db.t"))
    assert (found["deleted"], [field["name"] for field in found["fields"]]) == (False, ["b"])
    assert "job:jobs:load" in await graph(client, "dataset:data:/lake/t")


async def test_the_newest_claim_has_the_name_and_a_deleted_facet_gives_it_back(client: Client) -> None:
    for at, name in ((1, "one"), (2, "two")):
        await client.run("load", at, at=at, outputs=[dataset(name, name, facets=links("t"))])
    assert (await client.get(path("namespaces", HIVE, "datasets", "t")))["name"] == "two"
    await declare(client, "two", {"symlinks": {"_deleted": True}}, at=3)
    assert (await client.get(path("namespaces", HIVE, "datasets", "t")))["name"] == "one"
    await declare(client, "one", {"symlinks": {"_deleted": True}}, at=4)
    await client.get(path("namespaces", HIVE, "datasets", "t"), status=404)
    await client.run("load", 9, at=9, outputs=[dataset("one", facets=links("t"))])
    assert (await client.get(path("namespaces", HIVE, "datasets", "t")))["name"] == "one"


async def test_what_a_failed_run_says_of_names_does_not_count(client: Client) -> None:
    await client.run("load", 1, event="START", at=1, outputs=[dataset("one", "a", facets=links("t"))])
    assert (await client.get(path("namespaces", HIVE, "datasets", "t")))["name"] == "one"
    await client.run("load", 1, event="FAIL", at=2)
    await client.get(path("namespaces", HIVE, "datasets", "t"), status=404)


async def test_chains_end_at_the_last_name_and_circles_at_one_of_theirs(client: Client) -> None:
    await declare(client, "b", links("a", namespace="data"), at=1)
    await declare(client, "c", links("b", namespace="data"), at=2)
    for name in "abc":
        assert (await client.get(path("namespaces", "data", "datasets", name)))["name"] == "c"
    assert await names(client, "data") == (["c"], 1)
    await declare(client, "a", links("c", "a", namespace="data"), at=3)
    roots = {(await client.get(path("namespaces", "data", "datasets", name)))["name"] for name in "abc"}
    assert len(roots) == 1
    assert await names(client, "data") == (sorted(roots), 1)
    await declare(client, "c", {"symlinks": {"_deleted": True}}, at=4)
    assert [(await client.get(path("namespaces", "data", "datasets", name)))["name"] for name in "abc"] == [
        "b",
        "b",
        "b",
    ]


async def test_search_finds_a_dataset_once_by_any_of_its_names(client: Client) -> None:
    await client.run("load", 1, outputs=[dataset("/lake/orders", "a", facets=links("db.orders"))])
    for text in ("db.orders", "/lake", "orders"):
        found = await client.get("/api/v1/search", q=text)
        assert [(row["namespace"], row["name"]) for row in found["results"]] == [("data", "/lake/orders")]
        assert found["totalCount"] == 1
