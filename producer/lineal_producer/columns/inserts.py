"""INSERT: which columns of its target it fills with what, also where it has several targets."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns
from lineal_producer.columns.select import Walker
from lineal_producer.columns.stars import listed
from lineal_producer.columns.targets import excluded_updates, target_columns
from lineal_producer.columns.traced import Traced, unsupported, with_of
from lineal_producer.columns.values import Problem, constant
from lineal_producer.columns.variables import filled


def trace_insert(node: exp.Expr, walker: Walker) -> Traced:
    """INSERT … SELECT: by the column list, by name, else by the target's known columns."""
    holder = node.this
    target = holder.this if isinstance(holder, exp.Schema) else holder
    body = node.args.get("expression")
    if node.args.get("is_function") and isinstance(body, exp.Query):
        # ClickHouse's INSERT INTO FUNCTION: rows that go to files or another server.
        return Traced(None, walker.query(body, None, with_of(node, walker)))
    if not isinstance(target, exp.Table) or not isinstance(body, (exp.Query, exp.Values)):
        return unsupported("INSERT without a query is not traced")
    relation = walker.query(body, None, with_of(node, walker))
    listed = listed_columns(holder, target, walker)
    if not listed and not node.args.get("by_name"):
        known = target_columns(target, walker)
        static = static_partitions(target)
        listed = [ident for ident in known if ident.key not in static][: len(relation.items)]
        if relation.is_open or len(list(relation.columns)) > len(known) - len(static):
            listed = [] if relation.is_open or not known else listed
    relation = with_partitions(renamed_columns(relation, listed), target, walker)
    conflict = node.args.get("conflict")
    if isinstance(conflict, exp.OnConflict):
        relation = excluded_updates(conflict, relation, target, body, walker)
    key = walker.key_of(target)
    if key in walker.declared:
        walker.made[key] = filled(walker.made.get(key), relation, walker.declared[key])
    return Traced(target, relation, temporary=key in walker.temporary)


def listed_columns(holder: exp.Expr, target: exp.Table, walker: Walker) -> list[Ident]:
    """The columns that an INSERT names; ClickHouse may write them as a star with exceptions."""
    parts = holder.expressions if isinstance(holder, exp.Schema) else []
    if len(parts) == 1 and isinstance(parts[0], exp.Star):
        left_out = {
            walker.names.ident(part.this if isinstance(part, exp.Column) else part).key
            for part in listed(parts[0], "except_", "except")
        }
        return [ident for ident in target_columns(target, walker) if ident.key not in left_out]
    return [walker.names.ident(part) for part in parts]


def static_partitions(target: exp.Table) -> dict[str, str]:
    """The columns that INSERT … PARTITION (c = value) fills by a constant, by their small letters."""
    partition = target.args.get("partition")
    nodes = partition.expressions if isinstance(partition, exp.Partition) else []
    return {node.this.name.lower(): node.this.name for node in nodes if isinstance(node, exp.EQ)}


def with_partitions(relation: Relation, target: exp.Table, walker: Walker) -> Relation:
    """The columns that an INSERT fills, those of its static partition among them."""
    idents = [walker.names.make(name) for name in static_partitions(target).values()]
    if not idents:
        return relation
    added: list[OutCol | Hole] = [OutCol(ident.stored, ident.key, constant()) for ident in idents]
    return Relation([*relation.items, *added], relation.rows, relation.problems)


def trace_multi_insert(node: exp.Expr, walker: Walker) -> Traced:
    """One source with several INSERTs: the last one's target, and those of the others as a gap."""
    source = node.args.get("source")
    if not isinstance(source, exp.Expr):
        return unsupported("INSERT into several tables without a source is not traced")
    first = str(node.args.get("kind") or "").upper() == "FIRST"
    conditions: list[exp.Expr] = []
    traced: list[Traced] = []
    for part in node.expressions:
        own = part.args.get("expression") if isinstance(part, exp.ConditionalInsert) else None
        if isinstance(own, exp.Expr):
            conditions.append(own)
        decides = conditions if first or part.args.get("else_") else conditions[-1:] if own is not None else []
        traced.append(one_insert(part, node, decides, walker))
    known = [one for one in traced if one.relation is not None]
    if not known:
        return unsupported("INSERT into several tables in this form is not traced")
    main = known[-1]
    others = [one.target.sql() for one in known[:-1] if one.target is not None]
    if others:
        message = f"the statement also fills {', '.join(dict.fromkeys(others))}, which this answer does not show"
        main.problem = Problem("unsupported_statement", message)
    return main


def one_insert(part: exp.Expr, whole: exp.Expr, conditions: list[exp.Expr], walker: Walker) -> Traced:
    """One INSERT of several: its own SELECT over the source, or the source's columns under VALUES and WHEN."""
    insert = part.this if isinstance(part, exp.ConditionalInsert) else part
    if not isinstance(insert, exp.Insert):
        return Traced()
    insert = insert.copy()
    insert.set("with_", whole.args.get("with_"))
    source = whole.args["source"]
    body = insert.args.get("expression")
    from_ = source if isinstance(source, (exp.Table, exp.Subquery)) else exp.Subquery(this=source.copy())
    if isinstance(body, exp.Select):
        select = body
    else:
        rows = body.expressions if isinstance(body, exp.Values) else []
        cells = rows[0].expressions if rows and isinstance(rows[0], exp.Tuple) else rows
        select = exp.Select(expressions=list(cells) or [exp.Star()])
    select.set("from_", exp.From(this=from_))
    if conditions:
        select.set("where", exp.Where(this=exp.Tuple(expressions=[condition.copy() for condition in conditions])))
    insert.set("expression", select)
    return trace_insert(insert, walker)
