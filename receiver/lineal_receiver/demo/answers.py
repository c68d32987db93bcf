"""The example's hand-written answers, and the receiver's, compared edge by edge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lineal_receiver.demo.api import get

DEPTH = 50


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One edge between two columns, written `schema.table.column`; `kinds` are type/subtype, sorted."""

    target: str
    source: str
    kinds: tuple[str, ...]
    masked: bool


@dataclass(frozen=True, slots=True)
class Expected:
    """A question that a person answered by reading the SQL. direction: upstream or downstream."""

    name: str
    question: str
    direction: str
    column: str
    steps: frozenset[Step]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the receiver says to the same question, with the SQL behind each target."""

    expected: Expected
    steps: frozenset[Step]
    expressions: dict[str, str]

    @property
    def missing(self) -> list[Step]:
        return sorted(self.expected.steps - self.steps)

    @property
    def surplus(self) -> list[Step]:
        return sorted(self.steps - self.expected.steps)

    @property
    def matches(self) -> bool:
        return not self.missing and not self.surplus


@dataclass(frozen=True, slots=True)
class Names:
    """How the project's relations are called in the events: namespace, database, and files by their path."""

    namespace: str
    database: str
    files: dict[str, str]

    def column(self, dataset: str, field: str) -> str:
        """`schema.table.column` of a field of a dataset."""
        return f"{self.files.get(dataset, dataset.removeprefix(f'{self.database}.'))}.{field}"


def read_expected(path: Path, namespace: str, database: str) -> tuple[list[Expected], Names]:
    """The answers of `answers.json`, in its order, and what the relations in it are called."""
    document = json.loads(path.read_text(encoding="utf-8"))
    files = {str((path.parent / place).resolve()): name for name, place in document["locations"].items()}
    return _build_expected(document), Names(namespace, database, files)


def _build_expected(document: dict[str, Any]) -> list[Expected]:
    return [
        Expected(
            entry["id"],
            entry["question"],
            entry["direction"],
            entry["column"],
            frozenset(Step(s["target"], s["source"], tuple(sorted(s["kinds"])), s["masked"]) for s in entry["steps"]),
        )
        for entry in document["answers"]
    ]


def ask(url: str, names: Names, expected: Expected) -> Answer:
    """The receiver's answer to `expected`'s question, from its column lineage."""
    dataset, field = expected.column.rsplit(".", 1)
    node = f"datasetField:{_part(names.namespace)}:{_part(f'{names.database}.{dataset}')}:{_part(field)}"
    downstream = expected.direction == "downstream"
    answer = get(url, "/api/v1/column-lineage", nodeId=node, depth=DEPTH, withDownstream=str(downstream).lower())
    steps, expressions = _read_graph(answer["graph"], names)
    return Answer(expected, _reachable(steps, expected.column, downstream=downstream), expressions)


def _part(text: str) -> str:
    return quote(text, safe="")


def _read_graph(graph: list[dict[str, Any]], names: Names) -> tuple[list[Step], dict[str, str]]:
    steps: list[Step] = []
    expressions: dict[str, str] = {}
    for node in graph:
        data = node["data"]
        target = names.column(data["dataset"], data["field"])
        for source in data["inputFields"]:
            origin = names.column(source["dataset"], source["field"])
            kinds = {f"{t['type']}/{t['subtype']}" for t in source["transformations"]}
            masked = any(t["masking"] for t in source["transformations"])
            steps.append(Step(target, origin, tuple(sorted(kinds)), masked))
            for transformation in source["transformations"]:
                if transformation["description"]:
                    expressions[target] = transformation["description"]
    return steps, expressions


def _reachable(steps: list[Step], start: str, *, downstream: bool) -> frozenset[Step]:
    """The steps that lie on a way from `start`, in one direction."""
    reached, frontier, kept = {start}, [start], set()
    while frontier:
        here = frontier.pop()
        for step in steps:
            near, far = (step.source, step.target) if downstream else (step.target, step.source)
            if near == here:
                kept.add(step)
                if far not in reached:
                    reached.add(far)
                    frontier.append(far)
    return frozenset(kept)
