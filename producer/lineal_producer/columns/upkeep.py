"""Statements that neither make nor move data: settings, rights, indexes, upkeep of what is there."""

from __future__ import annotations

from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.functions import words
from lineal_producer.columns.text import text_of

KINDS = (
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Set,
    exp.Use,
    exp.Pragma,
    exp.Comment,
    exp.Analyze,
    exp.Grant,
    exp.Revoke,
    exp.Drop,
    exp.TruncateTable,
    exp.Declare,
    exp.Describe,
    exp.Refresh,
    exp.Uncache,
)
# First words of statements that the grammar takes for mere commands, or for an expression.
WORDS = words(
    """
    VACUUM OPTIMIZE SHOW EXPLAIN LOCK UNLOCK RESET PRINT RAISERROR THROW RETURN SYSTEM DESCRIBE DESC LIST FLUSH PURGE
    CHECKPOINT INSTALL DISCARD REINDEX CLUSTER END ASSERT WAITFOR
    """
)
# What CREATE may make that holds no rows.
EMPTY = frozenset({"SCHEMA", "DATABASE", "INDEX", "SEQUENCE", "STAGE", "FILE FORMAT", "TAG", "ROLE", "CATALOG", "TYPE"})
# What ALTER may change that holds no rows.
SETTINGS = frozenset({"SESSION", "SYSTEM", "WAREHOUSE", "USER", "ROLE", "DEFAULT", "DATABASE"})
# What ALTER TABLE may do that leaves every row where it is.
ACTIONS = (exp.ColumnDef, exp.AlterColumn, exp.AddConstraint, exp.AlterSet, exp.AlterSession, exp.Cluster)


def says_nothing(node: exp.Expr, names: Names) -> bool:
    """Whether no data depends on a statement."""
    if isinstance(node, exp.Create):
        return str(node.args.get("kind") or "").upper() in EMPTY
    if node.find(exp.Query) is not None:
        # SET x = (SELECT …) and the like are read, or a gap.
        return False
    if isinstance(node, KINDS):
        return True
    first, *rest = text_of(node, names.grammar).upper().split() or [""]
    if isinstance(node, exp.Alter) and str(node.args.get("kind") or "").upper() not in SETTINGS:
        actions = node.args.get("actions") or []
        return bool(actions) and all(isinstance(action, ACTIONS) for action in actions)
    if first == "ALTER":
        return bool(rest) and rest[0] in SETTINGS
    return first.partition("(")[0] in WORDS


def first_word(node: exp.Expr, names: Names) -> str:
    """What a statement is called in a message."""
    if isinstance(node, exp.Command):
        return str(node.this).split()[0].upper() if str(node.this).strip() else "COMMAND"
    said = text_of(node, names.grammar).upper().replace("(", " ").split()
    return said[0] if said else node.key.upper()
