"""RENAME in /api/v2: what was swapped in, or out, is found by every question, though its name was written again."""

from typing import Any

import pytest

from .conftest import Client, dataset
from .test_renames import renamed


@pytest.fixture
async def swapped(client: Client) -> Client:
    """t holds what was built aside of `a`, and t_new, its name until then, what is built of `b`."""
    for day, source in enumerate("ab", start=1):
        made = [dataset("t_new", lineage={source: [f"{source}.x"]})]
        await client.run("build", day, at=10 * day, inputs=[dataset(source, "x")], outputs=made)
        if day == 1:
            await client.run("swap", 12, at=12, outputs=[renamed("t", "t_new")])
    return client


async def ask(client: Client, what: str, name: str, field: str | None = None, **query: Any) -> Any:
    """An answer about a dataset or column."""
    column = {} if field is None else {"field": field}
    return await client.get(f"/api/v2/{what}", namespace="data", name=name, **column, **query)


def called(graph: Any) -> dict[str, str]:
    """By id: the names of datasets and jobs."""
    return {one["id"]: one["name"] for one in graph["datasets"] + graph["jobs"]}


def edges(graph: Any) -> list[str]:
    """The column edges, by name."""
    names = called(graph)
    return sorted(
        f"{names[edge['source']['dataset']]}.{edge['source']['field']}>"
        f"{names[edge['target']['dataset']]}.{edge['target']['field']}"
        for edge in graph["columnEdges"]
    )


def uses(graph: Any) -> list[str]:
    """The table edges, by name."""
    names = called(graph)
    return sorted(
        f"{names.get(use['source'], '-')}>{names[use['job']]}>{names[use['target']]}" for use in graph["tableEdges"]
    )


def statuses(graph: Any) -> dict[str, tuple[str, str | None]]:
    """What is known of each column."""
    return {
        f"{one['name']}.{column['name']}": (column["status"], column["reason"])
        for one in graph["datasets"]
        for column in one["columns"]
    }


async def test_the_graph_around_each_name(swapped: Client) -> None:
    for name, source in (("t", "a"), ("a", "a"), ("t_new", "b"), ("b", "b")):
        graph = await ask(swapped, "lineage", name, depth=3)
        made = "t" if source == "a" else "t_new"
        assert edges(graph) == [f"{source}.x>{made}.{source}"], name
        assert uses(graph) == [*(["->swap>t"] if name == "t" else []), f"{source}>build>{made}"], name
        assert statuses(graph) == {f"{source}.x": ("source", None), f"{made}.{source}": ("traced", None)}, name


async def test_the_ways_of_a_column(swapped: Client) -> None:
    for name, field, source in (("t", "a", "a"), ("t_new", "b", "b")):
        up = await ask(swapped, "upstream", name, field, depth=3)
        assert edges(up) == [f"{source}.x>{name}.{field}"]
        down = await ask(swapped, "downstream", source, "x", depth=3)
        assert edges(down) == [f"{source}.x>{name}.{field}"]


async def test_what_the_job_made(swapped: Client) -> None:
    graph = await swapped.get("/api/v2/lineage", type="job", namespace="jobs", name="build", depth=1)
    assert uses(graph) == ["a>build>t", "b>build>t_new"]
    assert edges(graph) == ["a.x>t.a", "b.x>t_new.b"]


async def test_each_edge_has_its_evidence(swapped: Client) -> None:
    graph = await swapped.get("/api/v2/lineage", type="job", namespace="jobs", name="build", depth=1)
    runs = {one["id"]: one["run"]["runId"] for one in graph["transforms"]}
    names = called(graph)
    assert {names[edge["target"]["dataset"]]: runs[edge["transform"]] for edge in graph["columnEdges"]} == {
        "t": "00000000-0000-0000-0000-000000000001",
        "t_new": "00000000-0000-0000-0000-000000000002",
    }


async def test_a_column_that_only_the_build_names_is_found_by_the_name_that_it_has_now(swapped: Client) -> None:
    node = (await swapped.get("/api/v1/column-lineage", nodeId="datasetField:data:t:a"))["graph"]
    assert {one["id"]: one["data"]["status"] for one in node} == {
        "datasetField:data:a:x": None,
        "datasetField:data:t:a": "traced",
    }
    await swapped.get("/api/v1/column-lineage", 404, nodeId="datasetField:data:t:b")
    await swapped.get("/api/v1/column-lineage", 404, nodeId="datasetField:data:t_new:a")


async def test_impact(swapped: Client) -> None:
    impact = await ask(swapped, "impact", "a", "x")
    assert [(one["name"], one["field"]) for one in impact["columns"]] == [("t", "a")]
    assert [one["name"] for one in impact["jobs"]] == ["build"]


async def test_what_decides_the_rows(client: Client) -> None:
    for day, source in enumerate("ab", start=1):
        made = dataset("t_new", lineage={"n": [f"{source}.n"]})
        decides = {"namespace": "data", "name": source, "field": "at"}
        kind = {"type": "INDIRECT", "subtype": "FILTER"}
        made["facets"]["columnLineage"]["dataset"] = [{**decides, "transformations": [kind]}]
        await client.run("build", day, at=10 * day, inputs=[dataset(source, "at")], outputs=[made])
        if day == 1:
            await client.run("swap", 12, at=12, outputs=[renamed("t", "t_new")])
    for name, source in (("t", "a"), ("t_new", "b")):
        up = await ask(client, "upstream", name, "n", withRows="true")
        assert edges(up) == [f"{source}.at>{name}.None", f"{source}.n>{name}.n"]
        down = await ask(client, "impact", source, "at", withRows="true")
        assert [(one["name"], one["why"]) for one in down["datasets"]] == [(name, "rows")]


@pytest.mark.parametrize("again", [False, True])
async def test_what_was_traced_is_traced_under_the_new_name(client: Client, again: bool) -> None:
    made = dataset("old", "x y", lineage={"x": ["a.x"]})
    await client.run("load", 1, at=1, inputs=[dataset("a", "x")], outputs=[made])
    await client.run("mv", 2, at=2, outputs=[renamed("new", "old")])
    if again:
        await client.run("load", 3, at=3, inputs=[dataset("a", "x")], outputs=[dataset("old", "z")])
    graph = await ask(client, "lineage", "new", direction="upstream")
    assert statuses(graph) == {
        "a.x": ("source", None),
        "new.x": ("traced", None),
        "new.y": ("unresolved", "not_reported"),
    }


async def test_what_was_left_is_found_from_sources_that_no_run_names(client: Client) -> None:
    for day, source in enumerate("ab", start=1):
        await client.run("build", day, at=10 * day, outputs=[dataset("t_new", lineage={source: [f"{source}.x"]})])
        if day == 1:
            await client.run("swap", 12, at=12, outputs=[renamed("t", "t_new")])
    for source, made in (("a", "t"), ("b", "t_new")):
        down = await ask(client, "downstream", source, "x", depth=3)
        assert edges(down) == [f"{source}.x>{made}.{source}"]
        assert uses(await ask(client, "downstream", source, depth=3)) == [f"{source}>build>{made}"]
        column = f"datasetField:data:{source}:x"
        graph = await client.get("/api/v1/column-lineage", nodeId=column, withDownstream=True, depth=3)
        assert [node["id"] for node in graph["graph"]] == [column, f"datasetField:data:{made}:{source}"]
        broken = await ask(client, "impact", source, "x")
        assert [one["name"] for one in broken["datasets"]] == [made]


async def test_a_table_that_its_own_job_renames_keeps_its_columns_now_as_then(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("a")], outputs=[dataset("old", lineage={"x": ["a.x"]})])
    await client.run("load", 2, at=2, outputs=[renamed("new", "old")])
    for when in ({}, {"asOf": "2026-03-02T13:00:00Z"}):
        graph = await ask(client, "lineage", "new", **when)
        assert edges(graph) == ["a.x>new.x"]
        assert uses(graph) == ["a>load>new"]
        assert statuses(graph)["new.x"] == ("traced", None)


async def test_columns_from_before_a_rename_are_not_those_of_what_has_the_name_now(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("a")], outputs=[dataset("t", lineage={"x": ["a.x"]})])
    await client.run("mv", 2, at=2, outputs=[renamed("u", "t")])
    await client.run("load", 3, at=3, inputs=[dataset("b")], outputs=[dataset("t")])
    for when in ({}, {"asOf": "2026-03-02T13:00:00Z"}):
        assert edges(await ask(client, "lineage", "u", **when)) == ["a.x>u.x"]
        graph = await ask(client, "lineage", "t", **when)
        assert (edges(graph), uses(graph)) == ([], ["b>load>t"])
