"""SQL of which a part can't be read: the smallest part that fails is set aside, the rest is kept."""

from __future__ import annotations

import re

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
# How often a text may be read over and over while its broken parts are looked for.
MAX_READINGS = 60
MISSING = re.compile(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>")

Edit = tuple[int, int, str]


def recover(sql: str, names: Names, error: str, known: int = 0) -> tuple[list[exp.Expr | None], dict[str, Problem]]:
    """The statements with unreadable parts set aside, and why, by the name that stands for each; else nothing.

    `error` says why the text as a whole can't be read; `known` such names are in use already for other statements.
    """
    try:
        tokens = names.grammar.tokenize(sql)
    except UNREADABLE:
        return [], {}
    rescue = Rescue(sql, names, tokens, known)
    try:
        rescue.mend(0, len(tokens), error, None)
    except Exhausted:
        return [], {}
    return (rescue.statements, rescue.problems) if rescue.edits else ([], {})


class Exhausted(Exception):
    """A text has been read too often."""


class Rescue:
    """The edits that make a text readable, gathered from the inside out, but only inside what can't be read."""

    def __init__(self, sql: str, names: Names, tokens: list[Token], known: int) -> None:
        self.sql = sql
        self.names = names
        self.tokens = tokens
        self.known = known
        self.nested = nested_queries(tokens)
        self.edits: list[Edit] = []
        self.problems: dict[str, Problem] = {}
        # The statements of the whole text, once it can be read.
        self.statements: list[exp.Expr | None] = []
        self.left = MAX_READINGS * len(sql)

    def reads(self, start: int, end: int, before: str = "", after: str = "") -> str | None:
        """Why a part of the text can't be read under the edits so far, None when it can."""
        self.left -= end - start
        if self.left < 0:
            raise Exhausted
        text = before + edited(self.sql, start, end, self.edits) + after
        try:
            read = sqlglot.parse(text, read=self.names.grammar)
        except UNREADABLE as error:
            return first_line(error)
        if not read or read[0] is None:
            return "there is nothing to read"
        if "{{" in text and is_template(read[0]):
            return TEMPLATE
        self.statements = read
        return None

    def name(self, message: str) -> str:
        """A name that stands for something that can't be read."""
        name = f"{SET_ASIDE}{self.known + len(self.problems)}"
        self.problems[name] = Problem("parser_error", message)
        return name

    def query(self, first: int, last: int, stand_in: str | None) -> None:
        """Makes the query of some tokens readable where it isn't."""
        error = self.reads(*self.span(first, last)) if first < last else None
        if error is not None:
            self.mend(first, last, error, stand_in)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where the text of some tokens begins and ends."""
        return self.tokens[first].start, self.tokens[last - 1].end + 1

    def mend(self, first: int, last: int, error: str, stand_in: str | None) -> None:
        """Sets aside what is broken in a query: a query inside, else an output, clause or branch, else all of it."""
        if first >= last:
            return
        start, end = self.span(first, last)
        broken = len(self.edits)
        for inner in self.nested.get((first, last), ()):
            self.query(*inner, STAND_IN)
        if len(self.edits) > broken:
            remaining = self.reads(start, end)
            if remaining is None:
                return
            error = remaining
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
        else:
            self.edits = []


def nested_queries(tokens: list[Token]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The queries in parentheses right inside each query, as places of tokens; all of the text is one, too."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    opened: list[tuple[int, list[tuple[int, int]]]] = [(-1, [])]
    for index, token in enumerate(tokens):
        kind = token.token_type.name
        if kind == "L_PAREN":
            opened.append((index, []))
        elif kind == "R_PAREN" and len(opened) > 1:
            start, inner = opened.pop()
            query = (start + 1, index)
            if tokens[start + 1].text.upper() in QUERY_STARTS:
                found[query] = inner
                inner = [query]
            opened[-1][1].extend(inner)
    found[0, len(tokens)] = [query for _, inner in opened for query in inner]
    return found


def edited(sql: str, start: int, end: int, edits: list[Edit]) -> str:
    """A part of a text under the edits inside it."""
    parts: list[str] = []
    position = start
    for left, right, text in sorted(edit for edit in edits if start <= edit[0] < end):
        parts += [sql[position:left], text]
        position = right
    return "".join([*parts, sql[position:end]])


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
