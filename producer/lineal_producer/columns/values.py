"""Values: what an expression depends on, what is not known of it, and its fields if it is a struct or an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from lineal_producer.columns.facts import COUNTED, NO_FACTS, TRANSFORMATION, Facts, Leaf, compose


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something is not known: a gap's code and sentence, before it is known which column it hides."""

    code: str
    message: str


Problems = dict[Problem, None]
NO_PROBLEMS: Problems = {}


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Leaf):
    """The rows that the windows of one SELECT count: what decides about them, known once the SELECT is read."""

    table: str = ""
    column: str = ""
    relation: tuple[str, ...] = ()
    rows: Facts = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)

    def settle(self, rows: Facts, problems: Problems) -> None:
        """Takes in what decides about the rows; what windows inside count is said of their own columns."""
        self.rows.update((fact, None) for fact in rows if fact[1] < COUNTED)
        self.problems.update(problems)


@dataclass(slots=True, eq=False)
class Shape:
    """The inside of a struct (`fields`, by folded name, in order) or of an array or map (`element`)."""

    fields: dict[str, tuple[str, Value]] | None = None
    element: Value | None = None
    # A map: it has keys beside its elements.
    pairs: bool = False
    # A map built in the query: a key, and a value by itself, which what a subscript finds isn't.
    pair: tuple[Value, Value] | None = None
    # An array written out: its elements in order, so that a constant subscript means one of them.
    items: list[Value] | None = None


@dataclass(slots=True, eq=False)
class Value:
    """An expression's facts and problems; values are shared between queries and never changed once made."""

    facts: Facts = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)
    # A shape is made on demand: a wide struct of which nothing is read costs nothing.
    lazy: Callable[[], Shape | None] | None = None
    made: Shape | None = None
    # What the projection says: text where it is known, the node where it still has to be written out.
    text: str | None = None
    # Its type is known, so that having no inside means that it is no struct.
    typed: bool = False
    node: exp.Expr | None = None

    @property
    def shape(self) -> Shape | None:
        """The value's inside, None when it isn't known."""
        if self.lazy is not None:
            self.made, self.lazy = self.lazy(), None
        return self.made

    def used(self, kind: int, masking: bool = False) -> Value:
        """This value seen through an expression of the given kind; its inside is gone."""
        return Value(compose(self.facts, kind, masking), self.problems)

    def reshaped(self, kind: int) -> Value:
        """This value seen through a function that keeps its inside, as max(struct) does."""
        return Value(compose(self.facts, kind), self.problems, lazy=lambda: through(self.shape, kind))

    def plus(self, other: Value) -> Value:
        """This value, and every part of it, depending on another value too: as an element on its subscript."""
        if not other.facts and not other.problems:
            return self
        facts, problems = {**self.facts, **other.facts}, {**self.problems, **other.problems}
        return Value(facts, problems, lazy=lambda: shape_plus(self.shape, other))

    def get_field(self, key: str) -> Value | None:
        """The value of a struct's field by folded name, None when the struct isn't known to have it."""
        shape = self.shape
        if shape is None or shape.fields is None:
            return None
        found = shape.fields.get(key)
        return found[1] if found else None

    def get_nth(self, place: int) -> Value | None:
        """The value of a struct's field by its place counted from zero, None where that isn't known."""
        fields = list(self.shape.fields.values()) if self.shape is not None and self.shape.fields is not None else []
        return fields[place][1] if 0 <= place < len(fields) else None

    def get_pair(self) -> tuple[Value, Value] | None:
        """A key and a value of a map that was built in the query, None of any other value."""
        return self.shape.pair if self.shape is not None else None

    def get_element(self, place: int | None = None) -> Value:
        """The value of an array's element, the one at a place counted from zero if that is known; else the whole."""
        shape = self.shape
        items = shape.items if shape is not None else None
        if items is not None and place is not None and -len(items) <= place < len(items):
            return items[place]
        if shape is not None and shape.element is not None:
            return shape.element
        return Value(compose(self.facts, TRANSFORMATION), self.problems)


def mapped(shape: Shape | None, change: Callable[[Value], Value]) -> Shape | None:
    """A shape whose every part is changed in one way."""
    if shape is None:
        return None
    fields = None
    if shape.fields is not None:
        fields = {key: (name, change(value)) for key, (name, value) in shape.fields.items()}
    items = [change(value) for value in shape.items] if shape.items is not None else None
    pair = (change(shape.pair[0]), change(shape.pair[1])) if shape.pair is not None else None
    element = change(shape.element) if shape.element is not None else None
    return Shape(fields, element, shape.pairs, pair, items)


def through(shape: Shape | None, kind: int) -> Shape | None:
    """A shape whose every part is seen through an expression of the given kind."""
    return mapped(shape, lambda value: value.reshaped(kind))


def shape_plus(shape: Shape | None, other: Value) -> Shape | None:
    """A shape whose every part depends on another value too."""
    return mapped(shape, lambda value: value.plus(other))


def constant() -> Value:
    """A value that depends on nothing."""
    return Value(NO_FACTS, NO_PROBLEMS)


def unknown(code: str, message: str) -> Value:
    """A value of which nothing is known."""
    return Value(NO_FACTS, {Problem(code, message): None})


def merge(values: Iterable[Value], by_place: bool = False) -> Value:
    """A value that may be any of several, as a union's column is; their fields meet by name, or by place."""
    facts: Facts = {}
    problems: Problems = {}
    kept = list(values)
    for value in kept:
        facts.update(value.facts)
        problems.update(value.problems)
    return Value(facts, problems, lazy=lambda: merge_shapes([value.shape for value in kept], by_place))


def fields_under(keys: list[str], fields: dict[str, tuple[str, Value]] | None, by_place: bool) -> list[Value] | None:
    """A struct's fields in the order of another's, None when they do not meet."""
    if fields is None or len(fields) != len(keys):
        return None
    if by_place:
        return [value for _, value in fields.values()]
    return [fields[key][1] for key in keys] if fields.keys() == set(keys) else None


def merge_shapes(shapes: list[Shape | None], by_place: bool = False) -> Shape | None:
    """The common inside of a union's branches, None when a branch's isn't known."""
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or not known:
        return None
    first = known[0]
    if first.fields is not None:
        rows = [fields_under(list(first.fields), shape.fields, by_place) for shape in known]
        common = [row for row in rows if row is not None]
        if len(common) < len(rows):
            return None
        names = [name for name, _ in first.fields.values()]
        return Shape(
            {
                key: (name, merge([row[place] for row in common]))
                for place, (key, name) in enumerate(zip(first.fields, names, strict=True))
            }
        )
    elements = [shape.element for shape in known if shape.element is not None]
    if len(elements) < len(known):
        return None
    pairs = [shape.pair for shape in known if shape.pair is not None]
    keys, values = zip(*pairs, strict=True) if len(pairs) == len(known) else ((), ())
    return Shape(element=merge(elements), pairs=first.pairs, pair=(merge(keys), merge(values)) if keys else None)
