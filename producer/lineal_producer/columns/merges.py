"""MERGE: what each of its branches puts into the target."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.facts import FILTER, JOIN, compose
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.select import Walker
from lineal_producer.columns.targets import BY_NAME, NO_LIST, Assignments, assign, column_ident, row_values
from lineal_producer.columns.values import Problem, Value

OPEN_SOURCE = Problem("star_without_schema", "* of MERGE takes all columns of its source, and they are not known")


class MergeWalker:
    """Walks the branches of one MERGE."""

    def __init__(self, walker: Walker, scope: Scope, into: Source, using: list[Source], relation: Relation) -> None:
        self.walker = walker
        self.scope = scope
        self.into = into
        # Where nothing matched, the target's row isn't there to be read.
        self.source_scope = Scope(walker.names, None, scope.ctes, using)
        # Nor is the source's where only the target has the row.
        self.target_scope = Scope(walker.names, None, scope.ctes, [into])
        self.relation = relation
        self.assignments = Assignments()
        self.holes: list[OutCol | Hole] = []

    def walk(self, node: exp.Expr) -> Relation:
        """The target's columns that the MERGE changes, and what decides about rows."""
        self.take(node.args.get("on"), JOIN)
        for key in node.args.get("using_cond") or []:
            self.take_key(self.walker.names.ident(key.this if isinstance(key, exp.Column) else key))
        whens = node.args.get("whens")
        for when in whens.expressions if isinstance(whens, exp.Whens) else []:
            seen = self.seen_by(when)
            self.take(when.args.get("condition"), FILTER, seen)
            then = when.args.get("then")
            if isinstance(then, exp.Update):
                self.update(then, seen)
            elif isinstance(then, exp.Insert):
                self.insert(then)
        self.relation.items = [*self.assignments.columns(), *self.holes]
        return self.relation

    def seen_by(self, when: exp.Expr) -> Scope:
        """The rows that a branch may read: both, or the only one that is there."""
        if when.args.get("matched"):
            return self.scope
        return self.target_scope if when.args.get("source") else self.source_scope

    def take(self, condition: object, kind: int, scope: Scope | None = None) -> None:
        """Adds what a condition reads to the rows."""
        if isinstance(condition, exp.Expr):
            value = self.walker.evaluator.facts([condition], scope or self.scope, kind)
            self.relation.rows.update(value.facts)
            self.relation.problems.update(value.problems)

    def take_key(self, key: Ident) -> None:
        """Adds a column of MERGE … USING (column): both sides' decide about the rows."""
        for sources in ([self.into], self.source_scope.sources):
            value = Scope(self.walker.names, sources=list(sources)).resolve_name(key)
            self.relation.rows.update(compose(value.facts, JOIN))
            self.relation.problems.update(value.problems)

    def update(self, node: exp.Expr, scope: Scope) -> None:
        """WHEN … THEN UPDATE SET."""
        parts = node.args.get("expressions")
        for part in parts if isinstance(parts, list) else [parts or exp.Star()]:
            if isinstance(part, exp.Star):
                self.whole()
            elif isinstance(part, exp.EQ) and part.this.name == BY_NAME:
                self.all_by_name()
            else:
                assign(part, scope, self.walker, self.assignments)
        where = node.args.get("where")
        if isinstance(where, exp.Where):
            self.take(where.this, FILTER, scope)

    def insert(self, node: exp.Expr) -> None:
        """WHEN NOT MATCHED THEN INSERT."""
        columns, values = node.this, node.args.get("expression")
        if isinstance(columns, exp.Star):
            self.whole()
            return
        if says_by_name(columns):
            self.all_by_name()
            return
        if isinstance(columns, exp.Var) and columns.name.upper() == "ROW":
            self.by_position(self.source_values())
            return
        if isinstance(values, exp.Values) and values.expressions:
            values = values.expressions[0]
        if not isinstance(values, exp.Expr):
            self.by_position(self.source_values())
            return
        given = row_values(values, self.source_scope, self.walker)
        parts = values.expressions if isinstance(values, exp.Tuple) else [values]
        given = [with_node(value, part) for value, part in zip(given, parts, strict=False)] or given
        if isinstance(columns, (exp.Tuple, exp.Paren)):
            named = columns.expressions if isinstance(columns, exp.Tuple) else [columns.this]
            for part, value in zip(named, given, strict=False):
                ident = column_ident(part, self.walker)
                if ident is not None:
                    self.assignments.add(ident, value)
        else:
            self.by_position(given)
        where = node.args.get("where")
        if isinstance(where, exp.Where):
            self.take(where.this, FILTER, self.source_scope)

    def source_values(self) -> list[Value] | None:
        """The columns of the source in order, None when they are not known."""
        values: list[Value] = []
        for source in self.source_scope.sources:
            if source.relation.is_open:
                return None
            values += [column.value for column in source.relation.columns]
        return values

    def by_position(self, values: list[Value] | None) -> None:
        """Values without a column list: the target's columns in order."""
        known = list(self.into.relation.columns)
        if values is None or self.into.relation.is_open or len(known) < len(values):
            self.holes.append(Hole(Relation(), problem=NO_LIST))
            return
        for column, value in zip(known, values, strict=False):
            self.assignments.add(Ident(column.name, column.name, column.key, quoted=True), value)

    def whole(self) -> None:
        """SET * and INSERT *: by name, in DuckDB by position."""
        if self.walker.names.dialect == "duckdb":
            self.by_position(self.source_values())
        else:
            self.all_by_name()

    def all_by_name(self) -> None:
        """All columns by their names: the target's columns from the source's columns of the same name."""
        open_source = any(source.relation.is_open for source in self.source_scope.sources)
        if not self.into.relation.is_open:
            columns = list(self.into.relation.columns)
        elif not open_source:
            columns = [column for source in self.source_scope.sources for column in source.relation.columns]
        else:
            self.holes.append(Hole(Relation(), problem=OPEN_SOURCE))
            return
        for column in columns:
            ident = Ident(column.name, column.name, column.key, quoted=True)
            source = self.source_scope.definite(ident)
            if source is None and open_source:
                source = self.source_scope.resolve_name(ident)
            if source is not None:
                self.assignments.add(ident, source)


def says_by_name(columns: object) -> bool:
    """Whether a list of columns is DuckDB's BY NAME, which the grammar takes for a column under an alias."""
    named = columns.expressions[0] if isinstance(columns, exp.Tuple) and len(columns.expressions) == 1 else columns
    if isinstance(named, exp.Alias):
        return (named.this.name.lower(), named.alias.lower()) == ("by", "name")
    return isinstance(named, exp.Expr) and named.name == BY_NAME


def with_node(value: Value, node: exp.Expr) -> Value:
    """A value under the text of its expression."""
    return Value(value.facts, value.problems, node=node)
