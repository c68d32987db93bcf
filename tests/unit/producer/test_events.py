"""Whole events by value: states, ids, inputs, outputs, what a failure says, what stays hidden."""

from __future__ import annotations

import json
import time
from typing import Any

import orjson
import pytest

from lineal_producer.analysis import analyse
from lineal_producer.descriptions import Invocation
from lineal_producer.events import Event, end_kind, invocation_event, node_event
from lineal_producer.job_facets import job_facets
from lineal_producer.known import Known
from lineal_producer.records import NodeEnd, invocation_end, node_end
from lineal_producer.runs import node_run_id

from .samples import INVOCATION_ID, described, invocation, node, raw_orders

AT = "2026-01-31T10:20:30.123456Z"
NAMESPACE = "duckdb:///srv/shop.duckdb"
SOURCE = "source.shop.raw.orders"
SQL = 'select id, amount * 2 as twice, now() as at from "shop"."raw"."Orders 2" where status = 1'


def event(
    kind: Any = "COMPLETE",
    each: dict[str, Any] | None = None,
    *others: dict[str, Any],
    of: Invocation | None = None,
    known: Known | None = None,
    end: NodeEnd | None = None,
) -> Event:
    """The event of a node, `stg` over the source unless another is given."""
    of = of or invocation()
    known = known or Known()
    each = each or node("model", "stg", materialized="view", depends_on=[SOURCE], compiled_code=SQL)
    told = described(each, *(others or (raw_orders(),)), adapter=of["adapter"])
    return node_event(kind, of, told, AT, analyse(of, told, known), known, end)


def fields_of(built: Event) -> dict[str, list[dict[str, Any]]]:
    lineage = built["outputs"][0]["facets"]["columnLineage"]["fields"]
    return {name: told["inputFields"] for name, told in lineage.items()}


def pairs_of(built: Event) -> dict[str, set[tuple[str, str]]]:
    return {name: {(one["name"], one["field"]) for one in inputs} for name, inputs in fields_of(built).items()}


class TestNode:
    def test_identity(self) -> None:
        built = event("START")
        assert built["eventType"] == "START"
        assert built["eventTime"] == AT, "microseconds are kept"
        assert built["run"]["runId"] == node_run_id(INVOCATION_ID, "model.shop.stg")
        assert (built["job"]["namespace"], built["job"]["name"]) == ("dbt", "shop.main.shop.stg")
        parent = built["run"]["facets"]["parent"]
        assert parent["run"] == {"runId": INVOCATION_ID}
        assert parent["job"] == {"namespace": "dbt", "name": "dbt-run-shop"}
        assert parent["root"]["run"] == {"runId": INVOCATION_ID}

    @pytest.mark.parametrize("kind", ["START", "RUNNING", "COMPLETE", "FAIL"])
    def test_every_state_carries_inputs_outputs_schema_and_lineage(self, kind: str) -> None:
        built = event(kind)
        assert [(one["namespace"], one["name"]) for one in built["inputs"]] == [(NAMESPACE, "shop.raw.Orders 2")]
        assert [(one["namespace"], one["name"]) for one in built["outputs"]] == [(NAMESPACE, "shop.main.stg")]
        facets = built["outputs"][0]["facets"]
        assert [one["name"] for one in facets["schema"]["fields"]] == ["id", "twice", "at"]
        assert pairs_of(built) == {
            "id": {("shop.raw.Orders 2", "id")},
            "twice": {("shop.raw.Orders 2", "amount")},
            "at": set(),
        }

    def test_column_lineage_by_value(self) -> None:
        built = event()
        assert fields_of(built)["twice"] == [
            {
                "namespace": NAMESPACE,
                "name": "shop.raw.Orders 2",
                "field": "amount",
                "transformations": [
                    {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": False, "description": "amount * 2"}
                ],
            }
        ]
        assert fields_of(built)["at"] == []
        assert built["outputs"][0]["facets"]["columnLineage"]["dataset"] == [
            {
                "namespace": NAMESPACE,
                "name": "shop.raw.Orders 2",
                "field": "status",
                "transformations": [{"type": "INDIRECT", "subtype": "FILTER", "masking": False}],
            }
        ]

    def test_one_input_with_two_effects_is_one_entry(self) -> None:
        sql = 'select coalesce(id, 0) as id from "shop"."raw"."Orders 2"'
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code=sql))
        told = fields_of(built)["id"]
        assert len(told) == 1
        assert {(one["type"], one["subtype"]) for one in told[0]["transformations"]} == {
            ("DIRECT", "TRANSFORMATION"),
            ("INDIRECT", "CONDITIONAL"),
        }

    def test_lineals_facet(self) -> None:
        facet = event()["outputs"][0]["facets"]["lineal_lineage"]
        assert facet["modelId"] == "model.shop.stg"
        assert facet["status"] == "resolved"
        assert [(one["name"], one["status"], one["self"]) for one in facet["columns"]] == [
            ("id", "traced", False),
            ("twice", "traced", False),
            ("at", "constant", False),
        ]
        assert facet["columns"][1]["expression"] == "amount * 2"
        assert facet["relations"] == [{"namespace": NAMESPACE, "name": "shop.raw.Orders 2", "modelId": SOURCE}]
        assert facet["dialect"] == "duckdb"
        assert all(len(facet[key]) == 64 for key in ("sqlHash", "schemaHash", "lineageHash"))

    def test_hashes_change_with_what_they_are_of(self) -> None:
        def hashes(known: Known) -> tuple[str, str, str]:
            facet = event(known=known)["outputs"][0]["facets"]["lineal_lineage"]
            return facet["sqlHash"], facet["schemaHash"], facet["lineageHash"]

        first = hashes(Known({SOURCE: [("id", "INT"), ("amount", "INT"), ("status", "INT")]}))
        same = hashes(
            Known({SOURCE: [("id", "INT"), ("amount", "INT"), ("status", "INT")], "model.other": [("x", None)]})
        )
        retyped = hashes(Known({SOURCE: [("id", "INT"), ("amount", "DOUBLE"), ("status", "INT")]}))
        assert first == same
        assert retyped[0] == first[0]
        assert retyped[1] != first[1]
        assert retyped[2] != first[2]

    def test_failure_says_why_and_keeps_its_outputs(self) -> None:
        end = node_end(AT, "model.shop.stg", "error", message="Binder Error: no column amount")
        built = event("FAIL", end=end)
        message = built["run"]["facets"]["errorMessage"]
        assert (message["message"], message["programmingLanguage"]) == ("Binder Error: no column amount", "sql")
        assert built["outputs"]
        assert "errorMessage" not in event("COMPLETE", end=node_end(AT, "x", "success"))["run"]["facets"]

    def test_real_columns_and_rows_at_the_end(self) -> None:
        known = Known()
        known.read("model.shop.stg", [("ID", "BIGINT"), ("twice", "HUGEINT"), ("at", "TIMESTAMP"), ("extra", "INT")])
        end = node_end(AT, "model.shop.stg", "success", adapter_response={"rows_affected": 7})
        each = node(
            "model",
            "stg",
            depends_on=[SOURCE],
            compiled_code=SQL,
            columns={"id": {"name": "id", "description": "Key."}},
        )
        built = event("COMPLETE", each, known=known, end=end)
        output = built["outputs"][0]
        assert output["facets"]["schema"]["fields"][:2] == [
            {"name": "ID", "ordinal_position": 1, "type": "BIGINT", "description": "Key."},
            {"name": "twice", "ordinal_position": 2, "type": "HUGEINT"},
        ]
        assert output["outputFacets"]["outputStatistics"]["rowCount"] == 7
        assert "ID" in fields_of(built), "lineage under the database's names"
        assert "extra" not in fields_of(built)
        assert output["facets"]["lineal_lineage"]["columns"][3] == {
            "name": "extra",
            "status": "unresolved",
            "reason": "not_in_sql",
            "message": None,
            "expression": None,
            "self": False,
        }

    def test_batches_are_runs_of_their_own(self) -> None:
        batch = {"id": "1", "event_time_start": "2026-01-01T00:00:00Z", "event_time_end": "2026-01-02T00:00:00Z"}
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code=SQL, batch=batch))
        assert built["run"]["runId"] != node_run_id(INVOCATION_ID, "model.shop.stg")
        assert built["run"]["facets"]["nominalTime"]["nominalStartTime"] == "2026-01-01T00:00:00Z"

    def test_the_whole_of_a_microbatch_model_leaves_lineage_to_its_batches(self) -> None:
        config = {"incremental_strategy": "microbatch"}
        built = event("COMPLETE", node("model", "stg", materialized="incremental", config=config, depends_on=[SOURCE]))
        assert built["outputs"]
        assert "columnLineage" not in built["outputs"][0]["facets"]

    def test_query_id_of_the_warehouse(self) -> None:
        snowflake = node_end(AT, "x", "success", adapter_response={"query_id": "01b-1"})
        assert event(end=snowflake)["run"]["facets"]["externalQuery"]["externalQueryId"] == "01b-1"
        response = {"job_id": "j", "project_id": "p", "location": "EU"}
        bigquery = node_end(AT, "x", "success", adapter_response=response)
        assert event(end=bigquery)["run"]["facets"]["externalQuery"]["externalQueryId"] == "p:EU.j"


class TestInputs:
    def test_a_relation_that_dbt_does_not_know_is_an_input_too(self) -> None:
        sql = 'select id from "shop"."raw"."Orders 2" join other.secret using (id)'
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code=sql))
        assert (NAMESPACE, "shop.other.secret") in {(one["namespace"], one["name"]) for one in built["inputs"]}
        relations = built["outputs"][0]["facets"]["lineal_lineage"]["relations"]
        assert {one["name"]: one["modelId"] for one in relations} == {
            "shop.raw.Orders 2": SOURCE,
            "shop.other.secret": None,
        }

    @pytest.mark.parametrize(
        ("adapter", "written", "joined"),
        [
            ("duckdb", 'SHOP."RAW"."orders 2"', True),
            ("duckdb", 'raw."Orders 2"', True),
            ("postgres", 'shop.raw."Orders 2"', True),
            ("postgres", '"SHOP".raw."Orders 2"', False),
        ],
    )
    def test_sql_and_dbt_name_one_dataset(self, adapter: str, written: str, joined: bool) -> None:
        credentials = {"type": adapter, "host": "h", "path": "/srv/shop.duckdb"}
        of = invocation(adapter, credentials=credentials)
        each = node("model", "stg", depends_on=[SOURCE], compiled_code=f"select id from {written}")
        built = event("START", each, of=of)
        assert (len(built["inputs"]) == 1) is joined
        if joined:
            assert pairs_of(built)["id"] == {("shop.raw.Orders 2", "id")}

    def test_snowflake_case(self) -> None:
        of = invocation("snowflake", credentials={"type": "snowflake", "account": "o-a"})
        parent = node("model", "orders", relation_name="shop.main.orders")
        sql = "select id, Amount from SHOP.main.Orders"
        each = node(
            "model", "mart", depends_on=["model.shop.orders"], compiled_code=sql, relation_name="shop.main.mart"
        )
        built = event("START", each, parent, of=of)
        assert [one["name"] for one in built["inputs"]] == ["SHOP.MAIN.ORDERS"]
        assert pairs_of(built) == {"ID": {("SHOP.MAIN.ORDERS", "ID")}, "AMOUNT": {("SHOP.MAIN.ORDERS", "AMOUNT")}}

    def test_other_integrations_names_are_symlinks(self) -> None:
        of = invocation("databricks", credentials={"type": "databricks", "host": "d.example"})
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code="select 1 as a"), of=of)
        for dataset in built["inputs"] + built["outputs"]:
            told = dataset["facets"]["symlinks"]["identifiers"]
            assert told == [{"namespace": "databricks://d.example", "name": dataset["name"], "type": "TABLE"}]
        assert "symlinks" not in event()["outputs"][0]["facets"]

    def test_this_is_an_input_and_a_self_edge(self) -> None:
        sql = 'select id, (select max(id) from "shop"."main"."stg") as seen from "shop"."raw"."Orders 2"'
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code=sql))
        assert {one["name"] for one in built["inputs"]} == {"shop.raw.Orders 2", "shop.main.stg"}
        columns = built["outputs"][0]["facets"]["lineal_lineage"]["columns"]
        assert {one["name"]: one["self"] for one in columns} == {"id": False, "seen": True}

    def test_files_behind_a_source(self) -> None:
        location = "read_parquet('lake/events/dt=*/*.parquet', hive_partitioning = true)"
        source = raw_orders(meta={"external_location": location})
        each = node("model", "stg", depends_on=[SOURCE], compiled_code=f"select id from {location}")
        built = event("START", each, source, known=Known({SOURCE: [("id", "BIGINT"), ("dt", "DATE")]}))
        assert [(one["namespace"], one["name"]) for one in built["inputs"]] == [("file", "/srv/lake/events")]
        assert fields_of(built)["id"][0]["name"] == "/srv/lake/events"
        assert [one["name"] for one in built["inputs"][0]["facets"]["schema"]["fields"]] == ["id", "dt"]

    @pytest.mark.parametrize("location", ["s3://lake/events/*.parquet", "'s3://lake/events/*.parquet'"])
    def test_a_star_over_files_behind_a_source(self, location: str) -> None:
        source = raw_orders(meta={"external_location": location})
        each = node("model", "stg", depends_on=[SOURCE], compiled_code="select * from 's3://lake/events/*.parquet'")
        built = event("START", each, source, known=Known({SOURCE: [("id", "BIGINT")]}))
        assert [(one["namespace"], one["name"]) for one in built["inputs"]] == [("s3://lake", "events")]
        assert pairs_of(built) == {"id": {("events", "id")}}
        assert built["outputs"][0]["facets"]["lineal_lineage"]["relations"][0]["modelId"] == SOURCE

    @pytest.mark.parametrize(
        ("adapter", "written", "expected"),
        [
            ("duckdb", "read_csv('s3://lake/raw/*.csv')", ("s3://lake", "raw")),
            ("duckdb", "'raw/a.csv'", ("file", "/srv/raw/a.csv")),
            ("duckdb", '"b.parquet"', ("file", "/srv/b.parquet")),
            ("spark", "parquet.`s3://lake/raw`", ("s3://lake", "raw")),
            ("spark", "raw.`a/b`", ("spark://h:443", "raw.a/b")),
            ("postgres", '"a/b.csv"', ("postgres://h:5432", "shop.main.a/b.csv")),
        ],
    )
    def test_files_that_only_the_sql_names(self, adapter: str, written: str, expected: tuple[str, str]) -> None:
        of = invocation(adapter, credentials={"type": adapter, "host": "h", "path": "/srv/shop.duckdb"})
        built = event("START", node("model", "stg", compiled_code=f"select id from {written}"), raw_orders(), of=of)
        assert [(one["namespace"], one["name"]) for one in built["inputs"]] == [expected]

    def test_schema_of_a_source_but_not_half_a_models(self) -> None:
        parent = node("model", "orders")
        sql = 'select * from "shop"."main"."orders"'
        each = node("model", "mart", depends_on=["model.shop.orders"], compiled_code=sql)
        known = Known({"model.shop.orders": [("id", None)]})
        assert "schema" not in event("START", each, parent, known=known)["inputs"][0]["facets"]
        known = Known({"model.shop.orders": [("id", "INT")]})
        assert "schema" in event("START", each, parent, known=known)["inputs"][0]["facets"]


class TestOtherNodes:
    def test_seed_columns_are_constants(self, tmp_path: Any) -> None:
        (tmp_path / "c.csv").write_text("code,name\n", encoding="utf-8")
        seed = node("seed", "countries", root_path=str(tmp_path), original_file_path="c.csv")
        built = event("START", seed)
        assert built["job"]["name"] == "shop.main.shop.countries.seed"
        assert built["job"]["facets"]["jobType"]["jobType"] == "SEED"
        assert fields_of(built) == {"code": [], "name": []}
        assert built["inputs"] == []

    def test_a_seed_without_its_file_is_what_the_database_tells(self) -> None:
        of, known, told = invocation(), Known(), described(node("seed", "countries"))
        analysis = analyse(of, told, known)
        started = node_event("START", of, told, AT, analysis, known)
        assert started["outputs"][0]["facets"]["lineal_lineage"]["gaps"][0]["code"] == "columns_unknown"
        known.read("seed.shop.countries", [("code", "VARCHAR")])
        ended = node_event("COMPLETE", of, told, AT, analysis, known)
        assert fields_of(ended) == {"code": []}
        assert ended["outputs"][0]["facets"]["lineal_lineage"]["status"] == "resolved"

    def test_snapshot_has_dbts_own_columns(self) -> None:
        config = {"strategy": "timestamp", "unique_key": "id", "updated_at": "changed"}
        sql = 'select id, amount, changed from "shop"."raw"."Orders 2"'
        built = event("START", node("snapshot", "history", config=config, depends_on=[SOURCE], compiled_code=sql))
        pairs = {name: {field for _, field in told} for name, told in pairs_of(built).items()}
        assert pairs == {
            "id": {"id"},
            "amount": {"amount"},
            "changed": {"changed"},
            "dbt_scd_id": {"id", "changed"},
            "dbt_updated_at": {"changed"},
            "dbt_valid_from": {"changed"},
            "dbt_valid_to": {"changed"},
        }
        ways = [way for one in fields_of(built)["dbt_scd_id"] for way in one["transformations"]]
        assert {(way["subtype"], way["masking"]) for way in ways} == {("TRANSFORMATION", True)}
        assert not fields_of(built)["dbt_valid_from"][0]["transformations"][0]["masking"]

    def test_snapshot_by_check_has_constant_times(self) -> None:
        names = {"dbt_valid_from": "since"}
        config = {
            "strategy": "check",
            "unique_key": ["id", "amount"],
            "check_cols": "all",
            "snapshot_meta_column_names": names,
            "hard_deletes": "new_record",
        }
        sql = 'select id, amount from "shop"."raw"."Orders 2"'
        built = event("START", node("snapshot", "history", config=config, depends_on=[SOURCE], compiled_code=sql))
        pairs = {name: {field for _, field in told} for name, told in pairs_of(built).items()}
        assert pairs["dbt_scd_id"] == {"id", "amount"}
        assert pairs["since"] == pairs["dbt_valid_to"] == pairs["dbt_updated_at"] == pairs["dbt_is_deleted"] == set()

    def test_snapshot_keys_may_be_expressions(self) -> None:
        config = {"strategy": "timestamp", "unique_key": "id || '-' || region", "updated_at": "coalesce(changed, made)"}
        sql = 'select id, region, changed, made from "shop"."raw"."Orders 2";'
        built = event("START", node("snapshot", "history", config=config, depends_on=[SOURCE], compiled_code=sql))
        pairs = {name: {field for _, field in told} for name, told in pairs_of(built).items()}
        assert pairs["dbt_scd_id"] == {"id", "region", "changed", "made"}
        assert pairs["dbt_valid_from"] == {"changed", "made"}
        assert len(built["outputs"][0]["facets"]["schema"]["fields"]) == 8

    def test_a_snapshot_key_that_is_not_there_is_unresolved(self) -> None:
        config = {"strategy": "timestamp", "unique_key": "nowhere(", "updated_at": "changed"}
        sql = 'select id, changed from "shop"."raw"."Orders 2"'
        built = event("START", node("snapshot", "history", config=config, depends_on=[SOURCE], compiled_code=sql))
        facet = built["outputs"][0]["facets"]["lineal_lineage"]
        assert facet["status"] == "partial"
        assert {one["name"]: one["reason"] for one in facet["columns"]}["dbt_scd_id"] == "snapshot_key"

    def test_generic_test(self) -> None:
        each = node(
            "test",
            "not_null_stg_id",
            depends_on=["model.shop.stg"],
            test_metadata={"name": "not_null", "kwargs": {"column_name": "id"}},
            attached_node="model.shop.stg",
            column_name="id",
            compiled_code='select id from "shop"."main"."stg" where id is null',
            config={"severity": "ERROR"},
        )
        end = node_end(AT, "x", "fail", message="Got 3 results", failures=3)
        built = event("FAIL", each, node("model", "stg"), end=end)
        assert built["outputs"] == []
        assert built["job"]["name"] == "shop.main.test.shop.not_null_stg_id"
        assertion = built["inputs"][0]["inputFacets"]["dataQualityAssertions"]["assertions"][0]
        assert assertion == {
            "assertion": "not_null",
            "success": False,
            "severity": "error",
            "name": "not_null_stg_id",
            "column": "id",
            "actual": "3",
        }
        assert built["run"]["facets"]["test"]["tests"][0]["status"] == "fail"
        assert "inputFacets" not in event("START", each, node("model", "stg"))["inputs"][0]

    def test_a_python_model_is_unresolved_with_a_reason(self) -> None:
        each = node("model", "py", language="python", compiled_code="def model(dbt, s): ...", depends_on=[SOURCE])
        known = Known()
        known.read("model.shop.py", [("a", "INT")])
        built = event("COMPLETE", each, known=known)
        assert "sql" not in built["job"]["facets"]
        assert built["job"]["facets"]["sourceCode"]["language"] == "python"
        facet = built["outputs"][0]["facets"]["lineal_lineage"]
        assert (facet["status"], facet["gaps"][0]["code"]) == ("unresolved", "python_model")
        assert (facet["columns"][0]["name"], facet["columns"][0]["reason"]) == ("a", "python_model")
        assert fields_of(built) == {}
        assert built["inputs"]

    def test_a_model_without_sql_says_so(self) -> None:
        built = event("FAIL", node("model", "stg", depends_on=[SOURCE]))
        facet = built["outputs"][0]["facets"]["lineal_lineage"]
        assert (facet["status"], facet["gaps"][0]["code"]) == ("unresolved", "no_compiled_sql")

    def test_unreadable_sql_is_told_and_not_raised(self) -> None:
        built = event("START", node("model", "stg", depends_on=[SOURCE], compiled_code="select from where ((("))
        facet = built["outputs"][0]["facets"]["lineal_lineage"]
        assert (facet["status"], {gap["code"] for gap in facet["gaps"]}) == ("unresolved", {"parser_error"})
        assert built["inputs"]


class TestInvocation:
    def test_states(self) -> None:
        start = invocation_event("START", invocation(), AT)
        assert start["run"]["runId"] == INVOCATION_ID
        assert start["job"]["name"] == "dbt-run-shop"
        assert "parent" not in start["run"]["facets"]
        failed = invocation_event("FAIL", invocation(), AT, invocation_end(AT, success=False, reason="interrupted"))
        assert failed["run"]["facets"]["errorMessage"]["message"] == "interrupted"

    def test_parent_and_root_of_an_orchestrator(self) -> None:
        run = "6f1c0a52-9d0e-4a2b-8c3d-0123456789ab"
        parent: Any = {"namespace": "airflow", "name": "dag.task", "run_id": run}
        root: Any = {"namespace": "airflow", "name": "dag", "run_id": INVOCATION_ID}
        of = invocation(parent=parent, root=root, job_namespace="prod", job_name="nightly")
        facet = invocation_event("START", of, AT)["run"]["facets"]["parent"]
        assert facet["run"] == {"runId": run}
        assert facet["root"]["job"] == {"namespace": "airflow", "name": "dag"}
        node_parent = event("START", of=of)["run"]["facets"]["parent"]
        assert node_parent["job"] == {"namespace": "prod", "name": "nightly"}
        assert node_parent["root"]["job"] == {"namespace": "airflow", "name": "dag"}

    def test_what_dbt_was_told(self) -> None:
        git: Any = {"sha": "abc", "url": "git@example.org:team/shop.git", "branch": "main"}
        of = invocation(git=git, selectors={"select": ["+orders"]})
        facet = invocation_event("START", of, AT)["run"]["facets"]["lineal_invocation"]
        assert (facet["command"], facet["gitSha"], facet["selectors"]) == ("build", "abc", {"select": ["+orders"]})
        location = event("START", of=of)["job"]["facets"]["sourceCodeLocation"]
        assert location["url"] == "ssh://example.org/team/shop/blob/abc/models/stg.sql"
        assert location["path"] == "models/stg.sql"


def test_the_file_of_a_node_is_told_without_git_and_of_packages_too() -> None:
    told = event("START", of=invocation(git=None))["job"]["facets"]
    assert "sourceCodeLocation" not in told
    node_facet = told["lineal_node"]
    assert (node_facet["uniqueId"], node_facet["package"]) == ("model.shop.stg", "shop")
    assert node_facet["file"] == "models/stg.sql"
    windows = described(node("model", "stg", package_name="vendor", original_file_path="models\\sub\\stg.sql"))
    told = job_facets("producer", invocation(), windows)
    assert (told["lineal_node"]["package"], told["lineal_node"]["file"]) == ("vendor", "models/sub/stg.sql")
    assert "lineal_node" not in job_facets("producer", invocation(), {**windows, "path": None})


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("success", "COMPLETE"),
        ("pass", "COMPLETE"),
        ("warn", "COMPLETE"),
        ("no-op", "COMPLETE"),
        ("reused", "COMPLETE"),
        ("error", "FAIL"),
        ("runtime error", "FAIL"),
        ("fail", "FAIL"),
        ("partial success", "FAIL"),
        ("skipped", None),
        ("a status of the future", "FAIL"),
    ],
)
def test_state_by_dbts_status(status: str, expected: str | None) -> None:
    assert end_kind(status) == expected


@pytest.mark.parametrize("mode", ["hash", "none"])
def test_no_sql_leaves_when_it_is_hidden(mode: Any) -> None:
    sql = "select id, case when name = 'Ada Lovelace' then 1 end as is_ada from shop.raw.\"Orders 2\" where (("
    for statement in (sql.removesuffix(" where (("), sql):
        each = node("model", "stg", depends_on=[SOURCE], compiled_code=statement)
        end = node_end(AT, "x", "error", message="could not cast 'Ada Lovelace'")
        text = json.dumps(event("FAIL", each, of=invocation(sql_mode=mode), end=end))
        assert "Lovelace" not in text
        assert ("sha256:" in text) is (mode == "hash")
    built = event("START", of=invocation(sql_mode=mode))
    assert pairs_of(built)["twice"] == {("shop.raw.Orders 2", "amount")}, "edges stay"
    assert ("sql" in built["job"]["facets"]) is (mode == "hash")


def test_a_thousand_columns_are_built_and_serialised_quickly() -> None:
    sql = "select " + ", ".join(f"a{n} + b{n} as c{n}" for n in range(1000)) + ' from "shop"."raw"."Orders 2"'
    of, known = invocation(), Known({SOURCE: [(f"{side}{n}", "INT") for n in range(1000) for side in "ab"]})
    told = described(node("model", "wide", depends_on=[SOURCE], compiled_code=sql), raw_orders())
    analysis = analyse(of, told, known)
    best = 1.0
    for _ in range(5):
        begun = time.process_time()
        data = orjson.dumps(node_event("COMPLETE", of, told, AT, analysis, known))
        best = min(best, time.process_time() - begun)
    assert len(orjson.loads(data)["outputs"][0]["facets"]["columnLineage"]["fields"]) == 1000
    assert best < 0.1, "measured 10 ms; the rest is for busy machines"
