"""Rows that are left out: a window has counted them, so what decides about them decides about its value."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import partial

from sqlglot import exp

from lineal_producer.columns.dialects import Names
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


def thin_sources(
    sources: Iterable[Source], conditions: Iterable[object], names: Names, top: exp.Expr | None = None
) -> None:
    """Notes that rows of FROM items may be left out by some conditions, of which `top` may be the only one."""
    fixed = [column for condition in conditions for column in fixed_by(condition)]
    for source in sources:
        held = {key for column in fixed if (key := key_in(source, column, names))}
        source.relation = thinned(source.relation, held, key_in(source, top, names) if top is not None else "")


def thin_outputs(select: exp.Select, relation: Relation, names: Names) -> Relation:
    """A SELECT's relation where it leaves out rows after its windows have counted them."""
    qualify = select.args.get("qualify")
    condition = qualify.this if isinstance(qualify, exp.Expr) else None
    only = [clause for clause in AFTER_WINDOWS if select.args.get(clause) is not None] == ["qualify"]
    top = top_of(condition) if only and select.args.get("distinct") is None else None
    fixed = {key for held in fixed_by(condition) if (key := key_of(select, held, names))}
    return thinned(relation, fixed, key_of(select, top, names) if top is not None else "")


def fixed_by(condition: object) -> list[exp.Expr]:
    """What a condition holds to one number, as `rn = 1` does: it depends on nothing any more."""
    parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
    return [part.this for part in parts if isinstance(part, exp.EQ) and part.expression.is_number]


def top_of(condition: object) -> exp.Expr | None:
    """What a condition holds below a number, as `rn <= 3` does."""
    held = isinstance(condition, (exp.LT, exp.LTE)) and condition.expression.is_number
    column = condition.this if held and isinstance(condition, exp.Expr) else None
    return column if isinstance(column, exp.Expr) else None


def top_alone(select: exp.Select) -> exp.Expr | None:
    """What WHERE holds below a number where nothing else leaves out rows of the FROM items."""
    return top_of(select.args["where"].this) if thins_where_alone(select) else None


def thins_where_alone(select: exp.Select) -> bool:
    """Whether WHERE leaves out rows of the FROM items, and nothing else does."""
    return not thins_after(select) and [key for key in BEFORE_WINDOWS if select.args.get(key) is not None] == ["where"]


def key_in(source: Source, column: exp.Expr, names: Names) -> str:
    """The key of a column that may be a FROM item's, empty for any other expression."""
    if not isinstance(column, exp.Column) or not is_named(column):
        return ""
    *qualifier, ident = [names.ident(part) for part in column.parts]
    return ident.key if not qualifier or source.answers(qualifier) else ""


def key_of(select: exp.Select, expression: exp.Expr, names: Names) -> str:
    """The key of the output that an alias means, or that has the same expression; empty where none does."""
    if isinstance(expression, exp.Column) and len(expression.parts) == 1 and is_named(expression):
        return names.ident(expression.this).key
    aliases = [node for node in select.expressions if isinstance(node, exp.Alias) and node.this == expression]
    return names.ident(aliases[0].args["alias"]).key if aliases else ""


def is_named(column: exp.Column) -> bool:
    """Whether a column is meant by its name."""
    return all(isinstance(part, exp.Identifier) for part in column.parts)


def thinned(relation: Relation, fixed: Container[str] = (), top: str = "") -> Relation:
    """A relation of which rows may be left out, the same one if no window has counted them."""
    items = [thinned_item(item, fixed, top) for item in relation.items]
    if all(new is old for new, old in zip(items, relation.items, strict=True)):
        return relation
    return Relation(items, relation.rows, relation.problems, relation.table, is_struct=relation.is_struct)


def thinned_item(item: OutCol | Hole, fixed: Container[str], top: str) -> OutCol | Hole:
    """One column of such a relation; what a star over unknown columns hands on has counted nothing."""
    if isinstance(item, Hole) or not any(kind == COUNTED for _, kind, _ in item.value.facts):
        return item
    if item.key == top and is_rank(item.value):
        # Of the first n all rows stay that a row's rank counts.
        return item
    return OutCol(item.name, item.key, thinned_value(item.value, item.key in fixed))


def is_rank(value: Value) -> bool:
    """Whether a column is a rank among the rows before it, and nothing more."""
    return isinstance(value.node, exp.Window) and isinstance(value.node.this, (exp.RowNumber, exp.Rank, exp.DenseRank))


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
