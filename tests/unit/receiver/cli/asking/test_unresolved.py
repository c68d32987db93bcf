"""What `lineal unresolved` says where it lists nothing, or not all."""

import io
from typing import Any

from lineal_receiver.cli.asking.paper import unroll
from lineal_receiver.cli.asking.unresolved import _say

COLUMN = {"namespace": "n", "name": "t", "field": "c", "reason": "parser_error", "message": None, "job": None}
REASONS = [
    {"reason": "not_reported", "sentence": "Nothing was said.", "count": 7},
    {"reason": "parser_error", "sentence": "It can't be read.", "count": 3},
]


def say(reason: str | None = None, **answer: Any) -> list[str]:
    told = {"reasons": [], "total": sum(row["count"] for row in answer.get("reasons", [])), "silent": 0, "columns": []}
    return list(_say({**told, **answer}, reason, unroll(io.StringIO())))


def test_tables_that_nobody_says_anything_of_are_no_good_news() -> None:
    assert say() == ["every column is traced or constant"]
    assert say(silent=2) == [
        "every column that was told of is traced or constant; jobs say nothing of the columns of 2 tables"
    ]
    assert say(silent=1, reasons=REASONS, columns=[COLUMN])[1] == "jobs say nothing of the columns of 1 table"


def test_of_one_reason_only_its_own_are_counted() -> None:
    said = say("parser_error", reasons=REASONS, columns=[COLUMN])

    assert said[0] == "3 columns of which nobody could tell where they come from"
    assert not any("not_reported" in line for line in said)
    assert said[-1] == "… and 2 more (--limit)"
    assert say("opaque_function", reasons=REASONS) == [
        "no column is unresolved for this reason; for others: not_reported, parser_error"
    ]
