"""Parts of a value: an element by its subscript, a field by its name, what a path into JSON names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Value
from lineal_producer.columns.walk import Walk

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator


def bracket(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
    """An element of an array or map, or a field of a struct by its name."""
    value = evaluator.value(node.this, scope, bound)
    for key in node.expressions:
        if isinstance(key, exp.Literal) and key.is_string:
            found = value.get_field(evaluator.names.fold(key.name))
            value = found if found is not None else value.get_element()
            continue
        place = constant_place(key, node.args.get("offset"), evaluator.names.grammar.INDEX_OFFSET)
        if place is not None:
            value = (value.get_nth(place) or value.get_element(place)).reshaped(TRANSFORMATION)
            continue
        used = Walk(evaluator, scope).collect(key, TRANSFORMATION, bound)
        value = value.get_element().reshaped(TRANSFORMATION).plus(used)
    return value


def json_path(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A path into JSON: where the value is built in the query, the part that it names; else all of it."""
    path = node.args.get("expression")
    if not isinstance(path, exp.JSONPath) or node.expressions:
        return None
    value = evaluator.value(node.this, scope, bound)
    if value.shape is None:
        return None if is_lambda_parameter(node.this, bound, evaluator.names) else value.used(TRANSFORMATION)
    for part in path.expressions:
        if isinstance(part, exp.JSONPathKey) and isinstance(part.this, str):
            inner = value.get_field(evaluator.names.fold(part.this))
        elif isinstance(part, exp.JSONPathSubscript) and isinstance(part.this, int) and part.this >= 0:
            inner = value.get_element(part.this)
        elif isinstance(part, exp.JSONPathRoot):
            continue
        else:
            return value.used(TRANSFORMATION)
        if inner is None:
            return value.used(TRANSFORMATION)
        value = inner.reshaped(TRANSFORMATION)
    return value


def json_path_text(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """PostgreSQL's path as text or array: `#> '{a,0}'`."""
    steps = path_steps(node.args.get("expression"))
    if steps is None:
        return None
    value = evaluator.value(node.this, scope, bound)
    for step in steps:
        inner = value.get_field(evaluator.names.fold(step, quoted=True))
        if inner is None and step.isdigit() and value.shape is not None and value.shape.fields is None:
            inner = value.get_element(int(step))
        if inner is None:
            return value.used(TRANSFORMATION)
        value = inner.reshaped(TRANSFORMATION)
    return value


def path_steps(path: object) -> list[str] | None:
    """The steps of such a path, None where they are computed or quoted."""
    if isinstance(path, exp.Array) and all(isinstance(part, exp.Literal) for part in path.expressions):
        return [part.name for part in path.expressions]
    text = path.name if isinstance(path, exp.Literal) and path.is_string else ""
    if text[:1] != "{" or text[-1:] != "}" or any(mark in text for mark in '"\\'):
        return None
    return [step.strip() for step in text[1:-1].split(",")] if text != "{}" else []


def extract(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A field of a struct by struct_extract."""
    key = node.args.get("expression")
    if not isinstance(key, exp.Literal):
        return None
    value = evaluator.value(node.this, scope, bound)
    return value.get_field(evaluator.names.fold(key.name)) or value.used(TRANSFORMATION)


def nth_field(value: Value, number: str) -> Value:
    """A tuple's field by its number, counted from one; of a value of unknown fields, the whole."""
    found = value.get_nth(int(number) - 1) if number.isdigit() else None
    return (found or value).reshaped(TRANSFORMATION) if found else value.used(TRANSFORMATION)


def constant_place(key: exp.Expr, offset: object = None, first: int = 0) -> int | None:
    """A subscript that is a number, counted from zero; the grammar says where one counts from another number.

    One below zero counts from the end; the grammar has taken `first` from it where it has said nothing.
    """
    if isinstance(key, exp.Neg) and isinstance(key.this, exp.Literal) and key.this.name.isdigit():
        place = -int(key.this.name) + (first if offset is None else 0)
        return place if place < 0 else None
    if isinstance(key, exp.Literal) and not key.is_string and key.name.isdigit() and offset in (None, False, 0, 1):
        place = int(key.name) - (1 if offset == 1 and offset is not True else 0)
        return place if place >= 0 else None
    return None


def is_lambda_parameter(node: exp.Expr | None, bound: Bound, names: Names) -> bool:
    """Whether a value is the parameter of a lambda around it."""
    return isinstance(node, (exp.Identifier, exp.Column)) and names.fold(node.name) in bound
