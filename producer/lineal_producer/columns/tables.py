"""FROM items that are computed: UNNEST, EXPLODE, FLATTEN, VALUES, generators, files and table functions."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.calls import (
    argument_nodes,
    file_paths,
    is_option,
    json_table_columns,
    opaque,
    output_names,
    row_parts,
    sql_name,
    stack_columns,
    value_rows,
    value_structure,
    with_file_name,
    with_inputs,
)
from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import TRANSFORMATION, compose
from lineal_producer.columns.functions import function_name
from lineal_producer.columns.methods import dotted_names
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns, table_relation
from lineal_producer.columns.rowsets import (
    CLICKHOUSE_FILES,
    DEFAULT_NAMES,
    ELSEWHERE,
    FILES,
    OUTPUTS,
    TRANSPARENT,
)
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.values import Problem, Value, constant, merge

# What stands where a relation's name is given as text, a variable or a parameter.
TEXTS = (exp.Literal, exp.RawString, exp.Parameter, exp.Placeholder)
UNPLACED = Problem("ambiguous_column", "UNNEST of arrays whose element types are not known gives columns by position")


class TableFunctions:
    """Relations of computed FROM items."""

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

    def relation(self, node: exp.Expr, scope: Scope) -> tuple[Relation, Value | None]:
        """The relation of an item; and, where its name also means its only value, that value."""
        if isinstance(node, exp.Values):
            return self.values(node, scope), None
        if isinstance(node, exp.Unnest):
            return self.unnest(node, scope, node)
        if isinstance(node, (exp.Lateral, exp.TableFromRows, exp.Table)):
            inner = node.this
            if isinstance(inner, exp.Unnest):
                return self.unnest(inner, scope, node)
            if isinstance(inner, exp.Expr):
                return self.function(inner, scope, node)
            if node.args.get("rows_from"):
                return self.rows_from(node.args["rows_from"], scope, node), None
        if isinstance(node, (exp.AtIndex, exp.Pivot)):
            return self.navigation(node, scope)
        return opaque(f"{node.key.upper()} in FROM is not traced"), None

    def default_keys(self, node: exp.Expr) -> tuple[str, ...]:
        """The name of an item without an alias: its function's."""
        inner = node.this if isinstance(node, (exp.Table, exp.Lateral, exp.TableFromRows)) else node
        if isinstance(inner, exp.Unnest):
            alias, aliases = self.aliases(node)
            if self.names.dialect == "bigquery" and alias is None and aliases:
                return (aliases[0].key,)
            return (self.names.fold("unnest"),)
        return (self.names.fold(sql_name(inner)),) if isinstance(inner, exp.Func) else ()

    def aliases(self, node: exp.Expr) -> tuple[Ident | None, list[Ident]]:
        """An item's alias and its column aliases."""
        alias = node.args.get("alias")
        if not isinstance(alias, exp.TableAlias):
            return None, []
        columns = [
            self.names.ident(column.this if isinstance(column, exp.ColumnDef) else column)
            for column in alias.args.get("columns") or []
        ]
        return (self.names.ident(alias.this) if isinstance(alias.this, exp.Identifier) else None), columns

    def values(self, node: exp.Values, scope: Scope) -> Relation:
        """VALUES: each column any of its rows' expressions."""
        columns: list[list[Value]] = []
        for row in value_rows(node, self.names.dialect):
            for position, part in enumerate(row_parts(row)):
                if position == len(columns):
                    columns.append([])
                columns[position].append(self.evaluator.value(part, scope))
        _, aliases = self.aliases(node)
        aliases = aliases or self.structure(node)
        items: list[OutCol | Hole] = []
        first = 0 if self.names.dialect == "duckdb" else 1
        for position, values in enumerate(columns):
            default = DEFAULT_NAMES.get(self.names.dialect, "column{}").format(position + first)
            ident = aliases[position] if position < len(aliases) else self.names.make(default)
            items.append(OutCol(ident.stored, ident.key, merge(values)))
        return Relation(items)

    def structure(self, node: exp.Values) -> list[Ident]:
        """The column names in the text that ClickHouse's VALUES begins with."""
        text = value_structure(node, self.names.dialect)
        return [self.names.make(part.split()[0]) for part in text.split(",") if part.split()]

    def unnest(self, node: exp.Unnest, scope: Scope, holder: exp.Expr) -> tuple[Relation, Value | None]:
        """UNNEST: a column an array, a struct's fields where the dialect gives those."""
        elements = [self.element(part, scope) for part in node.expressions]
        alias, aliases = self.aliases(holder if holder.args.get("alias") else node)
        offset = node.args.get("offset")
        items: list[OutCol | Hole] = []
        if self.names.dialect == "bigquery":
            value = elements[0] if elements else constant()
            items += self.element_columns(node, value, aliases[0] if aliases else alias)
            if isinstance(offset, exp.Identifier):
                items.append(self.column(self.names.ident(offset), constant()))
            return Relation(items), value
        spread: list[tuple[str | None, Value]] = []
        for element in elements:
            shape = element.shape
            if shape is not None and shape.fields is not None and self.spreads(aliases, elements):
                spread += [(name, value.reshaped(TRANSFORMATION)) for name, value in shape.fields.values()]
            else:
                spread.append((None, element))
        if len(elements) == 1 and len(spread) == 1:
            # A map gives its keys and its values.
            spread += [(None, elements[0])] * (len(aliases) - 1 - bool(offset is True))
        elif len(aliases) > len(spread):
            # Maps or rows among several arrays: which alias is whose depends on types that are not known.
            unsure = merge(elements)
            unsure.problems = {**unsure.problems, UNPLACED: None}
            spread = [(None, unsure)] * len(aliases)
        for position, (name, value) in enumerate(spread):
            ident = aliases[position] if position < len(aliases) else self.names.make(name or self.single_name(alias))
            items.append(self.column(ident, value))
        if isinstance(offset, exp.Identifier):
            items.append(self.column(self.names.ident(offset), constant()))
        elif offset:
            extra = aliases[len(spread)] if len(aliases) > len(spread) else self.names.make("ordinality")
            items.append(self.column(extra, constant()))
        return Relation(items), elements[0] if len(elements) == 1 and not aliases else None

    def spreads(self, aliases: list[Ident], elements: list[Value]) -> bool:
        """Whether UNNEST of structs gives a column a field."""
        if self.names.dialect in ("trino", "presto", "athena", "postgres"):
            return True
        return not self.names.dialect and len(aliases) != len(elements)

    def single_name(self, alias: Ident | None) -> str:
        """The name of UNNEST's only column."""
        if self.names.dialect in ("postgres", "redshift", "") and alias is not None:
            return alias.name
        return "unnest"

    def element_columns(self, node: exp.Unnest, value: Value, name: Ident | None) -> list[OutCol | Hole]:
        """The columns of BigQuery's UNNEST: the element under its alias, a struct's fields by name."""
        shape = value.shape
        if shape is not None and shape.fields is not None:
            return [OutCol(field, key, inner) for key, (field, inner) in shape.fields.items()]
        if not value.typed and any(isinstance(part, (exp.Column, exp.Dot, exp.Bracket)) for part in node.expressions):
            # Its elements may be structs, whose fields would be the columns.
            return [Hole(Relation(), frozenset({name.key} if name else ()), whole=value)]
        return [self.column(name, value)] if name is not None else []

    def element(self, node: exp.Expr, scope: Scope) -> Value:
        """One element of an array expression."""
        value = self.evaluator.value(node, scope)
        inner = value.get_element()
        facts = compose(inner.facts, TRANSFORMATION)
        return Value(facts, inner.problems, lazy=lambda: inner.shape, typed=inner.typed)

    def navigation(self, node: exp.Expr, scope: Scope) -> tuple[Relation, Value | None]:
        """Redshift's `t.array AS element AT index` and `UNPIVOT t.object AS value AT key`."""
        of_object = isinstance(node, exp.Pivot)
        at_index = node.this if of_object else node
        named, index = at_index.this, at_index.args.get("expression")
        if not isinstance(at_index, exp.AtIndex) or not isinstance(named, exp.Alias):
            return opaque(f"{node.key.upper()} in FROM is not traced"), None
        value = self.element(named.this, scope)
        items: list[OutCol | Hole] = [self.column(self.names.ident(named.args["alias"]), value)]
        if isinstance(index, exp.Identifier):
            items.append(self.column(self.names.ident(index), value if of_object else constant()))
        return Relation(items), None

    def column(self, ident: Ident, value: Value) -> OutCol:
        """A column under an identifier."""
        return OutCol(ident.stored, ident.key, value)

    def function(self, node: exp.Expr, scope: Scope, holder: exp.Expr) -> tuple[Relation, Value | None]:
        """A function in FROM."""
        while sql_name(node) == "table" and len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Func):
            node = node.expressions[0]
        if isinstance(node, exp.Window):
            keys = self.evaluator.facts([node], scope, TRANSFORMATION)
            relation, _ = self.function(node.this, scope, holder)
            return with_inputs(relation, keys), None
        name = sql_name(node)
        named = self.named_elsewhere(node, name, scope, holder)
        if named is not None:
            return named, None
        if name not in TRANSPARENT and function_name(node) not in TRANSPARENT:
            return self.opaque_function(node, name, scope, holder), None
        alias, aliases = self.aliases(holder)
        aliases, ordinal = self.ordinal(name, aliases, holder)
        if isinstance(node, (exp.Explode, exp.Posexplode, exp.Inline)) and isinstance(node.this, exp.Expr):
            value = self.element(node.this.expression if isinstance(node.this, exp.Kwarg) else node.this, scope)
        else:
            value = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
        items = self.function_columns(node, value, aliases, alias, scope)
        scalar = value if len(items) == 1 and not aliases else None
        items += [self.column(ident, constant()) for ident in ordinal]
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
        if name in FILES or (dialect == "clickhouse" and name in CLICKHOUSE_FILES):
            return self.file(node, holder)
        if isinstance(node, exp.Dot) and node.this.name.lower() == "information_schema":
            # The catalog's own functions give metadata, which is no column of any relation.
            whole = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
            return renamed_columns(Relation([Hole(Relation(), whole=whole)]), self.aliases(holder)[1])
        return None

    def ordinal(self, name: str, aliases: list[Ident], holder: exp.Expr) -> tuple[list[Ident], list[Ident]]:
        """The names of a function's own columns, and WITH ORDINALITY's name behind them if it has one."""
        if not holder.args.get("ordinality"):
            return aliases, []
        width = len(OUTPUTS.get(name, ("",)))
        return aliases[:width], aliases[width : width + 1] or [self.names.make("ordinality")]

    def rows_from(self, functions: list[exp.Expr], scope: Scope, holder: exp.Expr) -> Relation:
        """ROWS FROM (f(), g()): the columns of each beside one another."""
        items: list[OutCol | Hole] = []
        for function in functions:
            items += self.relation(function, scope)[0].items
        if holder.args.get("ordinality"):
            items.append(self.column(self.names.make("ordinality"), constant()))
        return renamed_columns(Relation(items), self.aliases(holder)[1])

    def function_columns(
        self, node: exp.Expr, value: Value, aliases: list[Ident], alias: Ident | None, scope: Scope
    ) -> list[OutCol | Hole]:
        """The columns of a function whose rows are made of its arguments."""
        name = sql_name(node)
        shape = value.shape
        if isinstance(node, exp.Inline) and shape is not None and shape.fields is not None:
            fields = list(shape.fields.values())
            named = [aliases[i] if i < len(aliases) else self.names.make(field) for i, (field, _) in enumerate(fields)]
            return [self.column(ident, inner) for ident, (_, inner) in zip(named, fields, strict=True)]
        if isinstance(node, exp.Explode) and self.names.dialect == "snowflake":
            whole = Value(value.facts, value.problems)
            named = aliases or [self.names.make(part) for part in ("SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS")]
            return [self.column(ident, value if ident.key == "VALUE" else whole) for ident in named]
        if isinstance(node, exp.OpenJSON) and node.expressions:
            aliases = aliases or [self.names.ident(part.this) for part in node.expressions]
        if isinstance(node, exp.JSONTable):
            aliases = aliases or json_table_columns(node, self.names)
        if name == "stack":
            return self.stacked(node, value, aliases, scope)
        if isinstance(node, exp.Posexplode):
            aliases = aliases or [self.names.make("pos"), self.names.make("col")]
            return [self.column(aliases[0], constant()), *(self.column(ident, value) for ident in aliases[1:])]
        if aliases:
            return [self.column(ident, value) for ident in aliases]
        outputs = output_names(name, self.names.dialect)
        if outputs:
            return [self.column(self.names.make(output), value) for output in outputs]
        default = alias.name if alias is not None and self.names.dialect in ("postgres", "redshift", "") else name
        return [self.column(self.names.make(default), value)]

    def stacked(self, node: exp.Expr, value: Value, aliases: list[Ident], scope: Scope) -> list[OutCol | Hole]:
        """The columns of stack(n, …): its arguments laid out in n rows."""
        columns = stack_columns(node)
        if columns is None:
            return [self.column(ident, value) for ident in aliases]
        named = aliases or [self.names.make(f"col{position}") for position in range(len(columns))]
        return [
            self.column(ident, merge([self.evaluator.value(part, scope) for part in parts]))
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
        relation = table_relation(self.catalog.find_files(paths, by_name), self.names)
        if self.names.dialect == "duckdb" and any(is_option(part, "filename") for part in argument_nodes(node)):
            relation = with_file_name(relation)
        return renamed_columns(relation, self.aliases(holder)[1])

    def dynamic_name(self, name: exp.Expr | None, holder: exp.Expr) -> Relation:
        """IDENTIFIER() or TABLE(): the relation of a constant name; of a variable, nobody knows."""
        if not isinstance(name, (exp.Literal, exp.RawString)) or (isinstance(name, exp.Literal) and not name.is_string):
            return opaque("the name of a relation is computed", "dynamic_sql")
        try:
            table = exp.to_table(name.name, dialect=self.names.grammar)
        except SqlglotError:
            return opaque("the text that names a relation can't be read", "dynamic_sql")
        parts = [self.names.ident(part) for part in table.parts if isinstance(part, exp.Identifier)]
        return renamed_columns(self.named(parts), self.aliases(holder)[1])

    def elsewhere(self, node: exp.Expr, name: str, scope: Scope, holder: exp.Expr) -> Relation:
        """ClickHouse's remote(), cluster() and view(): a relation of another server, or a query."""
        arguments = argument_nodes(node)
        last = arguments[-1] if arguments else None
        if isinstance(last, exp.Query):
            return renamed_columns(self.evaluator.run_query(last, scope), self.aliases(holder)[1])
        if isinstance(last, exp.Anonymous) and sql_name(last) == "view":
            return self.elsewhere(last, "view", scope, holder)
        first = 1 if name.startswith(("cluster", "remote")) else 0
        written = [part for part in arguments[first : first + 2] if isinstance(part, (exp.Column, exp.Literal))]
        names = [self.names.make(part.name) for part in written if isinstance(part, exp.Literal)]
        names += [self.names.ident(ident) for part in written if isinstance(part, exp.Column) for ident in part.parts]
        if not names or len(written) < len(arguments[first : first + 2]):
            return self.opaque_function(node, name, scope, holder)
        return renamed_columns(self.named(names[:2]), self.aliases(holder)[1])

    def collection(self, node: exp.Column, scope: Scope, holder: exp.Expr) -> Relation:
        """Oracle's TABLE(column): the elements of a nested table, under names that its type gives."""
        value = self.element(node, scope)
        _, aliases = self.aliases(holder)
        if aliases:
            return Relation([self.column(ident, value) for ident in aliases])
        return Relation([Hole(Relation(), whole=value)])

    def xml_nodes(self, node: exp.Dot, scope: Scope, holder: exp.Expr) -> Relation:
        """T-SQL's column.nodes(path): parts of an XML column."""
        parts = [self.names.ident(part) for part in dotted_names(node.this)]
        value = scope.resolve(parts).used(TRANSFORMATION) if parts else self.evaluator.value(node.this, scope)
        return Relation([self.column(ident, value) for ident in self.aliases(holder)[1]])

    def opaque_function(self, node: exp.Expr, name: str, scope: Scope, holder: exp.Expr) -> Relation:
        """A function that returns a table in a way that the SQL does not tell."""
        problem = Problem("opaque_function", f"the table function {name} is not traced")
        used = self.evaluator.facts(argument_nodes(node), scope, TRANSFORMATION)
        _, aliases = self.aliases(holder)
        # Its arguments may be names of its own language: what can't be resolved among them is no news.
        value = Value(used.facts, {problem: None})
        if aliases:
            return Relation([self.column(ident, value) for ident in aliases])
        return Relation([Hole(Relation(), problem=problem, whole=value)])
