"""docs/sql.md's table of constructs and dialects is what the `matrix_*.sql` files say, cell by cell.

`python -m tests.golden.columns.test_matrix` writes the table anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lineal_producer.columns import trace

from .test_golden import Case, read_cases, read_schema, render

HERE = Path(__file__).resolve().parent
DOC = HERE.parents[2] / "docs" / "sql.md"
DIALECTS = (
    "duckdb",
    "postgres",
    "redshift",
    "snowflake",
    "bigquery",
    "databricks",
    "trino",
    "clickhouse",
    "tsql",
    "mysql",
    "oracle",
)
# Adapters that speak another dialect's SQL: every answer has to be the same, but for `doc:path`, which is Databricks'
# alone, and for Fabric's names, whose letters count.
UNLIKE = {("spark", "path into JSON"), ("fabric", "letters of another case")}
ALSO = (("databricks", "spark"), ("trino", "athena"), ("tsql", "fabric"))
BEGIN, END = "<!-- constructs by dialect -->", "<!-- end -->"
CODES = (
    "unknown_relation",
    "unknown_column",
    "ambiguous_column",
    "star_without_schema",
    "opaque_function",
    "dynamic_sql",
    "unsupported_statement",
    "parser_error",
)
CASES = {dialect: list(read_cases(HERE / f"matrix_{dialect}.sql")) for dialect in DIALECTS}


def cell(case: Case) -> str:
    """A golden answer in a word: a tick when all of it is resolved, else the first code that it has."""
    text = " ".join([case.expected[0], *(line.split(": ", 1)[1].split(";")[0] for line in case.expected[1:])])
    found = [code for code in CODES if code in text.split()]
    return f"`{found[0]}`" if found else "✓"


def constructs() -> list[str]:
    """Every construct once, each behind the one that it follows in the first file that has it."""
    order: list[str] = []
    for cases in CASES.values():
        place = 0
        for case in cases:
            if case.title not in order:
                order.insert(place, case.title)
            place = order.index(case.title) + 1
    return order


def table() -> list[str]:
    """The table as lines of Markdown."""
    lines = ["| construct | " + " | ".join(DIALECTS) + " |", "|---|" + "---|" * len(DIALECTS)]
    by_title = {dialect: {case.title: case for case in cases} for dialect, cases in CASES.items()}
    for title in constructs():
        cells = [cell(by_title[dialect][title]) if title in by_title[dialect] else "-" for dialect in DIALECTS]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def written() -> list[str]:
    """The table in the document."""
    text = DOC.read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].strip().splitlines()


def test_the_document_says_what_the_golden_files_say() -> None:
    assert written() == table()


def test_no_cell_is_resolved_where_a_column_is_not() -> None:
    for cases in CASES.values():
        for case in cases:
            assert (cell(case) == "✓") == (case.expected[0].split()[0] == "resolved"), case.title


@pytest.mark.parametrize(("dialect", "other"), ALSO)
def test_adapters_of_one_sql_get_one_answer(dialect: str, other: str) -> None:
    for case in CASES[dialect]:
        if (other, case.title) in UNLIKE:
            continue
        lineage = trace("\n".join(case.sql), other, read_schema(case.schema))
        assert render(lineage) == case.expected, (other, case.title)


if __name__ == "__main__":
    text = DOC.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    DOC.write_text(before + BEGIN + "\n" + "\n".join(table()) + "\n" + END + rest.split(END)[1], encoding="utf-8")
