"""Records as lines, and times as dbt writes them."""

from __future__ import annotations

from datetime import datetime

import pytest

from lineal_producer import records
from lineal_producer.clock import utc

AT = "2026-01-31T10:20:30.000000Z"


def test_a_line_is_the_record_whatever_it_holds() -> None:
    odd = {"text": 'a "quoted" täble \u2028 \n \ud800', "at": datetime(2026, 1, 31), "part": 0.5, 1: [None, True]}
    line = records.to_line(records.node_end(AT, "model.shop.a", "success", adapter_response=odd))
    assert line.count(b"\n") == 1
    response = records.from_line(line)["adapter_response"]  # type: ignore[typeddict-item] # it is the end of a node
    text = 'a "quoted" täble \u2028 \n ?'
    assert response == {"text": text, "at": "2026-01-31 00:00:00", "part": 0.5, "1": [None, True]}


def test_what_is_no_record_is_refused() -> None:
    for line, why in (
        (b'{"v":3,"kind":"columns"}', "version 3"),
        (b"[]", "not a record"),
        (b'{"v":2,"ki', "Unterminated"),
    ):
        with pytest.raises(ValueError, match=why):
            records.from_line(line)


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
