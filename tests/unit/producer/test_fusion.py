"""What dbt 2 (Fusion) leaves in target/ and in its log: no SQL in the manifest, and names of its own for much else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lineal_producer.dbt.artifacts import read_artifacts, read_run_results
from lineal_producer.dbt.log import LogSession
from lineal_producer.dbt.log_lines import read_line
from lineal_producer.dbt.log_shelf import Shelf
from lineal_producer.dbt.results import Finished
from lineal_producer.records import Record

from .samples import INVOCATION_ID, invocation
from .test_results import _events

SNOWFLAKE = {"type": "snowflake", "account": "org-shop", "database": "LAKE", "schema": "RAW"}
SOURCE = "source.shop.feed.LINES"
FAULT = "Database Error in model broken (target/run/shop/models/broken.sql)\n  002003 (02000): no such stage"


def _node(kind: str, name: str, reads: str | None, original: str, path: str, **fields: Any) -> dict[str, Any]:
    return {
        "resource_type": kind,
        "unique_id": f"{kind}.shop.{name}",
        "database": "LAKE",
        "schema": "RAW",
        "name": name,
        "package_name": "shop",
        "path": path,
        "original_file_path": original,
        "description": "",
        "tags": [],
        "meta": {},
        "alias": name,
        "relation_name": f"LAKE.RAW.{name}",
        "columns": {},
        "depends_on": {"macros": [], "nodes": [reads] if reads else [], "nodes_with_ref_location": []},
        "refs": [],
        "language": "sql",
        "checksum": {"name": "sha256", "checksum": "c0ffee"},
        "config": {"enabled": True, "materialized": "table", "group": None, "meta": {}, "pre-hook": []},
        **fields,
    }


def _manifest() -> dict[str, Any]:
    raw = "{% if is_incremental() %} {% endif %}"  # only a file has what became of it
    test = {"name": "not_null", "kwargs": {"column_name": "id", "model": "{{ get_where_subquery(ref('lines')) }}"}}
    nodes = [
        _node("model", "lines", SOURCE, "models/lines.sql", "lines.sql", raw_code=raw),
        _node("model", "broken", "model.shop.lines", "models/broken.sql", "broken.sql", raw_code=raw),
        _node("model", "reused", "model.shop.lines", "models/reused.sql", "reused.sql", raw_code=raw),
        _node(
            *("snapshot", "kept", "model.shop.lines", "snapshots/kept.sql", "kept.sql"),
            raw_code=raw,
            config={"materialized": "table", "strategy": "check", "unique_key": "id", "check_cols": ["paid"]},
        ),
        _node(
            *("test", "not_null_lines_id", "model.shop.lines", "models/schema.yml", "not_null_lines_id.sql"),
            raw_code="{{ test_not_null(**_dbt_generic_test_kwargs) }}",
            config={"severity": "ERROR", "materialized": "test"},
            column_name="id",
            attached_node="model.shop.lines",
            test_metadata=test,
            generated_sql_file="target/generic_tests/not_null_lines_id.sql",
        ),
    ]
    source = {
        **_node("source", "LINES", None, "models/schema.yml", "models/schema.yml"),
        "unique_id": SOURCE,
        "source_name": "feed",
        "identifier": "LINES",
        "freshness": {"error_after": {"count": None, "period": None}},
    }
    return {
        "metadata": {
            "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
            "dbt_version": "2.0.0-preview.190",
            "invocation_id": INVOCATION_ID,
            "invocation_started_at": "2026-06-14T16:55:16.263509806Z",
            "project_name": "shop",
            "adapter_type": "snowflake",
            "quoting": {"database": False, "identifier": False, "schema": False},
        },
        "nodes": {each["unique_id"]: each for each in nodes},
        "sources": {SOURCE: source},
    }


def _result(unique_id: str, status: str, message: str = "Succeeded") -> dict[str, Any]:
    part = {"started_at": "2026-06-14T16:55:19.479947332Z", "completed_at": "2026-06-14T16:55:20.440734805Z"}
    return {
        "status": status,
        "timing": [{"name": "compile", **part}, {"name": "execute", **part}],
        "thread_id": "Thread-2",
        "execution_time": 0.96,
        "adapter_response": {"rows_affected": 3} if status == "success" else {},
        "message": message,
        "unique_id": unique_id,
    }


RESULTS = {
    "metadata": {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/run-results/v6.json",
        "dbt_version": "2.0.0-preview.190",
        "generated_at": "2026-06-14T16:55:21.212483552Z",
        "invocation_id": INVOCATION_ID,
    },
    "results": [
        _result("model.shop.lines", "success"),
        _result("snapshot.shop.kept", "success"),
        _result("test.shop.not_null_lines_id", "pass"),
        _result("model.shop.broken", "error", FAULT),
        _result("model.shop.reused", "reused", "No new changes on any upstreams"),
    ],
    "elapsed_time": 3.3,
    "args": {"command": "build", "which": "build", "__other__": {"command": "build", "which": "build"}},
}
SQL = {
    "lines": "select id, cast(paid as int) as paid from LAKE.RAW.LINES where paid > 0",
    "broken": "select id as broken_id from LAKE.RAW.lines",
    "reused": "select id as reused_id from LAKE.RAW.lines",
    "kept": "select * from LAKE.RAW.lines",
    "not_null_lines_id": "select id from LAKE.RAW.lines where id is null",
}
PLACES = {
    "lines": "models/lines.sql",
    "broken": "models/broken.sql",
    "reused": "models/reused.sql",
    "kept": "snapshots/kept.sql/kept.sql",
    "not_null_lines_id": "generic_tests/not_null_lines_id.sql",
}


def _project(folder: Path, within: str = "shop") -> Path:
    target = folder / "target"
    for name, place in PLACES.items():
        path = target / "compiled" / within / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SQL[name])
    (target / "manifest.json").write_text(json.dumps(_manifest()))
    (target / "run_results.json").write_text(json.dumps(RESULTS))
    return target


def _emitted(folder: Path, target: Path) -> list[Record]:
    finished = Finished(
        read_artifacts(folder, target), read_run_results(target), invocation("snowflake", credentials=SNOWFLAKE)
    )
    records = list(finished.tell())
    assert finished.warnings == []
    return records


def _code(records: list[Record]) -> dict[str, str | None]:
    return {each["node"]["name"]: each["node"]["compiled_code"] for each in records if each["kind"] == "node_start"}


@pytest.mark.parametrize("within", ["shop", ""], ids=["previews", "betas"])
def test_sql_is_in_files(tmp_path: Path, within: str) -> None:
    assert _code(_emitted(tmp_path, _project(tmp_path, within))) == SQL


def test_every_node_is_told_with_its_columns(tmp_path: Path) -> None:
    events = _events(_emitted(tmp_path, _project(tmp_path)))
    ends = {event["job"]["name"]: event for event in events if event["eventType"] != "START"}
    assert {name: event["eventType"] for name, event in ends.items()} == {
        "LAKE.RAW.shop.lines": "COMPLETE",
        "LAKE.RAW.shop.broken": "FAIL",
        "LAKE.RAW.shop.reused": "COMPLETE",
        "LAKE.RAW.shop.kept.snapshot": "COMPLETE",
        "LAKE.RAW.test.shop.not_null_lines_id": "COMPLETE",
        "dbt-run-shop": "FAIL",
    }
    (lines,) = ends["LAKE.RAW.shop.lines"]["outputs"]
    assert (lines["namespace"], lines["name"]) == ("snowflake://org-shop", "LAKE.RAW.LINES")
    assert lines["outputFacets"]["outputStatistics"]["rowCount"] == 3
    (kept,) = ends["LAKE.RAW.shop.kept.snapshot"]["outputs"]
    assert "lifecycleStateChange" not in kept["facets"], "a snapshot keeps what was there"
    assert kept["facets"]["lineal_lineage"]["status"] == "resolved"
    (broken,) = ends["LAKE.RAW.shop.broken"]["outputs"]
    (field,) = broken["facets"]["columnLineage"]["fields"]["BROKEN_ID"]["inputFields"]
    assert (field["name"], field["field"]) == ("LAKE.RAW.LINES", "ID")
    assert ends["LAKE.RAW.shop.broken"]["run"]["facets"]["errorMessage"]["message"] == FAULT
    (tested,) = ends["LAKE.RAW.test.shop.not_null_lines_id"]["inputs"]
    assert tested["inputFacets"]["dataQualityAssertions"]["assertions"][0]["column"] == "id"


def _line(name: str, data: dict[str, Any], at: str = "2026-06-14T16:55:19.100000Z", level: str = "debug") -> bytes:
    info = {"name": name, "ts": at, "invocation_id": INVOCATION_ID, "level": level, "thread": "tokio-7", "msg": ""}
    return json.dumps({"info": info, "data": data}).encode() + b"\n"


def _log() -> list[bytes]:
    """As Fusion writes it: no messages, no answers of the adapter, and its walk through the sources."""
    told = [
        _line("MainReportVersion", {"log_version": 3, "version": "=2.0.0-preview.190"}, level="info"),
        _line("MainReportArgs", {"args": {"invocation_command": "dbtf build --log-format json"}}),
    ]
    for result in [_result(SOURCE, "no-op"), *RESULTS["results"]]:  # type: ignore[misc] # a list, as is seen above
        kind, _, name = result["unique_id"].split(".", 2)
        node = {
            "unique_id": result["unique_id"],
            "resource_type": kind,
            "node_name": name,
            "node_status": result["status"],
            "node_started_at": result["timing"][0]["started_at"],
            "node_finished_at": result["timing"][0]["completed_at"],
        }
        told.append(_line("NodeStart", {"node_info": node}))
        if result["status"] not in ("reused", "no-op"):
            told.append(_line("NodeExecuting", {"node_info": node}))
        run_result = {"status": result["status"], "execution_time": 0.96}
        told.append(_line("NodeFinished", {"node_info": node, "run_result": run_result}))
    completed = {"completed_at": "2026-06-14T16:55:21Z", "elapsed": 3.3, "success": False}
    return [*told, _line("CommandCompleted", completed, level="info")]


def test_its_log_tells_what_its_artifacts_do(tmp_path: Path) -> None:
    target = _project(tmp_path)
    found: list[Record] = []
    session = LogSession(
        Shelf(INVOCATION_ID, tmp_path, target),
        lambda *_: invocation("snowflake", credentials=SNOWFLAKE),
        found.append,
    )
    for line in _log():
        read = read_line(line)
        assert read is not None
        session.take(read)
    emitted = _emitted(tmp_path, target)
    assert _code(found) == SQL
    ends = [
        {each["unique_id"]: (each["status"], each["message"]) for each in records if each["kind"] == "node_end"}
        for records in (found, emitted)
    ]
    assert ends[0].keys() == ends[1].keys()
    assert {key: status for key, (status, _) in ends[0].items()} == {
        key: status for key, (status, _) in ends[1].items()
    }
    assert ends[0]["model.shop.broken"] == ("error", FAULT)


@pytest.mark.parametrize("status", ["canceled", "cancelled"])
def test_what_it_stopped_is_aborted(tmp_path: Path, status: str) -> None:
    found: list[Record] = []
    session = LogSession(
        Shelf(INVOCATION_ID, tmp_path, _project(tmp_path)),
        lambda *_: invocation("snowflake", credentials=SNOWFLAKE),
        found.append,
    )
    node = {"unique_id": "model.shop.lines", "resource_type": "model", "node_name": "lines"}
    for line in (
        _line("MainReportArgs", {"args": {"invocation_command": "dbtf run"}}),
        _line("NodeExecuting", {"node_info": node}),
        _line("NodeFinished", {"node_info": node, "run_result": {"status": status}}),
    ):
        read = read_line(line)
        assert read is not None
        session.take(read)
    assert [each["status"] for each in found if each["kind"] == "node_end"] == ["aborted"]
