"""The `--jsonl` loop: a case a line in, an answer a line out, in order and at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

import orjson

from lineal_producer.columns import to_json, trace

EXAMPLE = '{"id": "1", "sql": "select a from t", "dialect": "duckdb"}'


def answer_lines(lines: Iterable[bytes], out: BinaryIO) -> int:
    """Answers every line that is not blank and flushes each answer; gives how many lines could not be read."""
    unread = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        answer = answer_line(line, number)
        unread += "error" in answer
        out.write(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
        out.flush()
    return unread


def answer_line(line: bytes, number: int) -> dict[str, Any]:
    """The answer to one line; one that can't be read gets its error."""
    try:
        case = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return unreadable(None, f"line {number} is not JSON ({error}); write one object a line, as {EXAMPLE}")
    if not isinstance(case, dict):
        return unreadable(None, f"line {number} is not a JSON object; write one, as {EXAMPLE}")
    identity = case.get("id")
    fault = find_fault(case)
    if fault is not None:
        return unreadable(identity, f"line {number}: {fault}")
    lineage = trace(
        case["sql"], case.get("dialect") or "", case.get("schema"), case.get("default_db"), case.get("default_schema")
    )
    return {"id": identity, **to_json(lineage)}


def find_fault(case: Mapping[str, Any]) -> str | None:
    """What is wrong with a case, None when it can be traced."""
    if not isinstance(case.get("sql"), str):
        return '"sql" has to be a string with the statement'
    for key in ("dialect", "default_db", "default_schema"):
        if not isinstance(case.get(key), str | None):
            return f'"{key}" has to be a string or null'
    schema = case.get("schema")
    if schema is None:
        return None
    if not isinstance(schema, dict):
        return '"schema" has to be null or an object {"table": {"column": "TYPE"}}'
    for table, columns in schema.items():
        if not isinstance(columns, dict):
            return f'"schema" has to give an object {{"column": "TYPE"}} for {table}'
    return None


def unreadable(identity: Any, error: str) -> dict[str, Any]:
    """The answer to a line that can't be read."""
    return {"id": identity, "status": "failed", "target": None, "columns": [], "rows": [], "gaps": [], "error": error}


if __name__ == "__main__":
    sys.exit(1 if answer_lines(sys.stdin.buffer, sys.stdout.buffer) else 0)
