"""Parameters, and columns that are named by a text: what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.facts import TRANSFORMATION, chain
from lineal_producer.columns.naming import POSTGRES_LIKE
from lineal_producer.columns.recovery import UNREADABLE
from lineal_producer.columns.scope import Bound
from lineal_producer.columns.values import unknown

if TYPE_CHECKING:
    from lineal_producer.columns.walk import Walk


def parameter(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """Snowflake's $1 is the first column of what is read; elsewhere and under a name a parameter is a constant."""
    number, dialect = node.this, walk.evaluator.names.dialect
    known = walk.evaluator.variables.get(node.name.lower())
    if known is not None:
        walk.add(known, kind, masking)
    elif dialect in POSTGRES_LIKE:
        # What the grammar takes for a parameter is PostgreSQL's operator @, the absolute value.
        operand = exp.Column(this=exp.to_identifier(number.name)) if isinstance(number, exp.Var) else number
        walk.push([operand], chain(TRANSFORMATION, kind), masking, bound)
    elif dialect == "snowflake" and walk.scope.sources and isinstance(number, exp.Literal) and not number.is_string:
        walk.add(walk.scope.at_position(int(number.name)), kind, masking)


def placeholder(walk: Walk, node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
    """A parameter is a constant, but for ClickHouse's {name:Identifier}, which names a column."""
    if str(node.args.get("kind")) == "Identifier":
        walk.add(unknown("dynamic_sql", "a column's name is a parameter"), kind, masking)


def identifier(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """Snowflake's IDENTIFIER('name')."""
    named_by_text(walk, node.this, kind, masking, bound)


def named_by_text(walk: Walk, argument: object, kind: int, masking: bool, bound: Bound) -> None:
    """IDENTIFIER('column'): the column; of a name that is computed nothing can be told."""
    column = column_of(argument, walk.evaluator.names)
    if column is None:
        walk.add(unknown("dynamic_sql", "a column's name is computed"), kind, masking)
        return
    walk.push([column], kind, masking, bound)


def column_of(argument: object, names: Names) -> exp.Column | None:
    """The column that a constant text names."""
    if not isinstance(argument, exp.Literal) or not argument.is_string:
        return None
    try:
        read = sqlglot.parse_one(argument.name, read=names.grammar)
    except UNREADABLE:
        return None
    return read if isinstance(read, exp.Column) else None
