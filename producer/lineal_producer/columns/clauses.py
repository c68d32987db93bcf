"""GROUP BY, DISTINCT and ORDER BY: which rows exist and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import GROUP_BY, SORT, Facts, compose
from lineal_producer.columns.functions import is_aggregate
from lineal_producer.columns.relation import OutCol, Relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.values import Problem, Problems, Value, merge

# What a name inside an expression of ORDER BY means where it is no alias at first: a column, then an alias or nothing.
INSIDE_ORDER = {"duckdb": "lateral", "sqlite": "lateral", "postgres": "never", "tsql": "never", "fabric": "never"}
GROUPINGS = (exp.GroupingSets, exp.Rollup, exp.Cube, exp.Tuple, exp.Paren)


def outputs_as(relation: Relation, kind: int) -> Facts:
    """The sources of every output column, seen as one row kind."""
    facts: Facts = {}
    for column in relation.columns:
        facts.update(compose(column.value.facts, kind))
    return facts


def key_facts(keys: Iterable[exp.Expr], kind: int, relation: Relation, scope: Scope, evaluator: Evaluator) -> Value:
    """What keys read, where a number is the position of an output column."""
    facts: Facts = {}
    problems: Problems = {}
    for key in keys:
        column = positioned(key, relation)
        if column is not None and id(column.value) in scope.projected:
            value = evaluator.as_key(column.value, kind, scope)
        elif column is not None:
            value = Value(compose(column.value.facts, kind), column.value.problems)
        else:
            mode = scope.alias_mode
            scope.alias_mode = key_mode(key, scope)
            value = evaluator.facts([key], scope, kind)
            scope.alias_mode = mode
        facts.update(value.facts)
        problems.update(value.problems)
    return Value(facts, problems)


def key_mode(key: exp.Expr, scope: Scope) -> str:
    """Which of a column and an alias of one name a key means; see Scope.alias_mode."""
    if isinstance(key, exp.Column) or scope.alias_mode != "first":
        return scope.alias_mode
    if scope.names.dialect in INSIDE_ORDER:
        return INSIDE_ORDER[scope.names.dialect]
    return "after" if aggregates(key) else "first"


def aggregates(node: exp.Expr) -> bool:
    """Whether an expression aggregates; what a subquery aggregates is its own."""
    return any(is_aggregate(inner) for inner in node.walk(prune=lambda part: isinstance(part, exp.Query)))


def aggregated(node: exp.Expr, names: set[str]) -> bool:
    """Whether every bare name of some in an expression is aggregated by it."""
    bare = [column for column in node.find_all(exp.Column) if len(column.parts) == 1 and column.name in names]
    return all(isinstance(column.find_ancestor(exp.AggFunc, exp.Select), exp.AggFunc) for column in bare)


def positioned(key: exp.Expr, relation: Relation) -> OutCol | None:
    """The output column that a number means."""
    if not isinstance(key, exp.Literal) or key.is_string or not key.name.isdigit():
        return None
    position = int(key.name) - 1
    if not 0 <= position < len(relation.items):
        return None
    before = relation.items[: position + 1]
    # Behind a star that could not be expanded a position means nothing.
    return before[-1] if all(isinstance(item, OutCol) for item in before) and isinstance(before[-1], OutCol) else None


def group_facts(group: exp.Group, select: exp.Select, relation: Relation, scope: Scope, evaluator: Evaluator) -> Value:
    """What GROUP BY reads: keys, grouping sets, or for ALL every projection that does not aggregate."""
    keys = flat_keys(
        [node for name in ("expressions", "grouping_sets", "cube", "rollup") for node in listed(group, name)]
    )
    everything = group.args.get("all") or any(is_all(key) for key in keys)
    if everything:
        facts: Facts = {}
        problems: Problems = {}
        made: set[str] = set()
        for node in select.expressions:
            if aggregates(node) or reads_alias(node, made, scope):
                # What is computed from an aggregate by its alias is no key either.
                made.add(scope.names.fold(node.alias))
            else:
                value = evaluator.facts([node], scope, GROUP_BY)
                facts.update(value.facts)
                problems.update(value.problems)
        return Value(facts, problems)
    # No rows are grouped by an aggregate: what is called like one is a column.
    made = {node.alias for node in select.expressions if isinstance(node, exp.Alias) and aggregates(node)}
    columns = [key for key in keys if isinstance(key, exp.Column) and len(key.parts) == 1 and key.name in made]
    others = [key for key in keys if not any(key is column for column in columns)]
    value = key_facts(others, GROUP_BY, relation, scope, evaluator)
    mode, scope.alias_mode = scope.alias_mode, "never"
    value = merge((value, evaluator.facts(columns, scope, GROUP_BY)))
    scope.alias_mode = mode
    return value


def reads_alias(node: exp.Expr, aliases: set[str], scope: Scope) -> bool:
    """Whether an expression reads one of some aliases by a name that no column has."""
    bare = [column for column in node.find_all(exp.Column) if len(column.parts) == 1] if aliases else []
    idents = [scope.names.ident(column.this) for column in bare if isinstance(column.this, exp.Identifier)]
    return any(ident.key in aliases and scope.definite(ident) is None for ident in idents)


def aggregate_aliases(select: exp.Select, group: exp.Group | None) -> set[str]:
    """The aliases of what a SELECT aggregates, but for those that its keys have, too."""
    keys = {column.name for column in group.find_all(exp.Column)} if group is not None else set()
    return {node.alias for node in select.expressions if isinstance(node, exp.Alias) and aggregates(node)} - keys


def flat_keys(nodes: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The keys inside grouping sets, ROLLUP and CUBE."""
    keys: list[exp.Expr] = []
    for node in nodes:
        if isinstance(node, exp.Paren):
            keys += flat_keys([node.this])
        elif isinstance(node, GROUPINGS):
            keys += flat_keys(node.expressions)
        else:
            keys.append(node)
    return keys


def listed(node: exp.Expr, name: str) -> list[exp.Expr]:
    """An argument's nodes, whether it is one or several."""
    found = node.args.get(name)
    if isinstance(found, list):
        return [part for part in found if isinstance(part, exp.Expr)]
    return [found] if isinstance(found, exp.Expr) else []


def order_facts(order: exp.Expr, relation: Relation, scope: Scope, evaluator: Evaluator) -> Value:
    """What ORDER BY reads."""
    keys = [node.this if isinstance(node, exp.Ordered) else node for node in order.expressions]
    if any(is_all(key) for key in keys):
        return Value(outputs_as(relation, SORT), {})
    return key_facts(keys, SORT, relation, scope, evaluator)


def is_all(key: exp.Expr) -> bool:
    """Whether a key is the word ALL, which some grammars take for a column; no column is called so without quotes."""
    if isinstance(key, exp.Column):
        return len(key.parts) == 1 and key.name.upper() == "ALL" and not key.this.args.get("quoted")
    return isinstance(key, exp.Var) and key.name.upper() == "ALL"


def add_order(order: exp.Order, relation: Relation, scope: Scope, evaluator: Evaluator) -> None:
    """Adds what ORDER BY of a set operation reads: its names are output columns."""
    scope.aliases = {column.key: column.value for column in relation.columns}
    scope.alias_mode = "first"
    value = order_facts(order, relation, scope, evaluator)
    problems = value.problems
    if relation.is_open:
        # An output behind a star may well have that name.
        problems = {}
    relation.rows.update(value.facts)
    relation.problems.update(problems)


def distinct_facts(distinct: exp.Distinct, relation: Relation, scope: Scope, evaluator: Evaluator) -> Value:
    """What DISTINCT reads: its ON keys, else every output."""
    on = distinct.args.get("on")
    if on is not None:
        keys = on.expressions if isinstance(on, exp.Tuple) else [on]
        return key_facts(flat_keys(keys), GROUP_BY, relation, scope, evaluator)
    problems: Problems = {}
    if relation.is_open:
        problems[Problem("star_without_schema", "DISTINCT over columns that are not known")] = None
    return Value(outputs_as(relation, GROUP_BY), problems)
