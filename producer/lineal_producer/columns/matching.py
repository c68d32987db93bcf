"""MATCH_RECOGNIZE: rows by pattern, columns by measures."""

from __future__ import annotations

import re

from sqlglot import exp

from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import FILTER, SORT, WINDOW, Facts
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.scope import Scope, Source
from lineal_producer.columns.values import Problems


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
    decides = [
        (partition, WINDOW),
        (order.expressions if isinstance(order, exp.Order) else [], SORT),
        ([part.this for part in node.args.get("define") or []], FILTER),
    ]
    for nodes, kind in decides:
        value = evaluator.facts(nodes, inner, kind)
        rows.update(value.facts)
        problems.update(value.problems)
    items: list[OutCol | Hole] = []
    every_row = node.args.get("rows")
    if isinstance(every_row, exp.Expr) and every_row.name.upper().startswith("ALL"):
        items += source.relation.items
    else:
        for key in partition:
            if isinstance(key, exp.Column):
                ident = names.ident(key.this)
                items.append(OutCol(ident.stored, ident.key, evaluator.value(key, inner)))
    for measure in node.args.get("measures") or []:
        part = measure.this
        ident = names.make(part.alias_or_name)
        items.append(OutCol(ident.stored, ident.key, evaluator.value(part, inner)))
    alias = node.args.get("alias")
    keys = (names.ident(alias.this).key,) if isinstance(alias, exp.TableAlias) and alias.this else ()
    scope.sources.append(Source(keys, Relation(items)))
