"""The lineage of a whole project from target/, and the four ways in which it is written."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_producer.columns import trace
from lineal_producer.errors import LinealError, SettingsError
from lineal_producer.lineage_output import CSV_HEADER, as_csv, as_json, as_mermaid, as_table
from lineal_producer.project import ProjectLineage, project_lineage

from .samples import manifest, node, raw_orders

SOURCE = "source.shop.raw.orders"
STG = 'select *, amount * 2 as twice from "shop"."raw"."Orders 2"'
MART = """select s.id, sum(s.twice) as total, 'x' as label
from "shop"."main"."stg" s where s.amount > 0 group by s.id"""


def entry(name: str, *columns: str, schema: str = "main") -> dict[str, Any]:
    told = {column: {"name": column, "type": "INT", "index": at} for at, column in enumerate(columns)}
    return {"metadata": {"database": "shop", "schema": schema, "name": name}, "columns": told}


def nodes() -> list[dict[str, Any]]:
    return [
        node("model", "mart", depends_on=["model.shop.stg"], compiled_code=MART),
        node("model", "stg", materialized="view", depends_on=[SOURCE], compiled_code=STG),
        node("model", "eph", materialized="ephemeral", compiled_code="select 1 as one"),
        node("model", "opaque", depends_on=[SOURCE], raw_code="select {{ var('x') }}"),
        node("seed", "countries", columns={"code": {"name": "code"}}),
        node("test", "not_null", depends_on=["model.shop.mart"], compiled_code="select 1"),
        raw_orders(),
    ]


def write(folder: Path, *each: dict[str, Any], catalog: dict[str, Any] | None = None, adapter: str = "duckdb") -> Path:
    target = folder / "target"
    target.mkdir()
    (target / "manifest.json").write_text(json.dumps(manifest(*each, adapter=adapter)), encoding="utf-8")
    if catalog is not None:
        (target / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> ProjectLineage:
    catalog = {"sources": {SOURCE: entry("Orders 2", "id", "amount", schema="raw")}, "nodes": {}}
    return project_lineage(write(tmp_path, *nodes(), catalog=catalog))


def test_computed_columns_feed_the_children(shop: ProjectLineage) -> None:
    models = {model.name: model for model in shop.models}
    assert set(models) == {"mart", "stg", "opaque", "countries"}, "ephemeral models and tests are not stored"
    assert [column.name for column in models["stg"].lineage.columns] == ["id", "amount", "twice"]
    assert models["mart"].pairs == {("shop.main.stg", "id", "id"), ("shop.main.stg", "twice", "total")}
    assert models["stg"].pairs == {
        ("shop.raw.Orders 2", "id", "id"),
        ("shop.raw.Orders 2", "amount", "amount"),
        ("shop.raw.Orders 2", "amount", "twice"),
    }
    assert models["opaque"].lineage.gaps[0].code == "no_compiled_sql"
    assert dict(shop.statuses) == {"resolved": 2, "unresolved": 2}
    assert dict(shop.columns) == {"traced": 5, "constant": 1}
    assert shop.edges == 5


def test_without_a_catalog_a_star_stays_open_but_named_columns_do_not(tmp_path: Path) -> None:
    shop = project_lineage(write(tmp_path, *nodes()))
    models = {model.name: model for model in shop.models}
    assert models["stg"].lineage.status == "partial"
    assert models["mart"].lineage.status == "resolved"
    assert ("shop.main.stg", "twice", "total") in models["mart"].pairs


def test_a_selection_prints_less_but_knows_the_same(tmp_path: Path) -> None:
    catalog = {"sources": {SOURCE: entry("Orders 2", "id", "amount", schema="raw")}, "nodes": {}}
    folder = write(tmp_path, *nodes(), catalog=catalog)
    found = project_lineage(folder, wanted=["mart"])
    assert [model.name for model in found.models] == ["mart"]
    assert found.edges == 2
    with pytest.raises(SettingsError, match=r"--select='nothing': expected a name"):
        project_lineage(folder, wanted=["nothing"])


def test_relations_are_spelled_as_the_catalog_has_them(tmp_path: Path) -> None:
    orders = node("model", "orders", relation_name="analytics.dbt.orders", compiled_code="select 1 as id")
    sql = 'select id from ANALYTICS.dbt."Orders"'
    mart = node(
        "model", "mart", relation_name="analytics.dbt.mart", depends_on=["model.shop.orders"], compiled_code=sql
    )
    told = {"metadata": {"database": "ANALYTICS", "schema": "DBT", "name": "Orders"}, "columns": {}}
    catalog = {"nodes": {"model.shop.orders": told}, "sources": {}}
    found = project_lineage(write(tmp_path, orders, mart, catalog=catalog, adapter="snowflake"))
    assert [model.relation for model in found.models] == ["ANALYTICS.DBT.Orders", "ANALYTICS.DBT.MART"]
    assert found.models[1].pairs == {("ANALYTICS.DBT.Orders", "ID", "ID")}


def test_any_tracer_can_be_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    class Counting:
        def trace(self, sql: str, *rest: Any) -> Any:
            asked.append(sql)
            return trace(sql, *rest)

    project_lineage(write(tmp_path, *nodes()), tracer=Counting())
    assert asked == [STG, MART]


JUNK = st.sampled_from([None, [], {}, "", 0, 1.5, True, "x", "\ud800", "🦆", [None], {"a": None}, {"a": []}, -1])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_manifest_holds_there_is_an_answer_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    broken = manifest(*nodes())
    for _ in range(data.draw(st.integers(1, 4))):
        place: Any = broken
        for _ in range(data.draw(st.integers(0, 5))):
            inner = [key for key, value in place.items() if isinstance(value, dict) and value]
            if not inner:
                break
            place = place[data.draw(st.sampled_from(inner))]
        if place:
            place[data.draw(st.sampled_from(list(place)))] = copy.deepcopy(data.draw(JUNK))
    folder = tmp_path_factory.mktemp("broken")
    (folder / "target").mkdir()
    (folder / "target" / "manifest.json").write_text(json.dumps(broken), encoding="utf-8")
    one_sentence = True
    try:
        found = project_lineage(folder)
        said = [text(found) for text in (as_table, as_json, as_csv, as_mermaid)]
    except LinealError as error:
        said = [str(error)]
        one_sentence = "\n" not in said[0]
    assert one_sentence
    assert all(said)


class TestFormats:
    def test_table(self, shop: ProjectLineage) -> None:
        lines = as_table(shop).splitlines()
        assert lines[0].split() == ["model", "status", "columns", "traced", "constant", "unresolved", "edges"]
        mart = next(line for line in lines if line.startswith("mart"))
        assert mart.split() == ["mart", "resolved", "3", "2", "1", "0", "2"]
        assert any(line.startswith("  no_compiled_sql: ") for line in lines)
        assert any(line.startswith("countries (seed)") for line in lines)
        assert lines[-3:] == [
            "models   4: 2 resolved, 0 partial, 2 unresolved, 0 failed",
            "columns  6: 5 traced, 1 constant, 0 unresolved",
            "edges    5",
        ]

    def test_json(self, shop: ProjectLineage) -> None:
        document = json.loads(as_json(shop))
        assert document["totals"] == {
            "models": 4,
            "resolved": 2,
            "partial": 0,
            "unresolved": 2,
            "failed": 0,
            "columns": {"traced": 5, "constant": 1, "unresolved": 0},
            "edges": 5,
        }
        mart = next(model for model in document["models"] if model["uniqueId"] == "model.shop.mart")
        assert mart["columns"][1] == {
            "name": "total",
            "type": None,
            "status": "traced",
            "reason": None,
            "expression": "SUM(s.twice)",
            "inputs": [
                {
                    "uniqueId": "model.shop.stg",
                    "relation": "shop.main.stg",
                    "column": "twice",
                    "type": "DIRECT",
                    "subtype": "AGGREGATION",
                    "masking": False,
                }
            ],
        }
        assert {(row["column"], row["subtype"]) for row in mart["rows"]} == {("amount", "FILTER"), ("id", "GROUP_BY")}

    def test_csv(self, shop: ProjectLineage) -> None:
        rows = list(csv.DictReader(io.StringIO(as_csv(shop))))
        assert tuple(rows[0]) == CSV_HEADER
        assert (
            len(
                {
                    (row["source_relation"], row["source_column"], row["target_relation"], row["target_column"])
                    for row in rows
                    if row["target_column"]
                }
            )
            == 5
        )
        filtered = [row for row in rows if row["subtype"] == "FILTER"]
        assert [(row["source_column"], row["target_column"]) for row in filtered] == [("amount", "")]

    def test_mermaid(self, shop: ProjectLineage) -> None:
        check_mermaid(as_mermaid(shop))
        assert as_mermaid(shop).count("-->") == 5

    def test_mermaid_escapes_what_ends_a_label(self, tmp_path: Path) -> None:
        name = 'we"ird [x] #1; <b> `t` | 🦆'
        sql = 'select 1 as "a""b]", 2 as "end"'
        each = node("model", "w", relation_name='"shop"."main"."' + name.replace('"', '""') + '"', compiled_code=sql)
        text = as_mermaid(project_lineage(write(tmp_path, each)))
        check_mermaid(text)
        assert "🦆" in text

    def test_mermaid_of_too_many_edges_is_about_relations(self, tmp_path: Path) -> None:
        sql = "select " + ", ".join(f"a + b as c{at}" for at in range(300)) + ' from "shop"."raw"."Orders 2"'
        text = as_mermaid(
            project_lineage(write(tmp_path, node("model", "m", compiled_code=sql, depends_on=[SOURCE]), raw_orders()))
        )
        check_mermaid(text)
        assert "-->|600|" in text

    def test_an_empty_project(self, tmp_path: Path) -> None:
        empty = project_lineage(write(tmp_path))
        assert as_table(empty).splitlines()[-1] == "edges    0"
        assert json.loads(as_json(empty))["models"] == []
        assert as_csv(empty) == ",".join(CSV_HEADER)
        assert as_mermaid(empty) == "flowchart LR"


def check_mermaid(text: str) -> None:
    """Fails unless every line is one of the statements that a flowchart of ours is made of, and ids are declared."""
    label = r'\["[^"#;<>&`\\\n]*(#\d+;[^"#;<>&`\\\n]*)*"\]'
    declared: set[str] = set()
    open_groups = 0
    lines = text.splitlines()
    assert lines[0] == "flowchart LR"
    for line in map(str.strip, lines[1:]):
        if line.startswith("%%"):
            continue
        if line == "end":
            open_groups -= 1
        elif re.fullmatch(r"subgraph r\d+" + label, line):
            open_groups += 1
        elif found := re.fullmatch(r"(r\d+(?:c\d+)?)" + label, line):
            declared.add(found.group(1))
        else:
            link = re.fullmatch(r"(\w+) -->(?:\|\d+\|)? (\w+)", line)
            assert link, line
            assert {link.group(1), link.group(2)} <= declared
    assert open_groups == 0


def shape(value: Any) -> Any:
    """Which keys a JSON document has, a list by its first entry."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else None


def test_the_documented_json_is_the_written_one(shop: ProjectLineage) -> None:
    text = (Path(__file__).parents[3] / "docs" / "lineage.md").read_text(encoding="utf-8")
    documented = json.loads(text.split("```json\n")[1].split("```")[0])
    written = json.loads(as_json(shop))
    mart = next(model for model in written["models"] if model["name"] == "mart")
    gap = next(model for model in written["models"] if model["gaps"])["gaps"]
    assert shape({**written, "models": [{**mart, "gaps": gap}]}) == shape(documented)
