"""What a star stands for: the columns it gives, and holes where they aren't known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.regex import compile_like
from lineal_producer.columns.relation import Hole, OutCol, Relation, as_items
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.text import text_of
from lineal_producer.columns.values import Problem, Value

# Where USING's columns stay at their place in the left relation; elsewhere they come first, as the standard says.
KEYS_IN_PLACE = frozenset({"duckdb", "sqlite", "clickhouse"})


@dataclass(slots=True)
class StarRules:
    """EXCLUDE, REPLACE, RENAME and a pattern of one star, by folded name."""

    excluded: set[str] = field(default_factory=set)
    # Those that are written under a relation's name: only its column goes.
    excluded_of: list[list[Ident]] = field(default_factory=list)
    replaced: dict[str, Value] = field(default_factory=dict)
    renamed: dict[str, Ident] = field(default_factory=dict)
    matches: Callable[[str], bool] | None = None


def star_of(node: exp.Expr) -> exp.Star | None:
    """The star of `*` or `t.*`, None for any other projection."""
    if isinstance(node, exp.Star):
        return node
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        return node.this
    return None


def star_rules(star: exp.Star, scope: Scope, evaluator: Evaluator) -> StarRules:
    """The rules written after a star."""
    names = scope.names
    rules = StarRules()
    for node in listed(star, "except_", "except"):
        parts = [names.ident(part) for part in node.parts] if isinstance(node, exp.Column) else [names.ident(node)]
        if len(parts) > 1:
            rules.excluded_of.append(parts)
        else:
            rules.excluded.add(parts[0].key)
    for node in listed(star, "replace"):
        if isinstance(node, exp.Alias):
            value = evaluator.value(node.this, scope)
            value.text = value.text or text_of(node.this, names.grammar)
            rules.replaced[names.ident(node.args["alias"]).key] = value
    for node in listed(star, "rename"):
        if isinstance(node, exp.Alias):
            old = node.this.this if isinstance(node.this, exp.Column) else node.this
            rules.renamed[names.ident(old).key] = names.ident(node.args["alias"])
    pattern = star.args.get("ilike")
    if isinstance(pattern, exp.Literal):
        rules.matches = like_pattern(pattern.name, ignore_case=True)
    return rules


def listed(star: exp.Star, *keys: str) -> list[exp.Expr]:
    """The nodes of the first of some arguments that is there; the grammar's versions spell them differently."""
    for key in keys:
        found = star.args.get(key)
        if found:
            return found if isinstance(found, list) else [found]
    return []


def like_pattern(pattern: str, ignore_case: bool, escape: str = "") -> Callable[[str], bool]:
    """Whether a name is LIKE a pattern."""
    compiled = compile_like(pattern, ignore_case, escape)
    return lambda name: compiled.search(name) is not None


def expand_star(node: exp.Expr, star: exp.Star, scope: Scope, evaluator: Evaluator) -> list[OutCol | Hole]:
    """The columns of `*` or `t.*` in order."""
    rules = star_rules(star, scope, evaluator)
    if isinstance(node, exp.Column):
        parts = [scope.names.ident(part) for part in node.parts if isinstance(part, exp.Identifier)]
        for level in scope.chain():
            source = level.find_source(parts)
            if source is not None:
                return apply_rules(items_of(source, level, rules, qualified=True), rules, scope.names)
        unread = evaluator.set_aside.get(parts[0].name) if parts else None
        if unread is not None:
            return [Hole(Relation(), problem=unread)]
        return apply_rules(struct_items(scope.resolve(parts)), rules, scope.names)
    return apply_rules(all_items(scope, rules), rules, scope.names)


def items_of(source: Source, scope: Scope, rules: StarRules | None, qualified: bool = False) -> list[OutCol | Hole]:
    """The columns of one FROM item without those that a star leaves out under the item's name."""
    items = list(as_items(source.relation))
    named = rules.excluded_of if rules is not None else []
    gone = {parts[-1].key for parts in named if scope.find_source(parts[:-1]) is source}
    if source.unsure is not None and not qualified:
        unsure = Value({}, {source.unsure: None})
        items = [OutCol(item.name, item.key, unsure) if isinstance(item, OutCol) else item for item in items]
    return apply_rules(items, StarRules(excluded=gone), scope.names) if gone else items


def all_items(scope: Scope, rules: StarRules | None = None) -> list[OutCol | Hole]:
    """The columns of all FROM items, each merged key once."""
    items: list[OutCol | Hole] = []
    in_place = scope.names.dialect in KEYS_IN_PLACE
    pending = dict(scope.using)
    if not in_place:
        items += [OutCol(ident.stored, key, value) for key, (ident, value) in pending.items()]
    for source in scope.visible():
        given: list[OutCol | Hole] = []
        for item in items_of(source, scope, rules):
            if isinstance(item, Hole):
                hidden = source.merged if in_place else source.merged | scope.using.keys()
                given.append(replace(item, hidden=item.hidden | hidden))
            elif item.key in source.merged:
                continue
            elif item.key in scope.using:
                if in_place and item.key in pending:
                    given.append(OutCol(item.name, item.key, pending.pop(item.key)[1]))
            else:
                given.append(item)
        items += given
    return items


def struct_items(value: Value) -> list[OutCol | Hole]:
    """The fields of a struct by `s.*`."""
    if value.shape is not None and value.shape.fields is not None:
        return [OutCol(name, key, inner) for key, (name, inner) in value.shape.fields.items()]
    problem = Problem("star_without_schema", "the fields of a struct are not known")
    problem = next(iter(value.problems), problem)
    return [Hole(Relation(), frozenset(), {}, problem)]


def apply_rules(items: Iterable[OutCol | Hole], rules: StarRules, names: Names) -> list[OutCol | Hole]:
    """The columns that a star's rules leave, under the names and with the values that they give."""
    result: list[OutCol | Hole] = []
    for item in items:
        if isinstance(item, Hole):
            result += hole_under_rules(item, rules, names)
            continue
        if item.key in rules.excluded or (rules.matches is not None and not rules.matches(item.name)):
            continue
        value = rules.replaced.get(item.key, item.value)
        new = rules.renamed.get(item.key)
        result.append(OutCol(new.stored, new.key, value) if new else OutCol(item.name, item.key, value))
    return result


def hole_under_rules(hole: Hole, rules: StarRules, names: Names) -> list[OutCol | Hole]:
    """A star over unknown columns: what the rules name is known to be there, the rest isn't."""
    gone = rules.excluded | rules.renamed.keys()
    known = {key: column for key, column in hole.renamed.items() if key not in gone}
    for key, value in rules.replaced.items():
        known[key] = OutCol(key, key, value)
    for old, new in rules.renamed.items():
        found = rules.replaced.get(old) or hole.find(names.make(old, quoted=True), names)
        if found is not None:
            known[new.key] = OutCol(new.stored, new.key, found)
    hidden = hole.hidden | rules.excluded | rules.renamed.keys() | rules.replaced.keys()
    return [replace(hole, hidden=frozenset(hidden), renamed=known, matches=rules.matches or hole.matches)]
