"""The worker as dbt's process has it: started again when it dies, and not when it has done all that there was."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lineal_producer.dbt.child import WAKE, Child

# Stands where the worker is: notes that it was started, takes a line, says what it is told to, and ends.
STUB = """
import os, sys
with open({started!r}, "a") as file:
    file.write(f"{{os.getpid()}}\\n")
sys.stdin.readline()
sys.stdout.write({says!r})
"""


def _start(folder: Path, says: str, said: list[str]) -> tuple[Child, Callable[[], list[int]]]:
    """A child that says so, and the ids of the processes that were started for it."""
    package = folder / "lineal_producer" / "worker"
    package.mkdir(parents=True)
    for place in (package.parent, package):
        (place / "__init__.py").touch()
    started = folder / "started"
    started.touch()
    (package / "__main__.py").write_text(STUB.format(started=str(started), says=says))
    child = Child([], {**os.environ, "PYTHONPATH": str(folder)}, None, said.append)
    return child, lambda: [int(line) for line in started.read_text().split()]


def _eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_child_that_has_sent_all_is_not_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    child, started = _start(tmp_path, "done\n", said)
    child.send(WAKE)
    _eventually(lambda: len(started()) == 1 and _is_gone(started()[0]))
    child.send(b"a record that comes too late\n")
    assert child.finish(300)
    _eventually(lambda: not child.is_feeding())
    assert (len(started()), said) == (1, [])


@pytest.mark.parametrize("says", ["", "a sentence for the user\n"])
def test_a_child_that_keeps_dying_is_started_three_times(tmp_path: Path, says: str) -> None:
    said: list[str] = []
    child, started = _start(tmp_path, says, said)
    _eventually(lambda: not child.is_feeding())
    assert child.finish(300)
    assert len(started()) == 3
    assert said[-1].startswith("Lineal: the worker process keeps ending")
