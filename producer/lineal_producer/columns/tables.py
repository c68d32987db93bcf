"""FROM items that are computed: VALUES, UNNEST, parts of a value, and calls."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from lineal_producer.columns.calls import (
    opaque,
    row_parts,
    sql_name,
    value_rows,
    value_structure,
)
from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.functions import function_name, words
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns
from lineal_producer.columns.rowsets import DEFAULT_NAMES, FROM_ZERO
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.table_calls import TableCalls, column_of, element_of, item_aliases
from lineal_producer.columns.values import Problem, Value, constant, merge

# What gives an array of values without fields; an array written out is taken for one, too.
SCALAR_ARRAYS = words(
    """
    split generateseries generatedatearray generatetimestamparray generate_range_array regexpextractall array
    jsonextractarray jsonvaluearray tocodepoints jsonkeysatdepth rangebucket parameter placeholder
    """
)
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
        self.evaluator = evaluator
        self.calls = TableCalls(names, catalog, evaluator, read, named)

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
                return self.calls.function(inner, scope, node)
            if node.args.get("rows_from"):
                return self.rows_from(node.args["rows_from"], scope, node), None
        if isinstance(node, (exp.AtIndex, exp.Pivot)):
            return self.navigation(node, scope)
        return opaque(f"{node.key.upper()} in FROM is not traced"), None

    def default_keys(self, node: exp.Expr) -> tuple[str, ...]:
        """The name of an item without an alias: its function's."""
        inner = node.this if isinstance(node, (exp.Table, exp.Lateral, exp.TableFromRows)) else node
        if isinstance(inner, exp.Unnest):
            alias, aliases = item_aliases(node, self.names)
            if self.names.dialect == "bigquery" and alias is None and aliases:
                return (aliases[0].key,)
            return (self.names.fold("unnest"),)
        return (self.names.fold(sql_name(inner)),) if isinstance(inner, exp.Func) else ()

    def values(self, node: exp.Values, scope: Scope) -> Relation:
        """VALUES: each column any of its rows' expressions."""
        columns: list[list[Value]] = []
        for row in value_rows(node, self.names.dialect):
            for position, part in enumerate(row_parts(row)):
                if position == len(columns):
                    columns.append([])
                columns[position].append(self.evaluator.value(part, scope))
        _, aliases = item_aliases(node, self.names)
        aliases = aliases or self.structure(node)
        items: list[OutCol | Hole] = []
        first = 0 if self.names.dialect in FROM_ZERO else 1
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
        elements = [element_of(part, scope, self.evaluator) for part in node.expressions]
        alias, aliases = item_aliases(holder if holder.args.get("alias") else node, self.names)
        offset = node.args.get("offset")
        items: list[OutCol | Hole] = []
        if self.names.dialect == "bigquery":
            value = elements[0] if elements else constant()
            items += self.element_columns(node, value, aliases[0] if aliases else alias)
            if isinstance(offset, exp.Identifier):
                items.append(column_of(self.names.ident(offset), constant()))
            return Relation(items), value
        spread = self.spread(node, elements, aliases, scope)
        if len(elements) == 1 and len(spread) == 1:
            # A map gives its keys and its values.
            spread += [(None, elements[0])] * (len(aliases) - 1 - bool(offset is True))
        elif len(aliases) > len(spread) + bool(offset is True):
            # Maps or rows among several arrays: which alias is whose depends on types that are not known.
            spread = [(None, Value({}, {UNPLACED: None}))] * len(aliases)
        for position, (name, value) in enumerate(spread):
            ident = aliases[position] if position < len(aliases) else self.names.make(name or self.single_name(alias))
            items.append(column_of(ident, value))
        if isinstance(offset, exp.Identifier):
            items.append(column_of(self.names.ident(offset), constant()))
        elif offset:
            extra = aliases[len(spread)] if len(aliases) > len(spread) else self.names.make("ordinality")
            items.append(column_of(extra, constant()))
        return Relation(items), elements[0] if len(elements) == 1 and not aliases else None

    def spread(
        self, node: exp.Unnest, elements: list[Value], aliases: list[Ident], scope: Scope
    ) -> list[tuple[str | None, Value]]:
        """The columns of UNNEST in order, with their names where the arrays' types say them."""
        spread: list[tuple[str | None, Value]] = []
        for element, part in zip(elements, node.expressions, strict=True):
            shape = element.shape
            array = self.evaluator.value(part, scope).shape
            if array is not None and array.pair is not None:
                spread += [(None, part.reshaped(TRANSFORMATION)) for part in array.pair]
            elif array is not None and array.pairs:
                spread += [(None, Value(element.facts, element.problems)), (None, element)]
            elif shape is not None and shape.fields is not None and self.spreads(aliases, elements):
                spread += [(name, value.reshaped(TRANSFORMATION)) for name, value in shape.fields.values()]
            else:
                spread.append((None, element))
        return spread

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
        if not value.typed and any(function_name(part) not in SCALAR_ARRAYS for part in node.expressions):
            # Its elements may be structs, whose fields would be the columns.
            return [Hole(Relation(), frozenset({name.key} if name else ()), whole=value)]
        return [column_of(name, value)] if name is not None else []

    def navigation(self, node: exp.Expr, scope: Scope) -> tuple[Relation, Value | None]:
        """Redshift's `t.array AS element AT index` and `UNPIVOT t.object AS value AT key`."""
        of_object = isinstance(node, exp.Pivot)
        at_index = node.this if of_object else node
        named, index = at_index.this, at_index.args.get("expression")
        if not isinstance(at_index, exp.AtIndex) or not isinstance(named, exp.Alias):
            return opaque(f"{node.key.upper()} in FROM is not traced"), None
        value = element_of(named.this, scope, self.evaluator)
        items: list[OutCol | Hole] = [column_of(self.names.ident(named.args["alias"]), value)]
        if isinstance(index, exp.Identifier):
            items.append(column_of(self.names.ident(index), value if of_object else constant()))
        return Relation(items), None

    def rows_from(self, functions: list[exp.Expr], scope: Scope, holder: exp.Expr) -> Relation:
        """ROWS FROM (f(), g()): the columns of each beside one another."""
        items: list[OutCol | Hole] = []
        for function in functions:
            items += self.relation(function, scope)[0].items
        if holder.args.get("ordinality"):
            items.append(column_of(self.names.make("ordinality"), constant()))
        return renamed_columns(Relation(items), item_aliases(holder, self.names)[1])
