"""Branches of MERGE without a list of columns: the engine says what DuckDB does with them."""

from __future__ import annotations

import duckdb
import pytest

from lineal_producer.columns import trace

TARGET = ("a", "b", "k")
SOURCE = {"k": 1, "b": 2, "a": 3}
FORMS = ["", "*", "by name", "by position"]


def source_of(column: str, form: str) -> str:
    """The source's column that the engine names for one of the target's."""
    schema = {"t": dict.fromkeys(TARGET, "INT"), "u": dict.fromkeys(SOURCE, "INT")}
    (found,) = [item for item in trace(form, "duckdb", schema).columns if item.name == column]
    return found.inputs[0].column


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("branch", ["matched then update", "not matched then insert"])
def test_each_column_is_filled_from_the_one_that_duckdb_takes(branch: str, form: str) -> None:
    form = "set *" if form == "*" and "update" in branch else form
    merge = f"merge into t using u on t.k = u.k when {branch} {form}"
    with duckdb.connect() as connection:
        connection.execute("create table t (a int, b int, k int)")
        connection.execute("create table u as select 1 as k, 2 as b, 3 as a")
        if "update" in branch:
            connection.execute("insert into t values (0, 0, 1)")
        connection.execute(merge)
        (row,) = connection.execute("select a, b, k from t").fetchall()
    taken = {value: name for name, value in SOURCE.items()}
    assert {name: source_of(name, merge) for name in TARGET} == {
        name: taken[value] for name, value in zip(TARGET, row, strict=True)
    }
