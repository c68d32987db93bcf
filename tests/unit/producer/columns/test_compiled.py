"""The compiled parser gives every golden answer that the plain one gives; skipped where it isn't installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[3] / "golden" / "columns"
# Answers of all golden cases in a process of its own, which finds no compiled modules if it is told so.
PROGRAM = """
import json, sys
from importlib.machinery import FileFinder, SourceFileLoader
if sys.argv[2] == "plain":
    sys.path_hooks.insert(0, lambda path: FileFinder.path_hook((SourceFileLoader, [".py"]))(path) if "sqlglot" in path
                          else (_ for _ in ()).throw(ImportError))
    sys.path_importer_cache.clear()
sys.path.insert(0, sys.argv[1])
import sqlglot.parser
from test_golden import CASES, answer
compiled = not sqlglot.parser.__file__.endswith(".py")
print(json.dumps([compiled, [answer(case) for case in CASES]]))
"""


def answers(which: str) -> tuple[bool, list[list[str]]]:
    """Whether the parser is a compiled one, and what it gives for each golden case."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(GOLDEN), which], check=True, capture_output=True, text=True
    )
    compiled, found = json.loads(done.stdout)
    return compiled, found


def has_compiled_parser() -> bool:
    """Whether sqlglot's compiled modules are installed."""
    try:
        metadata.version("sqlglotc")
    except metadata.PackageNotFoundError:
        return False
    return True


@pytest.mark.skipif(not has_compiled_parser(), reason="sqlglot[c] is not installed")
def test_the_compiled_parser_is_used_and_answers_the_same() -> None:
    compiled, found = answers("compiled")
    plain, expected = answers("plain")
    assert (compiled, plain) == (True, False)
    assert found == expected


def test_versions_that_crash_are_excluded() -> None:
    (pin,) = [line for line in metadata.requires("lineal") or [] if line.startswith("sqlglot") and "extra" not in line]
    from packaging.requirements import Requirement

    allowed = Requirement(pin).specifier
    # 30.7 to 30.10 recurse for ever in a compiled LATERAL FLATTEN; 30.21 and before fail golden cases.
    assert not any(
        allowed.contains(version) for version in ("30.7.0", "30.8.0", "30.9.0", "30.10.0", "30.21.0", "31.0")
    )
    assert allowed.contains(metadata.version("sqlglot"))
