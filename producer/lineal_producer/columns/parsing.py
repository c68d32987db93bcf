"""From text to syntax trees: a statement that can't be read does not take the others with it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE, first_line, recover
from lineal_producer.columns.values import Problem

# What the parser can't read becomes a gap; its own warnings would only repeat that on stderr.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


@dataclass(slots=True)
class Parsed:
    """The statements of a text, a problem for each that can't be read, and what stands for unread parts of others."""

    statements: list[exp.Expr]
    problems: list[Problem] = field(default_factory=list)
    set_aside: dict[str, Problem] = field(default_factory=dict)


def parse(sql: str, names: Names) -> Parsed:
    """The statements of a text in order; what can't be read takes as little with it as can be told."""
    try:
        return Parsed(present(sqlglot.parse(sql, read=names.grammar)))
    except UNREADABLE as error:
        whole = Problem("parser_error", first_line(error))
    pieces = split(sql, names)
    if len(pieces) < 2:
        statements, set_aside = recover(sql, names)
        return Parsed(present(statements), [] if statements else [whole], set_aside)
    found = Parsed([])
    for number, piece in enumerate(pieces, start=1):
        read = parse_piece(piece, names)
        if isinstance(read, str):
            found.problems.append(Problem("parser_error", f"statement {number}: {read}"))
        else:
            found.statements += read
    return found


def parse_piece(piece: str, names: Names) -> list[exp.Expr] | str:
    """The statements of one piece of text, or why it can't be read."""
    try:
        return present(sqlglot.parse(piece, read=names.grammar))
    except UNREADABLE as error:
        return first_line(error)


def present(parsed: list[exp.Expr | None]) -> list[exp.Expr]:
    """The statements without what only separates them."""
    statements: list[exp.Expr] = []
    for node in parsed:
        if node is None or isinstance(node, exp.Semicolon):
            continue
        statements.append(replace_into(node) if isinstance(node, exp.Command) else node)
    return statements


def replace_into(node: exp.Command) -> exp.Expr:
    """MySQL's REPLACE INTO puts in what INSERT INTO would."""
    rest = node.args.get("expression")
    if str(node.this).upper() != "REPLACE" or not isinstance(rest, exp.Literal):
        return node
    try:
        return sqlglot.parse_one(f"insert {rest.name}", read="mysql")
    except UNREADABLE:
        return node


def split(sql: str, names: Names) -> list[str]:
    """The statements' texts, split where the grammar sees a semicolon."""
    try:
        tokens = names.grammar.tokenize(sql)
    except UNREADABLE:
        return []
    pieces: list[str] = []
    start = 0
    for token in tokens:
        if token.token_type.name == "SEMICOLON":
            pieces.append(sql[start : token.start])
            start = token.end + 1
    pieces.append(sql[start:])
    return [piece for piece in pieces if piece.strip()]
