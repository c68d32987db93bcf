"""Blocks of SQL scripts: the statements inside BEGIN … END, IF, LOOP and the like, each by itself."""

from __future__ import annotations

import re

from lineal_producer.columns.creations import Words
from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE
from lineal_producer.columns.values import Problem

SCRIPTING = frozenset({"bigquery", "snowflake", "databricks", "spark", "tsql", "fabric"})
BEGIN = re.compile(r"\s*begin\b(?!\s*(?:transaction|tran|work|distributed|;|$))", re.IGNORECASE)
TRANSACTIONS = frozenset({"TRANSACTION", "TRAN", "WORK", "DISTRIBUTED", ";"})
# A block's opening up to the word that ends it; what is between decides whether and how often the statements run.
CONDITIONS = {"IF": "THEN", "ELSEIF": "THEN", "ELSIF": "THEN", "WHILE": "DO", "FOR": "DO", "WHEN": "THEN"}
OPENINGS = frozenset({"BEGIN", "ELSE", "LOOP", "REPEAT", "EXCEPTION", "TRY", "CATCH"})
ENDED = frozenset({"IF", "LOOP", "WHILE", "FOR", "CASE", "REPEAT", "TRY", "CATCH"})
STATEMENTS = frozenset(
    {
        "SELECT",
        "INSERT",
        "UPDATE",
        "MERGE",
        "DELETE",
        "CREATE",
        "DROP",
        "ALTER",
        "TRUNCATE",
        "WITH",
        "BEGIN",
        "EXEC",
        "EXECUTE",
        "SET",
        "DECLARE",
        "PRINT",
        "RAISERROR",
        "THROW",
        "RETURN",
        "GOTO",
    }
)


def without_blocks(piece: str, names: Names) -> tuple[str, Problem | None]:
    """A piece of a script without the words of blocks around its statement; and a problem where a condition stood."""
    if names.dialect not in SCRIPTING:
        return piece, None
    # Grammars take BEGIN for a command whose rest is text: it has to go before the text is read.
    begun = BEGIN.match(piece)
    while begun:
        piece = piece[begun.end() :]
        begun = BEGIN.match(piece)
    try:
        tokens = names.grammar.tokenize(piece)
    except UNREADABLE:
        return piece, None
    found = Words(piece, tokens, [token.text.upper() for token in tokens])
    start, problem = 0, None
    while start < len(found.words):
        after, conditional = opening_end(found, start, names.dialect in ("tsql", "fabric"))
        if after is None:
            break
        if conditional:
            message = f"whether statements run is decided by {found.words[start]}, whose condition is not traced"
            problem = problem or Problem("unsupported_statement", message)
        start = after
    end = len(found.words)
    if start and names.dialect in ("tsql", "fabric"):
        while end > start and found.words[end - 1] == "END":
            end -= 1
    return (piece, None) if start == 0 else (found.between(start, end), problem)


def opening_end(found: Words, start: int, has_no_then: bool) -> tuple[int | None, bool]:
    """Where a block's opening or end ends that begins at a place, and whether it held a condition."""
    word, following = found.words[start], found.words[start + 1 : start + 2]
    if word == "BEGIN" and (not following or following[0] in TRANSACTIONS):
        return None, False
    if word == "END":
        return start + (2 if following and following[0] in ENDED else 1), False
    if word in OPENINGS:
        return start + 1, False
    if word == "IF" and following == ["EXISTS"] and has_no_then and found.words[start + 2 : start + 3] != ["("]:
        return None, False
    if word in CONDITIONS:
        return condition_end(found, start, has_no_then), True
    return None, False


def condition_end(found: Words, start: int, has_no_then: bool) -> int | None:
    """Where the statements behind a condition begin, None where that can't be told."""
    place = start + 1
    while place < len(found.words):
        word = found.words[place]
        if has_no_then and word in STATEMENTS:
            return place
        if not has_no_then and word == CONDITIONS[found.words[start]]:
            return place + 1
        place = found.closing(place) if word == "(" else place + 1
    return None
