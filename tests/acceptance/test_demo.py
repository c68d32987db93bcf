"""`lineal demo` as a user calls it: figures, answers, a second run, a way out at any time."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .shop_truth import clean_environment

DEADLINE_SECONDS = 300.0
PROGRAM = [str(Path(sys.executable).with_name("lineal")), "demo"]


@pytest.fixture(scope="module")
def folder(scratch: Path) -> Path:
    """A place that root's PostgreSQL account can reach."""
    return scratch / "demo"


def demo(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, "--dir", str(folder), *options]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=clean_environment(**environment), timeout=900
    )


@pytest.fixture(scope="module")
def first(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The first run, in an environment and a home that would steer dbt and the receiver elsewhere."""
    home = tmp_path_factory.mktemp("home")
    (home / ".openlineage").mkdir()
    (home / ".openlineage" / "openlineage.yml").write_text("transport: {type: http, url: 'http://127.0.0.1:1'}\n")
    nowhere = {"OPENLINEAGE_URL": "http://127.0.0.1:1", "LINEAL_DATABASE_URL": "postgresql://127.0.0.1:1/x"}
    return demo(
        folder,
        "--once",
        **nowhere,
        HOME=str(home),
        DBT_PROFILES_DIR="/nowhere",
        LINEAL_DISABLED="true",
        HTTP_PROXY="http://127.0.0.1:1",
    )


@pytest.fixture(scope="module")
def second(folder: Path, first: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    assert first.returncode == 0
    return demo(folder, "--once")


def test_first_run_gives_figures_and_matching_answers(first: subprocess.CompletedProcess[str]) -> None:
    assert first.returncode == 0, first.stdout + first.stderr
    assert "4 of 4 hand-written answers match" in first.stdout
    assert "0 partial, 0 unresolved, 0 failed" in first.stdout
    assert "demo: dbt build" in first.stdout
    assert "WRONG" not in first.stdout


def test_the_readme_shows_what_it_prints(first: subprocess.CompletedProcess[str]) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = readme.split("<!-- demo-output: begin -->\n```\n")[1].split("```\n<!-- demo-output: end -->")[0]

    assert first.stdout.endswith(shown)


def test_second_run_finds_the_lineage_unchanged(second: subprocess.CompletedProcess[str]) -> None:
    assert second.returncode == 0, second.stdout + second.stderr
    assert "new runs; the lineage is unchanged" in second.stdout
    assert "4 of 4 hand-written answers match" in second.stdout


def test_nothing_is_left_running_and_only_the_folder_was_used(
    folder: Path, second: subprocess.CompletedProcess[str]
) -> None:
    assert second.returncode == 0
    assert {path.name for path in folder.iterdir() if not path.name.startswith(".")} == {
        "openlineage.yml",
        "postgres",
        "receiver.log",
        "shop",
        "state",
    }
    assert not list(folder.rglob("postmaster.pid"))


def test_a_folder_of_somebody_else_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")

    told = demo(tmp_path, "--once")

    assert told.returncode == 2
    assert len(told.stderr.strip().splitlines()) == 1
    assert "was not made by the demo" in told.stderr


def test_a_folder_in_use_by_another_demo_is_one_sentence(
    folder: Path, second: subprocess.CompletedProcess[str]
) -> None:
    with (folder / ".made-by-lineal-demo").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        told = demo(folder, "--once")

    assert told.returncode == 2
    assert told.stderr == f"lineal: demo: another demo runs in {folder}: stop it, or use another folder (--dir)\n"


def test_a_terminal_without_our_letters_is_no_fault(folder: Path, second: subprocess.CompletedProcess[str]) -> None:
    told = demo(folder, "--once", PYTHONIOENCODING="ascii")

    assert told.returncode == 0, told.stdout + told.stderr
    assert "What arrived (GET /api/v2/summary)\n---" in told.stdout


@pytest.mark.parametrize(
    ("number", "when", "code"),
    [(signal.SIGTERM, "demo: dbt build", 143), (signal.SIGINT, "for programs   http", 0)],
)
def test_it_leaves_nothing_behind_when_told_to_stop(
    folder: Path,
    second: subprocess.CompletedProcess[str],
    request: pytest.FixtureRequest,
    number: signal.Signals,
    when: str,
    code: int,
) -> None:
    assert second.returncode == 0
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it: inherited
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    with (folder.parent / f"stop-{code}.log").open("w+") as said:
        child = subprocess.Popen([*PROGRAM, "--dir", str(folder)], stdout=said, stderr=said, env=clean_environment())
        for text in _growing(Path(said.name)):
            if when in text:
                break
            assert child.poll() is None, text
        if offered := re.search(r"^in a terminal  (.+)$", text, re.MULTILINE):
            asked = subprocess.run(
                shlex.split(offered[1]),
                capture_output=True,
                text=True,
                env={**clean_environment(), "NO_PROXY": "127.0.0.1"},
                check=False,
            )
            assert (asked.returncode, asked.stderr) == (0, "")
            assert "shop.marts.sales_daily.net_eur" in asked.stdout
        os.kill(child.pid, number)

        assert child.wait(300) == code
    assert not list(folder.rglob("postmaster.pid"))


def _growing(path: Path) -> Iterator[str]:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        yield path.read_text()
        time.sleep(0.1)
    pytest.fail(f"it never said so: {path.read_text()[-1000:]}")
