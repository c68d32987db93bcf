"""Arrays and what hands one of several values over: an element keeps the inside of what it was made of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import (
    AGGREGATION,
    CONDITIONAL,
    COUNTED,
    IDENTITY,
    SORT,
    TRANSFORMATION,
    WINDOW,
    compose,
)
from lineal_producer.columns.functions import ROW_FUNCTIONS
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Shape, Value, merge, shape_plus
from lineal_producer.columns.walk import Walk
from lineal_producer.columns.windows import window_keys

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

# Where the structs of one array meet field by field in order, under the names of the first.
STRUCTS_BY_PLACE = frozenset({"bigquery", "trino", "presto", "athena", "spark", "databricks"})
# What may stand for any number of an array's elements.
UNCOUNTED = (exp.Query, exp.Comprehension, exp.Star, exp.Columns, exp.Explode, exp.Unnest)
# Clauses around a function; functions that may have an inside under them, and arguments that may give them one.
CLAUSES = (exp.Filter, exp.WithinGroup, exp.Window)
GATHERING = (exp.ArrayAgg, exp.JSONArrayAgg, exp.Anonymous, *CLAUSES)
# ClickHouse's aggregates that gather values in an array, and those that hand one over.
GATHERED = re.compile(r"group(?:Uniq)?Array(?:Last|Sample|Sorted)?(?:If)?")
ONE_OF = re.compile(r"any(?:Last|Heavy)?(?:If)?")
MAY_HAVE_INSIDE = (exp.Column, exp.Dot, exp.Struct, exp.JSONObject, exp.Anonymous, exp.Bracket, exp.Cast, exp.Tuple)


def array(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """An array built here: its element may be any of its parts."""
    values = [array_part(evaluator, part, scope, bound) for part in node.expressions]
    parts = [value.reshaped(TRANSFORMATION) for value in values]
    whole = merge(parts, by_place=evaluator.names.dialect in STRUCTS_BY_PLACE)
    listed = parts if not any(isinstance(part, UNCOUNTED) for part in node.expressions) else None
    return Value(whole.facts, whole.problems, made=Shape(element=whole, items=listed))


def array_part(evaluator: Evaluator, part: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """One part of an array; where structs meet by place, a row in parentheses is one."""
    if isinstance(part, exp.Query):
        return evaluator.scalar_query(part, scope, bound)
    if isinstance(part, exp.Tuple) and evaluator.names.dialect in STRUCTS_BY_PLACE:
        return evaluator.struct(part, scope, bound)
    return evaluator.value(part, scope, bound)


def zipped(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """arrays_zip: elements are structs of one element of each array."""
    fields: dict[str, tuple[str, Value]] = {}
    for position, part in enumerate(node.expressions):
        name = part.name if isinstance(part, exp.Column) else str(position)
        element = evaluator.value(part, scope, bound).get_element().reshaped(TRANSFORMATION)
        fields[evaluator.names.fold(name)] = (name, element)
    whole = merge([value for _, value in fields.values()])
    inner = Value(whole.facts, whole.problems, made=Shape(fields))
    return Value(whole.facts, whole.problems, made=Shape(element=inner))


def array_agg(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """An array gathered from rows: its element keeps its inside."""
    inner = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    ordering = Walk(evaluator, scope)
    while isinstance(inner, (exp.Order, exp.Limit, exp.Distinct, exp.IgnoreNulls, exp.RespectNulls)):
        for key in inner.expressions if isinstance(inner, exp.Order) else ():
            ordering.collect(key, SORT, bound)
        inner = inner.expressions[0] if isinstance(inner, exp.Distinct) else inner.this
    facts = Walk(evaluator, scope).collect(node, IDENTITY, bound)
    if inner is None:
        return facts
    value = evaluator.value(inner, scope, bound).reshaped(AGGREGATION)
    choice = ordering.result()
    return Value(facts.facts, facts.problems, lazy=lambda: Shape(element=value.plus(choice)))


def gathered(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """ClickHouse's groupArray and any, with or without a condition, of a value whose parts are known; else None."""
    arguments = list(node.args.get("params") or node.expressions)
    name = str(node.name)
    known = GATHERED.fullmatch(name) or ONE_OF.fullmatch(name)
    if known is None or len(arguments) != 1 + name.endswith("If") or not isinstance(arguments[0], MAY_HAVE_INSIDE):
        return None
    value = evaluator.value(arguments[0], scope, bound).reshaped(AGGREGATION)
    deciding = Walk(evaluator, scope)
    for condition in arguments[1:]:
        deciding.collect(condition, CONDITIONAL, bound)
    one = value.plus(deciding.result())
    whole = Walk(evaluator, scope).collect(node, IDENTITY, bound)
    if ONE_OF.fullmatch(name):
        return Value(whole.facts, whole.problems, lazy=lambda: one.shape)
    return Value(whole.facts, whole.problems, lazy=lambda: Shape(element=one))


def under_clause(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """FILTER, WITHIN GROUP or OVER around a function that keeps an inside: each part depends on the clause too."""
    function = node.this
    while isinstance(function, (exp.IgnoreNulls, exp.RespectNulls)):
        function = function.this
    row_function = isinstance(node, exp.Window) and isinstance(function, ROW_FUNCTIONS)
    if row_function and isinstance(function.this, exp.Expr) and function.args.get("default") is None:
        inner: Value | None = evaluator.value(function.this, scope, bound).reshaped(TRANSFORMATION)
    elif isinstance(function, (exp.ArrayAgg, exp.JSONArrayAgg, exp.Anonymous, *CLAUSES)) or isinstance(
        function.this, MAY_HAVE_INSIDE
    ):
        inner = evaluator.find_shaped(function, scope, bound)
    else:
        return None
    if inner is None or inner.shape is None:
        return None
    clause = Walk(evaluator, scope)
    if isinstance(node, exp.Window):
        keys, kind = [key for part in window_keys(clause, node) for key in part], WINDOW
        clause.facts[scope.counted, COUNTED, False] = None
    elif isinstance(node, exp.WithinGroup):
        keys, kind = list(node.expression.expressions), SORT
    else:
        keys, kind = [node.expression], CONDITIONAL
    for key in keys:
        clause.collect(key, kind, bound)
    facts = Walk(evaluator, scope).collect(node, IDENTITY, bound)
    return Value(facts.facts, facts.problems, made=shape_plus(inner.shape, clause.result()))


def keeps_inside(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """An aggregate that hands over one of its inputs whole."""
    inner = node.this
    # Which row it is taken from is decided by a key beside it, by HAVING and by an order.
    deciding = Walk(evaluator, scope)
    keys = [(node.args.get("expression"), AGGREGATION)]
    while isinstance(inner, (exp.HavingMax, exp.Order, exp.IgnoreNulls, exp.RespectNulls, exp.Limit)):
        keys += [(key, SORT) for key in inner.expressions if isinstance(inner, exp.Order)]
        keys += [(inner.args.get("expression"), AGGREGATION)] if isinstance(inner, exp.HavingMax) else []
        inner = inner.this
    for key, kind in keys:
        if isinstance(key, exp.Expr):
            deciding.collect(key, kind, bound)
    if inner is None or isinstance(inner, exp.Distinct):
        return None
    value = evaluator.value(inner, scope, bound).reshaped(AGGREGATION)
    facts = Walk(evaluator, scope).collect(node, IDENTITY, bound)
    choice = deciding.result()
    # A maximum is chosen by all of its fields.
    if isinstance(node, (exp.Max, exp.Min)):
        choice = Value(compose(facts.facts, SORT))
    return Value(facts.facts, facts.problems, lazy=lambda: shape_plus(value.shape, choice))


def same_elements(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """An array of another's elements that are chosen by their places alone: an element is one of those."""
    arrays = [node.this, *node.expressions] if isinstance(node, exp.ArrayConcat) else [node.this]
    values = [evaluator.value(part, scope, bound) for part in arrays if isinstance(part, exp.Expr)]
    elements = [value.shape.element for value in values if value.shape is not None and value.shape.element is not None]
    if len(elements) < len(arrays):
        return None
    used = Walk(evaluator, scope)
    for key in ("start", "end"):
        if isinstance(node.args.get(key), exp.Expr):
            used.collect(node.args[key], TRANSFORMATION, bound)
    whole = merge(elements).reshaped(TRANSFORMATION).plus(used.result())
    return Value(whole.facts, whole.problems, made=Shape(element=whole))


def element(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """One element of an array, as unnest in a projection gives."""
    arguments = node.expressions if isinstance(node, exp.Unnest) else [node.this, *node.expressions]
    values = [evaluator.value(part, scope, bound) for part in arguments if isinstance(part, exp.Expr)]
    if len(values) == 1:
        inner = values[0].get_element()
        return Value(compose(inner.facts, TRANSFORMATION), inner.problems, lazy=lambda: inner.shape)
    return merge(values).used(TRANSFORMATION)
