"""The columns of a statement's target, and what assignments put into them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.facts import FILTER
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns, table_relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.select import Walker
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.values import Problem, Value, constant, merge

# What stands for DuckDB's BY NAME in a branch of MERGE.
BY_NAME = "__lineal_by_name"


@dataclass(slots=True)
class Assignments:
    """The values that the branches of a statement put into each column, in order of first appearance."""

    values: dict[str, tuple[str, list[Value]]] = field(default_factory=dict)

    def add(self, ident: Ident, value: Value) -> None:
        """One more value that a column may get."""
        self.values.setdefault(ident.key, (ident.stored, []))[1].append(value)

    def columns(self) -> Iterator[OutCol]:
        """The columns with all that they may get."""
        for key, (name, values) in self.values.items():
            whole = merge(values)
            whole.text, whole.node = values[0].text, values[0].node
            yield OutCol(name, key, whole)


def target_columns(target: exp.Table, walker: Walker) -> list[Ident]:
    """The known columns of a target, none when they are not known."""
    declared = walker.declared.get(walker.key_of(target))
    if declared is not None:
        return declared
    parts = [walker.names.ident(part) for part in target.parts if isinstance(part, exp.Identifier)]
    table = walker.catalog.find(parts)
    return [Ident(name, name, walker.names.fold(name), quoted=True) for name, _ in table.columns or ()]


def column_ident(node: exp.Expr, walker: Walker, scope: Scope | None = None) -> Ident | None:
    """The column that the left side of an assignment names; of a struct's field, the column."""
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        parts = [walker.names.ident(part) for part in node.parts]
        while scope is not None and len(parts) > 1 and scope.find_source(parts[:1]) is not None:
            parts = parts[1:]
        known = scope is not None and len(parts) > 1 and scope.definite(parts[0]) is not None
        return parts[0] if known else walker.names.ident(node.this)
    if isinstance(node, exp.Identifier):
        return walker.names.ident(node)
    if isinstance(node, (exp.Dot, exp.Bracket)):
        return column_ident(node.this, walker, scope)
    return None


def assign(node: exp.Expr, scope: Scope, walker: Walker, assignments: Assignments) -> None:
    """Reads one `column = value` or `(columns) = (values)`."""
    left, right = node.this, node.args.get("expression")
    if not isinstance(right, exp.Expr):
        return
    if isinstance(left, (exp.Tuple, exp.Paren)):
        columns = left.expressions if isinstance(left, exp.Tuple) else [left.this]
        for column, value in zip(columns, row_values(right, scope, walker), strict=False):
            ident = column_ident(column, walker, scope)
            if ident is not None:
                assignments.add(ident, value)
        return
    ident = column_ident(left, walker, scope)
    if ident is not None and is_default(right):
        assignments.add(ident, constant())
    elif ident is not None:
        value = walker.evaluator.value(right, scope)
        assignments.add(ident, Value(value.facts, value.problems, node=right))


def is_default(node: exp.Expr) -> bool:
    """Whether a value is the word DEFAULT, which the grammar takes for a column."""
    return (
        isinstance(node, exp.Column)
        and len(node.parts) == 1
        and node.name.upper() == "DEFAULT"
        and not node.this.args.get("quoted")
    )


def row_values(node: exp.Expr, scope: Scope, walker: Walker) -> list[Value]:
    """The values of a row on the right side of an assignment."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Tuple):
        return [constant() if is_default(part) else walker.evaluator.value(part, scope) for part in node.expressions]
    if isinstance(node, exp.Query):
        relation = walker.query(node, scope, scope.ctes)
        return [
            Value({**column.value.facts, **relation.rows}, {**column.value.problems, **relation.problems})
            for column in relation.columns
        ]
    return [walker.evaluator.value(node, scope)]


def excluded_updates(
    conflict: exp.OnConflict, relation: Relation, target: exp.Table, body: exp.Expr, walker: Walker
) -> Relation:
    """The inserted columns with what ON CONFLICT DO UPDATE may put there instead."""
    names = walker.names
    parts = [names.ident(part) for part in target.parts if isinstance(part, exp.Identifier)]
    keys = tuple(part.key for part in parts)
    alias = target.args.get("alias")
    if isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier):
        keys = (names.ident(alias.this).key,)
    own = Source(keys, table_relation(walker.catalog.find(parts), names))
    scope = Scope(names, sources=[Source((names.fold("excluded"),), relation, by_qualifier=True), own])
    row = body.args.get("alias") if isinstance(body, exp.Values) else None
    if isinstance(row, exp.TableAlias) and isinstance(row.this, exp.Identifier):
        # MySQL's name for the row that was to be put in, and for its columns.
        listed = [names.ident(column) for column in row.args.get("columns") or []]
        scope.sources.append(Source((names.ident(row.this).key,), renamed_columns(relation, listed)))
    if isinstance(body, exp.Select):
        # MySQL lets the update name what the query reads.
        FromClause(walker, scope, {}, {}).walk(body)
    assignments = Assignments()
    for node in conflict.expressions:
        assign(node, scope, walker, assignments)
    where = conflict.args.get("where")
    decides = walker.evaluator.facts([where.this if isinstance(where, exp.Where) else None], scope, FILTER)
    relation.rows = {**relation.rows, **decides.facts}
    relation.problems = {**relation.problems, **decides.problems}
    updates = {column.key: column for column in assignments.columns()}
    items: list[OutCol | Hole] = []
    for item in relation.items:
        update = updates.pop(item.key, None) if isinstance(item, OutCol) else None
        if isinstance(item, OutCol) and update is not None:
            both = merge((item.value, update.value))
            both.text, both.node = item.value.text, item.value.node
            item = OutCol(item.name, item.key, both)
        items.append(item)
    return Relation([*items, *updates.values()], relation.rows, relation.problems)


NO_LIST = Problem("star_without_schema", "INSERT without a column list into a table whose columns are not known")
