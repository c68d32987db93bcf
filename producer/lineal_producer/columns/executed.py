"""Statements that are run as text: where the text is a constant it is read like any other."""

from __future__ import annotations

import re

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE

RUNS_TEXT = re.compile(r"\s*exec(?:ute)?\b", re.IGNORECASE)
# What may stand before the text, in this order; and which of that says that a text follows, no name.
OPENINGS = ("IMMEDIATE", "SYS", ".", "SP_EXECUTESQL", "(")
RUNNERS = frozenset({"IMMEDIATE", "SP_EXECUTESQL", "("})
CLOSINGS = frozenset({")", ";"})
# What joins constant texts to one.
JOINTS = frozenset({"+", "||"})
TEXTS = frozenset({"STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING"})
# Values for the text's placeholders, which read nothing.
CONSTANTS = TEXTS | {"NUMBER", "COMMA", "L_PAREN", "R_PAREN", "NULL", "TRUE", "FALSE"}


def constant_text(piece: str, names: Names) -> str | None:
    """The SQL that an EXECUTE runs, None of any other statement and where the text or a value is computed."""
    runs = RUNS_TEXT.match(piece)
    if not runs:
        return None
    try:
        # Grammars take what follows the word for a command's text.
        tokens = names.grammar.tokenize(piece[runs.end() :])
    except UNREADABLE:
        return None
    words = [token.text.upper() for token in tokens]
    kinds = [token.token_type.name for token in tokens]
    start = 0
    for opening in OPENINGS:
        start += words[start : start + 1] == [opening] and kinds[start] not in TEXTS
    end = len(tokens)
    while end > start and words[end - 1] == ";":
        end -= 1
    if "USING" in words and all(kind in CONSTANTS for kind in kinds[words.index("USING") + 1 : end]):
        end = words.index("USING")
    while end > start and words[end - 1] in CLOSINGS:
        end -= 1
    joints, parts = range(start + 1, end, 2), range(start, end, 2)
    whole = RUNNERS & set(words[:start]) and (end - start) % 2 == 1
    if not whole or any(kinds[place] not in TEXTS for place in parts) or any(words[p] not in JOINTS for p in joints):
        return None
    return "".join(tokens[place].text for place in parts)
