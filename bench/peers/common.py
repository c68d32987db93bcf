"""What the scripts of peers share: the project to answer for, and how their answers are written.

They run in an environment that has a peer and nothing of ours; `common.py PROJECT` is on their path.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

project: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))


class Answers:
    """What a peer says of each model's columns; names compare without case and quotes, tables by their last part."""

    def __init__(self) -> None:
        self.columns: set[tuple[int, str]] = set()
        self.edges: set[tuple[int, str, str, str]] = set()
        self.failures: dict[str, int] = {}

    def column(self, model: int, name: str) -> None:
        """An output that the peer has an answer for."""
        self.columns.add((model, plain(name)))

    def edge(self, model: int, name: str, table: str, source: str) -> None:
        """One source column of an output."""
        self.column(model, name)
        self.edges.add((model, plain(name), plain(table).rpartition(".")[2], plain(source)))

    def failed(self, model: int, error: BaseException | str) -> None:
        """A model or column of which the peer says that it has no answer."""
        kind = error if isinstance(error, str) else type(error).__name__
        self.failures[f"{model}: {kind}"] = self.failures.get(f"{model}: {kind}", 0) + 1


def plain(name: object) -> str:
    """A name as it is compared."""
    return str(name).replace('"', "").replace("`", "").strip().lower()


def run(answer: Callable[[Answers], None]) -> int:
    """Runs a peer over the project and prints what it said and what CPU that took; imports are not in it."""
    answers = Answers()
    start = time.process_time()
    answer(answers)
    cpu = time.process_time() - start
    json.dump(
        {
            "cpu": cpu,
            "columns": len(answers.columns),
            "edges": sorted(answers.edges),
            "gaps": sum(answers.failures.values()),
        },
        sys.stdout,
    )
    return 0
