"""Cut a SQL script into its statements, so that an error can name the one that failed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What may hold a semicolon that ends nothing: comments, strings, quoted names, dollar-quoted bodies.
TOKEN = re.compile(
    r"""
      --[^\n]*
    | /\*.*?\*/
    | \b[eE]'(?:[^'\\]|\\.|'')*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    | (?P<tag>\$(?:[A-Za-z_]\w*)?\$).*?(?P=tag)
    | (?P<end>;)
    | (?P<word>\S)
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement without what surrounds it, and the line (from 1) that it begins on."""

    sql: str
    line: int


def split_statements(script: str) -> Iterator[Statement]:
    """The statements of a script in order; comments between them belong to none.

    A body in SQL's own `begin atomic … end` would be cut at its semicolons: write such functions with `$$`.
    """
    start: int | None = None
    for token in TOKEN.finditer(script):
        if token["end"]:
            if start is not None:
                yield _statement(script, start, token.start())
            start = None
        elif start is None and not token.group().startswith(("--", "/*")):
            start = token.start()
    if start is not None:
        yield _statement(script, start, len(script))


def _statement(script: str, start: int, end: int) -> Statement:
    return Statement(sql=script[start:end].rstrip(), line=script.count("\n", 0, start) + 1)
