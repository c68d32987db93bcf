"""From a statement to the query that fills its target, and to the target's columns."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from lineal_producer.columns.relation import Relation, renamed_columns
from lineal_producer.columns.select import Walker
from lineal_producer.columns.values import Problem

CREATED = frozenset({"TABLE", "VIEW"})


@dataclass(slots=True)
class Traced:
    """What one statement gives: its target and relation, or why it could not be traced."""

    target: exp.Table | None
    relation: Relation | None
    problem: Problem | None = None


def trace_statement(node: exp.Expr, walker: Walker) -> Traced:
    """The target and relation of one statement."""
    if isinstance(node, exp.Create):
        return trace_create(node, walker)
    if isinstance(node, exp.Query) or isinstance(node, exp.Pivot):
        into = node.args.get("into")
        target = into.this if isinstance(into, exp.Into) and isinstance(into.this, exp.Table) else None
        return Traced(target, walker.query(node, None, {}))
    what = node.name.split()[0].upper() if isinstance(node, exp.Command) and node.name else node.key.upper()
    return Traced(None, None, Problem("unsupported_statement", f"{what} statements are not traced"))


def trace_create(node: exp.Create, walker: Walker) -> Traced:
    """CREATE TABLE … AS and CREATE VIEW."""
    kind = str(node.args.get("kind") or "").upper()
    body = node.args.get("expression")
    if kind not in CREATED or not isinstance(body, exp.Query):
        return Traced(None, None, Problem("unsupported_statement", f"CREATE {kind} without a query is not traced"))
    holder = node.this
    target = holder.this if isinstance(holder, exp.Schema) else holder
    ctes = walker.with_ctes(node.args["with_"], None, {}) if isinstance(node.args.get("with_"), exp.With) else {}
    relation = walker.query(body, None, ctes)
    if isinstance(holder, exp.Schema):
        columns = [part.this if isinstance(part, exp.ColumnDef) else part for part in holder.expressions]
        named = [walker.names.ident(column) for column in columns if isinstance(column, exp.Identifier)]
        relation = renamed_columns(relation, named)
    return Traced(target if isinstance(target, exp.Table) else None, relation)
