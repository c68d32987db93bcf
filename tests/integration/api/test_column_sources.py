"""A table that only columnLineage names, and no input: it is a source in every answer about tables, now and then."""

from datetime import timedelta
from typing import Any

import pytest

from .conftest import NOON, PRODUCER, Client, dataset, stamp
from .test_aliases import declare, links
from .test_renames import renamed
from .test_v2_impact import rows_of
from .test_v2_lineage import tables

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
WAY = {("src", "load", "mart"), ("mart", "draw", "chart")}


def at(seconds: float) -> str:
    """A time, so many seconds after noon."""
    return (NOON + timedelta(seconds=seconds)).isoformat()


async def declare_job(
    client: Client, job: str, outputs: list[dict[str, Any]], inputs: list[dict[str, Any]], *, second: float = 0
) -> None:
    """Send a static event of a job."""
    await client.post(
        {
            "eventTime": at(second),
            "job": {"namespace": "jobs", "name": job},
            "inputs": inputs,
            "outputs": outputs,
            "producer": PRODUCER,
            "schemaURL": f"{CORE}JobEvent",
        }
    )


def made(name: str, *sources: str) -> dict[str, Any]:
    """A dataset whose column x is made of a column x of each source."""
    return dataset(name, "x", lineage={"x": [f"{source}.x" for source in sources]})


async def around(client: Client, name: str, **query: Any) -> set[tuple[Any, ...]]:
    """What the graph of 9 steps around a dataset makes of what; the same if it is asked for without columns."""
    ask = {"namespace": "data", "name": name, "depth": 9, **query}
    found = tables(await client.get("/api/v2/lineage", **ask))
    assert tables(await client.get("/api/v2/lineage", columns="none", **ask)) == found
    return {edge for edge in found if edge[0] is not None}


async def both(client: Client, name: str, now: float) -> set[tuple[Any, ...]]:
    """As `around`, of now and, which must be the same, as of `now`."""
    found = await around(client, name)
    assert await around(client, name, asOf=at(now)) == found
    return found


async def nodes(client: Client, node: str, **query: Any) -> set[tuple[str, str]]:
    """The edges of v1's graph around a node."""
    graph = (await client.get("/api/v1/lineage", nodeId=node, **query))["graph"]
    edges = {(edge["origin"], edge["destination"]) for one in graph for edge in one["inEdges"] + one["outEdges"]}
    return {(one.split(":")[-1], other.split(":")[-1]) for one, other in edges}


async def tell_way(client: Client) -> None:
    """src -> mart -> chart, of which no run names an input."""
    await client.run("load", 1, outputs=[made("mart", "src")])
    await client.run("draw", 2, at=10, outputs=[made("chart", "mart")])


async def test_every_question_goes_over_it(client: Client) -> None:
    await tell_way(client)
    for name in ("src", "mart", "chart"):
        assert await both(client, name, 20) == WAY
    ask = {"namespace": "data", "depth": 9}
    assert tables(await client.get("/api/v2/upstream", name="chart", **ask)) == WAY
    assert tables(await client.get("/api/v2/downstream", name="src", **ask)) == WAY
    job = {"namespace": "jobs", "name": "load", "type": "job"}
    assert tables(await client.get("/api/v2/lineage", depth=1, **job)) == {("src", "load", "mart")}
    for query in ({}, {"asOf": at(20)}):
        hit = await client.get("/api/v2/impact", namespace="data", name="src", **query)
        assert {one["name"] for one in hit["datasets"]} == {"mart", "chart"}
        assert {one["name"] for one in hit["jobs"]} == {"load", "draw"}
        ends = {"fromNamespace": "data", "fromName": "src", "toNamespace": "data", "toName": "chart"}
        path = await client.get("/api/v2/path", **ends, **query)
        assert [one["length"] for one in path["paths"]] == [2]
        assert await nodes(client, "dataset:data:src", **query) == {
            ("src", "load"), ("load", "mart"), ("mart", "draw"), ("draw", "chart"),
        }  # fmt: skip
        assert ("src", "load") in await nodes(client, "job:jobs:load", depth=0, **query)
    assert await nodes(client, "job:jobs:load", latestRun="true") == await nodes(client, "job:jobs:load")
    job = await client.get("/api/v1/namespaces/jobs/jobs/load")
    assert [one["name"] for one in job["inputs"]] == ["src"]
    told = await client.http.get("/api/v2/export", params={"name": "src", "format": "mermaid", **ask})
    assert all(f'["{name}"]' in told.text for name in ("src", "mart", "chart"))


async def test_it_ends_with_the_run_that_no_longer_has_it_and_stays_in_the_past(client: Client) -> None:
    await client.run("load", 1, outputs=[made("mart", "old", "src")])
    await client.run("load", 2, at=10, outputs=[made("mart", "src")])
    assert await both(client, "mart", 20) == {("src", "load", "mart")}
    assert await around(client, "old", asOf=at(5)) == {("old", "load", "mart")}
    assert await both(client, "old", 20) == set()
    await client.run("load", 3, at=20, event="FAIL", outputs=[made("mart", "other")])
    await client.run("load", 4, at=30, outputs=[dataset("mart", "x")])  # tells no columns: those that were known stay
    assert await both(client, "mart", 40) == {("src", "load", "mart")}
    differ = {"from": at(5), "to": at(40), "namespace": "data", "name": "mart"}
    found = await client.get("/api/v2/diff", **differ)
    assert [edge["source"]["name"] for edge in found["tableEdges"]["went"]] == ["old"]
    assert found["tableEdges"]["came"] == []


async def test_beside_inputs_and_of_what_decides_rows_and_of_the_table_itself(client: Client) -> None:
    rows = dataset("mart", "x", facets={"columnLineage": {"fields": {}, **rows_of("filter", "f")}})
    await client.run("load", 1, inputs=[dataset("src")], outputs=[rows])
    assert await both(client, "mart", 10) == {("src", "load", "mart"), ("filter", "load", "mart")}
    assert await both(client, "filter", 10) == {("filter", "load", "mart")}
    await client.run("grow", 2, at=10, outputs=[made("log", "log", "src")])
    assert await both(client, "log", 20) == {("log", "grow", "log"), ("src", "grow", "log")}
    await client.run("wait", 3, at=20, event="START", outputs=[made("open", "src")])
    assert ("src", "wait", "open") in await around(client, "src")


async def test_jobs_and_datasets_that_declare_it(client: Client) -> None:
    await declare_job(client, "load", [made("mart", "src")], [dataset("named")])
    await declare(client, "view", made("view", "mart")["facets"], 10)
    assert await both(client, "src", 20) == {("src", "load", "mart"), ("mart", None, "view")}
    assert await both(client, "view", 20) == {
        ("src", "load", "mart"), ("named", "load", "mart"), ("mart", None, "view"),
    }  # fmt: skip
    for query in ({}, {"asOf": at(20)}):
        hit = await client.get("/api/v2/impact", namespace="data", name="src", **query)
        assert {one["name"] for one in hit["datasets"]} == {"mart", "view"}
    await declare(client, "view", made("view", "other")["facets"], 30)
    await declare_job(client, "load", [made("mart", "next")], [], second=30)
    assert await both(client, "mart", 40) == {("next", "load", "mart"), ("named", "load", "mart")}
    assert await both(client, "view", 40) == {("other", None, "view")}
    assert await around(client, "mart", asOf=at(20)) == {
        ("src", "load", "mart"), ("named", "load", "mart"), ("mart", None, "view"),
    }  # fmt: skip
    await client.run("build", 1, at=50, outputs=[dataset("view", "x")])
    assert await both(client, "other", 60) == set()


async def test_where_lineage_is_told_outright_that_counts(client: Client) -> None:
    def told(source: str) -> dict[str, Any]:
        return {"lineage": {"inputs": [{"type": "DATASET", "namespace": "data", "name": source}]}}

    out = made("mart", "columns")
    out["facets"] |= stamp(told("told"))
    await client.run("load", 1, outputs=[out])
    assert await both(client, "mart", 10) == {("told", "load", "mart")}
    await client.run("load", 2, at=10, outputs=[made("mart", "columns")])
    assert await both(client, "mart", 20) == {("columns", "load", "mart")}
    view = made("view", "columns")["facets"] | stamp(told("told"))
    await declare(client, "view", view, 30)
    assert await both(client, "view", 40) == {("told", None, "view")}
    await declare(client, "view", stamp({"lineage": {"_deleted": True}}), 50)
    assert ("told", None, "view") not in await both(client, "view", 55)


async def test_by_every_name_and_until_it_is_dropped(client: Client) -> None:
    await tell_way(client)
    await declare(client, "src", stamp(links("shop.src")), 15)
    await client.run("copy", 3, at=20, outputs=[dataset("copied", "x", lineage={"x": ["shop.src.x"]},
        namespace="hive://metastore:9083")])  # fmt: skip
    copied = {*WAY, ("src", "copy", "copied")}
    assert await both(client, "src", 30) == copied
    assert await around(client, "shop.src", namespace="hive://metastore:9083") == copied
    await client.run("move", 4, at=40, outputs=[renamed("market", "mart")])
    now = {("src", "load", "market"), ("market", "draw", "chart"), ("src", "copy", "copied")}
    assert await both(client, "src", 50) == now
    assert await around(client, "src", asOf=at(30)) == copied
    gone = dataset("market", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("drop", 5, at=60, outputs=[gone])
    assert await both(client, "src", 70) == {("src", "copy", "copied")}


@pytest.mark.parametrize("turned", [False, True])
async def test_whenever_the_newest_reading_comes(client: Client, turned: bool) -> None:
    told = [(1, 0, "old"), (2, 10, "src")]
    for run, second, source in told[::-1] if turned else told:
        await client.run("load", run, at=second, outputs=[made("mart", source)])
    assert await both(client, "mart", 20) == {("src", "load", "mart")}
    assert await around(client, "mart", asOf=at(5)) == {("old", "load", "mart")}


async def test_what_was_left_under_a_new_name_is_found_from_what_only_its_columns_name(client: Client) -> None:
    await declare(client, "a", dataset("a", "x")["facets"])
    await client.run("build", 1, at=10, outputs=[made("t_new", "a")])
    await client.run("swap", 12, at=12, outputs=[renamed("t", "t_new")])
    await client.run("build", 2, at=20, outputs=[made("t_new", "b")])
    assert await both(client, "a", 30) == {("a", "build", "t")}
    assert await both(client, "t", 30) == {("a", "build", "t")}
    assert await both(client, "b", 30) == {("b", "build", "t_new")}
    hit = await client.get("/api/v2/impact", namespace="data", name="a")
    assert {one["name"] for one in hit["datasets"]} == {"t"}
    column = await client.get("/api/v2/downstream", namespace="data", name="a", field="x", depth=5)
    assert tables(column) == {("a", "build", "t")}
