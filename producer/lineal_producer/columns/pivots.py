"""PIVOT and UNPIVOT, in their standard form and in DuckDB's statement form."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from sqlglot import exp

from lineal_producer.columns.clauses import flat_keys
from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import CONDITIONAL, GROUP_BY, compose
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.naming import duckdb_name
from lineal_producer.columns.patterns import expand_columns
from lineal_producer.columns.relation import Hole, OutCol, Relation, as_items, renamed_columns
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.stars import StarRules, apply_rules, expand_star, star_of
from lineal_producer.columns.values import Problem, Value, constant, merge

UNSURE_ORDER = Problem("ambiguous_column", "names by position over several UNPIVOTs: their column order is not certain")
# What stands where PIVOT's columns are told by data.
OF_DATA = (exp.PivotAny, exp.Query)
# A column that is turned into rows under its name, and what a row has of it.
Key = tuple[Ident, Value]
OPEN_ROWS = Problem("star_without_schema", "UNPIVOT over columns that are not known")
OPEN_KEYS = Problem("star_without_schema", "PIVOT groups by all other columns, and they are not known")


def apply_pivots(source: Source, pivots: list[exp.Pivot], scope: Scope, evaluator: Evaluator) -> Relation:
    """The relation under the PIVOTs and UNPIVOTs behind it, one after another."""
    relation, keys = source.relation, source.keys
    before = {id(column.value) for column in relation.columns}
    for pivot in pivots:
        relation = apply_pivot(Source(keys, relation), pivot, scope, evaluator)
    alias = pivots[-1].args.get("alias") if pivots else None
    renamed = isinstance(alias, exp.TableAlias) and alias.args.get("columns")
    if not renamed or sum(bool(pivot.args.get("unpivot")) for pivot in pivots) < 2:
        return relation
    # Databases differ in whether UNPIVOT's name or value comes first: a list of names over two of them is no proof.
    items: list[OutCol | Hole] = [
        OutCol(item.name, item.key, Value({}, {**item.value.problems, UNSURE_ORDER: None}))
        if isinstance(item, OutCol) and id(item.value) not in before
        else item
        for item in relation.items
    ]
    return Relation(items, relation.rows, relation.problems)


def apply_pivot(source: Source, pivot: exp.Pivot, scope: Scope, evaluator: Evaluator) -> Relation:
    """The relation under `… PIVOT (…)` or `… UNPIVOT (…)`."""
    relation = source.relation
    inner = Scope(scope.names, scope.parent, scope.ctes, [source])
    if pivot.args.get("unpivot"):
        result = unpivoted(relation, pivot, inner, evaluator)
    else:
        result = pivoted(relation, pivot, inner, evaluator)
    alias = pivot.args.get("alias")
    columns = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    return renamed_columns(result, [scope.names.ident(column) for column in columns or []])


def pivot_statement(relation: Relation, pivot: exp.Pivot, scope: Scope, evaluator: Evaluator) -> Relation:
    """The relation of DuckDB's `PIVOT t ON … USING …` or `UNPIVOT t ON …`."""
    inner = Scope(scope.names, scope.parent, scope.ctes, [Source((), relation)])
    if pivot.args.get("unpivot"):
        into = pivot.args.get("into")
        name = inner.names.ident(into.this.this if isinstance(into.this, exp.Column) else into.this) if into else None
        values = [inner.names.make(part.name) for part in into.expressions] if into else []
        melting = unpivot_keys(pivot.expressions, inner, evaluator)
        return melted(relation, melting, values or [inner.names.make("value")], name or inner.names.make("name"), inner)
    aggregates = listed(pivot.args.get("using")) or [exp.Count(this=exp.Star())]
    names = statement_names(pivot.expressions, aggregates)
    keys = [key.this if isinstance(key, exp.In) else key for key in pivot.expressions]
    return spread(relation, aggregates, keys, names, explicit_group(pivot), inner, evaluator)


def listed(node: object) -> list[exp.Expr]:
    """A list argument, empty when it is absent or only a flag."""
    return [part for part in node if isinstance(part, exp.Expr)] if isinstance(node, list) else []


def statement_names(keys: list[exp.Expr], aggregates: list[exp.Expr]) -> list[str] | None:
    """The columns of a PIVOT statement, None when they depend on data."""
    prefixes = [""]
    for key in keys:
        if not isinstance(key, exp.In) or not all(isinstance(value, exp.Literal) for value in key.expressions):
            return None
        prefixes = [f"{p}_{value.name}" if p else value.name for p in prefixes for value in key.expressions]
    suffixes = [
        f"_{node.alias}" if isinstance(node, exp.Alias) else (f"_{duckdb_name(node)}" if len(aggregates) > 1 else "")
        for node in aggregates
    ]
    return [prefix + suffix for prefix in prefixes for suffix in suffixes]


def pivoted(relation: Relation, pivot: exp.Pivot, scope: Scope, evaluator: Evaluator) -> Relation:
    """PIVOT in its standard form."""
    aggregates = pivot.expressions
    keys: list[exp.Expr] = []
    dynamic = False
    for field in pivot.args.get("fields") or []:
        if isinstance(field, exp.In):
            keys.append(field.this)
            dynamic = dynamic or not field.expressions or any(isinstance(v, OF_DATA) for v in field.expressions)
    named = [part.name for part in pivot.args.get("columns") or []]
    if scope.names.dialect in ("snowflake", "oracle"):
        named = [name if name.startswith("'") else name.upper() for name in named]
    if scope.names.dialect == "oracle":
        named = oracle_columns(pivot) or named
    width = len(aggregates) * prod(len(field.expressions) for field in pivot.args.get("fields") or [])
    names = None if dynamic or len(named) != width else named
    return spread(relation, aggregates, keys, names, explicit_group(pivot), scope, evaluator)


def oracle_columns(pivot: exp.Pivot) -> list[str]:
    """Oracle's names of PIVOT's columns: a value without an alias is its text, with the quotes; none where unsure."""
    fields = pivot.args.get("fields") or []
    prefixes: list[str] = []
    for value in fields[0].expressions if len(fields) == 1 and isinstance(fields[0], exp.In) else []:
        if isinstance(value, exp.PivotAlias) and isinstance(value.args.get("alias"), exp.Identifier):
            prefixes.append(stored_upper(value.args["alias"]))
        elif isinstance(value, exp.Literal):
            prefixes.append(f"'{value.name}'" if value.is_string else value.name)
        else:
            return []
    suffixes = [f"_{stored_upper(node.args['alias'])}" if node.alias else "" for node in pivot.expressions]
    return [prefix + suffix for prefix in prefixes for suffix in suffixes]


def stored_upper(alias: exp.Expr) -> str:
    """An alias as Oracle stores it."""
    return alias.name if alias.args.get("quoted") else alias.name.upper()


def explicit_group(pivot: exp.Pivot) -> list[exp.Expr] | None:
    """The keys of a PIVOT's own GROUP BY, None where it groups by all that it doesn't use."""
    group = pivot.args.get("group")
    return group.expressions if isinstance(group, exp.Group) else None


def spread(
    relation: Relation,
    aggregates: list[exp.Expr],
    keys: list[exp.Expr],
    names: list[str] | None,
    group: list[exp.Expr] | None,
    scope: Scope,
    evaluator: Evaluator,
) -> Relation:
    """A pivoted relation: its group keys, then a column a key value and aggregate."""
    condition = evaluator.facts(keys, scope, CONDITIONAL)
    values = []
    for node in aggregates:
        value = evaluator.value(node, scope)
        values.append(Value({**value.facts, **condition.facts}, {**value.problems, **condition.problems}))
    kept = grouped(relation, [*aggregates, *keys], group, scope)
    items: list[OutCol | Hole] = list(kept)
    if names is None:
        items.append(Hole(Relation(), whole=merge(values)))
    else:
        for position, name in enumerate(names):
            ident = scope.names.make(name, quoted=True)
            items.append(OutCol(ident.stored, scope.names.fold(name), values[position % len(values)]))
    rows = dict(relation.rows)
    problems = dict(relation.problems)
    for item in kept:
        if isinstance(item, OutCol):
            rows.update(compose(item.value.facts, GROUP_BY))
        else:
            problems[OPEN_KEYS] = None
    return Relation(items, rows, problems)


def grouped(
    relation: Relation, used: Iterable[exp.Expr], group: list[exp.Expr] | None, scope: Scope
) -> list[OutCol | Hole]:
    """The columns by which PIVOT groups: those named, else all that it does not use."""
    names = scope.names
    if group is not None:
        keys = [names.ident(key.this) for key in flat_keys(group) if isinstance(key, exp.Column)]
        return [OutCol(key.stored, key.key, scope.resolve_name(key)) for key in keys]
    hidden = {
        names.ident(column.this).key
        for node in used
        for column in node.find_all(exp.Column)
        if isinstance(column.this, exp.Identifier)
    }
    return apply_rules(as_items(relation), StarRules(excluded=hidden), names)


def unpivot_keys(nodes: Iterable[exp.Expr], scope: Scope, evaluator: Evaluator) -> list[list[Key]]:
    """The columns that UNPIVOT turns into rows, several for one row where values are."""
    keys: list[list[Key]] = []
    for node in nodes:
        while isinstance(node, (exp.PivotAlias, exp.Alias, exp.Paren)):
            node = node.this
        if isinstance(node, exp.Tuple):
            keys.append([unpivot_key(part, scope, evaluator) for part in node.expressions])
            continue
        star = star_of(node)
        items = expand_star(node, star, scope, evaluator) if star is not None else None
        if items is None and not isinstance(node, exp.Identifier):
            items = expand_columns(node, scope, evaluator)
        if items is None:
            keys.append([unpivot_key(node, scope, evaluator)])
            continue
        if any(isinstance(item, Hole) for item in items):
            # A name that no column has: what is turned into rows is not known.
            keys.append([(Ident("*", "*", ""), Value({}, {OPEN_ROWS: None}))])
        keys += [[(Ident(item.name, item.name, item.key), item.value)] for item in items if isinstance(item, OutCol)]
    return keys


def unpivot_key(node: exp.Expr, scope: Scope, evaluator: Evaluator) -> Key:
    """A column that UNPIVOT turns into rows, or what DuckDB makes of one on the way."""
    if isinstance(node, exp.Identifier):
        ident = scope.names.ident(node)
        return ident, scope.resolve_name(ident)
    column = node.find(exp.Column)
    if column is None or not isinstance(column.this, exp.Identifier):
        return Ident("*", "*", ""), evaluator.value(node, scope)
    ident = scope.names.ident(column.this)
    return ident, scope.resolve_name(ident) if column is node else evaluator.value(node, scope)


def unpivoted(relation: Relation, pivot: exp.Pivot, scope: Scope, evaluator: Evaluator) -> Relation:
    """UNPIVOT in its standard form."""
    values: list[Ident] = []
    for node in pivot.expressions:
        parts = node.expressions if isinstance(node, exp.Tuple) else [node]
        values += [scope.names.ident(part.this if isinstance(part, exp.Column) else part) for part in parts]
    name = scope.names.make("name")
    keys: list[list[Key]] = []
    for field in pivot.args.get("fields") or []:
        if isinstance(field, exp.In):
            name = scope.names.ident(field.this.this if isinstance(field.this, exp.Column) else field.this)
            keys += unpivot_keys(field.expressions, scope, evaluator)
    return melted(relation, keys, values, name, scope, bool(pivot.args.get("value_columns_first")))


def melted(
    relation: Relation,
    keys: list[list[Key]],
    values: list[Ident],
    name: Ident,
    scope: Scope,
    value_first: bool = False,
) -> Relation:
    """An unpivoted relation: the other columns, the name, the values."""
    hidden = {ident.key for group in keys for ident, _ in group}
    items = apply_rules(as_items(relation), StarRules(excluded=hidden), scope.names)
    if "" in hidden and not relation.is_open:
        items = [Hole(Relation(), problem=OPEN_ROWS)]
    made: list[OutCol | Hole] = []
    for position, ident in enumerate(values):
        parts = [group[position][1] for group in keys if position < len(group)]
        made.append(OutCol(ident.stored, ident.key, merge(parts)))
    label = OutCol(name.stored, name.key, constant())
    both: list[OutCol | Hole] = [*made, label] if value_first or scope.names.dialect == "bigquery" else [label, *made]
    return Relation([*items, *both], dict(relation.rows), dict(relation.problems))
