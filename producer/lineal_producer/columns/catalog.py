"""Which relations and columns exist, as far as the caller knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import IDENTITY, TRANSFORMATION, Leaf
from lineal_producer.columns.model import Own
from lineal_producer.columns.values import Problem, Shape, Value, merge

# Keys are names, bare or dotted, or tuples of parts; a mapping's key type can't say so, for it is invariant.
Schema = Mapping[Any, Mapping[str, str]]
# A relation's name as written: each part, and whether it is quoted.
Ref = tuple[tuple[str, bool], ...]
# The first part of a reference to a file read in place; no identifier is empty.
FILE_MARK = ""
UNSURE_FILE = Problem("ambiguous_column", "some of the files that are read together may not have the column")
# Types that have neither fields nor elements, whatever follows in brackets.
SCALAR = re.compile(
    r"(?:u?(?:tiny|small|medium|big|huge)?int(?:eger|\d+)?|number|numeric|decimal|float\d*|real|double|bool(?:ean)?"
    r"|n?(?:var)?char|varchar2|text|string|date|time(?:stamp\w*)?|datetime\d*|uuid)\b(?!\s*\[)",
    re.IGNORECASE,
)
NESTED_MARKS = ("<", "(", "[", "STRUCT", "ROW", "NESTED")

# Where a column has no dot in its name: dbt's catalog lists the fields of a struct beside it, by their paths.
NO_DOTS = frozenset({"bigquery"})


@dataclass(slots=True, eq=False)
class Table:
    """A real relation; `columns` is None when its columns are not known."""

    display: str
    relation: tuple[str, ...]
    columns: list[tuple[str, str]] | None
    names: Names
    leaves: dict[str, Leaf] = field(default_factory=dict)
    # Columns that the SQL has shown to exist, by saying whose they are or by leaving nothing else that may have them.
    proven: set[str] = field(default_factory=set)

    def has(self, column: Ident) -> bool:
        """Whether it may have a column."""
        return self.columns is None or any(self.names.fold(name) == column.key for name, _ in self.columns)

    def value(self, column: Ident, type_: str = "") -> Value:
        """The value of one of its columns."""
        leaf = self.leaf(column.stored, column.key)
        typed = SCALAR.match(type_) is not None
        shape = partial(self.typed_shape, leaf, type_)
        return Value({(leaf, IDENTITY, False): None}, lazy=shape, text=column.stored, typed=typed)

    def leaf(self, stored: str, key: str) -> Leaf:
        """The one object of a column, made at its first use."""
        found = self.leaves.get(key)
        if found is None:
            found = self.leaves[key] = Leaf(self.display, stored, self.relation)
        return found

    def typed_shape(self, leaf: Leaf, type_: str) -> Shape | None:
        """The inside of a column by its type, None for what has none or can't be read."""
        if not type_ or not any(mark in type_.upper() for mark in NESTED_MARKS):
            return None
        try:
            parsed = exp.DataType.build(type_, dialect=self.names.grammar)
        except (SqlglotError, ValueError):
            return None
        return self.shape_of(leaf, leaf.column, parsed)

    def shape_of(self, leaf: Leaf, path: str, type_: exp.DataType) -> Shape | None:
        """The inside of a field at `path`; an array's elements keep their array's path."""
        pairs = type_.is_type(exp.DType.MAP)
        if type_.is_type(exp.DType.ARRAY, exp.DType.LIST, exp.DType.MAP) and type_.expressions:
            inner = type_.expressions[-1]
            element = Value({(self.leaf(path, path), TRANSFORMATION, False): None})
            if isinstance(inner, exp.DataType):
                element.typed = True
                element.lazy = lambda: self.shape_of(leaf, path, inner)
            return Shape(element=element, pairs=pairs)
        if not type_.is_type(*exp.DataType.STRUCT_TYPES) or not type_.expressions:
            return None
        fields: dict[str, tuple[str, Value]] = {}
        for part in type_.expressions:
            kind = part.args.get("kind")
            if isinstance(part, exp.ColumnDef) and isinstance(kind, exp.DataType):
                name = part.name
                fields[self.names.fold(name)] = (name, self.field_value(leaf, f"{path}.{name}", kind))
        return Shape(fields)

    def field_value(self, leaf: Leaf, path: str, type_: exp.DataType) -> Value:
        """The value of a nested field."""
        inner = self.leaf(path, path)
        return Value({(inner, TRANSFORMATION, False): None}, lazy=lambda: self.shape_of(leaf, path, type_))


@dataclass(slots=True, eq=False)
class Files(Table):
    """Several files read as one relation: a column is that of each of them."""

    parts: list[Table] = field(default_factory=list)
    by_name: bool = False

    def value(self, column: Ident, type_: str = "") -> Value:
        """The value of a column: any of those of the files; one that some files may lack is unsure."""
        able = [part for part in self.parts if part.has(column)]
        whole = merge([part.value(column, type_) for part in able])
        if self.by_name and any(part.columns is None for part in self.parts):
            return Value({}, {**whole.problems, UNSURE_FILE: None})
        return whole


class Catalog:
    """Finds relations by the parts of a name, under the caller's schema and defaults."""

    def __init__(
        self,
        names: Names,
        schema: Schema | None,
        default_db: str | None,
        default_schema: str | None,
        own: Own = None,
    ) -> None:
        self.names = names
        self.own = tuple(part.casefold() for part in own or () if part is not None)
        self.schema: Schema = schema or {}
        self.defaults = (default_db, default_schema)
        self.by_last: dict[str, list[tuple[tuple[str, ...], str, Mapping[str, str]]]] = {}
        self.tables: dict[tuple[str, ...], Table] = {}
        # Every name that was looked up, as it was written: what a cached answer has to be checked against.
        self.asked: dict[Ref, None] = {}
        self.known: dict[tuple[str, ...], Table] = {}
        for key, columns in (schema or {}).items():
            parts = key if isinstance(key, tuple) else split_key(key)
            display = ".".join(key) if isinstance(key, tuple) else key
            self.by_last.setdefault(parts[-1].lower(), []).append((parts, display, columns or {}))

    def is_own(self, leaf: Leaf) -> bool:
        """Whether a column is one of the relation that the query fills."""
        return bool(self.own) and tuple(part.casefold() for part in leaf.relation) == self.own

    def find(self, parts: list[Ident]) -> Table:
        """The relation that a name means; one that isn't in the schema has no known columns."""
        self.asked[tuple((part.name, part.quoted) for part in parts)] = None
        full = self.complete(parts)
        key = tuple(part.key for part in full)
        table = self.tables.get(key)
        if table is None:
            table = self.tables[key] = self.look_up(full) or Table(
                ".".join(part.name for part in parts), tuple(part.stored for part in full), None, self.names
            )
        return table

    def find_file(self, path: str) -> Table:
        """The relation of a file read in place, named by its path."""
        key = (path,)
        self.asked[((FILE_MARK, False), (path, True))] = None
        table = self.known.get(key)
        if table is None:
            columns = self.schema.get(path) or self.schema.get(key)
            known = [(name, str(type_ or "")) for name, type_ in columns.items()] if columns else None
            table = self.known[key] = Table(path, key, known, self.names)
        return table

    def find_files(self, paths: list[str], by_name: bool) -> Table:
        """The relation of a list of files, whose columns are the first's or, by name, those of all."""
        parts = [self.find_file(path) for path in paths]
        if len(parts) == 1:
            return parts[0]
        known = [part.columns for part in parts if part.columns is not None]
        columns: list[tuple[str, str]] | None = None
        if known and not by_name:
            columns = known[0]
        elif len(known) == len(parts):
            first: dict[str, tuple[str, str]] = {}
            for name, kind in (column for part in known for column in part):
                first.setdefault(self.names.fold(name), (name, kind))
            columns = list(first.values())
        return Files(", ".join(paths), tuple(paths), columns, self.names, parts=parts, by_name=by_name)

    def find_again(self, ref: Ref) -> Table:
        """The relation of a name that was looked up before."""
        if ref[0][0] == FILE_MARK:
            return self.find_file(ref[1][0])
        return self.find([self.names.make(name, quoted) for name, quoted in ref])

    def complete(self, parts: list[Ident]) -> list[Ident]:
        """The name's parts with the default database and schema before them."""
        default_db, default_schema = self.defaults
        full = list(parts)
        if len(full) == 1 and default_schema:
            full.insert(0, self.names.make(default_schema, quoted=True))
        if len(full) == 2 and default_db:
            full.insert(0, self.names.make(default_db, quoted=True))
        return full

    def look_up(self, full: list[Ident]) -> Table | None:
        """The schema's entry for a complete name: the spelling that fits best, None when none or several do."""
        best: list[tuple[tuple[str, ...], str, Mapping[str, str]]] = []
        best_rank = (0, 0)
        for entry in self.by_last.get(full[-1].name.lower(), []):
            rank = self.fit(entry[0], full)
            if rank is None:
                continue
            if rank > best_rank:
                best, best_rank = [entry], rank
            elif rank == best_rank:
                best.append(entry)
        if len(best) != 1:
            return None
        parts, display, columns = best[0]
        known = [
            (name, str(type_ or ""))
            for name, type_ in columns.items()
            if not (self.names.dialect in NO_DOTS and name.partition(".")[0] in columns and "." in name)
        ]
        found = self.known.get(parts)
        if found is None:
            found = self.known[parts] = Table(display, parts, known or None, self.names)
        return found

    def fit(self, parts: tuple[str, ...], full: list[Ident]) -> tuple[int, int] | None:
        """How well an entry's parts fit a name: how many parts agree, then how many letter by letter."""
        agree = exact = 0
        for part, ident in zip(reversed(parts), reversed(full), strict=False):
            if part in (ident.stored, ident.name):
                exact += 2 if part == ident.stored else 1
            elif self.names.fold(part) != ident.key:
                return None
            agree += 1
        return agree, exact


def split_key(key: str) -> tuple[str, ...]:
    """The parts of a dotted schema key; a part in quotes may hold a dot."""
    if not any(quote in key for quote in '"`['):
        return tuple(key.split("."))
    parts: list[str] = []
    current = ""
    closing = ""
    for char in key:
        if closing:
            if char == closing:
                closing = ""
            else:
                current += char
        elif char in '"`[':
            closing = "]" if char == "[" else char
        elif char == ".":
            parts.append(current)
            current = ""
        else:
            current += char
    return (*parts, current)
