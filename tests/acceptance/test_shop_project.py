"""The example project builds with a real dbt, and is what its description says."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from .shop_truth import Column, artifact, copy_shop, dbt, generate, query, read_answers, read_columns, read_marts

MAX_COLUMNS_OF_A_TABLE = 60
VEHICLE_DAY_TYPES = {
    "vehicle_id": "BIGINT",
    "read_on": "DATE",
    "plate": "VARCHAR",
    "depot": "VARCHAR",
    "fuel_type": "VARCHAR",
    "reading_count": "BIGINT",
    "reset_count": "BIGINT",
    "is_estimated": "BOOLEAN",
    "first_read_at": "TIMESTAMP",
    "last_read_at": "TIMESTAMP",
    "minutes_on_the_road": "BIGINT",
    "distance_m": "HUGEINT",
    "distance_km": "DECIMAL(9,3)",
    "driving_cost": "DECIMAL(12,2)",
    "lowest_energy_pct": "BIGINT",
    "last_odometer_m": "BIGINT",
    "longest_gap_seconds": "BIGINT",
    "distance_m_7d": "HUGEINT",
    "rank_of_day": "BIGINT",
}
SALES_TYPES = {
    "sales_date": "DATE",
    "region": "VARCHAR",
    "department": "VARCHAR",
    "reporting_currency": "VARCHAR",
    "order_count": "BIGINT",
    "customer_count": "BIGINT",
    "item_count": "HUGEINT",
    "refunded_item_count": "HUGEINT",
    "gross_eur": "DECIMAL(38,2)",
    "discount_eur": "DECIMAL(38,2)",
    "vat_eur": "DECIMAL(38,2)",
    "net_eur": "DECIMAL(38,2)",
    "cost_eur": "DECIMAL(38,2)",
    "margin_eur": "DECIMAL(38,2)",
    "campaign_net_eur": "DECIMAL(38,2)",
    "app_net_eur": "DECIMAL(38,2)",
    "shipped_grams": "HUGEINT",
    "margin_pct": "DOUBLE",
    "net_eur_month_to_date": "DECIMAL(38,2)",
    "net_eur_change": "DECIMAL(38,2)",
    "share_of_day": "DOUBLE",
}
COUNTER_TESTS = {
    "distance_is_the_difference_of_two_readings",
    "distance_after_a_reset_is_zero",
    "distance_of_a_first_reading_is_null",
    "distance_of_two_readings_in_one_second",
}


@pytest.fixture(scope="module")
def manifest(shop: Path) -> dict[str, Any]:
    return artifact(shop, "manifest")


@pytest.fixture(scope="module")
def columns(shop: Path) -> dict[str, dict[str, str]]:
    return read_columns(shop)


def built_columns(columns: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {relation: found for relation, found in columns.items() if not relation.startswith("raw.")}


def test_every_node_succeeds_without_a_warning_or_a_deprecation(shop: Path) -> None:
    statuses = Counter(result["status"] for result in artifact(shop, "run_results")["results"])

    assert set(statuses) <= {"success", "pass", "no-op"}
    log = (shop / "build.log").read_text()
    assert "WARN=0 ERROR=0 SKIP=0" in log
    assert "deprecat" not in log.lower()


def test_project_has_every_kind_of_node(manifest: dict[str, Any]) -> None:
    nodes = manifest["nodes"].values()
    kinds = Counter(node["resource_type"] for node in nodes)
    materialized = Counter(node["config"]["materialized"] for node in nodes if node["resource_type"] == "model")

    assert kinds["model"] == 31
    assert (kinds["seed"], kinds["snapshot"]) == (5, 1)
    assert materialized == {"view": 17, "table": 12, "incremental": 1, "ephemeral": 1}
    assert len(manifest["exposures"]) == 4
    assert len(manifest["sources"]) == 12
    assert {model.split("_")[0] for model in _models(manifest, "staging")} == {"stg"}
    assert {model.split("_")[0] for model in _models(manifest, "intermediate")} == {"int"}


def _models(manifest: dict[str, Any], layer: str) -> list[str]:
    nodes = manifest["nodes"].values()
    return [node["name"] for node in nodes if node["resource_type"] == "model" and node["fqn"][1] == layer]


def test_models_read_only_from_their_own_layer_or_the_one_before(manifest: dict[str, Any]) -> None:
    for node in manifest["nodes"].values():
        if node["resource_type"] == "model":
            sources = [parent for parent in node["depends_on"]["nodes"] if parent.startswith("source.")]
            assert bool(sources) == (node["fqn"][1] == "staging"), node["name"]


def test_tables_are_wide_enough_and_none_is_too_wide(columns: dict[str, dict[str, str]]) -> None:
    built = built_columns(columns)

    assert sum(map(len, built.values())) >= 452
    assert max(map(len, built.values())) <= MAX_COLUMNS_OF_A_TABLE


def test_every_column_of_a_mart_is_documented(manifest: dict[str, Any], columns: dict[str, dict[str, str]]) -> None:
    for name in _models(manifest, "marts"):
        documented = manifest["nodes"][f"model.shop.{name}"]["columns"]

        assert list(documented) == list(columns[f"marts.{name}"]), name
        assert all(column["description"] for column in documented.values()), name


def test_every_model_and_seed_has_an_owner_and_a_description(manifest: dict[str, Any]) -> None:
    for node in manifest["nodes"].values():
        if node["resource_type"] in {"model", "seed", "snapshot"}:
            assert node["config"]["meta"].get("owner"), node["name"]
            assert node["description"], node["name"]
            assert node["tags"], node["name"]


@pytest.mark.parametrize(("name", "types"), [("fct_vehicle_days", VEHICLE_DAY_TYPES), ("sales_daily", SALES_TYPES)])
def test_contract_is_enforced_with_the_measured_types(
    manifest: dict[str, Any], columns: dict[str, dict[str, str]], name: str, types: dict[str, str]
) -> None:
    node = manifest["nodes"][f"model.shop.{name}"]
    declared = {column["name"]: column["data_type"].upper().replace(", ", ",") for column in node["columns"].values()}

    assert node["config"]["contract"]["enforced"] is True
    assert columns[f"marts.{name}"] == types
    assert declared == types


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("update marts.fct_vehicle_days set distance_m = -1", "CHECK"),
        ("update marts.fct_vehicle_days set last_read_at = first_read_at - interval 1 hour", "CHECK"),
        ("update marts.fct_vehicle_days set plate = null", "NOT NULL"),
        ("update marts.sales_daily set net_eur = gross_eur + 1", "CHECK"),
        ("update marts.sales_daily set item_count = 0", "CHECK"),
        ("update marts.sales_daily set region = null", "NOT NULL"),
    ],
)
def test_constraints_of_the_contracts_hold_in_the_database(shop: Path, statement: str, constraint: str) -> None:
    with pytest.raises(duckdb.ConstraintException, match=constraint):
        query(shop, statement)


def test_unit_tests_of_the_counter_ran_and_passed(shop: Path, manifest: dict[str, Any]) -> None:
    results = {result["unique_id"]: result["status"] for result in artifact(shop, "run_results")["results"]}
    unit_tests = {test["name"]: results[unique_id] for unique_id, test in manifest["unit_tests"].items()}

    assert set(unit_tests) == COUNTER_TESTS | {"session_ends_after_half_an_hour"}
    assert set(unit_tests.values()) == {"pass"}


def test_generated_odometers_have_resets_first_rows_and_ties(shop: Path) -> None:
    [(resets, nulls, vans, least, of_resets)] = query(
        shop,
        "select count(*) filter (where is_reset), count(*) filter (where distance_m is null),"
        " count(distinct vehicle_id), min(distance_m), max(distance_m) filter (where is_reset)"
        " from intermediate.int_vehicle_distance",
    )
    [(ties,)] = query(
        shop,
        "select count(*) from (select 1 from staging.stg_odometer_readings"
        " group by vehicle_id, read_at having count(*) > 1)",
    )

    assert resets > 0
    assert ties > 0
    assert nulls == vans == 6
    assert least == of_resets == 0


def test_generator_gives_the_same_data_twice(tmp_path: Path) -> None:
    project = copy_shop(tmp_path / "project")
    printed = [generate(project, "--out", str(tmp_path / out)) for out in ("first", "second", "second")]

    assert len(set(printed)) == 1
    first, second = (
        {file.relative_to(tmp_path / out): file.read_bytes() for file in (tmp_path / out).rglob("*.parquet")}
        for out in ("first", "second")
    )
    assert first == second
    assert len(first) == 30
    with duckdb.connect() as connection:
        for out in ("first", "second"):
            connection.execute(f"attach '{tmp_path / out / 'shop.duckdb'}' as {out} (read_only)")
        tables = connection.execute("select table_name from duckdb_tables() where database_name = 'first'").fetchall()
        assert len(tables) == 11
        for (table,) in tables:
            rows = [connection.execute(f"from {out}.raw.{table}").fetchall() for out in ("first", "second")]
            assert rows[0] == rows[1], table


def test_second_build_rewrites_only_the_lines_of_changed_orders(shop: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(shop, tmp_path / "project"))
    before = dict(query(project, "select order_line_id, changed_at from marts.fct_order_lines"))
    query(project, "update raw.orders set status = 'paid', updated_at = timestamp '2027-01-01' where order_id = 7")
    query(project, "update marts.fct_order_lines set brand = 'kept from the first build'")

    built = dbt(project, "build")

    assert built.returncode == 0, built.stdout
    lines = query(project, "select order_line_id, order_id, changed_at, order_status, brand from marts.fct_order_lines")
    assert {line[0] for line in lines} == set(before)
    assert len(lines) == len(before)
    rewritten = [line for line in lines if line[4] != "kept from the first build"]
    assert {line[1] for line in rewritten} == {7}
    assert {line[3] for line in rewritten} == {"paid"}
    assert all(line[2] == before[line[0]] for line in lines if line[1] != 7)
    compiled = artifact(project, "manifest")["nodes"]["model.shop.fct_order_lines"]["compiled_code"]
    assert 'max(changed_at) from "shop"."marts"."fct_order_lines"' in compiled


def test_snapshot_keeps_where_a_customer_lived(shop: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(shop, tmp_path / "project"))
    query(
        project,
        "update raw.customers set city = 'Elsewhere', updated_at = timestamp '2027-01-01' where customer_id = 1",
    )

    assert dbt(project, "snapshot").returncode == 0

    [old, new] = query(
        project,
        "select city, dbt_valid_to from snapshots.customers_snapshot where customer_id = 1 order by dbt_valid_from",
    )
    assert old[0] != "Elsewhere"
    assert str(old[1]) == "2027-01-01 00:00:00"
    assert new == ("Elsewhere", None)


def test_environment_says_where_the_database_and_the_parquet_files_are(shop: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(shop, tmp_path / "project"))
    lake, database, day = tmp_path / "lake" / "odometers", tmp_path / "other.duckdb", "dt=2026-03-05"
    shutil.copytree(project / "data" / "odometer_readings" / day, lake / day)
    shutil.copy(project / "data" / "shop.duckdb", database)
    shutil.rmtree(project / "data")

    environment = {"SHOP_DUCKDB_PATH": str(database), "SHOP_ODOMETER_LOCATION": str(lake)}
    built = dbt(project, "run", "--select", "stg_odometer_readings", **environment)

    assert built.returncode == 0, built.stdout
    assert not (project / "data").exists()
    with duckdb.connect(str(database)) as connection:
        days = connection.execute("select distinct read_on::varchar from staging.stg_odometer_readings").fetchall()
    assert days == [("2026-03-05",)]
    compiled = artifact(project, "manifest")["nodes"]["model.shop.stg_odometer_readings"]["compiled_code"]
    assert f"read_parquet('{lake}/dt=*/*.parquet', hive_partitioning = true)" in compiled


def test_hand_written_edges_cover_their_marts_and_name_real_columns(columns: dict[str, dict[str, str]]) -> None:
    marts = read_marts()

    assert len(marts) >= 3
    for name, truth in marts.items():
        assert truth.columns == set(columns[name]), name
        assert not truth.constant & {edge.target.name for edge in truth.edges}
        sources = {edge.source for edge in truth.edges} | {source for source, _ in truth.rows}
        assert [source for source in sources if source.name not in columns[source.relation]] == []
        assert truth.masked <= {(edge.target, edge.source) for edge in truth.edges}


def test_answers_are_connected_and_end_at_real_columns(
    manifest: dict[str, Any], columns: dict[str, dict[str, str]]
) -> None:
    telemetry = {"message_no", "vehicle_id", "device_serial", "read_at", "odometer_m", "energy_pct", "dt"}
    known = {Column(relation, name) for relation, found in columns.items() for name in found}
    known |= {Column("telemetry.odometer_readings", name) for name in telemetry}
    answers = read_answers()

    assert {answer.direction for answer in answers} == {"upstream", "downstream"}
    assert len(answers) >= 3
    for answer in answers:
        assert answer.walk(answer.edges) == answer.edges, answer.id
        reached = {column for edge in answer.edges for column in (edge.target, edge.source)}
        assert reached <= known, answer.id
        exposed = {
            exposure["name"]
            for exposure in manifest["exposures"].values()
            if {f"marts.{parent.split('.')[-1]}" for parent in exposure["depends_on"]["nodes"]}
            & {column.relation for column in reached}
        }
        assert answer.direction == "upstream" or exposed == answer.exposures, answer.id
