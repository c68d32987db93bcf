"""`lineal-dbt emit` and `consume` after the fact, on what a real dbt left: the plugin's events, and bad days."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .plugin_project import FILES, LONG, Gate, Project, Ran, eventually, kinds, new_project
from .plugin_receiver import Receiver, running, silent_address
from .ways import Event, by_key, identity

BROKEN = "{{ config(materialized='table') }} select customer::int as customer from {{ ref('raw_orders') }}"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after a build that the plugin told of and that left a JSON log; tests change nothing in it."""
    project = new_project(tmp_path_factory.mktemp("built"))
    assert project.dbt("--log-format-file", "json", "build", **project.to_file()).code == 0
    return project


def _copy(built: Project, folder: Path) -> Project:
    """The built project's artifacts, log and sources in another folder: its database stays where it is."""
    project = new_project(folder)
    for name in ("target/manifest.json", "target/run_results.json", "logs/dbt.log"):
        project.write({name: (built.root / name).read_text()})
    return project


def _emit(project: Project, *arguments: str, command: str = "emit", **env: str) -> tuple[Ran, list[Event]]:
    """How the command ended, and what it told."""
    log = project.root.parent / "told.ndjson"
    log.unlink(missing_ok=True)
    told = {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(log)}
    ran = project.lineal(command, *arguments, **{**told, **env})
    return ran, [json.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []


def _same(plugin: list[Event], told: list[Event]) -> None:
    one, other = by_key(plugin), by_key(told)
    assert other.keys() == one.keys()
    for key, event in one.items():
        assert identity(other[key]) == identity(event), key


def test_twice_is_once(built: Project) -> None:
    first, events = _emit(built)
    second, again = _emit(built)
    assert (first.code, second.code, first.out) == (0, 0, second.out)
    assert again == events
    assert len(events) == 10
    assert f"{len(events)} events sent" in first.out


def test_a_retry_is_told_as_by_the_plugin(project: Project) -> None:
    project.write({"models/totals.sql": BROKEN})
    assert project.dbt("build", LINEAL_DISABLED="1").code == 1
    project.write({"models/totals.sql": FILES["models/totals.sql"]})
    assert project.dbt("retry", **project.to_file()).code == 0
    _same(project.events(), _emit(project)[1])


def test_each_of_several_retries_tells_its_own_batches(project: Project) -> None:
    failing = "',{{ env_var('FAILING') }},' like '%,' || id || ',%'"
    project.write(
        {
            "seeds/days.csv": "id,ts\n" + "".join(f"{day},2026-01-0{day}\n" for day in (1, 2, 3, 4)),
            "seeds/days.yml": ("seeds: [{name: days, config: {column_types: {ts: timestamp}, event_time: ts}}]\n"),
            "models/daily.sql": (
                "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts',"
                " begin='2026-01-01', batch_size='day') }} select ts,"
                f" case when {failing} then error('no')::int else id end as id from {{{{ ref('days') }}}}"
            ),
        }
    )
    span = ["--event-time-start", "2026-01-01", "--event-time-end", "2026-01-05"]
    first = ("build", "--select", "days", "daily", *span)
    for command, failed, code in ((first, "2,3,4", 1), (("retry",), "3", 1), (("retry",), "", 0)):
        project.log.unlink(missing_ok=True)
        assert project.dbt(*command, FAILING=failed, **project.to_file()).code == code
        _same(project.events(), _emit(project)[1])
    told = {event["run"]["facets"]["nominalTime"]["nominalStartTime"] for event in project.events()[1:-1]}
    assert told == {"2026-01-03T00:00:00Z"}


@pytest.mark.parametrize("command", [("clone",), ("run", "--select", "totals", "--defer", "--favor-state")])
def test_another_environment_is_told_as_by_the_plugin(project: Project, command: tuple[str, ...]) -> None:
    profile = "tiny:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: tiny.duckdb}\n"
    project.write({"profiles.yml": profile + "    copy: {type: duckdb, path: tiny.duckdb, schema: copy}\n"})
    assert project.dbt("build", LINEAL_DISABLED="1").code == 0
    assert project.dbt("docs", "generate", "--no-compile").code == 0
    (project.root / "target").rename(project.root / "origin")
    project.write({"target/catalog.json": (project.root / "origin" / "catalog.json").read_text()})
    log = ("--log-format-file", "json")
    assert project.dbt(*log, *command, "--target", "copy", "--state", "origin", **project.to_file()).code == 0
    ran, told = _emit(project, "--target", "copy")
    assert (ran.code, ran.err) == (0, "")
    _same(project.events(), told)
    assert {output["name"].split(".")[1] for event in told for output in event["outputs"]} == {"copy"}
    assert {given["name"].split(".")[1] for event in told for given in event["inputs"]} == {"main"}
    _same(project.events(), _emit(project, "logs/dbt.log", command="consume")[1])


def test_an_interrupted_query_is_aborted_by_every_way(project: Project) -> None:
    gate = Gate(project.root / "gate")
    endless = (
        "{{ config(materialized='table') }} select sum(sin(a.range * b.range + length(g.content))) as x"
        f" from read_text('{gate.path}') g, range(100000000) a, range(100000000) b"
    )
    project.write({"models/endless.sql": endless})
    with running(Receiver()) as receiver:
        log = ("--log-format-file", "json")
        process = project.start(*log, "build", "--select", "endless", **project.to_http(receiver.url))
        eventually(lambda: kinds(receiver.accepted, "tiny.endless"))
        gate.open().join(LONG)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONG)
        eventually(lambda: len(kinds(receiver.accepted, "dbt-run-tiny")) == 2)
    _, consumed = _emit(project, "logs/dbt.log", command="consume")
    _same(receiver.accepted, consumed)
    assert kinds(consumed, "tiny.endless") == ["START", "ABORT"]
    # Its artifacts have no result of what was under way, but show that the command was stopped.
    _, emitted = _emit(project)
    assert kinds(emitted, "tiny.endless") == []
    told = {event["eventType"]: event for event in emitted if event["job"]["name"] == "dbt-run-tiny"}
    assert told["FAIL"]["run"]["facets"]["errorMessage"]["message"] == "interrupted"


def test_what_docs_generate_has_overwritten_is_told_in_a_line(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    results = json.loads((project.root / "target" / "run_results.json").read_text())
    results["args"]["which"] = "generate"
    project.write({"target/run_results.json": json.dumps(results)})
    ran, told = _emit(project)
    assert (ran.code, told) == (1, [])
    assert "`dbt docs generate` has overwritten" in ran.err
    assert "run `lineal-dbt emit` before it" in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "said", "jobs"),
    [
        ("run_results.json", None, "there is no run_results.json; run `dbt build` first", 0),
        ("run_results.json", '{"metadata": {', "run_results.json: is not whole JSON", 0),
        ("run_results.json", "[]", "run_results.json: is not a JSON object", 0),
        ("run_results.json", '{"results": 1}', "run_results.json: it has no list of results", 0),
        ("manifest.json", '{"metadata": {"adapter', "manifest.json: is not whole JSON", 1),
        ("manifest.json", None, "there is no manifest.json", 1),
    ],
)
def test_a_broken_artifact_is_a_line_and_what_is_left_is_told(
    built: Project, tmp_path: Path, name: str, content: str | None, said: str, jobs: int
) -> None:
    project = _copy(built, tmp_path)
    (project.root / "target" / name).unlink()
    if content is not None:
        project.write({f"target/{name}": content})
    ran, told = _emit(project)
    assert ran.code == 1
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert {event["job"]["name"] for event in told} == ({"dbt-run-tiny"} if jobs else set())
    if jobs:
        assert [event["eventType"] for event in told] == ["START", "COMPLETE"]


def _changed(project: Project, name: str, change: Any) -> None:
    path = project.root / "target" / name
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def test_what_cannot_be_told_is_told_and_the_rest_goes_on(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)

    def of_results(results: Any) -> None:
        results["metadata"]["dbt_schema_version"] = "https://schemas.getdbt.com/dbt/run-results/v9.json"
        results["results"] += [None, {"unique_id": 7}, {"unique_id": "model.tiny.gone", "status": "success"}]

    def of_manifest(manifest: Any) -> None:
        manifest["metadata"]["dbt_schema_version"] = "https://schemas.getdbt.com/dbt/manifest/v99.json"
        manifest["nodes"]["model.tiny.totals"] = "half"

    _changed(project, "run_results.json", of_results)
    _changed(project, "manifest.json", of_manifest)
    project.write({"target/catalog.json": '{"nodes": {"model', "target/sources.json": "{"})
    ran, told = _emit(project)
    assert ran.code == 0
    for said in (
        "manifest v99 is newer than v12",
        "run_results v9 is newer than v6",
        "model.tiny.totals can't be read as a node",
        "catalog.json: is not whole JSON",
        "sources.json: is not whole JSON",
        "2 results can't be read",
        "model.tiny.gone is not in manifest.json",
    ):
        assert len([line for line in ran.err.splitlines() if said in line]) == 1, (said, ran.err)
    assert kinds(told, "tiny.orders") == ["START", "COMPLETE"]
    assert kinds(told, "tiny.totals") == []


def test_what_had_nothing_to_do_is_complete_and_wrote_nothing(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    statuses = {"model.tiny.orders": "reused", "model.tiny.totals": "no-op", "seed.tiny.raw_orders": "Success"}

    def of_results(results: Any) -> None:
        for one in results["results"]:
            one["status"] = statuses.get(one["unique_id"], one["status"])

    _changed(project, "run_results.json", of_results)
    ran, told = _emit(project)
    assert (ran.code, ran.err) == (0, "")
    assert by_key(told).keys() == by_key(built.events()).keys()  # COMPLETE, each of them
    written = {
        event["job"]["name"]
        for event in told
        for output in event["outputs"]
        if "lifecycleStateChange" in output["facets"] or "outputFacets" in output
    }
    assert written == {"tiny.main.tiny.raw_orders.seed"}


def test_results_of_another_command_are_not_told(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    _changed(project, "manifest.json", lambda found: found["metadata"].update(invocation_id="another"))
    ran, told = _emit(project)
    assert (ran.code, told) == (1, [])
    assert "than manifest.json (another)" in ran.err
    for nobody in (None, "00000000-0000-0000-0000-000000000000"):
        for name in ("manifest.json", "run_results.json"):
            _changed(project, name, lambda found, told=nobody: found["metadata"].update(invocation_id=told))
        ran, told = _emit(project)
        assert (ran.code, told) == (1, [])
        assert "it doesn't tell its invocation_id" in ran.err


def test_an_id_that_is_a_path_stays_in_the_outbox(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    for name in ("manifest.json", "run_results.json"):
        _changed(project, name, lambda found: found["metadata"].update(invocation_id="../../../escaped"))
    with silent_address() as address:
        assert project.lineal("emit", OPENLINEAGE_URL=address.url, LINEAL_LINGER_SECONDS="0").code == 1
    assert [path.name.partition(".")[0] for path in project.waiting()] == ["_________escaped"]


def test_without_a_profile_names_are_told_to_be_generic(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    (project.root / "profiles.yml").unlink()
    ran, told = _emit(project)
    assert ran.code == 0
    assert [
        line for line in ran.err.splitlines() if "datasets get the namespace duckdb" in line
    ] == ran.err.splitlines()
    assert {output["namespace"] for event in told for output in event["outputs"]} == {"duckdb"}
    ran, told = _emit(project, LINEAL_NAMESPACE_MAP="duckdb=duckdb://lake")
    assert (ran.code, ran.err) == (0, "")
    assert {output["namespace"] for event in told for output in event["outputs"]} == {"duckdb://lake"}


def test_what_cannot_be_sent_waits_once(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    with silent_address() as address:
        for _ in range(2):
            ran = project.lineal("emit", OPENLINEAGE_URL=address.url)
            assert ran.code == 1
            assert "0 events sent, the rest waits for `lineal-dbt flush`, because" in ran.out
        assert len(project.waiting()) == 1
        with running(Receiver(), address) as receiver:
            flushed = project.lineal("flush", OPENLINEAGE_URL=address.url)
            assert flushed.code == 0
            assert "1 run sent, 0 wait" in flushed.out
        assert len(receiver.accepted) == 10


def test_of_a_log_the_newest_command_is_told(project: Project) -> None:
    log = ("--log-format-file", "json")
    assert project.dbt(*log, "seed", LINEAL_DISABLED="1").code == 0
    assert project.dbt(*log, "run", **project.to_file()).code == 0
    ran, told = _emit(project, "logs/dbt.log", command="consume")
    assert (ran.code, ran.err) == (0, "")
    _same(project.events(), told)
    ran, told = _emit(project, "logs/dbt.log", "--all", command="consume")
    assert ran.code == 0
    assert kinds(told, "dbt-run-tiny") == ["START", "COMPLETE"] * 2
    assert kinds(told, "raw_orders.seed") == ["START", "COMPLETE"]
    project.write({"plain.log": "not json\n"})
    ran, told = _emit(project, "plain.log", command="consume")
    assert (ran.code, told) == (1, [])
    assert "has no line of dbt's JSON log; run dbt with" in ran.err


def test_a_log_that_breaks_off_ends_in_aborts(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    lines = (project.root / "logs" / "dbt.log").read_text().splitlines(keepends=True)
    begun = next(at for at, line in enumerate(lines) if '"name": "NodeExecuting"' in line)
    project.write({"torn.log": "".join(lines[: begun + 1]) + lines[begun + 1][:40]})
    ran, told = _emit(project, "torn.log", command="consume")
    assert ran.code == 0
    assert kinds(told, "raw_orders.seed") == ["START", "ABORT"]
    assert kinds(told, "dbt-run-tiny") == ["START", "ABORT"]


def _consume(project: Project, text: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """`lineal-dbt consume` with a log on its standard input."""
    command = [str(Path(sys.executable).parent / "lineal-dbt"), "consume", *arguments]
    told = {"cwd": project.root, "env": project.environment(**env), "timeout": LONG, "check": False}
    return subprocess.run(command, input=text, capture_output=True, text=True, **told)  # type: ignore[call-overload, no-any-return]


def test_a_stream_goes_on_whatever_happens_to_lineage(built: Project, tmp_path: Path) -> None:
    project = _copy(built, tmp_path)
    text = (project.root / "logs" / "dbt.log").read_text()
    lines = text.splitlines(keepends=True)
    begun = next(at for at, line in enumerate(lines) if '"name": "NodeExecuting"' in line)
    for env in ({}, {"OPENLINEAGE_URL": "nowhere"}, {"LINEAL_SQL": "wrong", "OPENLINEAGE_URL": "http://127.0.0.1:9"}):
        ran = _consume(project, text, **env)
        assert (ran.returncode, ran.stdout) == (0, text)
        assert len(ran.stderr.splitlines()) == 1, ran.stderr
    with silent_address() as address:
        away = {"OPENLINEAGE_URL": address.url, "LINEAL_BUDGET_SECONDS": "0", "LINEAL_LINGER_SECONDS": "0"}
        ran = _consume(project, text, **away)
        assert (ran.returncode, ran.stdout) == (0, text)
        with running(Receiver(), address) as receiver:
            eventually(lambda: project.lineal("flush", OPENLINEAGE_URL=address.url).code == 0)
            assert kinds(receiver.accepted, "tiny.totals") == ["START", "COMPLETE"]
    ran = _consume(project, "".join(lines[: begun + 1]), "--quiet", **project.to_file())
    assert (ran.returncode, ran.stdout) == (1, "")
    assert kinds(project.events(), "dbt-run-tiny") == ["START", "ABORT"]
    ran = _consume(project, "a plain line\n", **project.to_file())
    assert (ran.returncode, ran.stdout) == (0, "a plain line\n")
    assert "no line of dbt's JSON log came in" in ran.stderr


def test_without_a_manifest_a_log_tells_names_and_states(project: Project) -> None:
    assert project.dbt("--log-format-file", "json", "build", **project.to_file()).code == 0
    (project.root / "target" / "manifest.json").unlink()
    ran, told = _emit(project, "logs/dbt.log", command="consume")
    assert ran.code == 0
    assert "there is no manifest.json" in ran.err
    plugin, other = by_key(project.events()), by_key(told)
    assert other.keys() == plugin.keys()
    for key, event in plugin.items():
        assert [one["name"] for one in other[key]["outputs"]] == [one["name"] for one in event["outputs"]]
        assert other[key]["inputs"] == []
