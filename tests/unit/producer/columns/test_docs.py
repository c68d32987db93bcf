"""docs/sql.md names every golden file and every code that the engine gives."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
DOC = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
CODE = re.compile(r'"((?:unknown|ambiguous|star|opaque|dynamic|unsupported|parser|limit)_[a-z_]+)"')


def test_every_golden_file_is_named() -> None:
    golden = {path.stem for path in (ROOT / "tests" / "golden" / "columns").glob("*.sql")}
    assert golden
    assert golden <= set(re.findall(r"`([a-z_]+)`", DOC))


def test_every_code_is_explained() -> None:
    sources = (ROOT / "producer" / "lineal_producer" / "columns").glob("*.py")
    codes = {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert "ambiguous_column" in codes
    assert {code for code in codes if f"`{code}` |" not in DOC} == set()
