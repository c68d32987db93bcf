"""Versions, runs and past lineage across RENAME and aliases: each under the names of its time."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from .conftest import NOON, Client, dataset, path
from .test_aliases import HIVE, declare, graph, links
from .test_renames import renamed


def at(seconds: float) -> str:
    """A time in the story."""
    return (NOON + timedelta(seconds=seconds)).isoformat()


async def versions(client: Client, name: str, **query: Any) -> tuple[list[int], int]:
    """The runs that wrote a dataset's versions, and how many versions it says there are."""
    found = await client.get(path("namespaces", "data", "datasets", name, "versions"), **query)
    return [UUID(row["createdByRun"]["id"]).int for row in found["versions"]], found["totalCount"]


async def upstream(client: Client, run: int) -> dict[int, dict[str, int | None]]:
    """By run: what it read, and the run that wrote that."""
    found = await client.get("/api/v1/runlineage/upstream", runId=str(UUID(int=run)))

    def number(text: str | None) -> int | None:
        return None if text is None else UUID(text).int

    return {
        UUID(row["run"]["id"]).int: {one["name"]: number(one["producedByRunId"]) for one in row["inputs"]}
        for row in found["runs"]
    }


async def story(client: Client) -> None:
    """old is written twice, renamed, and written again by another job, which fails once; new is written once more."""
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("old", "a", lineage={"a": ["raw.x"]})])
    await client.run("load", 2, at=2, inputs=[dataset("raw")], outputs=[dataset("old", "a", lineage={"a": ["raw.y"]})])
    await client.run("read", 3, at=3, inputs=[dataset("old")], outputs=[dataset("sum", "s", lineage={"s": ["old.a"]})])
    await client.run("mv", 4, at=4, outputs=[renamed("new", "old")])
    await client.run("read", 5, at=5, inputs=[dataset("new")], outputs=[dataset("sum", "s", lineage={"s": ["new.a"]})])
    await client.run("other", 6, at=6, inputs=[dataset("b")], outputs=[dataset("old", "z")])
    await client.run("other", 7, at=7, event="FAIL", outputs=[dataset("old", "z")])
    await client.run("add", 8, at=8, inputs=[dataset("c")], outputs=[dataset("new", "a")])


async def test_versions_of_a_renamed_dataset_are_those_of_both_names_in_their_times(client: Client) -> None:
    await story(client)
    assert await versions(client, "new") == ([8, 4, 2, 1], 4)
    assert [await versions(client, "new", limit=2, offset=skip) for skip in (0, 1, 3, 4)] == [
        ([8, 4], 4), ([4, 2], 4), ([1], 4), ([], 4),
    ]  # fmt: skip
    assert await versions(client, "old") == ([6, 2, 1], 3)
    route = path("namespaces", "data", "datasets", "new", "versions")
    for row in (await client.get(route))["versions"]:
        one = await client.get(f"{route}/{row['version']}")
        assert (one["version"], one["createdByRun"]["id"]) == (row["version"], row["createdByRun"]["id"])


async def test_versions_of_what_is_swapped_in_each_day(client: Client) -> None:
    for day in range(3):
        await client.run("build", 10 * day + 1, at=10 * day + 1, outputs=[dataset("t_new", "x")])
        await client.run("swap", 10 * day + 2, at=10 * day + 2, outputs=[renamed("t", "t_new")])
    await client.run("build", 31, at=31, outputs=[dataset("t_new", "x")])
    assert await versions(client, "t") == ([22, 21, 12, 11, 2, 1], 6)
    assert await versions(client, "t_new") == ([31, 21, 11, 1], 4)


async def test_renames_after_one_another_carry_the_versions_along(client: Client) -> None:
    await client.run("load", 1, at=1, outputs=[dataset("a", "x")])
    for step, (before, after) in enumerate([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")], start=2):
        await client.run("mv", step, at=step, outputs=[renamed(after, before)])
    await client.run("load", 9, at=9, outputs=[dataset("a", "x")])
    assert await versions(client, "d") == ([5, 4, 3, 2, 1], 5)


async def test_runs_upstream_are_found_across_a_rename(client: Client) -> None:
    await story(client)
    await client.run("read", 9, at=9, inputs=[dataset("new"), dataset("old")])
    assert await upstream(client, 3) == {3: {"old": 2}, 2: {"raw": None}}
    assert await upstream(client, 5) == {5: {"new": 4}, 4: {"old": 2}, 2: {"raw": None}}
    assert await upstream(client, 9) == {9: {"new": 8, "old": 6}, 8: {"c": None}, 6: {"b": None}}


async def test_a_static_rename_made_nothing_so_the_run_before_it_is_upstream(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("old", "a")])
    await declare(client, "new", renamed("new", "old")["facets"], at=2)
    await client.run("read", 3, at=3, inputs=[dataset("new")])
    assert await upstream(client, 3) == {3: {"new": 1}, 1: {"raw": None}}


async def test_what_a_run_read_under_a_name_that_stands_for_something_else_by_then(client: Client) -> None:
    await client.run("first", 1, at=1, outputs=[dataset("t", "x")])
    await client.run("build", 2, at=2, outputs=[dataset("t_new", "x")])
    await client.run("read", 3, at=3, inputs=[dataset("t")])
    await client.run("swap", 4, at=4, outputs=[renamed("t", "t_new")])
    await client.run("read", 5, at=5, inputs=[dataset("t")])
    await client.run("read", 6, at=6, inputs=[dataset("t_new")])  # which is no more
    assert await upstream(client, 3) == {3: {"t": 1}, 1: {}}
    assert await upstream(client, 5) == {5: {"t": 4}, 4: {"t_new": 2}, 2: {}}
    assert await upstream(client, 6) == {6: {"t_new": None}}


async def test_what_a_run_read_is_found_under_every_alias(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("/lake/t", "a", facets=links("db.t"))])
    await client.run("read", 2, at=2, inputs=[dataset("db.t", namespace=HIVE)])
    await client.run("load", 3, at=3, outputs=[dataset("db.t", "a", namespace=HIVE)])
    await client.run("read", 4, at=4, inputs=[dataset("/lake/t")])
    assert await upstream(client, 2) == {2: {"db.t": 1}, 1: {"raw": None}}
    assert await upstream(client, 4) == {4: {"/lake/t": 3}, 3: {}}
    run = await client.get(path("jobs", "runs", str(UUID(int=2))))
    written = await client.get(path("jobs", "runs", str(UUID(int=1))))
    read = run["inputDatasetVersions"][0]["datasetVersionId"]
    assert read["version"] == written["outputDatasetVersions"][0]["datasetVersionId"]["version"]


async def test_what_a_run_read_is_found_under_an_operators_alias_as_long_as_it_holds(client: Client) -> None:
    await client.run("load", 1, at=1, outputs=[dataset("T", "a")])
    await client.run("read", 2, at=2, inputs=[dataset("t")])
    assert await upstream(client, 2) == {2: {"t": None}}
    response = await client.http.post("/api/v2/alias", json={"kind": "dataset", "old": "data:t", "new": "data:T"})
    assert response.status_code == 201, response.text
    assert await upstream(client, 2) == {2: {"t": 1}, 1: {}}
    response = await client.http.delete("/api/v2/alias", params={"kind": "dataset", "old": "data:t"})
    assert response.status_code == 200, response.text
    assert await upstream(client, 2) == {2: {"t": None}}


async def test_a_version_that_a_run_names_is_found_under_the_name_of_before(client: Client) -> None:
    def named(name: str, version: str) -> dict[str, Any]:
        return dataset(name, facets={"version": {"datasetVersion": version}})

    await client.run("load", 1, at=1, outputs=[named("old", "v1")])
    await client.run("load", 2, at=2, outputs=[named("old", "v2")])
    await client.run("mv", 3, at=3, outputs=[renamed("new", "old")])
    await client.run("read", 4, at=4, inputs=[named("new", "v1")])
    assert (await upstream(client, 4))[4] == {"new": 1}


async def test_tables_of_a_time_have_the_names_of_that_time(client: Client) -> None:
    await story(client)
    then = {
        "dataset:data:raw": ["job:jobs:load"],
        "dataset:data:old": ["job:jobs:read"],
        "dataset:data:sum": [],
        "job:jobs:load": ["dataset:data:old"],
        "job:jobs:read": ["dataset:data:sum"],
    }
    for node in ("dataset:data:old", "dataset:data:new", "job:jobs:load"):
        assert await graph(client, node, asOf=at(3.5)) == then
    moved = {
        "dataset:data:raw": ["job:jobs:load"],
        "dataset:data:new": ["job:jobs:read"],
        "dataset:data:sum": [],
        "job:jobs:load": ["dataset:data:new"],
        "job:jobs:mv": ["dataset:data:new"],
        "job:jobs:read": ["dataset:data:sum"],
    }
    for node in ("dataset:data:old", "dataset:data:new", "job:jobs:load"):
        assert await graph(client, node, asOf=at(5.5)) == moved
    assert await graph(client, "dataset:data:old", asOf=at(6.5)) == {
        "dataset:data:b": ["job:jobs:other"],
        "dataset:data:old": [],
        "job:jobs:other": ["dataset:data:old"],
    }


async def test_columns_of_a_time_have_the_names_of_that_time(client: Client) -> None:
    await story(client)

    async def made(node: str, seconds: float) -> list[str]:
        found = await client.get("/api/v1/column-lineage", nodeId=node, asOf=at(seconds))
        return [
            f"{one['dataset']}.{one['field']}>{row['data']['dataset']}.{row['data']['field']}"
            for row in found["graph"]
            for one in row["data"]["inputFields"]
        ]

    assert await made("dataset:data:sum", 3.5) == ["raw.y>old.a", "old.a>sum.s"]
    assert await made("dataset:data:sum", 5.5) == ["raw.y>new.a", "new.a>sum.s"]
    assert await made("datasetField:data:new:a", 1.5) == ["raw.x>old.a"]
    assert await made("datasetField:data:old:a", 4.5) == ["raw.y>new.a"]


async def test_a_job_that_writes_the_old_name_again_still_made_what_was_renamed_then(client: Client) -> None:
    await client.run("build", 1, at=1, inputs=[dataset("a")], outputs=[dataset("t_new", "x")])
    await client.run("swap", 2, at=2, outputs=[renamed("t", "t_new")])
    await client.run("build", 3, at=3, inputs=[dataset("b")], outputs=[dataset("t_new", "x")])
    assert await graph(client, "dataset:data:t", asOf=at(3.5)) == {
        "dataset:data:a": ["job:jobs:build"],
        "dataset:data:b": ["job:jobs:build"],
        "dataset:data:t": [],
        "dataset:data:t_new": [],
        "job:jobs:build": ["dataset:data:t", "dataset:data:t_new"],
        "job:jobs:swap": ["dataset:data:t"],
    }


async def test_what_was_dropped_or_overwritten_under_its_new_name_is_not_in_force_then(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("old", "a")])
    await client.run("mv", 2, at=2, outputs=[renamed("new", "old")])
    drop = dataset("new", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("drop", 3, at=3, outputs=[drop])
    assert "job:jobs:load" in await graph(client, "dataset:data:new", asOf=at(2.5))
    assert await graph(client, "dataset:data:new", asOf=at(3.5)) == {"dataset:data:new": []}


async def test_a_version_of_before_the_rename_shows_what_it_was_made_from(client: Client) -> None:
    await story(client)
    rows = (await client.get(path("namespaces", "data", "datasets", "new", "versions")))["versions"]
    found = await client.get("/api/v1/column-lineage", nodeId=f"dataset:data:new#{rows[-1]['version']}")
    shown = [node["id"].partition("#")[0] for node in found["graph"]]
    assert shown == ["datasetField:data:old:a", "datasetField:data:raw:x"]
    assert found["graph"][0]["id"].endswith(f"#{rows[-1]['version']}")


async def test_the_newest_runs_alone_name_what_they_read_as_it_is_called_now(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("old", "a")])
    await client.run("read", 2, at=2, inputs=[dataset("old")])
    await client.run("mv", 3, at=3, outputs=[renamed("new", "old")])
    assert await graph(client, "dataset:data:new", latestRun="true") == {
        "dataset:data:raw": ["job:jobs:load"],
        "dataset:data:new": ["job:jobs:read"],
        "job:jobs:load": ["dataset:data:new"],
        "job:jobs:mv": ["dataset:data:new"],
        "job:jobs:read": [],
    }


async def test_names_that_one_run_swaps_are_each_the_others(client: Client) -> None:
    await client.run("first", 1, at=1, inputs=[dataset("a")], outputs=[dataset("t", "x")])
    await client.run("build", 2, at=2, inputs=[dataset("b")], outputs=[dataset("t_new", "y")])
    await client.run("swap", 3, at=3, outputs=[renamed("t_old", "t"), renamed("t", "t_new")])
    assert await graph(client, "dataset:data:t") == {
        "dataset:data:b": ["job:jobs:build"],
        "dataset:data:t": [],
        "dataset:data:t_old": [],
        "dataset:data:a": ["job:jobs:first"],
        "job:jobs:build": ["dataset:data:t"],
        "job:jobs:first": ["dataset:data:t_old"],
        "job:jobs:swap": ["dataset:data:t", "dataset:data:t_old"],
    }
    shown = [await client.get(path("namespaces", "data", "datasets", name)) for name in ("t", "t_old", "t_new")]
    assert [(one["deleted"], [field["name"] for field in one["fields"]]) for one in shown[:2]] == [
        (False, ["y"]),
        (False, ["x"]),
    ]
    assert shown[2]["deleted"] is True
    await client.run("read", 4, at=4, inputs=[dataset("t"), dataset("t_old")])
    assert await upstream(client, 4) == {
        4: {"t": 3, "t_old": 3},
        3: {"t": 1, "t_new": 2},
        1: {"a": None},
        2: {"b": None},
    }
