"""Syntax trees back as SQL, for names, expressions and messages."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar

from lineal_producer.columns.recovery import UNREADABLE


def text_of(node: exp.Expr, grammar: Grammar | str) -> str:
    """A node as SQL without its comments; empty where the grammar fails to write what it has read."""
    try:
        return node.sql(dialect=grammar, comments=False)
    except UNREADABLE:
        return ""
