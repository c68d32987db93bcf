"""RENAME: what the old name had is the new one's, up and down; the old one stands for nothing until it is written."""

from typing import Any

from .conftest import Client, dataset, path
from .test_aliases import columns, graph, links


def renamed(name: str, before: str, **more: Any) -> dict[str, Any]:
    """A dataset that a statement gave this name."""
    stated = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "data", "name": before}}
    return dataset(name, facets={"lifecycleStateChange": stated, **more})


async def show(client: Client, name: str) -> Any:
    """A dataset."""
    return await client.get(path("namespaces", "data", "datasets", name))


async def test_lineage_continues_across_a_rename_both_ways_and_the_old_name_is_not_live(client: Client) -> None:
    await client.run(
        "load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("old", "a b", lineage={"a": ["raw.x"]})]
    )
    await client.run(
        "report", 2, at=2, inputs=[dataset("old")], outputs=[dataset("sums", "n", lineage={"n": ["old.a"]})]
    )
    await client.run("mv", 3, at=3, outputs=[renamed("new", "old")])
    await client.run("later", 4, at=4, inputs=[dataset("new")], outputs=[dataset("top", "t", lineage={"t": ["new.a"]})])
    expected = {
        "dataset:data:raw": ["job:jobs:load"],
        "dataset:data:new": ["job:jobs:later", "job:jobs:report"],
        "dataset:data:sums": [],
        "dataset:data:top": [],
        "job:jobs:load": ["dataset:data:new"],
        "job:jobs:mv": ["dataset:data:new"],
        "job:jobs:report": ["dataset:data:sums"],
        "job:jobs:later": ["dataset:data:top"],
    }
    for node in ("dataset:data:raw", "dataset:data:new", "dataset:data:old", "dataset:data:top", "job:jobs:mv"):
        assert await graph(client, node) == expected
    for node in ("datasetField:data:new:a", "datasetField:data:old:a"):
        assert await columns(client, node) == {
            "datasetField:data:raw:x": [],
            "datasetField:data:new:a": ["data:raw:x"],
            "datasetField:data:sums:n": ["data:new:a"],
            "datasetField:data:top:t": ["data:new:a"],
        }
    old, new = await show(client, "old"), await show(client, "new")
    assert (old["deleted"], old["lastLifecycleState"], old["columnLineage"]) == (True, "RENAME", None)
    assert (new["deleted"], [field["name"] for field in new["fields"]]) == (False, ["a", "b"])
    assert new["columnLineage"][0]["inputFields"][0]["dataset"] == "raw"
    job = await client.get(path("namespaces", "jobs", "jobs", "load"))
    assert [output["name"] for output in job["outputs"]] == ["new"]


async def test_a_name_that_is_written_again_is_another_dataset(client: Client) -> None:
    await client.run("first", 1, at=1, inputs=[dataset("a")], outputs=[dataset("old", "x")])
    await client.run("mv", 2, at=2, outputs=[renamed("new", "old")])
    await client.run("second", 3, at=3, inputs=[dataset("b")], outputs=[dataset("old", "y")])
    assert await graph(client, "dataset:data:old") == {
        "dataset:data:b": ["job:jobs:second"],
        "dataset:data:old": [],
        "job:jobs:second": ["dataset:data:old"],
    }
    assert set(await graph(client, "dataset:data:new")) == {
        "dataset:data:a", "dataset:data:new", "job:jobs:first", "job:jobs:mv",
    }  # fmt: skip
    assert (await show(client, "old"))["deleted"] is False
    assert [[field["name"] for field in (await show(client, name))["fields"]] for name in ("old", "new")] == [
        ["y"],
        ["x"],
    ]


async def test_what_a_name_is_taken_from_by_a_rename_is_not_in_force_there(client: Client) -> None:
    # a table that is built aside and swapped in, twice
    await client.run("build", 1, at=1, inputs=[dataset("a")], outputs=[dataset("t_new", "x")])
    await client.run("swap", 2, at=2, outputs=[renamed("t", "t_new")])
    await client.run("fix", 3, at=3, inputs=[dataset("z")], outputs=[dataset("t_new", "x y")])
    await client.run("swap", 4, at=4, outputs=[renamed("t", "t_new")])
    found = await graph(client, "dataset:data:t")
    assert set(found) == {"dataset:data:t", "dataset:data:z", "job:jobs:fix", "job:jobs:swap"}
    assert [field["name"] for field in (await show(client, "t"))["fields"]] == ["x", "y"]
    assert (await show(client, "t_new"))["deleted"] is True


async def test_renames_follow_one_another_and_circles_end(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("a", "x")])
    for at, (before, after) in enumerate([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")], start=2):
        await client.run("mv", at, at=at, outputs=[renamed(after, before)])
    assert "job:jobs:load" in await graph(client, "dataset:data:d")
    assert [(await show(client, name))["deleted"] for name in "abcd"] == [True, True, True, False]
    assert [field["name"] for field in (await show(client, "d"))["fields"]] == ["x"]


async def test_a_rename_that_failed_or_was_told_first_counts_for_what_it_is(client: Client) -> None:
    await client.run("mv", 1, event="START", at=5, outputs=[renamed("new", "old")])
    await client.run("load", 2, at=1, outputs=[dataset("old", "x")])
    assert (await show(client, "old"))["deleted"] is False
    await client.run("mv", 1, event="FAIL", at=6)
    assert (await show(client, "old"))["deleted"] is False
    await client.run("mv", 3, at=7, outputs=[renamed("new", "old")])
    assert (await show(client, "old"))["deleted"] is True
    assert "job:jobs:load" in await graph(client, "dataset:data:new")


async def test_of_one_job_the_newest_write_before_or_after_the_rename_is_in_force(client: Client) -> None:
    await client.run("load", 1, at=1, inputs=[dataset("a")], outputs=[dataset("old", "x")])
    await client.run("mv", 2, at=2, outputs=[renamed("new", "old")])
    await client.run("load", 3, at=3, inputs=[dataset("b")], outputs=[dataset("new", "x")])
    assert set(await graph(client, "dataset:data:new")) == {
        "dataset:data:b", "dataset:data:new", "job:jobs:load", "job:jobs:mv",
    }  # fmt: skip


async def test_a_renamed_table_and_its_symlink(client: Client) -> None:
    # as Spark says it: both names of the table are renamed, each by its own facet
    await client.run("load", 1, at=1, inputs=[dataset("raw")], outputs=[dataset("/t", "x", facets=links("db.t"))])
    after = renamed("/u", "/t", **links("db.u"))
    await client.run("mv", 2, at=2, outputs=[after])
    hive = "hive://metastore:9083"
    found = await client.get(path("namespaces", hive, "datasets", "db.u"))
    assert (found["name"], found["deleted"]) == ("/u", False)
    assert "job:jobs:load" in await graph(client, f"dataset:{hive}:db.u")


async def test_what_was_swapped_in_is_what_its_build_said_while_the_next_is_built_aside(client: Client) -> None:
    def build(source: str) -> list[dict[str, Any]]:
        return [dataset("t_new", "x", lineage={"x": [f"{source}.x"]})]

    def check(of: str, aside: str | None) -> dict[str, Any]:
        made = ["dataset:data:t", *(["dataset:data:t_new"] if aside else [])]
        found = {
            f"dataset:data:{of}": ["job:jobs:build"],
            "dataset:data:t": ["job:jobs:read"],
            "job:jobs:build": made,
            "job:jobs:read": [],
        }
        return found | ({f"dataset:data:{aside}": ["job:jobs:build"], "dataset:data:t_new": []} if aside else {})

    async def graphs(*nodes: str) -> None:
        for node in nodes:
            found = await graph(client, f"dataset:data:{node}")
            assert {name: ends for name, ends in found.items() if "swap" not in name} == check(*state), node

    await client.run("build", 1, at=1, inputs=[dataset("a", "x")], outputs=build("a"))
    await client.run("swap", 2, at=2, outputs=[renamed("t", "t_new")])
    await client.run("read", 3, at=3, inputs=[dataset("t")])
    state: tuple[str, str | None] = ("a", None)
    await graphs("t", "a")
    for day, (before, after) in enumerate([("a", "b"), ("b", "c")], start=1):
        await client.run("build", 10 * day, at=10 * day, inputs=[dataset(after, "x")], outputs=build(after))
        state = (before, after)
        await graphs("t", before, after, "t_new")
        assert await columns(client, "datasetField:data:t:x") == {
            f"datasetField:data:{before}:x": [],
            "datasetField:data:t:x": [f"data:{before}:x"],
        }
        assert await columns(client, f"datasetField:data:{before}:x") == {
            f"datasetField:data:{before}:x": [],
            "datasetField:data:t:x": [f"data:{before}:x"],
        }
        assert (await show(client, "t"))["columnLineage"][0]["inputFields"][0]["dataset"] == before
        await client.run("swap", 10 * day + 2, at=10 * day + 2, outputs=[renamed("t", "t_new")])
        state = (after, None)
        found = await columns(client, "datasetField:data:t:x")
        assert found["datasetField:data:t:x"] == [f"data:{after}:x"]
        assert (await show(client, "t"))["columnLineage"][0]["inputFields"][0]["dataset"] == after


async def test_what_was_swapped_out_keeps_its_lineage_too(client: Client) -> None:
    for day, source in enumerate("abc", start=1):
        made = [dataset("t_new", "x", lineage={"x": [f"{source}.x"]})]
        await client.run("build", 10 * day, at=10 * day, inputs=[dataset(source, "x")], outputs=made)
        if day < 3:
            swapped = [renamed("t_old", "t"), renamed("t", "t_new")]
            await client.run("swap", 10 * day + 2, at=10 * day + 2, outputs=swapped if day > 1 else swapped[1:])
    found = await graph(client, "dataset:data:t")
    assert found["job:jobs:build"] == ["dataset:data:t", "dataset:data:t_new", "dataset:data:t_old"]
    for name, source in (("t_old", "a"), ("t", "b"), ("t_new", "c")):
        into = await columns(client, f"datasetField:data:{name}:x")
        assert into[f"datasetField:data:{name}:x"] == [f"data:{source}:x"]
