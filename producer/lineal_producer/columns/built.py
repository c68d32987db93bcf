"""Values that the query itself builds: rows, JSON objects, casts to structs; what is taken out of them is one part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns import maps
from lineal_producer.columns.arrays import array_agg
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.functions import TESTS
from lineal_producer.columns.lambdas import tested
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Shape, Value, merge

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

# Functions of names and values in turn.
PAIRS = frozenset({"jsonb_build_object", "json_build_object", "object", "json_object"})
# Functions of an array's elements.
LISTS = frozenset({"jsonb_build_array", "json_build_array"})
# Functions that turn a struct into JSON whose keys are the struct's fields.
TO_JSON = frozenset({"to_json", "to_jsonb", "row_to_json", "json", "to_variant", "parse_json"})
# Functions that give one of a list's elements.
ELEMENTS = frozenset(f"{kind}_{name}" for kind in ("list", "array") for name in ("extract", "element", "first", "last"))
# Functions that gather values of rows in a JSON array.
JSON_ROWS = frozenset({"json_agg", "jsonb_agg", "json_group_array", "json_arrayagg"})
JSON_TYPES = frozenset({"JSON", "JSONB", "VARIANT", "OBJECT", "SUPER"})


def json_object(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """JSON_OBJECT under constant names."""
    pairs = [(part.this, part.args.get("expression")) for part in node.expressions]
    return of_pairs(evaluator, pairs, scope, bound)


def named_function(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A function that the grammar knows only by name and that builds something or keeps what is built."""
    name = node.name.lower()
    if name == "row":
        values = [evaluator.value(part, scope, bound).reshaped(TRANSFORMATION) for part in node.expressions]
        return of_fields([(f"f{place}", value) for place, value in enumerate(values, 1)], evaluator)
    if name == "tupleelement" and len(node.expressions) == 2 and isinstance(node.expressions[1], exp.Literal):
        return tuple_element(evaluator, node, scope, bound)
    if name == "jsonextract" and evaluator.names.dialect == "clickhouse" and len(node.expressions) > 1:
        return read_as(node.expressions[-1], node.expressions[0], evaluator, scope, bound)
    if name in LISTS:
        values = [evaluator.value(part, scope, bound).reshaped(TRANSFORMATION) for part in node.expressions]
        whole = merge(values)
        return Value(whole.facts, whole.problems, made=Shape(element=whole, items=values))
    if name in ELEMENTS and node.expressions:
        array, *places = [evaluator.value(part, scope, bound) for part in node.expressions]
        found = array.shape.element if array.shape is not None else None
        return found.reshaped(TRANSFORMATION).plus(merge(places).used(TRANSFORMATION)) if found is not None else None
    if name in JSON_ROWS and node.expressions:
        return array_agg(evaluator, node, scope, bound)
    if name in TESTS:
        return tested(evaluator, node, scope, bound)
    if name in PAIRS:
        parts = node.expressions
        return of_pairs(evaluator, list(zip(parts[::2], parts[1::2], strict=False)), scope, bound)
    if name in TO_JSON and len(node.expressions) == 1:
        return evaluator.value(node.expressions[0], scope, bound).reshaped(TRANSFORMATION)
    return maps.named(evaluator, node, scope, bound)


def tuple_element(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """ClickHouse's tupleElement(tuple, name or place); None where the tuple isn't known to have it."""
    whole, key = evaluator.value(node.expressions[0], scope, bound), node.expressions[1]
    found = whole.get_field(evaluator.names.fold(key.name))
    if not key.is_string:
        found = whole.get_nth(int(key.name) - 1) if key.name.isdigit() else None
    return found.reshaped(TRANSFORMATION) if found is not None else None


def row(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A row in parentheses, whose parts have no names."""
    values = [evaluator.value(part, scope, bound).reshaped(TRANSFORMATION) for part in node.expressions]
    return of_fields([(f"_{place}", value) for place, value in enumerate(values)], evaluator)


def as_json(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A struct as JSON: its parts keep their names."""
    return evaluator.value(node.this, scope, bound).reshaped(TRANSFORMATION)


def cast(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """A cast to a struct gives the fields new names by place, one to JSON keeps them; None for any other."""
    to = node.args.get("to")
    if not isinstance(to, exp.DataType):
        return None
    if to.this.name in JSON_TYPES:
        return as_json(evaluator, node, scope, bound)
    if not has_fields(to):
        return None
    return retyped(evaluator.value(node.this, scope, bound).reshaped(TRANSFORMATION), to, evaluator)


def told(evaluator: Evaluator, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
    """Spark's from_json(text, 'schema'): the fields that the schema names; None where it is computed."""
    return read_as(node.args.get("expression"), node.this, evaluator, scope, bound)


def read_as(told: object, node: exp.Expr, evaluator: Evaluator, scope: Scope, bound: Bound) -> Value | None:
    """A text read as a type that a constant says, None where that is computed or has no fields."""
    if not isinstance(told, exp.Literal) or not told.is_string:
        return None
    for text in (told.name, f"struct<{told.name}>"):
        try:
            to = sqlglot.parse_one(text, read=evaluator.names.grammar, into=exp.DataType)
        except SqlglotError:
            continue
        if isinstance(to, exp.DataType) and has_fields(to):
            return retyped(evaluator.value(node, scope, bound).used(TRANSFORMATION), to, evaluator)
    return None


def has_fields(to: exp.DataType) -> bool:
    """Whether a type is a struct's, or an array's of structs."""
    first = to.expressions[0] if to.expressions else None
    if to.is_type(exp.DType.ARRAY, exp.DType.LIST):
        return isinstance(first, exp.DataType) and has_fields(first)
    return to.is_type(*exp.DataType.STRUCT_TYPES) and first is not None


def retyped(value: Value, to: exp.DataType, evaluator: Evaluator) -> Value:
    """A value under a type with fields: they meet by place; of a value of unknown parts each field is the whole."""
    if not has_fields(to):
        return value
    if to.is_type(exp.DType.ARRAY, exp.DType.LIST):
        element = retyped(value.get_element(), to.expressions[0], evaluator)
        return Value(value.facts, value.problems, made=Shape(element=element))
    parts = [part for part in to.expressions if isinstance(part, exp.ColumnDef)]
    fields = value.shape.fields if value.shape is not None else None
    if len(parts) < len(to.expressions):
        return value.used(TRANSFORMATION)
    if fields is None or len(fields) != len(parts):
        inner = [value.used(TRANSFORMATION)] * len(parts)
    else:
        inner = [field for _, field in fields.values()]
    kinds = [part.args.get("kind") for part in parts]
    named = [
        (part.name, retyped(field, kind, evaluator) if isinstance(kind, exp.DataType) else field)
        for part, field, kind in zip(parts, inner, kinds, strict=True)
    ]
    return of_fields(named, evaluator)


def of_pairs(evaluator: Evaluator, pairs: Sequence[tuple[object, object]], scope: Scope, bound: Bound) -> Value | None:
    """An object of names and values, None where a name is computed."""
    fields: list[tuple[str, Value]] = []
    for name, part in pairs:
        if not isinstance(name, exp.Literal) or not isinstance(part, exp.Expr):
            return None
        fields.append((name.name, evaluator.value(part, scope, bound).reshaped(TRANSFORMATION)))
    return of_fields(fields, evaluator) if fields else None


def of_fields(named: list[tuple[str, Value]], evaluator: Evaluator) -> Value:
    """A struct of values under names; of two with one name either may be meant."""
    fields: dict[str, tuple[str, Value]] = {}
    for name, value in named:
        key = evaluator.names.fold(name)
        fields[key] = (name, merge((fields[key][1], value)) if key in fields else value)
    whole = merge([value for _, value in named])
    return Value(whole.facts, whole.problems, made=Shape(fields))


BUILT: dict[type[exp.Expr], Callable[[Evaluator, exp.Expr, Scope, Bound], Value | None]] = {
    exp.JSONObject: json_object,
    exp.Anonymous: named_function,
    exp.Tuple: row,
    exp.JSONFormat: as_json,
    exp.ParseJSON: as_json,
    exp.ToVariant: as_json,
    exp.Cast: cast,
    exp.TryCast: cast,
    **({exp.FromJson: told} if hasattr(exp, "FromJson") else {}),
}
