"""One SELECT: its sources, its projections in order, and what its rows depend on."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from sqlglot import exp

from lineal_producer.columns.calls import stack_columns
from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.clauses import distinct_facts, group_facts, listed, order_facts
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator, output_ident
from lineal_producer.columns.facts import CONDITIONAL, FILTER, TRANSFORMATION, Facts
from lineal_producer.columns.matching import recognize
from lineal_producer.columns.naming import default_name
from lineal_producer.columns.patterns import expand_columns, spread_columns
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Ctes, Scope
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.stars import expand_star, star_of
from lineal_producer.columns.values import Problem, Problems, Value, constant, merge

# Where LEVEL means something in a query with CONNECT BY alone.
LEVELS = frozenset({"snowflake", "redshift"})
# No type is nested deeper than this.
MAX_LEVELS = 100


class Walker(Protocol):
    """What a SELECT needs of the walk around it."""

    names: Names
    catalog: Catalog
    evaluator: Evaluator
    read: dict[tuple[str, ...], None]
    made: dict[tuple[str, ...], Relation]
    set_aside: dict[str, Problem]
    declared: dict[tuple[str, ...], list[Ident]]
    temporary: set[tuple[str, ...]]
    around: Ctes

    def key_of(self, target: exp.Table) -> tuple[str, ...]:
        """What a target is known by among the relations of the text."""
        ...

    def query(self, node: exp.Expr, parent: Scope | None, ctes: Ctes) -> Relation:
        """The relation of a query inside this one."""
        ...

    def with_ctes(self, with_: exp.With, parent: Scope | None, ctes: Ctes) -> Ctes:
        """The CTEs that the body of a statement sees."""
        ...


class SelectWalker:
    """Walks one SELECT."""

    def __init__(self, walker: Walker, node: exp.Select, scope: Scope) -> None:
        self.walker = walker
        self.node = node
        self.scope = scope
        self.names = walker.names
        self.evaluator = walker.evaluator
        self.rows: Facts = {}
        self.problems: Problems = {}

    def walk(self) -> Relation:
        """The SELECT's relation."""
        args = self.node.args
        FromClause(self.walker, self.scope, self.rows, self.problems).walk(self.node)
        for window in args.get("windows") or []:
            self.scope.windows[self.names.fold(window.name)] = window
        self.prove_qualified()
        if self.names.dialect == "clickhouse":
            self.with_expressions()
        match = args.get("match")
        if isinstance(match, exp.MatchRecognize):
            recognize(match, self.scope, self.evaluator, self.rows, self.problems)
        if self.names.dialect in LEVELS and args.get("connect") is not None:
            self.scope.aliases[self.names.fold("level")] = constant()
        self.scope.alias_mode = self.names.projection_mode
        relation = Relation(self.projections(), self.rows, self.problems)
        self.scope.in_condition = True
        for clause in ("where", "prewhere"):
            self.read_filter(args.get(clause))
        self.connect(args.get("connect"))
        self.scope.alias_mode = "first" if self.names.aliases_hide_columns else "after"
        self.all_aliases(relation)
        group = args.get("group")
        if isinstance(group, exp.Group):
            self.take(group_facts(group, self.node, relation, self.scope, self.evaluator))
        self.read_filter(args.get("having"))
        self.read_filter(args.get("qualify"))
        distinct = args.get("distinct")
        if isinstance(distinct, exp.Distinct):
            self.take(distinct_facts(distinct, relation, self.scope, self.evaluator))
        self.scope.alias_mode = "first"
        self.order(relation)
        self.limits()
        return self.as_kind(relation)

    def prove_qualified(self) -> None:
        """Of several unknown relations, `t.a` anywhere in the query shows that t has a: then a bare a is t's."""
        if sum(source.relation.is_open for source in self.scope.visible()) < 2:
            return
        for clause in ("expressions", "where", "group", "having", "qualify", "order"):
            for node in listed(self.node, clause):
                for part in node.walk(prune=lambda inner: isinstance(inner, exp.Query)):
                    if (
                        isinstance(part, exp.Column)
                        and part.args.get("table")
                        and isinstance(part.this, exp.Identifier)
                    ):
                        *qualifier, column = [self.names.ident(name) for name in part.parts]
                        source = self.scope.find_source(qualifier)
                        if source is not None:
                            source.relation.prove(column)

    def with_expressions(self) -> None:
        """ClickHouse's WITH expression AS name: an alias that reads this query's columns."""
        self.scope.alias_mode = self.names.projection_mode
        with_ = self.node.args.get("with_")
        for cte in with_.expressions if isinstance(with_, exp.With) else []:
            if is_alias(cte):
                self.scope.aliases[self.names.ident(cte.args["alias"].this).key] = self.evaluator.value(
                    cte.this, self.scope
                )

    def take(self, value: Value) -> None:
        """Adds what decides about the rows."""
        self.rows.update(value.facts)
        self.problems.update(value.problems)

    def read_filter(self, clause: exp.Expr | None) -> None:
        """WHERE, HAVING, QUALIFY."""
        if isinstance(clause, exp.Expr):
            spread_columns(clause, self.scope, self.evaluator)
            self.take(self.evaluator.facts([clause.this], self.scope, FILTER))

    def connect(self, connect: exp.Expr | None) -> None:
        """CONNECT BY: which rows follow which."""
        if isinstance(connect, exp.Connect):
            self.take(
                self.evaluator.facts([connect.args.get("start"), connect.args.get("connect")], self.scope, FILTER)
            )

    def order(self, relation: Relation) -> None:
        """ORDER BY and its cousins."""
        for clause in ("order", "sort", "cluster"):
            node = self.node.args.get(clause)
            if isinstance(node, (exp.Order, exp.Sort, exp.Cluster)):
                spread_columns(node, self.scope, self.evaluator)
                self.take(order_facts(node, relation, self.scope, self.evaluator))
        by = self.node.args.get("limit")
        if isinstance(by, exp.Limit) and by.expressions:
            # LIMIT n BY keys.
            self.take(self.evaluator.facts(by.expressions, self.scope, FILTER))

    def limits(self) -> None:
        """A LIMIT that is computed by a query."""
        for clause in ("limit", "offset"):
            node = self.node.args.get(clause)
            inner = node.args.get("expression") if isinstance(node, exp.Expr) else None
            if isinstance(inner, exp.Subquery):
                self.take(self.evaluator.facts([inner], self.scope, FILTER))

    def all_aliases(self, relation: Relation) -> None:
        """From here on every projection's alias may be used."""
        for column in relation.columns:
            self.scope.aliases.setdefault(column.key, column.value)

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
        if isinstance(node, exp.Aliases):
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
            return struct_columns(value)
        spread = self.unnested(node)
        if spread is not None:
            return spread
        if isinstance(node, exp.EQ) and isinstance(node.this, exp.Literal) and self.names.dialect in ("tsql", "fabric"):
            # T-SQL's 'alias' = expression.
            node = exp.alias_(node.expression, node.this.name, quoted=True)
        if isinstance(node, exp.Alias):
            self.scope.later.pop(self.names.ident(node.args["alias"]).key, None)
        value = self.evaluator.value(node, self.scope)
        ident = output_ident(node, self.names) or self.names.make(default_name(node, position, self.names), quoted=True)
        if self.names.dialect == "duckdb" and isinstance(node, exp.Column):
            # It takes a column's name as the relation has it, not as the query writes it.
            ident = self.scope.spelled(ident, node)
        column = OutCol(ident.stored, ident.key, with_text(value, node))
        if isinstance(node, exp.Alias):
            self.scope.aliases.setdefault(ident.key, column.value)
        if any(kind == CONDITIONAL for _, kind, _ in column.value.facts) and node.find(exp.Query) is None:
            self.scope.projected[id(column.value)] = node
        return [column]

    def unnested(self, node: exp.Expr) -> list[OutCol | Hole] | None:
        """Generators that give a column a field: DuckDB's unnest of a struct, Spark's inline; and Spark's own names."""
        if self.names.dialect in ("spark", "databricks"):
            return self.generated(node)
        if self.names.dialect == "clickhouse":
            return self.untupled(node)
        if not isinstance(node, exp.Explode) or self.names.dialect != "duckdb":
            return None
        value = self.evaluator.value(node.this, self.scope)
        depth = unnest_depth(node)
        if depth is None:
            return [Hole(Relation(), whole=value.used(TRANSFORMATION))]
        while depth and value.shape is not None and value.shape.element is not None:
            value, depth = value.shape.element, depth - 1
        return struct_fields(value, depth) if depth else None

    def untupled(self, node: exp.Expr) -> list[OutCol | Hole] | None:
        """ClickHouse's untuple: a column a field, under the tuple's name and the field's."""
        call = node.this if isinstance(node, exp.Alias) else node
        if not isinstance(call, exp.Anonymous) or call.name.lower() != "untuple" or len(call.expressions) != 1:
            return None
        name = node.alias or call.expressions[0].sql(dialect=self.names.grammar)
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
                return None
            return [OutCol(name, key, field.used(TRANSFORMATION)) for key, (name, field) in element.fields.items()]
        if array is None or array.element is None:
            # A map gives its keys and its values, an array its elements.
            return None
        names = [self.names.make(name) for name in (("pos", "col") if isinstance(node, exp.Posexplode) else ("col",))]
        return self.several(node, value, names)

    def several(self, node: exp.Expr, value: Value, idents: list[Ident]) -> list[OutCol | Hole]:
        """The columns of a generator with a list of names."""
        values = [value] * len(idents)
        if isinstance(node, exp.Posexplode) and values:
            values[0] = constant()
        columns = stack_columns(node)
        if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Star):
            fields = [item for item in struct_columns(value) if isinstance(item, OutCol)]
            values = [field.value for field in fields] if len(fields) == len(idents) else values
        if columns is not None:
            values = [merge([self.evaluator.value(part, self.scope) for part in parts]) for parts in columns]
        return [OutCol(ident.stored, ident.key, part) for ident, part in zip(idents, values, strict=False)]

    def as_kind(self, relation: Relation) -> Relation:
        """BigQuery's SELECT AS STRUCT is one value where a value is wanted; SELECT AS VALUE is its only column's."""
        if isinstance(self.node.args.get("for_"), exp.ForClause):
            # FOR JSON and FOR XML write the rows as text.
            relation.items = [
                OutCol(item.name, item.key, item.value.used(TRANSFORMATION)) if isinstance(item, OutCol) else item
                for item in relation.items
            ]
        kind = str(self.node.args.get("kind") or "").upper()
        if kind == "STRUCT":
            relation.is_struct = True
        elif kind == "VALUE":
            columns = list(relation.columns)
            shape = columns[0].value.shape if len(columns) == 1 else None
            if shape is not None and shape.fields is not None:
                relation.items = struct_columns(columns[0].value)
                relation.index = None
                relation.is_struct = True
        return relation


def is_alias(cte: exp.Expr) -> bool:
    """Whether a WITH item names an expression and no relation."""
    return bool(cte.args.get("scalar")) or not isinstance(cte.this, (exp.Query, exp.DML))


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
