"""The demo's steps on real parts: the generator, `dbt build` with the plugin, the outbox emptied."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from lineal_receiver.demo.errors import DemoFailed, DemoRefused
from lineal_receiver.demo.signals import undisturbed

NEEDED = ("asyncpg", "fastapi", "jsonschema", "jsonschema_rs", "structlog", "uvicorn")


def check_packages() -> None:
    """The receiver's packages are there, before anything is made; their absence names the extra that brings them."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise DemoRefused(
            f"packages aren't installed ({', '.join(missing)}): pip install 'lineal[demo]' brings them, and dbt"
        )


def find_program(name: str) -> str:
    """The program `name` of this Python's environment, else of the PATH; its absence names the extra that brings it."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise DemoRefused(f"{name} is not in this environment: pip install 'lineal[demo]' brings it")
    return found


def generate_data(project: Path, environment: Mapping[str, str]) -> None:
    """The shop's raw tables and Parquet files, the same every time."""
    _run("generating the shop's raw data", [sys.executable, "generate.py"], project, environment, quiet=True)


def build_shop(project: Path, environment: Mapping[str, str]) -> None:
    """A plain `dbt build`; dbt's own output goes to the terminal."""
    _run("dbt build", [find_program("dbt"), "build"], project, environment, quiet=False)


def deliver(project: Path, environment: Mapping[str, str]) -> None:
    """What the producer still holds when dbt has ended, if anything, is sent now."""
    _run("lineal-dbt flush", [find_program("lineal-dbt"), "flush"], project, environment, quiet=True)


def _run(step: str, command: list[str], directory: Path, environment: Mapping[str, str], *, quiet: bool) -> None:
    child = None
    try:
        with undisturbed():
            child = subprocess.Popen(
                command,
                cwd=directory,
                env=dict(environment),
                stdout=subprocess.PIPE if quiet else None,
                stderr=subprocess.STDOUT,
                text=True,
            )
        output, _ = child.communicate()
    except OSError as error:
        raise DemoFailed(step, str(error)) from error
    finally:
        if child is not None and child.poll() is None:  # the demo is told to stop
            child.kill()
            child.wait()
    if child.returncode != 0:
        said = (output or "").strip().splitlines()
        raise DemoFailed(step, said[-1] if said else f"exit code {child.returncode}, see above")
