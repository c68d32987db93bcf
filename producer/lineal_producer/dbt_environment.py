"""Which dbt a shell finds, and whether the Python that it lives in has the plugin."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TIMEOUT: Final = 30
_ASK: Final = """
import json, pkgutil, importlib.metadata as m
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return None
names = [name for _, name, _ in pkgutil.iter_modules() if name == "dbt_lineal"]
plugins, error = 0, None
if names:
    try:
        import dbt_lineal
        plugins = len(dbt_lineal.plugins)
    except Exception as failed: error = f"{type(failed).__name__}: {failed}"
told = {"dbt": version("dbt-core"), "lineal": version("lineal")}
print(json.dumps({**told, "found": bool(names), "plugins": plugins, "error": error}))
"""


@dataclass(frozen=True, slots=True)
class Dbt:
    """The dbt on PATH; `python` is None when it is no Python script."""

    executable: Path
    python: Path | None
    version: str | None
    answer: dict[str, object]

    @property
    def remedy(self) -> str | None:
        """What to do when its version can't be told."""
        return None if self.version else "check that `dbt --version` works"


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether dbt's environment has a working plugin."""

    is_seen: bool
    found: str
    remedy: str | None = None


def find_dbt() -> Dbt | None:
    """The dbt that a shell would start, else the one beside this command."""
    beside = Path(sys.executable).parent / "dbt"
    named = shutil.which("dbt") or (str(beside) if beside.exists() else None)
    if named is None:
        return None
    executable = Path(named)
    python = _python_of(executable)
    answer = _ask(python) if python is not None else {}
    version = answer.get("dbt")
    return Dbt(executable, python, str(version) if version else None, answer)


def plugin_seen_by(dbt: Dbt) -> Seen:
    """Whether dbt would load our plugin."""
    answer = dbt.answer
    if not answer.get("found"):
        return Seen(False, f"{dbt.python} has no lineal")
    if answer.get("error"):
        return Seen(False, f"dbt_lineal can't be imported: {answer['error']}", "reinstall lineal in dbt's environment")
    if not answer.get("plugins"):
        remedy = "use `lineal-dbt <dbt's arguments>` instead of `dbt`, or upgrade to dbt-core 1.6 or later"
        return Seen(False, "this dbt has no plugins", remedy)
    return Seen(True, f"lineal {answer.get('lineal')} in {dbt.python}")


def _python_of(executable: Path) -> Path | None:
    """The interpreter in a script's first line; on Windows, where scripts are programs, the one beside it."""
    if sys.platform == "win32":
        beside = executable.parent / "python.exe"
        return beside if beside.exists() else None
    try:
        with executable.open("rb") as file:
            first = file.readline(400)
            second = file.readline(400)
    except OSError:
        return None
    if not first.startswith(b"#!"):
        return None
    words = first[2:].decode(errors="replace").split()
    if words and words[0].endswith("/sh") and b"exec" in second:  # a long path: `'''exec' "/the/python" "$0"`
        words = second.decode(errors="replace").replace("'''exec'", "").replace('"', "").split()
    if words and words[0].endswith("/env"):
        found = shutil.which(words[-1])
        words = [found] if found else []
    return Path(words[0]) if words and Path(words[0]).exists() else None


def _ask(python: Path) -> dict[str, object]:
    try:
        done = subprocess.run(
            [str(python), "-c", _ASK], capture_output=True, timeout=_TIMEOUT, check=True, stdin=subprocess.DEVNULL
        )
        answer = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return {}
    return answer if isinstance(answer, dict) else {}
