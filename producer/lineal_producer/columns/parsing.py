"""From text to syntax trees: a statement that can't be read does not take the others with it."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp

from lineal_producer.columns.creations import plain_creation
from lineal_producer.columns.dialects import Names
from lineal_producer.columns.executed import constant_text
from lineal_producer.columns.recovery import TEMPLATE, UNREADABLE, first_line, is_template, recover
from lineal_producer.columns.rewriting import rewritten, unmistakable
from lineal_producer.columns.scripting import without_blocks
from lineal_producer.columns.targets import BY_NAME
from lineal_producer.columns.values import Problem

# What the parser can't read becomes a gap; its own warnings would only repeat that on stderr.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

# A line with GO alone parts batches in the tools that send T-SQL.
BATCHES = frozenset({"tsql", "fabric"})
GO = re.compile(r"^[ \t]*go[ \t]*$", re.IGNORECASE | re.MULTILINE)

# How the grammar calls parts of a script that it reads as statements.
BLOCKS = frozenset({"ifblock", "whileblock", "loopblock", "repeatblock", "casestatement", "endstatement", "block"})
MERGE = re.compile(r"\bmerge\b", re.IGNORECASE)
EVOLUTION = re.compile(r"\bmerge\s+with\s+schema\s+evolution\s+into\b", re.IGNORECASE)
# DuckDB's branches without a list mean all columns by their places, but for those that say BY NAME.
LISTED_BY_NAME = re.compile(r"\bthen\s+insert\s+by\s+name(?=\s*\()", re.IGNORECASE)
UPDATE_BY_NAME = re.compile(r"\bthen\s+update\s+by\s+name\b", re.IGNORECASE)
INSERT_BY_NAME = re.compile(r"\bthen\s+insert\s+by\s+name\b", re.IGNORECASE)
UNLISTED = r"(?:\s+by\s+position\b|(?=\s*(?:\bwhen\b|\breturning\b|;|$)))"
WHOLE_UPDATE = re.compile(r"\bthen\s+update" + UNLISTED, re.IGNORECASE)
WHOLE_INSERT = re.compile(r"\bthen\s+insert" + UNLISTED, re.IGNORECASE)
# Statements that are not traced, whether the grammar knows them or not.
INSERT_EXEC = r"\s*insert\b[^']*?\bexec(?:ute)?\b\s*"
UNTRACED = tuple(
    (re.compile(pattern, re.IGNORECASE), code, message)
    for pattern, code, message in (
        (INSERT_EXEC + r"(?:\(|(?:sys\.)?sp_executesql\b)", "dynamic_sql", "what INSERT … EXEC runs is a text"),
        (INSERT_EXEC, "unsupported_statement", "what a procedure gives to INSERT … EXEC is not traced"),
        (r"\s*exec(?:ute)?\s*\(", "dynamic_sql", "a statement is put together as text and run by EXECUTE"),
        (r"\s*delete\b", "unsupported_statement", "DELETE statements are not traced"),
        (r"\s*update\s*\(", "unsupported_statement", "UPDATE of what is not a table is not traced"),
    )
)


@dataclass(slots=True)
class Parsed:
    """The statements of a text, a problem for each that can't be read, and what stands for unread parts of others."""

    statements: list[exp.Expr]
    problems: list[Problem] = field(default_factory=list)
    set_aside: dict[str, Problem] = field(default_factory=dict)


def parse(sql: str, names: Names) -> Parsed:
    """The statements of a text in order; what can't be read takes as little with it as can be told."""
    if names.dialect in BATCHES:
        sql = GO.sub(";", sql)
    sql = unmistakable(sql, names)
    tried: tuple[str, Exception] | None = None
    try:
        parsed = sqlglot.parse(sql, read=names.grammar)
        templates = "{{" in sql and any(is_template(node) for node in parsed)
        if not templates and not any(is_unread(node) for node in parsed):
            return Parsed(present(parsed, names))
    except UNREADABLE as error:
        tried = (sql, error)
    sql = rewritten(plain_merge(sql), names)
    pieces = split(sql, names) or [sql]
    found = Parsed([])
    for number, piece in enumerate(pieces, start=1):
        parse_piece(piece, f"statement {number}: " if len(pieces) > 1 else "", names, found, tried)
    return found


def is_unread(node: exp.Expr | None) -> bool:
    """Whether the grammar took a statement for a mere command or a block, or it may run a text."""
    runs = isinstance(node, (exp.Command, exp.Execute, exp.ExecuteSql))
    return runs or (node is not None and node.key in BLOCKS)


def parse_piece(
    piece: str, place: str, names: Names, found: Parsed, tried: tuple[str, Exception] | None = None
) -> None:
    """Adds the statements of one piece of text, or why it can't be read; `tried` has failed before."""
    inside, problem = without_blocks(piece, names)
    if not inside:
        found.problems += [problem] if problem else []
        return
    text = constant_text(inside, names)
    if text is not None:
        run = parse(text, names)
        found.statements += run.statements
        found.problems += [*([problem] if problem else []), *run.problems]
        found.set_aside.update(run.set_aside)
        return
    try:
        if tried is not None and tried[0] == inside:
            raise tried[1]
        parsed = sqlglot.parse(inside, read=names.grammar)
        if all(isinstance(node, exp.Drop) for node in parsed):
            # IF it is there, DROP it: no data depends on that.
            problem = None
        if "{{" in inside and any(is_template(node) for node in parsed):
            raise ValueError(TEMPLATE)
        found.statements += present(parsed, names)
        found.problems += [problem] if problem else []
    except UNREADABLE as error:
        found.problems += [problem] if problem else []
        plain = plain_creation(inside, names)
        if plain is not None:
            found.statements.append(plain)
            return
        statements, set_aside = recover(inside, names, first_line(error), len(found.set_aside))
        found.statements += present(statements, names)
        found.set_aside.update(set_aside)
        if not statements:
            found.problems.append(unread(inside, place, error))


def unread(text: str, place: str, error: Exception) -> Problem:
    """Why a statement is not traced that can't be read: some would not be if they could."""
    for form, code, message in UNTRACED:
        if form.match(text):
            return Problem(code, place + message)
    return Problem("parser_error", place + first_line(error))


def plain_merge(sql: str) -> str:
    """MERGE in the words that the grammar knows."""
    if not MERGE.search(sql):
        return sql
    sql = EVOLUTION.sub("merge into", LISTED_BY_NAME.sub("then insert", sql))
    sql = UPDATE_BY_NAME.sub(f"then update set {BY_NAME} = 1", INSERT_BY_NAME.sub(f"then insert ({BY_NAME})", sql))
    return WHOLE_INSERT.sub("then insert *", WHOLE_UPDATE.sub("then update set *", sql))


def present(parsed: list[exp.Expr | None], names: Names) -> list[exp.Expr]:
    """The statements without what only separates them."""
    statements: list[exp.Expr] = []
    for node in parsed:
        if node is None or isinstance(node, exp.Semicolon):
            continue
        if isinstance(node, exp.Alias) and isinstance(node.this, exp.Column) and node.this.name.upper() == "TABLE":
            # TABLE name, which some versions of the grammar take for a column under an alias.
            node = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=node.args["alias"])))
        statements.append(reread(node, names) if isinstance(node, exp.Command) else node)
    return statements


def reread(node: exp.Command, names: Names) -> exp.Expr:
    """A statement that the grammar took for a mere command, read again in a form that it knows."""
    rest = node.args.get("expression")
    text = rest.name if isinstance(rest, exp.Expr) else str(rest or "")
    word = str(node.this).upper()
    if word == "CREATE":
        return plain_creation(f"create {text}", names) or node
    if word != "REPLACE":
        return node
    try:
        # MySQL's REPLACE INTO puts in what INSERT INTO would.
        return sqlglot.parse_one(f"insert {text}", read=names.grammar)
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
