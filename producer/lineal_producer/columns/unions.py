"""Set operations: the columns of several relations become one relation's, by position or by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.relation import Hole, OutCol, Relation, as_items
from lineal_producer.columns.values import Problem, Value, merge


def union_by_position(left: Relation, right: Relation, branch_problem: Problem, keep_right: bool = True) -> Relation:
    """The columns of a set operation: names of the left, values of both."""
    a, b = as_items(left), as_items(right)
    if not any(isinstance(item, Hole) for item in a + b):
        return closed_union(left, right, keep_right)
    if len(a) == len(b) and all(meet(x, y) for x, y in zip(a, b, strict=True)):
        return Relation([joined(x, y, keep_right) for x, y in zip(a, b, strict=True)])
    head = 0
    while head < min(len(a), len(b)) and isinstance(a[head], OutCol) and isinstance(b[head], OutCol):
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and isinstance(a[-1 - tail], OutCol) and isinstance(b[-1 - tail], OutCol):
        tail += 1
    placed = [(a[i], b[i]) for i in range(head)]
    ends = [(a[len(a) - tail + i], b[len(b) - tail + i]) for i in range(tail)]
    middle = a[head : len(a) - tail]
    items: list[OutCol | Hole] = [joined(x, y, keep_right) for x, y in placed]
    for item in middle:
        if isinstance(item, Hole):
            items.append(replace(item, problem=branch_problem))
        else:
            items.append(
                OutCol(item.name, item.key, Value(item.value.facts, {**item.value.problems, branch_problem: None}))
            )
    if not any(isinstance(item, Hole) for item in middle):
        # Only the right side is open; the left side's names are all there are.
        return Relation(items + [joined(x, y, keep_right) for x, y in ends])
    return Relation(items + [joined(x, y, keep_right) for x, y in ends])


def closed_union(left: Relation, right: Relation, keep_right: bool) -> Relation:
    """The columns of a set operation whose branches' columns are all known."""
    items: list[OutCol | Hole] = []
    for column, other in zip_longest(left.columns, right.columns):
        if column is None:
            break
        if other is None:
            problem = Problem("parser_error", "the branches of a set operation have different numbers of columns")
            value = Value(column.value.facts, {**column.value.problems, problem: None})
        else:
            value = merged(column.value, other.value, keep_right)
        items.append(OutCol(column.name, column.key, value))
    return Relation(items)


def union_at_once(branches: list[Relation]) -> Relation | None:
    """The union of branches of one width whose columns are all known, None for any other."""
    columns = [list(branch.columns) for branch in branches]
    if len({len(part) for part in columns}) > 1 or any(branch.is_open for branch in branches):
        return None
    items: list[OutCol | Hole] = []
    for parts in zip(*columns, strict=True):
        value = merge([part.value for part in parts])
        value.text, value.node = parts[0].value.text, parts[0].value.node
        items.append(OutCol(parts[0].name, parts[0].key, value))
    whole = Relation(items)
    for branch in branches:
        whole.rows.update(branch.rows)
        whole.problems.update(branch.problems)
    return whole


def meet(left: OutCol | Hole, right: OutCol | Hole) -> bool:
    """Whether what stands at one place of two branches is as wide: two columns, or one star over one relation."""
    if not isinstance(left, Hole) or not isinstance(right, Hole):
        return isinstance(left, OutCol) and isinstance(right, OutCol)
    tables = left.provider.table, right.provider.table
    same = left.provider is right.provider or (
        tables[0] is not None and tables[1] is not None and tables[0].relation == tables[1].relation
    )
    plain = not (left.problem or right.problem or left.matches or right.matches or left.whole or right.whole)
    return same and plain and left.hidden == right.hidden and left.renamed.keys() == right.renamed.keys()


def joined(left: OutCol | Hole, right: OutCol | Hole, keep_right: bool) -> OutCol | Hole:
    """What stands at one place of a set operation's branches and meets."""
    if isinstance(left, OutCol) and isinstance(right, OutCol):
        return OutCol(left.name, left.key, merged(left.value, right.value, keep_right))
    if isinstance(left, Hole) and isinstance(right, Hole) and left.renamed:
        named = [(key, column, right.renamed[key]) for key, column in left.renamed.items()]
        both = {key: OutCol(a.name, key, merged(a.value, b.value, keep_right)) for key, a, b in named}
        return replace(left, renamed=both)
    return left


def merged(left: Value, right: Value, keep_right: bool) -> Value:
    """The value of one column of a set operation."""
    if not keep_right:
        return left
    both = merge((left, right))
    both.text, both.node = left.text, left.node
    return both


@dataclass(frozen=True, slots=True)
class ByName:
    """Which columns a set operation by name has: those of both sides, of the left, or that both have; or a list."""

    which: str = "both"
    only: frozenset[str] | None = None

    def keeps(self, key: str, here: bool) -> bool:
        """Whether a column is there that the left has and the right may have (`here`) or not."""
        return (here or self.which != "common") and (self.only is None or key in self.only)


def by_name_of(node: exp.SetOperation, names: Names) -> ByName:
    """BigQuery's FULL, LEFT and INNER before UNION, and ON (columns) behind BY NAME; elsewhere all columns."""
    word = str(node.args.get("side") or node.args.get("kind") or "").upper()
    listed = node.args.get("on") or []
    only = frozenset(names.ident(part.this if isinstance(part, exp.Column) else part).key for part in listed)
    return ByName({"LEFT": "left", "INNER": "common"}.get(word, "both"), only or None)


def union_by_name(left: Relation, right: Relation, names: Names, rule: ByName, keep_right: bool = True) -> Relation:
    """The columns of a set operation by name: those of the left, then those only the right has."""
    items: list[OutCol | Hole] = []
    seen = set()
    both_open = left.is_open and right.is_open
    for item in as_items(left):
        if isinstance(item, Hole):
            items.append(half(item) if both_open else item)
            continue
        seen.add(item.key)
        other = right.find(Ident(item.name, item.name, item.key, quoted=True), names)
        if not rule.keeps(item.key, other is not None):
            continue
        if other is not None and right.is_open and not has_definite(right, item, names):
            items.append(unsure(item))
            continue
        value = merged(item.value, other, keep_right) if other is not None else item.value
        items.append(OutCol(item.name, item.key, value))
    for item in as_items(right) if rule.which == "both" or left.is_open else ():
        if isinstance(item, Hole):
            items.append(half(item) if both_open else item)
        elif item.key not in seen and rule.keeps(item.key, here=True):
            may_be_both = left.is_open and left.may_have(Ident(item.name, item.name, item.key, quoted=True))
            if may_be_both or rule.which == "both":
                items.append(unsure(item) if may_be_both else item)
    return Relation(items)


OTHER_BRANCH = Problem("star_without_schema", "a branch of UNION BY NAME may or may not have the column")


def unsure(column: OutCol) -> OutCol:
    """A column of which the other branch may or may not have a part."""
    return OutCol(column.name, column.key, Value(column.value.facts, {**column.value.problems, OTHER_BRANCH: None}))


def half(hole: Hole) -> Hole:
    """A star of whose columns the other branch's star may or may not have a part."""
    return replace(hole, problem=hole.problem or OTHER_BRANCH)


def has_definite(relation: Relation, column: OutCol, names: Names) -> bool:
    """Whether the relation is known to have a column of this name."""
    ident = Ident(column.name, column.name, column.key, quoted=True)
    return relation.definite(ident, names) is not None or relation.is_proven(ident)
