"""Lineal beside every minor version of dbt-core that can be installed here: an environment and a build each.

    python tools/dbt_versions.py [1.8 1.11 ...] [--keep FOLDER]

Each environment gets the newest patch of dbt-core, dbt-duckdb and Lineal's wheel; `pip check` must be content, and a
build must tell what is expected of it by the way in that this dbt has, and again by `lineal-dbt emit`. What can't be
installed, or doesn't run on this Python, is said and is no failure; with versions named on the command line it is.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OURS = ("LINEAL_", "OPENLINEAGE_", "DBT_")
FIRST_RUNNER, FIRST_PLUGIN = (1, 5), (1, 6)
FILES = {
    "dbt_project.yml": "name: tiny\nversion: '1.0.0'\nconfig-version: 2\nprofile: tiny\n",
    "profiles.yml": "tiny: {target: dev, outputs: {dev: {type: duckdb, path: tiny.duckdb, threads: 2}}}\n",
    "seeds/raw_orders.csv": "id,customer,amount\n1,ann,10\n2,bob,20\n",
    "models/orders.sql": "select * from {{ ref('raw_orders') }} where amount > 0\n",
    "models/totals.sql": "select customer, sum(amount) as total from {{ ref('orders') }} group by customer\n",
    "models/failing.sql": (
        "{{ config(materialized='table') }} select cast(customer as integer) as c from {{ ref('raw_orders') }}\n"
    ),
    "models/schema.yml": "version: 2\nmodels: [{name: orders, columns: [{name: id, tests: [not_null]}]}]\n",
}
STATES = {
    ("dbt-run-tiny", "FAIL"),
    ("tiny.main.tiny.raw_orders.seed", "COMPLETE"),
    ("tiny.main.tiny.orders", "COMPLETE"),
    ("tiny.main.tiny.totals", "COMPLETE"),
    ("tiny.main.tiny.failing", "FAIL"),
}
TEST = "not_null_orders_id"
EDGES = {
    *((f"orders.{name}", f"raw_orders.{name}", "IDENTITY") for name in ("id", "customer", "amount")),
    ("totals.customer", "orders.customer", "IDENTITY"),
    ("totals.total", "orders.amount", "AGGREGATION"),
}


class Unusable(Exception):
    """Why there is no such dbt here."""


class Amiss(Exception):
    """What isn't as it should be."""


def expect(condition: bool, why: object) -> None:
    """Amiss unless the condition holds."""
    if not condition:
        raise Amiss(str(why))


def main(arguments: list[str]) -> int:
    """Try each version and say what became of it; 1 when one that is here doesn't tell what it should."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("versions", nargs="*", help="minor versions (default: every one from 1.0 on)")
    parser.add_argument("--keep", type=Path, help="a folder for the environments, used again next time")
    told = parser.parse_args(arguments)
    python = ".".join(map(str, sys.version_info[:3]))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        wheel = build_wheel(Path(scratch) / "wheel")
        for version in told.versions or list(minors()):
            place = (told.keep or Path(scratch)).absolute() / version
            try:
                verdict = try_version(version, place, wheel, Path(scratch) / "projects" / version)
            except Unusable as why:
                failed += bool(told.versions)
                verdict = f"not here (Python {python}): {why}"
            except Amiss as why:
                failed += 1
                verdict = f"FAILED: {why}"
            print(f"dbt-core {version:5} {verdict}", flush=True)
    print(f"{failed} failed" if failed else "all that are here tell what they should")
    return 1 if failed else 0


def build_wheel(folder: Path) -> Path:
    """Lineal as it is installed."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    return next(folder.glob("*.whl"))


def minors() -> Iterator[str]:
    """Every minor version of dbt-core from 1.0 on that the package index has, the oldest first."""
    listed = run(sys.executable, "-m", "pip", "index", "versions", "dbt-core")
    found = {(int(major), int(minor)) for major, minor in re.findall(r"\b(\d+)\.(\d+)\.\d+\b", listed)}
    yield from (f"{major}.{minor}" for major, minor in sorted(found) if major >= 1)


def try_version(version: str, place: Path, wheel: Path, folder: Path) -> str:
    """What this version told and how; Unusable when it isn't here, Amiss when it doesn't tell what it should."""
    programs = install(version, place, wheel)
    number = tuple(map(int, version.split(".")))
    project = write_project(folder / "project")
    state = {"LINEAL_STATE_DIR": str(folder / "state"), "LINEAL_BUDGET_SECONDS": "300"}
    live, emitted = folder / "live.ndjson", folder / "emitted.ndjson"
    said = build(programs, number, project, {**state, **to_file(live)})
    check(read(live), said)
    again = call([programs / "lineal-dbt", "emit"], project, {**state, **to_file(emitted)})
    expect(again.returncode == 0, again.stderr or again.stdout)
    check(read(emitted), again.stderr)
    expect(runs_of(read(emitted)) == runs_of(read(live)), "emit tells other runs")
    way = "plugin" if number >= FIRST_PLUGIN else "wrapper" if number >= FIRST_RUNNER else "consume"
    return f"{installed(programs)}: {way} and emit tell the same {len(runs_of(read(live)))} runs; pip check is content"


def install(version: str, place: Path, wheel: Path) -> Path:
    """The folder of the environment's programs, which is made if it isn't there."""
    programs = place / "bin"
    run(sys.executable, "-m", "venv", place)
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
    wanted = [f"dbt-core~={version}.0", f"dbt-duckdb<={version}.999", f"lineal @ {wheel.as_uri()}"]
    got = call([*pip, "install", "--force-reinstall", "--no-deps", wheel], place, {})
    expect(got.returncode == 0, got.stderr)
    got = call([*pip, "install", "--only-binary", ":all:", *wanted], place, {})
    if (
        got.returncode != 0
    ):  # older ones have requirements without wheels; the newest patch may have one that won't build
        got = call([*pip, "install", "--only-binary", "duckdb", *wanted], place, {})  # which takes an hour to compile
    if got.returncode != 0:
        lines = [line for line in got.stderr.splitlines() if line.strip().startswith(("ERROR", "error"))]
        raise Unusable((lines or ["pip says nothing"])[-1].strip()[:150])
    checked = call([*pip, "check"], place, {})
    expect(checked.returncode == 0, f"pip check: {checked.stdout.strip()}")
    asked = call([programs / "dbt", "--version"], place, {})
    if asked.returncode != 0:
        raise Unusable(f"it doesn't run: {(asked.stderr.strip().splitlines() or ['no message'])[-1]}")
    return programs


def installed(programs: Path) -> str:
    """The patch of dbt-core that an environment has."""
    code = "from importlib.metadata import version; print(version('dbt-core'))"
    return run(programs / "python", "-c", code).strip()


def write_project(folder: Path) -> Path:
    """The project in a folder of its own."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def build(programs: Path, number: tuple[int, ...], project: Path, env: dict[str, str]) -> str:
    """Build the project in the way that this dbt has; what was said of lineage."""
    arguments = ["build", "--profiles-dir", "."]
    if number >= FIRST_RUNNER:
        program = "dbt" if number >= FIRST_PLUGIN else "lineal-dbt"
        ran = call([programs / program, *arguments], project, env)
        expect(ran.returncode == 1, f"dbt ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}")
        return ran.stderr
    ran = call([programs / "dbt", "--debug", "--log-format", "json", *arguments], project, {})
    told = call([programs / "lineal-dbt", "consume", "--quiet"], project, env, ran.stdout)
    return told.stderr


def check(events: list[dict[str, Any]], said: str) -> None:
    """Amiss unless these are the events of the build."""
    ends = {(event["job"]["name"], event["eventType"]) for event in events} - {
        (event["job"]["name"], kind) for event in events for kind in ("START", "RUNNING")
    }
    tests = {(name, kind) for name, kind in ends if TEST in name}
    expect(ends - tests == STATES, f"{sorted(ends ^ STATES)} {said}")
    expect([kind for _, kind in tests] == ["COMPLETE"], f"{tests} {said}")
    expect(edges_of(events) == EDGES, f"{sorted(edges_of(events) ^ EDGES)} {said}")
    (failed,) = [event for event in events if event["eventType"] == "FAIL" and "failing" in event["job"]["name"]]
    facets = failed["run"]["facets"]
    expect("Could not convert" in facets["errorMessage"]["message"], facets)


def edges_of(events: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """The column edges of the models that were built."""
    found = set()
    for event in events:
        for output in event["outputs"] if event["eventType"] == "COMPLETE" else ():
            for name, field in output["facets"].get("columnLineage", {}).get("fields", {}).items():
                for given in field["inputFields"]:
                    source = f"{given['name'].rpartition('.')[2]}.{given['field']}"
                    kinds = {each["subtype"] for each in given["transformations"]}
                    found |= {(f"{output['name'].rpartition('.')[2]}.{name}", source, kind) for kind in kinds}
    return found


def runs_of(events: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The runs with their ends."""
    return {
        (event["run"]["runId"], event["eventType"])
        for event in events
        if event["eventType"] not in ("START", "RUNNING")
    }


def to_file(path: Path) -> dict[str, str]:
    """The environment of a file transport."""
    prefix = "OPENLINEAGE__TRANSPORT__"
    return {f"{prefix}TYPE": "file", f"{prefix}APPEND": "true", f"{prefix}LOG_FILE_PATH": str(path)}


def read(path: Path) -> list[dict[str, Any]]:
    """The events in a file; none when there is no file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def call(command: list[str | Path], cwd: Path, env: dict[str, str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program to its end, away from whatever would configure dbt or us."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    clean |= {"DBT_SEND_ANONYMOUS_USAGE_STATS": "0", "DO_NOT_TRACK": "1", **env}
    return subprocess.run(command, cwd=cwd, env=clean, input=text, capture_output=True, text=True, check=False)


def run(*command: str | Path) -> str:
    """What a program prints; SystemExit with what it said when it fails."""
    done = call(list(command), ROOT, {})
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout)[-1000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
