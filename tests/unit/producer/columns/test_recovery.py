"""What it costs to find the broken parts of a text: a fixed number of readings of it, however long it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlglot

from lineal_producer.columns import trace

BROKEN = "(select a ~~~ from t where x)"


@pytest.fixture
def characters_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many characters have been given to the parser so far."""
    parse, lengths = sqlglot.parse, [0]

    def counted(sql: str, **options: Any) -> Any:
        lengths.append(len(sql))
        return parse(sql, **options)

    monkeypatch.setattr(sqlglot, "parse", counted)
    return lambda: sum(lengths)


def model(parts: int, broken: str) -> str:
    """A model of many CTEs, each with a query inside, of which the last one can't be read."""
    good = [f"c{n} as (select a, b from t{n} where a in (select z from u{n}))" for n in range(parts)]
    columns = ", ".join(f"c{n}.a as a{n}" for n in range(parts))
    joins = " ".join(f"join c{n} on c{n}.b = c0.b" for n in range(1, parts))
    return f"with {', '.join(good)}, bad as {broken} select {columns} from c0 {joins}"


@pytest.mark.parametrize("parts", [10, 80, 240])
def test_a_long_text_is_read_as_often_as_a_short_one(parts: int, characters_read: Callable[[], int]) -> None:
    sql = model(parts, BROKEN)
    lineage = trace(sql, "postgres")
    assert characters_read() <= 4 * len(sql)
    assert lineage.status == "partial"
    assert [column.status for column in lineage.columns] == ["traced"] * parts


def test_a_broken_query_deep_inside_leaves_what_is_around_it() -> None:
    nested = BROKEN
    for _ in range(40):
        nested = f"(select q.a, s.b from s join {nested} q on q.a = s.a)"
    lineage = trace(f"select w.b from {nested} w", "postgres")
    assert [(column.status, len(column.inputs)) for column in lineage.columns] == [("traced", 1)]
    assert {gap.code for gap in lineage.gaps} == {"parser_error"}


def test_broken_parts_everywhere_are_each_set_aside() -> None:
    parts = ", ".join(f"c{n} as (select a, b ~~~ as b from t{n})" for n in range(30))
    columns = ", ".join(f"c{n}.a as a{n}, c{n}.b as b{n}" for n in range(30))
    joins = " ".join(f"cross join c{n}" for n in range(1, 30))
    lineage = trace(f"with {parts} select {columns} from c0 {joins}", "postgres")
    assert [(column.status, column.reason) for column in lineage.columns] == [
        ("traced", None),
        ("unresolved", "parser_error"),
    ] * 30


def test_what_is_broken_everywhere_is_given_up() -> None:
    lineage = trace("select ((((((", "postgres")
    assert (lineage.status, [gap.code for gap in lineage.gaps]) == ("failed", ["parser_error"])
