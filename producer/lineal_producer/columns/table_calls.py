"""Calls in FROM: what a function of its arguments gives, and functions that stand for a file or a relation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.calls import (
    argument_nodes,
    by_pair,
    declared_columns,
    exploded,
    file_paths,
    inline_of,
    is_option,
    json_table_columns,
    opaque,
    output_names,
    sql_name,
    stack_columns,
    with_file_name,
    with_inputs,
    xml_table_columns,
)
from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import COUNTED, TRANSFORMATION, compose
from lineal_producer.columns.functions import function_name
from lineal_producer.columns.methods import dotted_names
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns, table_relation
from lineal_producer.columns.rowsets import (
    CLICKHOUSE_FILES,
    COUNTERS,
    ELSEWHERE,
    FILES,
    FLATTENED,
    FLATTENED_COUNTERS,
    FLATTENED_VALUE,
    LISTED,
    OUTPUTS,
    TRANSPARENT,
)
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.values import Problem, Value, constant, merge

SPARKS = frozenset({"spark", "databricks"})
# Where a function that reads a file may say which columns it has.
DECLARING = frozenset({"clickhouse", "duckdb"})
# What stands where a relation's name is given as text, a variable or a parameter.
TEXTS = (exp.Literal, exp.RawString, exp.Parameter, exp.Placeholder)


def item_aliases(node: exp.Expr, names: Names) -> tuple[Ident | None, list[Ident]]:
    """An item's alias and its column aliases."""
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return None, []
    columns = [
        names.ident(column.this if isinstance(column, exp.ColumnDef) else column)
        for column in alias.args.get("columns") or []
    ]
    return (names.ident(alias.this) if isinstance(alias.this, exp.Identifier) else None), columns


def column_of(ident: Ident, value: Value) -> OutCol:
    """A column under an identifier."""
    return OutCol(ident.stored, ident.key, value)


def element_of(node: exp.Expr, scope: Scope, evaluator: Evaluator) -> Value:
    """One element of an array expression."""
    value = evaluator.value(node, scope)
    inner = value.get_element()
    facts = compose(inner.facts, TRANSFORMATION)
    return Value(facts, inner.problems, lazy=lambda: inner.shape, typed=inner.typed)


# Rows of the elements of a JSON array.
JSON_ELEMENTS = frozenset({"json_array_elements", "jsonb_array_elements"})


class TableCalls:
    """Relations of calls in FROM."""

    def __init__(
        self,
        names: Names,
        catalog: Catalog,
        evaluator: Evaluator,
        read: dict[tuple[str, ...], None],
        named: Callable[[list[Ident]], Relation],
    ) -> None:
        self.names = names
        # The relation that a name means in the query around the item.
        self.named = named
        self.catalog = catalog
        self.evaluator = evaluator
        self.read = read

    def function(self, node: exp.Expr, scope: Scope, holder: exp.Expr) -> tuple[Relation, Value | None]:
        """A function in FROM."""
        while sql_name(node) == "table" and len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Func):
            if self.names.dialect == "oracle" and isinstance(node.expressions[0], exp.Cast):
                return self.collection(node.expressions[0], scope, holder), None
            node = node.expressions[0]
        node = inline_of(node)
        if isinstance(node, exp.Window):
            keys = self.evaluator.facts([node], scope, TRANSFORMATION)
            keys.facts.pop((scope.counted, COUNTED, False))
            relation, _ = self.function(node.this, scope, holder)
            return with_inputs(relation, keys), None
        name = sql_name(node)
        named = self.named_elsewhere(node, name, scope, holder)
        if named is not None:
            return named, None
        if name not in TRANSPARENT and function_name(node) not in TRANSPARENT:
            return self.opaque_function(node, name, scope, holder), None
        alias, aliases = item_aliases(holder, self.names)
        aliases, ordinal = self.ordinal(name, aliases, holder)
        if isinstance(node, (exp.Explode, exp.Posexplode, exp.Inline)) and isinstance(node.this, exp.Expr):
            value = element_of(
                node.this.expression if isinstance(node.this, exp.Kwarg) else node.this, scope, self.evaluator
            )
        elif name in JSON_ELEMENTS and len(node.expressions) == 1:
            value = element_of(node.expressions[0], scope, self.evaluator)
        else:
            value = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
        items = self.function_columns(node, value, aliases, alias, scope)
        scalar = value if len(items) == 1 and not aliases else None
        items += [column_of(ident, constant()) for ident in ordinal]
        return Relation(items), scalar

    def named_elsewhere(self, node: exp.Expr, name: str, scope: Scope, holder: exp.Expr) -> Relation | None:
        """The relation of a function that stands for one: a file, a name as text, a server's table; else None."""
        dialect = self.names.dialect
        if name in ("dynamicidentifier", "identifier", "query_table"):
            return self.dynamic_name(next(iter(argument_nodes(node)), None), holder)
        if isinstance(node, TEXTS) and not node.name.startswith("@"):
            return self.dynamic_name(node, holder)
        if name == "nodes" and isinstance(node, exp.Dot) and dialect in ("tsql", "fabric"):
            return self.xml_nodes(node, scope, holder)
        if dialect == "clickhouse" and name in ELSEWHERE:
            return self.elsewhere(node, name, scope, holder)
        if dialect == "oracle" and name == "table" and isinstance(next(iter(node.expressions), None), exp.Column):
            return self.collection(node.expressions[0], scope, holder)
        if dialect == "oracle" and name == "table" and any(sql_name(part) in LISTED for part in node.expressions):
            value = self.evaluator.facts(argument_nodes(node.expressions[0]), scope, TRANSFORMATION)
            aliases = item_aliases(holder, self.names)[1] or [self.names.make("column_value")]
            return Relation([column_of(aliases[0], value)])
        if name in FILES or (dialect == "clickhouse" and name in CLICKHOUSE_FILES):
            return self.file(node, holder)
        if isinstance(node, exp.Dot) and node.this.name.lower() == "information_schema":
            # The catalog's own functions give metadata, which is no column of any relation.
            whole = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
            return renamed_columns(Relation([Hole(Relation(), whole=whole)]), item_aliases(holder, self.names)[1])
        return None

    def ordinal(self, name: str, aliases: list[Ident], holder: exp.Expr) -> tuple[list[Ident], list[Ident]]:
        """The names of a function's own columns, and WITH ORDINALITY's name behind them if it has one."""
        if not holder.args.get("ordinality"):
            return aliases, []
        width = len(OUTPUTS.get(name, ("",)))
        return aliases[:width], aliases[width : width + 1] or [self.names.make("ordinality")]

    def function_columns(
        self, node: exp.Expr, value: Value, aliases: list[Ident], alias: Ident | None, scope: Scope
    ) -> list[OutCol | Hole]:
        """The columns of a function whose rows are made of its arguments."""
        name = sql_name(node)
        shape = value.shape
        if isinstance(node, exp.Inline) and shape is not None and shape.fields is not None:
            fields = list(shape.fields.values())
            named = [aliases[i] if i < len(aliases) else self.names.make(field) for i, (field, _) in enumerate(fields)]
            return [column_of(ident, inner) for ident, (_, inner) in zip(named, fields, strict=True)]
        if isinstance(node, exp.Explode) and self.names.dialect == "snowflake":
            return self.flattened(value, aliases)
        if isinstance(node, exp.OpenJSON) and node.expressions:
            aliases = aliases or [self.names.ident(part.this) for part in node.expressions]
        if isinstance(node, (exp.JSONTable, exp.XMLTable)):
            declared = json_table_columns if isinstance(node, exp.JSONTable) else xml_table_columns
            counted = declared(node, self.names)
            named = aliases or [ident for ident, _ in counted]
            values = [constant() if counts else value for _, counts in counted]
            return [column_of(ident, inner) for ident, inner in zip(named, values, strict=False)]
        if name == "stack":
            return self.stacked(node, value, aliases, scope)
        if isinstance(node, (exp.Explode, exp.Posexplode)) and aliases:
            places = [constant()] if isinstance(node, exp.Posexplode) else []
            parts = by_pair(value, self.evaluator.value(node.this, scope).shape, len(aliases) - len(places))
            return [column_of(ident, part) for ident, part in zip(aliases, [*places, *parts], strict=True)]
        if isinstance(node, (exp.Explode, exp.Posexplode)) and not aliases and self.names.dialect in SPARKS:
            place = [column_of(self.names.make("pos"), constant())] if isinstance(node, exp.Posexplode) else []
            return [*place, *exploded(value, self.evaluator.value(node.this, scope).shape)]
        named = aliases or [self.names.make(output) for output in output_names(name, self.names.dialect)]
        if named:
            counters = COUNTERS.get(name, frozenset())
            return [column_of(ident, constant() if i in counters else value) for i, ident in enumerate(named)]
        default = alias.name if alias is not None and self.names.dialect in ("postgres", "redshift", "") else name
        return [column_of(self.names.make(default), value)]

    def flattened(self, value: Value, aliases: list[Ident]) -> list[OutCol | Hole]:
        """The columns of Snowflake's FLATTEN; only VALUE has the element's inside."""
        whole = Value(value.facts, value.problems)
        named = aliases or [self.names.make(part) for part in FLATTENED]
        values = [
            constant() if place in FLATTENED_COUNTERS else value if place == FLATTENED_VALUE else whole
            for place in range(len(FLATTENED))
        ]
        return [column_of(ident, inner) for ident, inner in zip(named, values, strict=False)]

    def stacked(self, node: exp.Expr, value: Value, aliases: list[Ident], scope: Scope) -> list[OutCol | Hole]:
        """The columns of stack(n, …): its arguments laid out in n rows."""
        columns = stack_columns(node)
        if columns is None:
            return [column_of(ident, value) for ident in aliases]
        named = aliases or [self.names.make(f"col{position}") for position in range(len(columns))]
        return [
            column_of(ident, merge([self.evaluator.value(part, scope) for part in parts]))
            for ident, parts in zip(named, columns, strict=False)
        ]

    def file(self, node: exp.Expr, holder: exp.Expr) -> Relation:
        """Files read in place: relations named by their paths; of several, each has the column."""
        paths = file_paths(argument_nodes(node))
        if not paths:
            return opaque("a file whose path is not constant is read", "dynamic_sql")
        for path in paths:
            self.read[self.catalog.find_file(path).relation] = None
        by_name = any(is_option(part, "union_by_name") for part in argument_nodes(node))
        table = self.catalog.find_files(paths, by_name)
        if self.names.dialect in DECLARING and table.columns is None:
            table = replace(table, columns=declared_columns(argument_nodes(node), self.names))
        relation = table_relation(table, self.names)
        if self.names.dialect == "duckdb" and any(is_option(part, "filename") for part in argument_nodes(node)):
            relation = with_file_name(relation)
        return renamed_columns(relation, item_aliases(holder, self.names)[1])

    def dynamic_name(self, name: exp.Expr | None, holder: exp.Expr) -> Relation:
        """IDENTIFIER() or TABLE(): the relation of a constant name; of a variable, nobody knows."""
        if not isinstance(name, (exp.Literal, exp.RawString)) or (isinstance(name, exp.Literal) and not name.is_string):
            return opaque("the name of a relation is computed", "dynamic_sql")
        try:
            table = exp.to_table(name.name, dialect=self.names.grammar)
        except SqlglotError:
            return opaque("the text that names a relation can't be read", "dynamic_sql")
        parts = [self.names.ident(part) for part in table.parts if isinstance(part, exp.Identifier)]
        return renamed_columns(self.named(parts), item_aliases(holder, self.names)[1])

    def elsewhere(self, node: exp.Expr, name: str, scope: Scope, holder: exp.Expr) -> Relation:
        """ClickHouse's remote(), cluster() and view(): a relation of another server, or a query."""
        arguments = argument_nodes(node)
        last = arguments[-1] if arguments else None
        if isinstance(last, exp.Query):
            return renamed_columns(self.evaluator.run_query(last, scope), item_aliases(holder, self.names)[1])
        if isinstance(last, exp.Anonymous) and sql_name(last) == "view":
            return self.elsewhere(last, "view", scope, holder)
        first = 1 if name.startswith(("cluster", "remote")) else 0
        # The database and the table, as one name, as two names or as texts; what follows are users and the like.
        names: list[Ident] = []
        for part in arguments[first : first + 2]:
            if len(names) > 1:
                break
            if not isinstance(part, (exp.Column, exp.Literal)):
                return self.opaque_function(node, name, scope, holder)
            parts: list[exp.Expr | str] = list(part.parts) if isinstance(part, exp.Column) else [part.name]
            names += [self.names.ident(one) for one in parts]
        if not names:
            return self.opaque_function(node, name, scope, holder)
        return renamed_columns(self.named(names[:2]), item_aliases(holder, self.names)[1])

    def collection(self, node: exp.Expr, scope: Scope, holder: exp.Expr) -> Relation:
        """Oracle's TABLE(column): the elements of a nested table, under names that its type gives."""
        value = element_of(node, scope, self.evaluator)
        _, aliases = item_aliases(holder, self.names)
        if aliases:
            return Relation([column_of(ident, value) for ident in aliases])
        return Relation([Hole(Relation(), whole=value)])

    def xml_nodes(self, node: exp.Dot, scope: Scope, holder: exp.Expr) -> Relation:
        """T-SQL's column.nodes(path): parts of an XML column."""
        parts = [self.names.ident(part) for part in dotted_names(node.this)]
        value = scope.resolve(parts).used(TRANSFORMATION) if parts else self.evaluator.value(node.this, scope)
        return Relation([column_of(ident, value) for ident in item_aliases(holder, self.names)[1]])

    def opaque_function(self, node: exp.Expr, name: str, scope: Scope, holder: exp.Expr) -> Relation:
        """A function that returns a table in a way that the SQL does not tell."""
        problem = Problem("opaque_function", f"the table function {name} is not traced")
        used = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
        _, aliases = item_aliases(holder, self.names)
        # Its arguments may be names of its own language: what can't be resolved among them is no news.
        value = Value(used.facts, {problem: None})
        if aliases:
            return Relation([column_of(ident, value) for ident in aliases])
        return Relation([Hole(Relation(), problem=problem, whole=value)])
