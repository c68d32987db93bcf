"""Rows that are left out: a window has counted them, so what decides about them decides about its value."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import COUNTED, THINNED
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.values import Value, mapped

# Clauses that leave out rows of what FROM gives, and those that do so after the windows.
BEFORE_WINDOWS = ("where", "prewhere", "connect", "having", "match")
AFTER_WINDOWS = ("qualify", "limit", "offset")
# Functions that give no row for an empty array.
GENERATORS = (exp.Explode, exp.Posexplode, exp.Unnest, exp.Inline)


def thins(select: exp.Select) -> bool:
    """Whether a SELECT may leave out rows of its FROM items."""
    return thins_after(select) or any(select.args.get(clause) is not None for clause in BEFORE_WINDOWS)


def thins_after(select: exp.Select) -> bool:
    """Whether a SELECT may leave out rows that its own windows have counted."""
    distinct = select.args.get("distinct")
    return (
        any(select.args.get(clause) is not None for clause in AFTER_WINDOWS)
        or (isinstance(distinct, exp.Distinct) and distinct.args.get("on") is not None)
        or any(isinstance(node.unalias(), GENERATORS) for node in select.expressions)
    )


def thin_join(join: exp.Join, side: str, left: list[Source], added: list[Source], names: Names) -> None:
    """Notes whose rows a join may leave out."""
    on = join.args.get("on")
    always = on is None or (isinstance(on, exp.Boolean) and on.this)
    if always and not may_be_empty(join.this) and not join.args.get("using") and not join.args.get("method"):
        return
    if side not in ("LEFT", "FULL"):
        thin_sources(left, [on], names)
    if side not in ("RIGHT", "FULL"):
        thin_sources(added, [on], names)


def may_be_empty(item: exp.Expr) -> bool:
    """Whether a FROM item is made for each row of those before it, and may be empty for some."""
    computed = isinstance(item, exp.Table) and not isinstance(item.this, exp.Identifier)
    return computed or isinstance(item, (exp.Unnest, exp.Lateral))


def thin_sources(sources: Iterable[Source], conditions: Iterable[object], names: Names) -> None:
    """Notes that rows of FROM items may be left out by some conditions."""
    fixed = fixed_columns(conditions, names)
    for source in sources:
        keys = {column.key for *qualifier, column in fixed if not qualifier or source.answers(qualifier)}
        source.relation = thinned(source.relation, keys)


def fixed_columns(conditions: Iterable[object], names: Names) -> list[list[Ident]]:
    """The columns that conditions hold to one number, as `rn = 1` does: such a column depends on nothing any more."""
    found: list[list[Ident]] = []
    for condition in conditions:
        parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
        held = [part for part in parts if isinstance(part, exp.EQ) and part.expression.is_number]
        columns = [part.this for part in held if isinstance(part.this, exp.Column)]
        found += [[names.ident(name) for name in column.parts] for column in columns if is_named(column)]
    return found


def is_named(column: exp.Column) -> bool:
    """Whether a column is meant by its name."""
    return all(isinstance(part, exp.Identifier) for part in column.parts)


def thinned(relation: Relation, fixed: Iterable[str] = ()) -> Relation:
    """A relation of which rows may be left out, the same one if no window has counted them."""
    items = [thinned_item(item, fixed) for item in relation.items]
    if all(new is old for new, old in zip(items, relation.items, strict=True)):
        return relation
    return Relation(items, relation.rows, relation.problems, relation.table, is_struct=relation.is_struct)


def thinned_item(item: OutCol | Hole, fixed: Iterable[str]) -> OutCol | Hole:
    """One column of such a relation; what a star over unknown columns hands on has counted nothing."""
    if isinstance(item, Hole) or not any(kind == COUNTED for _, kind, _ in item.value.facts):
        return item
    return OutCol(item.name, item.key, thinned_value(item.value, item.key in fixed))


def thinned_value(value: Value, is_fixed: bool = False) -> Value:
    """A value of which some counted rows may be left out; one that is fixed counts them no more."""
    kinds = {COUNTED: THINNED}
    facts = {
        (leaf, kinds.get(kind, kind), masking): None
        for leaf, kind, masking in value.facts
        if not (is_fixed and kind == COUNTED)
    }
    inside = partial(thinned_value, is_fixed=is_fixed)
    return Value(facts, value.problems, lambda: mapped(value.shape, inside), None, value.text, value.typed, value.node)
