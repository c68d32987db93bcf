"""The `--jsonl` loop: one answer a line, in order, at once, whatever the line is."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from lineal_producer.jsonl import answer_lines


def answers(*lines: bytes) -> list[dict[str, object]]:
    out = io.BytesIO()
    answer_lines(lines, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_answer_has_the_id_and_the_lineage() -> None:
    line: dict[str, object] = {"id": "7", "sql": "create view v as select a + 1 as b from db.s.t", "dialect": "duckdb"}
    line |= {"schema": {"db.s.t": {"a": "INT"}}, "default_db": None, "default_schema": None}
    (answer,) = answers(json.dumps(line).encode())
    assert (answer["id"], answer["status"], answer["target"]) == ("7", "resolved", "v")
    assert answer["columns"] == [
        {
            "name": "b",
            "status": "traced",
            "reason": None,
            "expression": "a + 1",
            "inputs": [
                {"table": "db.s.t", "column": "a", "type": "DIRECT", "subtype": "TRANSFORMATION", "masking": False}
            ],
        }
    ]


@pytest.mark.parametrize("identity", ["x", 7, None, ["a"], {"b": 1}])
def test_an_id_comes_back_as_it_was(identity: object) -> None:
    (answer,) = answers(json.dumps({"id": identity, "sql": "select 1", "dialect": None}).encode())
    assert answer["id"] == identity


@pytest.mark.parametrize(
    ("line", "identity", "said"),
    [
        (b"{not json", None, "line 1 is not JSON"),
        (b"\xff\xfe", None, "line 1 is not JSON"),
        (b"[1]", None, "line 1 is not a JSON object"),
        (b'{"id": 1}', 1, '"sql" has to be a string'),
        (b'{"id": 1, "sql": 5}', 1, '"sql" has to be a string'),
        (b'{"id": 1, "sql": "select 1", "dialect": 5}', 1, '"dialect" has to be a string or null'),
        (b'{"id": 1, "sql": "select 1", "schema": []}', 1, '"schema" has to be null or an object'),
        (b'{"id": 1, "sql": "select 1", "schema": {"t": ["a"]}}', 1, "for t"),
        (b'{"id": 1, "sql": "select 1", "schema": {"db": {"t": {"a": "INT"}}}}', 1, "for t of db"),
        (b'{"id": 1, "sql": "select 1", "schema": {"t": {"a": 5}}}', 1, "for a of t"),
        (b'{"id": 1, "sql": "select 1", "default_db": 3}', 1, '"default_db"'),
        (b'{"id": "x", "sql": "select \\ud800"}', "x", "line 1 is not JSON"),
        (b'{"id": "x", "sql": "select \xff"}', "x", "line 1 is not JSON"),
        (b'{"id": "\\ud800", "sql": 1}', "?", "line 1 is not JSON"),
        (b'{"id": NaN, "sql": "select 1"}', None, "line 1 is not JSON"),
        (b"[" * 100_000, None, "line 1 is not JSON"),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_its_error(line: bytes, identity: object, said: str) -> None:
    (answer,) = answers(line)
    assert (answer["id"], answer["status"]) == (identity, "failed")
    assert said in str(answer["error"])


def test_lines_are_answered_in_order_and_bad_ones_counted() -> None:
    out = io.BytesIO()
    lines = [
        b'{"id": 1, "sql": "select 1"}',
        b"",
        b"nonsense",
        b'{"id": 2, "sql": "select b from"}',
        b'{"id": 3, "sql": "select 1"}',
    ]
    assert answer_lines(lines, out) == 1
    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [1, None, 2, 3]


def test_a_byte_order_mark_carriage_returns_and_null_types_are_read() -> None:
    (first, second) = answers(
        b'\xef\xbb\xbf{"id": 1, "sql": "select a from t"}\r\n',
        b'{"id": 2, "sql": "select a from t", "schema": {"t": {"a": null}, "u": null}}\r\n',
    )
    assert (first["id"], first["status"]) == (1, "resolved")
    assert (second["id"], second["status"]) == (2, "resolved")


def test_every_answer_comes_before_the_next_line_is_read() -> None:
    out = io.BytesIO()

    def lines() -> Iterator[bytes]:
        for number in range(3):
            assert len(out.getvalue().splitlines()) == number
            yield json.dumps({"id": number, "sql": "select 1"}).encode()

    answer_lines(lines(), out)


def test_it_runs_as_a_module() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "lineal_producer.jsonl"],
        input=b'{"id": "1", "sql": "explain select 1", "dialect": "duckdb"}\n',
        capture_output=True,
        check=True,
    )
    assert json.loads(run.stdout)["status"] == "unresolved"
    assert run.stderr == b""
