"""Runs that want attention, with what lies downstream; and trees of runs."""

from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from .conftest import NOON


def ago(hours: float) -> float:
    """So many hours before now, in seconds after the tests' noon."""
    return (datetime.now(timezone.utc) - timedelta(hours=hours) - NOON).total_seconds()


def under(job: str, run: int) -> dict[str, Any]:
    return {"parent": {"job": {"namespace": "jobs", "name": job}, "run": {"runId": str(UUID(int=run))}}}


async def listed(client: Any, **query: Any) -> list[tuple[str, str]]:
    answer = await client.get("/api/v2/attention", **query)
    return [(run["job"]["name"], run["state"]) for run in answer["runs"]]


async def test_failed_and_open_runs_with_what_lies_downstream(client: Any) -> None:
    table = client.dataset
    await client.run("stage", 1, at=ago(30), inputs=[table("raw")], outputs=[table("orders")])
    await client.run("sum", 2, at=ago(29), inputs=[table("orders")], outputs=[table("revenue")])
    await client.run("show", 3, at=ago(28), inputs=[table("revenue")])
    why = {"errorMessage": {"message": "no such table: raw", "programmingLanguage": "sql"}}
    await client.run("stage", 4, event="FAIL", at=ago(3), inputs=[table("raw")], outputs=[table("orders")], facets=why)
    await client.run("slow", 5, event="START", at=ago(2))
    await client.run("stopped", 6, event="ABORT", at=ago(1))
    await client.run("old", 7, event="FAIL", at=ago(26))
    await client.run("fine", 8, at=ago(1))
    answer = await client.get("/api/v2/attention")
    assert (answer["counts"], answer["capped"], answer["next"]) == ({"failed": 1, "aborted": 1, "open": 1}, False, None)
    assert [(run["job"]["name"], run["state"], run["error"]) for run in answer["runs"]] == [
        ("stopped", "ABORTED", None), ("slow", "RUNNING", None), ("stage", "FAILED", "no such table: raw"),
    ]  # fmt: skip
    failed = answer["runs"][2]
    assert [one["name"] for one in failed["outputs"]] == ["orders"]
    nearest = failed["downstream"].pop("nearest")
    assert failed["downstream"] == {"datasets": 1, "jobs": 1, "consumers": 1, "checks": 0, "capped": False}
    assert [one["name"] for one in nearest] == ["revenue"]
    assert await listed(client, state=["failed", "ABORTED"]) == [("stopped", "ABORTED"), ("stage", "FAILED")]
    assert await listed(client, namespace="none") == []
    assert await listed(client, hours=48, state="FAILED") == [("stage", "FAILED"), ("old", "FAILED")]


async def test_what_a_later_run_made_good_is_only_listed_when_asked_for(client: Any) -> None:
    await client.run("load", 1, event="FAIL", at=ago(5))
    await client.run("load", 2, at=ago(4))
    await client.run("mapped", 3, event="FAIL", at=ago(3), facets=under("dag", 9))
    await client.run("mapped", 4, at=ago(2), facets=under("dag", 9))
    assert await listed(client) == [("mapped", "FAILED")]
    assert await listed(client, all="true") == [("mapped", "FAILED"), ("load", "FAILED")]


async def test_pages(client: Any) -> None:
    for number in range(5):
        await client.run(f"j{number}", number + 1, event="FAIL", at=ago(10 - number))
    first = await client.get("/api/v2/attention", limit=3)
    rest = await client.get("/api/v2/attention", limit=3, cursor=first["next"])
    names = [run["job"]["name"] for page in (first, rest) for run in page["runs"]]
    assert (names, rest["next"]) == (["j4", "j3", "j2", "j1", "j0"], None)
    assert first["counts"] == {"failed": 5, "aborted": 0, "open": 0}


async def test_a_tree_of_runs(client: Any) -> None:
    await client.run("dag", 1, event="START")
    await client.run("task", 2, event="START", at=1, facets=under("dag", 1))
    await client.run("task", 2, at=9, facets=under("dag", 1))
    await client.run("query", 3, event="FAIL", at=2, facets=under("task", 2))
    await client.run("other", 4, event="START", at=3, facets=under("dag", 1))
    tree = await client.get("/api/v2/runs/tree", runId=str(UUID(int=1)))

    def write(run: dict[str, Any]) -> Any:
        return (run["job"]["name"], run["state"], [write(child) for child in run["children"]])

    whole = ("dag", "RUNNING", [("task", "COMPLETED", [("query", "FAILED", [])]), ("other", "RUNNING", [])])
    assert write(tree["run"]) == whole
    assert (tree["states"], tree["cut"]) == ({"RUNNING": 1, "FAILED": 1, "COMPLETED": 1}, None)
    top = await client.get("/api/v2/runs/tree", runId=str(UUID(int=3)), root="true")
    assert write(top["run"]) == whole
    leaf = await client.get("/api/v2/runs/tree", runId=str(UUID(int=3)))
    assert (write(leaf["run"]), leaf["states"]) == (("query", "FAILED", []), {})
    await client.get("/api/v2/runs/tree", runId="none", status=404)
    await client.get("/api/v2/runs/tree", status=400)


async def test_runs_of_a_tree_and_of_a_list_say_why_they_failed(client: Any) -> None:
    def why(message: Any, run: int = 1) -> dict[str, Any]:
        return {**under("dag", run), "errorMessage": {"message": message, "programmingLanguage": "SQL"}}

    await client.run("dag", 1, event="FAIL", facets={"errorMessage": why("two tasks failed")["errorMessage"]})
    await client.run("first", 2, event="FAIL", at=1, facets=why("no column\nLINE 7"))
    await client.run("second", 3, event="FAIL", at=2, facets=why("x" * 5_000))
    await client.run("third", 4, at=3, facets=under("dag", 1))
    await client.run("odd", 5, event="FAIL", at=4, facets=why({"not": "a text"}))
    said = {
        "dag": "two tasks failed",
        "first": "no column\nLINE 7",
        "second": "x" * 2_000,
        "third": None,
        "odd": None,
    }
    tree = (await client.get("/api/v2/runs/tree", runId=str(UUID(int=1))))["run"]
    assert {run["job"]["name"]: run["error"] for run in (tree, *tree["children"])} == said
    listed = await client.get("/api/v2/runs", parent=str(UUID(int=1)))
    assert {run["job"]["name"]: run["error"] for run in (listed["parent"], *listed["runs"])} == said


async def test_parents_in_a_circle_and_a_deep_tree_end(client: Any) -> None:
    await client.run("a", 1, facets=under("b", 2))
    await client.run("b", 2, facets=under("a", 1))
    tree = await client.get("/api/v2/runs/tree", runId=str(UUID(int=1)), root="true")
    assert sum(tree["states"].values()) == 1
    for number in range(10, 80):
        await client.run("deep", number, facets=under("deep", number - 1))
    deep = await client.get("/api/v2/runs/tree", runId=str(UUID(int=9)))
    assert (sum(deep["states"].values()), deep["cut"] is None) == (64, False)
