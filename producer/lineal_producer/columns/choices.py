"""Expressions that choose: results change the value, conditions decide between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import AGGREGATION, CONDITIONAL, IDENTITY, ROW_KINDS, TRANSFORMATION, chain, within
from lineal_producer.columns.scope import Bound

if TYPE_CHECKING:
    from lineal_producer.columns.walk import Walk


# ClickHouse's combinator If, whatever other combinators follow it.
CONDITION_LAST = re.compile(r"[a-z0-9]If(?:State|Merge|OrNull|OrDefault|Array|Map|Distinct|SimpleState|Resample)*$")


def case(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """CASE and IF: results change the value, conditions decide between them."""
    result, condition = chain(TRANSFORMATION, kind), within(CONDITIONAL, kind)
    if is_division(node):
        walk.push([node.args["false"]], kind, masking, bound)
        return
    branches = node.args.get("ifs") or [node]
    plan: list[tuple[object, int]] = []
    if node.args.get("ifs"):
        plan.append((node.args.get("this"), condition))
    for branch in branches:
        plan += [(branch.args.get("this"), condition), (branch.args.get("true"), result)]
    plan += [(node.args.get("false"), result), (node.args.get("default"), result)]
    for part, part_kind in reversed(plan):
        walk.push([part], part_kind, masking, bound)


def is_division(node: exp.Expr) -> bool:
    """Whether IF is how the grammar writes Snowflake's DIV0: its condition and its result have the same words."""
    division = node.args.get("false")
    if not isinstance(division, exp.Div):
        return False
    places = ({part.meta.get("start") for part in half.find_all(exp.Identifier)} for half in (node.this, division))
    tested, divided = places
    return bool(tested & divided - {None})


def decode(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """DECODE: operand and searched values decide, results change the value."""
    result, condition = chain(TRANSFORMATION, kind), within(CONDITIONAL, kind)
    operand, *rest = node.expressions
    plan = [(operand, condition)]
    for position in range(0, len(rest) - 1, 2):
        plan += [(rest[position], condition), (rest[position + 1], result)]
    if len(rest) % 2:
        plan.append((rest[-1], result))
    for part, part_kind in reversed(plan):
        walk.push([part], part_kind, masking, bound)


def coalesce(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """COALESCE: every argument is a result and, by being null or not, decides."""
    both(walk, [node.this, *node.expressions], kind, masking, bound)


def both(walk: Walk, arguments: list[exp.Expr], kind: int, masking: bool, bound: Bound) -> None:
    """Arguments that are results and conditions at once: each is read once, or nesting would double at every level."""
    if kind in ROW_KINDS:
        walk.push(arguments, kind, masking, bound)
        return
    for argument in arguments:
        value = walk.inner(argument, IDENTITY, bound)
        walk.add(value, chain(TRANSFORMATION, kind), masking)
        walk.add(value, within(CONDITIONAL, kind), masking)


def nullif(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """NULLIF(a, b): a or null, decided by both."""
    both(walk, [node.this], kind, masking, bound)
    walk.push([node.args.get("expression")], within(CONDITIONAL, kind), masking, bound)


def filtered(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """An aggregate's FILTER: its condition decides which rows count."""
    walk.push([node.args.get("expression")], within(CONDITIONAL, kind), masking, bound)
    walk.push([node.this], kind, masking, bound)


def count_if(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """countIf: a condition and nothing else."""
    walk.push([node.this], within(CONDITIONAL, kind), masking, bound)


def combined(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """ClickHouse's aggregates with a combinator: the last argument of …If is a condition."""
    # Of quantileIf(0.5)(x, condition) the first list is constants.
    arguments = list(node.args.get("params") or node.expressions)
    if CONDITION_LAST.search(str(node.name)) and arguments:
        walk.push([arguments.pop()], within(CONDITIONAL, kind), masking, bound)
    masking = masking or str(node.name).lower().startswith("count")
    walk.push(arguments, chain(AGGREGATION, kind), masking, bound)


def multi_if(walk: Walk, arguments: list[exp.Expr], kind: int, masking: bool, bound: Bound) -> None:
    """multiIf(c1, v1, c2, v2, …, else)."""
    result, condition = chain(TRANSFORMATION, kind), within(CONDITIONAL, kind)
    for position in reversed(range(len(arguments))):
        is_condition = position % 2 == 0 and position < len(arguments) - 1
        walk.push([arguments[position]], condition if is_condition else result, masking, bound)
