"""What an adapter's SQL is: its dialect, its quote characters, the case in which it stores unquoted identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineal_producer.descriptions import Relation


# dbt adapter type -> sqlglot dialect. An adapter that isn't here has no dialect: it is never guessed.
DIALECTS = {
    "athena": "athena",
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "databricks": "databricks",
    "doris": "doris",
    "dremio": "dremio",
    "duckdb": "duckdb",
    "exasol": "exasol",
    "fabric": "fabric",
    "fabricspark": "spark",
    "glue": "spark",
    "mariadb": "mysql",
    "materialize": "materialize",
    "mysql": "mysql",
    "mysql5": "mysql",
    "oracle": "oracle",
    "postgres": "postgres",
    "presto": "presto",
    "redshift": "redshift",
    "risingwave": "risingwave",
    "singlestore": "singlestore",
    "snowflake": "snowflake",
    "spark": "spark",
    "sqlite": "sqlite",
    "sqlserver": "tsql",
    "starrocks": "starrocks",
    "synapse": "tsql",
    "teradata": "teradata",
    "trino": "trino",
}

STORES_UPPER = {"snowflake", "oracle", "db2", "ibmdb2", "exasol", "teradata"}
_STORES_LOWER = {"postgres", "redshift", "materialize", "risingwave", "crate", "cratedb", "athena", "trino", "presto"}
# Databases in which "Orders" and orders are two tables; everywhere else a name is found in any case.
_CASE_MATTERS = {
    "postgres",
    "snowflake",
    "oracle",
    "bigquery",
    "clickhouse",
    "materialize",
    "risingwave",
    "db2",
    "ibmdb2",
}
_CLOSING = {'"': '"', "`": "`", "[": "]"}


def dialect_of(adapter: str) -> str | None:
    """sqlglot's name of the adapter's SQL, None for an adapter that is not known."""
    return DIALECTS.get(adapter)


def stores_upper(adapter: str) -> bool:
    """Whether the database keeps unquoted identifiers in upper case."""
    return adapter in STORES_UPPER


def stored(part: str, *, quoted: bool, adapter: str) -> str:
    """The identifier as the database keeps it: unquoted ones are folded where the database folds them."""
    if quoted and adapter not in {"athena", "trino", "presto", "redshift"}:
        return part
    if adapter in STORES_UPPER:
        return part.upper()
    if adapter in _STORES_LOWER:
        return part.lower()
    return part


def match_key(part: str | None, adapter: str) -> str | None:
    """A spelling under which two names of one relation are equal on that adapter."""
    if part is None:
        return None
    return part if adapter in _CASE_MATTERS else part.casefold()


def split_quoted(text: str) -> list[tuple[str, bool]]:
    """The dotted parts of a rendered relation with whether each was quoted; dots inside quotes stay.

    >>> split_quoted('"a.b".public.orders')
    [('a.b', True), ('public', False), ('orders', False)]
    """
    parts: list[tuple[str, bool]] = []
    at = 0
    while at < len(text):
        closing = _CLOSING.get(text[at])
        if closing is None:
            end = text.find(".", at)
            end = len(text) if end < 0 else end
            parts.append((text[at:end].strip(), False))
        else:
            value, end = _read_quoted(text, at + 1, closing)
            parts.append((value, True))
        at = end + 1
    return [part for part in parts if part[0]]


def _read_quoted(text: str, at: int, closing: str) -> tuple[str, int]:
    value = ""
    while (end := text.find(closing, at)) >= 0:
        value += text[at:end]
        if not text.startswith(closing, end + 1):
            return value, end + 1
        value += closing
        at = end + 2
    return value + text[at:], len(text)


def relation_from_name(relation_name: str, adapter: str) -> Relation | None:
    """The relation that dbt's `relation_name` means, in stored case; None when it isn't a plain dotted name."""
    parts = split_quoted(relation_name)
    if adapter == "bigquery" and len(parts) == 1:
        parts = [(piece, True) for piece in parts[0][0].split(".")]
    if not 1 <= len(parts) <= 3 or "(" in relation_name:
        return None
    names = [stored(name, quoted=quoted, adapter=adapter) for name, quoted in parts]
    padded: list[str | None] = [None] * (3 - len(names)) + list(names)
    return padded[0], padded[1], names[-1]


def relation_from_parts(
    database: str | None, schema: str | None, identifier: str, adapter: str, quoting: dict[str, bool | None]
) -> Relation:
    """The relation of configured parts when dbt gave no rendered name; `quoting` as dbt's config has it."""
    default = adapter not in STORES_UPPER

    def keep(part: str | None, name: str) -> str | None:
        if part is None:
            return None
        quoted = quoting.get(name)
        return stored(part, quoted=default if quoted is None else quoted, adapter=adapter)

    kept = keep(identifier, "identifier")
    return keep(database, "database"), keep(schema, "schema"), kept if kept is not None else identifier
