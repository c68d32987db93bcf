"""Lambdas and list comprehensions: their parameter is an element of the array that they are applied to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import CONDITIONAL, SORT, TRANSFORMATION, Facts, compose
from lineal_producer.columns.functions import is_json_arrow
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Shape, Value, constant, merge
from lineal_producer.columns.walk import Walk

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

# What a test takes: an array and a lambda.
TEST_PARTS = 2
# What the lambda of a fold takes: what there is so far, and an element.
FOLD_PARTS = 2


def parameter(evaluator: Evaluator, node: exp.Expr, _scope: Scope, bound: Bound) -> Value | None:
    """A name without a column: a lambda's parameter."""
    return bound.get(evaluator.names.fold(node.name))


def transformed(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A lambda applied to each element, as in list_transform."""
    return transform(evaluator, evaluator.value(node.this, scope, bound), node.args.get("expression"), scope, bound)


def chosen(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """The elements that a lambda keeps, as in list_filter."""
    return choose(evaluator, evaluator.value(node.this, scope, bound), node.args.get("expression"), scope, bound)


def method(evaluator: Evaluator, array: Value, call: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """DuckDB's `array.list_transform(…)`; None for any other method."""
    applied = METHODS.get(call.name.lower()) if isinstance(call, exp.Anonymous) else None
    if applied is None or len(call.expressions) != 1:
        return None
    return applied(evaluator, array, call.expressions[0], scope, bound)


def transform(evaluator: Evaluator, array: Value, function: object, scope: Scope, bound: Bound) -> Value | None:
    """What a lambda reads of each element, where the element's fields are known."""
    if not isinstance(function, exp.Lambda) or is_json_arrow(function, evaluator.names.dialect):
        return None
    inner = with_element(evaluator, array, function, bound)
    shared = in_every_field(array)
    if inner is None and isinstance(function.this, exp.Struct):
        # Of elements of which nothing is known a struct is built: its fields depend on all of the array.
        inner, shared = {**bound, **bind(evaluator, array, function.expressions)}, array.used(TRANSFORMATION)
    if inner is None:
        return None
    body = evaluator.value(function.this, scope, inner).reshaped(TRANSFORMATION)
    whole = body.plus(shared)
    return Value(whole.facts, whole.problems, made=Shape(element=whole))


def choose(evaluator: Evaluator, array: Value, function: object, scope: Scope, bound: Bound) -> Value | None:
    """Some of the elements: each depends on what the lambda reads, too."""
    inner = with_element(evaluator, array, function, bound)
    if inner is None or not isinstance(function, exp.Lambda):
        return None
    condition = Walk(evaluator, scope).collect(function.this, TRANSFORMATION, inner)
    element = array.get_element().reshaped(TRANSFORMATION).plus(condition)
    whole = array.used(TRANSFORMATION).plus(condition)
    return Value(whole.facts, whole.problems, made=Shape(element=element))


def reduced(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """An array folded into one value by a lambda of what there is so far and an element."""
    array, function = evaluator.value(node.this, scope, bound), node.args.get("merge")
    if not isinstance(function, exp.Lambda) or len(function.expressions) != FOLD_PARTS or not has_fields(array):
        return None
    so_far, item = function.expressions
    if not reads_parameter(evaluator, function.this, item):
        return None
    names = {evaluator.names.fold(so_far.name): constant(), evaluator.names.fold(item.name): array.get_element()}
    parts = [evaluator.value(function.this, scope, {**bound, **names}), in_every_field(array)]
    if isinstance(node.args.get("initial"), exp.Expr):
        parts.append(evaluator.value(node.args["initial"], scope, bound))
    finish = node.args.get("finish")
    if isinstance(finish, exp.Lambda):
        given = {evaluator.names.fold(part.name): constant() for part in finish.expressions}
        parts.append(evaluator.value(finish.this, scope, {**bound, **given}))
    return merge(parts).used(TRANSFORMATION)


def tested(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """Whether a lambda holds for elements of an array, as exists and any_match ask; None for EXISTS (query)."""
    parts = node.expressions if isinstance(node, exp.Anonymous) else [node.this, node.args.get("expression")]
    if len(parts) != TEST_PARTS or isinstance(parts[0], exp.Query):
        return None
    found = transform(evaluator, evaluator.value(parts[0], scope, bound), parts[1], scope, bound)
    return found.used(TRANSFORMATION) if found is not None else None


METHODS = {
    **dict.fromkeys(("list_transform", "array_transform", "list_apply", "array_apply"), transform),
    **dict.fromkeys(("list_filter", "array_filter"), choose),
}


def comprehended(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """An element of a list comprehension: its body, and its condition."""
    array = evaluator.value(node.args["iterator"], scope, bound)
    if not has_fields(array) or not reads_parameter(evaluator, node.this, node.args["expression"]):
        return None
    variables = [node.args["expression"], node.args.get("position")]
    inner = {**bound, **bind(evaluator, array, [part for part in variables if isinstance(part, exp.Expr)])}
    condition = Walk(evaluator, scope)
    if isinstance(node.args.get("condition"), exp.Expr):
        condition.collect(node.args["condition"], CONDITIONAL, inner)
    body = evaluator.value(node.this, scope, inner).reshaped(TRANSFORMATION)
    return body.plus(condition.result()).plus(in_every_field(array))


def ordered(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """An array in the order of its elements: all of them decide which one is where."""
    array = evaluator.value(node.this, scope, bound)
    if not has_fields(array) or isinstance(node.args.get("expression"), exp.Lambda):
        return None
    place = Value(compose(array.facts, SORT))
    element = array.get_element().reshaped(TRANSFORMATION).plus(place)
    return Value(array.used(TRANSFORMATION).facts, array.problems, made=Shape(element=element))


def with_element(evaluator: Evaluator, array: Value, function: object, bound: Bound) -> Bound | None:
    """What the names inside a lambda mean, None where nothing is known of the element or the lambda doesn't read it."""
    if not isinstance(function, exp.Lambda) or is_json_arrow(function, evaluator.names.dialect):
        return None
    if not has_fields(array) or not reads_parameter(evaluator, function.this, function.expressions[0]):
        return None
    return {**bound, **bind(evaluator, array, function.expressions)}


def bind(evaluator: Evaluator, array: Value, parameters: list[exp.Expr]) -> dict[str, Value]:
    """The first parameter is the element; a second one is its place."""
    first, *others = [evaluator.names.fold(part.name) for part in parameters]
    return {first: array.get_element(), **{name: constant() for name in others}}


def reads_parameter(evaluator: Evaluator, body: exp.Expr, parameter: exp.Expr) -> bool:
    """Whether a lambda reads the element: else only how many there are matters, which all of them say."""
    name = evaluator.names.fold(parameter.name)
    return any(evaluator.names.fold(part.name) == name for part in body.find_all(exp.Identifier))


def has_fields(array: Value) -> bool:
    """Whether an array's elements are structs of known fields."""
    element = array.shape.element if array.shape is not None else None
    return element is not None and element.shape is not None and bool(element.shape.fields)


def in_every_field(array: Value) -> Value:
    """What each field of the elements depends on, as on a condition or an order: how many elements there are, too."""
    shape = array.get_element().shape
    fields = [value for _, value in shape.fields.values()] if shape is not None and shape.fields else []
    shared: Facts = dict.fromkeys(fields[0].facts) if fields else {}
    for value in fields[1:]:
        shared = {fact: None for fact in shared if fact in value.facts}
    return Value(compose(shared, TRANSFORMATION), array.problems)
