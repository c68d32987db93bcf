"""What README.md and docs/ say can be done: commands, flags, variables, links, events, the file transport."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import yaml

from lineal_producer.cli import COMMANDS
from lineal_receiver.app import create_app
from lineal_receiver.cli.parser import build_parser
from lineal_receiver.settings import Settings, variable

from ..integration.api.conftest import running

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text()
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
VARIABLE = re.compile(r"\b(?:LINEAL|OPENLINEAGE)_+[A-Z]+(?:_+[A-Z]+)*\b")
CURL = re.compile(r"^curl [^\n]*-d '(\{.*?\})'$", re.MULTILINE | re.DOTALL)

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def snippets(text: str) -> Iterator[str]:
    """Every line of code of a page, without its comment: of fenced blocks, and what stands between backticks."""
    for language, block in FENCE.findall(text):
        if language in ("", "sh"):
            yield from (re.sub(r"\s#\s.*", "", line) for line in block.splitlines())
    yield from SPAN.findall(FENCE.sub("", text))


def calls(text: str, program: str) -> list[list[str]]:
    """The words behind `program` wherever a snippet calls it, also behind a pipe."""
    found = []
    for snippet in snippets(text):
        for part in snippet.split(" | "):
            if re.match(rf"\s*(?:uv run )?{re.escape(program)}( |$)", part):
                words = shlex.split(part)
                found.append(words[words.index(program) + 1 :])
    return found


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a command, and of the commands below it."""
    own = {option for action in parser._actions for option in action.option_strings}
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return own.union(*(options_of(child) for action in below for child in action.choices.values()))


def receiver_commands() -> dict[str, set[str]]:
    actions = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return {name: options_of(parser) for name, parser in actions[0].choices.items()}


def producer_commands() -> dict[str, set[str]]:
    known = {}
    for name, (module, _) in COMMANDS.items():
        parser = argparse.ArgumentParser()
        importlib.import_module(module).add_arguments(parser)
        known[name] = options_of(parser)
    return known


def unknown_calls(text: str, program: str, known: dict[str, set[str]]) -> list[str]:
    """Calls of a command, or with a flag, that isn't there."""
    wrong = []
    for words in calls(text, program):
        if not words:
            continue
        flags = {word.partition("=")[0] for word in words[1:] if word.startswith("-") and word != "-"}
        if words[0] not in known or not flags <= known[words[0]]:
            wrong.append(shlex.join([program, *words]))
    return wrong


@pages
def test_every_command_and_flag_of_lineal_is_there(page: Path) -> None:
    assert unknown_calls(page.read_text(), "lineal", receiver_commands()) == []


@pages
def test_every_command_and_flag_of_lineal_dbt_is_there(page: Path) -> None:
    assert unknown_calls(page.read_text(), "lineal-dbt", producer_commands()) == []


def test_a_command_or_flag_that_is_not_there_would_be_found() -> None:
    text = "```\nlineal serve --nope   # --host\n```\n`lineal-dbt nope`, `lineal-dbt lineage --format csv`"

    assert unknown_calls(text, "lineal", receiver_commands()) == ["lineal serve --nope"]
    assert unknown_calls(text, "lineal-dbt", producer_commands()) == ["lineal-dbt nope"]


@pages
def test_every_target_of_make_is_there(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = {words[0] for words in calls(page.read_text(), "make") if words}

    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert all(f"$({name})" in makefile or f"$(if $({name})" in makefile for name in make_variables(page.read_text()))


def make_variables(text: str) -> set[str]:
    return {word.partition("=")[0] for words in calls(text, "make") for word in words if "=" in word}


@pages
def test_every_variable_is_read_somewhere(page: Path) -> None:
    producer = set(VARIABLE.findall((ROOT / "producer" / "lineal_producer" / "settings.py").read_text()))
    receiver = {variable(name) for name in Settings.__dataclass_fields__}
    build = set(VARIABLE.findall((ROOT / "hatch_build.py").read_text()))

    assert set(VARIABLE.findall(page.read_text())) <= producer | receiver | build


@pages
def test_every_link_and_file_of_the_repository_is_there(page: Path) -> None:
    text = page.read_text()
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    paths = re.findall(r"`((?:docs|producer|receiver|schemas|migrations|tests|tools|bench|examples)/[\w./-]*)`", text)

    assert [link for link in links if not (page.parent / link).exists()] == []
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_page_is_linked_from_the_readme() -> None:
    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"(docs/{page.name})" not in README] == []


@pytest.mark.parametrize("page", ["README.md", "docs/api.md"])
async def test_the_event_to_send_by_hand_is_taken(
    page: str, pool: asyncpg.Pool, database_url: str, tmp_path: Path
) -> None:
    (body,) = CURL.findall((ROOT / page).read_text())
    app = create_app(Settings(database_url=database_url, data_dir=tmp_path), pool)
    transport = httpx.ASGITransport(app)

    async with running(app), httpx.AsyncClient(transport=transport, base_url="http://receiver") as http:
        sent = await http.post("/api/v1/lineage", content=body, headers={"Content-Type": "application/json"})
        asked = [await http.get(path) for path in re.findall(r"^curl 'http://127.0.0.1:5000(\S+)'$", README, re.M)]

    assert (sent.status_code, sent.content) == (201, b"")
    if page == "README.md":
        assert [answer.status_code for answer in asked] == [200]
        assert len(asked[0].json()["graph"]) == len(named_nodes(json.loads(body)))


async def test_a_batch_is_answered_as_the_page_says(pool: asyncpg.Pool, database_url: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    (event,) = map(json.loads, CURL.findall(page))
    (told,) = (json.loads(span) for span in SPAN.findall(page) if span.startswith('{"status"'))
    others = [{**event, "job": {**event["job"], "name": name}} for name in ("first", "second")]
    app = create_app(Settings(database_url=database_url, data_dir=tmp_path), pool)
    transport = httpx.ASGITransport(app)

    async with running(app), httpx.AsyncClient(transport=transport, base_url="http://receiver") as http:
        answer = await http.post("/api/v1/lineage/batch", json=[event, *others, {}])

    assert answer.status_code == 200
    assert answer.json()["failed_events"][0]["reason"].startswith("the body: 'run', 'job' and 'dataset' are missing")
    assert without_reasons(answer.json()) == without_reasons(told)


def without_reasons(answer: dict[str, Any]) -> dict[str, Any]:
    failed = [{key: text for key, text in one.items() if key != "reason"} for one in answer["failed_events"]]
    return {**answer, "failed_events": failed}


def named_nodes(event: dict[str, Any]) -> list[Any]:
    return [event["job"], *event["inputs"], *event["outputs"]]


def test_the_file_transport_is_seen_as_configured(tmp_path: Path) -> None:
    (block,) = (block for language, block in FENCE.findall(README) if language == "yaml")
    written = yaml.safe_load(block)["transport"]
    (tmp_path / "dbt_project.yml").write_text("name: mine\nprofile: mine\nversion: '1'\n")
    (tmp_path / "openlineage.yml").write_text(block)
    program = str(Path(sys.executable).with_name("lineal-dbt"))
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAL_", "OPENLINEAGE_"))}

    told = subprocess.run(
        [program, "doctor", "--format", "json"],
        cwd=tmp_path,
        env={**clean, "LINEAL_STATE_DIR": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (written["type"], written["append"]) == ("file", True)
    (check,) = (check for check in json.loads(told.stdout) if check["name"] == "transport")
    assert check["verdict"] == "ok"
    assert str(tmp_path / written["log_file_path"]) in check["found"]
