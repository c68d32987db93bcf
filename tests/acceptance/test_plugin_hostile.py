"""Whatever happens to us, dbt's exit code and its output are those of a run without us."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .plugin_project import LONG, Project, Ran, eventually, new_project, settled, without_times
from .plugin_receiver import Receiver, running, silent_address

BROKEN = (
    "{{ config(materialized='table') }} select cast(customer as integer) as id, customer from {{ ref('raw_orders') }}"
)
SERIAL = ("--threads", "1")  # lines of two threads come in any order


def _same(plugged: Ran, plain: Ran) -> None:
    assert plugged.code == plain.code
    assert without_times(plugged.out) == without_times(plain.out)


def _of_nodes(text: str) -> str:
    """Without the connections of dbt's ended threads: which of these it cancels depends on their identifiers."""
    return re.sub(r".* CANCEL query (create|list)_.*\n", "", text)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A successful build with the plugin switched off."""
    return new_project(tmp_path_factory.mktemp("plain")).dbt("build", *SERIAL, LINEAL_DISABLED="1")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


def test_a_successful_build_looks_the_same(project: Project, plain: Ran) -> None:
    plugged = project.dbt("build", *SERIAL, **project.to_file())
    _same(plugged, plain)
    assert plugged.err == plain.err == ""
    assert project.events()


@pytest.mark.parametrize(
    ("model", "code", "options"),
    [
        (BROKEN, 1, []),
        (BROKEN, 1, ["--fail-fast"]),
        ("select {{ nothing( }}", 2, []),
        ("select * from {{ ref('absent') }}", 2, []),
    ],
)
def test_a_failing_build_looks_the_same(tmp_path: Path, model: str, code: int, options: list[str]) -> None:
    runs = []
    for name, env in (("plain", {"LINEAL_DISABLED": "1"}), ("plugged", {})):
        project = new_project(tmp_path / name, **{"models/orders.sql": model})
        runs.append(project.dbt("build", *SERIAL, *options, **{**project.to_file(), **env}))
    plain, plugged = runs
    assert plain.code == code
    expected = Ran(plain.code, _of_nodes(plain.out.replace("/plain/", "/plugged/")), plain.err, 0)
    _same(Ran(plugged.code, _of_nodes(plugged.out), plugged.err, 0), expected)
    assert "query lineal" not in plugged.out
    assert "Traceback" not in plugged.err


def test_without_a_transport_nothing_happens(project: Project, plain: Ran) -> None:
    ran = project.dbt("build", *SERIAL)
    _same(ran, plain)
    assert ran.err == ""
    assert not project.state.exists()
    told = [line for line in (project.root / "logs" / "dbt.log").read_text().splitlines() if "Lineal: " in line]
    assert len(told) == 1
    assert "set OPENLINEAGE_URL" in told[0]


def test_a_state_directory_that_cannot_be_written_to_is_replaced_and_told_once(project: Project, plain: Ran) -> None:
    ran = project.dbt("build", *SERIAL, **project.to_file(), LINEAL_STATE_DIR="/dev/null/state")
    _same(ran, plain)
    assert ran.err.count("/dev/null/state") == 1
    assert "target/lineal/outbox" in ran.err
    assert [event["eventType"] for event in project.events()].count("COMPLETE") == 5


def test_with_no_place_to_write_records_go_through_memory(project: Project, plain: Ran) -> None:
    (project.root / "target").mkdir()
    (project.root / "target" / "lineal").write_text("in the way of a folder")
    ran = project.dbt("build", *SERIAL, **project.to_file(), LINEAL_STATE_DIR="/dev/null/state")
    _same(ran, plain)
    assert len([line for line in ran.err.splitlines() if "memory only" in line]) == 1
    assert [event["eventType"] for event in project.events()].count("COMPLETE") == 5


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("transport: [type: http\n", "is not valid YAML (line"),
        ("transport:\n  type: http\n", "`url` key not passed"),
        ("transport:\n  type: nothing.of.the.sort\n", "nothing.of.the.sort"),
    ],
)
def test_a_broken_configuration_is_one_clear_line(project: Project, plain: Ran, config: str, told: str) -> None:
    project.write({"openlineage.yml": config})
    ran = project.dbt("build", *SERIAL)
    _same(ran, plain)
    assert ran.err.count("Lineal: ") == 1, ran.err
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_a_setting_that_cannot_be_used_is_one_clear_line(project: Project, plain: Ran) -> None:
    ran = project.dbt("build", *SERIAL, **project.to_file(), LINEAL_BUDGET_SECONDS="soon")
    _same(ran, plain)
    told = "Lineal: LINEAL_BUDGET_SECONDS='soon': expected a number that is not negative; no lineage is emitted"
    assert ran.err.strip().removeprefix("WARNING:lineal:") == told


def test_a_refused_connection_costs_the_budget_at_most(project: Project, plain: Ran) -> None:
    with silent_address() as address:
        ran = project.dbt("build", *SERIAL, OPENLINEAGE_URL=address.url, LINEAL_LINGER_SECONDS="0")
    _same(ran, plain)
    assert ran.err.count("can't be reached; events wait") == 1
    assert len(project.waiting()) == 1


@pytest.mark.parametrize("status", [500, 401])  # what every other answer means: tests/unit/producer/test_transport.py
def test_an_answer_that_may_change_keeps_the_events(project: Project, plain: Ran, status: int) -> None:
    receiver = Receiver()
    receiver.answer = lambda _: status
    with running(receiver):
        ran = project.dbt("build", *SERIAL, **project.to_http(receiver.url), LINEAL_LINGER_SECONDS="0")
        _same(ran, plain)
        assert f"answered {status}" in ran.err
        eventually(lambda: len(project.waiting()) == 1)
        receiver.answer = lambda _: 201
        flushed = project.lineal("flush", **project.to_http(receiver.url))
    assert flushed.code == 0, flushed.out + flushed.err
    assert [event["eventType"] for event in receiver.accepted].count("COMPLETE") == 5
    assert project.waiting() == []


def test_a_receiver_that_hangs_holds_dbt_no_longer_than_the_budget(project: Project, plain: Ran) -> None:
    receiver = Receiver()
    receiver.released.clear()
    with running(receiver):
        ran = project.dbt("build", *SERIAL, OPENLINEAGE_URL=receiver.url, LINEAL_BUDGET_SECONDS="0")
        _same(ran, plain)
        receiver.released.set()
        eventually(lambda: [event["eventType"] for event in receiver.accepted].count("COMPLETE") == 5)
        eventually(lambda: project.waiting() == [])


def test_who_does_not_wait_for_us_gets_dbts_own_exit_code(project: Project, plain: Ran) -> None:
    receiver = Receiver()
    receiver.released.clear()
    with running(receiver):
        process = project.start("build", *SERIAL, **project.to_http(receiver.url))
        # Written while dbt's last event is being told, and nothing is answered that it would wait for.
        eventually(lambda: any(b'"invocation_end"' in path.read_bytes() for path in project.waiting()))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONG)
        _same(Ran(process.returncode, out, err, 0.0), plain)
        assert err == ""
        receiver.released.set()
        eventually(lambda: [event["eventType"] for event in receiver.accepted].count("COMPLETE") == 5)
        eventually(lambda: project.waiting() == [])


def test_no_child_at_all_leaves_the_records_for_flush(project: Project, plain: Ran) -> None:
    program = (
        "import sys, types; import lineal_producer.dbt.child as child;"
        "child.sys = types.SimpleNamespace(executable='/nowhere/python', platform=sys.platform);"
        "sys.argv[0] = 'dbt'; from dbt.cli.main import cli; cli()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-use-colors", "build", *SERIAL, "--profiles-dir", "."],
        cwd=project.root,
        env=project.environment(**project.to_file()),
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    _same(Ran(done.returncode, done.stdout, done.stderr, 0), plain)
    assert done.stderr.count("no worker process can be started") == 1
    assert project.events() == []
    assert project.lineal("flush", **project.to_file()).code == 0
    assert [event["eventType"] for event in project.events()].count("COMPLETE") == 5


def test_an_analysis_out_of_bounds_is_stopped_and_its_event_goes(project: Project) -> None:
    many = ", ".join(map(str, range(100_000)))
    project.write({"models/long.sql": "select id from {{ ref('raw_orders') }} where id in (" + many + ")"})
    ran = project.dbt("build", *SERIAL, **project.to_file(), LINEAL_ANALYSIS_SECONDS="0.05")
    assert ran.code == 0, ran.out
    ended = [event for event in project.events() if event["eventType"] == "COMPLETE" and event["outputs"]]
    facets = {event["outputs"][0]["name"]: event["outputs"][0]["facets"]["lineal_lineage"] for event in ended}
    assert len(facets) == 4
    long = facets["tiny.main.long"]
    assert (long["status"], [gap["code"] for gap in long["gaps"]]) == ("failed", ["limit_exceeded"])
    assert [(column["name"], column["status"]) for column in long["columns"]] == [("id", "unresolved")]


def test_an_analysis_with_too_little_memory_is_stopped(project: Project, plain: Ran) -> None:
    if sys.platform != "linux":
        return  # no other system holds a process to an address space
    ran = project.dbt("build", *SERIAL, **project.to_file(), LINEAL_ANALYSIS_MB="12")
    _same(ran, plain)
    totals = [event for event in project.events() if event["job"]["name"].endswith("tiny.totals")]
    assert [event["eventType"] for event in totals] == ["START", "COMPLETE"]
    assert totals[1]["outputs"][0]["facets"]["lineal_lineage"]["gaps"][0]["code"] == "limit_exceeded"


def test_the_wrapper_and_the_plugin_together_emit_once(project: Project, plain: Ran) -> None:
    ran = project.lineal("--no-use-colors", "build", *SERIAL, "--profiles-dir", ".", **project.to_file())
    _same(ran, plain)
    assert len(settled(project.events())) == 10
