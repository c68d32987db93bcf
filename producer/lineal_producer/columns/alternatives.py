"""One of several structs or arrays, as CASE, IF and COALESCE give: its fields are theirs, and depend on the choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import CONDITIONAL, IDENTITY, TRANSFORMATION
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Value, merge, shape_plus
from lineal_producer.columns.walk import Walk

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

# What may have an inside and is read at no cost: a choice inside a choice would be read twice at every level.
PLAIN = (exp.Column, exp.Dot, exp.Bracket, exp.Struct, exp.Array, exp.Map, exp.VarMap)


def alternative(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A choice between values of known parts, None for any other."""
    results = [part for part in given(node) if not is_empty(part)]
    if not results or not all(isinstance(part, PLAIN) for part in results):
        return None
    values = [evaluator.value(part, scope, bound) for part in results]
    if any(value.shape is None for value in values) or len({names_in(value) for value in values}) > 1:
        # Whether fields of other names or in another order meet by name or by place, databases differ.
        return None
    deciding = Walk(evaluator, scope)
    for condition in conditions(node):
        deciding.collect(condition, CONDITIONAL, bound)
    one = merge(values).reshaped(TRANSFORMATION)
    whole = Walk(evaluator, scope).collect(node, IDENTITY, bound)
    return Value(whole.facts, whole.problems, lazy=lambda: shape_plus(one.shape, deciding.result()))


def names_in(value: Value) -> tuple[str, ...] | None:
    """The fields of a struct, or of an array's structs, in order."""
    shape = value.shape
    if shape is not None and shape.fields is None and shape.element is not None:
        shape = shape.element.shape
    return tuple(shape.fields) if shape is not None and shape.fields is not None else None


def given(node: exp.Expr) -> Iterator[exp.Expr]:
    """What a choice may give."""
    if isinstance(node, exp.Coalesce):
        parts: list[object] = [node.this, *node.expressions]
    elif isinstance(node, exp.Nullif):
        parts = [node.this]
    else:
        branches = node.args.get("ifs") or [node]
        parts = [*(branch.args.get("true") for branch in branches), node.args.get("default"), node.args.get("false")]
    for part in parts:
        while isinstance(part, exp.Paren):
            part = part.this
        if isinstance(part, exp.Expr):
            yield part


def conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """What decides between them: of COALESCE and NULLIF the values themselves."""
    if isinstance(node, (exp.Coalesce, exp.Nullif)):
        parts: list[object] = [node.this, node.args.get("expression"), *node.expressions]
    else:
        branches = node.args.get("ifs") or []
        parts = [node.this, *(branch.this for branch in branches)]
    yield from (part for part in parts if isinstance(part, exp.Expr))


def is_empty(node: exp.Expr) -> bool:
    """Whether a value has no parts of its own: NULL, or an array of nothing."""
    if isinstance(node, exp.Array):
        return all(is_empty(part) for part in node.expressions)
    return isinstance(node, exp.Null) or (isinstance(node, exp.Cast) and is_empty(node.this))
