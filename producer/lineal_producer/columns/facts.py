"""How a value depends on base columns: facts, and how they compose along a chain of queries."""

from __future__ import annotations

from dataclasses import dataclass

# A direct kind lets the value through, the stronger one wins along a chain; an indirect kind only decides about it.
IDENTITY, TRANSFORMATION, AGGREGATION = 0, 1, 2
CONDITIONAL, SORT, WINDOW, FILTER, JOIN, GROUP_BY = 3, 4, 5, 6, 7, 8
FIRST_INDIRECT = CONDITIONAL
SUBTYPES = (
    "IDENTITY",
    "TRANSFORMATION",
    "AGGREGATION",
    "CONDITIONAL",
    "SORT",
    "WINDOW",
    "FILTER",
    "JOIN",
    "GROUP_BY",
)
# No kinds of the answer: a window's value depends on which rows there are. While all of them are handed on, that is
# said of the rows; once some are gone (`thinning`), what decides about them is an input.
COUNTED, THINNED = 9, 10
ROW_KINDS = frozenset({SORT, FILTER, JOIN, GROUP_BY})


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A column of a real relation, one object a column, compared by identity."""

    table: str
    column: str
    relation: tuple[str, ...]


Fact = tuple[Leaf, int, bool]
# A dict is used as an ordered set: the order of first appearance is the order of the answer.
Facts = dict[Fact, None]

NO_FACTS: Facts = {}


def chain(inner: int, outer: int) -> int:
    """The kind of a -> c when a -> b is `inner` and b -> c is `outer`."""
    if inner >= FIRST_INDIRECT:
        return inner
    if outer >= FIRST_INDIRECT:
        return outer
    return inner if inner > outer else outer


def within(inner: int, outer: int) -> int:
    """The same inside one expression: in a WHERE, a key or an ORDER BY every part is that clause's, but for windows."""
    if outer in ROW_KINDS and inner in (CONDITIONAL, SORT):
        return outer
    return chain(inner, outer)


def compose(facts: Facts, kind: int, masking: bool = False) -> Facts:
    """The facts of a value that uses another value in the way `kind` says; may return the same object."""
    if kind == IDENTITY and not masking:
        return facts
    return {(leaf, chain(k, kind), m or masking): None for leaf, k, m in facts}


def as_rows(facts: Facts, kind: int) -> Facts:
    """The facts all seen as one row kind: what a subquery of a WHERE uses is FILTER, whatever it is inside."""
    return {(leaf, kind, m): None for leaf, k, m in facts if k < COUNTED}
