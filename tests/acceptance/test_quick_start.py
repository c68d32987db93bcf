"""docs/quick-start.md as a new user walks it: its commands, in order, in a real project with a real receiver."""

from __future__ import annotations

import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from .plugin_project import LONG, Project, new_project
from .real_receiver import receiver

PAGE = Path(__file__).parents[2] / "docs" / "quick-start.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the test environment is already: packages are installed, and a receiver runs.
DONE_ALREADY = ("pip install ", "python3 -m venv ", "lineal-receiver/bin/pip ", "lineal-receiver/bin/lineal serve")
NOTHING_OF_THAT_KIND = {"lineal unresolved --url http://127.0.0.1:5000": 1}
ANSWERS = {
    "lineal search": r"table +tiny\.main\.orders +duckdb://",
    "lineal upstream": r"tiny\.main\.orders\.amount\n└─ tiny\.main\.raw_orders\.amount +identity",
    "lineal downstream": r"tiny\.main\.raw_orders\n└─ tiny\.main\.orders +by tiny\.main\.tiny\.orders",
    "lineal impact": r"tiny\.main\.totals\.total",
    "lineal unresolved": r"every column is traced or constant",
    "lineal runs": r"completed .* dbt:dbt-run-tiny ",
    "lineal-dbt lineage": r"orders +resolved",
    "lineal-dbt status": r"waiting +0 runs",
}


@pytest.fixture(scope="module")
async def database(server_url: str, template: str) -> AsyncIterator[str]:
    connection = await asyncpg.connect(server_url)
    try:
        await connection.execute(f'create database lineal_quick_start template "{template}"')
        yield urlunsplit(urlsplit(server_url)._replace(path="/lineal_quick_start"))
        await connection.execute("drop database lineal_quick_start with (force)")
    finally:
        await connection.close()


def walk(project: Project, url: str) -> dict[str, str]:
    """Run every command of the page that isn't done already; what each said."""
    said = {}
    environment = project.environment(DBT_PROFILES_DIR=str(project.root))
    for line in "".join(BLOCK.findall(PAGE.read_text())).splitlines():
        if line.startswith(DONE_ALREADY):
            continue
        here = line.replace("http://127.0.0.1:5000", url)
        if line.startswith("export "):
            name, _, value = here.removeprefix("export ").partition("=")
            environment[name] = value
            continue
        done = subprocess.run(
            ["bash", "-c", here],
            cwd=project.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONG,
            check=False,
        )
        assert done.returncode == NOTHING_OF_THAT_KIND.get(line, 0), (line, done.stdout, done.stderr)
        said[line] = done.stdout
    return said


def test_every_step_of_the_page_works(database: str, tmp_path: Path) -> None:
    project = new_project(tmp_path)
    with receiver(database, tmp_path / "receiver.log") as url:
        said = walk(project, url)

    for command, expected in ANSWERS.items():
        (told,) = (text for line, text in said.items() if line.startswith(command))
        assert re.search(expected, told), (command, told)
