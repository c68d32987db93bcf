"""FROM items under the names by which a query can mean them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.values import Problem, Shape, Value, merge


@dataclass(slots=True, eq=False)
class Source:
    """A FROM item under the names by which it can be meant."""

    keys: tuple[str, ...]
    relation: Relation
    # The right side of a semi join is there for its ON only.
    hidden: bool = False
    # The table behind an alias, which some dialects still let one name.
    origin: tuple[str, ...] = ()
    # Columns merged into another's by USING: a star gives them once.
    merged: set[str] = field(default_factory=set)
    # UNNEST's alias in some dialects names the element itself.
    scalar: Value | None = None
    # Other names for the item, as the variables of MATCH_RECOGNIZE.
    also: frozenset[str] = frozenset()
    # Its bare columns may be merged into those of an unknown relation by NATURAL JOIN.
    unsure: Problem | None = None
    # Bare names never mean its columns, as those of an upsert's row that was to be put in.
    by_qualifier: bool = False
    # It stands for a FROM that could not be read: any qualifier may mean it.
    is_unread: bool = False

    @property
    def label(self) -> str:
        """Its name in messages and as a whole row."""
        return self.keys[-1] if self.keys else "(subquery)"

    def answers(self, parts: list[Ident]) -> bool:
        """Whether a qualifier means this item."""
        wanted = tuple(part.key for part in parts)
        return self.keys[-len(wanted) :] == wanted or (len(wanted) == 1 and wanted[0] in self.also)


def row_value(relation: Relation) -> Value:
    """A relation's row as one value."""
    columns = list(relation.columns)
    whole = merge([column.value for column in columns])
    value = whole.used(TRANSFORMATION)
    if relation.is_open:
        value.problems = {
            **value.problems,
            Problem("star_without_schema", "a whole row is used, and its columns are not known"): None,
        }
    else:
        value.lazy = lambda: Shape({column.key: (column.name, column.value) for column in columns})
    return value


def emptied(relation: Relation, keys: set[str]) -> Relation:
    """A side of ClickHouse's ANTI JOIN of which no row is there: columns have their type's default, keys may not."""
    either = Problem("ambiguous_column", "a key of ANTI JOIN's other side is the kept side's or empty")
    if relation.is_open:
        return Relation([Hole(Relation(), whole=Value({}, {either: None}))])
    columns: list[OutCol | Hole] = [
        OutCol(column.name, column.key, Value({}, {either: None}) if column.key in keys else Value())
        for column in relation.columns
    ]
    return Relation(columns)
