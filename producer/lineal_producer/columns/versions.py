"""What an answer depends on besides its SQL: the rules' version and the parser's, told without loading the parser."""

from __future__ import annotations

from functools import cache
from importlib import metadata

RULES_VERSION = "30"


@cache
def sqlglot_version() -> str:
    """The version of the parser, which is part of every cached answer's key."""
    return metadata.version("sqlglot")
