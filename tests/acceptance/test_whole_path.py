"""One `dbt build` through HTTP and a file at once: the same rows by either road, and the answers derived by hand."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg
import pytest

from .real_receiver import get, receiver
from .shop_truth import Answer, Column, Edge, clean_environment, copy_shop, dbt, generate, read_answers, read_marts

DEADLINE_SECONDS = 300.0
# What the first acceptance decides: when it was received, and the raw bytes (key order, blanks) in which it came.
EXCEPTED = {"log": {"received_at", "body"}, "rejected": {"first_at", "last_at", "count"}, "facet_body": {"touched_day"}}
NOT_OURS = {"schema_migration"}
SEED_QUERY = """
select e.source_relation, e.source_column, e.target_relation, e.target_column, e.expression, e.resolved
from column_lineage_edge e join lineage_build b on b.id = e.build_id and b.is_active
where e.target_relation = $1
"""


@dataclass(frozen=True)
class Walked:
    """A build that went both ways: the receiver's address, its database, the file, the project."""

    url: str
    database: str
    events: Path
    project: Path

    def get(self, path: str, **query: str | int) -> Any:
        return get(self.url, path, **query)

    @property
    def namespace(self) -> str:
        return f"duckdb://{(self.project / 'data' / 'shop.duckdb').resolve()}"


@pytest.fixture(scope="module")
async def two_databases(server_url: str, template: str) -> AsyncIterator[tuple[str, str]]:
    names = ("lineal_walk_http", "lineal_walk_file")
    connection = await asyncpg.connect(server_url)
    try:
        for name in names:
            await connection.execute(f'create database "{name}" template "{template}"')
        first, second = (urlunsplit(urlsplit(server_url)._replace(path=f"/{name}")) for name in names)
        yield first, second
        for name in names:
            await connection.execute(f'drop database "{name}" with (force)')
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def walked(two_databases: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walked]:
    folder = tmp_path_factory.mktemp("walk")
    project = copy_shop(folder / "project")
    generate(project)
    events = folder / "events.ndjson"
    with receiver(two_databases[0], folder / "receiver.log") as url:
        (project / "openlineage.yml").write_text(
            "transport:\n  type: composite\n  transports:\n"
            f"    - {{type: http, url: '{url}', timeout: 300}}\n"
            f"    - {{type: file, log_file_path: '{events}', append: true}}\n"
        )
        built = dbt(project, "build", LINEAL_STATE_DIR=str(folder / "state"), NO_PROXY="127.0.0.1")
        assert built.returncode == 0, built.stdout
        walk = Walked(url, two_databases[0], events, project)
        wait_until_delivered(walk)
        yield walk


def wait_until_delivered(walk: Walked) -> None:
    """Until the invocation's own end has come by both roads, of which neither waits for the other: it is the last."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        runs = walk.get("/api/v1/namespaces/dbt/jobs/dbt-run-shop/runs")["runs"] if has_ended(walk.events) else []
        if runs and runs[0]["state"] == "COMPLETED" and walk.get("/api/v2/summary")["runs"].get("RUNNING", 0) == 0:
            return
        time.sleep(0.1)
    logs = [walk.events.with_name("state") / "worker.log", walk.events.with_name("receiver.log")]
    said = [path.read_text()[-2000:] for path in logs if path.exists()]
    pytest.fail(f"not all events arrived: {walk.get('/api/v2/summary')}; the logs end with {said}")


def has_ended(events: Path) -> bool:
    """Whether the file has the invocation's end."""
    lines = events.read_bytes().splitlines() if events.exists() else []
    told = [(event["job"]["name"], event.get("eventType")) for event in map(json.loads, lines)]
    return ("dbt-run-shop", "COMPLETE") in told


def relation(dataset: str) -> str:
    return "telemetry.odometer_readings" if dataset.startswith("/") else dataset.removeprefix("shop.")


def edges_from(graph: list[dict[str, Any]]) -> set[Edge]:
    return {
        Edge(
            Column(relation(node["data"]["dataset"]), node["data"]["field"]),
            Column(relation(source["dataset"]), source["field"]),
            f"{transformation['type']}/{transformation['subtype']}",
        )
        for node in graph
        for source in node["data"]["inputFields"]
        for transformation in source["transformations"]
    }


def test_summary_has_the_whole_project(walked: Walked) -> None:
    summary = walked.get("/api/v2/summary")

    assert summary["edges"] >= 676
    assert summary["columns"]["total"] >= 452
    assert summary["columns"]["unresolved"] == 0
    assert set(summary["runs"]) - {"COMPLETED", "total"} == {
        state for state, count in summary["runs"].items() if count == 0
    }
    assert summary["events"]["rejected"] == 0


@pytest.mark.parametrize("mart", sorted(read_marts()))
def test_every_column_edge_of_the_mart(walked: Walked, mart: str) -> None:
    truth = read_marts()[mart]
    node = f"dataset:{quote(walked.namespace, safe='')}:shop.{mart}"
    graph = walked.get("/api/v1/column-lineage", nodeId=node, depth=1)["graph"]

    assert {edge for edge in edges_from(graph) if edge.target.relation == mart} == truth.edges


@pytest.mark.parametrize("answer", read_answers(), ids=lambda answer: str(answer.id))
def test_answer_by_hand(walked: Walked, answer: Answer) -> None:
    node = f"datasetField:{quote(walked.namespace, safe='')}:shop.{answer.column.relation}:{answer.column.name}"
    graph = walked.get(
        "/api/v1/column-lineage", nodeId=node, depth=50, withDownstream=str(answer.direction == "downstream").lower()
    )["graph"]

    assert answer.walk(edges_from(graph)) == answer.edges


def edges_of(graph: dict[str, Any]) -> set[Edge]:
    """The column edges of an answer of v2, without those that decide the rows of a whole."""
    names = {dataset["id"]: relation(dataset["name"]) for dataset in graph["datasets"]}
    return {
        Edge(
            Column(names[edge["target"]["dataset"]], edge["target"]["field"]),
            Column(names[edge["source"]["dataset"]], edge["source"]["field"]),
            f"{kind['type']}/{kind['subtype']}",
        )
        for edge in graph["columnEdges"]
        for kind in edge["kinds"]
        if edge["target"]["field"] is not None
    }


@pytest.mark.parametrize("mart", sorted(read_marts()))
def test_every_column_edge_of_the_mart_with_what_vouches_for_it(walked: Walked, mart: str) -> None:
    graph = walked.get("/api/v2/upstream", namespace=walked.namespace, name=f"shop.{mart}", depth=1, withRows="true")
    (made,) = graph["transforms"]
    event = walked.get(made["event"]["body"])

    assert edges_of(graph) == read_marts()[mart].edges
    assert {edge["transform"] for edge in graph["columnEdges"]} == {made["id"]}
    assert f"shop.{mart}" in {output["name"] for output in event["outputs"]}
    assert (event["run"]["runId"], event["producer"]) == (made["run"]["runId"], made["producer"])
    assert all(edge["expression"] for edge in graph["columnEdges"] if edge["direct"])


@pytest.mark.parametrize("answer", read_answers(), ids=lambda answer: str(answer.id))
def test_answer_by_hand_in_v2(walked: Walked, answer: Answer) -> None:
    name = {"namespace": walked.namespace, "name": f"shop.{answer.column.relation}", "field": answer.column.name}
    graph = walked.get(f"/api/v2/{answer.direction}", **name, depth=50, withRows="true")

    assert answer.walk(edges_of(graph)) == answer.edges


async def test_seed_query_tells_every_edge_of_a_mart(walked: Walked) -> None:
    truth = read_marts()["marts.sales_daily"]
    connection = await asyncpg.connect(walked.database)
    try:
        rows = await connection.fetch(SEED_QUERY, "model.shop.sales_daily")
    finally:
        await connection.close()

    found = {(row["source_relation"].split(".")[-1], row["source_column"], row["target_column"]) for row in rows}
    assert found == {(e.source.relation.split(".")[-1], e.source.name, e.target.name) for e in truth.edges}
    assert all(row["resolved"] and row["expression"] for row in rows)
    assert all(row["source_relation"].startswith(("model.", "seed.", "source.")) for row in rows)


async def test_the_file_gives_the_same_rows_as_http(walked: Walked, two_databases: tuple[str, str]) -> None:
    command = [sys.executable, "-m", "lineal_receiver.cli", "ingest", "--database-url", two_databases[1]]
    told = await asyncio.to_thread(
        subprocess.run,
        [*command, str(walked.events)],
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )

    assert told.returncode == 0, told.stdout + told.stderr
    by_http, by_file = [await read_everything(database) for database in two_databases]
    assert set(by_http) == set(by_file)
    for table, rows in by_http.items():
        assert rows == by_file[table], table
    assert len(by_http["log"]) > 200
    assert by_http["edge_active"]


async def read_everything(database: str) -> dict[str, list[str]]:
    """Every row of every table of ours as text, sorted, without what is excepted."""
    connection = await asyncpg.connect(database)
    try:
        tables = await connection.fetch(
            "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace"
            " and c.relkind in ('r', 'p') and not c.relispartition"
        )
        found = {}
        for name in {row["name"] for row in tables} - NOT_OURS:
            columns = await connection.fetch(
                "select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped",
                name,
            )
            kept = ", ".join(f'"{c["attname"]}"' for c in columns if c["attname"] not in EXCEPTED.get(name, ()))
            rows = await connection.fetch(f'select row({kept})::text as line from "{name}"')
            found[name] = sorted(row["line"] for row in rows)
        return found
    finally:
        await connection.close()
