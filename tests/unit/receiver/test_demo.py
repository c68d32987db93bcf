"""The demo's folder, its children's environment, its comparison with the hand-written answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lineal_receiver.demo.answers import Answer, Expected, Step, read_expected
from lineal_receiver.demo.environment import clean_environment, dbt_environment
from lineal_receiver.demo.errors import DemoRefused
from lineal_receiver.demo.place import MARKER, NEEDED_BYTES, copy_project, open_place
from lineal_receiver.demo.report import faults, figures, tree

A_FROM_B = Step("mart.a", "raw.b", ("DIRECT/AGGREGATION",), masked=False)
B_FROM_C = Step("raw.b", "raw.c", ("DIRECT/IDENTITY",), masked=True)
UPSTREAM = Expected("a_upstream", "Where does a come from?", "upstream", "mart.a", frozenset({A_FROM_B, B_FROM_C}))
SUMMARY = {
    "runs": {"COMPLETED": 3, "FAILED": 0, "total": 3},
    "jobs": 3,
    "datasets": 2,
    "edges": 700,
    "columns": {"total": 500, "traced": 480, "constant": 20, "unresolved": 0},
    "models": {"resolved": 2, "partial": 0, "unresolved": 0, "failed": 0},
    "events": {"accepted": 6, "rejected": 0},
}


def test_a_new_folder_is_made_and_marked(tmp_path: Path) -> None:
    place = open_place(tmp_path / "demo")

    assert place.fresh
    assert (tmp_path / "demo" / MARKER).is_file()
    assert not open_place(tmp_path / "demo").fresh


def test_a_folder_of_somebody_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")

    with pytest.raises(DemoRefused, match=r"was not made by the demo.*--dir"):
        open_place(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")

    with pytest.raises(DemoRefused, match="is a file"):
        open_place(tmp_path / "demo")


def test_too_little_room_is_told_with_both_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": NEEDED_BYTES - 1})())

    with pytest.raises(DemoRefused, match=r"has 1\.0 GB free and the demo wants 1 GB"):
        open_place(tmp_path / "demo")


def test_the_projects_files_are_renewed_and_what_was_made_there_stays(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "models").mkdir(parents=True)
    (source / "models" / "a.sql").write_text("select 2")
    (source / "target").mkdir()
    (source / "target" / "old.json").write_text("{}")
    place = open_place(tmp_path / "demo")
    (place.project / "models").mkdir(parents=True)
    (place.project / "models" / "a.sql").write_text("select 1")
    (place.project / "data").mkdir()
    (place.project / "data" / "shop.duckdb").write_text("rows")

    copy_project(source, place)

    assert (place.project / "models" / "a.sql").read_text() == "select 2"
    assert (place.project / "data" / "shop.duckdb").read_text() == "rows"
    assert not (place.project / "target").exists()


def test_children_inherit_nothing_that_steers_them_elsewhere() -> None:
    inherited = {
        "PATH": "/bin",
        "LINEAL_DATABASE_URL": "postgresql://production",
        "OPENLINEAGE_URL": "https://production",
        "openlineage__transport__type": "kafka",
        "DBT_PROFILES_DIR": "/home/me",
        "SHOP_DUCKDB_PATH": "/elsewhere",
        "PYTHONPATH": "/src",
        "HTTP_PROXY": "http://proxy",
        "NO_PROXY": "intranet",
    }

    assert clean_environment(inherited) == {
        "PATH": "/bin",
        "HTTP_PROXY": "http://proxy",
        "NO_PROXY": "intranet,127.0.0.1,localhost,::1",
        "no_proxy": "127.0.0.1,localhost,::1",
    }


def test_dbt_is_told_the_receiver_and_the_demos_own_state_folder(tmp_path: Path) -> None:
    told = dbt_environment({"DBT_TARGET": "prod"}, tmp_path / "openlineage.yml", tmp_path / "state", tmp_path)

    assert told["OPENLINEAGE_CONFIG"] == str(tmp_path / "openlineage.yml")
    assert told["LINEAL_STATE_DIR"] == str(tmp_path / "state")
    assert told["LINEAL_BUDGET_SECONDS"] == "60"
    assert "DBT_TARGET" not in told


def test_expected_answers_know_files_by_their_sources(tmp_path: Path) -> None:
    step = {"target": "m.a", "source": "r.b", "kinds": ["INDIRECT/WINDOW", "DIRECT/IDENTITY"], "masked": False}
    entry = {"id": "x", "question": "?", "direction": "upstream", "column": "m.a", "steps": [step]}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"locations": {"lake.readings": "data/readings"}, "answers": [entry]}))

    expected, names = read_expected(path, "duckdb:///x", "shop")

    assert [e.steps for e in expected] == [
        frozenset({Step("m.a", "r.b", ("DIRECT/IDENTITY", "INDIRECT/WINDOW"), False)})
    ]
    assert names.column(str(tmp_path / "data" / "readings"), "dt") == "lake.readings.dt"
    assert names.column("shop.m.a", "id") == "m.a.id"


def test_nothing_is_wrong_when_figures_and_answers_hold() -> None:
    assert list(faults(SUMMARY, [Answer(UPSTREAM, UPSTREAM.steps, {})])) == []


def test_each_fault_is_named() -> None:
    other = Step("mart.a", "raw.x", ("DIRECT/IDENTITY",), masked=False)
    few = {**SUMMARY, "edges": 675, "columns": {**SUMMARY["columns"], "total": 451}}

    assert list(faults(few, [Answer(UPSTREAM, frozenset({A_FROM_B, other}), {})])) == [
        "675 column edges arrived, 676 were expected",
        "451 columns arrived, 452 were expected",
        "a_upstream: missing raw.b <- raw.c DIRECT/IDENTITY",
        "a_upstream: unexpected mart.a <- raw.x DIRECT/IDENTITY",
    ]


def test_an_answer_reads_as_a_tree_with_the_sql() -> None:
    answer = Answer(UPSTREAM, UPSTREAM.steps, {"mart.a": "sum(b)", "raw.b": "c"})

    assert list(tree(answer)) == [
        "mart.a",
        "    = sum(b)",
        "    raw.b  [aggregation]",
        "        = c",
        "        raw.c  [identity, masked]",
    ]


def test_figures_leave_out_states_without_runs() -> None:
    assert next(figures(SUMMARY)) == "runs                3   3 COMPLETED"
