"""Maps that the query itself builds: keys and values stay apart until something takes both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import AGGREGATION, TRANSFORMATION
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Shape, Value, merge

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

KEYS = frozenset({"map_keys", "mapkeys"})
VALUES = frozenset({"map_values", "mapvalues"})
ENTRIES = frozenset({"map_entries"})
# Maps gathered from rows, and those of them whose values are arrays.
GATHERED = frozenset({"map_agg", "multimap_agg"})
LISTED = frozenset({"multimap_agg"})
FROM_ARRAYS = frozenset({"mapfromarrays", "map_from_arrays"})
PARTS_OF_MAPS = KEYS | VALUES
# A key and a value.
PAIR = 2


def built(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A map of an array of keys and one of values."""
    return of_arrays(evaluator, [node.args.get("keys"), node.args.get("values")], scope, bound)


def of_arrays(evaluator: Evaluator, arrays: list[object], scope: Scope, bound: Bound) -> Value | None:
    """A map of an array of keys and one of values, None where it is called otherwise."""
    parts = [part for part in arrays if isinstance(part, exp.Expr)]
    if len(parts) != PAIR:
        return None
    key, value = (evaluator.value(part, scope, bound).get_element().reshaped(TRANSFORMATION) for part in parts)
    return of_pair(key, value)


def from_entries(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A map of an array of pairs, None where the pairs' parts aren't known."""
    pair = evaluator.value(node.this, scope, bound).get_element()
    key, value = pair.get_nth(0), pair.get_nth(1)
    if key is None or value is None:
        return None
    return of_pair(key.reshaped(TRANSFORMATION), value.reshaped(TRANSFORMATION))


def named(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A function of maps that the grammar knows only by name; None for any other."""
    name, arguments = node.name.lower(), node.expressions
    if name in FROM_ARRAYS:
        return of_arrays(evaluator, arguments, scope, bound)
    if name in GATHERED and len(arguments) == PAIR:
        key, value = (evaluator.value(part, scope, bound).reshaped(AGGREGATION) for part in arguments)
        if name in LISTED:
            value = Value(value.facts, value.problems, made=Shape(element=value))
        return of_pair(key, value)
    if len(arguments) != 1:
        return None
    if name in KEYS:
        return of_keys(evaluator, arguments[0], scope, bound)
    pair = evaluator.value(arguments[0], scope, bound).get_pair() if name in VALUES | ENTRIES else None
    if pair is None:
        return None
    if name in VALUES:
        return listed(pair[1])
    fields = {"key": ("key", pair[0]), "value": ("value", pair[1])}
    whole = merge(pair)
    return listed(Value(whole.facts, whole.problems, made=Shape(fields)))


def keys(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """The keys of a map."""
    return of_keys(evaluator, node.this, scope, bound)


def of_keys(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """The keys of a map as an array, None where it wasn't built in the query."""
    pair = evaluator.value(node, scope, bound).get_pair()
    return listed(pair[0]) if pair is not None else None


def listed(part: Value) -> Value:
    """All keys or values of a map as an array."""
    element = part.reshaped(TRANSFORMATION)
    return Value(element.facts, element.problems, made=Shape(element=element))


def of_pair(key: Value, value: Value) -> Value:
    """A map of such keys and values: what a subscript finds depends on the keys, too."""
    whole = merge((key, value))
    return Value(whole.facts, whole.problems, made=Shape(element=value.plus(key), pairs=True, pair=(key, value)))
