"""Aligned rows and CSV."""

from __future__ import annotations

import io

from lineal_receiver.cli.asking.paper import LINES, Paper, unroll
from lineal_receiver.cli.asking.table import align, write_csv
from lineal_receiver.settings import wants_colours

ROWS = [("column", "shop.marts.orders.amount", "DECIMAL"), ("table", "shop.marts.orders", None)]
HEADS = ("kind", "name", "type")


def paper(width: int | None = None, *, colours: bool = False) -> Paper:
    return Paper(io.StringIO(), width=width, colours=colours, signs=LINES)


def test_columns_are_aligned_and_lines_end_without_blanks() -> None:
    assert list(align(HEADS, ROWS, paper())) == [
        "kind    name                      type",
        "column  shop.marts.orders.amount  DECIMAL",
        "table   shop.marts.orders",
    ]


def test_in_a_narrow_terminal_long_names_keep_their_ends() -> None:
    assert list(align(HEADS, ROWS, paper(30))) == [
        "kind    name           type",
        "column  …rders.amount  DECIMAL",
        "table   …marts.orders",
    ]


def test_csv_is_quoted_where_it_must_be() -> None:
    out = io.StringIO()

    write_csv(("name", "sql"), [("a", 'x, "y"'), ("b", None)], out)

    assert out.getvalue() == 'name,sql\na,"x, ""y"""\nb,\n'


def test_colours_are_for_terminals_that_want_them() -> None:
    assert paper(colours=True).paint("a", "red") == "\x1b[31ma\x1b[0m"
    assert unroll(io.StringIO()).paint("a", "red") == "a"
    assert wants_colours({"TERM": "xterm"})
    assert wants_colours({"NO_COLOR": ""})
    assert not wants_colours({"NO_COLOR": "1"})
    assert not wants_colours({"TERM": "dumb"})
