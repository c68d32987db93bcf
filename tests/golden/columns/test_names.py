"""The outputs' names in the golden cases for DuckDB are those that DuckDB itself gives, where it can run the SQL."""

from __future__ import annotations

import re

import duckdb

from lineal_producer.columns import trace

from .test_golden import CASES, Case, read_schema

QUERIES = re.compile(r"\s*(?:with|select|from|pivot|unpivot|\()", re.IGNORECASE)
# DuckDB 1, the newest for Python 3.10, calls operators otherwise.
OTHERWISE_IN_DUCKDB_1 = {"unnamed operators in DuckDB"}
PARTS = re.compile(r'"[^"]*"|[^.]+')


def prepared(case: Case) -> duckdb.DuckDBPyConnection:
    """A database that has the case's relations, and nothing outside itself."""
    config = {"enable_external_access": "false", "threads": "1"}
    connection = duckdb.connect(config=config)
    connection.execute("set python_enable_replacements = false")
    for table, columns in (read_schema(case.schema) or {}).items():
        parts = [part.strip('"') for part in PARTS.findall(table)]
        quoted = [f'"{part}"' for part in parts]
        if len(parts) == 3:
            connection.execute(f"attach ':memory:' as {quoted[0]}")
        if len(parts) > 1:
            connection.execute(f"create schema if not exists {'.'.join(quoted[:-1])}")
        body = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        connection.execute(f"create table {'.'.join(quoted)} ({body})")
    return connection


def names_in_duckdb(case: Case) -> list[str] | None:
    """The names of the case's outputs as DuckDB says, None where it can't run it."""
    try:
        with prepared(case) as connection:
            described = connection.execute("\n".join(case.sql)).description
    except duckdb.Error:
        return None
    return [column[0] for column in described or ()]


def test_names_are_those_of_duckdb() -> None:
    otherwise = OTHERWISE_IN_DUCKDB_1 if duckdb.__version__.startswith("1.") else set()
    cases = [case for case in CASES if case.dialect == "duckdb" and QUERIES.match("\n".join(case.sql))]
    cases = [case for case in cases if case.title not in otherwise]
    compared, different = 0, {}
    for case in cases:
        found = trace("\n".join(case.sql), "duckdb", read_schema(case.schema))
        expected = names_in_duckdb(case) if found.status != "unresolved" else None
        if expected is not None:
            compared += 1
            names = [column.name for column in found.columns]
            if names != expected:
                different[f"{case.file}: {case.title}"] = (names, expected)
    assert not different
    assert compared > len(cases) * 0.7
