"""Variables of SQL scripts: a value that one statement computes and a later one reads."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.relation import OutCol, Relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.select import Walker
from lineal_producer.columns.targets import row_values
from lineal_producer.columns.unions import union_by_position
from lineal_producer.columns.values import Problem, Value, constant

UNFILLED = Problem("unsupported_statement", "a table is filled in ways that differ in their columns")


def assigns_variables(node: exp.Expr) -> bool:
    """Whether a query only puts values into variables, as T-SQL's SELECT @x = … does."""
    return (
        isinstance(node, exp.Select)
        and bool(node.expressions)
        and all(isinstance(part, exp.EQ) and isinstance(part.this, exp.Parameter) for part in node.expressions)
    )


def read_assignments(node: exp.Select, walker: Walker) -> None:
    """Keeps what SELECT @x = … puts into its variables: the values, and what chooses the row they come from."""
    targets = [variable_name(part.this) for part in node.expressions]
    aliased = [exp.alias_(part.expression, f"v{place}") for place, part in enumerate(node.expressions)]
    query = node.copy()
    query.set("expressions", aliased)
    keep(targets, query, walker)


def read_into(node: exp.Expr, variables: list[exp.Expr], walker: Walker) -> None:
    """Keeps what a query puts into variables by its INTO."""
    query = node.copy()
    query.set("into", None)
    keep([variable_name(part) for part in variables], query, walker)


def keep(names: list[str], query: exp.Expr, walker: Walker) -> None:
    """Keeps the columns of a query's row as variables."""
    relation = walker.query(query, None, {})
    for name, column in zip(names, relation.columns, strict=False):
        whole = column.value.plus(Value(relation.rows, relation.problems))
        walker.evaluator.variables[name] = whole


def read_variables(node: exp.Expr, walker: Walker) -> bool:
    """Keeps what a DECLARE or SET puts into variables; False where the statement says something else as well."""
    scope = Scope(walker.names)
    done = True
    for item in node.expressions:
        if isinstance(item, exp.DeclareItem):
            declare(item, scope, walker)
        elif isinstance(item, exp.SetItem) and isinstance(item.this, exp.EQ):
            put(item.this, scope, walker)
        else:
            done = False
    return done


def declare(item: exp.DeclareItem, scope: Scope, walker: Walker) -> None:
    """One DECLARE: a value for its names, or a table variable's columns."""
    kind, default = item.args.get("kind"), item.args.get("default")
    named = item.this if isinstance(item.this, list) else [item.this]
    value = walker.evaluator.value(default, scope) if isinstance(default, exp.Expr) else constant()
    for part in named:
        if isinstance(kind, exp.Schema):
            key = walker.key_of(exp.Table(this=exp.to_identifier("@" + variable_name(part))))
            walker.declared[key] = defined_columns(kind, walker)
            walker.temporary.add(key)
        else:
            walker.evaluator.variables[variable_name(part)] = value


def defined_columns(schema: exp.Schema, walker: Walker) -> list[Ident]:
    """The columns that a table's definition lists."""
    return [walker.names.ident(column.this) for column in schema.expressions if isinstance(column, exp.ColumnDef)]


def name_table_variables(node: exp.Expr) -> None:
    """Gives T-SQL's table variables a name like any other relation's."""
    for table in node.find_all(exp.Table):
        if isinstance(table.this, exp.Parameter) and not isinstance(table.this.this, exp.Literal):
            table.set("this", exp.to_identifier("@" + variable_name(table.this)))


def put(node: exp.EQ, scope: Scope, walker: Walker) -> None:
    """One SET: a value, or a row of them."""
    left, right = node.this, node.expression
    if isinstance(left, (exp.Tuple, exp.Paren)):
        names = left.expressions if isinstance(left, exp.Tuple) else [left.this]
        values = row_values(right, scope, walker)
    else:
        names, values = [left], [walker.evaluator.value(right, scope)]
    for part, value in zip(names, values, strict=False):
        walker.evaluator.variables[variable_name(part)] = value


def variable_name(node: exp.Expr | str) -> str:
    """A variable's name, which every dialect compares without case."""
    return (node if isinstance(node, str) else node.name).lower()


def filled(before: Relation | None, relation: Relation, columns: list[Ident]) -> Relation:
    """What a table that the text itself made holds after one more INSERT: each column any of what was put there."""
    given = {column.key: column for column in relation.columns}
    items = [
        OutCol(ident.stored, ident.key, given[ident.key].value if ident.key in given else constant())
        for ident in columns
    ]
    now = Relation([*items], dict(relation.rows), dict(relation.problems))
    if relation.is_open:
        now.items = [OutCol(item.name, item.key, Value({}, {UNFILLED: None})) for item in items]
    if before is None:
        return now
    both = union_by_position(before, now, UNFILLED)
    both.rows = {**before.rows, **now.rows}
    both.problems = {**before.problems, **now.problems}
    return both
