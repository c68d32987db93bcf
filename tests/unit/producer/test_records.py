"""Records as lines: the quick way to write a node's begin gives what the plain one gives; times as dbt writes them."""

from __future__ import annotations

import json

import pytest

from lineal_producer import records
from lineal_producer.clock import utc

from .samples import described, node, raw_orders

AT = "2026-01-31T10:20:30.000000Z"


def test_a_begin_is_written_as_any_record_whether_its_inputs_were_before_or_not() -> None:
    source = raw_orders(description='a "quoted" täble \u2028 \ud800')
    first = described(node("model", "a", compiled_code="select 1", depends_on=["source.shop.raw.orders"]), source)
    second = {**first, "unique_id": "model.shop.b"}
    other = {**first, "inputs": [{**first["inputs"][0], "relation_name": "deferred"}]}
    none = described(node("model", "c"))
    written: dict[str, tuple[records.InputNode, str]] = {}
    for each in (first, second, other, first, none):
        record = records.node_start(AT, each)  # type: ignore[arg-type] # copies with one key changed
        assert records.to_start_line(record, written) == records.to_line(record)
        assert json.loads(records.to_start_line(record, written))["node"]["inputs"] == json.loads(
            json.dumps(each["inputs"]).replace("\\ud800", "?")
        )


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2026-01-31T10:20:30.123456", "2026-01-31T10:20:30.123456Z"),
        ("2026-01-31T10:20:30.123456Z", "2026-01-31T10:20:30.123456Z"),
        ("2026-01-31T10:20:30", "2026-01-31T10:20:30.000000Z"),
        ("2026-01-31T10:20:30.120000+02:00", "2026-01-31T08:20:30.120000Z"),
    ],
)
def test_times_are_utc_with_microseconds(told: str, expected: str) -> None:
    assert utc(told) == expected
