"""What one statement gives: its target and relation, or why it could not be traced."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from lineal_producer.columns.relation import Hole, Relation
from lineal_producer.columns.select import Walker
from lineal_producer.columns.values import Problem


@dataclass(slots=True)
class Traced:
    """What one statement gives: its target and relation, or why it could not be traced."""

    target: exp.Table | None = None
    relation: Relation | None = None
    problem: Problem | None = None
    # A target that this statement makes is followed where a later statement reads it.
    creates: bool = False
    temporary: bool = False

    def problems_said(self) -> set[Problem]:
        """All problems that the answer names if this is the statement that it shows."""
        if self.relation is None:
            return set()
        holes = [item.problem for item in self.relation.items if isinstance(item, Hole) and item.problem is not None]
        columns = (problem for column in self.relation.columns for problem in column.value.problems)
        return {*self.relation.problems, *columns, *holes}


def unsupported(message: str) -> Traced:
    """A statement that is not traced."""
    return Traced(problem=Problem("unsupported_statement", message))


def with_of(node: exp.Expr, walker: Walker) -> dict[str, Relation]:
    """The CTEs before a statement."""
    with_ = node.args.get("with_")
    return walker.with_ctes(with_, None, walker.around) if isinstance(with_, exp.With) else walker.around
