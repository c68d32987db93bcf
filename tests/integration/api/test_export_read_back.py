"""What is exported is read back by those who know the formats: Graphviz, networkx, a reader of CSV."""

import asyncio
import csv
import json
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import networkx
import pytest

from lineal_receiver.api.v2.formats.signs import spell_signs

from .test_v2_export import ODD, export, tell

UI = Path(__file__).parents[3] / "receiver" / "ui"
GRAPHVIZ = """
import { instance } from '@viz-js/viz'
import { readFileSync } from 'node:fs'
console.log(JSON.stringify((await instance()).renderJSON(readFileSync(0, 'utf8'))))
"""
ROWS = {"direction": "both", "depth": 50, "withRows": "true"}


async def tell_oddly(client: Any) -> None:
    """The usual graph, hung on tables, columns and a job with odd names."""
    await tell(client)
    made = client.dataset(f"{ODD}2", "x", lineage={ODD: ["revenue.total"]})
    await client.run(ODD, 9, at=9, inputs=[client.dataset("revenue")], outputs=[made])


def names(graph: Any) -> set[tuple[str, str | None]]:
    """The tables, and the columns that have edges, as they are shown."""
    called = {one["id"]: spell_signs(one["name"]) for one in graph["datasets"]}
    ends = [edge[end] for edge in graph["columnEdges"] for end in ("source", "target")]
    return {(name, None) for name in called.values()} | {
        (called[end["dataset"]], None if end["field"] is None else spell_signs(end["field"])) for end in ends
    }


@pytest.mark.skipif(
    shutil.which("node") is None or not (UI / "node_modules" / "@viz-js").is_dir(),
    reason="needs Node and the page's packages: python3 tools/build_page.py --dev",
)
async def test_graphviz_reads_the_picture(client: Any) -> None:
    await tell_oddly(client)
    graph = await client.get("/api/v2/lineage", namespace="data", name="orders", **ROWS)
    text = await export(client, "dot", "orders", **ROWS)
    command = ["node", "--input-type=module", "--eval", GRAPHVIZ]
    read = await asyncio.to_thread(
        subprocess.run, command, cwd=UI, input=text, capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    assert (read.returncode, read.stderr) == (0, "")
    drawn = json.loads(read.stdout)
    labels = {one["_gvid"]: one["label"].replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")
              for one in drawn["objects"]}  # fmt: skip
    shown = {
        (labels[box["_gvid"]], labels[node] or None)
        for box in drawn["objects"]
        if box["name"].startswith("cluster_")
        for node in box["nodes"]
    }
    assert shown == names(graph)
    dotted = [edge.get("style") == "dotted" for edge in drawn["edges"] if edge["label"]]
    assert sorted(dotted) == sorted(not edge["direct"] for edge in graph["columnEdges"])


async def test_networkx_reads_the_graph(client: Any) -> None:
    await tell_oddly(client)
    graph = await client.get("/api/v2/lineage", namespace="data", name="orders", **ROWS)
    read = networkx.parse_graphml(await export(client, "graphml", "orders", **ROWS))
    called = {key: (node["kind"], node["name"], node.get("field")) for key, node in read.nodes(data=True)}
    told = [("dataset", spell_signs(one["name"]), None) for one in graph["datasets"]]
    told += [("job", spell_signs(one["name"]), None) for one in graph["jobs"]]
    told += [
        ("column", spell_signs(one["name"]), spell_signs(column["name"]))
        for one in graph["datasets"]
        for column in one["columns"]
    ]
    assert sorted(called.values(), key=repr) == sorted(told, key=repr)
    by_id = {one["id"]: spell_signs(one["name"]) for one in graph["datasets"]}
    edges = [
        (called[first][1:], called[last][1:], edge.get("expression"))
        for first, last, edge in read.edges(data=True)
        if edge["kind"] in ("column", "rows")
    ]
    ends = [
        (*((by_id[edge[end]["dataset"]], edge[end]["field"] and spell_signs(edge[end]["field"]))
           for end in ("source", "target")), edge["expression"])
        for edge in graph["columnEdges"]
    ]  # fmt: skip
    assert sorted(edges, key=repr) == sorted(ends, key=repr)


async def test_csv_tells_names_and_sql_as_they_are(client: Any) -> None:
    """A spreadsheet may take `=1+1` for a formula, which a name or expression is free to be: docs/api.md says so."""
    table = client.dataset
    kinds = [{"type": "DIRECT", "subtype": "TRANSFORMATION", "description": '-amount\r\n, "x";'}]
    told = {"fields": {"=1+1": {"inputFields": [
        {"namespace": "data", "name": "@sum", "field": "+a", "transformations": kinds}]}}}  # fmt: skip
    made = table("made", "=1+1", facets={"columnLineage": told})
    await client.run("\tjob", 1, inputs=[table("@sum", "+a")], outputs=[made])
    (row,) = csv.DictReader(StringIO(await export(client, "csv", "made"), newline=""))
    assert (row["source_name"], row["source_field"], row["target_field"]) == ("@sum", "+a", "=1+1")
    assert (row["expression"], row["job_name"]) == ('-amount\r\n, "x";', "\tjob")
