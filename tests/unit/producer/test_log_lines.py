"""Lines of dbt's log and the command line that one of them holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lineal_producer.dbt.log_lines import read_arguments, read_line, whole_numbers


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("dbt build", {"which": "build"}),
        (
            "dbt --log-format json run -s a+ tag:b --exclude c",
            {"which": "run", "select": ["a+", "tag:b"], "exclude": ["c"]},
        ),
        ("dbt --profiles-dir run --target=prod test", {"which": "test", "profiles_dir": "run", "target": "prod"}),
        ("dbt source freshness -t ci", {"which": "freshness", "target": "ci"}),
        ("dbt docs generate", {"which": "docs"}),
        ("dbt clone --state build --full-refresh", {"which": "clone", "state": "build", "full_refresh": True}),
        ('dbt run --vars {"a": "it\'s"} --empty', {"which": "run", "empty": True}),
        ("dbt", {}),
        ("", {}),
    ],
)
def test_arguments(command: str, told: dict[str, Any]) -> None:
    assert read_arguments(command) == told


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"10:00:00 Running with dbt",
        b'{"info"',
        b"[1]",
        b'{"info": 1}',
        b'{"info": {"name": 1}}',
        b"\xff{",
        b"{" * 9999,
    ],
)
def test_what_is_no_event_is_none(line: bytes) -> None:
    assert read_line(line) is None


def test_an_event() -> None:
    line = read_line(
        json.dumps({"info": {"name": "A", "ts": "t", "thread": "x", "invocation_id": "i"}, "data": None}).encode()
    )
    assert line is not None
    assert (line.name, line.at, line.thread, line.invocation_id, line.node, line.data) == ("A", "t", "x", "i", {}, {})


def test_whole_numbers() -> None:
    assert whole_numbers({"a": 3.0, "b": 1.5, "c": {"d": 2.0}, "e": "1.0"}) == {
        "a": 3,
        "b": 1.5,
        "c": {"d": 2},
        "e": "1.0",
    }
