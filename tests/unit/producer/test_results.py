"""Artifacts of many versions of dbt become the records that the plugin would have left, and these their events."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from lineal_producer.analysis import analyse
from lineal_producer.dbt.artifacts import read_artifacts, read_run_results
from lineal_producer.dbt.commands import project_name
from lineal_producer.dbt.results import Finished, batch_of
from lineal_producer.events import Event
from lineal_producer.records import Record
from lineal_producer.worker.build import Build

from .samples import INVOCATION_ID, invocation, node, raw_orders

SOURCE = "source.shop.raw.orders"
IDENTITY = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/{}/v{}.json", "invocation_id": INVOCATION_ID}
TIMING = [
    {"name": "compile", "started_at": "2026-01-31T10:20:31.000000Z", "completed_at": "2026-01-31T10:20:32Z"},
    {"name": "execute", "started_at": "2026-01-31T10:20:32.5Z", "completed_at": "2026-01-31T10:20:33.123456789Z"},
]


def _old_node(each: dict[str, Any]) -> dict[str, Any]:
    """As dbt before 1.3 wrote it."""
    code = each.pop("compiled_code", None)
    return {**{key: value for key, value in each.items() if key != "language"}, "compiled_sql": code}


def _terse_node(each: dict[str, Any]) -> dict[str, Any]:
    """As Fusion writes it: what is empty isn't there."""
    return {key: value for key, value in each.items() if value not in ("", {}, [], None) and key != "meta"}


def _manifest(version: int, shape: Any = lambda each: each, **metadata: Any) -> dict[str, Any]:
    nodes = [
        node("model", "stg", depends_on=[SOURCE], compiled_code='select id, amount from "shop"."raw"."Orders 2"'),
        node("model", "totals", depends_on=["model.shop.stg"], compiled_code="select * from shop.main.stg"),
        node("model", "broken", depends_on=["model.shop.stg"]),
        node("model", "later", depends_on=["model.shop.broken"]),
        node("model", "passing", materialized="ephemeral"),
    ]
    told = {key: value.format("manifest", version) for key, value in IDENTITY.items()}
    return {
        "metadata": {**told, "adapter_type": "duckdb", **metadata},
        "nodes": {each["unique_id"]: shape(each) for each in nodes},
        "sources": {SOURCE: shape(raw_orders())},
    }


def _result(name: str, status: str, **fields: Any) -> dict[str, Any]:
    told = {"status": status, "timing": TIMING, "message": status, "adapter_response": {}, "execution_time": 1.0}
    return {"unique_id": f"model.shop.{name}", **told, **fields}


def _results(version: int, *entries: Any, **fields: Any) -> dict[str, Any]:
    told = {key: value.format("run-results", version) for key, value in IDENTITY.items()}
    return {
        "metadata": {**told, "generated_at": "2026-01-31T10:20:40.000000Z"},
        "elapsed_time": 10.0,
        "args": {"which": "build"},
        "results": list(entries),
        **fields,
    }


ENTRIES = (
    # Not in the order of the runs, as threads end: what follows has to.
    _result("totals", "success", timing=[{**TIMING[0], "started_at": "2026-01-31T10:20:34Z"}]),
    _result("stg", "success", adapter_response={"rows_affected": 3}),
    _result("broken", "error", message="no such macro"),
    _result("later", "skipped", timing=[]),
    _result("passing", "success"),
)


def _records(folder: Path, manifest: Any, results: Any) -> tuple[list[Record], list[str]]:
    (folder / "target").mkdir(exist_ok=True)
    (folder / "target" / "manifest.json").write_text(json.dumps(manifest))
    (folder / "target" / "run_results.json").write_text(json.dumps(results))
    artifacts = read_artifacts(folder, folder / "target")
    finished = Finished(artifacts, read_run_results(folder / "target"), invocation())
    return list(finished.tell()), finished.warnings


def _events(told: list[Record]) -> list[Event]:
    events: list[Event] = []
    build = Build(
        lambda _, event: events.append(event),
        lambda key, of, each, known: build.analysed(key, analyse(of, each, known)),
        lambda: 0.0,
        live=False,
    )
    for number, record in enumerate(told):
        build.take(number, record)
    return events


def _shape(events: list[Event]) -> list[tuple[str, str]]:
    return [(event["job"]["name"].removeprefix("shop.main.shop."), event["eventType"]) for event in events]


@pytest.mark.parametrize(
    ("manifest", "results"),
    [
        (_manifest(4, _old_node), _results(4, *ENTRIES)),
        (_manifest(6, _old_node), _results(4, *ENTRIES)),
        (_manifest(7), _results(4, *ENTRIES)),
        (_manifest(12), _results(6, *ENTRIES)),
        (_manifest(12, _terse_node, dbt_version="2.0.9"), _results(6, *map(_terse_node, ENTRIES))),
        (_manifest(1, _old_node), _results(1, *ENTRIES)),
    ],
    ids=["v4", "v6", "v7", "v12", "Fusion", "v1"],
)
def test_every_version_tells_the_same(tmp_path: Path, manifest: Any, results: Any) -> None:
    told, warnings = _records(tmp_path, manifest, results)
    events = _events(told)
    assert warnings == []
    assert sorted(_shape(events)) == sorted(
        [
            ("dbt-run-shop", "START"),
            ("stg", "START"),
            ("stg", "COMPLETE"),
            ("totals", "START"),
            ("totals", "COMPLETE"),
            ("broken", "START"),
            ("broken", "FAIL"),
            ("dbt-run-shop", "FAIL"),
        ]
    )
    by_job = dict(zip(_shape(events), events, strict=True))
    totals = by_job[("totals", "COMPLETE")]
    assert totals["run"]["runId"] == str(uuid5(UUID(INVOCATION_ID), "model.shop.totals"))
    fields = totals["outputs"][0]["facets"]["columnLineage"]["fields"]
    assert {name: one["inputFields"][0]["name"] for name, one in fields.items()} == dict.fromkeys(
        ("id", "amount"), "shop.main.stg"
    ), "its star stands for what the model before it gives"
    stg = by_job[("stg", "COMPLETE")]
    assert stg["eventTime"] == "2026-01-31T10:20:33.123456Z"
    assert by_job[("stg", "START")]["eventTime"] == "2026-01-31T10:20:31.000000Z"
    assert [one["name"] for one in stg["inputs"]] == ["shop.raw.Orders 2"]
    assert by_job[("broken", "FAIL")]["run"]["facets"]["errorMessage"]["message"] == "no such macro"
    assert by_job[("dbt-run-shop", "START")]["eventTime"] == "2026-01-31T10:20:30.000000Z"


@pytest.mark.parametrize(
    ("entries", "fields", "manifest", "reason"),
    [
        ([], {}, {}, "interrupted"),  # nothing had ended
        ([{"unique_id": "operation.shop.shop-on-run-start-0", "status": "success"}], {}, {}, "interrupted"),
        ([_result("stg", "success", compiled=True)], {}, {}, "interrupted"),
        ([_result("stg", "success", compiled=True)], {}, {"stg": {"compiled": True}}, None),
        ([_result("stg", "success")], {}, {}, None),  # before dbt 1.7
        ([_result("stg", "success", compiled=True)], {"metadata": {"dbt_version": "2.0.0-beta.49"}}, {}, None),
        ([3], {}, {}, None),  # who knows
    ],
)
def test_a_command_that_was_stopped_did_not_succeed(
    tmp_path: Path, entries: list[Any], fields: dict[str, Any], manifest: dict[str, Any], reason: str | None
) -> None:
    written, told = _manifest(12), _results(6, *entries)
    for each in written["nodes"].values():
        each.pop("compiled_code", None)
        each.update(manifest.get(each["name"], {}))
    told = {**told, **fields, "metadata": {**told["metadata"], **fields.get("metadata", {})}}
    found, _ = _records(tmp_path, written, told)
    end = found[-1]
    assert end["kind"] == "invocation_end"
    assert (end["success"], end["reason"]) == (reason is None, reason)


def _ephemeral(each: dict[str, Any]) -> dict[str, Any]:
    return {**each, "config": {"materialized": "ephemeral"}} if each["name"] == "broken" else each


def test_an_ephemeral_model_that_fails_to_compile_fails(tmp_path: Path) -> None:
    told, _ = _records(tmp_path, _manifest(12, _ephemeral), _results(6, *ENTRIES))
    assert ("broken", "FAIL") in _shape(_events(told))
    told, _ = _records(tmp_path, _manifest(12, _ephemeral), _results(6, _result("broken", "success"), ENTRIES[0]))
    assert [each["unique_id"] for each in told if each["kind"] == "node_end"] == ["model.shop.totals"]


@pytest.mark.parametrize(
    ("entries", "took"),
    [((), 0.0), ((), 1.0), ((_result("broken", "success"),), 1.0)],
    ids=["nothing was selected", "an ephemeral model was all that was", "and its result is there"],
)
def test_a_command_that_ran_nothing_tells_nothing(tmp_path: Path, entries: Any, took: float) -> None:
    assert _records(tmp_path, _manifest(12, _ephemeral), _results(6, *entries, elapsed_time=took)) == ([], [])


def test_what_ran_and_cannot_be_told_is_a_command_all_the_same(tmp_path: Path) -> None:
    told, warnings = _records(tmp_path, _manifest(12), _results(6, _result("gone", "success")))
    assert [each["kind"] for each in told] == ["invocation_start", "invocation_end"]
    assert warnings == ["model.shop.gone is not in manifest.json: its run can't be told"]


@pytest.mark.parametrize("took", [10**30, 1e308, -1, float("nan"), "10", None])
def test_a_time_that_is_none_is_not_reckoned_with(tmp_path: Path, took: Any) -> None:
    told, _ = _records(tmp_path, _manifest(12), _results(6, *ENTRIES, elapsed_time=took))
    assert told[0]["at"] == "2026-01-31T10:20:31.000000Z", "when the first node began"


def test_a_failed_node_is_not_told_with_the_sql_of_an_earlier_run(tmp_path: Path) -> None:
    compiled = tmp_path / "target" / "compiled" / "shop" / "models" / "broken.sql"
    compiled.parent.mkdir(parents=True)
    compiled.write_text("select 1 as old")
    told, _ = _records(tmp_path, _manifest(12), _results(6, *ENTRIES))
    code = {each["node"]["name"]: each["node"]["compiled_code"] for each in told if each["kind"] == "node_start"}
    assert code["broken"] is None
    told, _ = _records(tmp_path, _manifest(12), _results(6, _result("broken", "success")))
    code = {each["node"]["name"]: each["node"]["compiled_code"] for each in told if each["kind"] == "node_start"}
    assert code["broken"] == "select 1 as old"


@pytest.mark.parametrize(
    ("message", "state"),
    [
        ("Runtime Error in model a\n  INTERRUPT Error: Interrupted!", "ABORT"),
        ("canceling statement due to user request", "ABORT"),
        ("canceling statement due to statement timeout", "FAIL"),
        ("Query (81) cancelled on user's request", "ABORT"),
        ("000604 (57014): 01b2: SQL execution canceled", "ABORT"),
        (
            "000630 (57014): Statement reached its statement timeout of 5 second(s) and was canceled.",
            "FAIL",
        ),
        ("499 Job execution was cancelled: User requested cancellation", "ABORT"),
        ("Query was canceled", "ABORT"),
        ("Query exceeded the maximum execution time limit of 5.00m", "FAIL"),
        ("Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)", "ABORT"),
        ("1317 (70100): Query execution was interrupted", "ABORT"),
        ("3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded", "FAIL"),
        ("ORA-01013: user requested cancel of current operation", "ABORT"),
        ("[HY008] [Microsoft][ODBC Driver 18 for SQL Server]Operation canceled", "ABORT"),
        ("Query cancelled by user", "ABORT"),
        ("column cancelled does not exist", "FAIL"),
    ],
)
def test_a_query_that_dbt_stopped_is_told_from_one_that_failed(tmp_path: Path, message: str, state: str) -> None:
    found, _ = _records(tmp_path, _manifest(12), _results(6, _result("stg", "error", message=message)))
    (status,) = [each["status"] for each in found if each["kind"] == "node_end"]
    assert status == {"ABORT": "aborted", "FAIL": "error"}[state]


DAYS = [[f"2026-01-0{day}T00:00:00+00:00", f"2026-01-0{day + 1}T00:00:00+00:00"] for day in (1, 2, 3)]


@pytest.mark.parametrize(
    ("status", "succeeded", "failed", "told"),
    [
        ("success", DAYS, [], {1: "success", 2: "success", 3: "success"}),
        ("partial success", DAYS[::2], DAYS[1:2], {1: "success", 2: "error", 3: "success"}),
        ("error", [], DAYS, {1: "error"}),  # the first failed: dbt ran no other
        ("success", [DAYS[1], DAYS[0], DAYS[2]], [], {2: "success"}),  # by `dbt retry`: the others ran before it
        ("error", DAYS[::2], DAYS[1:2], {2: "error"}),  # the same, once more without success
        ("PARTIAL SUCCESS (1/2)", [DAYS[1], DAYS[0]], DAYS[2:], {2: "success", 3: "error"}),
        ("success", [DAYS[2], DAYS[1], DAYS[0]], [], {3: "success"}),  # by a second `dbt retry`
        ("success", [DAYS[1], DAYS[2], DAYS[0]], [], {2: "success", 3: "success"}),  # by it, too, after one in vain
        ("PARTIAL SUCCESS (2/3)", [DAYS[0], DAYS[1], DAYS[0]], DAYS[2:], {2: "success", 3: "error"}),  # stopped
    ],
)
def test_each_batch_that_ran_is_a_run(
    tmp_path: Path, status: str, succeeded: Any, failed: Any, told: dict[int, str]
) -> None:
    manifest = _manifest(12)
    manifest["nodes"]["model.shop.stg"]["config"]["incremental_strategy"] = "microbatch"
    folder = tmp_path / "target" / "compiled" / "shop" / "models" / "stg"
    folder.mkdir(parents=True)
    for day in told:
        (folder / f"stg_2026-01-0{day}.sql").write_text(f"select {day} as day")
    results = {"successful": succeeded, "failed": failed}
    entry = _result("stg", status.lower().partition(" (")[0], message=status, batch_results=results)
    found, _ = _records(tmp_path, manifest, _results(6, entry))
    starts = {each["unique_id"]: each["node"] for each in found if each["kind"] == "node_start"}
    ends = {each["unique_id"]: each["status"] for each in found if each["kind"] == "node_end"}
    assert {key: one["compiled_code"] for key, one in starts.items()} == {
        f"model.shop.stg|2026-01-0{day}T00:00:00Z": f"select {day} as day" for day in told
    }
    assert ends == {f"model.shop.stg|2026-01-0{day}T00:00:00Z": status for day, status in told.items()}


@pytest.mark.parametrize(
    ("size", "start", "ends"),
    [
        ("hour", "2026-12-31T23", "2027-01-01T00:00:00Z"),
        ("day", "2026-02-28", "2026-03-01T00:00:00Z"),
        ("month", "2026-12", "2027-01-01T00:00:00Z"),
        ("year", "2026", "2027-01-01T00:00:00Z"),
    ],
)
def test_a_batch_of_a_log_has_its_times(size: str, start: str, ends: str) -> None:
    batch = batch_of({"config": {"batch_size": size}}, start)
    assert batch["end"] == ends
    assert batch["start"].startswith(start)


def test_a_project_is_named_by_the_best_that_is_told(tmp_path: Path) -> None:
    identity = hashlib.md5(b"shop", usedforsecurity=False).hexdigest()
    assert project_name({"metadata": {"project_name": "told"}}, tmp_path) == "told"
    assert project_name({**_manifest(4), "metadata": {"project_id": identity}}, tmp_path) == "shop"
    (tmp_path / "dbt_project.yml").write_text("name: written\n")
    assert project_name({"metadata": {"project_id": identity}}, tmp_path) == "written"
    assert project_name({}, tmp_path / "folder") == "folder"
