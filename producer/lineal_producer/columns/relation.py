"""Relations as a query sees them: columns in order, holes for stars that stay closed, and what rows depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from lineal_producer.columns.catalog import Table
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import Facts
from lineal_producer.columns.values import Problem, Problems, Value, unknown

# Where a derived table with two columns of one name gives the first under that name.
FIRST_OF_DUPLICATES = frozenset({"duckdb", "sqlite"})


@dataclass(slots=True, eq=False)
class OutCol:
    """One column of a relation."""

    name: str
    key: str
    value: Value


@dataclass(slots=True, eq=False)
class Hole:
    """An unknown number of columns: a star over a relation whose columns aren't all known."""

    provider: Relation
    hidden: frozenset[str] = frozenset()
    renamed: dict[str, OutCol] = field(default_factory=dict)
    # Set where even a column found by name can't be all there is to it, as behind a union.
    problem: Problem | None = None
    # What every column depends on at least, as a table function's on its arguments.
    whole: Value | None = None
    # A star's pattern: a name that it does not match is not there.
    matches: Callable[[str], bool] | None = None

    def find(self, ident: Ident, names: Names) -> Value | None:
        """A column by name behind the star, None when it can't be there."""
        blank = self.is_blank and ident.key not in self.hidden and not self.is_unmatched(ident)
        if blank and (self.problem or self.whole):
            base = self.whole or Value()
            return Value(base.facts, {**base.problems, **({self.problem: None} if self.problem else {})})
        if ident.key in self.renamed:
            return self.renamed[ident.key].value
        if ident.key in self.hidden or self.is_unmatched(ident):
            return None
        found = self.provider.find(ident, names)
        if found is None or self.problem is None:
            return found
        return Value(found.facts, {**found.problems, self.problem: None}, text=found.text)

    def is_unmatched(self, ident: Ident) -> bool:
        """Whether the star's pattern leaves a name out, however the column that it means may be spelled."""
        forms = {ident.stored, ident.name.lower(), ident.name.upper()}
        return self.matches is not None and not any(map(self.matches, forms))

    def is_proven(self, ident: Ident) -> bool:
        """Whether the SQL has shown already that the column is there."""
        return ident.key not in self.hidden and self.provider.is_proven(ident)

    @property
    def is_blank(self) -> bool:
        """Whether nothing at all is known of what is behind the star."""
        return self.provider.table is None and not self.provider.items

    def may_have(self, ident: Ident) -> bool:
        """Whether a column of that name can be behind the star."""
        if ident.key in self.hidden or self.is_unmatched(ident):
            return ident.key in self.renamed
        return ident.key in self.renamed or self.is_blank or self.provider.may_have(ident)


@dataclass(slots=True, eq=False)
class Relation:
    """The output of a query or FROM item."""

    items: list[OutCol | Hole] = field(default_factory=list)
    rows: Facts = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)
    table: Table | None = None
    index: dict[str, list[OutCol]] | None = None
    # Whether it has a star over unknown columns; told with the index.
    has_holes: bool = False
    # SELECT AS STRUCT: a row is one value where a value is wanted.
    is_struct: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it may have columns that aren't known."""
        return (self.table is not None and self.table.columns is None) or any(
            isinstance(item, Hole) for item in self.items
        )

    @property
    def columns(self) -> Iterator[OutCol]:
        """The known columns in order."""
        return (item for item in self.items if isinstance(item, OutCol))

    def by_name(self) -> dict[str, list[OutCol]]:
        """The known columns by folded name, and by their own where that is another."""
        if self.index is None:
            self.index = {}
            self.has_holes = any(isinstance(item, Hole) for item in self.items)
            for column in self.columns:
                self.index.setdefault(column.key, []).append(column)
                if column.name != column.key:
                    self.index.setdefault(column.name, []).append(column)
        return self.index

    def named(self, key: str) -> OutCol | None:
        """The first known column of a folded name."""
        return next((column for column in self.by_name().get(key, ()) if column.key == key), None)

    def definite(self, ident: Ident, names: Names) -> Value | None:
        """A known column by name; several of one name give a value with a problem."""
        index = self.by_name()
        found = (index.get(ident.name) if ident.quoted else None) or index.get(ident.key)
        if not found:
            return None
        if len(found) > 1:
            exact = [column for column in found if column.name == ident.stored]
            exact = exact or [column for column in found if column.name == ident.name]
            found = exact if len(exact) == 1 else found
        if names.dialect in FIRST_OF_DUPLICATES:
            return self.before(found[0], ident, names) or found[0].value
        if len(found) == 1:
            return found[0].value
        return unknown("ambiguous_column", f"{ident.name} names several columns of one relation")

    def before(self, column: OutCol, ident: Ident, names: Names) -> Value | None:
        """What a star over unknown columns before a column may have under its name: the first of one name counts."""
        if not self.has_holes:
            return None
        earlier = takewhile(lambda item: item is not column, self.items)
        hole = next((item for item in earlier if isinstance(item, Hole) and item.may_have(ident)), None)
        if hole is None or hole.is_proven(ident):
            return hole.find(ident, names) if hole is not None else None
        return unknown("ambiguous_column", f"{ident.name} may be a column of the star before the one of that name")

    def behind_star(self, ident: Ident, names: Names) -> Value | None:
        """A column that must come from a part whose columns aren't known, None when there is no such part."""
        if self.table is not None and self.table.columns is None:
            return self.table.value(ident)
        holes = [item for item in self.items if isinstance(item, Hole)]
        renamed = [hole for hole in holes if ident.key in hole.renamed]
        able = renamed or [hole for hole in holes if hole.may_have(ident)]
        if len(able) > 1 and names.dialect in FIRST_OF_DUPLICATES:
            able = able[:1] if able[0].is_proven(ident) else able
        elif len(able) > 1:
            able = [hole for hole in able if hole.is_proven(ident)] or able
        if len(able) < 2:
            return able[0].find(ident, names) if able else None
        return unknown("ambiguous_column", f"{ident.name} may come from several relations whose columns are not known")

    def find(self, ident: Ident, names: Names) -> Value | None:
        """A column by name, known or proven by the SQL; None when the relation can't have it."""
        return self.definite(ident, names) or self.behind_star(ident, names)

    def may_have(self, ident: Ident) -> bool:
        """Whether it can have a column of that name."""
        if self.table is not None and self.table.columns is None:
            return True
        return any(item.may_have(ident) if isinstance(item, Hole) else item.key == ident.key for item in self.items)

    def is_proven(self, ident: Ident) -> bool:
        """Whether the SQL has shown already that the column is there."""
        if self.table is not None and self.table.columns is None:
            return ident.key in self.table.proven
        return any(isinstance(item, Hole) and item.is_proven(ident) for item in self.items)

    def prove(self, ident: Ident) -> None:
        """Notes that the SQL shows the column to be here."""
        if self.table is not None and self.table.columns is None:
            self.table.proven.add(ident.key)
            return
        able = [item for item in self.items if isinstance(item, Hole) and item.may_have(ident)]
        if len(able) == 1 and ident.key not in able[0].renamed:
            able[0].provider.prove(ident)


def table_relation(table: Table, names: Names) -> Relation:
    """The relation of a real table."""
    items: list[OutCol | Hole] = []
    for name, type_ in table.columns or ():
        ident = Ident(name, name, name, quoted=True)
        items.append(OutCol(name, names.fold(name), table.value(ident, type_)))
    return Relation(items, table=table)


def renamed_columns(relation: Relation, aliases: list[Ident]) -> Relation:
    """The relation under a column alias list, by position."""
    if not aliases:
        return relation
    items: list[OutCol | Hole] = []
    old = list(relation.items)
    if relation.table is not None and relation.table.columns is None:
        old = [Hole(relation)]
    unplaced = Problem(
        "star_without_schema", "a column list renames columns by position, and the columns are not known"
    )
    for position, alias in enumerate(aliases):
        item = old[position] if position < len(old) else None
        if not isinstance(item, OutCol):
            # From the first hole on, positions mean nothing.
            items += [OutCol(left.stored, left.key, Value({}, {unplaced: None})) for left in aliases[position:]]
            return Relation(items, relation.rows, relation.problems)
        items.append(OutCol(alias.stored, alias.key, item.value))
    return Relation(items + old[len(aliases) :], relation.rows, relation.problems)


def as_items(relation: Relation) -> list[OutCol | Hole]:
    """The columns of a relation, one hole for an unknown table."""
    if relation.table is not None and relation.table.columns is None:
        return [Hole(relation)]
    return relation.items
