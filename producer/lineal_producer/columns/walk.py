"""All that an expression reads, each with its kind, in one walk without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns import choices, parameters, units, windows
from lineal_producer.columns.facts import (
    AGGREGATION,
    CONDITIONAL,
    IDENTITY,
    ROW_KINDS,
    TRANSFORMATION,
    Facts,
    as_rows,
    chain,
    compose,
    within,
)
from lineal_producer.columns.from_item import row_value
from lineal_producer.columns.functions import (
    MASKING,
    MASKING_HERE,
    TESTS,
    UNKNOWN_AGGREGATES,
    function_name,
    is_aggregate,
    is_json_arrow,
)
from lineal_producer.columns.maps import PARTS_OF_MAPS
from lineal_producer.columns.relation import OutCol
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.units import is_word
from lineal_producer.columns.values import Problems, Value, constant, unknown

if TYPE_CHECKING:
    from lineal_producer.columns.expressions import Evaluator

NOTHING_BOUND: Bound = {}
NOT_TOLD = ("star_without_schema", "which columns COLUMNS() means can't be told")
NAME_FIRST = ("dictget", "dicthas", "joinget")
# Functions of a row that are aggregates elsewhere.
SCALAR_HERE = frozenset({("tsql", "checksum"), ("fabric", "checksum")})
IGNORED = (exp.DataType, exp.Literal, exp.Var, exp.Null, exp.Boolean, exp.JSONPath)


class Walk:
    """One walk over an expression with its own stack, so that a chain of a thousand ANDs is no depth."""

    def __init__(self, evaluator: Evaluator, scope: Scope) -> None:
        self.evaluator = evaluator
        self.scope = scope
        self.facts: Facts = {}
        self.problems: Problems = {}
        self.stack: list[tuple[exp.Expr, int, bool, Bound]] = []

    def result(self) -> Value:
        """What has been gathered so far."""
        return Value(self.facts, self.problems)

    def collect(self, node: exp.Expr, kind: int, bound: Bound = NOTHING_BOUND) -> Value:
        """Gathers all that a node reads, used as `kind`."""
        stack = self.stack
        stack.append((node, kind, False, bound))
        while stack:
            node, kind, masking, bound = stack.pop()
            handler = HANDLERS.get(type(node))
            if handler is None:
                handler = HANDLERS[type(node)] = find_handler(type(node))
            handler(self, node, kind, masking, bound)
        return self.result()

    def inner(self, node: exp.Expr, kind: int, bound: Bound) -> Value:
        """What one part of the expression reads, apart from the rest."""
        return Walk(self.evaluator, self.scope).collect(node, kind, bound)

    def add(self, value: Value, kind: int, masking: bool) -> None:
        """Takes in a value used as `kind`."""
        self.facts.update(compose(value.facts, kind, masking))
        self.problems.update(value.problems)

    def push(self, nodes: Iterable[object], kind: int, masking: bool, bound: Bound) -> None:
        """Puts nodes on the stack so that the first is taken first."""
        wanted = [node for node in nodes if isinstance(node, exp.Expr)]
        self.stack.extend((node, kind, masking, bound) for node in reversed(wanted))

    def plain(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """Any operator or function: a transformation of all below it."""
        name = function_name(node)
        masking = masking or name in MASKING or (self.evaluator.names.dialect, name) in MASKING_HERE
        of_rows = is_aggregate(node) and (self.evaluator.names.dialect, name) not in SCALAR_HERE
        inner = AGGREGATION if of_rows else TRANSFORMATION
        told = node.args.get("return_type")
        children = [
            child for child in node.iter_expressions() if child is not told and not is_word(child, node, self.scope)
        ]
        if name.startswith(NAME_FIRST) and children and isinstance(children[0], exp.Column):
            # ClickHouse's dictionaries and join tables are named like columns.
            children = children[1:]
        self.push(children, chain(inner, kind), masking, bound)

    def ignore(self, _node: exp.Expr, _kind: int, _masking: bool, _bound: Bound) -> None:
        """A node that reads nothing."""

    def passing(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A node that leaves its first part as it is."""
        self.push([node.this], kind, masking, bound)

    def shaped(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A column, a field or an element."""
        value = self.evaluator.find_shaped(node, self.scope, bound)
        if value is None:
            self.plain(node, kind, masking, bound)
        elif kind in ROW_KINDS and id(value) in self.scope.projected:
            self.add(self.evaluator.as_key(value, kind, self.scope), IDENTITY, masking)
        else:
            self.add(value, kind, masking)

    def in_(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """IN; ClickHouse writes a relation's name where others write a query."""
        field = node.args.get("field")
        names = self.evaluator.names
        if names.dialect != "clickhouse" or not isinstance(field, exp.Column) or not self.is_relation(field):
            self.plain(node, kind, masking, bound)
            return
        parts = [part.copy() for part in field.parts]
        table = exp.Table(this=parts[-1], db=parts[-2] if len(parts) > 1 else None)
        self.query(table, chain(TRANSFORMATION, kind), masking, bound)
        self.push([node.this], chain(TRANSFORMATION, kind), masking, bound)

    def is_relation(self, field: exp.Column) -> bool:
        """Whether a name after IN is a relation's: no known column's, alias's or FROM item's."""
        parts = [self.evaluator.names.ident(part) for part in field.parts if isinstance(part, exp.Identifier)]
        if not parts or len(parts) > 2 or parts[0].key in self.scope.aliases or parts[0].key in self.scope.later:
            return False
        return self.scope.definite(parts[0]) is None and self.scope.find_source(parts[:-1] or parts) is None

    def collate(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """COLLATE and ClickHouse's `json.^path`: the operand; the collation or the path may look like a column."""
        self.push([node.this], chain(TRANSFORMATION, kind), masking, bound)

    def cast(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A cast: its operand."""
        self.push([node.this], chain(TRANSFORMATION, kind), masking, bound)

    def map_(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """MAP {key: value}: both are expressions, unlike a struct's."""
        inner = node.this
        while isinstance(inner, (exp.Bracket, exp.Dot)):
            # The grammar takes a subscript of the map for one of what is in its braces.
            inner = inner.this
        pairs = inner.expressions if isinstance(inner, exp.Struct) else []
        keys = [pair.this for pair in pairs if isinstance(pair, exp.PropertyEQ)]
        keys = [exp.Column(this=key.copy()) if isinstance(key, exp.Identifier) else key for key in keys]
        self.push([*keys, node.this], chain(TRANSFORMATION, kind), masking, bound)

    def named(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A named argument or field: its value; the names of Snowflake's objects may be computed too."""
        computed = self.evaluator.names.dialect == "snowflake" and isinstance(node, exp.PropertyEQ)
        self.push([node.this if computed else None, node.args.get("expression")], kind, masking, bound)

    def anonymous(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A function that the grammar knows only by name."""
        name = str(node.name).lower()
        if name == "count_star":
            return
        if name == "values" and len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Identifier):
            # MySQL: the value that an upsert was to insert.
            names = self.evaluator.names
            self.add(self.scope.resolve([names.make("excluded"), names.ident(node.expressions[0])]), kind, masking)
        elif (
            name == "getvariable" and node.expressions and node.expressions[0].name.lower() in self.evaluator.variables
        ):
            self.add(self.evaluator.variables[node.expressions[0].name.lower()], chain(TRANSFORMATION, kind), masking)
        elif UNKNOWN_AGGREGATES.fullmatch(str(node.name)):
            choices.combined(self, node, kind, masking, bound)
        elif name == "identifier" and len(node.expressions) == 1:
            parameters.named_by_text(self, node.expressions[0], kind, masking, bound)
        elif name == "multiif":
            choices.multi_if(self, node.expressions, kind, masking, bound)
        elif name in TESTS or name in PARTS_OF_MAPS:
            self.shaped(node, kind, masking, bound)
        elif name in ("nvl", "ifnull", "isnull") and len(node.expressions) == 2:
            choices.both(self, node.expressions, kind, masking, bound)
        else:
            self.plain(node, kind, masking, bound)

    def lambda_(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A lambda: its parameters are elements of what it is applied to, which is read beside it."""
        if is_json_arrow(node, self.evaluator.names.dialect):
            columns = [exp.Column(this=part.copy()) for part in node.expressions if isinstance(part, exp.Identifier)]
            self.push([*columns, node.this], chain(TRANSFORMATION, kind), masking, bound)
            return
        inner = {**bound, **{self.evaluator.names.fold(part.name): constant() for part in node.expressions}}
        self.push([node.this], kind, masking, inner)

    def comprehension(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A list comprehension: its list, its condition and its body."""
        value = self.evaluator.find_shaped(node, self.scope, bound)
        if value is not None:
            self.add(value, kind, masking)
            return
        variables = [node.args.get("expression"), node.args.get("position")]
        names = [self.evaluator.names.fold(part.name) for part in variables if isinstance(part, exp.Expr)]
        inner = {**bound, **{name: constant() for name in names}}
        self.push([node.args.get("condition")], within(CONDITIONAL, kind), masking, inner)
        self.push([node.this], chain(TRANSFORMATION, kind), masking, inner)
        self.push([node.args.get("iterator")], chain(TRANSFORMATION, kind), masking, bound)

    def star(self, _node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
        """A star as a function's argument: all columns."""
        for source in self.scope.visible():
            self.add(row_value(source.relation), kind, masking)

    def count(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """count(*) reads no column; count(x) hides what it counts."""
        if not isinstance(node.this, exp.Star):
            self.plain(node, kind, masking, bound)

    def exists(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """EXISTS: only the rows of its query matter; over an array it is a function with a lambda."""
        if not isinstance(node.this, exp.Query):
            self.shaped(node, kind, masking, bound)
            return
        relation = self.evaluator.run_query(node.this, self.scope)
        self.facts.update(as_rows(relation.rows, kind) if kind in ROW_KINDS else relation.rows)
        self.problems.update(relation.problems)

    def columns(self, node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
        """COLUMNS(): the column that it stands for at present; all of them where it is spread."""
        spread = self.evaluator.spread.get(id(node))
        for item in spread or ():
            self.add(item.value if isinstance(item, OutCol) else unknown(*NOT_TOLD), kind, masking)
        if spread is not None:
            return
        value = self.evaluator.stand_in
        self.add(value or unknown(*NOT_TOLD), kind, masking)

    def query(self, node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
        """A query used as a value or a list of values."""
        relation = self.evaluator.run_query(node, self.scope)
        self.add(self.evaluator.query_value(relation, kind), IDENTITY, masking)


SHAPED = (
    exp.Column,
    exp.Identifier,
    exp.Dot,
    exp.Bracket,
    exp.StructExtract,
    exp.JSONExtract,
    exp.JSONExtractScalar,
    exp.JSONBExtract,
    exp.JSONBExtractScalar,
    exp.Transform,
    exp.ArrayFilter,
    exp.Reduce,
    exp.MapKeys,
)
Handler = Callable[[Walk, exp.Expr, int, bool, Bound], None]
HANDLERS: dict[type[exp.Expr], Handler] = {
    exp.Alias: Walk.passing,
    exp.Paren: Walk.passing,
    exp.Aliases: Walk.passing,
    exp.IgnoreNulls: Walk.passing,
    exp.RespectNulls: Walk.passing,
    exp.Cast: Walk.cast,
    exp.Collate: Walk.collate,
    exp.In: Walk.in_,
    exp.ToMap: Walk.map_,
    exp.TryCast: Walk.cast,
    exp.Case: choices.case,
    exp.If: choices.case,
    exp.Nvl2: choices.case,
    exp.DecodeCase: choices.decode,
    exp.Coalesce: choices.coalesce,
    exp.Nullif: choices.nullif,
    exp.Filter: choices.filtered,
    exp.CountIf: choices.count_if,
    exp.Anonymous: Walk.anonymous,
    exp.Order: windows.order,
    exp.Ordered: windows.ordered,
    exp.WithinGroup: windows.within_group,
    exp.Window: windows.window,
    exp.Lambda: Walk.lambda_,
    exp.Comprehension: Walk.comprehension,
    exp.Exists: Walk.exists,
    exp.NextValueFor: Walk.ignore,
    exp.Columns: Walk.columns,
    exp.PropertyEQ: Walk.named,
    exp.Kwarg: Walk.named,
    exp.CombinedAggFunc: choices.combined,
    exp.CombinedParameterizedAgg: choices.combined,
    exp.Parameter: parameters.parameter,
    exp.Placeholder: parameters.placeholder,
    exp.DynamicIdentifier: parameters.identifier,
    exp.Is: units.is_,
    exp.NestedJSONSelect: Walk.collate,
    exp.Extract: units.timed,
    exp.DateTrunc: units.timed,
    exp.Interval: Walk.plain,
    exp.Star: Walk.star,
    exp.Count: Walk.count,
}


def find_handler(kind: type[exp.Expr]) -> Handler:
    """What to do with a class of node, found once a class."""
    if kind in SHAPED:
        return Walk.shaped
    if issubclass(kind, exp.Query):
        return Walk.query
    if issubclass(kind, IGNORED):
        return Walk.ignore
    if issubclass(kind, exp.Cast):
        return Walk.cast
    if issubclass(kind, exp.TimeUnit):
        return units.timed
    if issubclass(kind, exp.CombinedAggFunc):
        return choices.combined
    return Walk.plain
