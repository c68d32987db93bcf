"""Names of any letters, files that broke off, runs that read no rows: dbt is as without us, the events are whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from .plugin_project import Project, Ran, new_project, settled, without_times
from .ways import Event, edges

SERIAL = ("--threads", "1")
ODD = "Tä 🦆.x y"
FILES = {
    "models/odd.sql": (
        "{{ config(materialized='table', alias=\"" + ODD + "\", schema='a.b c') }}"
        ' select id as "Id ""1"" 🦆", amount as "a.b" from {{ ref(\'raw_orders\') }} where customer <> \'🦆\''
    ),
    "models/reader.sql": "select *, \"a.b\" + 1 as more from {{ ref('odd') }}",
    "models/empty_file.sql": "",
    "models/commented.sql": "-- nothing but a comment",
}
BROKEN = {
    "target/catalog.json": '{"nodes": {"model.tiny.odd": {"columns"',
    "target/sources.json": "[",
    "target/lineal/columns.json": '{"format": 1, "rows": {"half',
}
TABLE = f"tiny.main_a.b c.{ODD}"


@dataclass(frozen=True, slots=True)
class Runs:
    """A build without us, the same with us beside broken files, and a run that reads no rows."""

    plain: Ran
    plugged: Ran
    events: list[Event]
    emptied: list[Event]


def _events(project: Project) -> list[Event]:
    events = settled([{"eventType": None, **event} for event in project.events()])
    project.log.unlink()
    return events


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    plain = new_project(tmp_path_factory.mktemp("plain"), **FILES).dbt("build", *SERIAL, LINEAL_DISABLED="1")
    project = new_project(tmp_path_factory.mktemp("odd"), **FILES, **BROKEN)
    plugged = project.dbt("build", *SERIAL, **project.to_file())
    events = _events(project)
    assert project.dbt("run", "--empty", *SERIAL, **project.to_file()).code == plain.code
    return Runs(plain, plugged, events, _events(project))


def _end(events: list[Event], job: str) -> Event:
    (found,) = [each for each in events if each["job"]["name"] == job and each["eventType"] in ("COMPLETE", "FAIL")]
    return found


def test_dbt_is_as_without_us(runs: Runs) -> None:
    assert (runs.plugged.code, runs.plugged.err) == (runs.plain.code, runs.plain.err)
    assert without_times(runs.plugged.out) == without_times(runs.plain.out)


@pytest.mark.parametrize("kind", ["events", "emptied"])
def test_names_of_any_letters_are_told_as_they_are_stored(runs: Runs, kind: str) -> None:
    events: list[Event] = getattr(runs, kind)
    odd = _end(events, "tiny.main_a.b c.tiny.odd")
    assert [output["name"] for output in odd["outputs"]] == [TABLE]
    told = {(name, source, column, kind) for _, name, _, source, column, _, kind, _ in edges(odd)}
    assert told == {
        ('Id "1" 🦆', "tiny.main.raw_orders", "id", "IDENTITY"),
        ("a.b", "tiny.main.raw_orders", "amount", "IDENTITY"),
        ("", "tiny.main.raw_orders", "customer", "FILTER"),
    }
    reader = _end(events, "tiny.main.tiny.reader")
    told = {(name, source, column, kind) for _, name, _, source, column, _, kind, _ in edges(reader)}
    assert told == {
        ('Id "1" 🦆', TABLE, 'Id "1" 🦆', "IDENTITY"),
        ("a.b", TABLE, "a.b", "IDENTITY"),
        ("more", TABLE, "a.b", "TRANSFORMATION"),
    }
    fields = reader["outputs"][0]["facets"]["schema"]["fields"]
    assert [(field["name"], field["type"]) for field in fields] == [
        ('Id "1" 🦆', "INTEGER"),
        ("a.b", "INTEGER"),
        ("more", "INTEGER"),
    ]


def test_a_model_without_sql_fails_as_dbt_says(runs: Runs) -> None:
    event = _end(runs.events, "tiny.main.tiny.commented")
    assert event["eventType"] == "FAIL"
    assert "syntax error" in event["run"]["facets"]["errorMessage"]["message"]
    assert event["outputs"][0]["facets"]["lineal_lineage"]["status"] in ("failed", "unresolved")
    assert not [each for each in runs.events if each["job"]["name"].endswith("empty_file")]  # dbt leaves it out


def test_a_run_that_reads_no_rows_says_so(runs: Runs) -> None:
    (event,) = [each for each in runs.emptied if (each["job"]["name"], each["eventType"]) == ("dbt-run-tiny", "START")]
    assert event["run"]["facets"]["lineal_invocation"]["selectors"] == {"empty": True}


def test_a_node_of_which_dbt_can_say_nothing_ends_as_it_did(tmp_path: Path) -> None:
    """A key of `meta` that is no text: dbt's own messages of the node are empty (under pytest it would raise)."""
    numbered = "{{ config(materialized='table', meta={'owner': 'me', 'shelf': {1: 'first'}}) }} "
    files = {
        "models/numbered.sql": numbered + "select 1 as x",
        "models/broken.sql": numbered + "select nothing from void",
    }
    project = new_project(tmp_path, **files)
    env = {**project.to_file(), "PYTEST_CURRENT_TEST": ""}
    ran = project.dbt("run", "--select", "numbered", "broken", *SERIAL, **env)
    assert "PASS=1" in ran.out
    ends = {each["job"]["name"].rpartition(".")[2]: each for each in _events(project) if each["eventType"] != "START"}
    assert {name: end["eventType"] for name, end in ends.items() if name in ("numbered", "broken")} == {
        "numbered": "COMPLETE",
        "broken": "FAIL",
    }
    assert "void does not exist" in ends["broken"]["run"]["facets"]["errorMessage"]["message"]
    assert [one["name"] for one in ends["numbered"]["outputs"][0]["facets"]["schema"]["fields"]] == ["x"]
