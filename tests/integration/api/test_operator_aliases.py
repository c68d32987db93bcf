"""Operators' aliases: datasets, jobs and whole namespaces under two names; taken back, all is as it was."""

from typing import Any

import pytest

from lineal_receiver.cli.main import main

from .conftest import Client, dataset, path
from .test_aliases import HIVE, columns, declare, graph, links, names

OLD, NEW = "postgres://DB.example:5432", "postgres://db.example:5432"


async def put(client: Client, status: int = 201, **body: Any) -> Any:
    """Ask for an alias."""
    response = await client.http.post("/api/v2/alias", json=body)
    assert response.status_code == status, response.text
    return response.json()


async def remove(client: Client, status: int = 200, **query: str) -> Any:
    """Take one back."""
    response = await client.http.delete("/api/v2/alias", params=query)
    assert response.status_code == status, response.text
    return response.json()


def named(namespace: str, name: str) -> dict[str, str]:
    """A name in a request."""
    return {"namespace": namespace, "name": name}


async def shown(client: Client) -> list[Any]:
    """All that lists, totals and graphs say."""
    return [
        await client.get("/api/v1/namespaces"),
        [await client.get(path("namespaces", space, "datasets"), limit="100") for space in (OLD, NEW)],
        [await client.get(path("namespaces", space, "jobs"), limit="100") for space in (OLD, NEW, "jobs")],
        await client.get("/api/v1/jobs"),
        await client.get("/api/v1/search", q="o"),
        await graph(client, f"dataset:{OLD}:orders"),
    ]


async def fill(client: Client) -> None:
    """Two halves of one warehouse, by two integrations that spell its host differently."""
    made = dataset("orders", "id", namespace=OLD, lineage={"id": ["raw.id"]})
    await client.run("load", 1, at=1, inputs=[dataset("raw", namespace=OLD)], outputs=[made], namespace=OLD)
    await client.run(
        "report", 2, at=2, inputs=[dataset("orders", namespace=NEW)],
        outputs=[dataset("sums", "n", namespace=NEW, lineage={"n": ["orders.id"]})],
    )  # fmt: skip


async def test_a_namespace_that_counts_as_another_moves_all_that_is_in_it_and_back(client: Client) -> None:
    await fill(client)
    before = await shown(client)
    await put(client, kind="namespace", old={"namespace": OLD}, new={"namespace": NEW})
    assert OLD not in [row["name"] for row in (await client.get("/api/v1/namespaces"))["namespaces"]]
    assert await names(client, NEW) == (["orders", "raw", "sums"], 3)
    assert await names(client, OLD) == (["orders", "raw", "sums"], 3)
    assert (await client.get(path("namespaces", OLD, "datasets", "orders")))["namespace"] == NEW
    assert await graph(client, f"dataset:{NEW}:raw") == {
        f"dataset:{NEW}:raw": [f"job:{NEW}:load"],
        f"dataset:{NEW}:orders": ["job:jobs:report"],
        f"dataset:{NEW}:sums": [],
        f"job:{NEW}:load": [f"dataset:{NEW}:orders"],
        "job:jobs:report": [f"dataset:{NEW}:sums"],
    }
    assert await columns(client, f"datasetField:{NEW}:sums:n") == {
        f"datasetField:{NEW}:sums:n": [f"{NEW}:orders:id"],
        f"datasetField:{NEW}:orders:id": [f"{NEW}:raw:id"],
        f"datasetField:{NEW}:raw:id": [],
    }
    jobs = await client.get(path("namespaces", NEW, "jobs"))
    assert [(row["namespace"], row["name"], row["latestRun"]["state"]) for row in jobs["jobs"]] == [
        (NEW, "load", "COMPLETED")
    ]
    assert jobs["totalCount"] == 1
    await remove(client, kind="namespace", namespace=OLD)
    assert await shown(client) == before


async def test_what_comes_later_into_a_namespace_that_counts_as_another_moves_too(client: Client) -> None:
    await put(client, kind="namespace", old={"namespace": OLD}, new={"namespace": NEW})
    await fill(client)
    assert await names(client, NEW) == (["orders", "raw", "sums"], 3)
    assert f"job:{NEW}:load" in await graph(client, f"dataset:{NEW}:sums")
    found = await client.get("/api/v1/search", q="raw")
    assert [(row["namespace"], row["name"]) for row in found["results"]] == [(NEW, "raw")]


async def test_symlinks_hold_in_the_namespace_that_theirs_counts_as(client: Client) -> None:
    await declare(client, "/lake/t", links("db.t", namespace="hive://META:9083"))
    await client.run("writer", 1, outputs=[dataset("db.t", "a", namespace="hive://meta:9083")])
    await put(client, kind="namespace", old={"namespace": "hive://META:9083"}, new={"namespace": "hive://meta:9083"})
    for space in ("hive://META:9083", "hive://meta:9083"):
        assert (await client.get(path("namespaces", space, "datasets", "db.t")))["name"] == "/lake/t"
    assert "job:jobs:writer" in await graph(client, "dataset:data:/lake/t")


async def test_an_operator_has_the_last_word_over_symlinks(client: Client) -> None:
    await client.run("load", 1, outputs=[dataset("/lake/t", "a", facets=links("t", namespace="hive"))])
    await put(client, kind="dataset", old=named("data", "/lake/t"), new=named("hive", "t"))
    for space, name in (("data", "/lake/t"), ("hive", "t")):
        found = await client.get(path("namespaces", space, "datasets", name))
        assert (found["namespace"], found["name"], len(found["fields"])) == ("hive", "t", 1)
    assert await names(client, "hive") == (["t"], 1)
    assert await names(client, "data") == ([], 0)


async def test_two_names_of_a_job_are_one_job(client: Client) -> None:
    await client.run("etl_v1", 1, at=1, inputs=[dataset("a")], outputs=[dataset("t", "x")])
    await client.run("etl_v2", 2, at=2, inputs=[dataset("b")], outputs=[dataset("t", "x")])
    assert len(await graph(client, "dataset:data:t")) == 5
    await put(client, kind="job", old=named("jobs", "etl_v1"), new=named("jobs", "etl_v2"))
    assert await graph(client, "dataset:data:t") == {
        "dataset:data:b": ["job:jobs:etl_v2"],
        "dataset:data:t": [],
        "job:jobs:etl_v2": ["dataset:data:t"],
    }
    for name in ("etl_v1", "etl_v2"):
        job = await client.get(path("namespaces", "jobs", "jobs", name))
        assert (job["name"], [one["name"] for one in job["inputs"]]) == ("etl_v2", ["b"])
        runs = await client.get(path("namespaces", "jobs", "jobs", name, "runs"))
        assert ([run["id"][-1] for run in runs["runs"]], runs["totalCount"]) == (["2", "1"], 2)
        versions = await client.get(path("namespaces", "jobs", "jobs", name, "versions"))
        assert len(versions["versions"]) == 2
    listed = await client.get("/api/v1/jobs")
    assert ([job["name"] for job in listed["jobs"]], listed["totalCount"]) == (["etl_v2"], 1)
    found = await client.get("/api/v1/search", q="etl")
    assert [row["name"] for row in found["results"]] == ["etl_v2"]
    await remove(client, kind="job", old="jobs:etl_v1")
    assert (await client.get("/api/v1/jobs"))["totalCount"] == 2
    assert len(await graph(client, "dataset:data:t")) == 5


async def test_what_aliases_there_are_is_listed(client: Client) -> None:
    await declare(client, "/lake/t", links("db.t"))
    await put(client, kind="namespace", old="data", new="lake")
    await put(client, kind="namespace", old="data", new="lake", status=200)
    found = (await client.get("/api/v2/alias"))["aliases"]
    assert sorted((row["kind"], row["origin"], row["old"], row["new"], row["root"]) for row in found) == sorted([
        ("namespace", "operator", {"namespace": "data"}, {"namespace": "lake"}, {"namespace": "lake"}),
        ("dataset", "symlink", named(HIVE, "db.t"), named("data", "/lake/t"), named("lake", "/lake/t")),
    ], key=str)  # fmt: skip
    only = await client.get("/api/v2/alias", kind="namespace", origin="operator", limit="1")
    assert (len(only["aliases"]), only["next"]) == (1, None)
    await client.get("/api/v2/alias", kind="table", status=400)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, {"kind": "table", "old": "a", "new": "b"}),
        (422, {"kind": "dataset", "old": {"namespace": "a"}, "new": {"namespace": "b", "name": "c"}}),
        (422, {"kind": "dataset", "old": "nocolon", "new": "a:b"}),
        (422, {"kind": "namespace", "old": "a", "new": " "}),
        (422, {"kind": "namespace", "old": "a", "new": "a"}),
        (409, {"kind": "namespace", "old": "y", "new": "x"}),
    ],
)
async def test_an_alias_that_makes_no_sense_is_refused_with_words(client: Client, status: int, body: Any) -> None:
    await put(client, kind="namespace", old="x", new="y")
    assert (await put(client, status=status, **body))["detail"]
    await remove(client, kind="namespace", namespace="y", status=404)


@pytest.mark.parametrize(("text", "status"), [(b"[1]", 400), (b"{", 400), (b"", 422)])
async def test_a_body_that_is_no_object_is_refused_as_v2_does(client: Client, text: bytes, status: int) -> None:
    headers = {"Content-Type": "application/json"}
    refused = await client.http.post("/api/v2/alias", content=text, headers=headers)
    assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")
    assert (refused.json()["status"], "body" in refused.json()["detail"]) == (status, True)


async def test_lint_names_likely_pairs_and_the_reasons(client: Client) -> None:
    await fill(client)
    await client.run("load", 3, at=3, outputs=[dataset("ORDERS", namespace=NEW), dataset("t", namespace="s3a://lake")])
    await client.run(
        "Load", 4, at=4, outputs=[dataset("t", namespace="s3://lake"), dataset("u", namespace="s3://lake")]
    )
    likely = (await client.get("/api/v2/alias/lint"))["likely"]
    assert {
        (row["kind"], tuple(row["old"].values()), tuple(row["new"].values()), *row["reasons"]) for row in likely
    } == {
        ("namespace", (OLD,), (NEW,), "case"),
        ("namespace", ("s3a://lake",), ("s3://lake",), "scheme"),
        ("dataset", (NEW, "orders"), (NEW, "ORDERS"), "case"),
        ("job", ("jobs", "load"), ("jobs", "Load"), "case"),
    }
    await put(client, kind="namespace", old=OLD, new=NEW)
    kinds = [row["kind"] for row in (await client.get("/api/v2/alias/lint", kind="namespace"))["likely"]]
    assert kinds == ["namespace"]


async def test_the_command_line_does_the_same(client: Client, database_url: str, capsys: Any) -> None:
    import asyncio

    async def lineal(*words: str) -> tuple[int, str]:
        code = await asyncio.to_thread(main, ["alias", *words, "--database-url", database_url])
        said = capsys.readouterr()
        return code, said.out + said.err

    await fill(client)
    code, said = await lineal("lint", "--kind", "namespace")
    assert f"{OLD} is likely {NEW} (case)" in said
    assert code == 1
    assert await lineal("namespace", OLD, NEW) == (0, f"namespace {OLD} counts as {NEW}\n")
    assert await names(client, NEW) == (["orders", "raw", "sums"], 3)
    assert await lineal("dataset", f"{NEW}:raw", f"{NEW}:sources.raw") == (
        0, f"dataset {NEW}:raw counts as {NEW}:sources.raw\n",
    )  # fmt: skip
    assert (await client.get(path("namespaces", OLD, "datasets", "raw")))["name"] == "sources.raw"
    code, said = await lineal("list")
    assert (code, len(said.splitlines())) == (0, 2)
    assert await lineal("remove", "namespace", OLD) == (0, f"namespace {OLD} no longer counts as {NEW}\n")
    code, said = await lineal("remove", "namespace", OLD)
    assert (code, said) == (2, f"lineal: there is no operator's alias of the namespace {OLD}\n")
    assert (await client.get(path("namespaces", OLD, "datasets", "raw")))["name"] == "raw"
