"""The outputs of a SELECT in order: one column each, or several where a star or a generator stands."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from lineal_producer.columns.calls import by_pair, exploded, inline_of, stack_columns
from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.expressions import Evaluator, output_ident
from lineal_producer.columns.facts import CONDITIONAL, TRANSFORMATION
from lineal_producer.columns.functions import function_name, words
from lineal_producer.columns.naming import default_name
from lineal_producer.columns.patterns import expand_columns
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.stars import apply_rules, expand_star, star_of, star_rules
from lineal_producer.columns.text import text_of
from lineal_producer.columns.values import Problem, Value, constant, merge

# DuckDB's functions that give lists begin like this, but for those that give an element or a sum of them.
LIST_FUNCTIONS = ("list", "array", "str_split", "string_split", "regexp_", "map_", "generate_", "range", "split")
ELEMENT_FUNCTIONS = frozenset(
    f"{kind}_{name}"
    for kind in ("list", "array")
    for name in words("extract element any_value first last max min mode reduce aggregate aggr")
)
# They give what they are told as text.
TOLD = frozenset({"fromjson", "from_json_strict", "json_transform", "json_transform_strict"})
# They give a struct where they are given one.
HANDED_ON = words(
    """
    Dot Subquery Window Explode Nullif Greatest Least StructExtract Filter IgnoreNulls RespectNulls
    AnyValue First Last Mode Max Min ArgMax ArgMin
    """
)

# No type is nested deeper than this.
MAX_LEVELS = 100


class Projections:
    """Reads the outputs of one SELECT."""

    def __init__(self, node: exp.Select, scope: Scope, evaluator: Evaluator) -> None:
        self.node = node
        self.scope = scope
        self.names = scope.names
        self.evaluator = evaluator

    def projections(self) -> list[OutCol | Hole]:
        """The output columns in order."""
        items: list[OutCol | Hole] = []
        if self.names.dialect == "clickhouse":
            self.note_aliases()
        for position, node in enumerate(self.node.expressions):
            star = star_of(node)
            if star is not None:
                items += expand_star(node, star, self.scope, self.evaluator)
                continue
            expanded = expand_columns(node, self.scope, self.evaluator)
            if expanded is not None:
                items += expanded
            else:
                items += self.projection(node, position)
        return items

    def note_aliases(self) -> None:
        """ClickHouse: an alias anywhere in a projection may be used in every other, before it too."""
        for node in self.node.expressions:
            for part in node.walk(prune=lambda inner: isinstance(inner, exp.Query)):
                if isinstance(part, exp.Alias):
                    key = self.names.ident(part.args["alias"]).key
                    self.scope.later.setdefault(key, partial(self.evaluator.value, part.this, self.scope))

    def projection(self, node: exp.Expr, position: int) -> list[OutCol | Hole]:
        """The column, or for a function that gives several the columns, of one projection."""
        node = inline_of(node)
        if isinstance(node, exp.Aliases):
            node.set("this", inline_of(node.this))
            value = self.evaluator.value(node.this, self.scope)
            idents = [self.names.ident(part) for part in node.args.get("expressions") or []]
            return self.several(node.this, value, idents)
        if isinstance(node, exp.QueryTransform):
            schema = node.args.get("schema")
            names = [part.name for part in schema.expressions] if isinstance(schema, exp.Schema) else ["key", "value"]
            value = self.evaluator.facts(node.expressions, self.scope, TRANSFORMATION)
            return self.several(node, value, [self.names.make(name) for name in names])
        if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Star):
            value = self.evaluator.value(node.this, self.scope)
            rules = star_rules(node.args["expression"], self.scope, self.evaluator)
            return apply_rules(struct_columns(value), rules, self.names)
        spread = self.unnested(node)
        if spread is not None:
            return spread
        if isinstance(node, exp.EQ) and isinstance(node.this, exp.Literal) and self.names.dialect in ("tsql", "fabric"):
            # T-SQL's 'alias' = expression.
            node = exp.alias_(node.expression, node.this.name, quoted=True)
        if isinstance(node, exp.Subquery) and isinstance(node.args.get("alias"), exp.Identifier):
            # T-SQL's alias = (query), which the grammar reads as a name inside the brackets' node.
            node = exp.Alias(this=exp.Subquery(this=node.this.copy()), alias=node.args["alias"].copy())
        if isinstance(node, exp.Alias):
            self.scope.later.pop(self.names.ident(node.args["alias"]).key, None)
        value = self.evaluator.value(node, self.scope)
        ident = self.ident_of(node, position)
        column = OutCol(ident.stored, ident.key, with_text(value, node))
        if isinstance(node, exp.Alias):
            self.scope.aliases.setdefault(ident.key, column.value)
        if any(kind == CONDITIONAL for _, kind, _ in column.value.facts) and node.find(exp.Query) is None:
            self.scope.projected[id(column.value)] = node
        return [column]

    def ident_of(self, node: exp.Expr, position: int) -> Ident:
        """The name of a projection's column."""
        ident = output_ident(node, self.names) or self.names.make(default_name(node, position, self.names), quoted=True)
        if self.names.dialect == "clickhouse" and isinstance(node, exp.Column):
            return self.scope.whole_path(ident, node)
        if self.names.dialect == "duckdb" and isinstance(node, exp.Column):
            # It takes a column's name as the relation has it, not as the query writes it.
            return self.scope.spelled(ident, node)
        return ident

    def unnested(self, node: exp.Expr) -> list[OutCol | Hole] | None:
        """Generators that give a column a field: DuckDB's unnest of a struct, Spark's inline; and Spark's own names."""
        if self.names.dialect in ("spark", "databricks"):
            return self.generated(node)
        if self.names.dialect == "clickhouse":
            return self.untupled(node)
        alias = self.names.ident(node.args["alias"]) if isinstance(node, exp.Alias) else None
        node = node.this if isinstance(node, exp.Alias) else node
        if not isinstance(node, exp.Explode) or self.names.dialect != "duckdb":
            return None
        value = self.evaluator.value(node.this, self.scope)
        depth = unnest_depth(node)
        if depth is None:
            return [Hole(Relation(), whole=value.used(TRANSFORMATION))]
        while depth and value.shape is not None and value.shape.element is not None:
            value, depth = value.shape.element, depth - 1
        if depth and value.shape is None and not value.typed and (node.expressions or may_be_struct(node.this, value)):
            # How deep it goes, and whether it is one column or a struct's fields, depends on a type that isn't known.
            if alias is not None:
                either = Problem("ambiguous_column", f"{alias.name} may be unnest's alias or, of a struct, a column")
                self.scope.aliases.setdefault(alias.key, Value(value.used(TRANSFORMATION).facts, {either: None}))
            return [Hole(Relation(), whole=value.used(TRANSFORMATION))]
        return struct_fields(value, depth) if depth else None

    def untupled(self, node: exp.Expr) -> list[OutCol | Hole] | None:
        """ClickHouse's untuple: a column a field, under the tuple's name and the field's."""
        call = node.this if isinstance(node, exp.Alias) else node
        if not isinstance(call, exp.Anonymous) or call.name.lower() != "untuple" or len(call.expressions) != 1:
            return None
        name = node.alias or text_of(call.expressions[0], self.names.grammar)
        fields = struct_columns(self.evaluator.value(call.expressions[0], self.scope))
        return [
            OutCol(f"{name}.{item.name}", f"{name}.{item.key}", item.value) if isinstance(item, OutCol) else item
            for item in fields
        ]

    def generated(self, node: exp.Expr) -> list[OutCol | Hole] | None:
        """Spark's generators without an alias: inline's fields, `pos` and `col`, or `col`."""
        if not isinstance(node, (exp.Explode, exp.Posexplode, exp.Inline)):
            return None
        value = self.evaluator.value(node, self.scope)
        array = self.evaluator.value(node.this, self.scope).shape
        if isinstance(node, exp.Inline):
            element = array.element.shape if array is not None and array.element is not None else None
            if element is None or element.fields is None:
                return [Hole(Relation(), whole=value)]
            return [OutCol(name, key, field.used(TRANSFORMATION)) for key, (name, field) in element.fields.items()]
        counted: list[OutCol | Hole] = [OutCol("pos", "pos", constant())] if isinstance(node, exp.Posexplode) else []
        return counted + exploded(value, array)

    def several(self, node: exp.Expr, value: Value, idents: list[Ident]) -> list[OutCol | Hole]:
        """The columns of a generator with a list of names."""
        values = [value] * len(idents)
        if isinstance(node, (exp.Explode, exp.Posexplode)):
            counted = [constant()] if isinstance(node, exp.Posexplode) and idents else []
            array = self.evaluator.value(node.this, self.scope).shape
            values = [*counted, *by_pair(value, array, len(idents) - len(counted))]
        columns = stack_columns(node)
        if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Star):
            fields = [item for item in struct_columns(value) if isinstance(item, OutCol)]
            values = [field.value for field in fields] if len(fields) == len(idents) else values
        if isinstance(node, exp.Inline):
            inner = struct_fields(self.evaluator.value(node.this, self.scope).get_element(), 1) or []
            named = [item.value for item in inner if isinstance(item, OutCol)]
            values = named if len(named) == len(idents) else values
        if columns is not None:
            values = [merge([self.evaluator.value(part, self.scope) for part in parts]) for parts in columns]
        return [OutCol(ident.stored, ident.key, part) for ident, part in zip(idents, values, strict=False)]


def unnest_depth(node: exp.Explode) -> int | None:
    """How many levels of lists and structs DuckDB's unnest takes apart, None where that is computed."""
    depth: int | None = 1
    for option in node.expressions:
        said = option.args.get("expression") if isinstance(option, (exp.PropertyEQ, exp.Kwarg, exp.EQ)) else None
        name = option.this.name.lower() if said is not None else ""
        if name == "recursive":
            depth = (MAX_LEVELS if said.this else 1) if isinstance(said, exp.Boolean) else None
        elif name == "max_depth":
            depth = int(said.name) if isinstance(said, exp.Literal) and said.name.isdigit() else None
    return depth


def may_be_struct(node: exp.Expr, value: Value) -> bool:
    """Whether an expression of unknown type may give a struct: functions give lists, but for those that hand on."""
    if isinstance(node, exp.Paren):
        return may_be_struct(node.this, value)
    if isinstance(node, exp.Column):
        # A query inside says how it made the column.
        made = value.node
        return made is None or isinstance(made, exp.Column) or may_be_struct(made, Value())
    if isinstance(node, (exp.Coalesce, exp.Case, exp.If)):
        return all(may_be_struct(part, Value()) for part in given(node))
    if isinstance(node, exp.Bracket):
        return not isinstance(node.expressions[0], exp.Slice)
    if function_name(node) in TOLD:
        return not any(isinstance(part, exp.Literal) and part.name.startswith("[") for part in node.iter_expressions())
    if isinstance(node, exp.Anonymous):
        return not node.name.lower().startswith(LIST_FUNCTIONS) or node.name.lower() in ELEMENT_FUNCTIONS
    return type(node).__name__ in HANDED_ON


def given(node: exp.Expr) -> list[exp.Expr]:
    """What a choice may give, without its NULLs: where one is no struct none is."""
    if isinstance(node, exp.Coalesce):
        parts = [node.this, *node.expressions]
    else:
        branches = node.args.get("ifs") or [node]
        parts = [*(branch.args.get("true") for branch in branches), node.args.get("default"), node.args.get("false")]
    return [part for part in parts if isinstance(part, exp.Expr) and not isinstance(part, exp.Null)]


def struct_fields(value: Value, depth: int) -> list[OutCol | Hole] | None:
    """A struct's fields as columns, down to a depth; None for what is known to be no struct or isn't known."""
    shape = value.shape
    if shape is None or shape.fields is None:
        return None
    items: list[OutCol | Hole] = []
    for key, (name, inner) in shape.fields.items():
        deeper = struct_fields(inner, depth - 1) if depth > 1 else None
        items += deeper or [OutCol(name, key, inner.used(TRANSFORMATION))]
    return items


def with_text(value: Value, node: exp.Expr) -> Value:
    """The value under its projection's own text; made into text only where it is asked for.

    A column that is only passed on keeps the text of the query that it comes from: that says how it is computed.
    """
    projection = node.this if isinstance(node, exp.Alias) else node
    if isinstance(projection, exp.Column) and value.node is not None:
        return value
    return Value(value.facts, value.problems, lazy=lambda: value.shape, node=projection)


def struct_columns(value: Value) -> list[OutCol | Hole]:
    """The fields of a struct as columns."""
    if value.shape is None or value.shape.fields is None:
        problem = next(iter(value.problems), Problem("star_without_schema", "the fields of a struct are not known"))
        return [Hole(Relation(), problem=problem)]
    return [OutCol(name, key, inner) for key, (name, inner) in value.shape.fields.items()]
