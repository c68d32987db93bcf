"""One SELECT: its sources, its projections in order, and what its rows depend on."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from sqlglot import exp

from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.clauses import (
    aggregate_aliases,
    aggregated,
    aggregates,
    distinct_facts,
    group_facts,
    listed,
    order_facts,
)
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import FILTER, TRANSFORMATION, Facts
from lineal_producer.columns.matching import recognize
from lineal_producer.columns.patterns import spread_columns
from lineal_producer.columns.projections import Projections, struct_columns
from lineal_producer.columns.relation import OutCol, Relation
from lineal_producer.columns.scope import Ctes, Scope
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.thinning import (
    thin_outputs,
    thin_sources,
    thins,
    thins_after,
    thins_where_alone,
    top_alone,
)
from lineal_producer.columns.values import Problem, Problems, Value, constant

# Where LEVEL means something in a query with CONNECT BY alone.
LEVELS = frozenset({"snowflake", "redshift"})
# Where an aggregate of nothing but outer columns is the outer query's, as the standard has it, or in Spark an error.
OUTER_AGGREGATES = frozenset({"duckdb", "postgres", "redshift", "tsql", "fabric", "mysql", "spark", "databricks"})


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
        if self.names.dialect == "clickhouse":
            self.note_expressions()
        FromClause(self.walker, self.scope, self.rows, self.problems).walk(self.node)
        if self.evaluator.counts and thins(self.node) and not self.catches_up():
            thin_sources(self.scope.sources, self.conditions("where", "qualify"), self.names, top_alone(self.node))
        for window in args.get("windows") or []:
            self.scope.windows[self.names.fold(window.name)] = window
        self.prove_qualified()
        self.prove_aggregated()
        match = args.get("match")
        if isinstance(match, exp.MatchRecognize):
            recognize(match, self.scope, self.evaluator, self.rows, self.problems)
        if self.names.dialect in LEVELS and args.get("connect") is not None:
            self.scope.aliases[self.names.fold("level")] = constant()
        self.scope.alias_mode = self.names.projection_mode
        relation = Relation(Projections(self.node, self.scope, self.evaluator).projections(), self.rows, self.problems)
        self.scope.in_condition = True
        for clause in ("where", "prewhere"):
            self.read_filter(args.get(clause))
        self.connect(args.get("connect"))
        self.scope.alias_mode = "first" if self.names.aliases_hide_columns else "after"
        self.all_aliases(relation)
        group = args.get("group")
        if isinstance(group, exp.Group):
            self.take(group_facts(group, self.node, relation, self.scope, self.evaluator))
        self.read_having(args.get("having"))
        self.scope.counted.settle(self.rows, self.problems)
        self.read_qualify(args.get("qualify"))
        distinct = args.get("distinct")
        if isinstance(distinct, exp.Distinct):
            self.take(distinct_facts(distinct, relation, self.scope, self.evaluator))
        self.scope.alias_mode = "first"
        self.order(relation)
        self.limits()
        if self.evaluator.counts and thins_after(self.node):
            relation = thin_outputs(self.node, relation, self.names)
        return self.as_kind(relation)

    def catches_up(self) -> bool:
        """Whether only rows are left out that an incremental model has already: that takes none from the model."""
        if not self.walker.catalog.own or not thins_where_alone(self.node):
            return False
        condition = self.node.args["where"].this
        parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
        values = [self.evaluator.facts([part], self.scope, FILTER) for part in parts if part.find(exp.Column)]
        return all(any(self.walker.catalog.is_own(leaf) for leaf, *_ in value.facts) for value in values)

    def conditions(self, *clauses: str) -> list[object]:
        """What some clauses demand."""
        nodes = [self.node.args.get(clause) for clause in clauses]
        return [node.this for node in nodes if isinstance(node, exp.Expr)]

    def prove_qualified(self) -> None:
        """Of several unknown relations, `t.a` anywhere in the query shows that t has a: then a bare a is t's."""
        unknown = sum(source.relation.is_open for source in self.scope.visible())
        if unknown < 2 and (unknown == 0 or self.scope.parent is None):
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

    def prove_aggregated(self) -> None:
        """A subquery in WHERE aggregates columns of its own: an aggregate of outer ones would be the outer query's."""
        above = self.node.find_ancestor(exp.Where, exp.Having, exp.Qualify, exp.Group, exp.Order, exp.Select)
        unknown = [source for source in self.scope.visible() if source.relation.is_open]
        if self.names.dialect not in OUTER_AGGREGATES or not isinstance(above, exp.Where) or len(unknown) != 1:
            return
        for node in self.node.expressions:
            for part in node.find_all(exp.AggFunc):
                columns = list(part.find_all(exp.Column))
                bare = len(columns) == 1 and len(columns[0].parts) == 1 and isinstance(columns[0].this, exp.Identifier)
                if bare and part.find_ancestor(exp.Window, exp.Select) is self.node:
                    ident = self.names.ident(columns[0].this)
                    if self.scope.definite(ident) is None:
                        unknown[0].relation.prove(ident)

    def note_expressions(self) -> None:
        """ClickHouse's WITH expression AS name: an alias that reads this query's columns, also in ARRAY JOIN."""
        with_ = self.node.args.get("with_")
        for cte in with_.expressions if isinstance(with_, exp.With) else []:
            if is_alias(cte, self.names):
                key = self.names.ident(cte.args["alias"].this).key
                self.scope.later[key] = partial(self.evaluator.value, cte.this, self.scope)

    def take(self, value: Value) -> None:
        """Adds what decides about the rows."""
        self.rows.update(value.facts)
        self.problems.update(value.problems)

    def read_filter(self, clause: exp.Expr | None) -> None:
        """WHERE, HAVING, QUALIFY."""
        if isinstance(clause, exp.Expr):
            spread_columns(clause, self.scope, self.evaluator)
            self.take(self.evaluator.facts([clause.this], self.scope, FILTER))

    def read_qualify(self, clause: exp.Expr | None) -> None:
        """QUALIFY: a column comes before an alias, and an unknown relation may have one of that name."""
        mode = self.scope.alias_mode
        self.scope.alias_mode = "lateral" if mode == "after" else mode
        self.read_filter(clause)
        self.scope.alias_mode = mode

    def read_having(self, clause: exp.Expr | None) -> None:
        """HAVING: what isn't grouped can only be the alias of an aggregate."""
        if not isinstance(clause, exp.Expr):
            return
        group = self.node.args.get("group")
        made = aggregate_aliases(self.node, group if isinstance(group, exp.Group) else None)
        parts = clause.this.flatten() if isinstance(clause.this, exp.And) else [clause.this]
        for part in list(parts):
            named = {column.name for column in part.find_all(exp.Column) if len(column.parts) == 1}
            mode = self.scope.alias_mode
            if named & made:
                # What is aggregated can't be an aggregate itself: there the name is a column's.
                self.scope.alias_mode = "never" if aggregated(part, made) else mode if aggregates(part) else "first"
            self.read_filter(exp.Having(this=part.copy()))
            self.scope.alias_mode = mode

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
            inner = node.args.get("expression") or node.args.get("count") if isinstance(node, exp.Expr) else None
            if isinstance(inner, exp.Subquery):
                self.take(self.evaluator.facts([inner], self.scope, FILTER))

    def all_aliases(self, relation: Relation) -> None:
        """From here on every projection's alias may be used."""
        for item in relation.items:
            # What a star over unknown columns replaces or renames is an output, too.
            for column in [item] if isinstance(item, OutCol) else item.renamed.values():
                self.scope.aliases.setdefault(column.key, column.value)

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


def is_alias(cte: exp.Expr, names: Names) -> bool:
    """Whether a WITH item names an expression and no relation."""
    named = names.dialect == "clickhouse" and not isinstance(cte.this, (exp.Query, exp.DML))
    return bool(cte.args.get("scalar")) or named
