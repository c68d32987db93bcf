"""Statements that change data and hand rows over: what RETURNING gives to the query around them."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.from_item import Source
from lineal_producer.columns.inserts import trace_insert
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Ctes, Scope
from lineal_producer.columns.select import SelectWalker, Walker
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.statements import trace_merge, trace_update, updated_table
from lineal_producer.columns.values import Problem, constant, merge


def returned_rows(node: exp.Expr, walker: Walker, parent: Scope | None, ctes: Ctes) -> Relation | None:
    """The relation that a statement's RETURNING gives, None where it gives none or can't be told."""
    returning = node.args.get("returning")
    target = updated_table(node, walker) if isinstance(node, exp.Update) else node.this
    target = target.this if isinstance(target, exp.Schema) else target
    if not isinstance(returning, exp.Returning) or not isinstance(target, exp.Table):
        return None
    around, walker.around = walker.around, ctes
    try:
        scope = Scope(walker.names, parent, ctes)
        filled = fill(node, target, scope, walker)
    finally:
        walker.around = around
    select = exp.Select(expressions=[part.copy() for part in returning.expressions])
    relation = SelectWalker(walker, select, scope).walk()
    relation.rows = {**filled.rows, **relation.rows}
    relation.problems = {**filled.problems, **relation.problems}
    if not isinstance(node, exp.Delete):
        message = f"the statement also changes {target.name}, which this answer does not show"
        relation.problems[Problem("unsupported_statement", message)] = None
    return relation


def fill(node: exp.Expr, target: exp.Table, scope: Scope, walker: Walker) -> Relation:
    """Puts into a scope what RETURNING may name; gives what the statement's rows depend on."""
    rows = Relation()
    clause = FromClause(walker, scope, rows.rows, rows.problems)
    own = clause.add(exp.Table(**{k: v for k, v in target.args.items() if k in ("this", "db", "catalog", "alias")}))[0]
    if isinstance(node, exp.Delete):
        for other in node.args.get("using") or []:
            clause.add(other)
        chosen = SelectWalker(walker, exp.Select(expressions=[]), scope)
        chosen.read_filter(node.args.get("where"))
        rows.rows.update(chosen.rows)
        rows.problems.update(chosen.problems)
        return rows
    if isinstance(node, exp.Insert):
        relation = trace_insert(node, walker).relation or Relation()
        own.relation = after_insert(own.relation, relation)
        return relation
    if isinstance(node, exp.Update):
        relation = trace_update(node, walker).relation or Relation()
        for source in update_sources(node, target, walker, scope):
            scope.sources.append(source)
    else:
        relation = trace_merge(node, walker).relation or Relation()
        using = node.args["using"]
        clause.add(using)
    own.relation = after_update(own.relation, relation, always=isinstance(node, exp.Update))
    return relation


def update_sources(node: exp.Expr, target: exp.Table, walker: Walker, scope: Scope) -> list[Source]:
    """The other FROM items of an UPDATE, which RETURNING may name too."""
    inner = Scope(walker.names, scope.parent, scope.ctes)
    FromClause(walker, inner, {}, {}).walk(node)
    mine = walker.names.fold(target.alias_or_name)
    return [source for source in inner.sources if source.keys[-1:] != (mine,)]


def after_insert(table: Relation, given: Relation) -> Relation:
    """A target's columns as an INSERT leaves them: what was put in, else a default."""
    put = {column.key: column for column in given.columns}
    items: list[OutCol | Hole] = [
        OutCol(column.name, column.key, put[column.key].value if column.key in put else constant())
        for column in table.columns
    ]
    if not items:
        items = list(given.items)
    return Relation(items)


def after_update(table: Relation, given: Relation, always: bool) -> Relation:
    """A target's columns with those that a statement sets; where not `always`, the old value may stay."""
    put = {column.key: column for column in given.columns}
    if table.table is not None and table.table.columns is None:
        return Relation([*put.values(), Hole(table, hidden=frozenset(put))])
    items: list[OutCol | Hole] = []
    for column in table.columns:
        change = put.get(column.key)
        if change is None:
            items.append(column)
        else:
            value = change.value if always else merge((column.value, change.value))
            items.append(OutCol(column.name, column.key, value))
    return Relation(items)
