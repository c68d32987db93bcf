"""DuckDB's functions behind a dot: the grammar takes what stands before one for a schema's name, column by column."""

from __future__ import annotations

from sqlglot import exp

# Where an identifier is a name of its own and never a column: the parent and the place in it.
NAMES = (exp.Column, exp.Table, exp.TableAlias, exp.CTE, exp.DataType, exp.ColumnDef, exp.Star, exp.Window)
NAME_PLACES: dict[type[exp.Expr], frozenset[str]] = {
    exp.Alias: frozenset({"alias"}),
    exp.PropertyEQ: frozenset({"this"}),
    exp.Kwarg: frozenset({"this"}),
    exp.Lambda: frozenset({"expressions"}),
    exp.XMLElement: frozenset({"this"}),
    exp.Comprehension: frozenset({"expression", "position"}),
    exp.Dot: frozenset({"expression"}),
}


def restore_columns(base: exp.Expr) -> None:
    """Makes columns again of the bare identifiers in an expression before a dot, but for a dotted name."""
    if dotted_names(base):
        return
    for ident in list(base.find_all(exp.Identifier)):
        parent, place = ident.parent, ident.arg_key
        if parent is None or isinstance(parent, NAMES) or place in NAME_PLACES.get(type(parent), ()):
            continue
        behind = parent.args.get("expression") if isinstance(parent, exp.Dot) else None
        if parent is not base and isinstance(behind, exp.Identifier):
            parent.replace(exp.Column(this=behind.copy(), table=ident.copy()))
        else:
            ident.replace(exp.Column(this=ident.copy()))


def dotted_names(node: exp.Expr) -> list[exp.Identifier]:
    """The identifiers of a dotted name in order, none for any other expression."""
    parts: list[exp.Identifier] = []
    while isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Identifier):
        parts.insert(0, node.args["expression"])
        node = node.this
    return [node, *parts] if isinstance(node, exp.Identifier) else []
