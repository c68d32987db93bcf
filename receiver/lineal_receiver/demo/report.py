"""What the demo prints: the figures, the answers, whether they hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from lineal_receiver.demo.answers import Answer, Step

LEAST_EDGES = 676
LEAST_COLUMNS = 452


def figures(summary: dict[str, Any]) -> Iterator[str]:
    """What arrived, line by line; every figure is the API's."""
    runs, columns, models = summary["runs"], summary["columns"], summary["models"]
    states = ", ".join(f"{count} {state}" for state, count in runs.items() if state != "total" and count)
    yield f"runs           {runs['total']:>6}   {states}"
    yield f"jobs           {summary['jobs']:>6}"
    yield f"datasets       {summary['datasets']:>6}"
    yield f"column edges   {summary['edges']:>6}"
    yield f"columns        {columns['total']:>6}   " + _counts(columns, ("traced", "constant", "unresolved"))
    yield f"models         {sum(models.values()):>6}   " + _counts(
        models, ("resolved", "partial", "unresolved", "failed")
    )
    yield f"events         {summary['events']['accepted']:>6}   {summary['events']['rejected']} rejected"


def _counts(values: dict[str, int], names: tuple[str, ...]) -> str:
    return ", ".join(f"{values[name]} {name}" for name in names)


def tree(answer: Answer) -> Iterator[str]:
    """An answer as an indented tree, with the SQL behind each column; a column met before is not opened again."""
    downstream = answer.expected.direction == "downstream"
    nearby: dict[str, list[Step]] = defaultdict(list)
    for step in sorted(answer.steps):
        nearby[step.source if downstream else step.target].append(step)
    start = answer.expected.column
    opened: set[str] = set()
    left = [(start, 0, "")]
    while left:
        column, depth, kinds = left.pop()
        indent = "    " * depth
        sql = answer.expressions.get(column)
        again = column in opened
        yield f"{indent}{column}{kinds}" + (" …" if again and nearby[column] else "")
        if again:
            continue
        opened.add(column)
        if sql and not (downstream and column == start):
            yield f"{indent}    = {sql}"
        far = [step.target if downstream else step.source for step in nearby[column]]
        left.extend(
            (name, depth + 1, _kinds(step)) for name, step in reversed(list(zip(far, nearby[column], strict=True)))
        )


def _kinds(step: Step) -> str:
    words = [kind.split("/")[1].lower() for kind in step.kinds] + (["masked"] if step.masked else [])
    return f"  [{', '.join(words)}]"


def faults(summary: dict[str, Any], answers: list[Answer]) -> Iterator[str]:
    """What is not as it must be, one sentence each; nothing if all is well."""
    edges, columns = summary["edges"], summary["columns"]["total"]
    if edges < LEAST_EDGES:
        yield f"{edges} column edges arrived, {LEAST_EDGES} were expected"
    if columns < LEAST_COLUMNS:
        yield f"{columns} columns arrived, {LEAST_COLUMNS} were expected"
    for answer in answers:
        for step in answer.missing:
            yield f"{answer.expected.name}: missing {step.target} <- {step.source} {'+'.join(step.kinds)}"
        for step in answer.surplus:
            yield f"{answer.expected.name}: unexpected {step.target} <- {step.source} {'+'.join(step.kinds)}"
