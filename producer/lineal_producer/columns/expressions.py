"""From an expression to its value: what it reads, and its inside where it is a struct or an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from lineal_producer.columns.alternatives import alternative
from lineal_producer.columns.arrays import (
    CLAUSES,
    array,
    array_agg,
    element,
    gathered,
    keeps_inside,
    same_elements,
    under_clause,
    zipped,
)
from lineal_producer.columns.built import BUILT
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import (
    AGGREGATION,
    IDENTITY,
    ROW_KINDS,
    TRANSFORMATION,
    Facts,
    as_rows,
    compose,
)
from lineal_producer.columns.from_item import row_value
from lineal_producer.columns.functions import (
    AGGREGATES_BY_NAME,
    ELEMENT_OF,
    IN_ORDER,
    KEEPS_INSIDE,
    NAMED_AGGREGATES,
    SAME_ELEMENTS,
    function_name,
)
from lineal_producer.columns.lambdas import (
    chosen,
    comprehended,
    method,
    ordered,
    parameter,
    reduced,
    tested,
    transformed,
)
from lineal_producer.columns.maps import built, from_entries, keys
from lineal_producer.columns.methods import dotted_names, restore_columns
from lineal_producer.columns.parts import bracket, extract, json_path, json_path_text, nth_field
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Problem, Problems, Shape, Value, constant, merge, unknown
from lineal_producer.columns.walk import NOTHING_BOUND, Walk

RunQuery = Callable[[exp.Expr, Scope], Relation]

# Where types have methods that are called behind a dot.
OBJECT_METHODS = frozenset({"tsql", "fabric", "oracle"})
# Where a sequence's next value is written like a column.
SEQUENCES = frozenset({"oracle", "snowflake", "db2"})
SEQUENCE_VALUES = frozenset({"nextval", "currval"})
# Methods of XML and of spatial columns, after which nobody calls a function of a schema.
METHODS = frozenset({"value", "query", "exist", "stastext", "starea", "getclobval", "getblobval", "getstringval"})
# Where a script's variable is written like a column.
BARE_VARIABLES = frozenset({"bigquery", "databricks", "spark"})
# Schemas that every DuckDB database has.
SCHEMAS = frozenset({"main", "temp", "pg_catalog", "information_schema"})
METHOD = Problem("ambiguous_column", "a name before a function may be a column or a schema")


class Evaluator:
    """Gives the values of expressions; queries inside them go back to the query walker."""

    def __init__(self, names: Names, run_query: RunQuery) -> None:
        self.names = names
        self.run_query = run_query
        # What COLUMNS() stands for while its expression is evaluated for one column.
        self.stand_in: Value | None = None
        # Names that stand for what could not be read.
        self.set_aside: dict[str, Problem] = {}
        # What the statements before have put into variables, by name.
        self.variables: dict[str, Value] = {}
        # What each *COLUMNS() of the expression being evaluated stands for.
        self.spread: dict[int, list[OutCol | Hole]] = {}
        # Nodes that have turned out to have no inside, kept so that their ids stay theirs: to find that out again at
        # every level would make functions inside one another exponential.
        self.shapeless: dict[int, exp.Expr] = {}
        # Whether a window has been read yet: only then can rows that are gone matter.
        self.counts = False

    def value(self, node: exp.Expr, scope: Scope, bound: Bound = NOTHING_BOUND) -> Value:
        """The value of an expression, with its inside where that is known."""
        while isinstance(node, (exp.Alias, exp.Paren)):
            node = node.this
        return self.find_shaped(node, scope, bound) or Walk(self, scope).collect(node, IDENTITY, bound)

    def find_shaped(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
        """The value of a node that may have an inside, None for any other."""
        shaped = SHAPED.get(type(node))
        if shaped is None or id(node) in self.shapeless:
            return None
        value = shaped(self, node, scope, bound)
        if value is None and not bound and self.stand_in is None:
            self.shapeless[id(node)] = node
        return value

    def facts(self, nodes: Iterable[exp.Expr | None], scope: Scope, kind: int) -> Value:
        """All that some expressions read, seen as one kind."""
        walk = Walk(self, scope)
        for node in nodes:
            if node is not None:
                walk.collect(node, kind)
        return walk.result()

    def as_key(self, value: Value, kind: int, scope: Scope) -> Value:
        """What a projection reads where its alias or position is a clause's: there its conditions are that clause's."""
        known = scope.as_keys.get((id(value), kind))
        if known is None:
            mode, scope.alias_mode = scope.alias_mode, "first" if self.names.aliases_hide_columns else "lateral"
            projected = scope.projected.pop(id(value))
            # Its own name inside it is a column's.
            aliases = scope.aliases
            scope.aliases = {key: other for key, other in aliases.items() if other is not value}
            try:
                known = self.facts([projected], scope, kind)
            finally:
                scope.alias_mode, scope.aliases = mode, aliases
                scope.projected[id(value)] = projected
            scope.as_keys[id(value), kind] = known
        return known

    def column(self, node: exp.Column, scope: Scope, bound: Bound) -> Value:
        """The value of a column reference, or of the row that it names."""
        parts = [self.names.ident(part) for part in node.parts if isinstance(part, exp.Identifier)]
        if parts and parts[0].key in bound:
            return scope.walk_fields(bound[parts[0].key], parts[1:])
        if isinstance(node.this, exp.Star):
            source = scope.find_source(parts)
            return row_value(source.relation) if source is not None else scope.resolve(parts)
        if isinstance(node.this, exp.Parameter) and node.this.name.isdigit():
            source = scope.find_source(parts)
            return Scope(self.names, sources=[source] if source else []).at_position(int(node.this.name))
        if isinstance(node.this, exp.Literal) and parts:
            if parts[0].name.startswith("$"):
                # T-SQL's money: $1.5.
                return constant()
            return nth_field(scope.resolve(parts), node.this.name)
        if not isinstance(node.this, exp.Identifier):
            return unknown("unknown_column", f"{node.sql()} is not traced")
        if len(parts) == 1 and parts[0].name in self.set_aside:
            return Value({}, {self.set_aside[parts[0].name]: None})
        if len(parts) > 1 and self.names.dialect in SEQUENCES and self.is_sequence(parts, scope):
            return constant()
        known = self.variable(parts, scope) if self.variables else None
        return known or scope.resolve(parts)

    def is_sequence(self, parts: list[Ident], scope: Scope) -> bool:
        """Whether a name is the next value of a sequence."""
        if parts[-1].key.lower() not in SEQUENCE_VALUES:
            return False
        source = scope.find_source(parts[:-1])
        return source is None or not source.relation.may_have(parts[-1])

    def variable(self, parts: list[Ident], scope: Scope) -> Value | None:
        """What a bare name means that a script has a variable of; a column of that name comes first."""
        if len(parts) > 1 or parts[0].name.lower() not in self.variables:
            return None
        ident = parts[0]
        if self.names.dialect not in BARE_VARIABLES or any(level.definite(ident) for level in scope.chain()):
            return None
        if any(source.relation.may_have(ident) for level in scope.chain() for source in level.visible()):
            return unknown("ambiguous_column", f"{ident.name} may be a column or a variable of the script")
        return self.variables[ident.name.lower()]

    def dot(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
        """A field of a struct value, or a method called on a value."""
        base, part = node.this, node.args.get("expression")
        if isinstance(part, exp.Func):
            return self.method(base, part, scope, bound)
        if isinstance(base, exp.Identifier):
            found = bound.get(base.name.lower()) or bound.get(self.names.ident(base).key)
            value = found or scope.resolve([self.names.ident(base)])
        else:
            value = self.value(base, scope, bound)
        if isinstance(part, exp.Star):
            return value
        if isinstance(part, exp.Literal) and not part.is_string:
            return nth_field(value, part.name)
        return scope.walk_fields(value, [self.names.ident(part)]) if isinstance(part, exp.Identifier) else value

    def method(self, base: exp.Expr, call: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """A function behind a dot: a method of a value, or a function of a schema, which is no value."""
        value = Walk(self, scope).collect(call, IDENTITY, bound)
        written = dotted_names(base)
        if not written:
            restore_columns(base)
            owner = self.value(base, scope, bound)
            return method(self, owner, call, scope, bound) or merge((owner.used(TRANSFORMATION), value))
        if self.names.dialect in OBJECT_METHODS:
            return self.object_method(written, call, value, scope)
        if ".".join([*(part.name for part in written), function_name(call)]).lower() in NAMED_AGGREGATES:
            return value.used(AGGREGATION)
        if self.names.dialect != "duckdb":
            return value
        parts = [self.names.ident(part) for part in written]
        if parts[0].key in bound:
            return value
        if self.may_be_schema(parts[0], call, scope):
            # A column's method or a function of a schema: nothing but a column that is known tells.
            return Value(value.facts, {**value.problems, METHOD: None})
        owner = constant() if parts[0].key in SCHEMAS else scope.resolve(parts)
        if any(problem.code in ("unknown_column", "unknown_relation") for problem in owner.problems):
            return value
        return method(self, owner, call, scope, bound) or merge((owner.used(TRANSFORMATION), value))

    def object_method(self, written: list[exp.Identifier], call: exp.Expr, value: Value, scope: Scope) -> Value:
        """A method of a column's type, as T-SQL's XML has; before a function a schema's name looks the same."""
        parts = [self.names.ident(part) for part in written]
        owned = scope.definite(parts[0]) is not None
        # Of a path into JSON only the first names are an item's and a column's.
        owned = owned or any(scope.find_source(parts[:split]) is not None for split in range(1, len(parts)))
        owned = owned or function_name(call) in METHODS
        return merge((scope.resolve(parts).used(TRANSFORMATION), value)) if owned else value

    def may_be_schema(self, name: Ident, call: exp.Expr, scope: Scope) -> bool:
        """Whether a name before a function with arguments may as well be a schema as a column that is not known."""
        if name.key in SCHEMAS or not isinstance(call, exp.Anonymous) or call.find(exp.Column) is None:
            return False
        known = any(level.definite(name) or level.find_source([name]) for level in scope.chain())
        return not known and any(source.relation.is_open for source in scope.visible())

    def struct(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """A struct built here: its fields stay apart."""
        fields: dict[str, tuple[str, Value]] = {}
        for position, part in enumerate(node.expressions):
            inner = part.args.get("expression") if isinstance(part, (exp.PropertyEQ, exp.Kwarg, exp.EQ)) else part
            name = part.this.name if isinstance(part, (exp.PropertyEQ, exp.Kwarg, exp.EQ)) else part.alias_or_name
            if isinstance(part, exp.EQ) or inner is None:
                inner, name = part, ""
            if isinstance(part, exp.Literal):
                name = ""
            ident = self.names.make(name or f"_{position}")
            value = self.value(inner, scope, bound).reshaped(TRANSFORMATION)
            key = self.names.fold(ident.name)
            # Keys that differ in case alone are told apart by some databases: either may be meant.
            fields[key] = (ident.name, merge((fields[key][1], value)) if key in fields else value)
        whole = merge([*(value for _, value in fields.values()), *self.computed_keys(node, scope, bound)])
        return Value(whole.facts, whole.problems, made=Shape(fields))

    def computed_keys(self, node: exp.Expr, scope: Scope, bound: Bound) -> list[Value]:
        """The keys of Snowflake's objects that are expressions; elsewhere a bare key is a field's name."""
        if self.names.dialect != "snowflake":
            return []
        keys = [part.this for part in node.expressions if isinstance(part, exp.PropertyEQ)]
        return [self.value(key, scope, bound).reshaped(TRANSFORMATION) for key in keys if key.find(exp.Column)]

    def scalar_query(self, node: exp.Expr, scope: Scope, _bound: Bound) -> Value:
        """A scalar subquery: its projection, and all that its rows depend on."""
        relation = self.run_query(node, scope)
        columns = list(relation.columns)
        if relation.is_struct:
            value = row_value(relation).reshaped(TRANSFORMATION)
        elif len(columns) == 1 and not relation.is_open:
            value = columns[0].value
        else:
            return self.query_value(relation, IDENTITY)
        return value.plus(Value(relation.rows, relation.problems))

    def query_value(self, relation: Relation, kind: int) -> Value:
        """All that a query used as a value depends on."""
        facts: Facts = {}
        problems: Problems = dict(relation.problems)
        for column in relation.columns:
            facts.update(compose(column.value.facts, kind))
            problems.update(column.value.problems)
        if relation.is_open:
            problems[Problem("star_without_schema", "a subquery selects * from a relation with unknown columns")] = None
        rows = as_rows(relation.rows, kind) if kind in ROW_KINDS else relation.rows
        if kind in ROW_KINDS:
            facts = as_rows(facts, kind)
        facts.update(rows)
        return Value(facts, problems)


SHAPED: dict[type[exp.Expr], Callable[[Evaluator, exp.Expr, Scope, Bound], Value | None]] = {
    exp.Column: Evaluator.column,  # type: ignore[dict-item] # the table is keyed by the class that the method takes
    exp.Dot: Evaluator.dot,
    exp.Bracket: bracket,
    exp.Struct: Evaluator.struct,
    exp.Array: array,
    exp.ArrayAgg: array_agg,
    exp.JSONArrayAgg: array_agg,
    exp.ArraysZip: zipped,
    exp.StructExtract: extract,
    **dict.fromkeys((exp.Map, exp.VarMap), built),
    exp.MapFromEntries: from_entries,
    exp.MapKeys: keys,
    exp.JSONExtract: json_path,
    exp.JSONExtractScalar: json_path,
    exp.JSONBExtract: json_path_text,
    exp.JSONBExtractScalar: json_path_text,
    exp.Identifier: parameter,
    exp.Transform: transformed,
    exp.ArrayFilter: chosen,
    exp.Reduce: reduced,
    exp.Exists: tested,
    exp.Comprehension: comprehended,
    exp.Subquery: Evaluator.scalar_query,
    **dict.fromkeys((exp.Case, exp.If, exp.Coalesce, exp.Nullif), alternative),
    **dict.fromkeys(KEEPS_INSIDE, keeps_inside),
    **dict.fromkeys(CLAUSES, under_clause),
    **dict.fromkeys(AGGREGATES_BY_NAME, gathered),
    **dict.fromkeys(SAME_ELEMENTS, same_elements),
    **dict.fromkeys(IN_ORDER, ordered),
    **dict.fromkeys(ELEMENT_OF, element),
    **BUILT,
}


def output_ident(node: exp.Expr, names: Names) -> Ident | None:
    """The name that a projection gives its column, None when it gives none."""
    if isinstance(node, exp.Alias):
        alias = node.args.get("alias")
        return names.ident(alias) if isinstance(alias, exp.Identifier) else names.make(node.alias)
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return names.ident(node.this)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Parameter):
        return names.make(f"${node.this.name}", quoted=True)
    if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Identifier):
        # DuckDB calls the field of what is in brackets by the whole text.
        bracketed = names.dialect == "duckdb" and isinstance(node.this, exp.Paren)
        return None if bracketed else names.ident(node.args["expression"])
    return None
