"""The `--jsonl` loop: a case a line in, an answer a line out, in order and at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

import orjson

from lineal_producer.columns import to_json, trace

EXAMPLE = '{"id": "1", "sql": "select a from t", "dialect": "duckdb"}'
# What some editors and shells write at the beginning of a file.
MARK = b"\xef\xbb\xbf"
# Beyond this a number is not written as it was read.
LARGEST = 1 << 63


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
    if number == 1:
        line = line.removeprefix(MARK)
    try:
        case = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        message = f"line {number} is not JSON ({error}); write one object a line, as {EXAMPLE}"
        return unreadable(find_identity(line), message)
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


def find_identity(line: bytes) -> str | int | None:
    """The id in a line that is nearly JSON, as one with broken characters, so that its error is matched to its case."""
    try:
        case = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    identity = case.get("id") if isinstance(case, dict) else None
    if isinstance(identity, str):
        return identity.encode("utf-8", "replace").decode("utf-8")
    return identity if isinstance(identity, int) and abs(identity) < LARGEST else None


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
        if not isinstance(columns, dict | None):
            return f'"schema" has to give an object {{"column": "TYPE"}} for {table}'
        for column, kind in (columns or {}).items():
            if not isinstance(kind, str | None):
                return (
                    f'"schema" has to give a type as a string or null for {column} of {table}; names are joined by dots'
                )
    return None


def unreadable(identity: Any, error: str) -> dict[str, Any]:
    """The answer to a line that can't be read."""
    return {"id": identity, "status": "failed", "target": None, "columns": [], "rows": [], "gaps": [], "error": error}


if __name__ == "__main__":
    sys.exit(1 if answer_lines(sys.stdin.buffer, sys.stdout.buffer) else 0)
