"""The walk over queries, inside out: each query once, each giving its relation to the one that reads it."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.catalog import Catalog
from lineal_producer.columns.clauses import add_order, outputs_as
from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.expressions import Evaluator
from lineal_producer.columns.facts import COUNTED, FILTER, GROUP_BY, TRANSFORMATION, as_rows
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns
from lineal_producer.columns.returning import returned_rows
from lineal_producer.columns.scope import Ctes, Scope
from lineal_producer.columns.select import SelectWalker, is_alias
from lineal_producer.columns.thinning import thinned
from lineal_producer.columns.unions import by_name_of, union_at_once, union_by_name, union_by_position
from lineal_producer.columns.values import Problem, constant

OPEN_BRANCH = Problem(
    "star_without_schema", "a branch of a set operation selects * from a relation with unknown columns"
)
# A recursive query is followed until it brings nothing new; this many rounds would need a cycle of as many columns.
MAX_ROUNDS = 50


class QueryWalker:
    """Traces queries under one dialect and catalog."""

    def __init__(self, names: Names, catalog: Catalog, set_aside: dict[str, Problem] | None = None) -> None:
        self.names = names
        self.catalog = catalog
        self.evaluator = Evaluator(names, self.inner_query)
        self.read: dict[tuple[str, ...], None] = {}
        # What earlier statements of the same text have made.
        self.made: dict[tuple[str, ...], Relation] = {}
        # The columns of tables that the text makes and does not fill at once.
        self.declared: dict[tuple[str, ...], list[Ident]] = {}
        self.temporary: set[tuple[str, ...]] = set()
        # The CTEs around a statement that is itself one of a query's CTEs.
        self.around: Ctes = {}
        # Names that stand for queries that could not be read.
        self.set_aside = set_aside or {}
        self.evaluator.set_aside = self.set_aside

    def key_of(self, target: exp.Table) -> tuple[str, ...]:
        """What a target is known by among the relations of the text."""
        parts = [self.names.ident(part) for part in target.parts if isinstance(part, exp.Identifier)]
        return tuple(part.key for part in self.catalog.complete(parts))

    def remember(self, target: exp.Table, relation: Relation) -> None:
        """Keeps what a statement made, for the statements after it."""
        self.made[self.key_of(target)] = relation

    def inner_query(self, node: exp.Expr, scope: Scope) -> Relation:
        """A query inside an expression: it sees the names of the queries around it."""
        return self.query(node, scope, scope.ctes)

    def query(self, node: exp.Expr, parent: Scope | None, ctes: Ctes) -> Relation:
        """The relation of any query expression."""
        with_ = node.args.get("with_")
        if isinstance(with_, exp.With):
            ctes = self.with_ctes(with_, parent, ctes)
        if isinstance(node, exp.Select):
            return SelectWalker(self, node, Scope(self.names, parent, ctes)).walk()
        if isinstance(node, exp.SetOperation):
            return self.set_operation(node, parent, ctes)
        if isinstance(node, exp.Subquery):
            return self.wrapped(node, parent, ctes)
        if isinstance(node, (exp.Table, exp.Values, exp.Unnest, exp.Pivot)):
            select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=node))
            return SelectWalker(self, select, Scope(self.names, parent, ctes)).walk()
        return self.unknown(f"{node.key.upper()} as a query")

    def unknown(self, what: str) -> Relation:
        """A relation of a kind that is not traced."""
        problem = Problem("unsupported_statement", f"{what} is not traced")
        return Relation([Hole(Relation(), problem=problem)], problems={problem: None})

    def wrapped(self, node: exp.Subquery, parent: Scope | None, ctes: Ctes) -> Relation:
        """A query in parentheses, with what may follow them."""
        inner = node.this
        if not isinstance(inner, exp.Query) or node.args.get("pivots") or node.args.get("joins"):
            select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=node))
            return SelectWalker(self, select, Scope(self.names, parent, ctes)).walk()
        relation = self.query(inner, parent, ctes)
        if any(node.args.get(key) for key in ("order", "limit", "distinct")):
            relation = Relation(relation.items, dict(relation.rows), dict(relation.problems), relation.table)
            self.order_rows(node, relation, Scope(self.names, parent, ctes))
        return thinned(relation) if node.args.get("limit") else relation

    def with_ctes(self, with_: exp.With, parent: Scope | None, ctes: Ctes) -> Ctes:
        """The CTEs that a query's body sees: those around it and its own, which may hide them."""
        known = dict(ctes)
        for cte in with_.expressions:
            alias = cte.args.get("alias")
            if not isinstance(alias, exp.TableAlias) or alias.this is None:
                continue
            key = self.names.ident(alias.this).key
            columns = [self.names.ident(column) for column in alias.args.get("columns") or []]
            body = cte.this
            if is_alias(cte, self.names):
                continue
            if is_recursive(body, key, self.names, bool(with_.args.get("recursive"))):
                known[key] = with_order(self.recursive(body, key, columns, parent, known), with_, self.names)
            elif isinstance(body, (exp.Query, exp.Pivot)):
                if with_.args.get("recursive") and reads(body, key, self.names):
                    # It names itself, and in a way that is not followed: no relation of that name is meant.
                    known[key] = self.unknown("a recursive CTE that is no UNION of a start and a step")
                known[key] = renamed_columns(self.query(body, parent, known), columns)
            else:
                changed = returned_rows(body, self, parent, known)
                known[key] = renamed_columns(changed or self.unknown(f"a CTE that is {body.key.upper()}"), columns)
        return known

    def recursive(
        self, body: exp.SetOperation, key: str, columns: list[Ident], parent: Scope | None, ctes: Ctes
    ) -> Relation:
        """A recursive CTE: branches that start it, then the others over what is known so far until nothing is new."""
        inner_with = body.args.get("with_")
        if isinstance(inner_with, exp.With):
            ctes = self.with_ctes(inner_with, parent, ctes)
        first, *others = branches_of(body)
        steps = [(operation, branch) for operation, branch in others if reads(branch, key, self.names)]
        anchor = self.query(first[1], parent, ctes)
        for operation, branch in others:
            if not any(branch is step for _, step in steps):
                anchor = self.combine(operation, anchor, self.query(branch, parent, ctes))
        current = anchor = renamed_columns(anchor, columns)
        for _ in range(MAX_ROUNDS):
            after = anchor
            for operation, branch in steps:
                after = self.combine(operation, after, self.query(branch, parent, {**ctes, key: current}))
            if weight(after) == weight(current):
                return after
            current = after
        return current

    def set_operation(self, node: exp.SetOperation, parent: Scope | None, ctes: Ctes) -> Relation:
        """A set operation; a long chain of them is walked, not descended into."""
        spine = [node]
        while isinstance(spine[-1].this, exp.SetOperation) and not spine[-1].this.args.get("with_"):
            spine.append(spine[-1].this)
        spine.reverse()
        branches = [self.query(node, parent, ctes) for node in (spine[0].this, *(step.expression for step in spine))]
        whole = union_of_all(spine, branches)
        if whole is not None:
            if spine[-1].args.get("distinct"):
                whole.rows.update(outputs_as(whole, GROUP_BY))
            self.order_rows(spine[-1], whole, Scope(self.names, parent, ctes))
            return whole
        relation = branches[0]
        for operation, branch in zip(spine, branches[1:], strict=True):
            relation = self.combine(operation, relation, branch)
            self.order_rows(operation, relation, Scope(self.names, parent, ctes))
        return relation

    def combine(self, node: exp.SetOperation, left: Relation, right: Relation) -> Relation:
        """Two relations under UNION, INTERSECT or EXCEPT."""
        is_union = isinstance(node, exp.Union)
        left = left if is_union or not self.evaluator.counts else thinned(left)
        if node.args.get("by_name"):
            relation = union_by_name(left, right, self.names, by_name_of(node, self.names), keep_right=is_union)
        else:
            relation = union_by_position(left, right, OPEN_BRANCH, keep_right=is_union)
        relation.rows = {**left.rows, **right.rows}
        relation.problems = {**left.problems, **right.problems}
        if not is_union:
            decides = self.evaluator.query_value(right, FILTER)
            relation.rows.update(as_rows(decides.facts, FILTER))
            relation.problems.update(decides.problems)
            if not node.args.get("distinct"):
                # Which rows of the left are on the right as well depends on their own values, too.
                relation.rows.update(outputs_as(left, FILTER))
        if node.args.get("distinct"):
            relation.rows.update(outputs_as(relation, GROUP_BY))
        return relation

    def order_rows(self, node: exp.Expr, relation: Relation, scope: Scope) -> None:
        """ORDER BY of a set operation or a query in parentheses: its keys are output columns."""
        order = node.args.get("order")
        if isinstance(order, exp.Order):
            add_order(order, relation, scope, self.evaluator)


def union_of_all(spine: list[exp.SetOperation], branches: list[Relation]) -> Relation | None:
    """A chain of unions of one sort at once, for step by step would be quadratic; None where it has to be."""
    distinct = {bool(step.args.get("distinct")) for step in spine}
    plain = all(isinstance(step, exp.Union) and not step.args.get("by_name") for step in spine)
    ordered = any(step.args.get("order") for step in spine[:-1])
    return None if ordered or not plain or len(distinct) > 1 else union_at_once(branches)


def with_order(relation: Relation, with_: exp.With, names: Names) -> Relation:
    """A recursive relation with the columns that SEARCH and CYCLE add: they depend on the columns that those name."""
    items = list(relation.items)
    for clause in ("search", "cycle"):
        node = with_.args.get(clause)
        if not isinstance(node, exp.Expr):
            continue
        by = relation.find(names.ident(node.this), names) if isinstance(node.this, exp.Identifier) else None
        value = by.used(TRANSFORMATION) if by is not None else constant()
        for part in ("expression", "using"):
            if isinstance(node.args.get(part), exp.Identifier):
                ident = names.ident(node.args[part])
                items.append(OutCol(ident.stored, ident.key, value))
    return relation if len(items) == len(relation.items) else Relation(items, relation.rows, relation.problems)


def weight(relation: Relation) -> tuple[int, int, int]:
    """How much is known of a relation: it only grows from round to round."""
    columns = list(relation.columns)
    return (
        sum(kind < COUNTED for column in columns for _, kind, _ in column.value.facts),
        sum(len(column.value.problems) for column in columns),
        sum(kind < COUNTED for _, kind, _ in relation.rows) + len(relation.problems),
    )


def is_recursive(body: exp.Expr, key: str, names: Names, declared: bool) -> bool:
    """Whether a CTE's body is a start and one or more branches that read the CTE itself."""
    if not isinstance(body, exp.SetOperation) or not (declared or names.silent_recursion):
        return False
    first, *others = (branch for _, branch in branches_of(body))
    return not reads(first, key, names) and any(reads(branch, key, names) for branch in others)


def branches_of(body: exp.SetOperation) -> list[tuple[exp.SetOperation, exp.Expr]]:
    """The branches of a chain of set operations in order, each with the operation that adds it."""
    branches: list[tuple[exp.SetOperation, exp.Expr]] = []
    node: exp.Expr = body
    while isinstance(node, exp.SetOperation) and (node is body or not node.args.get("with_")):
        branches.append((node, node.expression))
        node = node.this
    return [(branches[-1][0], node), *reversed(branches)]


def reads(node: exp.Expr, key: str, names: Names) -> bool:
    """Whether a query names a relation without a schema before it; a CTE inside may have the name for itself."""
    nodes = node.walk(prune=lambda inner: defines(inner, key, names))
    return any(
        isinstance(table, exp.Table)
        and isinstance(table.this, exp.Identifier)
        and not table.args.get("db")
        and names.ident(table.this).key == key
        for table in nodes
    )


def defines(node: exp.Expr, key: str, names: Names) -> bool:
    """Whether a query has a CTE of a name."""
    with_ = node.args.get("with_")
    if not isinstance(with_, exp.With):
        return False
    aliases = (cte.args.get("alias") for cte in with_.expressions)
    return any(
        isinstance(alias, exp.TableAlias) and alias.this and names.ident(alias.this).key == key for alias in aliases
    )
