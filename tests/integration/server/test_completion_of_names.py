"""Shells complete the names of tables, columns and jobs, from a receiver or from a database: asked of a real bash."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from lineal_receiver.cli.asking import completing
from lineal_receiver.cli.asking.completing import complete_jobs, complete_names, complete_namespaces

from .conftest import SECONDS, Server, Starter, event, wait_for

SPACE = "file:///data/lake"
TABLES = {"raw.orders": ["id", "amount"], "mart.orders_daily": ["day", "total"], "s3/part:2026/x": ["k"]}
COMPLETE = """
eval "$(lineal completion bash)"
COMP_LINE=$LINE
COMP_POINT=${#COMP_LINE}
COMP_TYPE=9
read -ra COMP_WORDS <<< "$LINE"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete lineal "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def told(name: str, fields: list[str]) -> dict[str, Any]:
    """An event of a job that writes a table with these columns."""
    facets = {
        "schema": {
            "_producer": "https://example.org/tests",
            "_schemaURL": "https://openlineage.io/spec/facets/1-1-1/SchemaDatasetFacet.json",
            "fields": [{"name": field, "type": "INT"} for field in fields],
        }
    }
    written = {"namespace": SPACE, "name": name, "facets": facets}
    return {**event(f"make.{name}"), "run": {"runId": str(uuid4())}, "outputs": [written]}


@pytest.fixture
def server(starter: Starter, database_url: str) -> Iterator[Server]:
    server = starter.serve("--database-url", database_url)
    for name, fields in TABLES.items():
        sent = httpx.post(f"{server.url}/api/v1/lineage", json=told(name, fields), timeout=SECONDS)
        assert sent.status_code == 201
    yield server
    assert server.end() == 0


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine may be slow: what is found counts, not how soon."""
    monkeypatch.setattr(completing, "SECONDS", SECONDS)


def check(ask: Callable[..., list[str]]) -> None:
    assert ask(complete_names, "ord") == ["orders", "orders_daily"]
    assert ask(complete_names, "raw.o") == ["raw.orders"]
    assert ask(complete_names, "orders.") == ["orders.amount", "orders.id"]
    assert ask(complete_names, "mart.orders_daily.t") == ["mart.orders_daily.total"]
    assert ask(complete_names, "fi") == [f"{SPACE}:"]
    assert ask(complete_names, f"{SPACE}:m") == [f"{SPACE}:mart.orders_daily"]
    assert ask(complete_names, f"{SPACE}:raw.orders.a") == [f"{SPACE}:raw.orders.amount"]
    assert ask(complete_names, f"{SPACE}:s3/p") == [f"{SPACE}:s3/part:2026/x"]
    assert ask(complete_names, "part:2026/x.") == ["part:2026/x.k"]
    assert set(ask(complete_names, f"{SPACE}:")) == {f"{SPACE}:{name}" for name in TABLES}
    assert ask(complete_names, "orders", job=True) == ["orders", "orders_daily"]
    assert ask(complete_jobs, "make.r") == ["make.raw.orders"]
    assert ask(complete_namespaces, "t") == ["tests"]
    assert ask(complete_names, "nothing.") == []


def test_a_receiver_knows_names(server: Server) -> None:
    def ask(complete: Callable[..., list[str]], prefix: str, **more: object) -> list[str]:
        return complete(prefix, argparse.Namespace(url=server.url, database_url=None, data_dir=None, **more))

    check(ask)


def test_a_database_knows_names(server: Server, database_url: str) -> None:
    def ask(complete: Callable[..., list[str]], prefix: str, **more: object) -> list[str]:
        return complete(prefix, argparse.Namespace(url=None, database_url=database_url, data_dir=None, **more))

    check(ask)


@pytest.mark.parametrize(
    "whom",
    [
        {"url": "http://127.0.0.1:1"},
        {"url": "no address"},
        {"database_url": "postgresql://nobody@127.0.0.1:1/none"},
        {"data_dir": Path("/nonexistent/lineal")},
    ],
    ids=["no receiver", "no address", "no database", "no data"],
)
def test_where_nobody_answers_nothing_is_said(whom: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    options = argparse.Namespace(**{"url": None, "database_url": None, "data_dir": None, **whom})
    assert complete_names("ord", options) == []
    assert capfd.readouterr() == ("", "")
    assert not Path("/nonexistent/lineal").exists()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash: apt-get install bash")
def test_bash_completes_names_with_colons_and_slashes(server: Server) -> None:
    def complete(line: str) -> set[str]:
        found = subprocess.run(
            ["bash", "--norc", "-c", COMPLETE],
            env={
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "HOME": "/nonexistent",
                "NO_PROXY": "127.0.0.1",
                "LINE": line,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
        )
        assert found.stderr == ""
        return {word.strip() for word in found.stdout.split("\n") if word.strip()}

    asked = f"lineal upstream --url {server.url} "
    # A shell waits two seconds at most, and then has nothing: on a slow machine it is asked again.
    assert wait_for(lambda: complete(f"{asked}orders.a"), "a column") == {"orders.amount"}
    assert wait_for(lambda: complete(f"{asked}ord"), "tables") == {"orders", "orders_daily"}
    # Bash has cut the word at its colons, and puts what comes behind the last.
    assert wait_for(lambda: complete(f"{asked}{SPACE}:raw.o"), "a whole name") == {"raw.orders"}
    assert wait_for(lambda: complete(f"{asked}{SPACE}:s3/part:2026/"), "a name with both") == {"2026/x"}


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish: apt-get install fish")
def test_fish_completes_flags_and_names(server: Server, tmp_path: Path) -> None:
    def complete(line: str) -> set[str]:
        found = subprocess.run(
            ["fish", "--no-config", "-c", 'lineal completion fish | source; complete -C "$LINE"'],
            env={
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "HOME": str(tmp_path),
                "NO_PROXY": "127.0.0.1",
                "LINE": line,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
        )
        assert found.stderr == ""
        return {word.split("\t")[0].strip() for word in found.stdout.splitlines() if word.strip()}

    assert complete("lineal upst") == {"upstream"}
    assert complete("lineal runs --state F") == {"FAILED"}
    asked = f"lineal upstream --url {server.url} "
    assert wait_for(lambda: complete(f"{asked}orders.a"), "a column") == {"orders.amount"}
    assert wait_for(lambda: complete(f"{asked}{SPACE}:raw.o"), "a whole name") == {f"{SPACE}:raw.orders"}
