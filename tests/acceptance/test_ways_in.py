"""The ways in tell the same of one real dbt command, but for the facets that docs/ways-in.md lists."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from .every_kind import SPAN, new_project_of_every_kind
from .plugin_project import LONG, Project, eventually, kinds, new_project
from .ways import Event, by_key, differing, identity

DOCS = Path(__file__).parents[2] / "docs" / "ways-in.md"
WAYS = ("emit", "consume", "consume without debug lines")


@dataclass(frozen=True, slots=True)
class Told:
    """What the plugin and the other ways told of one command; `passed` is what went through a stream."""

    plugin: list[Event]
    ways: dict[str, list[Event]]
    code: int
    passed: list[str]


def _events(path: Path) -> list[Event]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _to(project: Project, name: str) -> dict[str, str]:
    path = project.root.parent / f"{name}.ndjson"
    return {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(path)}


def _consume(project: Project, dbt: subprocess.Popen[str], *arguments: str) -> subprocess.Popen[str]:
    """`lineal-dbt consume` at the end of a dbt's pipe."""
    return subprocess.Popen(
        [str(Path(sys.executable).parent / "lineal-dbt"), "consume", *arguments],
        cwd=project.root,
        env=project.environment(**_to(project, "stream")),
        stdin=dbt.stdout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _stream(project: Project, level: str, *arguments: str) -> Told:
    """A dbt command whose log is consumed while it runs, with the plugin beside it."""
    log = ("--log-format", "json", "--log-level", level)
    dbt = project.start(*log, *arguments, **_to(project, "plugin"))
    consume = _consume(project, dbt)
    out, err = consume.communicate(timeout=LONG)
    dbt.communicate(timeout=LONG)
    assert err == ""
    assert consume.returncode == min(dbt.returncode, 1)
    way = WAYS[1] if level == "debug" else WAYS[2]
    folder = project.root.parent
    return Told(
        _events(folder / "plugin.ndjson"), {way: _events(folder / "stream.ndjson")}, dbt.returncode, out.splitlines()
    )


@pytest.fixture(scope="module")
def debugged(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """A build of every kind of node, told by the plugin, by its debug log while it ran, and by its artifacts."""
    project = new_project_of_every_kind(tmp_path_factory.mktemp("debugged"))
    told = _stream(project, "debug", "build", *SPAN)
    emitted = project.lineal("emit", **_to(project, "emit"))
    assert (emitted.code, emitted.err) == (0, "")
    told.ways["emit"] = _events(project.root.parent / "emit.ndjson")
    return told


@pytest.fixture(scope="module")
def informed(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The same by the plugin and by a log without debug lines."""
    project = new_project_of_every_kind(tmp_path_factory.mktemp("informed"))
    return _stream(project, "info", "build", *SPAN)


@pytest.fixture
def told(request: pytest.FixtureRequest, way: str) -> Told:
    fixture: Told = request.getfixturevalue("informed" if way == WAYS[2] else "debugged")
    return fixture


def test_the_project_has_every_state(debugged: Told) -> None:
    states = Counter(event.get("eventType", "static") for event in by_key(debugged.plugin).values())
    assert debugged.code == 1
    assert states == {"START": 19, "COMPLETE": 14, "FAIL": 5, "static": 1}


@pytest.mark.parametrize("way", WAYS)
def test_ids_names_states_and_edges_are_the_same(told: Told, way: str) -> None:
    plugin, other = by_key(told.plugin), by_key(told.ways[way])
    assert other.keys() == plugin.keys()
    for key, event in plugin.items():
        assert identity(other[key]) == identity(event), key


@pytest.mark.parametrize("way", WAYS)
def test_only_the_listed_facets_differ(told: Told, way: str) -> None:
    assert set(differing(told.plugin, told.ways[way])) == _listed(way)


def _listed(way: str) -> set[str]:
    """The facets of the table that differ by this way."""
    lines = [line for line in DOCS.read_text().splitlines() if line.startswith(("| facet", "| `"))]
    head, *rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0] for row in rows if row[head.index(way)] == "yes"}


def test_what_comes_in_goes_out(debugged: Told) -> None:
    lines = [json.loads(line)["info"]["name"] for line in debugged.passed]
    assert lines[0] == "MainReportVersion"
    assert "CommandCompleted" in lines


def test_hooks_are_in_the_facet_of_the_invocation(debugged: Told) -> None:
    for events in (debugged.plugin, *debugged.ways.values()):
        (end,) = [each for each in events if (each["job"]["name"], each.get("eventType")) == ("dbt-run-tiny", "FAIL")]
        assert end["run"]["facets"]["lineal_invocation"]["hooks"] == [
            {
                "when": "on-run-end",
                "sql": "insert into audit values (19)",
                "nodes": ["operation.tiny.tiny-on-run-end-0"],
            },
            {
                "when": "on-run-start",
                "sql": "create table if not exists audit (nodes int)",
                "nodes": ["operation.tiny.tiny-on-run-start-0"],
            },
            {"when": "post-hook", "sql": "select '{{ this.name }}'", "nodes": ["model.tiny.totals"]},
        ]


def test_an_exposure_is_a_job_that_reads(debugged: Told) -> None:
    (exposure,) = [event for event in debugged.plugin if "run" not in event]
    assert (exposure["job"]["name"], exposure["outputs"]) == ("exposure.tiny.board.dev", [])
    assert [given["name"] for given in exposure["inputs"]] == ["tiny.main.totals", "tiny.main.through"]
    facets = exposure["job"]["facets"]
    assert facets["jobType"]["jobType"] == "EXPOSURE"
    assert facets["ownership"]["owners"] == [{"name": "ana"}]
    assert facets["documentation"]["description"] == "For the board."
    tags = {tag["key"]: tag["value"] for tag in facets["tags"]["tags"]}
    assert tags == {"exposure_type": "dashboard", "exposure_url": "https://bi.example/7"}


@pytest.mark.parametrize("level", ["debug", "info"])
def test_freshness(tmp_path: Path, level: str) -> None:
    project = new_project_of_every_kind(tmp_path)
    told = _stream(project, level, "source", "freshness")
    assert told.code == 1
    assert project.lineal("emit", **_to(project, "emit")).code == 0
    (way,) = told.ways
    for events in (told.plugin, told.ways[way], _events(tmp_path / "emit.ndjson")):
        checked = [event for event in events if event["job"]["name"] == "tiny.main.source.tiny.raw.lines.freshness"]
        assert [event["eventType"] for event in checked] == ["START", "FAIL"]
        (given,) = checked[1]["inputs"]
        assert given["name"] == "tiny.main.raw_lines"
        (assertion,) = given["inputFacets"]["dataQualityAssertions"]["assertions"]
        assert (assertion["assertion"], assertion["success"]) == ("freshness", False)
        assert given["inputFacets"]["dataQualityMetrics"]["lastUpdated"] == "2020-01-01T00:00:00.000000Z"
        assert by_key(events).keys() == by_key(told.plugin).keys()


@pytest.mark.parametrize("plugin", [True, False])
def test_the_wrapper_tells_what_the_plugin_does_and_no_more_beside_it(tmp_path: Path, plugin: bool) -> None:
    project = new_project(tmp_path)
    project.write({"models/totals.sql": "select customer::int as customer from {{ ref('raw_orders') }}"})
    shadow = {} if plugin else {"PYTHONPATH": str(tmp_path / "shadow")}
    (tmp_path / "shadow").mkdir()
    (tmp_path / "shadow" / "dbt_lineal.py").write_text("plugins = []\n")
    ran = project.lineal("build", "--profiles-dir", ".", **shadow, **project.to_file())
    assert (ran.code, ran.err) == (0, "")  # a view that nobody reads fails nothing
    assert kinds(project.events(), "dbt-run-tiny") == ["START", "COMPLETE"]
    for job in ("tiny.raw_orders.seed", "tiny.orders", "tiny.totals"):
        assert kinds(project.events(), job) == ["START", "COMPLETE"], job
    first = min(project.events(), key=lambda event: event["eventTime"])
    assert first["job"]["name"] == "dbt-run-tiny"
    project.write({"models/totals.sql": "select no_such_column from {{ ref('raw_orders') }}"})
    assert project.lineal("build", "--profiles-dir", ".", **shadow, **project.to_file()).code == 1
    assert kinds(project.events(), "tiny.totals") == ["START", "COMPLETE", "START", "FAIL"]
    assert project.lineal("build", "--no-such-option", **shadow, **project.to_file()).code == 2


def test_the_columns_of_the_post_hook_come_by_the_log(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    told = project.lineal("macros").out
    project.write({"packages.yml": "\n".join(told.split("\n\n")[0].splitlines()[1:]) + "\n"})
    assert project.dbt("deps").code == 0
    hooked = "{{ config(post_hook='{{ lineal.emit() }}') }} select * from {{ ref('raw_orders') }}"
    project.write({"models/orders.sql": hooked})
    assert project.dbt("--log-format-file", "json", "build", LINEAL_DISABLED="1").code == 0
    assert project.lineal("consume", "logs/dbt.log", **project.to_file()).code == 0
    ended = {event["job"]["name"]: event for event in project.events() if event["eventType"] == "COMPLETE"}
    types = {
        job: [field.get("type") for field in ended[job]["outputs"][0]["facets"]["schema"]["fields"]]
        for job in ("tiny.main.tiny.orders", "tiny.main.tiny.totals")
    }
    assert types == {"tiny.main.tiny.orders": ["INTEGER", "VARCHAR", "INTEGER"], "tiny.main.tiny.totals": [None, None]}
    project.log.unlink()
    assert project.lineal("consume", "logs/dbt.log", **project.to_file(), LINEAL_EMIT="hooked").code == 0
    assert {event["job"]["name"] for event in project.events()} == {"dbt-run-tiny", "tiny.main.tiny.orders"}


@pytest.mark.parametrize("killed", [True, False])
def test_a_model_is_seen_while_it_runs_and_aborted_when_dbt_stops(tmp_path: Path, killed: bool) -> None:
    project = new_project(tmp_path)
    gate = project.hold("held", "select * from {{ ref('orders') }}")
    assert project.dbt("seed").code == 0
    dbt = project.start("--log-format", "json", "--log-level", "debug", "run", LINEAL_DISABLED="1")
    consume = _consume(project, dbt, "--quiet")  # nobody reads it before the end
    told = tmp_path / "stream.ndjson"
    eventually(lambda: told.exists() and kinds(_events(told), "tiny.held") == ["START"])
    started = next(event for event in _events(told) if event["job"]["name"].endswith("tiny.held"))
    assert [given["name"] for given in started["inputs"]] == ["tiny.main.orders"]
    consume.send_signal(signal.SIGINT)  # a terminal sends it to both
    dbt.send_signal(signal.SIGKILL if killed else signal.SIGINT)
    gate.open()
    _, err = consume.communicate(timeout=LONG)
    dbt.communicate(timeout=LONG)
    assert (consume.returncode, err) == (1, "")
    assert kinds(_events(told), "dbt-run-tiny") == ["START", "ABORT" if killed else "FAIL"]
    # An interrupted dbt lets the query end when it can't stop it in time.
    ends = {"ABORT"} if killed else {"ABORT", "COMPLETE"}
    assert kinds(_events(told), "tiny.held")[0] == "START"
    assert set(kinds(_events(told), "tiny.held")[1:]) <= ends
    assert len(kinds(_events(told), "tiny.held")) == 2
