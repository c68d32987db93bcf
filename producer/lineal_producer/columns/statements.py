"""From a statement to its target and the relation that fills it."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from lineal_producer.columns.creations import LIST_BY_NAME
from lineal_producer.columns.dialects import spelled
from lineal_producer.columns.facts import FILTER
from lineal_producer.columns.inserts import trace_insert, trace_multi_insert
from lineal_producer.columns.merges import MergeWalker
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.select import Walker
from lineal_producer.columns.sources import FromClause
from lineal_producer.columns.targets import Assignments, assign, target_columns
from lineal_producer.columns.traced import Traced, unsupported, with_of
from lineal_producer.columns.upkeep import first_word, says_nothing
from lineal_producer.columns.values import Problem, constant
from lineal_producer.columns.variables import (
    assigns_variables,
    defined_columns,
    name_table_variables,
    read_assignments,
    read_into,
    read_variables,
)

TABLE_VARIABLES = frozenset({"tsql", "fabric"})
CREATED = frozenset({"TABLE", "VIEW"})
# What only gives an expression a name.
DEFINITIONS = frozenset({"FUNCTION", "MACRO"})
QUERY_WORDS = re.compile(r"\b(?:from|join|insert|merge|update|execute|call)\b", re.IGNORECASE)


def trace_statement(node: exp.Expr, walker: Walker) -> Traced:
    """The target and relation of one statement."""
    if walker.names.dialect in TABLE_VARIABLES:
        name_table_variables(node)
    for kinds, handler in HANDLERS:
        if isinstance(node, kinds):
            return handler(node, walker)
    if isinstance(node, (exp.Set, exp.Declare)) and read_variables(node, walker):
        return Traced()
    if says_nothing(node, walker.names):
        return Traced()
    if is_dynamic(node):
        return Traced(problem=Problem("dynamic_sql", "a statement is put together as text and run by EXECUTE"))
    return unsupported(f"{first_word(node, walker.names)} statements are not traced")


def is_dynamic(node: exp.Expr) -> bool:
    """Whether a statement runs another that it has as text."""
    if isinstance(node, exp.Command):
        rest = str(node.args.get("expression") or "").lstrip("( ").upper()
        return str(node.this).upper() in ("EXECUTE", "EXEC") and rest.startswith(("IMMEDIATE", "'", "N'", "$", "@"))
    return isinstance(node, exp.ExecuteSql) or (isinstance(node, exp.Execute) and isinstance(node.this, exp.Subquery))


def trace_query(node: exp.Expr, walker: Walker) -> Traced:
    """A query, and SELECT … INTO."""
    if isinstance(node, exp.Select) and assigns_variables(node):
        read_assignments(node, walker)
        return Traced()
    into = node.args.get("into")
    if isinstance(into, exp.Into) and isinstance(into.this, exp.Table) and isinstance(into.this.this, exp.Parameter):
        # MySQL's SELECT … INTO @variable.
        read_into(node, [into.this.this], walker)
        return Traced()
    target = into.this if isinstance(into, exp.Into) and isinstance(into.this, exp.Table) else None
    temporary = isinstance(into, exp.Into) and bool(into.args.get("temporary"))
    temporary = temporary or (target is not None and spelled(target.this).startswith("#"))
    return Traced(target, walker.query(node, None, {}), creates=target is not None, temporary=temporary)


def trace_create(node: exp.Expr, walker: Walker) -> Traced:
    """CREATE TABLE … AS, CREATE VIEW and CREATE TABLE … CLONE."""
    kind = str(node.args.get("kind") or "").upper()
    body = node.args.get("expression")
    holder = node.this
    target = holder.this if isinstance(holder, exp.Schema) else holder
    clone = node.args.get("clone")
    if (kind in DEFINITIONS and reads_nothing(body, node)) or says_nothing(node, walker.names):
        return Traced()
    if kind not in CREATED or not isinstance(target, exp.Table):
        return unsupported(f"CREATE {kind} statements are not traced")
    if isinstance(clone, exp.Clone) and isinstance(clone.this, exp.Table):
        select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=clone.this))
        return Traced(target, walker.query(select, None, {}), creates=True)
    if not isinstance(body, (exp.Query, exp.Pivot)):
        if isinstance(holder, exp.Schema):
            walker.declared[walker.key_of(target)] = defined_columns(holder, walker)
        if is_temporary(node, target):
            walker.temporary.add(walker.key_of(target))
        return Traced(target, problem=Problem("unsupported_statement", f"CREATE {kind} without a query is not traced"))
    relation = walker.query(body, None, with_of(node, walker))
    fed = node.find(exp.ToTableProperty)
    if fed is not None and isinstance(fed.this, exp.Table):
        # ClickHouse's materialized view fills another table.
        target = fed.this
    if isinstance(holder, exp.Schema) and kind == "TABLE" and walker.names.dialect in LIST_BY_NAME:
        relation = with_defined(relation, holder, walker)
    elif isinstance(holder, exp.Schema):
        columns = [part.this if isinstance(part, exp.ColumnDef) else part for part in holder.expressions]
        relation = renamed_columns(relation, [walker.names.ident(c) for c in columns if isinstance(c, exp.Identifier)])
    return Traced(target, relation, creates=True, temporary=is_temporary(node, target))


def reads_nothing(body: object, node: exp.Expr) -> bool:
    """Whether a function's text is known to read no relation: it has no query, or is no SQL."""
    if isinstance(body, (exp.RawString, exp.Literal, exp.Heredoc)):
        language = node.find(exp.LanguageProperty)
        is_sql = language is None or language.this.name.lower() in ("sql", "plpgsql")
        return not is_sql or QUERY_WORDS.search(body.name) is None
    return isinstance(body, exp.Expr) and not isinstance(body, exp.Block) and node.find(exp.Query) is None


def is_temporary(node: exp.Expr, target: exp.Table) -> bool:
    """Whether a table that a statement makes is gone with the session."""
    properties = node.args.get("properties")
    return spelled(target.this).startswith("#") or (
        properties is not None and properties.find(exp.TemporaryProperty) is not None
    )


def with_defined(relation: Relation, holder: exp.Schema, walker: Walker) -> Relation:
    """MySQL's CREATE TABLE (…) SELECT: columns meet by name; those that only the list has come first, and are empty."""
    idents = [walker.names.ident(part.this) for part in holder.expressions if isinstance(part, exp.ColumnDef)]
    if relation.is_open:
        return relation
    given = {column.key for column in relation.columns}
    own: list[OutCol | Hole] = [OutCol(i.stored, i.key, constant()) for i in idents if i.key not in given]
    return Relation(own + relation.items, relation.rows, relation.problems)


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
        wanted = walker.names.fold(spelled(target.this))
        joined = [join.this for join in from_.this.args.get("joins") or []]
        joined += [join.this for join in node.args.get("joins") or []]
        for item in [from_.this, *joined]:
            if isinstance(item, exp.Table) and item.alias and walker.names.fold(item.alias) == wanted:
                return item
            if isinstance(item, exp.Table) and not item.alias and walker.names.fold(spelled(item.this)) == wanted:
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
    """COPY (query) TO file; COPY INTO a table or a stage FROM (query)."""
    inner = node.this
    queries = [part for part in node.args.get("files") or [] if isinstance(part, exp.Subquery)]
    if isinstance(inner, exp.Subquery):
        return Traced(None, walker.query(inner, None, {}))
    target = inner.this if isinstance(inner, exp.Schema) else inner
    if len(queries) != 1 or not isinstance(target, exp.Table):
        return unsupported("COPY without a query is not traced")
    relation = walker.query(queries[0], None, {})
    if not isinstance(target.this, exp.Identifier):
        return Traced(None, relation)
    listed = [walker.names.ident(part) for part in inner.expressions] if isinstance(inner, exp.Schema) else []
    listed = listed or target_columns(target, walker)[: len(relation.items)]
    return Traced(target, renamed_columns(relation, listed))


def trace_export(node: exp.Expr, walker: Walker) -> Traced:
    """BigQuery's EXPORT DATA: the query, whose rows go to files."""
    if not isinstance(node.this, exp.Query):
        return unsupported("EXPORT without a query is not traced")
    return Traced(None, walker.query(node.this, None, {}))


def trace_cache(node: exp.Expr, walker: Walker) -> Traced:
    """Spark's CACHE TABLE name AS query: a view of the session."""
    body = node.args.get("expression")
    if not isinstance(node.this, exp.Table) or not isinstance(body, exp.Query):
        return Traced()
    return Traced(node.this, walker.query(body, None, {}), creates=True, temporary=True)


Handler = Callable[[exp.Expr, Walker], Traced]
HANDLERS: tuple[tuple[tuple[type[exp.Expr], ...], Handler], ...] = (
    ((exp.Create,), trace_create),
    ((exp.Query, exp.Pivot, exp.Values), trace_query),
    ((exp.Insert,), trace_insert),
    ((exp.Update,), trace_update),
    ((exp.Merge,), trace_merge),
    ((exp.Copy,), trace_copy),
    ((exp.Export,), trace_export),
    ((exp.Cache,), trace_cache),
    ((exp.MultitableInserts,), trace_multi_insert),
)
