"""A plain `dbt build` with the plugin installed: which events it emits, when, and with what in them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from .plugin_project import FILES, LONG, Gate, Project, eventually, kinds, new_project, settled
from .plugin_receiver import Receiver, running

Event = dict[str, Any]
BROKEN = (
    "{{ config(materialized='table') }} select cast(customer as integer) as id, customer from {{ ref('raw_orders') }}"
)


def _of(events: list[Event], job: str, kind: str) -> Event:
    found = [event for event in events if event["job"]["name"].endswith(job) and event["eventType"] == kind]
    assert len(found) == 1, kinds(events, job)
    return found[0]


def _edges(event: Event) -> set[tuple[str, str, str, str, str]]:
    fields = event["outputs"][0]["facets"]["columnLineage"]["fields"]
    return {
        (name, given["name"], given["field"], change["type"], change["subtype"])
        for name, told in fields.items()
        for given in told["inputFields"]
        for change in given["transformations"]
    }


def _traced(events: list[Event], job: str) -> Event | None:
    """The first of a job's events that has its columns."""
    found = [event for event in events if event["job"]["name"].endswith(job)]
    return next((event for event in found if "columnLineage" in event["outputs"][0]["facets"]), None)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of one successful build."""
    project = new_project(tmp_path_factory.mktemp("built"))
    ran = project.dbt("build", **project.to_file())
    assert ran.code == 0, ran.out
    assert project.waiting() == []
    return project.events()


def test_every_node_starts_and_completes_within_its_invocation(built: list[Event]) -> None:
    for job in ("tiny.raw_orders.seed", "tiny.orders", "tiny.totals", "dbt-run-tiny", "test.tiny.not_null_orders_id"):
        found = [event for event in built if job in event["job"]["name"]]
        assert [event["eventType"] for event in settled(found)] == ["START", "COMPLETE"], job
        assert found[0]["eventTime"] < found[-1]["eventTime"]
    assert built[0]["job"]["name"] == built[-1]["job"]["name"] == "dbt-run-tiny"
    assert built[0]["eventTime"] == min(event["eventTime"] for event in built)


def test_ids_follow_from_the_invocation_and_the_node(built: list[Event]) -> None:
    invocation = built[0]["run"]["runId"]
    totals = _of(built, "tiny.totals", "COMPLETE")
    assert totals["run"]["runId"] == str(uuid5(UUID(invocation), "model.tiny.totals"))
    assert totals["run"]["facets"]["parent"]["run"] == {"runId": invocation}


def test_the_whole_lineage_is_there_from_the_first_event_that_has_any(built: list[Event]) -> None:
    for find in (_traced, lambda events, job: _of(events, job, "COMPLETE")):  # the first may be the end's, too
        orders, totals = find(built, "tiny.orders"), find(built, "tiny.totals")
        assert orders is not None
        assert totals is not None
        assert _edges(totals) == {
            ("customer", "tiny.main.orders", "customer", "DIRECT", "IDENTITY"),
            ("total", "tiny.main.orders", "amount", "DIRECT", "AGGREGATION"),
        }
        assert _edges(orders) == {
            (name, "tiny.main.raw_orders", name, "DIRECT", "IDENTITY") for name in ("id", "customer", "amount")
        }
        assert [given["name"] for given in totals["inputs"]] == ["tiny.main.orders"]


def test_types_are_those_of_the_database(built: list[Event]) -> None:
    schema = _of(built, "tiny.totals", "COMPLETE")["outputs"][0]["facets"]["schema"]["fields"]
    assert [(one["name"], one["type"]) for one in schema] == [("customer", "VARCHAR"), ("total", "HUGEINT")]


def test_a_seed_has_its_columns_and_no_source(built: list[Event]) -> None:
    fields = _of(built, "raw_orders.seed", "COMPLETE")["outputs"][0]["facets"]["columnLineage"]["fields"]
    assert {name: told["inputFields"] for name, told in fields.items()} == {"id": [], "customer": [], "amount": []}


def test_commands_that_build_nothing_emit_nothing(project: Project) -> None:
    project.dbt("build", **project.to_file())
    project.log.unlink()
    program = (
        "import sys; from dbt.cli.main import dbtRunner; runner = dbtRunner();"
        "sys.exit(not all(runner.invoke(words.split('+')).success for words in sys.argv[1:]))"
    )
    commands = ["parse", "compile", "list", "docs+generate", "show+--inline+select 1 as a"]
    done = subprocess.run(
        [sys.executable, "-c", program, *commands],
        cwd=project.root,
        env=project.environment(**project.to_file()),
        check=False,
    )
    assert done.returncode == 0
    assert project.dbt("run-operation", "no_such_macro", **project.to_file()).code != 0
    assert project.events() == []
    assert project.waiting() == []


def test_a_failing_model_fails_and_what_depends_on_it_says_nothing(project: Project) -> None:
    project.write({"models/orders.sql": BROKEN})
    assert project.dbt("build", **project.to_file()).code == 1
    events = project.events()
    failed = _of(events, "tiny.orders", "FAIL")
    assert kinds(events, "tiny.orders") == ["START", "FAIL"]
    assert "Could not convert string 'ann'" in failed["run"]["facets"]["errorMessage"]["message"]
    assert failed["outputs"][0]["name"] == "tiny.main.orders"
    assert kinds(events, "tiny.totals") == []
    assert kinds(events, "dbt-run-tiny") == ["START", "FAIL"]


def test_a_node_that_does_not_compile_starts_and_fails(project: Project) -> None:
    project.write({"models/orders.sql": "select {{ run_query('select nothing from nowhere') }} as id"})
    assert project.dbt("run", "--select", "orders", **project.to_file()).code == 1
    events = project.events()
    assert kinds(events, "tiny.orders") == ["START", "FAIL"]
    assert "nowhere" in _of(events, "tiny.orders", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert kinds(events, "dbt-run-tiny") == ["START", "FAIL"]


def test_a_project_that_cannot_be_read_fails_its_invocation(project: Project) -> None:
    project.write({"models/orders.sql": "select * from {{ ref('absent') }}"})
    assert project.dbt("build", **project.to_file()).code == 2
    assert [(event["job"]["name"], event["eventType"]) for event in project.events()] == [
        ("dbt-run-tiny", "START"),
        ("dbt-run-tiny", "FAIL"),
    ]
    assert project.events()[1]["run"]["facets"]["errorMessage"]["message"] == "dbt stopped before any node ran"


def _hooked(project: Project) -> None:
    """Make `orders`, and no other model, tell its columns by our post-hook."""
    lines = project.lineal("macros").out
    assert lines.count("\n") == 7
    project.write({"packages.yml": lines[lines.index("packages:") : lines.index("# dbt_project.yml")]})
    assert project.dbt("deps").code == 0
    model = "{{ config(post_hook='{{ lineal.emit() }}') }} select * from {{ ref('raw_orders') }}"
    project.write({"models/orders.sql": model})


def test_the_post_hook_tells_the_columns_where_they_are_not_read(project: Project) -> None:
    _hooked(project)
    assert project.dbt("build", **project.to_file(), LINEAL_READ_COLUMNS="0").code == 0
    events = project.events()
    schema = _of(events, "tiny.orders", "COMPLETE")["outputs"][0]["facets"]["schema"]["fields"]
    assert [(one["name"], one["type"]) for one in schema] == [
        ("id", "INTEGER"),
        ("customer", "VARCHAR"),
        ("amount", "INTEGER"),
    ]
    untold = _of(events, "tiny.totals", "COMPLETE")["outputs"][0]["facets"]["schema"]["fields"]
    assert [one.get("type") for one in untold] == [None, None]


def test_hooked_models_alone_emit_when_told_so(project: Project) -> None:
    _hooked(project)
    assert project.dbt("build", **project.to_file(), LINEAL_EMIT="hooked").code == 0
    assert sorted({event["job"]["name"] for event in project.events()}) == ["dbt-run-tiny", "tiny.main.tiny.orders"]


def test_snapshots_retries_and_freshness(project: Project) -> None:
    project.write(
        {
            "snapshots/kept.yml": (
                "snapshots:\n  - name: kept\n    relation: ref('orders')\n"
                "    config: {strategy: check, unique_key: id, check_cols: all}\n"
            ),
            "models/totals.sql": BROKEN,
        }
    )
    assert project.dbt("build", **project.to_file()).code == 1
    assert kinds(project.events(), "tiny.kept.snapshot") == ["START", "COMPLETE"]
    assert kinds(project.events(), "tiny.totals") == ["START", "FAIL"]
    project.write({"models/totals.sql": FILES["models/totals.sql"]})
    assert project.dbt("retry", **project.to_file()).code == 0
    assert kinds(project.events(), "tiny.totals") == ["START", "FAIL", "START", "COMPLETE"]
    assert kinds(project.events(), "tiny.orders") == ["START", "COMPLETE"]


def test_each_batch_of_a_microbatch_model_is_a_run(project: Project) -> None:
    project.write(
        {
            "models/days.sql": (
                "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts',"
                " begin='2026-01-01', batch_size='day') }} select id, ts from {{ ref('hours') }}"
            ),
            "models/hours.sql": "select 1 as id, timestamp '2026-01-02 10:00:00' as ts",
            "models/hours.yml": "models: [{name: hours, config: {event_time: ts}}]\n",
        }
    )
    span = ["--event-time-start", "2026-01-01", "--event-time-end", "2026-01-03"]
    assert project.dbt("run", "--select", "hours", "days", *span, **project.to_file()).code == 0
    assert kinds(project.events(), "tiny.days") == ["START", "COMPLETE", "START", "COMPLETE"]
    ended = [event for event in project.events() if kinds([event], "tiny.days") == ["COMPLETE"]]
    assert [event["run"]["facets"]["nominalTime"]["nominalStartTime"] for event in ended] == [
        "2026-01-01T00:00:00Z",
        "2026-01-02T00:00:00Z",
    ]
    assert len({event["run"]["runId"] for event in ended}) == 2
    for event in ended:
        assert _edges(event) == {(name, "tiny.main.hours", name, "DIRECT", "IDENTITY") for name in ("id", "ts")}


TOTALS = "select customer, sum(amount) as total from {{ ref('orders') }} group by 1"


def test_a_running_model_is_seen_with_its_lineage_while_it_runs(project: Project) -> None:
    gate = project.hold("totals", TOTALS)
    with running(Receiver()) as receiver:
        process = project.start("build", **project.to_http(receiver.url))
        eventually(lambda: kinds(receiver.accepted, "tiny.totals"))
        assert kinds(receiver.accepted, "tiny.totals") == ["START"]
        assert _edges(eventually(lambda: _traced(receiver.accepted, "tiny.totals"))) >= {
            ("total", "tiny.main.orders", "amount", "DIRECT", "AGGREGATION")
        }
        assert process.poll() is None
        gate.open()
        process.communicate(timeout=LONG)
        assert process.returncode == 0
        eventually(lambda: kinds(receiver.accepted, "tiny.totals") == ["START", "COMPLETE"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_dbt_leaves_nothing_running(project: Project, number: signal.Signals) -> None:
    gate = project.hold("totals", TOTALS)
    with running(Receiver()) as receiver:
        process = project.start("build", **project.to_http(receiver.url))
        eventually(lambda: kinds(receiver.accepted, "tiny.totals"))
        process.send_signal(number)
        if number == signal.SIGINT:
            gate.open()  # dbt itself waits for its threads
        process.communicate(timeout=LONG)
        assert process.returncode != 0
        eventually(lambda: len(kinds(receiver.accepted, "dbt-run-tiny")) == 2)
        assert kinds(receiver.accepted, "tiny.totals") in (["START", "ABORT"], ["START", "COMPLETE"])
        if number != signal.SIGINT:
            assert kinds(receiver.accepted, "tiny.totals") == ["START", "ABORT"]
            assert kinds(receiver.accepted, "dbt-run-tiny") == ["START", "ABORT"]
        else:
            assert kinds(receiver.accepted, "dbt-run-tiny") == ["START", "FAIL"]
    eventually(lambda: project.waiting() == [])


def test_a_query_that_is_interrupted_is_aborted_not_failed(project: Project) -> None:
    gate = Gate(project.root / "gate")
    endless = (
        "{{ config(materialized='table') }} select sum(sin(a.range * b.range + length(g.content))) as x"
        f" from read_text('{gate.path}') g, range(100000000) a, range(100000000) b"
    )
    project.write({"models/endless.sql": endless})
    with running(Receiver()) as receiver:
        process = project.start("build", "--select", "endless", **project.to_http(receiver.url))
        eventually(lambda: kinds(receiver.accepted, "tiny.endless"))
        gate.open().join(LONG)  # the query is under way
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONG)
        assert process.returncode != 0
        eventually(lambda: len(kinds(receiver.accepted, "dbt-run-tiny")) == 2)
        assert kinds(receiver.accepted, "tiny.endless") == ["START", "ABORT"]
        assert kinds(receiver.accepted, "dbt-run-tiny") == ["START", "FAIL"]


def test_a_clone_is_a_copy_of_its_origin(project: Project) -> None:
    profile = "tiny:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: tiny.duckdb}\n"
    project.write({"profiles.yml": profile + "    copy: {type: duckdb, path: tiny.duckdb, schema: copy}\n"})
    assert project.dbt("build", LINEAL_DISABLED="1").code == 0
    (project.root / "target").rename(project.root / "origin")
    assert project.dbt("clone", "--target", "copy", "--state", "origin", **project.to_file()).code == 0
    told = _of(project.events(), "copy.tiny.totals", "COMPLETE")
    assert [given["name"] for given in told["inputs"]] == ["tiny.main.totals"]
    assert [output["name"] for output in told["outputs"]] == ["tiny.copy.totals"]
    assert _edges(told) == {
        ("customer", "tiny.main.totals", "customer", "DIRECT", "IDENTITY"),
        ("total", "tiny.main.totals", "total", "DIRECT", "IDENTITY"),
    }
    facet = told["outputs"][0]["facets"]["lineal_lineage"]
    assert (facet["status"], {column["self"] for column in facet["columns"]}) == ("resolved", {False})
