"""CREATE … AS a query with options that the grammar does not know: the same statement without them."""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import Token, exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE

# What begins an element of a column list that is no column.
NO_COLUMN = frozenset({"CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "INDEX", "KEY", "LIKE"})
QUERY_STARTS = frozenset({"SELECT", "WITH", "("})
# Where the types of a column list say what goes where, which names alone would not.
LIST_BY_NAME = frozenset({"mysql", "mariadb", "singlestore"})
ENDINGS = (
    ("WITH", "NO", "DATA"),
    ("WITH", "DATA"),
    ("WITH", "NO", "SCHEMA", "BINDING"),
    ("WITH", "READ", "ONLY"),
    ("WITH", "CHECK", "OPTION"),
    ("CHECK", "OPTION"),
)


@dataclass(slots=True)
class Words:
    """A statement's text and tokens."""

    text: str
    tokens: list[Token]
    words: list[str]

    def between(self, start: int, end: int) -> str:
        """The text from one token up to another."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end + 1] if end > start else ""

    def closing(self, index: int) -> int:
        """The place behind the bracket that closes the one at a place."""
        depth = 0
        for place in range(index, len(self.words)):
            depth += (self.words[place] == "(") - (self.words[place] == ")")
            if depth == 0:
                return place + 1
        return len(self.words)


def plain_creation(text: str, names: Names) -> exp.Expr | None:
    """The statement with target, column list and query alone, None where there is no query or it can't be read."""
    try:
        tokens = names.grammar.tokenize(text)
        found = Words(text, tokens, [token.text.upper() for token in tokens])
        plain = without_options(found, names)
        read = sqlglot.parse_one(plain, read=names.grammar) if plain else None
    except UNREADABLE:
        return None
    return read if isinstance(read, exp.Create) else None


def without_options(found: Words, names: Names) -> str:
    """CREATE TABLE or VIEW … AS query without what stands around them; empty where there is no query."""
    words = found.words
    start = next((index for index, word in enumerate(words) if word in ("TABLE", "VIEW")), None)
    if words[:1] != ["CREATE"] or start is None:
        return ""
    name = start + 4 if words[start + 1 : start + 4] == ["IF", "NOT", "EXISTS"] else start + 1
    end = name + 1
    while end + 1 < len(words) and words[end] == ".":
        end += 2
    target, columns = found.between(name, end), ""
    if end < len(words) and words[end] == "(":
        after = found.closing(end)
        if names.dialect in LIST_BY_NAME and words[start] == "TABLE":
            columns = found.between(end, after)
        else:
            columns = column_list(found, end + 1, after - 1)
        end = after
    body = query_start(words, end)
    if body is None:
        return ""
    query = found.between(body, query_end(words))
    if "RECURSIVE" in words[:start]:
        if not columns:
            return ""
        query = f"with recursive {target} {columns} as ({query}) select * from {target}"  # noqa: S608  # parsed, never run
    temporary = "temporary " if {"TEMP", "TEMPORARY"} & set(words[:start]) else ""
    return f"create {temporary}{words[start]} {target} {columns} as {query}"


def column_list(found: Words, start: int, end: int) -> str:
    """The names alone of the columns between two places."""
    names: list[str] = []
    place = start
    first = True
    while place < end:
        word = found.words[place]
        if first and word not in NO_COLUMN:
            names.append(found.between(place, place + 1))
        first = word == ","
        place = found.closing(place) if word == "(" else place + 1
    return f"({', '.join(names)})" if names else ""


def query_start(words: list[str], end: int) -> int | None:
    """Where the query begins behind the name: after AS, in MySQL also after IGNORE or REPLACE."""
    depth = 0
    for index in range(end, len(words) - 1):
        depth += (words[index] == "(") - (words[index] == ")")
        if depth == 0 and words[index] in ("AS", "IGNORE", "REPLACE") and words[index + 1] in QUERY_STARTS:
            return index + 1
    return None


def query_end(words: list[str]) -> int:
    """Where the query ends: before what limits writing through a view."""
    end = len(words)
    while end and words[end - 1] == ";":
        end -= 1
    for ending in ENDINGS:
        if tuple(words[end - len(ending) : end]) == ending:
            end -= len(ending)
            if words[end - 2 : end - 1] == ["WITH"] and words[end - 1] in ("CASCADED", "LOCAL"):
                end -= 2
            break
    return end
