"""A small dbt project on DuckDB and the real dbt run in it, with the plugin and without."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Without bytecode, which an installation has, each process compiles us anew.
OURS = ("LINEAL_", "OPENLINEAGE_", "DBT_", "PYTHONDONTWRITEBYTECODE")
FILES = {
    "dbt_project.yml": "name: tiny\nversion: 1.0.0\nprofile: tiny\n",
    "profiles.yml": "tiny:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: tiny.duckdb, threads: 2}\n",
    "seeds/raw_orders.csv": "id,customer,amount\n1,ann,10\n2,bob,20\n3,ann,5\n",
    "models/orders.sql": "select * from {{ ref('raw_orders') }} where amount > 0\n",
    "models/totals.sql": "select customer, sum(amount) as total from {{ ref('orders') }} group by customer\n",
    "models/schema.yml": (
        "models:\n  - name: orders\n    columns:\n      - name: id\n        data_tests: [not_null]\n"
    ),
}
LONG = 300.0  # seconds: more than anything takes on a machine that does much else


@dataclass(frozen=True, slots=True)
class Ran:
    """How a dbt command ended."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Gate:
    """A pipe that has nothing to say until it is opened: who reads it waits without doing anything."""

    path: Path

    def __post_init__(self) -> None:
        os.mkfifo(self.path)

    def open(self) -> threading.Thread:
        """Let the reader go on, or the next one that comes; the thread that is given ends when there was one."""
        opening = threading.Thread(target=self.path.write_text, args=("go",), daemon=True)
        opening.start()
        return opening


@dataclass(slots=True)
class Project:
    """A project in a folder of its own, with a state directory of its own."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        """Where this project's outbox is."""
        return self.root.parent / "state"

    @property
    def log(self) -> Path:
        """Where the file transport writes."""
        return self.root.parent / "events.ndjson"

    def write(self, files: Mapping[str, str]) -> None:
        """Add or replace files."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def environment(self, **more: str) -> dict[str, str]:
        """This process's environment without anything of ours but what is asked for."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        fixed = {"LINEAL_STATE_DIR": str(self.state), "HOME": str(self.root.parent), "NO_PROXY": "127.0.0.1"}
        patient = dict.fromkeys(("LINEAL_BUDGET_SECONDS", "LINEAL_LINGER_SECONDS", "LINEAL_READ_SECONDS"), f"{LONG:g}")
        quiet = {
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "0",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        return {**inherited, **quiet, **fixed, **patient, **self.env, **more}

    def start(self, *arguments: str, **env: str) -> subprocess.Popen[str]:
        """Start dbt and don't wait."""
        command = [str(Path(sys.executable).parent / "dbt"), "--no-use-colors", *arguments, "--profiles-dir", "."]
        return subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environment(**env),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def dbt(self, *arguments: str, **env: str) -> Ran:
        """Run dbt to its end."""
        began = time.monotonic()
        process = self.start(*arguments, **env)
        out, err = process.communicate(timeout=LONG)
        return Ran(process.returncode, out, err, time.monotonic() - began)

    def lineal(self, *arguments: str, **env: str) -> Ran:
        """Run `lineal-dbt` to its end."""
        command = [str(Path(sys.executable).parent / "lineal-dbt"), *arguments]
        began = time.monotonic()
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment(**env),
            capture_output=True,
            text=True,
            timeout=LONG,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - began)

    def to_file(self) -> dict[str, str]:
        """The environment of a file transport."""
        return {
            "OPENLINEAGE__TRANSPORT__TYPE": "file",
            "OPENLINEAGE__TRANSPORT__APPEND": "true",
            "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(self.log),
        }

    def to_http(self, url: str) -> dict[str, str]:
        """The environment of an HTTP transport that waits for each answer: an event that is late isn't sent twice."""
        return {
            "OPENLINEAGE__TRANSPORT__TYPE": "http",
            "OPENLINEAGE__TRANSPORT__URL": url,
            "OPENLINEAGE__TRANSPORT__TIMEOUT": f"{LONG:g}",
        }

    def hold(self, model: str, sql: str) -> Gate:
        """Write a model that waits, once it runs, until the gate that is given is opened."""
        gate = Gate(self.root.parent / f"{model}.gate")
        self.write(
            {
                "macros/wait_at.sql": (
                    "{% macro wait_at(gate) %}{% if execute %}"
                    '{% do run_query("select content from read_text(\'" ~ gate ~ "\')") %}'
                    "{% endif %}{% endmacro %}\n"
                ),
                f"models/{model}.sql": "{{ config(pre_hook=\"{{ wait_at('" + str(gate.path) + "') }}\") }}\n" + sql,
            }
        )
        return gate

    def events(self) -> list[dict[str, Any]]:
        """What the file transport wrote."""
        return [json.loads(line) for line in self.log.read_bytes().splitlines()] if self.log.exists() else []

    def waiting(self) -> list[Path]:
        """Record files in the outbox."""
        return sorted(self.state.glob("outbox/*/*.ndjson"))


def new_project(folder: Path, **files: str) -> Project:
    """The small project in a new folder."""
    project = Project(folder / "project")
    project.write(FILES)
    project.write(files)
    return project


def eventually(condition: Callable[[], Any], seconds: float = LONG) -> Any:
    """What the condition gives as soon as it gives something; an assertion error when it doesn't in time."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, f"not within {seconds:g} s"
        time.sleep(0.02)
    return found


def without_times(text: str) -> str:
    """dbt's output without what differs between any two runs."""
    text = re.sub(r"\d\d:\d\d:\d\d(\.\d+)?", "<time>", text)
    text = re.sub(r"\d+ hours \d+ minutes and [\d.]+ seconds", "<duration>", text)
    text = re.sub(r"\bin [\d.]+s\b", "in <duration>", text)
    return re.sub(r"\([\d.]+s\)", "(<duration>)", text)


def kinds(events: list[dict[str, Any]], job: str) -> list[str]:
    """The states that a job's events tell, in the order of arrival; `job` is the end of its name."""
    return [event["eventType"] for event in settled(events) if event["job"]["name"].endswith(job)]


def settled(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events without RUNNING, which comes only where the analysis takes over a second: on a busy machine."""
    return [event for event in events if event["eventType"] != "RUNNING"]
