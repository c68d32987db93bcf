"""The names that databases give to columns without one."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.functions import function_name

PLAIN_OPERATORS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ)
POSTGRES_LIKE = frozenset({"postgres", "redshift", "materialize", "risingwave"})


def default_name(node: exp.Expr, position: int, names: Names) -> str:
    """What an unnamed projection is called; its text where the database has no rule that can be told from the SQL."""
    if names.dialect in POSTGRES_LIKE:
        return postgres_name(node)
    if names.dialect == "bigquery":
        return f"f{position}_"
    if names.dialect in ("trino", "presto", "athena"):
        return f"_col{position}"
    if names.dialect == "duckdb":
        return duckdb_name(node)
    if not names.dialect:
        inner = node.this if isinstance(node, exp.Cast) else None
        if isinstance(inner, exp.Column):
            return inner.name
    return node.sql(dialect=names.grammar, comments=False)


def duckdb_name(node: exp.Expr) -> str:
    """DuckDB's text of the commonest expressions: functions in small letters, operators in parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return "count_star()"
    if isinstance(node, PLAIN_OPERATORS):
        operator = node.sql(dialect="duckdb").removeprefix(node.this.sql(dialect="duckdb")).split()[0]
        return f"({duckdb_name(node.this)} {operator} {duckdb_name(node.expression)})"
    text = node.sql(dialect="duckdb", comments=False)
    if isinstance(node, exp.Window) and not node.args.get("spec") and not node.args.get("partition_by"):
        called = duckdb_name(node.this)
        return f"{called} OVER ()" if not node.args.get("order") and not node.args.get("alias") else text
    plain = isinstance(node, exp.Func) and not isinstance(node, (exp.Connector, exp.Cast, exp.Case, exp.Coalesce))
    arguments = list(node.iter_expressions())
    name, bracket, _ = text.partition("(")
    if plain and bracket and name.replace("_", "").isalnum() and not isinstance(node.this, (exp.Distinct, exp.Order)):
        return f"{name.lower()}({', '.join(duckdb_name(part) for part in arguments)})"
    return text


def postgres_name(node: exp.Expr) -> str:
    """PostgreSQL's rule: the function, the cast column or type, `case`, else `?column?`."""
    while isinstance(node, (exp.Paren, exp.Window, exp.Filter, exp.WithinGroup)):
        node = node.this
    if isinstance(node, exp.Cast):
        inner = postgres_name(node.this)
        return inner if inner != "?column?" else node.args["to"].sql(dialect="postgres").lower()
    if isinstance(node, exp.Column):
        return node.name
    if isinstance(node, exp.Case):
        return "case"
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and node.this.expressions:
        first = node.this.expressions[0]
        return first.alias_or_name or postgres_name(first)
    if isinstance(node, exp.Exists):
        return "exists"
    if isinstance(node, exp.Func) and not isinstance(node, (exp.Connector, exp.Binary)):
        named = function_name(node) if isinstance(node, exp.Anonymous) else node.sql_name()
        return str(named).lower()
    return "?column?"
