"""SQL of which a part can't be read: the smallest queries in parentheses that fail are set aside, the rest is kept."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.values import Problem

# The parser has bugs of its own on broken input: any of these means that it can't read the text.
UNREADABLE = (SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError)
# The relation that stands for a query that can't be read.
SET_ASIDE = "__lineal_unread_"
STAND_IN = " select * from {} "
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "VALUES", "PIVOT", "UNPIVOT"})
# Every query in parentheses is parsed by itself: enough for any model, not for an attack.
MAX_QUERIES = 200

Edit = tuple[int, int, str]


def recover(sql: str, names: Names, known: int = 0) -> tuple[list[exp.Expr | None], dict[str, Problem]]:
    """The statements with unreadable parts set aside, and why, by the name that stands for each; else nothing.

    `known` such names are in use already for other statements of the text.
    """
    edits: list[Edit] = []
    problems: dict[str, Problem] = {}
    for start, end in list(queries_in_parentheses(sql, names))[:MAX_QUERIES]:
        error = parse_error(edited(sql, start, end, edits), names)
        if error is None:
            continue
        name = f"{SET_ASIDE}{known + len(problems)}"
        problems[name] = Problem("parser_error", f"a query in parentheses can't be read: {error}")
        edits = [edit for edit in edits if not start <= edit[0] < end]
        edits.append((start, end, STAND_IN.format(name)))
    if not edits:
        return [], {}
    try:
        return sqlglot.parse(edited(sql, 0, len(sql), edits), read=names.grammar), problems
    except UNREADABLE:
        return [], {}


def queries_in_parentheses(sql: str, names: Names) -> Iterator[tuple[int, int]]:
    """The places of the queries in parentheses, inner ones first."""
    try:
        tokens = names.grammar.tokenize(sql)
    except UNREADABLE:
        return
    opened: list[int] = []
    for index, token in enumerate(tokens):
        kind = token.token_type.name
        if kind == "L_PAREN":
            opened.append(index)
        elif kind == "R_PAREN" and opened:
            start = opened.pop()
            if tokens[start + 1].text.upper() in QUERY_STARTS:
                yield tokens[start].end + 1, token.start


def edited(sql: str, start: int, end: int, edits: list[Edit]) -> str:
    """A part of a text under the edits inside it."""
    parts: list[str] = []
    position = start
    for left, right, text in sorted(edit for edit in edits if start <= edit[0] < end):
        parts += [sql[position:left], text]
        position = right
    return "".join([*parts, sql[position:end]])


def parse_error(text: str, names: Names) -> str | None:
    """Why a query can't be read, None when it can."""
    try:
        sqlglot.parse_one(text, read=names.grammar)
    except UNREADABLE as error:
        return first_line(error)
    return None


def first_line(error: Exception) -> str:
    """An error's message without the SQL that it quotes."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
