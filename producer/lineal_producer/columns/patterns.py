"""DuckDB's COLUMNS(): one expression for many columns."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import AGGREGATION, TRANSFORMATION
from lineal_producer.columns.functions import MASKING, is_aggregate
from lineal_producer.columns.regex import compile_regex
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.stars import (
    StarRules,
    all_items,
    apply_rules,
    expand_star,
    like_pattern,
    star_of,
)
from lineal_producer.columns.text import text_of
from lineal_producer.columns.values import Problem, Value

SPREADING = frozenset({"duckdb", "clickhouse", ""})
# Says of a column's name whether it is meant.
Test = Callable[[str], bool]
GROUP_NUMBER = re.compile(r"\\(\d)")
UNKNOWN_PATTERN = Problem("star_without_schema", "which columns COLUMNS() means can't be told")


def expand_columns(node: exp.Expr, scope: Scope, evaluator: Evaluator) -> list[OutCol | Hole] | None:
    """The columns of a projection with COLUMNS() or `* LIKE`, None for a projection without."""
    inner = node.this if isinstance(node, exp.Alias) else node
    if isinstance(inner, (exp.Column, exp.Literal)):
        return None
    test = inner.this if isinstance(inner, exp.Not) else inner
    test = test.this if isinstance(test, exp.Escape) else test
    starred = star_of(test.this) if isinstance(test, (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)) else None
    if starred is not None:
        matches = pattern_of_operator(inner)
        if matches is None:
            return [Hole(Relation(), problem=UNKNOWN_PATTERN)]
        return apply_rules(expand_star(test.this, starred, scope, evaluator), StarRules(matches=matches), scope.names)
    if scope.names.dialect not in SPREADING:
        return None
    if isinstance(inner, exp.Apply):
        return applied_functions(inner, scope, evaluator)
    found = [part for part in inner.walk() if isinstance(part, exp.Columns)]
    spread = [part for part in found if part.args.get("unpack")]
    if not found or len(spread) == len(found):
        # *COLUMNS() is a list of arguments: one column reads them all.
        evaluator.spread = {id(part): items_of(part, scope, evaluator) for part in spread}
        return None
    targets = items_of(found[0], scope, evaluator)
    if inner is found[0]:
        return renamed(node, found[0], targets, scope) if isinstance(node, exp.Alias) else targets
    items = [applied(inner, item, scope, evaluator) for item in targets]
    return renamed(node, found[0], items, scope) if isinstance(node, exp.Alias) else items


def spread_columns(clause: exp.Expr, scope: Scope, evaluator: Evaluator) -> None:
    """Makes every COLUMNS() of a condition or an order stand for all its columns at once."""
    if scope.names.dialect in SPREADING:
        evaluator.spread = {id(part): items_of(part, scope, evaluator) for part in clause.find_all(exp.Columns)}


def applied_functions(node: exp.Expr, scope: Scope, evaluator: Evaluator) -> list[OutCol | Hole]:
    """ClickHouse's `* APPLY(f)`: a column for each, named by the call."""
    functions: list[exp.Expr] = []
    while isinstance(node, exp.Apply):
        functions.append(node.expression)
        node = node.this
    star = star_of(node)
    items = expand_star(node, star, scope, evaluator) if star is not None else []
    items = items_of(node, scope, evaluator) if isinstance(node, exp.Columns) else items
    for function in reversed(functions):
        name = function.name or text_of(function, scope.names.grammar)
        kind = AGGREGATION if is_aggregate(exp.Anonymous(this=name)) else TRANSFORMATION
        masking = name.lower() in MASKING
        items = [
            Hole(Relation(), problem=UNKNOWN_PATTERN)
            if isinstance(item, Hole)
            else named_call(item, name, item.value.used(kind, masking))
            for item in items
        ]
    return items


def named_call(item: OutCol, name: str, value: Value) -> OutCol:
    """A column under the name of the call that makes it."""
    called = f"{name}({item.name})"
    return OutCol(called, called, value)


def renamed(node: exp.Alias, marker: exp.Columns, items: list[OutCol | Hole], scope: Scope) -> list[OutCol | Hole]:
    """COLUMNS('…') AS '…': names built of what the pattern's groups took, or one name for all."""
    pattern = marker.this.name if isinstance(marker.this, exp.Literal) else ""
    result: list[OutCol | Hole] = []
    for item in items:
        if isinstance(item, Hole):
            # Its columns have other names than those that they are behind.
            result.append(Hole(Relation(), problem=UNKNOWN_PATTERN))
            continue
        name = built_name(pattern, node.alias, item.name)
        ident = scope.names.make(name, quoted=True)
        result.append(OutCol(ident.stored, ident.key, item.value))
    return result


def built_name(pattern: str, template: str, name: str) -> str:
    r"""A name built of the groups of a pattern, `\0` the whole name; the template where it can't be read."""
    if "\\" not in template:
        return template
    compiled = compile_regex(pattern) if pattern else None
    groups = compiled.groups(name) if compiled else None
    if pattern and groups is None:
        return template
    found = dict(enumerate(groups or [name]))
    return GROUP_NUMBER.sub(lambda match: found.get(int(match[1]), ""), template)


def applied(node: exp.Expr, item: OutCol | Hole, scope: Scope, evaluator: Evaluator) -> OutCol | Hole:
    """The expression around COLUMNS() for one of its columns."""
    if isinstance(item, Hole):
        return Hole(Relation(), problem=UNKNOWN_PATTERN)
    # Every COLUMNS() of one expression stands for the same column.
    evaluator.stand_in = item.value
    try:
        value = evaluator.value(node, scope)
    finally:
        evaluator.stand_in = None
    return OutCol(item.name, item.key, Value(value.facts, value.problems, node=node))


def items_of(node: exp.Columns, scope: Scope, evaluator: Evaluator) -> list[OutCol | Hole]:
    """The columns that COLUMNS() means."""
    what = node.this
    starred = star_of(what)
    if starred is not None:
        return expand_star(what, starred, scope, evaluator)
    if isinstance(what, exp.Literal):
        compiled = compile_pattern(what.name)
        return select_items(scope, compiled, StarRules()) if compiled else [Hole(Relation(), problem=UNKNOWN_PATTERN)]
    if isinstance(what, exp.Lambda):
        matches = pattern_of_operator(what.this)
        return select_items(scope, matches, StarRules()) if matches else [Hole(Relation(), problem=UNKNOWN_PATTERN)]
    if isinstance(what, exp.Array):
        wanted = {scope.names.fold(part.name) for part in what.expressions}
        return select_items(scope, lambda name: scope.names.fold(name) in wanted, StarRules())
    return [Hole(Relation(), problem=UNKNOWN_PATTERN)]


def compile_pattern(text: str) -> Test | None:
    """A regular expression over column names, None when it isn't one that can be read."""
    compiled = compile_regex(text)
    return (lambda name: compiled.search(name) is not None) if compiled else None


def pattern_of_operator(node: exp.Expr) -> Test | None:
    """The test of names that a condition makes, None where it can't be told."""
    if isinstance(node, exp.Paren):
        return pattern_of_operator(node.this)
    if node.args.get("negate"):
        plain = node.copy()
        plain.set("negate", False)
        test = pattern_of_operator(plain)
        return (lambda name: not test(name)) if test else None
    if isinstance(node, (exp.Not, exp.And, exp.Or)):
        return combined(node)
    escape = ""
    if isinstance(node, exp.Escape):
        escape, node = node.expression.name, node.this
    left, right = node.this, node.args.get("expression")
    if isinstance(node, exp.In) and isinstance(left, (exp.Identifier, exp.Column)):
        wanted = {part.name for part in node.expressions if isinstance(part, exp.Literal)}
        return (lambda name: name in wanted) if len(wanted) == len(node.expressions) else None
    if not isinstance(right, exp.Literal) or not isinstance(left, (exp.Identifier, exp.Column, exp.Star)):
        return None
    return compared(node, right.name, escape)


def compared(node: exp.Expr, text: str, escape: str = "") -> Test | None:
    """The test of one comparison with a text."""
    if isinstance(node, (exp.Like, exp.ILike)):
        return like_pattern(text, isinstance(node, exp.ILike), escape)
    if isinstance(node, exp.SimilarTo):
        return compile_pattern(f"^(?:{text})$")
    if isinstance(node, exp.RegexpLike):
        return compile_pattern(text)
    if isinstance(node, exp.Glob) and not set(text) & set("%_[\\"):
        return like_pattern(text.replace("*", "%").replace("?", "_"), ignore_case=False)
    if isinstance(node, (exp.EQ, exp.NEQ)):
        equal = isinstance(node, exp.EQ)
        return lambda name: (name == text) is equal
    if isinstance(node, exp.StartsWith):
        return lambda name: name.startswith(text)
    if isinstance(node, exp.Contains):
        return lambda name: text in name
    return None


def combined(node: exp.Expr) -> Test | None:
    """The test of NOT, AND or OR."""
    first = pattern_of_operator(node.this)
    if first is None:
        return None
    if isinstance(node, exp.Not):
        return lambda name: not first(name)
    second = pattern_of_operator(node.expression)
    if second is None:
        return None
    if isinstance(node, exp.And):
        return lambda name: first(name) and second(name)
    return lambda name: first(name) or second(name)


def select_items(scope: Scope, matches: Test | None, rules: StarRules) -> list[OutCol | Hole]:
    """The columns of all FROM items that match."""
    rules.matches = matches or rules.matches
    return apply_rules(all_items(scope, rules), rules, scope.names)
