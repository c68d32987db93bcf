"""How deep a text is nested, told before the parser reads it, which some of it would keep too long or overflow."""

from __future__ import annotations

import re

# A compiled parser does not count frames: what is nested deeper than this is not given to it.
NESTING = 1_000
BRACKETS = re.compile(
    r"""'(?:[^']|'')*'|"[^"]*"|--[^\n]*|/\*.*?\*/|[()\[\]]|\b(?:case|end|not)\b""", re.DOTALL | re.IGNORECASE
)
# The parser reads what is behind the name of a type twice, as a type and as a call: twice as long with every level.
TYPES_NESTED = 12
TYPE = (
    r"\b(?:array|list|row|struct|map|object|tuple|nested|variant|vector|json|jsonb|xml|date|time|timestamp|timestamptz"
    r"|datetime|year|interval|char|varchar|string|text|binary|bytes|bit|bool|boolean|tinyint|smallint|int|integer"
    r"|bigint|decimal|numeric|number|float|double|real)\s*"
)
TYPED = re.compile(TYPE + r"[(\[<](?!\s*\d)", re.IGNORECASE)
LEVELS = re.compile(
    r"""'(?:[^']|'')*'|"[^"]*"|--[^\n]*|/\*.*?\*/|""" + TYPE + r"[(\[<]|[()\[\]>]", re.DOTALL | re.IGNORECASE
)
OPENINGS = {")": "(", "]": "[", ">": "<"}


def is_nested_too_deeply(sql: str) -> bool:
    """Whether brackets, CASE or NOT are nested beyond what a parser's stack holds."""
    if len(sql) < NESTING:
        return False
    depth = run = 0
    for match in BRACKETS.finditer(sql):
        word = match[0].lower()
        run = run + 1 if word == "not" else 0
        if word in ("(", "[", "case"):
            depth += 1
        elif word in (")", "]", "end"):
            depth = max(depth - 1, 0)
        if depth + run > NESTING:
            return True
    return False


def nests_types_too_deeply(sql: str) -> bool:
    """Whether arrays, structs and calls that are named like types are nested beyond what the parser reads in time."""
    if sum(1 for _ in TYPED.finditer(sql)) <= TYPES_NESTED:
        return False
    opened: list[tuple[str, bool]] = []
    depth = 0
    for match in LEVELS.finditer(sql):
        text = match[0]
        mark = text[-1]
        if mark in "([<" and text[0] not in "'\"-/":
            opened.append((mark, len(text) > 1))
            depth += len(text) > 1
            if depth > TYPES_NESTED:
                return True
        elif mark in OPENINGS and len(text) == 1 and opened and opened[-1][0] == OPENINGS[mark]:
            depth -= opened.pop()[1]
    return False
