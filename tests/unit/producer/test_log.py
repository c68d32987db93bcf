"""What a log says of nodes that dbt stopped, whatever their database calls that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lineal_producer.dbt.log import LogSession
from lineal_producer.dbt.log_lines import read_line
from lineal_producer.dbt.log_shelf import Shelf
from lineal_producer.records import Record

from .samples import INVOCATION_ID, invocation

LOST = "Database Error in model totals\n  server closed the connection unexpectedly"
RESULTS = ("ArtifactWritten", {"artifact_type": "RunExecutionResult", "artifact_path": "/srv/target/run_results.json"})


def _states(folder: Path, *lines: tuple[str, dict[str, Any]]) -> list[str]:
    return [each["status"] for each in _told(folder, *lines) if each["kind"] == "node_end"]


def _told(folder: Path, *lines: tuple[str, dict[str, Any]]) -> list[Record]:
    told: list[Record] = []
    session = LogSession(Shelf(INVOCATION_ID, folder, folder / "target"), lambda *_: invocation(), told.append)
    for name, data in lines:
        info = {"name": name, "invocation_id": INVOCATION_ID, "ts": "2026-01-31T10:20:30Z", "thread": "Thread-1"}
        line = read_line(json.dumps({"info": info, "data": data}).encode())
        assert line is not None
        session.take(line)
    return told


def _node(name: str, **fields: Any) -> dict[str, Any]:
    return {"node_info": {"unique_id": f"model.shop.{name}", "resource_type": "model", "node_name": name}, **fields}


def _failed(name: str) -> tuple[str, dict[str, Any]]:
    return "NodeFinished", _node(name, run_result={"status": "error", "message": LOST})


@pytest.mark.parametrize(
    "sign", [RESULTS, ("LogCancelLine", {"conn_name": "model.shop.totals"})], ids=["results", "cancelled"]
)
def test_what_fails_once_dbt_stops_was_stopped(tmp_path: Path, sign: tuple[str, dict[str, Any]]) -> None:
    lines = [("NodeExecuting", _node("before")), ("NodeExecuting", _node("totals")), _failed("before")]
    assert _states(tmp_path, *lines, sign, _failed("totals")) == ["error", "aborted"]


def test_other_files_are_no_sign_of_that(tmp_path: Path) -> None:
    written = ("ArtifactWritten", {"artifact_path": "/srv/target/manifest.json"})
    assert _states(tmp_path, ("NodeExecuting", _node("totals")), written, _failed("totals")) == ["error"]


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ("KeyboardInterrupt\n", "interrupted"),
        ("    except KeyboardInterrupt:\nRuntimeError: no\n", "dbt stopped before any node ran"),
    ],
)
def test_an_interrupt_while_dbt_reads_the_project_is_told_by_its_trace(tmp_path: Path, ends: str, reason: str) -> None:
    *_, end = _told(
        tmp_path,
        ("MainReportArgs", {"args": {"invocation_command": "dbt build"}}),
        ("MainEncounteredError", {"exc": ""}),
        ("MainStackTrace", {"stack_trace": f'Traceback (most recent call last):\n  File "a.py", line 1\n{ends}'}),
        ("CommandCompleted", {"success": False}),
    )
    assert end["kind"] == "invocation_end"
    assert (end["success"], end["reason"]) == (False, reason)
