"""What stands on outputs and inputs beside lineage: where they are stored and listed, what a run did to them."""

from __future__ import annotations

from typing import Any

import pytest

from lineal_producer.analysis import analyse
from lineal_producer.dbt.relations import storage_of
from lineal_producer.descriptions import Invocation
from lineal_producer.events import Event, node_event
from lineal_producer.known import Known
from lineal_producer.records import node_end

from .samples import described, invocation, node, raw_orders

AT = "2026-01-31T10:20:30.123456Z"
SOURCE = "source.shop.raw.orders"


def ended(each: dict[str, Any], status: str = "success", of: Invocation | None = None, **source: Any) -> Event:
    """The COMPLETE of a node over the source."""
    of = of or invocation()
    each = {"compiled_code": 'select id from "shop"."raw"."Orders 2"', **each, "depends_on": {"nodes": [SOURCE]}}
    told = described(each, raw_orders(**source), adapter=of["adapter"])
    end = node_end(AT, told["unique_id"], status, adapter_response={"rows_affected": 3})
    return node_event("COMPLETE", of, told, AT, analyse(of, told, Known()), Known(), end)


def made(event: Event) -> dict[str, Any]:
    (output,) = event["outputs"]
    facets: dict[str, Any] = output["facets"]
    return facets


@pytest.mark.parametrize(
    ("materialized", "status", "expected"),
    [
        ("table", "success", "OVERWRITE"),
        ("view", "success", "OVERWRITE"),
        ("table", "reused", None),
        ("table", "no-op", None),
        ("incremental", "success", None),
        ("materialized_view", "success", None),
        ("my_own", "success", None),
    ],
)
def test_a_relation_is_overwritten_where_all_of_it_is_new(materialized: str, status: str, expected: str | None) -> None:
    change = made(ended(node("model", "m", materialized=materialized), status)).get("lifecycleStateChange")
    assert (change and change["lifecycleStateChange"]) == expected


def test_neither_a_batch_nor_a_clone_is_the_whole() -> None:
    batch = {"id": "1", "event_time_start": "2026-01-01T00:00:00Z", "event_time_end": "2026-01-02T00:00:00Z"}
    assert "lifecycleStateChange" not in made(ended(node("model", "m", batch=batch)))
    assert "lifecycleStateChange" not in made(ended(node("model", "m"), of={**invocation(), "command": "clone"}))


@pytest.mark.parametrize("status", ["reused", "no-op"])
def test_what_was_not_built_wrote_no_rows(status: str) -> None:
    event = ended(node("model", "m"), status)
    assert "outputFacets" not in event["outputs"][0]
    assert event["outputs"][0]["facets"]["columnLineage"]["fields"].keys() == {"id"}


@pytest.mark.parametrize(
    ("adapter", "config", "expected"),
    [
        ("databricks", {}, {"layer": "delta", "format": "parquet"}),
        ("databricks", {"materialized": "view"}, None),
        ("databricks", {"file_format": "parquet"}, {"layer": "hive", "format": "parquet"}),
        ("databricks", {"table_format": "iceberg"}, {"layer": "iceberg", "format": None}),
        ("spark", {"file_format": "Delta"}, {"layer": "delta", "format": "parquet"}),
        ("spark", {"file_format": "orc"}, {"layer": "hive", "format": "orc"}),
        ("spark", {}, None),
        ("glue", {"file_format": "iceberg"}, {"layer": "iceberg", "format": None}),
        ("athena", {}, {"layer": "hive", "format": "parquet"}),
        ("athena", {"table_type": "iceberg", "format": "orc"}, {"layer": "iceberg", "format": "orc"}),
        ("snowflake", {"table_format": "iceberg"}, {"layer": "iceberg", "format": None}),
        ("snowflake", {"table_format": "default"}, None),
        ("bigquery", {"table_format": "iceberg"}, {"layer": "iceberg", "format": None}),
        ("duckdb", {}, None),
        ("postgres", {"file_format": "delta"}, None),
    ],
)
def test_the_table_format(adapter: str, config: dict[str, Any], expected: dict[str, Any] | None) -> None:
    assert storage_of(node("model", "m", config=config), adapter) == expected


def test_a_table_of_a_lake_has_its_format_and_catalog() -> None:
    of = invocation("databricks", credentials={"type": "databricks", "host": "d.example", "catalog": "main"})
    facets = made(ended(node("model", "m", database="main", relation_name="`main`.`s`.`m`"), of=of))
    assert (facets["storage"]["storageLayer"], facets["storage"]["fileFormat"]) == ("delta", "parquet")
    assert [facets["catalog"][key] for key in ("framework", "type", "name")] == ["delta", "unity", "main"]
    assert facets["symlinks"]["identifiers"][0]["namespace"] == "databricks://d.example"


def test_of_a_source_its_readers_tell_what_the_project_says() -> None:
    column = {"name": "id", "tags": ["key"], "description": "The key."}
    event = ended(node("model", "m"), tags=["raw"], meta={"owner": "@ana"}, description="All.", columns={"id": column})
    (given,) = event["inputs"]
    assert given["facets"]["documentation"]["description"] == "All."
    assert given["facets"]["ownership"]["owners"] == [{"name": "@ana"}]
    told = [(tag["key"], tag.get("field")) for tag in given["facets"]["tags"]["tags"]]
    assert told == [("raw", None), ("key", "id")]


def test_records_of_an_older_release_have_events_too() -> None:
    """Those that wait in an outbox over an upgrade."""
    of = invocation()
    told = described(node("model", "m", depends_on=[SOURCE], compiled_code="select 1 as one"), raw_orders())
    del told["storage"]
    for given in told["inputs"]:
        del given["tags"], given["owners"]
    built = node_event("COMPLETE", of, told, AT, None, Known(), node_end(AT, told["unique_id"], "success"))
    assert made(built).keys() >= {"dataSource", "datasetType", "lifecycleStateChange"}


def test_a_file_of_a_project_in_a_folder_of_its_repository() -> None:
    git: Any = {"sha": "abc", "url": "https://git.example/team/all.git", "branch": "main", "folder": "data/shop"}
    code = ended(node("model", "m"), of=invocation(git=git))["job"]["facets"]["sourceCodeLocation"]
    assert (code["url"], code["path"]) == (
        "https://git.example/team/all/blob/abc/data/shop/models/m.sql",
        "data/shop/models/m.sql",
    )
    other = ended(node("model", "m", package_name="vendor"), of=invocation(git=git))
    assert "sourceCodeLocation" not in other["job"]["facets"], "a package is kept elsewhere"
