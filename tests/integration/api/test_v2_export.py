"""The graph as files: OpenLineage events that another receiver takes, GraphML, Mermaid, DOT, CSV."""

import csv
import json
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest

ODD = 'a "b" <c> & d\\e;|#\n🕷\x01'


async def export(client: Any, kind: str, name: str, **query: Any) -> str:
    asked = {"namespace": "data", "name": name, "format": kind, **query}
    response = await client.http.get("/api/v2/export", params=asked)
    assert response.status_code == 200, response.text
    assert response.headers["content-disposition"].startswith("attachment")
    return str(response.text)


async def tell(client: Any) -> None:
    table = client.dataset
    summed = {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum(amount)", "masking": True}
    source = {"namespace": "data", "name": "orders"}
    rows = {
        "fields": {
            "total": {"inputFields": [{**source, "field": "amount", "transformations": [summed]}]},
            "one": {"inputFields": []},
        },
        "dataset": [{**source, "field": "status", "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}],
    }
    await client.run("sum", 1, inputs=[table("orders", "amount status")],
        outputs=[table("revenue", "total one", facets={"columnLineage": rows})])  # fmt: skip
    await client.run("copy", 2, at=1, inputs=[table("orders")], outputs=[table("orders2", "x")])
    await client.run(
        "copy", 3, at=2, inputs=[table("rates", "r")], outputs=[table("rates2", "r", lineage={"r": ["rates.r"]})]
    )
    await client.run("dashboard", 4, at=3, inputs=[table("revenue")])


async def shape(client: Any, name: str) -> Any:
    graph = await client.get("/api/v2/lineage", namespace="data", name=name, withRows="true", depth=5)
    names = {one["id"]: one["name"] for key in ("datasets", "jobs") for one in graph[key]}
    columns = {
        f"{one['name']}.{column['name']}": (column["type"], column["status"])
        for one in graph["datasets"]
        for column in one["columns"]
    }
    ends = (("source", "dataset"), ("source", "field"), ("target", "dataset"), ("target", "field"))
    edges = [
        (*(names.get(edge[end][part], edge[end][part]) for end, part in ends), edge["kinds"])
        for edge in graph["columnEdges"]
    ]
    tables = {tuple(names.get(edge[end]) for end in ("source", "job", "target")) for edge in graph["tableEdges"]}
    return columns, edges, tables


async def test_what_is_exported_as_events_says_the_same_in_another_receiver(client: Any, shared: Any) -> None:
    await tell(client)
    asked: dict[str, Any] = {"withRows": "true", "depth": 5}
    told = await export(client, "openlineage", "orders", **asked)
    for line in told.splitlines():
        await shared.post(json.loads(line))
    # Of `copy`, which the graph shows a part of, all is told.
    assert [event["flags"] for event in (await shared.get("/api/v2/events", kind="job"))["events"]] == [[], [], []]
    for name in ("orders", "rates"):
        assert await shape(shared, name) == await shape(client, name)


@pytest.mark.parametrize(
    "part",
    [
        {"name": "revenue", "field": "total"},
        {"name": "rates2", "direction": "upstream"},
        {"name": "orders", "columns": "none"},
        {"name": "orders2", "depth": 1, "limit": 3},
        {"name": "listed", "field": "b"},
    ],
    ids=["a column", "one way", "no columns", "a few", "static"],
)
async def test_a_part_that_is_taken_in_again_replaces_nothing(client: Any, part: dict[str, Any]) -> None:
    await tell(client)
    listed = client.dataset("listed", "a b", lineage={"a": ["orders.amount"], "b": ["rates.r"]})
    await client.post(
        {"eventTime": "2026-03-02T12:00:00Z", "dataset": listed, "producer": "https://example.com/tests",
         "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"}
    )  # fmt: skip
    before = [await shape(client, name) for name in ("orders", "rates", "listed")]
    told = [json.loads(line) for line in (await export(client, "openlineage", **part)).splitlines()]
    assert told
    for event in told:
        await client.post({**event, "eventTime": "2026-03-09T12:00:00Z"})  # newer than all that was said
    assert [await shape(client, name) for name in ("orders", "rates", "listed")] == before


async def test_a_table_of_edges(client: Any) -> None:
    await tell(client)
    rows = list(csv.DictReader(StringIO(await export(client, "csv", "orders", withRows="true"))))
    shown = ("source_field", "target_name", "target_field", "subtype", "masking")
    told = [tuple(row[key] for key in shown) for row in rows]
    assert told == [("status", "revenue", "", "FILTER", "false"), ("amount", "revenue", "total", "AGGREGATION", "true")]
    assert {row["job_name"] for row in rows} == {"sum"}


async def test_pictures(client: Any) -> None:
    await tell(client)
    mermaid = await export(client, "mermaid", "orders", withRows="true")
    assert mermaid.splitlines()[0] == "flowchart LR"
    assert '"revenue"' in mermaid
    assert mermaid.count('-->|"AGGREGATION"|') == mermaid.count('-.->|"FILTER"|') == 1
    assert '(["copy"])' in mermaid
    dot = await export(client, "dot", "orders", withRows="true")
    assert dot.startswith("digraph lineage {")
    assert dot.count("style=dotted") == 1
    tree = ElementTree.fromstring(await export(client, "graphml", "orders", withRows="true"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {node.get("id") for node in tree.iter(f"{space}node")}
    ends = {edge.get(end) for edge in tree.iter(f"{space}edge") for end in ("source", "target")}
    assert ends <= nodes
    kinds = [data.text for data in tree.iter(f"{space}data") if data.get("key") == "e_kind"]
    assert sorted(kinds) == ["column", "rows", "table", "table", "table", "table"]


async def test_a_picture_has_a_label_for_a_column_without_a_name(client: Any) -> None:
    fields = {"x": {"inputFields": [{"namespace": "data", "name": "src", "field": ""}]}}
    made = client.dataset("made", "x", facets={"columnLineage": {"fields": fields}})
    await client.run("make", 1, inputs=[client.dataset("src")], outputs=[made])
    mermaid = await export(client, "mermaid", "made")
    assert '[""]' not in mermaid  # Mermaid takes no empty label
    assert '[" "]' in mermaid


@pytest.mark.parametrize("kind", ["openlineage", "graphml", "mermaid", "dot", "csv"])
async def test_names_of_all_signs(client: Any, kind: str) -> None:
    table = client.dataset
    made = table(f"{ODD}2", "x", lineage={ODD: [f"{ODD}1.x"]})
    await client.run(ODD, 1, inputs=[table(f"{ODD}1", "x")], outputs=[made])
    text = await export(client, kind, f"{ODD}1")
    if kind == "openlineage":
        assert ODD in {output["name"][:-1] for line in text.splitlines() for output in json.loads(line)["outputs"]}
    elif kind == "csv":
        assert [row["target_field"] for row in csv.DictReader(StringIO(text, newline=""))] == [ODD]
    elif kind == "graphml":
        tree = ElementTree.fromstring(text)
        assert ODD.replace("\x01", "\\u0001") in {data.text for data in tree.iter()}
    elif kind == "dot":
        assert 'a \\"b\\" <c> & d\\\\e;|#\\n🕷' in text
    else:
        assert "a #34;b#34; #60;c#62; #38; d#92;e#59;#124;#35;#10;#128375;#92;u0001" in text


async def test_a_file_holds_more_columns_of_a_table_than_an_answer_and_tells_of_the_rest(client: Any) -> None:
    names = [f"c{number}" for number in range(20_001)]
    await client.run("widen", 1, outputs=[client.dataset("wide", " ".join(names))])
    graph = await client.get("/api/v2/lineage", namespace="data", name="wide")
    assert [(len(one["columns"]), one["columnsCut"]) for one in graph["datasets"]] == [(2_000, True)]
    asked = {"namespace": "data", "name": "wide", "format": "openlineage"}
    response = await client.http.get("/api/v2/export", params=asked)
    (event,) = map(json.loads, response.text.splitlines())
    assert [field["name"] for field in event["outputs"][0]["facets"]["schema"]["fields"]] == names[:20_000]
    assert "20,000" in response.headers["lineal-cut"]
    await client.run("narrow", 2, outputs=[client.dataset("narrow", " ".join(names[:2_001]))])
    response = await client.http.get("/api/v2/export", params={**asked, "name": "narrow"})
    (event,) = map(json.loads, response.text.splitlines())
    assert [field["name"] for field in event["outputs"][0]["facets"]["schema"]["fields"]] == names[:2_001]
    assert "lineal-cut" not in response.headers


async def test_what_cannot_be_read_is_refused(shared: Any) -> None:
    for query, status in (({}, 400), ({"format": "pdf"}, 400), ({"format": "csv"}, 400),
        ({"format": "csv", "namespace": "data", "name": "nobody"}, 404)):  # fmt: skip
        assert (await shared.http.get("/api/v2/export", params=query)).status_code == status
