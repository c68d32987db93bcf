"""A real build of the example with the plugin: its events say what was derived by hand."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .shop_truth import Answer, Column, Edge, artifact, read_answers, read_columns, read_marts

INVOCATION = "dbt-run-shop"
DEADLINE_SECONDS = 300.0


@pytest.fixture(scope="module")
def events(shop: Path) -> list[dict[str, Any]]:
    """Every event of the build; the worker may still be writing when dbt has ended."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        found = [json.loads(line) for line in whole_lines(shop / "events.ndjson")]
        ended = any(event["job"]["name"] == INVOCATION and event.get("eventType") == "COMPLETE" for event in found)
        if ended or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


@pytest.fixture(scope="module")
def outputs(events: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The facets of every relation that the build completed, by `schema.table`."""
    return {
        relation_of(output): output["facets"]
        for event in events
        if event.get("eventType") == "COMPLETE"
        for output in event["outputs"]
    }


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that is being written; none while it isn't there."""
    return [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")] if path.exists() else []


def relation_of(dataset: dict[str, Any]) -> str:
    if dataset["namespace"] == "file":
        return "telemetry.odometer_readings"
    return ".".join(dataset["name"].split(".")[-2:])


def kinds_of(given: dict[str, Any]) -> Iterator[str]:
    for transformation in given["transformations"]:
        yield f"{transformation['type']}/{transformation['subtype']}"


def edges_of(outputs: dict[str, dict[str, Any]], relation: str) -> Iterator[Edge]:
    for name, field in outputs[relation]["columnLineage"]["fields"].items():
        for given in field["inputFields"]:
            for kind in kinds_of(given):
                yield Edge(Column(relation, name), Column(relation_of(given), given["field"]), kind)


def test_every_node_starts_and_completes_once(events: list[dict[str, Any]], shop: Path) -> None:
    seen = Counter(
        (event["job"]["name"], event["eventType"])
        for event in events
        if event.get("eventType") not in (None, "RUNNING")
    )
    ran = [result for result in artifact(shop, "run_results")["results"] if result["status"] != "no-op"]

    assert {kind for _, kind in seen} == {"START", "COMPLETE"}
    assert set(seen.values()) == {1}
    assert len(seen) == 2 * (len(ran) + 1)


def test_schema_and_column_lineage_have_every_column_of_the_database(
    outputs: dict[str, dict[str, Any]], shop: Path
) -> None:
    built = {name: list(found) for name, found in read_columns(shop).items() if not name.startswith("raw.")}

    assert {name: [field["name"] for field in facets["schema"]["fields"]] for name, facets in outputs.items()} == built
    assert {name: set(facets["columnLineage"]["fields"]) for name, facets in outputs.items()} == {
        name: set(columns) for name, columns in built.items()
    }


def test_no_column_is_unresolved_and_seeds_have_no_inputs(outputs: dict[str, dict[str, Any]]) -> None:
    statuses = Counter(
        (relation.startswith("reference."), column["status"])
        for relation, facets in outputs.items()
        for column in facets["lineal_lineage"]["columns"]
    )

    assert set(statuses) == {(True, "constant"), (False, "constant"), (False, "traced")}
    assert not [
        edge for relation in outputs if relation.startswith("reference.") for edge in edges_of(outputs, relation)
    ]


def test_build_has_the_edges_and_columns_that_the_demo_asks_for(outputs: dict[str, dict[str, Any]]) -> None:
    pairs = {(edge.target, edge.source) for relation in outputs for edge in edges_of(outputs, relation)}

    assert len(pairs) >= 676
    assert sum(len(facets["columnLineage"]["fields"]) for facets in outputs.values()) >= 452


@pytest.mark.parametrize("mart", sorted(read_marts()))
def test_every_edge_of_a_mart_is_one_derived_by_hand(outputs: dict[str, dict[str, Any]], mart: str) -> None:
    truth, facet = read_marts()[mart], outputs[mart]["columnLineage"]

    assert set(edges_of(outputs, mart)) == truth.edges
    assert {name for name, field in facet["fields"].items() if not field["inputFields"]} == truth.constant
    assert {
        (Column(relation_of(given), given["field"]), kind) for given in facet["dataset"] for kind in kinds_of(given)
    } == truth.rows


@pytest.mark.parametrize("answer", read_answers(), ids=lambda answer: answer.id)
def test_walking_the_events_gives_the_answers_written_by_hand(
    outputs: dict[str, dict[str, Any]], answer: Answer
) -> None:
    everything = {edge for relation in outputs for edge in edges_of(outputs, relation)}

    assert answer.walk(everything) == answer.edges
