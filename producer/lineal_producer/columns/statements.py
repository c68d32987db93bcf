"""From a statement to its target and the relation that fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from lineal_producer.columns.creations import LIST_BY_NAME
from lineal_producer.columns.facts import FILTER
from lineal_producer.columns.merges import MergeWalker
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.select import Walker
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.targets import Assignments, assign, excluded_updates, target_columns
from lineal_producer.columns.values import Problem, constant

CREATED = frozenset({"TABLE", "VIEW"})
# Statements that neither make nor move data.
SILENT = (
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Set,
    exp.Use,
    exp.Pragma,
    exp.Comment,
    exp.Analyze,
    exp.Grant,
    exp.Drop,
    exp.TruncateTable,
    exp.Declare,
)


@dataclass(slots=True)
class Traced:
    """What one statement gives: its target and relation, or why it could not be traced."""

    target: exp.Table | None = None
    relation: Relation | None = None
    problem: Problem | None = None
    # A target that this statement makes is followed where a later statement reads it.
    creates: bool = False
    temporary: bool = False


def trace_statement(node: exp.Expr, walker: Walker) -> Traced:
    """The target and relation of one statement."""
    for kinds, handler in HANDLERS:
        if isinstance(node, kinds):
            return handler(node, walker)
    if isinstance(node, SILENT) and node.find(exp.Query) is None:
        return Traced()
    what = node.name.split()[0].upper() if isinstance(node, exp.Command) and node.name else node.key.upper()
    return unsupported(f"{what} statements are not traced")


def unsupported(message: str) -> Traced:
    """A statement that is not traced."""
    return Traced(problem=Problem("unsupported_statement", message))


def trace_query(node: exp.Expr, walker: Walker) -> Traced:
    """A query, and SELECT … INTO."""
    into = node.args.get("into")
    target = into.this if isinstance(into, exp.Into) and isinstance(into.this, exp.Table) else None
    temporary = isinstance(into, exp.Into) and bool(into.args.get("temporary"))
    return Traced(target, walker.query(node, None, {}), creates=target is not None, temporary=temporary)


def trace_create(node: exp.Expr, walker: Walker) -> Traced:
    """CREATE TABLE … AS, CREATE VIEW and CREATE TABLE … CLONE."""
    kind = str(node.args.get("kind") or "").upper()
    body = node.args.get("expression")
    holder = node.this
    target = holder.this if isinstance(holder, exp.Schema) else holder
    clone = node.args.get("clone")
    if kind not in CREATED or not isinstance(target, exp.Table):
        return unsupported(f"CREATE {kind} statements are not traced")
    if isinstance(clone, exp.Clone) and isinstance(clone.this, exp.Table):
        select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=clone.this))
        return Traced(target, walker.query(select, None, {}), creates=True)
    if not isinstance(body, (exp.Query, exp.Pivot)):
        return Traced(target, problem=Problem("unsupported_statement", f"CREATE {kind} without a query is not traced"))
    relation = walker.query(body, None, with_of(node, walker))
    if isinstance(holder, exp.Schema) and kind == "TABLE" and walker.names.dialect in LIST_BY_NAME:
        relation = with_defined(relation, holder, walker)
    elif isinstance(holder, exp.Schema):
        columns = [part.this if isinstance(part, exp.ColumnDef) else part for part in holder.expressions]
        relation = renamed_columns(relation, [walker.names.ident(c) for c in columns if isinstance(c, exp.Identifier)])
    properties = node.args.get("properties")
    temporary = properties is not None and properties.find(exp.TemporaryProperty) is not None
    return Traced(target, relation, creates=True, temporary=temporary)


def with_defined(relation: Relation, holder: exp.Schema, walker: Walker) -> Relation:
    """MySQL's CREATE TABLE (…) SELECT: columns meet by name; those that only the list has come first, and are empty."""
    idents = [walker.names.ident(part.this) for part in holder.expressions if isinstance(part, exp.ColumnDef)]
    if relation.is_open:
        return relation
    given = {column.key for column in relation.columns}
    own: list[OutCol | Hole] = [OutCol(i.stored, i.key, constant()) for i in idents if i.key not in given]
    return Relation(own + relation.items, relation.rows, relation.problems)


def with_of(node: exp.Expr, walker: Walker) -> dict[str, Relation]:
    """The CTEs before a statement."""
    with_ = node.args.get("with_")
    return walker.with_ctes(with_, None, {}) if isinstance(with_, exp.With) else {}


def trace_insert(node: exp.Expr, walker: Walker) -> Traced:
    """INSERT … SELECT: by the column list, by name, else by the target's known columns."""
    holder = node.this
    target = holder.this if isinstance(holder, exp.Schema) else holder
    body = node.args.get("expression")
    if not isinstance(target, exp.Table) or not isinstance(body, (exp.Query, exp.Values)):
        return unsupported("INSERT without a query is not traced")
    relation = walker.query(body, None, with_of(node, walker))
    listed = [walker.names.ident(part) for part in holder.expressions] if isinstance(holder, exp.Schema) else []
    if not listed and not node.args.get("by_name"):
        known = target_columns(target, walker)
        static = static_partitions(target)
        listed = [ident for ident in known if ident.key not in static][: len(relation.items)]
        if relation.is_open or len(list(relation.columns)) > len(known) - len(static):
            listed = [] if relation.is_open or not known else listed
    relation = renamed_columns(relation, listed)
    conflict = node.args.get("conflict")
    if isinstance(conflict, exp.OnConflict):
        relation = excluded_updates(conflict, relation, target, walker)
    return Traced(target, relation)


def static_partitions(target: exp.Table) -> set[str]:
    """The columns that INSERT … PARTITION (c = value) fills by a constant."""
    partition = target.args.get("partition")
    nodes = partition.expressions if isinstance(partition, exp.Partition) else []
    return {node.this.name.lower() for node in nodes if isinstance(node, exp.EQ)}


def trace_update(node: exp.Expr, walker: Walker) -> Traced:
    """UPDATE: the columns that it sets; what it reads to choose rows decides about rows."""
    scope = Scope(walker.names, None, with_of(node, walker))
    relation = Relation()
    behind = table_behind(node)
    clause = FromClause(walker, scope, relation.rows, relation.problems)
    target = updated_table(node, walker)
    if target is None:
        return unsupported("UPDATE of what is not a table is not traced")
    if target is node.this:
        clause.add(target)
    clause.walk(node)
    assignments = Assignments()
    for part in node.expressions:
        assign(part, scope, walker, assignments)
    where = node.args.get("where")
    decides = walker.evaluator.facts([where.this if isinstance(where, exp.Where) else None], scope, FILTER)
    relation.rows.update(decides.facts)
    relation.problems.update(decides.problems)
    relation.items = list(assignments.columns())
    return Traced(behind or target, relation)


def table_behind(node: exp.Expr) -> exp.Table | None:
    """The table that an UPDATE of a CTE changes, None when it names no CTE over one table."""
    with_ = node.args.get("with_")
    for cte in with_.expressions if isinstance(with_, exp.With) else []:
        from_ = cte.this.args.get("from_") if isinstance(cte.this, exp.Select) else None
        if cte.alias.lower() == node.this.name.lower() and isinstance(from_, exp.From):
            return from_.this if isinstance(from_.this, exp.Table) else None
    return None


def updated_table(node: exp.Expr, walker: Walker) -> exp.Table | None:
    """The table that UPDATE changes: where its name is an alias of FROM, the table behind that."""
    target = node.this
    if not isinstance(target, exp.Table):
        return None
    from_ = node.args.get("from_")
    if isinstance(from_, exp.From) and not target.args.get("db"):
        wanted = walker.names.fold(target.name)
        joined = [join.this for join in from_.this.args.get("joins") or []]
        joined += [join.this for join in node.args.get("joins") or []]
        for item in [from_.this, *joined]:
            if isinstance(item, exp.Table) and item.alias and walker.names.fold(item.alias) == wanted:
                return item
            if isinstance(item, exp.Table) and not item.alias and walker.names.fold(item.name) == wanted:
                return item
    return target


def trace_merge(node: exp.Expr, walker: Walker) -> Traced:
    """MERGE: each branch's columns; ON joins, conditions filter."""
    target = node.this
    if not isinstance(target, exp.Table):
        return unsupported("MERGE into what is not a table is not traced")
    scope = Scope(walker.names, None, with_of(node, walker))
    rows = Relation()
    clause = FromClause(walker, scope, rows.rows, rows.problems)
    clause.add(target)
    into = scope.sources[0]
    using = clause.add(node.args["using"])
    relation = MergeWalker(walker, scope, into, using, rows).walk(node)
    nothing = Problem("unsupported_statement", "the MERGE only deletes: it fills no column")
    return Traced(target, relation, None if relation.items else nothing)


def trace_copy(node: exp.Expr, walker: Walker) -> Traced:
    """COPY (query) TO file."""
    inner = node.this
    if not isinstance(inner, exp.Subquery):
        return unsupported("COPY without a query is not traced")
    return Traced(None, walker.query(inner, None, {}))


def trace_multi_insert(node: exp.Expr, walker: Walker) -> Traced:
    """Hive's FROM … INSERT with one target."""
    source = node.args.get("source")
    inserts = node.expressions
    if len(inserts) != 1 or not isinstance(source, exp.Expr) or not isinstance(inserts[0].expression, exp.Select):
        return unsupported("FROM … INSERT into several tables is not traced")
    inserts[0].expression.set("from_", exp.From(this=source))
    return trace_insert(inserts[0], walker)


Handler = Callable[[exp.Expr, Walker], Traced]
HANDLERS: tuple[tuple[tuple[type[exp.Expr], ...], Handler], ...] = (
    ((exp.Create,), trace_create),
    ((exp.Query, exp.Pivot, exp.Values), trace_query),
    ((exp.Insert,), trace_insert),
    ((exp.Update,), trace_update),
    ((exp.Merge,), trace_merge),
    ((exp.Copy,), trace_copy),
    ((exp.MultitableInserts,), trace_multi_insert),
)
