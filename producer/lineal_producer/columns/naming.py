"""The names that databases give to columns without one."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.functions import function_name

POSTGRES_LIKE = frozenset({"postgres", "redshift", "materialize", "risingwave"})


def default_name(node: exp.Expr, position: int, names: Names) -> str:
    """What an unnamed projection is called; its text where the database has no rule that can be told from the SQL."""
    if names.dialect in POSTGRES_LIKE:
        return postgres_name(node)
    if names.dialect == "bigquery":
        return f"f{position}_"
    if names.dialect in ("trino", "presto", "athena"):
        return f"_col{position}"
    if not names.dialect:
        inner = node.this if isinstance(node, exp.Cast) else None
        if isinstance(inner, exp.Column):
            return inner.name
    return node.sql(dialect=names.grammar, comments=False)


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
