"""The column engine over the example's compiled SQL gives what was derived by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineal_producer.columns import Input, ModelLineage, trace

from .shop_truth import Answer, Column, Edge, artifact, read_answers, read_columns, read_marts

ODOMETERS = "telemetry.odometer_readings"


@pytest.fixture(scope="module")
def lineage(shop: Path) -> dict[str, ModelLineage]:
    """The lineage of every model and snapshot that has a relation, by `schema.table`."""
    schema: dict[str | tuple[str, ...], dict[str, str]] = {
        f"shop.{relation}": columns for relation, columns in read_columns(shop).items()
    }
    return {
        f"{node['schema']}.{node['alias']}": trace(node["compiled_code"], "duckdb", schema, "shop", "shop")
        for node in artifact(shop, "manifest")["nodes"].values()
        if node["resource_type"] in {"model", "snapshot"} and node["config"]["materialized"] != "ephemeral"
    }


def source_of(given: Input) -> Column:
    relation = ODOMETERS if given.table.endswith(".parquet") else ".".join(given.relation[-2:])
    return Column(relation, given.column)


def edges_of(lineage: dict[str, ModelLineage], relation: str) -> Iterator[Edge]:
    for column in lineage[relation].columns:
        for given in column.inputs:
            yield Edge(Column(relation, column.name), source_of(given), f"{given.type}/{given.subtype}")


def test_every_model_is_resolved(lineage: dict[str, ModelLineage], shop: Path) -> None:
    columns = read_columns(shop)

    for relation, found in lineage.items():
        assert (found.status, found.gaps) == ("resolved", ()), relation
        own = [name for name in columns[relation] if not name.startswith("dbt_")]
        assert [column.name for column in found.columns] == own, relation


def test_project_has_edges_enough(lineage: dict[str, ModelLineage]) -> None:
    pairs = {(edge.target, edge.source) for relation in lineage for edge in edges_of(lineage, relation)}

    assert len(pairs) >= 676


@pytest.mark.parametrize("mart", sorted(read_marts()))
def test_edges_of_a_mart_are_those_derived_by_hand(lineage: dict[str, ModelLineage], mart: str) -> None:
    truth, found = read_marts()[mart], lineage[mart]

    assert set(edges_of(lineage, mart)) == truth.edges
    assert {column.name for column in found.columns if column.status == "constant"} == truth.constant
    assert {(source_of(given), f"{given.type}/{given.subtype}") for given in found.rows} == truth.rows
    assert {
        (Column(mart, column.name), source_of(given))
        for column in found.columns
        for given in column.inputs
        if given.masking and given.type == "DIRECT"
    } == truth.masked


@pytest.mark.parametrize("answer", read_answers(), ids=lambda answer: answer.id)
def test_answers_written_by_hand_are_whole_and_right(lineage: dict[str, ModelLineage], answer: Answer) -> None:
    everything = {edge for relation in lineage for edge in edges_of(lineage, relation)}

    assert answer.walk(everything) == answer.edges
