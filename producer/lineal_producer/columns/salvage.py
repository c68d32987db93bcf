"""A query that can't be read as a whole: its outputs, clauses and branches one by one, so that only broken ones go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlglot import Token

OPERATORS = frozenset({"UNION", "INTERSECT", "EXCEPT", "MINUS"})
CLAUSES = ("FROM", "WHERE", "GROUP", "HAVING", "QUALIFY", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH")
BRANCH_STARTS = frozenset({"SELECT", "FROM", "WITH", "VALUES", "TABLE"})
QUANTIFIERS = frozenset({"DISTINCT", "ALL"})
# Reads a piece of SQL and says why it can't be read, None when it can.
Reads = Callable[[int, int, str, str], str | None]
# Notes a problem and gives the name that stands for what can't be read.
Names = Callable[[str], str]
Piece = tuple[int, int, str]


@dataclass(slots=True)
class Part:
    """A clause of a query: its word, and where its tokens begin and end."""

    word: str
    start: int
    end: int


def salvaged(tokens: list[Token], reads: Reads, stand_in: Names) -> list[Piece]:
    """What to put in the place of the broken parts of the query of some tokens; nothing where that can't be told."""
    edits: list[Piece] = []
    for start, end in branches(tokens):
        if reads(tokens[start].start, tokens[end - 1].end + 1, "", "") is None:
            continue
        parts = parts_of(tokens, start, end)
        for part in parts:
            if part.word == "SELECT":
                # Without a FROM the fault may be that it isn't read as one.
                whole = any(other.word == "FROM" for other in parts)
                items = broken_items(tokens, part, reads, stand_in, unnamed=whole)
                if items is None:
                    return []
                edits += items
            elif part.word in CLAUSES:
                edits += broken_clause(tokens, part, reads, stand_in)
    return edits


def branches(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """The branches of a query with set operations, as places of tokens."""
    first = 0
    for place in outer_places(tokens, 0, len(tokens)):
        if is_operator(tokens, place):
            if place > first:
                yield first, place
            first = place + 1
            while first < len(tokens) and tokens[first].text.upper() in ("ALL", "DISTINCT", "BY", "NAME"):
                first += 1
    if first < len(tokens):
        yield first, len(tokens)


def is_operator(tokens: list[Token], place: int) -> bool:
    """Whether a word stands between two queries; behind a star EXCEPT leaves columns out."""
    if tokens[place].text.upper() not in OPERATORS:
        return False
    following = [token.text.upper() for token in tokens[place + 1 : place + 4]]
    while following[:1] and following[0] in ("ALL", "DISTINCT", "BY", "NAME", "("):
        following.pop(0)
    return not following or following[0] in BRANCH_STARTS


def outer_places(tokens: list[Token], start: int, end: int) -> Iterator[int]:
    """The places of tokens that are in no brackets."""
    depth = 0
    for place in range(start, end):
        text = tokens[place].text
        depth -= text in (")", "]", "}")
        if depth == 0:
            yield place
        depth += text in ("(", "[", "{")


def parts_of(tokens: list[Token], start: int, end: int) -> list[Part]:
    """The SELECT list and the clauses of one branch."""
    parts: list[Part] = []
    for place in outer_places(tokens, start, end):
        # Some grammars take ORDER BY for one word.
        word, *more = tokens[place].text.upper().split() or [""]
        by = bool(more) or (place + 1 < end and tokens[place + 1].text.upper() == "BY")
        begins = word == "SELECT" or (bool(parts) and word in CLAUSES and (word not in ("GROUP", "ORDER") or by))
        if not begins:
            continue
        if parts:
            parts[-1].end = place
        parts.append(Part(word, place, end))
    return parts


def broken_items(tokens: list[Token], part: Part, reads: Reads, stand_in: Names, unnamed: bool) -> list[Piece] | None:
    """The outputs of a SELECT list that can't be read, each under its name; None where one may not do without."""
    edits: list[Piece] = []
    first = part.start + 1
    if first < part.end and tokens[first].text.upper() in QUANTIFIERS:
        first += 1
    commas = [place for place in outer_places(tokens, first, part.end) if tokens[place].text == ","]
    for comma in [*commas, part.end]:
        if comma > first:
            start, end = tokens[first].start, tokens[comma - 1].end + 1
            error = reads(start, end, "select ", "")
            if error is not None:
                name = stand_in(f"an output cannot be read: {error}")
                named = comma - first >= 3 and alias_place(tokens, comma)
                if named:
                    edits.append((start, tokens[named].start, f" {name} as "))
                elif unnamed:
                    # It stands for any column.
                    edits.append((start, end, f" {name}.* "))
                else:
                    return None
        first = comma + 1
    return edits


def alias_place(tokens: list[Token], end: int) -> int:
    """The place of the alias that ends an output: behind AS, or behind a bracket; zero where there is none."""
    before, last = tokens[end - 2].text.upper(), tokens[end - 1].text
    is_word = last.isidentifier() and last.upper() != "END"
    return end - 1 if before == "AS" or (before in (")", "]") and is_word) else 0


def broken_clause(tokens: list[Token], part: Part, reads: Reads, stand_in: Names) -> Iterator[Piece]:
    """A clause that can't be read, with a name in the place of all that it says."""
    start, end = tokens[part.start].start, tokens[part.end - 1].end + 1
    before = "select 1 " if part.word == "FROM" else "select 1 from x "
    error = reads(start, end, before, "")
    if error is None:
        return
    if part.word in ("LIMIT", "OFFSET", "FETCH", "WINDOW"):
        yield start, end, " "
        return
    by = " by" if part.word in ("GROUP", "ORDER") else ""
    yield start, end, f" {part.word.lower()}{by} {stand_in(f'{part.word} cannot be read: {error}')} "
