"""trace(): schema keys, names of relations, honesty, limits, and that no text makes it raise."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineal_producer.columns import Column, Gap, Input, ModelLineage, to_json, trace


def column(lineage: ModelLineage, name: str) -> Column:
    return next(column for column in lineage.columns if column.name == name)


def gaps(lineage: ModelLineage) -> set[tuple[str, str | None]]:
    return {(gap.code, gap.column) for gap in lineage.gaps}


@pytest.mark.parametrize(
    ("key", "table", "relation"),
    [
        ("t", "t", ("t",)),
        ("db.s.t", "db.s.t", ("db", "s", "t")),
        (("db", "s", "t"), "db.s.t", ("db", "s", "t")),
        ('"db"."s.x"."t"', '"db"."s.x"."t"', ("db", "s.x", "t")),
    ],
)
def test_a_relation_is_called_what_the_schema_calls_it(
    key: str | tuple[str, ...], table: str, relation: tuple[str, ...]
) -> None:
    lineage = trace("select a from t", "duckdb", {key: {"a": "INT"}})
    assert lineage.relations == (relation,)
    assert column(lineage, "a").inputs == (Input(table, "a", "DIRECT", "IDENTITY", False, relation),)


def test_a_relation_outside_the_schema_is_called_what_the_sql_calls_it() -> None:
    lineage = trace("select a from My.Orders", "postgres", None, "db", "public")
    assert column(lineage, "a").inputs[0].table == "My.Orders"
    assert lineage.relations == (("db", "my", "orders"),)


def test_defaults_choose_among_relations_of_one_name() -> None:
    schema = {("db", "one", "t"): {"a": "INT"}, ("db", "two", "t"): {"b": "INT"}}
    lineage = trace("select * from t", "duckdb", schema, "db", "two")
    assert [(item.name, item.inputs[0].relation) for item in lineage.columns] == [("b", ("db", "two", "t"))]


def test_a_name_that_fits_several_relations_takes_the_columns_of_none() -> None:
    schema = {("db", "one", "t"): {"a": "INT"}, ("db", "two", "t"): {"b": "INT"}}
    lineage = trace("select * from t", "duckdb", schema)
    assert (lineage.status, lineage.columns) == ("unresolved", ())
    assert gaps(lineage) == {("star_without_schema", None)}


def test_a_relation_of_another_schema_is_not_taken_for_it() -> None:
    lineage = trace("select * from other.t", "duckdb", {("db", "main", "t"): {"a": "INT"}}, "db", "main")
    assert lineage.status == "unresolved"
    assert lineage.relations == (("db", "other", "t"),)


def test_relations_holds_all_that_is_read_and_no_cte() -> None:
    sql = """
        with c as (select a from s.t where exists (select 1 from u))
        select a, (select max(x) from v) as m from c join w on true
    """
    assert trace(sql, "postgres").relations == (("s", "t"), ("u",), ("w",), ("v",))


def test_expression_is_the_sql_of_the_projection_without_its_alias() -> None:
    inner = "select price * quantity as amount, id from t"
    sql = f"with f as ({inner}) select *, f.id as again, f.amount as paid, 'x' as k from f"
    lineage = trace(sql, "postgres", {"t": {"price": "INT", "quantity": "INT", "id": "INT"}})
    assert [(item.name, item.expression) for item in lineage.columns] == [
        ("amount", "price * quantity"),
        ("id", "id"),
        ("again", "id"),
        ("paid", "price * quantity"),
        ("k", "'x'"),
    ]


def test_expression_is_written_in_its_own_dialect() -> None:
    lineage = trace("select `a b` as x, cast(c as string) as y from t", "bigquery")
    assert [item.expression for item in lineage.columns] == ["`a b`", "CAST(c AS STRING)"]


def test_unnamed_columns_of_postgres_are_called_what_postgres_calls_them() -> None:
    sql = "select max(a), a::text, case when a > 1 then 1 end, a + 1, (select b from u), exists(select 1) from t"
    assert [item.name for item in trace(sql, "postgres").columns] == ["max", "a", "case", "?column?", "b", "exists"]


def test_an_unknown_column_hides_only_what_reads_it() -> None:
    schema = {"t": {"a": "INT", "b": "INT"}}
    lineage = trace("with x as (select a, b, nope from t) select a + b as s, nope || a as n from x", "duckdb", schema)
    assert lineage.status == "partial"
    assert column(lineage, "s").status == "traced"
    hidden = column(lineage, "n")
    assert (hidden.status, hidden.reason) == ("unresolved", "unknown_column")
    assert [item.column for item in hidden.inputs] == ["a"]
    assert gaps(lineage) == {("unknown_column", "n")}


def test_a_column_of_a_where_that_is_unknown_is_a_gap_of_the_rows() -> None:
    lineage = trace("select a from t where nope > 1", "duckdb", {"t": {"a": "INT"}})
    assert (lineage.status, column(lineage, "a").status) == ("partial", "traced")
    assert gaps(lineage) == {("unknown_column", None)}


def test_no_edge_leaves_a_known_relation_without_the_column() -> None:
    schema = {"t": {"a": "INT"}, "u": {"b": "INT"}}
    lineage = trace("select a, b, c, t.d, u.a from t, u, v", "duckdb", schema)
    edges = {(item.table, item.column) for output in lineage.columns for item in output.inputs}
    assert edges == {("t", "a"), ("u", "b"), ("v", "c")}


@pytest.mark.parametrize("dialect", ["fabric", "sqlserver", "synapse", "athena", "spark", "databricks", "redshift"])
def test_adapter_types_are_dialects(dialect: str) -> None:
    assert trace("select a from t", dialect).status == "resolved"


@pytest.mark.parametrize(
    "dialect",
    ["", "bigquery", "clickhouse", "duckdb", "exasol", "mariadb", "mysql", "oracle", "postgres", "snowflake", "trino"],
)
def test_more_dialects(dialect: str) -> None:
    assert trace("select a as b from t", dialect).status == "resolved"


def test_a_dialect_that_nobody_knows_says_so() -> None:
    lineage = trace("select 1", "klingon")
    assert lineage.status == "failed"
    assert lineage.gaps[0].code == "unsupported_statement"
    assert "klingon" in lineage.gaps[0].message


def test_json_is_the_shape_of_the_answer() -> None:
    lineage = trace(
        "create table x as select count(a) as n from t where b > 1", "duckdb", {"t": {"a": "INT", "b": "INT"}}
    )
    assert to_json(lineage) == {
        "status": "resolved",
        "target": "x",
        "columns": [
            {
                "name": "n",
                "status": "traced",
                "reason": None,
                "expression": "COUNT(a)",
                "inputs": [{"table": "t", "column": "a", "type": "DIRECT", "subtype": "AGGREGATION", "masking": True}],
            }
        ],
        "rows": [{"table": "t", "column": "b", "type": "INDIRECT", "subtype": "FILTER", "masking": False}],
        "gaps": [],
    }
    broken = to_json(trace("select from", "duckdb"))
    assert broken["gaps"] == [{"code": "parser_error", "message": broken["gaps"][0]["message"], "column": None}]


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "upper(" * 5000 + "a" + ")" * 5000 + " from t",
        "select a from " + "(select a from " * 3000 + "t" + ")" * 3000,
        "select " + "case when a = 1 then " * 3000 + "b" + " end" * 3000 + " from t",
    ],
)
def test_too_deep_is_a_limit_and_no_crash(sql: str) -> None:
    before = sys.getrecursionlimit()
    lineage = trace(sql, "snowflake")
    assert (lineage.status, lineage.gaps[0].code) == ("failed", "limit_exceeded")
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "replace(" * 100 + "a" + ", 'x', 'y')" * 100 + " as a from t",
        "select " + "coalesce(" * 100 + "a" + ", 0)" * 100 + " as a from t",
        "select a from " + "(select a from " * 100 + "t" + ") q" * 100,
        "select a from t where " + " or ".join(["a = 1"] * 5000),
        " union all ".join(["select a from t"] * 1000),
        "select " + " + ".join(["a"] * 5000) + " as a from t",
    ],
)
def test_long_and_deep_sql_of_real_life_is_traced(sql: str) -> None:
    lineage = trace(sql, "postgres", {"t": {"a": "INT"}})
    assert lineage.status == "resolved"
    assert {(item.table, item.column) for item in column(lineage, "a").inputs} == {("t", "a")}


def test_a_wide_union_over_many_ctes_is_linear() -> None:
    names = [f"c{number}" for number in range(300)]
    columns = ", ".join(names)
    union = " union all ".join(f"select {columns} from t{branch} where c1 > 0" for branch in range(7))
    ctes = [f"s0 as ({union})"] + [f"s{step} as (select {columns} from s{step - 1})" for step in range(1, 12)]
    lineage = trace(f"with {', '.join(ctes)} select * from s11", "duckdb")
    assert lineage.status == "resolved"
    assert [len(item.inputs) for item in lineage.columns] == [7] * 300


def test_a_recursive_cte_that_never_settles_by_itself_ends() -> None:
    body = "select a, b from t union all select b, a from r union all select c, c from t"
    sql = f"with recursive r as ({body}) select * from r"
    lineage = trace(sql, "duckdb")
    assert lineage.status in ("resolved", "partial")


WORDS = st.sampled_from(
    """
    select from where with as ( ) , a b t.* * join on union all group by order having case when then end null 1 'x'
    unnest lateral over partition pivot for in values insert into merge using update set create table ; recursive
    begin end declare @v if |> limit by window returning unload directory columns(*) apply(sum) 'k' := on conflict do
    "q" [ ] { } : . -> exists distinct qualify columns exclude replace struct array count sum filter within
    """.split()  # noqa: SIM905 # a list of these would be a page long
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    text=st.lists(WORDS, max_size=30).map(" ".join) | st.text(max_size=60),
    dialect=st.sampled_from(
        "duckdb bigquery snowflake tsql clickhouse oracle redshift databricks postgres trino mysql".split()  # noqa: SIM905
    ),
)
def test_no_text_makes_it_raise(text: str, dialect: str) -> None:
    lineage = trace(text, dialect, {"t": {"a": "INT", "b": "STRUCT(x INT)"}})
    assert lineage.status in ("resolved", "partial", "unresolved", "failed")
    assert lineage.status == "resolved" or lineage.gaps
    assert all(isinstance(gap, Gap) for gap in lineage.gaps)
    assert to_json(lineage)


def test_importing_the_package_does_not_load_the_parser() -> None:
    code = (
        "import sys; from lineal_producer.columns import ModelLineage, RULES_VERSION, sqlglot_version, to_json; "
        "assert sqlglot_version(); assert 'sqlglot' not in sys.modules; "
        "from lineal_producer.columns import trace; "
        "assert trace('select 1 as a', 'duckdb').status == 'resolved'"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr == ""


def test_a_byte_order_mark_is_no_part_of_the_statement() -> None:
    assert trace("\ufeffselect a from t", "snowflake") == trace("select a from t", "snowflake")


COUNTING = "select a, sum(b) over (partition by c) as s from db.main.t where d > 0"


@pytest.mark.parametrize(
    "caught_up",
    [
        "select * from x where a > (select max(a) from db.main.m)",
        "select * from x where 1 = 1 and a > (select max(a) from db.main.m) and s not in (select s from db.main.m)",
        "select x.* from x left join db.main.m on m.a = x.a where m.a is null",
        "select x.* from x, (select max(a) as a from db.main.m) as last where x.a > last.a",
    ],
)
def test_rows_that_an_incremental_model_has_are_not_left_out_of_it(caught_up: str) -> None:
    tables = {("db", "main", "t"): dict.fromkeys("abcd", "INT"), ("db", "main", "m"): {"a": "INT", "s": "INT"}}

    def inputs_of_s(sql: str, *own: str) -> list[str]:
        lineage = trace(f"with x as ({COUNTING}) {sql}", "duckdb", tables, None, None, own or None)
        return [f"{item.column} {item.subtype}" for item in column(lineage, "s").inputs]

    counted = ["b AGGREGATION", "c WINDOW"]
    assert inputs_of_s("select * from x", "db", "main", "m") == counted
    assert inputs_of_s(caught_up, "db", "main", "m") == counted
    assert inputs_of_s(caught_up, "db", "main", "other")[:3] == [*counted, "d FILTER"]
    assert inputs_of_s(f"select * from ({caught_up}) as y where y.a < 9", "db", "main", "m")[:3] == [
        *counted,
        "d FILTER",
    ]
