"""Every event that the producer builds is valid, formats too, by the schemas that the facets name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource

from lineal_producer.analysis import analyse
from lineal_producer.dbt.exposures import describe_exposures
from lineal_producer.dbt.nodes import describe_node
from lineal_producer.events import Event, Kind, invocation_event, node_event
from lineal_producer.exposure_event import exposure_event
from lineal_producer.known import Known
from lineal_producer.records import invocation_end, node_end

from ..unit.producer.samples import INVOCATION_ID, described, invocation, node, raw_orders

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
AT = "2026-01-31T10:20:30.123456Z"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
SOURCE = "source.shop.raw.orders"
RUN: Any = {"namespace": "air flow", "name": "dag.task", "run_id": INVOCATION_ID}
GIT: Any = {"sha": "abc", "url": "https://user:secret@example.org/team/my shop.git", "branch": "main"}


@cache
def registry() -> Registry[Any]:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*/spec/**/*.json")]
    assert documents, SCHEMAS
    return Registry().with_resources([(each["$id"], Resource.from_contents(each)) for each in documents])


@cache
def validator(url: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": url}, registry=registry(), format_checker=FormatChecker())


def facets_of(event: Event) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from event.get("run", {}).get("facets", {}).items()
    yield from event["job"]["facets"].items()
    for dataset in event["inputs"] + event["outputs"]:
        for part in ("facets", "inputFacets", "outputFacets"):
            yield from dataset.get(part, {}).items()


def check(event: Event) -> set[str]:
    """Fails unless the event and all of its facets are valid; gives the facets' names."""
    back = json.loads(json.dumps(event))
    assert back == event, "plain JSON"
    validator(CORE).validate(back)
    seen = set()
    for name, facet in facets_of(back):
        assert facet["_schemaURL"].startswith(
            ("https://openlineage.io/spec/facets/", "https://lineal.dev/spec/facets/")
        )
        validator(facet["_schemaURL"]).validate(facet)
        validator(facet["_schemaURL"].partition("#")[0]).validate({name: facet})
        seen.add(name)
    inputs = {(one["namespace"], one["name"]) for one in back["inputs"]}
    for output in back["outputs"]:
        lineage = output["facets"].get("columnLineage", {"fields": {}})
        named = [one for told in lineage["fields"].values() for one in told["inputFields"]] + lineage.get("dataset", [])
        assert {(one["namespace"], one["name"]) for one in named} <= inputs, "inputs hold all that the lineage names"
        columns = [one["name"] for one in output["facets"].get("schema", {"fields": []})["fields"]]
        assert lineage["fields"].keys() <= set(columns)
    return seen


def nodes() -> dict[str, tuple[dict[str, Any], ...]]:
    """Nodes of every kind, each with what it reads."""
    documented = {
        "description": "What was ordered.",
        "tags": ["nightly", "ünïcode 🦆"],
        "meta": {"owner": ["@ana", "bo"]},
        "columns": {"id": {"name": "id", "description": "The key.", "tags": ["pii"]}},
    }
    sql = 'select *, count(*) over (partition by id) as n from "shop"."raw"."Orders 2" where id > 0 order by id'
    quoted = {"relation_name": '"sh.op"."ma""in"."ord ers 🦆"', "original_file_path": "models/my file.sql"}
    check_config = {"strategy": "check", "unique_key": "id", "check_cols": "all"}
    told = {"name": "accepted_values", "kwargs": {"column_name": "id", "values": [1, None]}}
    batch = {"id": "1", "event_time_start": "2026-01-01T00:00:00Z", "event_time_end": "2026-01-02T00:00:00Z"}
    raw = raw_orders(description="Raw.")
    return {
        "model": (node("model", "stg", depends_on=[SOURCE], compiled_code=sql, **documented), raw),
        "odd names": (node("model", "odd", depends_on=[SOURCE], compiled_code=sql, **quoted), raw),
        "batch": (node("model", "events", depends_on=[SOURCE], compiled_code=sql, batch=batch), raw),
        "view": (node("model", "v", materialized="view", compiled_code="select 1 as one, null as nothing"),),
        "broken": (node("model", "broken", compiled_code="select ((("),),
        "uncompiled": (node("model", "uncompiled", depends_on=[SOURCE]), raw),
        "python": (node("model", "py", language="python", compiled_code="def model(): ..."),),
        "external": (node("model", "ext", materialized="external", compiled_code="select 1 as a"),),
        "seed": (node("seed", "countries", columns={"code": {"name": "code"}}),),
        "snapshot": (node("snapshot", "h", depends_on=[SOURCE], compiled_code=sql, config=check_config), raw),
        "generic": (node("test", "t", depends_on=[SOURCE], test_metadata=told, attached_node=SOURCE), raw),
        "singular": (node("test", "s", depends_on=[SOURCE], compiled_code="select 1"), raw),
        "unit": (node("unit_test", "u", depends_on=["model.shop.v"]), node("model", "v")),
    }


@pytest.mark.parametrize("mode", ["full", "hash", "none"])
@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("name", nodes())
def test_events_of_nodes(name: str, kind: Any, mode: Any) -> None:
    each, *others = nodes()[name]
    of = invocation(parent=RUN, root=RUN, git=GIT, sql_mode=mode, selectors={"select": ["a"]})
    known = Known({SOURCE: [("id", "BIGINT"), ("näme", None)]})
    told = described(each, *others)
    response = {"rows_affected": 3, "query_id": "q"}
    end = node_end(AT, told["unique_id"], "error", message="it failed", failures=2, adapter_response=response)
    analysis = analyse(of, told, known)
    seen = check(node_event(kind, of, told, AT, analysis, known, None if kind == "START" else end))
    check(node_event(kind, of, told, AT, None, Known(), end))
    assert {"jobType", "processing_engine", "parent", "tags", "lineal_invocation"} <= seen
    if told["resource_type"] in {"model", "seed", "snapshot"}:
        assert {"columnLineage", "lineal_lineage", "dataSource", "datasetType"} <= seen
    if kind == "FAIL":
        assert "errorMessage" in seen


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("parent", [None, RUN])
def test_events_of_commands(kind: Any, parent: Any) -> None:
    hooks: Any = [{"when": "post-hook", "sql": "grant select on {{ this }} to bi", "nodes": ["model.shop.stg"]}]
    end = invocation_end(AT, success=False, reason="interrupted", hooks=hooks)
    event = invocation_event(kind, invocation(parent=parent, root=parent), AT, end)
    check(event)
    assert event["run"]["facets"]["lineal_invocation"]["hooks"] == hooks
    hidden = invocation_event(kind, invocation(parent=parent, root=parent, sql_mode="none"), AT, end)
    check(hidden)
    assert hidden["run"]["facets"]["lineal_invocation"]["hooks"][0]["sql"] is None


def test_events_of_exposures() -> None:
    metric = {"unique_id": "metric.shop.m", "depends_on": {"nodes": ["semantic_model.shop.s"]}}
    semantic = {"unique_id": "semantic_model.shop.s", "depends_on": {"nodes": ["model.shop.stg"]}}
    exposure = {
        "unique_id": "exposure.shop.board",
        "resource_type": "exposure",
        "type": "dashboard",
        "url": "https://bi.example/7",
        "maturity": "high",
        "description": "The board's.",
        "owner": {"email": "ana@example.org"},
        "tags": ["weekly"],
        "meta": {"owner": "bo"},
        "original_file_path": "models/exposures.yml",
        "depends_on": {"nodes": ["metric.shop.m", SOURCE]},
    }
    manifest = {
        "nodes": {each["unique_id"]: each for each in nodes()["model"][:1]},
        "sources": {SOURCE: raw_orders()},
        "metrics": {metric["unique_id"]: metric},
        "semantic_models": {semantic["unique_id"]: semantic},
        "exposures": {exposure["unique_id"]: exposure},
    }
    assert describe_exposures(manifest, "duckdb", {"model.shop.other"}) == []
    (told,) = describe_exposures(manifest, "duckdb", {"model.shop.stg"})
    assert [each["unique_id"] for each in told["inputs"]] == ["model.shop.stg", SOURCE]
    event = exposure_event(invocation(git=GIT, target="dev"), told, AT)
    assert check(event) >= {"documentation", "ownership", "tags", "jobType", "sourceCodeLocation", "dataSource"}
    assert event["job"]["name"] == "exposure.shop.board.dev"
    assert [owner["name"] for owner in event["job"]["facets"]["ownership"]["owners"]] == ["ana@example.org", "bo"]


def test_freshness_is_an_assertion_on_the_source() -> None:
    told = describe_node(raw_orders(), {"sources": {SOURCE: raw_orders()}}, "duckdb")
    end = node_end(AT, SOURCE, "warn", loaded_at=AT)
    event = node_event("COMPLETE", invocation(), told, AT, None, Known(), end)
    assert check(event) >= {"dataQualityAssertions", "dataQualityMetrics", "test"}
    (given,) = event["inputs"]
    assert given["inputFacets"]["dataQualityAssertions"]["assertions"][0]["success"] is False
    assert given["inputFacets"]["dataQualityMetrics"]["lastUpdated"] == AT


@pytest.mark.parametrize(
    "credentials",
    [
        {"type": "bigquery", "project": "p"},
        {"type": "databricks", "host": "d.example"},
        {"type": "glue", "region": "eu-west-1", "role_arn": "arn:aws:iam::1:role/x"},
        {"type": "duckdb", "path": "/srv/my shop ü.duckdb"},
        {"type": "duckdb"},
        {"type": "futuredb"},
    ],
)
def test_every_namespace_makes_a_valid_data_source(credentials: dict[str, Any]) -> None:
    of = invocation(credentials["type"], credentials=credentials)
    each, *others = nodes()["model"]
    told = described(each, *others, adapter=credentials["type"])
    check(node_event("START", of, told, AT, analyse(of, told, Known()), Known()))


def test_no_credentials_in_an_event() -> None:
    each, *others = nodes()["model"]
    told = described(each, *others)
    of = invocation(git=GIT)
    assert "secret" not in json.dumps(node_event("START", of, told, AT, analyse(of, told, Known()), Known()))
