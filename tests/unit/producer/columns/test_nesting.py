"""What functions inside one another cost: never a multiple at every level."""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path

import pytest

from lineal_producer.columns import trace, walk

ENGINE = Path(walk.__file__).parent
STRUCTS = {"t": {"a": "ARRAY(ROW(x BIGINT, y BIGINT))"}}


def calls(sql: str, dialect: str, schema: dict[str, dict[str, str]] | None) -> int:
    """How many functions of the engine's own, apart from the parser's, are called to trace a statement."""
    profile = cProfile.Profile()
    profile.runcall(trace, sql, dialect, schema)
    found: dict[tuple[str, int, str], tuple[int, ...]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    return sum(count[1] for (file, _, _), count in found.items() if Path(file).parent == ENGINE)


@pytest.mark.parametrize("schema", [None, STRUCTS], ids=["unknown", "structs"])
@pytest.mark.parametrize(
    ("dialect", "form"),
    [
        ("trino", "filter({}, x -> x is not null)"),
        ("trino", "transform({}, x -> x)"),
        ("trino", "any_match({}, x -> x is null)"),
        ("trino", "reduce({}, 0, (s, x) -> s + x, s -> s)"),
        ("trino", "array_sort({})"),
        ("trino", "coalesce({}, a)"),
        ("trino", "case when a is null then {} end"),
        ("trino", "if(a is null, {}, a)"),
        ("trino", "nullif({}, a)"),
        ("trino", "({})[1]"),
        ("trino", "json_extract({}, '$.x')"),
        ("trino", "array[{}]"),
        ("trino", "row({})"),
        ("trino", "array_agg({})"),
        ("trino", "arrays_zip({}, a)"),
        ("trino", "cast({} as array(row(x bigint)))"),
        ("trino", "concat({}, a)"),
        ("trino", "max_by({}, a)"),
        ("trino", "map(a, array[{}])"),
        ("trino", "map_keys(map({}, a))"),
        ("trino", "map_values(map_agg(a, {}))"),
    ],
)
def test_levels_of_nesting_add_up(dialect: str, form: str, schema: dict[str, dict[str, str]] | None) -> None:
    def nested(levels: int) -> str:
        value = "a"
        for _ in range(levels):
            value = form.format(value)
        return f"select {value} as z from t"

    # A level that costs twice what is inside it would make it 32 times as much.
    assert calls(nested(10), dialect, schema) <= 8 * calls(nested(5), dialect, schema)


@pytest.mark.parametrize(
    ("dialect", "form"),
    [
        ("trino", "array[{}]"),
        ("trino", "row({}, 1)"),
        ("bigquery", "array<struct<a int64>>[struct({})]"),
        ("databricks", "struct(upper({}))"),
        ("postgres", "bit(({}))"),
    ],
)
def test_what_the_parser_would_read_for_hours_is_told_at_once(dialect: str, form: str) -> None:
    def nested(levels: int) -> str:
        value = "a"
        for _ in range(levels):
            value = form.format(value)
        return f"select {value} as z, b from t"

    assert trace(nested(5), dialect).columns[0].status == "traced"
    lineage = trace(nested(40), dialect)
    assert (lineage.status, [gap.code for gap in lineage.gaps]) == ("failed", ["limit_exceeded"])


def test_types_beside_one_another_are_not_nested() -> None:
    casts = ", ".join(f"date(coalesce(date(a{place}), timestamp('(' || b)))  as c{place}" for place in range(40))
    assert trace(f"select {casts} from t -- date(date(date(", "bigquery").status == "resolved"
