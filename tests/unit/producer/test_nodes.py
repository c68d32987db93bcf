"""Nodes as records: the same from dbt's objects in memory, from its manifest.json, and from manifests of old."""

from __future__ import annotations

import copy
import json
import warnings
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.cli.main import dbtRunner

from lineal_producer.dbt.invocation import package_version
from lineal_producer.dbt.nodes import describe_node
from lineal_producer.dbt.order import in_order
from lineal_producer.descriptions import InputNode, Node

from .samples import described, manifest, node, raw_orders

FILES = {
    "dbt_project.yml": """
name: shop
version: "1.0"
config-version: 2
profile: shop
flags: {send_anonymous_usage_stats: false}
models: {shop: {+tags: [nightly]}}
""",
    "profiles.yml": "shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb, schema: main}}}",
    "models/sources.yml": """
sources:
  - name: raw
    schema: landing
    tables:
      - name: orders
        identifier: "Orders 2.0 🦆"
        description: As they came.
        columns: [{name: id, description: The key.}]
      - name: events
        config:
          meta: {external_location: "read_parquet('events/{name}/dt=*/*.parquet')"}
""",
    "models/schema.yml": """
groups:
  - name: finance
    owner: {name: Finance, email: finance@example.org}
models:
  - name: revenue
    description: What came in.
    config:
      group: finance
      meta: {owner: "@ana"}
      contract: {enforced: true}
    columns:
      - name: id
        data_type: integer
        description: The key.
        config: {tags: [pii]}
        data_tests: [not_null, {relationships: {arguments: {to: ref('chain'), field: id}}}]
      - {name: amount, data_type: double}
  - name: versioned
    latest_version: 2
    versions: [{v: 1}, {v: 2}]
seeds:
  - name: countries
    columns: [{name: code, description: ISO.}]
    config: {column_types: {code: varchar}}
""",
    "models/stg_orders.sql": (
        "{{ config(alias='orders_staged') }} select id, amount from {{ source('raw', 'orders') }}"
    ),
    "models/eph_one.sql": "{{ config(materialized='ephemeral') }} select id, amount from {{ ref('stg_orders') }}",
    "models/eph_two.sql": (
        "{{ config(materialized='ephemeral') }} select e.*, c.code "
        "from {{ ref('eph_one') }} e, {{ ref('countries') }} c"
    ),
    "models/chain.sql": (
        "select id, amount from {{ ref('eph_two') }} union all select id, amount from {{ ref('stg_orders') }}"
    ),
    "models/revenue.sql": "{{ config(materialized='table') }} select id, amount from {{ ref('chain') }}",
    "models/files.sql": (
        "{{ config(materialized='external', location='out/files.csv') }} select * from {{ source('raw', 'events') }}"
    ),
    "models/versioned_v1.sql": "select 1 as a",
    "models/versioned_v2.sql": "select 2 as a",
    "models/py.py": "def model(dbt, session):\n    return dbt.ref('countries')\n",
    "seeds/countries.csv": "code,name\nES,Spain\n",
    "snapshots/history.yml": """
snapshots:
  - name: history
    relation: ref('stg_orders')
    config:
      unique_key: [id, amount]
      strategy: check
      check_cols: [amount]
      hard_deletes: new_record
      snapshot_meta_column_names: {dbt_valid_from: valid_since}
""",
    "tests/no_negative.sql": "select * from {{ ref('revenue') }} where amount < 0",
}


class Project:
    """A compiled project: its manifest in memory and the file that dbt wrote."""

    def __init__(self, folder: Path) -> None:
        for name, text in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        where = ["--project-dir", str(folder), "--profiles-dir", str(folder), "--quiet"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of dbt and its dependencies, none of them ours
            self.memory = dbtRunner().invoke(["parse", *where]).result
            done = dbtRunner(manifest=self.memory).invoke(["compile", "--no-introspect", *where])
        assert done.success, done.exception
        self.file = json.loads((folder / "target" / "manifest.json").read_text(encoding="utf-8"))

    def __getitem__(self, unique_id: str) -> Node:
        return describe_node(self.file["nodes"][unique_id], self.file)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, module_patch: pytest.MonkeyPatch) -> Project:
    folder = tmp_path_factory.mktemp("project")
    module_patch.chdir(folder)
    return Project(folder)


@pytest.fixture(scope="module")
def module_patch() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_memory_and_file_give_the_same(project: Project) -> None:
    kinds = set()
    for unique_id, kept in project.memory.nodes.items():
        assert describe_node(kept, project.memory) == project[unique_id], unique_id
        kinds.add(project[unique_id]["resource_type"])
    assert kinds == {"model", "seed", "snapshot", "test"}


@pytest.mark.parametrize("step", [1, -1], ids=["parents first", "readers first"])
def test_what_is_kept_of_nodes_changes_no_record(project: Project, step: int) -> None:
    kept: dict[str, InputNode] = {}
    for unique_id in in_order(project.file["nodes"])[::step]:
        told = describe_node(project.file["nodes"][unique_id], project.file, described=kept)
        assert told == project[unique_id], unique_id


def test_versions_are_those_of_the_packages() -> None:
    assert [package_version(name) for name in ("lineal", "dbt-core")] == [
        metadata.version(name) for name in ("lineal", "dbt-core")
    ]
    assert package_version("no-such-package") == ""


def test_a_record_is_plain_json(project: Project) -> None:
    for unique_id, kept in project.memory.nodes.items():
        told = describe_node(kept, project.memory)
        back = json.loads(json.dumps(told))
        assert {key for key in told if back[key] != told[key]} <= {"relation", "inputs"}, unique_id


def test_alias_and_source_identifier_name_relations(project: Project) -> None:
    staged = project["model.shop.stg_orders"]
    assert (staged["name"], staged["relation"]) == ("stg_orders", ("shop", "main", "orders_staged"))
    assert staged["inputs"][0]["unique_id"] == "source.shop.raw.orders"
    assert staged["inputs"][0]["relation"] == ("shop", "landing", "Orders 2.0 🦆")
    assert staged["inputs"][0]["description"] == "As they came."
    assert staged["tags"] == ["nightly"]


def test_ephemeral_parents_are_resolved_through_each_relation_once(project: Project) -> None:
    chain = project["model.shop.chain"]
    assert {each["unique_id"] for each in chain["inputs"]} == {"model.shop.stg_orders", "seed.shop.countries"}
    assert len(chain["inputs"]) == 2
    assert project["model.shop.eph_one"]["relation"] is None


def test_contract_group_owner_and_column_docs(project: Project) -> None:
    revenue = project["model.shop.revenue"]
    assert revenue["contract"]
    assert revenue["columns"][0] == {"name": "id", "type": "integer", "description": "The key.", "tags": ["pii"]}
    assert revenue["owners"] == ["@ana", "Finance"]
    assert revenue["group"] == "finance"
    assert revenue["materialized"] == "table"
    assert revenue["compiled_code"] is not None
    assert '"shop"."main"."chain"' in revenue["compiled_code"]


def test_a_contract_makes_the_columns_of_an_input_complete(project: Project) -> None:
    told = project["test.shop.no_negative"]["inputs"][0]
    assert told["complete"]
    assert [column["name"] for column in told["columns"]] == ["id", "amount"]
    assert not project["model.shop.revenue"]["inputs"][0]["complete"], "YAML without a contract is documentation"


def test_seed_header_in_the_files_order(project: Project) -> None:
    assert project["seed.shop.countries"]["seed_columns"] == [
        {"name": "code", "type": "varchar", "description": "ISO.", "tags": []},
        {"name": "name", "type": None, "description": None, "tags": []},
    ]


def test_snapshot_configuration(project: Project) -> None:
    snapshot = project["snapshot.shop.history"]["snapshot"]
    assert snapshot is not None
    assert (snapshot["strategy"], snapshot["unique_key"], snapshot["updated_at"]) == ("check", ["id", "amount"], None)
    assert (snapshot["check_cols"], snapshot["hard_deletes"]) == (["amount"], "new_record")
    assert snapshot["names"]["dbt_valid_from"] == "valid_since"
    assert snapshot["names"]["dbt_scd_id"] == "dbt_scd_id"


def test_tests_know_what_they_check(project: Project) -> None:
    tests = {project[uid]["name"]: project[uid] for uid in project.file["nodes"] if uid.startswith("test.")}
    not_null = tests["not_null_revenue_id"]["test"]
    assert not_null is not None
    assert (not_null["kind"], not_null["column"], not_null["severity"]) == ("not_null", "id", "error")
    assert not_null["attached_node"] == "model.shop.revenue"
    relationships = next(told for name, told in tests.items() if name.startswith("relationships"))
    assert {each["unique_id"] for each in relationships["inputs"]} == {"model.shop.revenue", "model.shop.chain"}
    assert relationships["test"] is not None
    assert relationships["test"]["attached_node"] == "model.shop.revenue"
    singular = tests["no_negative"]["test"]
    assert singular is not None
    assert (singular["kind"], singular["attached_node"]) == ("singular", "model.shop.revenue")
    assert tests["no_negative"]["relation"] is None


def test_versions_python_and_files(project: Project) -> None:
    assert project["model.shop.versioned.v2"]["version"] == "2"
    assert project["model.shop.versioned.v2"]["relation"] == ("shop", "main", "versioned_v2")
    assert project["model.shop.py"]["language"] == "python"
    files = project["model.shop.files"]
    assert files["external_location"] == "out/files.csv"
    assert files["inputs"][0]["external_location"] == "read_parquet('events/events/dt=*/*.parquet')"


def test_old_manifests_give_what_new_ones_give() -> None:
    new = node("model", "orders", depends_on=["source.shop.raw.orders"], compiled_code="select 1 as a", raw_code="x")
    old = {key: value for key, value in new.items() if key not in {"language", "compiled_code", "raw_code"}}
    old |= {"compiled_sql": "select 1 as a", "raw_sql": "x", "root_path": "/srv", "build_path": None}
    expected = describe_node(new, manifest(new, raw_orders()))
    for version in range(1, 7):
        assert describe_node(old, manifest(old, raw_orders(), version=version)) == expected
    assert expected["compiled_code"] == "select 1 as a"
    assert expected["inputs"][0]["relation"] == ("shop", "raw", "Orders 2")


def test_a_relation_without_rendered_name_is_made_of_its_parts() -> None:
    told = described(node("model", "orders", relation_name=None, alias="o"), adapter="snowflake")
    assert told["relation"] == ("SHOP", "MAIN", "O")


def test_names_that_quote_and_dot_survive() -> None:
    told = described(node("model", "x", relation_name='"my.db"."sch""ema"."tä 🦆.x"', alias="tä 🦆.x"))
    assert told["relation"] == ("my.db", 'sch"ema', "tä 🦆.x")


def test_a_deferred_parent_is_what_the_sql_names() -> None:
    parent = node("model", "orders")
    parent["defer_relation"] = {"relation_name": '"prod"."main"."orders"'}
    reader = node("model", "mart", depends_on=["model.shop.orders"])
    for sql, expected in (
        ('select * from "prod"."main"."orders"', ("prod", "main", "orders")),
        ('select * from "shop"."main"."orders"', ("shop", "main", "orders")),
    ):
        assert described({**reader, "compiled_code": sql}, parent)["inputs"][0]["relation"] == expected


def test_a_batch_of_a_microbatch_model() -> None:
    start, end = datetime(2026, 1, 1, tzinfo=timezone.utc), datetime(2026, 1, 2, tzinfo=timezone.utc)
    batch = SimpleNamespace(id="20260101", event_time_start=start, event_time_end=end)
    told = described(node("model", "events", batch=batch))
    assert told["batch"] == {"id": "20260101", "start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}


@pytest.mark.parametrize("broken", [{"columns": None, "config": None, "depends_on": None, "tags": None, "meta": None}])
def test_missing_parts_are_nothing(broken: dict[str, Any]) -> None:
    told = described({**node("model", "orders"), **copy.deepcopy(broken)})
    assert (told["columns"], told["inputs"], told["owners"], told["contract"]) == ([], [], [], False)


def test_a_seed_whose_file_is_elsewhere_has_no_header() -> None:
    assert described(node("seed", "countries", root_path="/nowhere"))["seed_columns"] == []


@pytest.mark.parametrize(
    ("adapter", "quoted", "expected"),
    [("snowflake", None, "CODE"), ("snowflake", True, "Code"), ("postgres", None, "Code"), ("postgres", False, "code")],
)
def test_seed_columns_are_in_stored_case(tmp_path: Path, adapter: str, quoted: bool | None, expected: str) -> None:
    (tmp_path / "c.csv").write_text("Code;Name\n1;2\n", encoding="utf-8-sig")
    config = {"delimiter": ";", "quote_columns": quoted}
    seed = node("seed", "c", root_path=str(tmp_path), original_file_path="c.csv", config=config)
    assert described(seed, adapter=adapter)["seed_columns"][0]["name"] == expected


def test_a_unit_test_is_in_its_models_database() -> None:
    each = node("unit_test", "ut", depends_on=["model.shop.orders"])
    del each["database"]
    assert described(each, node("model", "orders"))["database"] == "shop"
