"""Lineal's plugin and openlineage-dbt on the same project: events, column edges, errors told, CPU of all processes.

    python bench/dbt_peer.py [--runs 3] [--keep FOLDER]

openlineage-dbt gets an environment of its own with the same dbt; a model that fails is added to the example project.
Edges are those of the newest end of each job; the truth is what was derived by hand of the example's marts.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHOP = ROOT / "examples" / "shop"
TRUTH = ROOT / "tests" / "acceptance" / "shop_edges.json"
OURS = ("LINEAL_", "OPENLINEAGE_", "DBT_", "SHOP_")
PATIENCE = 900.0  # seconds
SUBREAPER = 36  # of prctl(2): who outlives dbt is then waited for here
FAILING = (
    "{{ config(materialized='table') }}\n"
    "select cast(email as integer) as email_number from {{ ref('stg_customers') }}\n"
)
Edge = tuple[str, str, str, str]  # relation and column, relation and column that it comes from


@dataclass(frozen=True)
class Contender:
    """A way to build the project: its name, its command line, whether it tells of it."""

    name: str
    command: tuple[str, ...]
    tells: bool = True


@dataclass(frozen=True)
class Told:
    """What one build cost, in seconds of CPU, and what was told of it."""

    cpu: float
    events: list[dict[str, Any]]


def main() -> None:
    """Alternate builds and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=3, help="builds of each kind (default 3)")
    parser.add_argument("--keep", type=Path, help="a folder for openlineage-dbt's environment, used again next time")
    arguments = parser.parse_args()
    if sys.platform != "linux":
        raise SystemExit("bench/dbt_peer.py: the CPU of processes that outlive dbt is only told by Linux")
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        peer = make_environment(arguments.keep or scratch / "peer")
        own = Path(sys.executable).parent
        contenders = (
            Contender("dbt alone", (str(own / "dbt"),), tells=False),
            Contender("Lineal", (str(own / "dbt"),)),
            Contender("dbt-ol", (str(peer / "dbt-ol"),)),
            Contender("dbt-ol, logs", (str(peer / "dbt-ol"), "--consume-structured-logs")),
        )
        project = make_project(scratch / "project")
        build(contenders[0], project, scratch)  # fills caches
        runs: dict[str, list[Told]] = {contender.name: [] for contender in contenders}
        for number in range(arguments.runs):
            for contender in contenders if number % 2 else contenders[::-1]:
                runs[contender.name].append(build(contender, project, scratch))
        print_table(runs)


def make_environment(place: Path) -> Path:
    """The folder of programs of an environment with openlineage-dbt and our dbt."""
    programs = place / "bin"
    if not (programs / "dbt-ol").exists():
        packages = [f"{name}=={version(name)}" for name in ("dbt-core", "dbt-duckdb", "duckdb")]
        for command in (
            [sys.executable, "-m", "venv", str(place)],
            [str(programs / "pip"), "install", "-q", "--disable-pip-version-check", *packages, "openlineage-dbt"],
        ):
            subprocess.run(command, check=True)
    asked = [str(programs / "python"), "-c", "from importlib.metadata import version as v; print(v('openlineage-dbt'))"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    print(f"dbt-core {version('dbt-core')}, Lineal {version('lineal')}, openlineage-dbt {found}")
    return programs


def make_project(project: Path) -> Path:
    """The example with its sources and one model that fails."""
    shutil.copytree(SHOP, project, ignore=shutil.ignore_patterns("target", "logs", "data", "*.duckdb"))
    subprocess.run([sys.executable, "generate.py"], cwd=project, check=True, stdout=subprocess.DEVNULL)
    (project / "models" / "marts" / "failing.sql").write_text(FAILING)
    return project


def build(contender: Contender, project: Path, scratch: Path) -> Told:
    """One build in processes of its own."""
    shutil.rmtree(project / "target", ignore_errors=True)
    log = scratch / "events.ndjson"
    log.unlink(missing_ok=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    env |= {
        "PATH": f"{Path(contender.command[0]).parent}{os.pathsep}{env['PATH']}",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "0",
        "LINEAL_STATE_DIR": str(scratch / "state"),
        "LINEAL_BUDGET_SECONDS": f"{PATIENCE:g}",
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__APPEND": "true",
        "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(log),
    }
    if not contender.tells:
        env["LINEAL_DISABLED"] = "1"
    command = [*contender.command, "build", "--profiles-dir", "."]
    with (scratch / "said.log").open("wb") as said:
        child = subprocess.Popen(command, cwd=project, env=env, stdout=said, stderr=subprocess.STDOUT)
        cpu, code = wait_for_all(child.pid)
    child.returncode = code
    if code != 1:
        text = (scratch / "said.log").read_text(errors="replace")
        raise SystemExit(f"{' '.join(command)} ended with {code}, not with 1:\n{text[-2000:]}")
    lines = log.read_text().splitlines() if log.exists() else []
    return Told(cpu, [json.loads(line) for line in lines])


def wait_for_all(first: int) -> tuple[float, int]:
    """The CPU of a child and of all that it started, in seconds, once the last has ended; the child's exit code."""
    cpu, code = 0.0, 0
    while True:
        try:
            process, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            return cpu, code
        cpu += used.ru_utime + used.ru_stime
        if process == first:
            code = os.waitstatus_to_exitcode(status)


def print_table(runs: dict[str, list[Told]]) -> None:
    """What each told in its last build, and the median of its CPU."""
    truth = read_truth()
    alone = statistics.median(told.cpu for told in runs["dbt alone"])
    head = ("", "CPU s", "more", "events", "jobs", "FAIL", "errors told", "edges", f"of {len(truth)} by hand", "others")
    rows = [head]
    for name, builds in runs.items():
        cpu, events = statistics.median(told.cpu for told in builds), builds[-1].events
        ends = list(last_ends(events))
        failed = [event for event in ends if event["eventType"] == "FAIL"]
        messages = [event for event in failed if "errorMessage" in event["run"]["facets"]]
        found = set(edges_of(ends))
        marts = {relation for relation, *_ in truth}
        of_marts = {edge for edge in found if edge[0] in marts}
        told = (len(events), len({event["job"]["name"] for event in events}), len(failed), len(messages), len(found))
        right = (len(of_marts & truth), len(of_marts - truth))
        rows.append((name, f"{cpu:.1f}", f"{cpu - alone:+.1f}", *map(str, told), *map(str, right)))
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *cells]))
    for name, builds in runs.items():
        states = Counter(event.get("eventType", "static") for event in builds[-1].events)
        print(f"{name}: {', '.join(f'{count} {state}' for state, count in sorted(states.items())) or 'no events'}")


def last_ends(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The newest end of each job."""
    ends = {event["job"]["name"]: event for event in events if event.get("eventType") in ("COMPLETE", "FAIL")}
    yield from ends.values()


def edges_of(events: list[dict[str, Any]]) -> Iterator[Edge]:
    """The column edges of events, each once whatever its kinds."""
    for event in events:
        for output in event["outputs"]:
            for column, field in output.get("facets", {}).get("columnLineage", {}).get("fields", {}).items():
                for given in field["inputFields"]:
                    yield relation_of(output["name"]), column, relation_of(given["name"]), given["field"]


def relation_of(name: str) -> str:
    """A dataset as the truth names it: `schema.table`."""
    return "telemetry.odometer_readings" if name.startswith("/") else ".".join(name.split(".")[-2:])


def read_truth() -> set[Edge]:
    """The edges of the marts as they were derived by hand."""
    marts = json.loads(TRUTH.read_text(encoding="utf-8"))["marts"]
    return {(mart, name, table, source) for mart, told in marts.items() for name, table, source, _ in told["edges"]}


if __name__ == "__main__":
    main()
