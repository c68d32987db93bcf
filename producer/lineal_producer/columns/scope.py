"""Names in scope: which FROM item, merged key, alias or outer query a column name means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.from_item import Source, row_value
from lineal_producer.columns.pseudo import FUNCTIONS_TOO, PSEUDO
from lineal_producer.columns.relation import Relation
from lineal_producer.columns.values import Counted, Problem, Value, constant, unknown

Ctes = dict[str, Relation]
# The parameters of the lambdas around a node: elements, or nothing where all of the array is read beside them.
Bound = Mapping[str, Value]


@dataclass(slots=True, eq=False)
class Scope:
    """One query's names, and the queries around it."""

    names: Names
    parent: Scope | None = None
    ctes: Ctes = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    using: dict[str, tuple[Ident, Value]] = field(default_factory=dict)
    aliases: dict[str, Value] = field(default_factory=dict)
    # Aliases that may be used before they are read, as in ClickHouse: each is read at its first use.
    later: dict[str, Callable[[], Value]] = field(default_factory=dict)
    windows: dict[str, exp.Expr] = field(default_factory=dict)
    # The expressions of this query's own projections, by the identity of their values.
    projected: dict[int, exp.Expr] = field(default_factory=dict)
    as_keys: dict[tuple[int, int], Value] = field(default_factory=dict)
    # The rows that the windows of this query count.
    counted: Counted = field(default_factory=Counted)
    # Which comes first where a column and an alias have one name: the clause decides. "first": the alias; "after": a
    # known column, then the alias; "lateral": any column, so that an unknown one leaves it open; "last": the alias
    # only of what is nothing else; "never": aliases mean nothing here.
    alias_mode: str = "never"
    # WHERE, ON and the like, as opposed to what is selected.
    in_condition: bool = False

    def visible(self) -> Iterator[Source]:
        """The FROM items that names may mean."""
        return (source for source in self.sources if not source.hidden)

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def resolve(self, parts: list[Ident]) -> Value:
        """The value that a dotted name means; a value with a problem when that can't be told."""
        if len(parts) == 1:
            return self.resolve_name(parts[0])
        for scope in self.chain():
            for split in range(len(parts) - 1, 0, -1):
                source = scope.find_source(parts[:split])
                if source is not None and not self.is_field(source, parts, split, scope):
                    return self.from_source(source, parts[split:])
            dotted = scope.definite(self.dotted(parts)) if self.names.dialect in DOTTED_COLUMNS else None
            if dotted is not None:
                return dotted
            base = scope.definite(parts[0]) or scope.sure_alias(parts[0])
            if base is not None and scope.is_outer_item(parts[0]) and (base.shape is None or base.shape.fields is None):
                if base.typed or self.names.dialect not in FIELDS_BY_DOT:
                    continue
                return unknown("ambiguous_column", f"{parts[0].name} may be a column or an item of the outer query")
            if base is not None:
                return self.walk_fields(base, parts[1:])
        if self.is_pseudo(parts[0]):
            return constant()
        return self.field_of_unknown(parts)

    def dotted(self, parts: list[Ident]) -> Ident:
        """A path as one name, as ClickHouse calls the columns of a Nested."""
        return self.names.make(".".join(part.name for part in parts), quoted=True)

    def sure_alias(self, ident: Ident) -> Value | None:
        """What an alias of this query stands for where aliases count and no unknown column can hide it."""
        if self.alias_mode == "never" or any(source.relation.is_open for source in self.visible()):
            return None
        return self.aliases.get(ident.key)

    def field_of_unknown(self, parts: list[Ident]) -> Value:
        """A dotted name that nothing known has: a field of an unknown relation's column, where there are structs."""
        if self.alias_mode != "never" and parts[0].key in self.aliases:
            return unknown("ambiguous_column", f"{parts[0].name} may be a column or a projection's alias")
        open_items = [source for scope in self.chain() for source in scope.visible() if source.relation.is_open]
        if len(open_items) == 1 and self.names.dialect in STRUCT_DIALECTS:
            base = open_items[0].relation.find(parts[0], self.names)
            if base is not None:
                return self.walk_fields(base, parts[1:])
        if len(open_items) > 1 and self.parent is not None and self.names.dialect in STRUCT_DIALECTS:
            return unknown("ambiguous_column", f"{parts[0].name} may be a column of any of several relations")
        written = ".".join(part.name for part in parts[:-1])
        return unknown("unknown_relation", f"{written} is not a relation in the FROM clause")

    def is_field(self, source: Source, parts: list[Ident], split: int, scope: Scope) -> bool:
        """Whether a name that looks qualified is a field of a column that has its item's name."""
        if split != 1 or source.relation.is_open or source.scalar is not None:
            return False
        return source.relation.definite(parts[1], self.names) is None and scope.definite(parts[0]) is not None

    def is_outer_item(self, ident: Ident) -> bool:
        """Whether a FROM item of a query around this one has a name."""
        return self.parent is not None and any(scope.find_source([ident]) for scope in self.parent.chain())

    def find_source(self, parts: list[Ident]) -> Source | None:
        """The FROM item of this scope that a qualifier means."""
        found = [source for source in self.visible() if source.answers(parts)]
        if not found and len(parts) > 1:
            wanted = tuple(part.key for part in parts)
            found = [source for source in self.visible() if source.origin[-len(wanted) :] == wanted]
        found = found or [source for source in self.visible() if source.is_unread]
        return found[0] if found else None

    def from_source(self, source: Source, parts: list[Ident]) -> Value:
        """A column, or a field of one, of a FROM item."""
        if source.relation.table is not None and self.is_system(parts[0], source.relation):
            return constant()
        if len(parts) > 1 and self.names.dialect in DOTTED_COLUMNS:
            whole = source.relation.definite(self.dotted(parts), self.names)
            if whole is not None:
                return whole
        found = source.relation.find(parts[0], self.names)
        source.relation.prove(parts[0])
        if found is None and source.scalar is not None:
            return self.walk_fields(source.scalar, parts)
        if found is None:
            if self.is_pseudo(parts[0]):
                return constant()
            return unknown("unknown_column", f"{source.label} has no column {parts[0].name}")
        return self.walk_fields(found, parts[1:])

    def walk_fields(self, value: Value, parts: list[Ident]) -> Value:
        """A field of a struct by path; of a value whose fields aren't known, the whole value."""
        for part in parts:
            inner = value.get_field(part.key)
            if inner is None and self.names.dialect in FIELDS_OF_ARRAYS and value.shape is not None:
                # The field of each element.
                element = value.shape.element
                inner = element.get_field(part.key) if element is not None else None
            if inner is None:
                shape = value.shape
                if shape is not None and shape.fields is not None:
                    problem = Problem("unknown_column", f"the struct has no field {part.name}")
                    return Value({}, {**value.problems, problem: None})
                inner = value.used(TRANSFORMATION)
            value = inner
        return value

    def resolve_name(self, ident: Ident) -> Value:
        """The value that a bare name means, from the inside out."""
        for scope in self.chain():
            found = scope.local(ident)
            if found is None and self.names.dialect in INNER_ROWS and scope.has_label(ident):
                break
            if found is None:
                continue
            value, supposed = found
            if supposed is not None:
                if scope.may_be_outer(ident, supposed, value):
                    return unknown("ambiguous_column", f"{ident.name} may belong to the inner or to the outer query")
                supposed.relation.prove(ident)
            return value
        if self.is_pseudo(ident):
            return constant()
        for scope in self.chain():
            row = scope.whole_row(ident)
            if row is not None:
                return row
        if self.alias_mode == "last" and ident.key in self.aliases:
            return self.aliases[ident.key]
        return unknown("unknown_column", f"no relation in the FROM clause has a column {ident.name}")

    def local(self, ident: Ident) -> tuple[Value, Source | None] | None:
        """What a bare name means in this scope, and the unknown relation that is only supposed to have it."""
        if ident.key in self.later and self.alias_mode != "never":
            self.aliases.setdefault(ident.key, self.later.pop(ident.key)())
        if self.alias_mode == "first" and ident.key in self.aliases:
            return self.aliases[ident.key], None
        found = self.definite(ident)
        if found is not None:
            return found, None
        open_items = [source for source in self.visible() if source.relation.is_open and not source.by_qualifier]
        if ident.key in self.aliases and (self.alias_mode not in ("never", "last") or self.may_be_alias(open_items)):
            return self.alias_or_column(ident, open_items), None
        scalars = [s for s in self.visible() if s.scalar is not None and s.label == ident.key]
        if scalars and scalars[0].scalar is not None:
            return scalars[0].scalar, None
        if not open_items or self.is_pseudo(ident):
            return None
        if self.names.dialect in WHOLE_ROWS and self.has_label(ident):
            # The row or a column of the same name: an unknown relation may have one.
            return None
        able = [source for source in open_items if source.relation.may_have(ident)]
        if len(able) > 1:
            # A valid query names one column: a relation shown to have it is the only one that does.
            proven = [source for source in able if source.relation.is_proven(ident)]
            if len(proven) != 1:
                names = ", ".join(source.label for source in able)
                return unknown("ambiguous_column", f"{ident.name} may come from any of {names}"), None
            able = proven
        value = able[0].relation.behind_star(ident, self.names) if able else None
        return (value, able[0]) if value is not None else None

    def may_be_alias(self, open_items: list[Source]) -> bool:
        """Whether an alias that comes last may be meant because no unknown relation has such a column."""
        return self.alias_mode == "last" and bool(open_items)

    def has_label(self, ident: Ident) -> bool:
        """Whether a FROM item has this name."""
        return any(source.label == ident.key for source in self.visible())

    def may_be_outer(self, ident: Ident, supposed: Source, value: Value) -> bool:
        """Whether a name that an unknown relation of this scope is supposed to have may be one of a query around it."""
        if self.parent is None or supposed.relation.is_proven(ident):
            return False
        for scope in self.parent.chain():
            if scope.definite(ident) is not None:
                return True
            for source in scope.visible():
                if source.relation.is_open and source.relation.may_have(ident):
                    other = source.relation.behind_star(ident, self.names)
                    if other is not None and other.facts.keys() != value.facts.keys():
                        return True
        return False

    def alias_or_column(self, ident: Ident, open_items: list[Source]) -> Value:
        """An alias that an unknown table's column of the same name would hide."""
        proven = [source for source in open_items if source.relation.is_proven(ident)]
        if len(proven) == 1:
            value = proven[0].relation.behind_star(ident, self.names)
            if value is not None:
                return value
        if self.alias_mode == "after" or not open_items:
            return self.aliases[ident.key]
        return unknown("ambiguous_column", f"{ident.name} may be a column or the alias of a projection before it")

    def definite(self, ident: Ident) -> Value | None:
        """A known column of this scope by bare name."""
        if ident.key in self.using:
            return self.using[ident.key][1]
        found = []
        for source in (item for item in self.visible() if not item.by_qualifier):
            value = source.relation.definite(ident, self.names)
            if value is not None:
                found.append((source, value if source.unsure is None else Value({}, {source.unsure: None})))
        if len(found) > 1 and not (self.names.dialect in LEFT_FIRST and len(self.sources) == len(found) == PAIR):
            names = ", ".join(source.label for source, _ in found)
            return unknown("ambiguous_column", f"{ident.name} is a column of each of {names}")
        if not found:
            return None
        return self.left_one(ident, found[0][0]) or found[0][1]

    def left_one(self, ident: Ident, right: Source) -> Value | None:
        """The column of a join's left side that comes before one of the right, where the left side's aren't known."""
        pair = self.names.dialect in LEFT_FIRST and len(self.sources) == PAIR and right is self.sources[1]
        if not pair or not right.keys:
            # What ARRAY JOIN gives has its name to itself.
            return None
        left = self.sources[0].relation
        if self.sources[0].hidden or not left.is_open or not left.may_have(ident):
            return None
        if left.is_proven(ident):
            return left.behind_star(ident, self.names)
        return unknown("ambiguous_column", f"{ident.name} may be a column of the left side, which would come first")

    def spelled(self, ident: Ident, node: exp.Column) -> Ident:
        """A column's name in the letters of the relation that has it."""
        parts = [self.names.ident(part) for part in node.parts[:-1]]
        sources = [self.find_source(parts)] if parts else list(self.visible())
        for source in sources:
            column = source.relation.named(ident.key) if source is not None else None
            if column is not None:
                return Ident(column.name, column.name, column.key)
        return ident

    def whole_path(self, ident: Ident, node: exp.Column) -> Ident:
        """A column's name with its path, as ClickHouse calls a tuple's field or a Nested column's."""
        if not all(isinstance(part, exp.Identifier) for part in node.parts):
            return ident
        parts = [self.names.ident(part) for part in node.parts]
        split = next((n for n in range(len(parts) - 1, 0, -1) if self.find_source(parts[:n]) is not None), 0)
        return self.names.make(".".join(part.name for part in parts[split:]))

    def whole_row(self, ident: Ident) -> Value | None:
        """The row of a FROM item named where a value is expected."""
        source = self.find_source([ident])
        return row_value(source.relation) if source is not None else None

    def at_position(self, number: int) -> Value:
        """A column by its number, counted from one over the FROM item."""
        visible = list(self.visible())
        items = visible[0].relation.items if len(visible) == 1 else []
        if 0 < number <= len(items) and not visible[0].relation.is_open:
            return next(column.value for place, column in enumerate(visible[0].relation.columns, 1) if place == number)
        return unknown("unknown_column", f"${number} is a column by position, and the columns are not known")

    def is_system(self, ident: Ident, relation: Relation) -> bool:
        """Whether a column of a real relation is the database's own, which no CREATE TABLE can make."""
        return (
            self.is_pseudo(ident)
            and ident.key.lower() not in FUNCTIONS_TOO
            and relation.definite(ident, self.names) is None
        )

    def is_pseudo(self, ident: Ident) -> bool:
        """Whether the database answers this name without such a column; in quotes a function's name is a column's."""
        if ident.quoted and ident.name.lower() in FUNCTIONS_TOO:
            return False
        return ident.name.lower() in PSEUDO.get(self.names.dialect, ())


# Where `array.field` is the list of the field in each of the array's structs.
FIELDS_OF_ARRAYS = frozenset({"spark", "spark2", "databricks", "hive", "clickhouse"})
# Where a column's own name may have dots in it without being quoted.
DOTTED_COLUMNS = frozenset({"clickhouse"})
# Where of a single join's two columns of one name the left one is meant.
LEFT_FIRST = frozenset({"clickhouse"})
PAIR = 2
# Where a FROM item's name may stand for its row.
WHOLE_ROWS = frozenset({"postgres", "bigquery", "duckdb"})
# Where that row comes before a column of the queries around it.
INNER_ROWS = frozenset({"bigquery", "duckdb"})
STRUCT_DIALECTS = frozenset(
    {
        "bigquery",
        "duckdb",
        "databricks",
        "spark",
        "spark2",
        "hive",
        "trino",
        "presto",
        "athena",
        "clickhouse",
        "snowflake",
    }
)
# Where `column.field` needs no brackets: elsewhere a name before a dot is a FROM item's.
FIELDS_BY_DOT = (STRUCT_DIALECTS - {"snowflake"}) | {"redshift", ""}
