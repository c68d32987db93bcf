"""Which events come of which records, when, and in which order."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

from lineal_producer import records
from lineal_producer.analysis import Analysis
from lineal_producer.columns import Column, ModelLineage
from lineal_producer.worker.build import Build

from .samples import described, invocation, node

NODE = described(node("model", "orders", compiled_code="select 1 as id"))
NAME = NODE["unique_id"]

AT = [f"2026-01-31T10:20:3{second}.000000Z" for second in range(10)]
LINEAGE = Analysis(
    ModelLineage("resolved", None, (Column("id", "constant", None, "1", ()),), (), (), ()), "s", "c", "l"
)


class Line:
    """A build with a clock that a test moves, and what it emitted and asked for."""

    def __init__(self, *, live: bool = True) -> None:
        self.now = 0.0
        self.emitted: list[tuple[str, dict[str, Any]]] = []
        self.asked: list[str] = []
        self.build = Build(
            lambda mark, event: self.emitted.append((mark, event)),
            lambda key, *_: self.asked.append(key),
            lambda: self.now,
            live=live,
        )
        self.number = 0

    def take(self, record: records.Record) -> None:
        self.build.take(self.number, record)
        self.number += 1

    def states(self, mark: bool = False) -> list[str]:
        return [f"{told} {event['eventType']}" if mark else event["eventType"] for told, event in self.emitted]


@pytest.fixture
def line() -> Line:
    line = Line()
    line.take(records.invocation_start(AT[0], invocation()))
    return line


def test_a_start_goes_with_its_lineage(line: Line) -> None:
    line.take(records.node_start(AT[1], NODE))
    assert line.states() == ["START"]
    assert line.asked == [NAME]
    line.build.analysed(NAME, LINEAGE)
    assert line.states(mark=True) == ["0s START", "1s START"]
    assert "columnLineage" in line.emitted[1][1]["outputs"][0]["facets"]
    assert line.emitted[1][1]["eventTime"] == AT[1]


def test_a_start_whose_lineage_takes_over_a_second_goes_without_and_running_brings_it(line: Line) -> None:
    line.take(records.node_start(AT[1], NODE))
    line.now = 0.9
    line.build.tick()
    assert line.states() == ["START"]
    assert line.build.next_due() == 1.0
    line.now = 1.0
    line.build.tick()
    assert "columnLineage" not in line.emitted[1][1]["outputs"][0]["facets"]
    line.build.analysed(NAME, LINEAGE)
    assert line.states(mark=True) == ["0s START", "1s START", "1r RUNNING"]
    assert "columnLineage" in line.emitted[2][1]["outputs"][0]["facets"]


def test_a_start_that_went_without_its_lineage_goes_so_again(line: Line) -> None:
    noted: list[str] = []
    line.build.note = noted.append
    line.take(records.node_start(AT[1], NODE))
    line.now = 1.0
    line.build.tick()
    assert noted == ["1b"]
    again = Line()
    again.build.noted = set(noted)
    again.take(records.invocation_start(AT[0], invocation()))
    again.take(records.node_start(AT[1], NODE))
    assert again.emitted == line.emitted
    again.build.analysed(NAME, LINEAGE)
    assert again.states(mark=True) == ["0s START", "1s START", "1r RUNNING"]


def test_an_event_whose_lineage_cannot_be_told_goes_without_and_says_so(line: Line) -> None:
    line.take(records.node_start(AT[1], NODE))
    broken = ModelLineage("resolved", None, (None,), (), (), ())  # type: ignore[arg-type] # what no analysis gives
    line.build.analysed(NAME, Analysis(broken, None, None, None))
    line.take(records.node_end(AT[2], NAME, "success"))
    assert line.states() == ["START", "START", "COMPLETE"]
    for _, event in line.emitted[1:]:
        assert event["outputs"][0]["facets"]["lineal_lineage"]["gaps"][0]["code"] == "analysis_failed"


def test_an_end_waits_for_the_lineage_and_needs_no_running(line: Line) -> None:
    line.take(records.node_start(AT[1], NODE))
    line.take(records.node_end(AT[2], NAME, "success"))
    line.take(records.invocation_end(AT[3], success=True))
    assert line.states() == ["START"]
    line.now = 2.0
    line.build.tick()
    line.build.analysed(NAME, LINEAGE)
    assert line.states(mark=True) == ["0s START", "1s START", "2e COMPLETE", "3e COMPLETE"]
    assert line.build.ended


def test_an_old_invocation_waits_for_every_lineage() -> None:
    line = Line(live=False)
    line.take(records.invocation_start(AT[0], invocation()))
    line.take(records.node_start(AT[1], NODE))
    line.now = 1_000.0
    line.build.tick()
    assert line.states() == ["START"]


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("success", "COMPLETE"),
        ("pass", "COMPLETE"),
        ("warn", "COMPLETE"),
        ("no-op", "COMPLETE"),
        ("error", "FAIL"),
        ("fail", "FAIL"),
        ("runtime error", "FAIL"),
        ("partial success", "FAIL"),
        ("aborted", "ABORT"),
    ],
)
def test_the_status_decides_the_end(line: Line, status: str, state: str) -> None:
    line.take(records.node_start(AT[1], NODE))
    line.build.analysed(NAME, LINEAGE)
    line.take(records.node_end(AT[2], NAME, status))
    assert line.states()[-1] == state


@pytest.mark.parametrize(
    ("success", "reason", "state"),
    [(True, None, "COMPLETE"), (False, None, "FAIL"), (False, "interrupted", "FAIL"), (False, "killed", "ABORT")],
)
def test_the_invocation_fails_unless_dbt_succeeded(line: Line, success: bool, reason: str | None, state: str) -> None:
    line.take(records.invocation_end(AT[1], success=success, reason=reason))
    assert line.states() == ["START", state]
    assert line.build.ended


def test_batches_of_one_model_are_runs_of_their_own(line: Line) -> None:
    keys = []
    for day in ("2026-01-01", "2026-01-02"):
        batch = {"id": day, "start": f"{day}T00:00:00Z", "end": f"{day}T23:59:59Z"}
        record = records.node_start(AT[1], {**NODE, "batch": batch})
        record["unique_id"] = f"{NAME}|{day}"
        keys.append(record["unique_id"])
        line.take(record)
    assert line.asked == keys
    for key in keys:
        line.build.analysed(key, LINEAGE)
        line.take(records.node_end(AT[2], key, "success"))
    assert line.states() == ["START", "START", "COMPLETE", "START", "COMPLETE"]
    first, second = (event["run"] for _, event in line.emitted if event["eventType"] == "COMPLETE")
    assert first["runId"] != second["runId"]
    assert second["facets"]["nominalTime"]["nominalStartTime"] == "2026-01-02T00:00:00Z"


def test_open_nodes_are_those_without_an_end(line: Line) -> None:
    line.take(records.node_start(AT[1], NODE))
    assert line.build.open_nodes() == [NAME]
    line.take(records.node_end(AT[2], NAME, "aborted"))
    assert line.build.open_nodes() == []


def _calls_of_a_look(line: Line) -> int:
    """How many functions and generators run when what is due is looked for."""
    calls = [0]

    def count(_frame: object, event: str, _argument: object) -> None:
        calls[0] += event in {"call", "c_call"}

    gc.disable()  # a collection may call what others have asked for, as hypothesis does
    sys.setprofile(count)
    try:
        line.build.tick()
        line.build.next_due()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls[0]


@pytest.mark.parametrize("live", [True, False])
def test_looking_for_what_is_due_takes_no_longer_with_many_open_nodes(live: bool) -> None:
    line = Line(live=live)
    line.take(records.invocation_start(AT[0], invocation()))
    looks = []
    for number in range(2_000):
        line.take(records.node_start(AT[1], {**NODE, "unique_id": f"{NAME}_{number}"}))
        looks.append(_calls_of_a_look(line))
    assert set(looks) == {looks[0]}
    for number in range(1_500):  # in the order in which they came: the oldest are gone
        line.build.analysed(f"{NAME}_{number}", LINEAGE)
    assert _calls_of_a_look(line) == looks[0]
    line.now = 1.0
    line.build.tick()
    assert line.states().count("START") == (2_001 if live else 1_501)
