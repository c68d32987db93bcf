"""Other tools that tell column lineage: each in an environment of its own, asked by a script of `bench/peers`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
# A peer that needs longer than this for a project is left out of its table.
PATIENCE = 900.0  # seconds

# A model's place, an output, a relation's last name and its column.
Edge = tuple[int, str, str, str]


@dataclass(frozen=True)
class Peer:
    """A tool, what pip calls it, and its script."""

    name: str
    package: str
    script: str
    needs_target: bool = False


PEERS = (
    Peer("sqlglot.lineage", "sqlglot", "ask_sqlglot_lineage.py"),
    Peer("dbt-colibri", "dbt-colibri", "ask_dbt_colibri.py", needs_target=True),
    Peer("sqllineage", "sqllineage", "ask_sqllineage.py"),
    Peer("openlineage-sql", "openlineage-sql", "ask_openlineage_sql.py"),
    Peer("DataHub", "acryl-datahub[sql-parser]", "ask_datahub.py"),
)


def plain(name: str) -> str:
    """A name as peers' answers are compared: without quotes and case."""
    return name.replace('"', "").replace("`", "").strip().lower()


def environment(peer: Peer, folder: Path) -> Path | str:
    """The Python of a peer's environment, made at its first use; why there is none."""
    place = folder / peer.script.removeprefix("ask_").removesuffix(".py")
    python = place / "bin" / "python"
    if python.is_file():
        return python
    for command in (
        [sys.executable, "-m", "venv", str(place)],
        [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", peer.package],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"can't be installed: {done.stderr.strip().splitlines()[-1:]}"
    return python


def run_peer(peer: Peer, python: Path | str, description: dict[str, Any]) -> dict[str, Any] | str:
    """What a peer's script prints for a project; why it printed nothing."""
    if isinstance(python, str):
        return python
    with TemporaryDirectory() as folder:
        path = Path(folder) / "project.json"
        path.write_text(json.dumps(description), encoding="utf-8")
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        try:
            done = subprocess.run(
                [python, HERE / "peers" / peer.script, path],
                cwd=folder,
                env=env,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"not ready after {PATIENCE:g} s"
    line = next((line for line in reversed(done.stdout.splitlines()) if line.startswith('{"cpu"')), None)
    if line is None:
        return f"no answer: {done.stderr.strip().splitlines()[-1:]}"
    answer: dict[str, Any] = json.loads(line)
    return answer
