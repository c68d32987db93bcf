"""MATCH_RECOGNIZE: rows by pattern, columns by measures."""

from __future__ import annotations

import re

from sqlglot import exp

from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import FILTER, SORT, WINDOW, Facts
from lineal_producer.columns.from_item import Source
from lineal_producer.columns.relation import Hole, OutCol, Relation, as_items
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.stars import StarRules, apply_rules
from lineal_producer.columns.values import Problems, Value, constant

# Where the measures of ALL ROWS PER MATCH follow the input's columns; elsewhere keys, order and measures come first.
INPUT_FIRST = frozenset({"snowflake"})


def column_of(key: exp.Expr, scope: Scope, evaluator: Evaluator) -> OutCol:
    """A key of the pattern as an output."""
    ident = scope.names.ident(key.this)
    return OutCol(ident.stored, ident.key, evaluator.value(key, scope))


def measured(node: exp.Expr, scope: Scope, evaluator: Evaluator) -> Value:
    """The value of a measure; count(variable.*) only counts rows."""
    inner = node.unalias()
    counted = inner.this if isinstance(inner, exp.Count) else None
    if isinstance(counted, exp.Column) and isinstance(counted.this, exp.Star):
        return constant()
    # FIRST and LAST hand over another row's value; nothing is aggregated.
    return evaluator.value(node.transform(handed_over), scope)


def handed_over(node: exp.Expr) -> exp.Expr:
    """A call of FIRST or LAST as one of PREV, which the grammar takes for no aggregate."""
    if not isinstance(node, (exp.First, exp.Last)):
        return node
    return exp.Anonymous(this="prev", expressions=[part.copy() for part in node.iter_expressions()])


def recognize(node: exp.MatchRecognize, scope: Scope, evaluator: Evaluator, rows: Facts, problems: Problems) -> None:
    """Puts the matched relation in the place of the scope's last source."""
    names = scope.names
    source = scope.sources.pop()
    pattern = node.args.get("pattern")
    variables = re.findall(r"\w+", pattern.name if isinstance(pattern, exp.Expr) else "")
    defined = [part.alias for part in node.args.get("define") or []]
    also = frozenset(names.fold(name) for name in [*variables, *defined])
    inner = Scope(names, scope.parent, scope.ctes, [Source(source.keys, source.relation, also=also)])
    partition = node.args.get("partition_by") or []
    order = node.args.get("order")
    order_parts = order.expressions if isinstance(order, exp.Order) else []
    decides = [
        (partition, WINDOW),
        (order_parts, SORT),
        ([part.this for part in node.args.get("define") or []], FILTER),
    ]
    for nodes, kind in decides:
        value = evaluator.facts(nodes, inner, kind)
        rows.update(value.facts)
        problems.update(value.problems)
    every_row = node.args.get("rows")
    whole = isinstance(every_row, exp.Expr) and every_row.name.upper().startswith("ALL")
    items: list[OutCol | Hole] = []
    rest: list[OutCol | Hole] = []
    if whole and names.dialect in INPUT_FIRST:
        items += as_items(source.relation)
    else:
        keys = [*partition, *(part.this for part in order_parts)] if whole else partition
        items += [column_of(key, inner, evaluator) for key in keys if isinstance(key, exp.Column)]
        given = {item.key for item in items if isinstance(item, OutCol)}
        rest = apply_rules(as_items(source.relation), StarRules(excluded=given), names) if whole else []
    for measure in node.args.get("measures") or []:
        part = measure.this
        ident = names.make(part.alias_or_name)
        items.append(OutCol(ident.stored, ident.key, measured(part, inner, evaluator)))
    items += rest
    alias = node.args.get("alias")
    keys = (names.ident(alias.this).key,) if isinstance(alias, exp.TableAlias) and alias.this else ()
    scope.sources.append(Source(keys, Relation(items)))
