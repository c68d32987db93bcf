"""Every case of the `.sql` files beside this one: SQL and schema in, the whole answer as text out.

A case starts with `--- case: title`; `--- dialect:`, `--- schema: t(a INT, b TEXT); u(c INT)`, `--- default: db.schema`
may follow; then the SQL; then the expected answer, a line each starting with `--> `:

    --> resolved                         the status, and codes of gaps that belong to no column
    --> x: t.a IDENTITY, t.b WINDOW      a column and its inputs; MASKED follows a masked one
    --> y: constant
    --> z: ambiguous_column; t.a SORT    an unresolved column: its reason, then what is certain
    --> rows: t.c FILTER                 what the rows depend on

To write a new case leave the answer out, run `python tests/golden/columns/test_golden.py FILE`, and read what it adds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lineal_producer.columns import Input, ModelLineage, trace

HERE = Path(__file__).resolve().parent
OPENING, CLOSING = "(<[", ")>]"


@dataclass
class Case:
    """One golden case."""

    file: str
    title: str = ""
    dialect: str = ""
    schema: str = ""
    default: str = ""
    sql: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file in order."""
    case: Case | None = None
    for line in path.read_text(encoding="utf-8").splitlines():
        directive = re.match(r"--- (case|dialect|schema|default): ?(.*)", line)
        if directive and directive[1] == "case":
            if case:
                yield case
            case = Case(path.stem, directive[2])
        elif case and directive:
            setattr(case, directive[1], directive[2])
        elif case and line.startswith("--> "):
            case.expected.append(line[4:])
        elif case:
            case.sql.append(line)
    if case:
        yield case


def split_outside(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are outside brackets."""
    parts, depth, current = [], 0, ""
    for char in text:
        depth += (char in OPENING) - (char in CLOSING)
        if char == separator and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current] if part.strip()]


def read_schema(text: str) -> dict[str, dict[str, str]] | None:
    """The schema of a case."""
    schema: dict[str, dict[str, str]] = {}
    for table in split_outside(text, ";"):
        name, _, columns = table.partition("(")
        pairs = (
            column.rsplit(" ", 1) if "(" not in column and "<" not in column else column.split(" ", 1)
            for column in split_outside(columns.removesuffix(")"), ",")
        )
        schema[name.strip()] = {pair[0].strip().strip('"'): pair[1] if len(pair) > 1 else "INT" for pair in pairs}
    return schema or None


def render_inputs(inputs: Iterable[Input]) -> str:
    """Inputs in one line."""
    return ", ".join(f"{item.table}.{item.column} {item.subtype}{' MASKED' if item.masking else ''}" for item in inputs)


def render(lineage: ModelLineage) -> list[str]:
    """An answer as the lines of a golden file."""
    codes = sorted({gap.code for gap in lineage.gaps if gap.column is None})
    lines = [" ".join([lineage.status, *codes]) + (f" -> {lineage.target}" if lineage.target else "")]
    for column in lineage.columns:
        inputs = render_inputs(column.inputs)
        if column.status == "unresolved":
            lines.append(f"{column.name}: {column.reason}" + (f"; {inputs}" if inputs else ""))
        else:
            lines.append(f"{column.name}: {inputs or 'constant'}")
    if lineage.rows:
        lines.append(f"rows: {render_inputs(lineage.rows)}")
    return lines


def answer(case: Case) -> list[str]:
    """What the engine says of a case."""
    database, _, schema = case.default.rpartition(".")
    lineage = trace("\n".join(case.sql), case.dialect, read_schema(case.schema), database or None, schema or None)
    return render(lineage)


CASES = [case for path in sorted(HERE.glob("*.sql")) for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_answer_is_the_golden_one(case: Case) -> None:
    assert case.expected, "a golden case without an answer proves nothing"
    assert answer(case) == case.expected


def test_titles_are_unique_in_a_file() -> None:
    names = [(case.file, case.title) for case in CASES]
    assert len(names) == len(set(names))


def complete(path: Path) -> None:
    """Adds the present answer to the cases of a file that have none."""
    text: list[str] = []
    for case in read_cases(path):
        text.append(f"--- case: {case.title}")
        text += [f"--- {key}: {value}" for key in ("dialect", "schema", "default") if (value := getattr(case, key))]
        text += [line for line in case.sql if line.strip()]
        text += [f"--> {line}" for line in case.expected or answer(case)]
        text.append("")
    path.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        complete(Path(name))
