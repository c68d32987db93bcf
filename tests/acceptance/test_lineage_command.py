"""`lineal-dbt lineage` as a user has it: a real dbt project, its target/, a terminal; no server."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "dbt_project.yml": "name: till\nversion: '1.0'\nprofile: till\nflags: {send_anonymous_usage_stats: false}\n",
    "profiles.yml": "till: {target: dev, outputs: {dev: {type: duckdb, path: till.duckdb, schema: main}}}",
    "seeds/receipts.csv": "id,customer,cents,paid_at\n1,ada,250,2026-01-01\n2,bob,50,2026-01-02\n",
    "models/stg_receipts.sql": "select *, cents / 100.0 as euros from {{ ref('receipts') }}",
    "models/paid.sql": (
        "{{ config(materialized='ephemeral') }} select * from {{ ref('stg_receipts') }} where paid_at is not null"
    ),
    "models/customers.sql": (
        "select customer, sum(euros) as spent, count(*) as receipts, max(paid_at) as last_paid_at "
        "from {{ ref('paid') }} group by customer"
    ),
    "models/unread.sql": "select * from landing.unread",
    "snapshots/history.sql": (
        "{% snapshot history %}"
        "{{ config(unique_key='customer', strategy='timestamp', updated_at='last_paid_at') }}"
        "select customer, spent, last_paid_at from {{ ref('customers') }}{% endsnapshot %}"
    ),
}
EDGES = {
    ("till.main.receipts", "id", "till.main.stg_receipts", "id"),
    ("till.main.receipts", "customer", "till.main.stg_receipts", "customer"),
    ("till.main.receipts", "cents", "till.main.stg_receipts", "cents"),
    ("till.main.receipts", "paid_at", "till.main.stg_receipts", "paid_at"),
    ("till.main.receipts", "cents", "till.main.stg_receipts", "euros"),
    ("till.main.stg_receipts", "customer", "till.main.customers", "customer"),
    ("till.main.stg_receipts", "euros", "till.main.customers", "spent"),
    ("till.main.stg_receipts", "paid_at", "till.main.customers", "last_paid_at"),
    ("till.main.customers", "customer", "till.main.history", "customer"),
    ("till.main.customers", "spent", "till.main.history", "spent"),
    ("till.main.customers", "last_paid_at", "till.main.history", "last_paid_at"),
    ("till.main.customers", "customer", "till.main.history", "dbt_scd_id"),
    ("till.main.customers", "last_paid_at", "till.main.history", "dbt_scd_id"),
    ("till.main.customers", "last_paid_at", "till.main.history", "dbt_updated_at"),
    ("till.main.customers", "last_paid_at", "till.main.history", "dbt_valid_from"),
    ("till.main.customers", "last_paid_at", "till.main.history", "dbt_valid_to"),
}
ENVIRONMENT = {
    key: value for key, value in os.environ.items() if not key.startswith(("LINEAL_", "OPENLINEAGE", "DBT_"))
}


def run(*arguments: str | Path, cwd: Path, command: str = "lineal-dbt") -> subprocess.CompletedProcess[str]:
    """A command of this environment, with its output."""
    program = Path(sys.executable).with_name(command)
    return subprocess.run(
        [program, *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=3000
    )


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project after `dbt seed` and `dbt compile`: nothing but target/ is needed from then on."""
    folder = tmp_path_factory.mktemp("till")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = run("compile", "--profiles-dir", ".", cwd=folder, command="dbt")
    assert done.returncode == 0, done.stdout
    return folder


@pytest.fixture
def project(compiled: Path, tmp_path: Path) -> Path:
    """A copy to break."""
    return Path(shutil.copytree(compiled, tmp_path / "till", ignore=shutil.ignore_patterns("lineal")))


def test_every_edge_by_value(compiled: Path) -> None:
    done = run("lineage", "--project-dir", compiled, "--format", "csv", cwd=Path("/"))
    assert (done.returncode, done.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    keys = ("source_relation", "source_column", "target_relation", "target_column")
    assert {tuple(row[key] for key in keys) for row in rows if row["target_column"]} == EDGES
    by_target = {(row["target_column"], row["subtype"]) for row in rows if row["target_relation"].endswith("customers")}
    assert ("spent", "AGGREGATION") in by_target
    assert ("", "GROUP_BY") in by_target
    assert ("", "FILTER") in by_target, "the ephemeral model's filter decides the reader's rows"


def test_table_tells_statuses_totals_and_gaps(compiled: Path) -> None:
    done = run("lineage", cwd=compiled)
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.strip()}
    assert lines["customers"] == ["resolved", "4", "3", "1", "0", "3"]
    assert lines["receipts"] == ["(seed)", "resolved", "4", "0", "4", "0", "0"]
    assert lines["unread"][0] == "unresolved"
    assert lines["star_without_schema:"]
    assert lines["models"] == ["5:", "4", "resolved,", "0", "partial,", "1", "unresolved,", "0", "failed"]
    assert lines["edges"] == [str(len(EDGES))]
    assert "paid" not in lines


def test_json_is_one_document(compiled: Path, tmp_path: Path) -> None:
    out = tmp_path / "lineage.json"
    done = run("lineage", "--select", "+customers", "--format", "json", "--output", out, cwd=compiled)
    assert (done.returncode, done.stdout) == (0, "")
    document = json.loads(out.read_text(encoding="utf-8"))
    assert (document["project"], document["adapter"], document["manifestVersion"]) == ("till", "duckdb", 12)
    assert [model["name"] for model in document["models"]] == ["receipts", "stg_receipts", "customers"]
    spent = document["models"][2]["columns"][1]
    assert (spent["name"], spent["status"], spent["inputs"][0]["column"]) == ("spent", "traced", "euros")


def test_mermaid_draws_every_edge(compiled: Path) -> None:
    done = run("lineage", "--format", "mermaid", cwd=compiled)
    assert done.stdout.startswith("flowchart LR\n")
    assert done.stdout.count(" --> ") == len(EDGES)


def test_nothing_is_parsed_twice(project: Path) -> None:
    first = run("lineage", "-v", cwd=project)
    second = run("lineage", "-v", cwd=project)
    assert "4 parsed, 0 reused" in first.stderr
    assert "0 parsed, 4 reused" in second.stderr
    assert first.stdout == second.stdout


def test_only_what_changed_is_parsed(project: Path) -> None:
    assert "4 parsed, 0 reused" in run("lineage", "-v", cwd=project).stderr
    # The same output columns: whatever reads the model is as it was.
    same = "select *, round(cents / 100.0, 2) as euros from {{ ref('receipts') }} where id > 0"
    # One column more, which a star hands on to the model behind the ephemeral one, whose own columns stay.
    more = "select *, round(cents / 100.0, 2) as euros, 1 as one from {{ ref('receipts') }}"
    for text, told in ((same, "1 parsed, 3 reused"), (more, "2 parsed, 2 reused")):
        (project / "models" / "stg_receipts.sql").write_text(text, encoding="utf-8")
        compiled = run("compile", "--profiles-dir", ".", cwd=project, command="dbt")
        assert compiled.returncode == 0, compiled.stdout
        assert told in run("lineage", "-v", cwd=project).stderr
        assert "0 parsed, 4 reused" in run("lineage", "-v", cwd=project).stderr


def test_raw_sql_is_enough_when_nothing_is_compiled(project: Path) -> None:
    path = project / "target" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for node in manifest["nodes"].values():
        node["compiled_code"] = None
    path.write_text(json.dumps(manifest), encoding="utf-8")
    shutil.rmtree(project / "target" / "compiled")
    done = run("lineage", "--format", "csv", cwd=project)
    rows = csv.DictReader(io.StringIO(done.stdout))
    found = {
        (row["source_column"], row["target_column"]) for row in rows if row["target_relation"].endswith("customers")
    }
    assert {("euros", "spent"), ("customer", "customer"), ("paid_at", "last_paid_at")} <= found


def test_no_target_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    done = run("lineage", "--project-dir", tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"lineal-dbt: {tmp_path / 'target'}: there is no manifest.json; run `dbt compile` or `dbt build` first\n"
    )


def test_half_a_manifest_is_one_sentence(project: Path) -> None:
    path = project / "target" / "manifest.json"
    path.write_bytes(path.read_bytes()[:5000])
    done = run("lineage", cwd=project)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "is not whole JSON" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_catalog_is_a_warning(project: Path) -> None:
    (project / "target" / "catalog.json").write_text("{", encoding="utf-8")
    done = run("lineage", cwd=project)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: ")
    assert done.stdout.splitlines()[-1] == f"edges    {len(EDGES)}"


def test_a_selection_of_nothing_is_one_sentence(compiled: Path) -> None:
    done = run("lineage", "--select", "nothing", cwd=compiled)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_any_sql_on_stdin(compiled: Path) -> None:
    case = {
        "id": "1",
        "sql": "select a + b as c from t",
        "dialect": "duckdb",
        "schema": {"t": {"a": "INT", "b": "INT"}},
    }
    program = Path(sys.executable).with_name("lineal-dbt")
    done = subprocess.run(
        [program, "lineage", "--jsonl"],
        input=json.dumps(case) + "\nnot json\n",
        cwd=compiled,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["1", None]
    assert {one["column"] for one in answers[0]["columns"][0]["inputs"]} == {"a", "b"}
    assert "is not JSON" in answers[1]["error"]
