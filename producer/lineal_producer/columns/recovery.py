"""SQL of which a part can't be read: the smallest part that fails is set aside, the rest is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import Token, exp
from sqlglot.errors import SqlglotError

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.salvage import salvaged
from lineal_producer.columns.values import Problem

# The parser has bugs of its own on broken input: any of these means that it can't read the text.
UNREADABLE = (SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError)
# The relation or column that stands for what can't be read.
SET_ASIDE = "__lineal_unread_"
TEMPLATE = "{{ … }} is no SQL"
STAND_IN = " select * from {} "
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "VALUES", "PIVOT", "UNPIVOT"})
# Every query in parentheses is parsed by itself: enough for any model, not for an attack.
MAX_QUERIES = 200
MISSING = re.compile(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>")

Edit = tuple[int, int, str]


def recover(sql: str, names: Names, known: int = 0) -> tuple[list[exp.Expr | None], dict[str, Problem]]:
    """The statements with unreadable parts set aside, and why, by the name that stands for each; else nothing.

    `known` such names are in use already for other statements of the text.
    """
    try:
        tokens = names.grammar.tokenize(sql)
    except UNREADABLE:
        return [], {}
    rescue = Rescue(sql, names, tokens, known)
    for first, last in list(queries_in_parentheses(tokens))[:MAX_QUERIES]:
        rescue.query(first, last, STAND_IN)
    rescue.query(0, len(tokens), None)
    if not rescue.edits:
        return [], {}
    try:
        return sqlglot.parse(edited(sql, 0, len(sql), rescue.edits), read=names.grammar), rescue.problems
    except UNREADABLE:
        return [], {}


class Rescue:
    """The edits that make a text readable, gathered from the inside out."""

    def __init__(self, sql: str, names: Names, tokens: list[Token], known: int) -> None:
        self.sql = sql
        self.names = names
        self.tokens = tokens
        self.known = known
        self.edits: list[Edit] = []
        self.problems: dict[str, Problem] = {}

    def reads(self, start: int, end: int, before: str = "", after: str = "") -> str | None:
        """Why a part of the text can't be read under the edits so far, None when it can."""
        return parse_error(before + edited(self.sql, start, end, self.edits) + after, self.names)

    def name(self, message: str) -> str:
        """A name that stands for something that can't be read."""
        name = f"{SET_ASIDE}{self.known + len(self.problems)}"
        self.problems[name] = Problem("parser_error", message)
        return name

    def query(self, first: int, last: int, stand_in: str | None) -> None:
        """Makes the query of some tokens readable: its broken parts, else all of it, are set aside."""
        if first >= last:
            return
        start, end = self.tokens[first].start, self.tokens[last - 1].end + 1
        error = self.reads(start, end)
        if error is None:
            return
        before, problems = list(self.edits), dict(self.problems)
        for left, right, text in salvaged(self.tokens[first:last], self.reads, self.name):
            self.edits = [edit for edit in self.edits if not left <= edit[0] < right]
            self.edits.append((left, right, text))
        if self.edits != before and self.reads(start, end) is None:
            return
        self.edits, self.problems = before, problems
        if stand_in is not None:
            message = f"a query in parentheses can't be read: {error}"
            self.edits = [edit for edit in self.edits if not start <= edit[0] < end]
            self.edits.append((start, end, stand_in.format(self.name(message))))


def queries_in_parentheses(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """The queries in parentheses as places of tokens, inner ones first."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        kind = token.token_type.name
        if kind == "L_PAREN":
            opened.append(index)
        elif kind == "R_PAREN" and opened:
            start = opened.pop()
            if tokens[start + 1].text.upper() in QUERY_STARTS:
                yield start + 1, index


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
        tree = sqlglot.parse_one(text, read=names.grammar)
    except UNREADABLE as error:
        return first_line(error)
    return TEMPLATE if "{{" in text and is_template(tree) else None


def is_template(tree: exp.Expr | None) -> bool:
    """Whether a grammar took an expression of a template, as {{ this }}, for a struct in a struct."""
    return tree is not None and any(
        isinstance(part, exp.Struct) for outer in tree.find_all(exp.Struct) for part in outer.expressions
    )


def first_line(error: Exception) -> str:
    """An error's message without the SQL that it quotes and without the parser's own words."""
    lines = str(error).strip().splitlines()
    said = lines[0] if lines else type(error).__name__
    return MISSING.sub(lambda match: f"Something is missing in {match[1].upper()}", said)
