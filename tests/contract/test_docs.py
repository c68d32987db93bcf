"""What the pages show can be done: their parsers read the commands, their formats the files; events are valid."""

from __future__ import annotations

import argparse
import ast
import configparser
import importlib
import json
import re
import shlex
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import yaml

from lineal_producer.cli import COMMANDS
from lineal_receiver.app import create_app
from lineal_receiver.cli.parser import build_parser
from lineal_receiver.ingest.envelope import open_envelope
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import INVALID_CORE, Judge
from lineal_receiver.settings import Settings

from ..integration.api.conftest import running

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"", "sh", "json", "yaml", "ini", "python"}
BY_HAND = re.compile(r"^curl [^\n]*-d '(\{.*?\})'", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r"^curl '?http://127\.0\.0\.1:5000(/[^\s']*)'?(?:\s|$)", re.MULTILINE)
# Others' programs: their options were looked up, not tried.
OTHERS = {
    "curl",
    "dbt",
    "docker",
    "echo",
    "export",
    "head",
    "make",
    "pg_dump",
    "pip",
    "pipx",
    "python3",
    "spark-submit",
    "uv",
}
VARIABLE_SET = re.compile(r"[A-Z_]+=")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, *languages: str) -> Iterator[str]:
    """The fenced blocks of a page in any of these languages."""
    yield from (block for language, block in FENCE.findall(page.read_text()) if language in languages)


def commands(block: str) -> Iterator[list[str]]:
    """The words of each command of a block, cut at pipes; without comments, redirections and variables before it."""
    line = ""
    for part in re.sub(r"\$\(.*?\)", "-", block.replace("\\\n", "")).splitlines():
        line += part
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # a quote goes on in the next line
            line += "\n"
            continue
        line = ""
        while words:
            end = words.index("|") if "|" in words else len(words)
            redirected = next((at for at, word in enumerate(words[:end]) if re.fullmatch(r"2?[<>]+", word)), end)
            yield [*dropwhile(VARIABLE_SET.match, words[:redirected])]
            words = words[end + 1 :]


def parser_of(program: str, command: str) -> argparse.ArgumentParser:
    """The parser that reads what stands behind the program's name."""
    if program == "lineal":
        return build_parser()
    parser = argparse.ArgumentParser(prog=f"lineal-dbt {command}")
    importlib.import_module(COMMANDS[command][0]).add_arguments(parser)
    return parser


def read(words: list[str]) -> None:
    """Reads a command of Lineal's as it would be read; fails with what its parser says."""
    program, *arguments = words
    if program == "lineal-dbt":
        command, *arguments = arguments
        if command not in COMMANDS:
            return  # dbt's own
        parser = parser_of(program, command)
    else:
        parser = parser_of(program, "")
    try:
        parser.parse_args(arguments)
    except SystemExit as end:
        if end.code:
            pytest.fail(shlex.join(words))


@pages
def test_every_command_of_ours_is_read_by_its_parser(page: Path) -> None:
    for block in blocks(page, "sh"):
        for words in commands(block):
            program = Path(words[0]).name
            if program in ("lineal", "lineal-dbt"):
                read([program, *words[1:]])
            else:
                assert program in OTHERS, words


def test_a_command_that_would_be_refused_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("lineal alias dataset only_one", "lineal-dbt lineage --format nope", "bin/lineal serve --port many"):
        ((first, *rest),) = commands(line)
        with pytest.raises(pytest.fail.Exception):
            read([Path(first).name, *rest])
    assert capsys.readouterr().err


@pages
def test_every_block_says_a_language_that_is_known_and_keeps_to_it(page: Path) -> None:
    assert {language for language, _ in FENCE.findall(page.read_text())} <= LANGUAGES
    for block in blocks(page, "json"):
        json.loads(block)
    for block in blocks(page, "yaml"):
        assert isinstance(yaml.safe_load(block), dict)
    for block in blocks(page, "python"):
        ast.parse(block)
    for block in blocks(page, "ini"):
        options = configparser.ConfigParser()
        options.read_string(block)
        for section in options.sections():
            assert json.loads(options[section]["transport"])["endpoint"] == "api/v1/lineage"


def test_the_index_has_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text()

    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name})" not in index] == ["README.md"]


@pages
def test_every_event_is_valid(page: Path) -> None:
    judge = Judge(read_bundle())
    told = [*BY_HAND.findall(page.read_text()), *(block for block in blocks(page, "json") if '"eventTime"' in block)]
    for body in told:
        verdict = judge.judge(open_envelope(body.encode()))
        assert not verdict.faults, page
        assert not verdict.flags & INVALID_CORE, page


async def test_every_address_that_is_asked_answers(pool: asyncpg.Pool, database_url: str, tmp_path: Path) -> None:
    asked = sorted({path for page in PAGES for path in ASKED.findall(page.read_text())})
    (event,) = BY_HAND.findall((ROOT / "README.md").read_text())
    app = create_app(Settings(database_url=database_url, data_dir=tmp_path), pool)

    async with running(app), client(app) as http:
        sent = await http.post("/api/v1/lineage", content=event, headers={"Content-Type": "application/json"})
        answers = {path: (await http.get(path)).status_code for path in asked}

    assert sent.status_code == 201
    assert asked
    assert answers == dict.fromkeys(asked, 200)


def client(app: Any) -> httpx.AsyncClient:
    """A client of the application, without a socket."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://receiver")
