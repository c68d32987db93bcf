"""What the loop between a spool and its events makes of an analysis that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from lineal_producer import records
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.pump import Pump
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer

from .samples import described, invocation, node

AT = "2026-01-31T10:20:30.000000Z"


class Deaf:
    """A tracer on which every statement fails in a way that nobody has thought of."""

    def trace(self, *_: Any) -> Any:
        raise BrokenPipeError(32, "Broken pipe")


class Kept:
    """A courier that keeps what it is given."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def carry(self, ledger: Any, mark: str, event: dict[str, Any], **_: float) -> None:  # noqa: ARG002 - the courier's own form
        self.events.append(event)

    def note(self, ledger: Any, mark: str) -> None:
        """No START goes ahead of its lineage in an old invocation."""
        raise AssertionError(ledger, mark)


@pytest.mark.parametrize("status", ["success", "error"])
def test_an_output_carries_the_facet_whatever_happens_to_the_analysis(tmp_path: Path, status: str) -> None:
    path = tmp_path / "a.ndjson"
    model = described(node("model", "orders", compiled_code="select 1 as id"))
    test = described(node("test", "not_null_orders", compiled_code="select 1"))
    lines: list[records.Record] = [records.invocation_start(AT, invocation())]
    for each in (model, test):
        lines += [records.node_start(AT, each), records.node_end(AT, each["unique_id"], status)]
    lines.append(records.invocation_end(AT, success=True))
    path.write_bytes(b"".join(map(records.to_line, lines)))
    courier = Kept()
    pump = Pump(Spool(path), cast("Courier", courier), cast("Tracer", Deaf()), live=False)
    pump.read()
    while not pump.build.ended:
        pump.step()
    pump.close()
    outputs = [output for event in courier.events for output in event["outputs"]]
    assert len(outputs) == 2  # START and end of the model
    for output in outputs:
        facet = output["facets"]["lineal_lineage"]
        assert facet["status"] == "failed"
        assert [gap["code"] for gap in facet["gaps"]] == ["analysis_failed"]
        assert "BrokenPipeError" in facet["gaps"][0]["message"]
    assert len(courier.events) == 6
