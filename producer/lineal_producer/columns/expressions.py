"""From an expression to its value: every column it reads, each with its kind, in one walk without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import (
    AGGREGATION,
    CONDITIONAL,
    IDENTITY,
    ROW_KINDS,
    SORT,
    TRANSFORMATION,
    WINDOW,
    Facts,
    as_rows,
    chain,
    compose,
)
from lineal_producer.columns.functions import (
    ELEMENT_OF,
    KEEPS_INSIDE,
    MASKING,
    ORDERED_SET,
    RANKS,
    function_name,
    is_aggregate,
    is_row_function,
    is_unit,
)
from lineal_producer.columns.relation import Relation
from lineal_producer.columns.scope import Scope, row_value
from lineal_producer.columns.values import Problem, Problems, Shape, Value, constant, merge, unknown

Bound = frozenset[str]
NOTHING_BOUND: Bound = frozenset()
RunQuery = Callable[[exp.Expr, Scope], Relation]
NAME_FIRST = ("dictget", "dicthas", "joinget")
IGNORED = (exp.DataType, exp.Identifier, exp.Literal, exp.Var, exp.Null, exp.Boolean, exp.Star, exp.JSONPath)


class Evaluator:
    """Gives the values of expressions; queries inside them go back to the query walker."""

    def __init__(self, names: Names, run_query: RunQuery) -> None:
        self.names = names
        self.run_query = run_query
        # What COLUMNS() stands for while its expression is evaluated for one column.
        self.stand_in: Value | None = None

    def value(self, node: exp.Expr, scope: Scope, bound: Bound = NOTHING_BOUND) -> Value:
        """The value of an expression, with its inside where that is known."""
        while isinstance(node, (exp.Alias, exp.Paren)):
            node = node.this
        shaped = SHAPED.get(type(node))
        if shaped is not None:
            found = shaped(self, node, scope, bound)
            if found is not None:
                return found
        return Walk(self, scope).collect(node, IDENTITY, bound)

    def facts(self, nodes: Iterable[exp.Expr | None], scope: Scope, kind: int) -> Value:
        """All that some expressions read, seen as one kind."""
        walk = Walk(self, scope)
        for node in nodes:
            if node is not None:
                walk.collect(node, kind)
        return walk.result()

    def column(self, node: exp.Column, scope: Scope, bound: Bound) -> Value:
        """The value of a column reference, or of the row that it names."""
        parts = [self.names.ident(part) for part in node.parts if isinstance(part, exp.Identifier)]
        if parts and parts[0].key in bound:
            return constant()
        if isinstance(node.this, exp.Star):
            source = scope.find_source(parts)
            return row_value(source.relation) if source is not None else scope.resolve(parts)
        if not isinstance(node.this, exp.Identifier):
            return unknown("unknown_column", "columns by position in a file are not traced")
        return scope.resolve(parts)

    def dot(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
        """A field of a struct value, or a method called on a value."""
        base, part = node.this, node.args.get("expression")
        if isinstance(part, exp.Func):
            return self.method(base, part, scope, bound)
        if isinstance(base, exp.Identifier):
            found = constant() if base.name.lower() in bound or self.names.ident(base).key in bound else None
            value = found or scope.resolve([self.names.ident(base)])
        else:
            value = self.value(base, scope, bound)
        if isinstance(part, exp.Star):
            return value
        return scope.walk_fields(value, [self.names.ident(part)]) if isinstance(part, exp.Identifier) else value

    def method(self, base: exp.Expr, call: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """A function behind a dot: a method of a value, or a function of a schema, which is no value."""
        value = Walk(self, scope).collect(call, IDENTITY, bound)
        if self.names.dialect != "duckdb":
            return value
        if isinstance(base, exp.Identifier):
            owner = scope.resolve([self.names.ident(base)])
        else:
            owner = self.value(base, scope, bound)
        if any(problem.code in ("unknown_column", "unknown_relation") for problem in owner.problems):
            return value
        return merge((owner.used(TRANSFORMATION), value))

    def bracket(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """An element of an array or map, or a field of a struct by its name."""
        value = self.value(node.this, scope, bound)
        for key in node.expressions:
            if isinstance(key, exp.Literal) and key.is_string:
                found = value.get_field(self.names.fold(key.name))
                value = found if found is not None else value.get_element()
                continue
            used = Walk(self, scope).collect(key, TRANSFORMATION, bound)
            value = with_key(value.get_element(), used)
        return value

    def extract(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
        """A field of a struct by struct_extract."""
        key = node.args.get("expression")
        if not isinstance(key, exp.Literal):
            return None
        value = self.value(node.this, scope, bound)
        return value.get_field(self.names.fold(key.name)) or value.used(TRANSFORMATION)

    def struct(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """A struct built here: its fields stay apart."""
        fields: dict[str, tuple[str, Value]] = {}
        for position, part in enumerate(node.expressions):
            inner = part.args.get("expression") if isinstance(part, (exp.PropertyEQ, exp.Kwarg, exp.EQ)) else part
            name = part.this.name if isinstance(part, (exp.PropertyEQ, exp.Kwarg, exp.EQ)) else part.alias_or_name
            if isinstance(part, exp.EQ) or inner is None:
                inner, name = part, ""
            ident = self.names.make(name or f"_{position}")
            value = self.value(inner, scope, bound)
            fields[self.names.fold(ident.name)] = (ident.name, value.reshaped(TRANSFORMATION))
        whole = merge([value for _, value in fields.values()])
        return Value(whole.facts, whole.problems, made=Shape(fields))

    def array(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """An array built here: its element may be any of its parts."""
        values = [
            self.scalar_query(part, scope, bound) if isinstance(part, exp.Query) else self.value(part, scope, bound)
            for part in node.expressions
        ]
        parts = [value.reshaped(TRANSFORMATION) for value in values]
        whole = merge(parts)
        return Value(whole.facts, whole.problems, made=Shape(element=whole))

    def array_agg(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """An array gathered from rows: its element keeps its inside."""
        inner = node.this
        while isinstance(inner, (exp.Order, exp.Limit, exp.Distinct, exp.IgnoreNulls, exp.RespectNulls)):
            inner = inner.expressions[0] if isinstance(inner, exp.Distinct) else inner.this
        facts = Walk(self, scope).collect(node, IDENTITY, bound)
        if inner is None:
            return facts
        value = self.value(inner, scope, bound)
        ordering = {fact: None for fact in facts.facts if fact[1] >= CONDITIONAL}

        def make() -> Shape:
            element = value.reshaped(AGGREGATION)
            return Shape(element=Value({**element.facts, **ordering}, element.problems, lazy=lambda: element.shape))

        return Value(facts.facts, facts.problems, lazy=make)

    def keeps_inside(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value | None:
        """An aggregate that hands over one of its inputs whole."""
        inner = node.this
        while isinstance(inner, (exp.HavingMax, exp.Order, exp.IgnoreNulls, exp.RespectNulls, exp.Limit)):
            inner = inner.this
        if inner is None or isinstance(inner, exp.Distinct):
            return None
        value = self.value(inner, scope, bound)
        facts = Walk(self, scope).collect(node, IDENTITY, bound)
        return Value(facts.facts, facts.problems, lazy=lambda: value.reshaped(AGGREGATION).shape)

    def element(self, node: exp.Expr, scope: Scope, bound: Bound) -> Value:
        """One element of an array, as unnest in a projection gives."""
        arguments = node.expressions if isinstance(node, exp.Unnest) else [node.this, *node.expressions]
        values = [self.value(part, scope, bound) for part in arguments if isinstance(part, exp.Expr)]
        if len(values) == 1:
            inner = values[0].get_element()
            return Value(compose(inner.facts, TRANSFORMATION), inner.problems, lazy=lambda: inner.shape)
        return merge(values).used(TRANSFORMATION)

    def scalar_query(self, node: exp.Expr, scope: Scope, _bound: Bound) -> Value:
        """A scalar subquery: its projection, and all that its rows depend on."""
        relation = self.run_query(node, scope)
        columns = list(relation.columns)
        if relation.is_struct:
            value = row_value(relation)
        elif len(columns) == 1 and not relation.is_open:
            value = columns[0].value
        else:
            return self.query_value(relation, IDENTITY)
        return Value(
            {**value.facts, **relation.rows},
            {**value.problems, **relation.problems},
            lazy=lambda: value.shape,
        )

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


def with_key(element: Value, key: Value) -> Value:
    """An element picked by a computed key."""
    return Value(
        {**compose(element.facts, TRANSFORMATION), **key.facts},
        {**element.problems, **key.problems},
        lazy=lambda: element.shape,
    )


SHAPED: dict[type[exp.Expr], Callable[[Evaluator, exp.Expr, Scope, Bound], Value | None]] = {
    exp.Column: Evaluator.column,  # type: ignore[dict-item] # the table is keyed by the class that the method takes
    exp.Dot: Evaluator.dot,
    exp.Bracket: Evaluator.bracket,
    exp.Struct: Evaluator.struct,
    exp.Array: Evaluator.array,
    exp.ArrayAgg: Evaluator.array_agg,
    exp.StructExtract: Evaluator.extract,
    exp.Subquery: Evaluator.scalar_query,
    **dict.fromkeys(KEEPS_INSIDE, Evaluator.keeps_inside),
    **dict.fromkeys(ELEMENT_OF, Evaluator.element),
}


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
        masking = masking or name in MASKING
        inner = AGGREGATION if is_aggregate(node) else TRANSFORMATION
        children = [child for child in node.iter_expressions() if not self.is_unit(child, node)]
        if name.startswith(NAME_FIRST) and children and isinstance(children[0], exp.Column):
            # ClickHouse's dictionaries and join tables are named like columns.
            children = children[1:]
        self.push(children, chain(inner, kind), masking, bound)

    def is_unit(self, child: exp.Expr, function: exp.Expr) -> bool:
        """Whether an argument is a unit's name, which no known column has."""
        return is_unit(child, function) and self.scope.definite(self.evaluator.names.ident(child.this)) is None

    def ignore(self, _node: exp.Expr, _kind: int, _masking: bool, _bound: Bound) -> None:
        """A node that reads nothing."""

    def passing(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A node that leaves its first part as it is."""
        self.push([node.this], kind, masking, bound)

    def shaped(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A column, a field or an element."""
        shaped = SHAPED[type(node)]
        value = shaped(self.evaluator, node, self.scope, bound)
        if value is not None:
            self.add(value, kind, masking)
        else:
            self.plain(node, kind, masking, bound)

    def cast(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A cast: its operand."""
        self.push([node.this], chain(TRANSFORMATION, kind), masking, bound)

    def named(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A named argument or field: its value."""
        self.push([node.args.get("expression")], kind, masking, bound)

    def case(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """CASE and IF: results change the value, conditions decide between them."""
        result, condition = chain(TRANSFORMATION, kind), chain(CONDITIONAL, kind)
        branches = node.args.get("ifs") or [node]
        plan: list[tuple[object, int]] = []
        if node.args.get("ifs"):
            plan.append((node.args.get("this"), condition))
        for branch in branches:
            plan += [(branch.args.get("this"), condition), (branch.args.get("true"), result)]
        plan += [(node.args.get("false"), result), (node.args.get("default"), result)]
        for part, part_kind in reversed(plan):
            self.push([part], part_kind, masking, bound)

    def decode(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """DECODE: operand and searched values decide, results change the value."""
        result, condition = chain(TRANSFORMATION, kind), chain(CONDITIONAL, kind)
        operand, *rest = node.expressions
        plan = [(operand, condition)]
        for position in range(0, len(rest) - 1, 2):
            plan += [(rest[position], condition), (rest[position + 1], result)]
        if len(rest) % 2:
            plan.append((rest[-1], result))
        for part, part_kind in reversed(plan):
            self.push([part], part_kind, masking, bound)

    def coalesce(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """COALESCE: every argument is a result and, by being null or not, decides."""
        arguments = [node.this, *node.expressions]
        for argument in reversed(arguments):
            self.push([argument], chain(CONDITIONAL, kind), masking, bound)
            self.push([argument], chain(TRANSFORMATION, kind), masking, bound)

    def nullif(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """NULLIF(a, b): a or null, decided by both."""
        both = [node.this, node.args.get("expression")]
        self.push(both, chain(CONDITIONAL, kind), masking, bound)
        self.push([node.this], chain(TRANSFORMATION, kind), masking, bound)

    def filtered(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """An aggregate's FILTER: its condition decides which rows count."""
        self.push([node.args.get("expression")], chain(CONDITIONAL, kind), masking, bound)
        self.push([node.this], kind, masking, bound)

    def count_if(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """countIf: a condition and nothing else."""
        self.push([node.this], chain(CONDITIONAL, kind), masking, bound)

    def combined(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """ClickHouse's aggregates with a combinator: the last argument of …If is a condition."""
        arguments = list(node.expressions)
        if str(node.name).lower().endswith("if") and arguments:
            self.push([arguments.pop()], chain(CONDITIONAL, kind), masking, bound)
        masking = masking or str(node.name).lower().startswith("count")
        self.push(arguments, chain(AGGREGATION, kind), masking, bound)

    def multi_if(self, arguments: list[exp.Expr], kind: int, masking: bool, bound: Bound) -> None:
        """multiIf(c1, v1, c2, v2, …, else)."""
        result, condition = chain(TRANSFORMATION, kind), chain(CONDITIONAL, kind)
        for position in reversed(range(len(arguments))):
            is_condition = position % 2 == 0 and position < len(arguments) - 1
            self.push([arguments[position]], condition if is_condition else result, masking, bound)

    def anonymous(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A function that the grammar knows only by name."""
        name = str(node.name).lower()
        if name == "multiif":
            self.multi_if(node.expressions, kind, masking, bound)
        elif name in ("nvl", "ifnull", "isnull") and len(node.expressions) == 2:
            for argument in reversed(node.expressions):
                self.push([argument], chain(CONDITIONAL, kind), masking, bound)
                self.push([argument], chain(TRANSFORMATION, kind), masking, bound)
        else:
            self.plain(node, kind, masking, bound)

    def order(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """ORDER BY inside an aggregate: its keys sort what is gathered."""
        self.push(node.expressions, chain(SORT, kind), masking, bound)
        self.push([node.args.get("this")], kind, masking, bound)

    def ordered(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """One key of an ORDER BY."""
        self.push([node.this], kind, masking, bound)

    def within_group(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """WITHIN GROUP: what an ordered-set aggregate aggregates, else the order of what is gathered."""
        order = node.args.get("expression")
        keys = order.expressions if isinstance(order, exp.Order) else []
        ordered_set = isinstance(node.this, ORDERED_SET) or not any(True for _ in node.this.find_all(exp.Column))
        self.push(keys, chain(AGGREGATION if ordered_set else SORT, kind), masking, bound)
        self.push([node.this], kind, masking, bound)

    def window(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A window: what the function reads, and the keys of the window."""
        for keys in self.window_keys(node):
            self.push(keys, chain(WINDOW, kind), masking, bound)
        inner = node.this
        function = inner
        while isinstance(function, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)):
            function = function.this
        if isinstance(function, RANKS):
            self.push(function.iter_expressions(), chain(TRANSFORMATION, kind), masking, bound)
        elif is_row_function(function):
            self.row_function(inner, function, kind, masking, bound)
        else:
            self.push([inner], kind, masking, bound)

    def row_function(self, inner: exp.Expr, function: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """LAG and the like hand over a value of another row; a FILTER on them decides."""
        if isinstance(inner, exp.Filter):
            self.push([inner.args.get("expression")], chain(CONDITIONAL, kind), masking, bound)
        arguments = function.expressions if isinstance(function, exp.Anonymous) else list(function.iter_expressions())
        self.push(arguments, chain(TRANSFORMATION, kind), masking, bound)

    def window_keys(self, node: exp.Expr) -> Iterable[list[exp.Expr]]:
        """PARTITION BY and ORDER BY of a window and of the named windows it builds on, last first."""
        seen: set[str] = set()
        window: exp.Expr | None = node
        while window is not None:
            order = window.args.get("order")
            keys = list(window.args.get("partition_by") or [])
            yield keys + (list(order.expressions) if isinstance(order, exp.Order) else [])
            base = window.args.get("alias")
            if not isinstance(base, exp.Identifier):
                return
            name = self.evaluator.names.fold(base.name)
            if name in seen:
                return
            seen.add(name)
            window = self.scope.windows.get(name)
            if window is None:
                self.problems[Problem("unknown_column", f"there is no window {base.name}")] = None

    def lambda_(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A lambda: its parameters are elements of what it is applied to, which is read beside it."""
        names = frozenset(self.evaluator.names.fold(part.name) for part in node.expressions)
        self.push([node.this], kind, masking, bound | names)

    def comprehension(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """A list comprehension: its list, its condition and its body."""
        variables = [node.args.get("expression"), node.args.get("position")]
        names = frozenset(self.evaluator.names.fold(part.name) for part in variables if isinstance(part, exp.Expr))
        inner = bound | names
        self.push([node.args.get("condition")], chain(CONDITIONAL, kind), masking, inner)
        self.push([node.this], chain(TRANSFORMATION, kind), masking, inner)
        self.push([node.args.get("iterator")], chain(TRANSFORMATION, kind), masking, bound)

    def exists(self, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
        """EXISTS: only the rows of its query matter; over an array it is a function with a lambda."""
        if not isinstance(node.this, exp.Query):
            self.plain(node, kind, masking, bound)
            return
        relation = self.evaluator.run_query(node.this, self.scope)
        self.facts.update(as_rows(relation.rows, kind) if kind in ROW_KINDS else relation.rows)
        self.problems.update(relation.problems)

    def columns(self, _node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
        """COLUMNS(): the column that it stands for at present."""
        value = self.evaluator.stand_in
        self.add(value or unknown("star_without_schema", "which columns COLUMNS() means can't be told"), kind, masking)

    def query(self, node: exp.Expr, kind: int, masking: bool, _bound: Bound) -> None:
        """A query used as a value or a list of values."""
        relation = self.evaluator.run_query(node, self.scope)
        self.add(self.evaluator.query_value(relation, kind), IDENTITY, masking)


Handler = Callable[[Walk, exp.Expr, int, bool, Bound], None]
HANDLERS: dict[type[exp.Expr], Handler] = {
    exp.Alias: Walk.passing,
    exp.Paren: Walk.passing,
    exp.Aliases: Walk.passing,
    exp.IgnoreNulls: Walk.passing,
    exp.RespectNulls: Walk.passing,
    exp.Cast: Walk.cast,
    exp.TryCast: Walk.cast,
    exp.Case: Walk.case,
    exp.If: Walk.case,
    exp.Nvl2: Walk.case,
    exp.DecodeCase: Walk.decode,
    exp.Coalesce: Walk.coalesce,
    exp.Nullif: Walk.nullif,
    exp.Filter: Walk.filtered,
    exp.CountIf: Walk.count_if,
    exp.Anonymous: Walk.anonymous,
    exp.Order: Walk.order,
    exp.Ordered: Walk.ordered,
    exp.WithinGroup: Walk.within_group,
    exp.Window: Walk.window,
    exp.Lambda: Walk.lambda_,
    exp.Comprehension: Walk.comprehension,
    exp.Exists: Walk.exists,
    exp.Columns: Walk.columns,
    exp.PropertyEQ: Walk.named,
    exp.Kwarg: Walk.named,
    exp.CombinedAggFunc: Walk.combined,
}


def find_handler(kind: type[exp.Expr]) -> Handler:
    """What to do with a class of node, found once a class."""
    if kind in (exp.Column, exp.Dot, exp.Bracket, exp.StructExtract):
        return Walk.shaped
    if issubclass(kind, exp.Query):
        return Walk.query
    if issubclass(kind, IGNORED):
        return Walk.ignore
    if issubclass(kind, exp.Cast):
        return Walk.cast
    if issubclass(kind, exp.CombinedAggFunc):
        return Walk.combined
    return Walk.plain


def output_ident(node: exp.Expr, names: Names) -> Ident | None:
    """The name that a projection gives its column, None when it gives none."""
    if isinstance(node, exp.Alias):
        alias = node.args.get("alias")
        return names.ident(alias) if isinstance(alias, exp.Identifier) else names.make(node.alias)
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return names.ident(node.this)
    if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Identifier):
        return names.ident(node.args["expression"])
    return None
