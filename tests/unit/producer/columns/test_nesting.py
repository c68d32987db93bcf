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
