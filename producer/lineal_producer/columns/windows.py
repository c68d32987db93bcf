"""Windows and orders inside an expression: keys apart from what the function reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import AGGREGATION, CONDITIONAL, COUNTED, SORT, TRANSFORMATION, WINDOW, chain, within
from lineal_producer.columns.functions import ORDERED_SET, RANKS, is_row_function
from lineal_producer.columns.scope import Bound
from lineal_producer.columns.values import Problem

if TYPE_CHECKING:
    from lineal_producer.columns.walk import Walk


def order(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """ORDER BY inside an aggregate: its keys sort what is gathered."""
    walk.push(node.expressions, within(SORT, kind), masking, bound)
    walk.push([node.args.get("this")], kind, masking, bound)


def ordered(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """One key of an ORDER BY."""
    walk.push([node.this], kind, masking, bound)


def within_group(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """WITHIN GROUP: what an ordered-set aggregate aggregates, else the order of what is gathered."""
    order = node.args.get("expression")
    keys = order.expressions if isinstance(order, exp.Order) else []
    ordered_set = isinstance(node.this, ORDERED_SET) or not any(True for _ in node.this.find_all(exp.Column))
    walk.push(keys, within(AGGREGATION if ordered_set else SORT, kind), masking, bound)
    walk.push([node.this], kind, masking, bound)


def window(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """A window: what the function reads, and the keys of the window."""
    # Oracle's KEEP orders what is aggregated.
    of_keys = within(SORT, kind) if node.args.get("over") == "KEEP" else chain(WINDOW, kind)
    for keys in window_keys(walk, node):
        walk.push(keys, of_keys, masking, bound)
    if node.args.get("over") != "KEEP":
        walk.facts[walk.scope.counted, COUNTED, masking] = None
        walk.evaluator.counts = True
    inner = node.this
    function = inner
    while isinstance(function, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)):
        function = function.this
    if isinstance(function, RANKS):
        walk.push(function.iter_expressions(), chain(TRANSFORMATION, kind), masking, bound)
    elif is_row_function(function):
        row_function(walk, inner, function, kind, masking, bound)
    else:
        walk.push([inner], kind, masking, bound)


def row_function(walk: Walk, inner: exp.Expr, function: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """LAG and the like hand over a value of another row; a FILTER on them decides."""
    if isinstance(inner, exp.Filter):
        walk.push([inner.args.get("expression")], within(CONDITIONAL, kind), masking, bound)
    arguments = function.expressions if isinstance(function, exp.Anonymous) else list(function.iter_expressions())
    walk.push(arguments, chain(TRANSFORMATION, kind), masking, bound)


def window_keys(walk: Walk, node: exp.Expr) -> Iterable[list[exp.Expr]]:
    """PARTITION BY and ORDER BY of a window and of the named windows it builds on, last first."""
    seen: set[str] = set()
    window: exp.Expr | None = node
    while window is not None:
        order = window.args.get("order")
        keys = list(window.args.get("partition_by") or [])
        yield keys + (list(order.expressions) if isinstance(order, exp.Order) else [])
        base = window.args.get("alias")
        if not isinstance(base, exp.Identifier) or window.args.get("over") == "KEEP":
            return
        name = walk.evaluator.names.fold(base.name)
        if name in seen:
            return
        seen.add(name)
        window = walk.scope.windows.get(name)
        if window is None:
            walk.problems[Problem("unknown_column", f"there is no window {base.name}")] = None
