"""What the plugin costs dbt's own process: CPU of alternating builds with and without it, and of its callbacks alone.

    python bench/dbt.py [--runs 10] [--project FOLDER]

Prints medians and their ratio. The machine is shared with whatever else runs on it: trust the ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson

from lineal_producer.analysis import analyse
from lineal_producer.dbt.nodes import describe_invocation, describe_node
from lineal_producer.events import node_event
from lineal_producer.known import Known
from lineal_producer.naming import namespaces

SHOP = Path(__file__).parents[1] / "examples" / "shop"
OURS = ("LINEAL_", "OPENLINEAGE_", "DBT_", "SHOP_")
# Runs dbt's command line in this process and writes down what the process itself used: its child is not in it.
PROGRAM = """
import atexit, json, resource, sys, time
out = sys.argv.pop(1)
spent = {"import": 0.0, "attach": 0.0, "callbacks": 0.0, "callbacks_wall": 0.0, "reads": [], "events": 0}
def report():
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - began
    open(out, "w").write(json.dumps({**spent, "cpu": cpu, "wall": wall}))
began = time.perf_counter()
atexit.register(report)
from dbt.cli.main import cli
if %r:
    before = time.thread_time()
    import dbt_lineal
    spent["import"] = time.thread_time() - before
    attach = dbt_lineal._attach
    def timed_attach():
        cpu = time.thread_time()
        try: attach()
        finally: spent["attach"] = time.thread_time() - cpu
        time_callbacks()
    dbt_lineal._attach = timed_attach
def time_callbacks():
    import lineal_producer.dbt.hooks as hooks
    from lineal_producer.dbt import reading
    dispatch, read = hooks._dispatch, reading.ColumnReader.read
    def timed_dispatch(action, event):
        cpu, wall = time.thread_time(), time.perf_counter()
        try: dispatch(action, event)
        finally:
            if action != "end":  # where dbt waits for the child, within its budget
                spent["callbacks"] += time.thread_time() - cpu
                spent["callbacks_wall"] += time.perf_counter() - wall
                spent["events"] += 1
    def timed_read(self, *arguments):
        wall = time.perf_counter()
        try: return read(self, *arguments)
        finally: spent["reads"].append(time.perf_counter() - wall)
    hooks._dispatch, reading.ColumnReader.read = timed_dispatch, timed_read
sys.argv[0] = "dbt"
cli()
"""


def build(project: Path, scratch: Path, *, plugged: bool) -> dict[str, Any]:
    """One dbt build in a process of its own."""
    shutil.rmtree(project / "target", ignore_errors=True)
    out = scratch / "used.json"
    env = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    env |= {"DBT_SEND_ANONYMOUS_USAGE_STATS": "0", "LINEAL_STATE_DIR": str(scratch / "state")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    if plugged:
        env |= {
            "OPENLINEAGE__TRANSPORT__TYPE": "file",
            "OPENLINEAGE__TRANSPORT__APPEND": "true",
            "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(scratch / "events.ndjson"),
        }
    else:
        env["LINEAL_DISABLED"] = "1"
    command = [sys.executable, "-c", PROGRAM % plugged, str(out), "build", "--profiles-dir", ".", "--threads", "1"]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"dbt build ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return dict(json.loads(out.read_text()))


def main() -> None:
    """Alternate builds and print what they used."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=10, help="builds of each kind (default 10)")
    parser.add_argument("--project", type=Path, default=SHOP, help="a dbt project whose sources are there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        project = scratch / "project"
        shutil.copytree(arguments.project, project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb"))
        if (project / "generate.py").exists():
            subprocess.run([sys.executable, "generate.py"], cwd=project, check=True, stdout=subprocess.DEVNULL)
        build(project, scratch, plugged=False)  # fills caches
        runs: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
        for number in range(arguments.runs):
            for plugged in (False, True) if number % 2 else (True, False):
                runs[plugged].append(build(project, scratch, plugged=plugged))
        print_figures(runs)
        print_wide_event()


def print_figures(runs: dict[bool, list[dict[str, Any]]]) -> None:
    """Medians of each kind and their ratios."""

    def median(plugged: bool, name: str) -> float:
        return statistics.median(run[name] for run in runs[plugged])

    for name in ("cpu", "wall"):
        off, on = median(False, name), median(True, name)
        print(f"{name:5} of dbt's process: without {off:.3f} s, with {on:.3f} s, ratio {on / off:.3f}")
    reads = [read for run in runs[True] for read in run["reads"]]
    events = statistics.median(run["events"] for run in runs[True])
    loading = [median(True, name) * 1000 for name in ("import", "attach")]
    print(f"plugin import {loading[0]:.1f} ms CPU, its attaching to a command that counts {loading[1]:.1f} ms")
    print(
        f"callbacks {median(True, 'callbacks') * 1000:.1f} ms CPU, {median(True, 'callbacks_wall') * 1000:.1f} ms wall "
        f"over {events:g} events (column reads are in the wall)"
    )
    if reads:
        count = len(reads) / len(runs[True])
        print(f"column reads: {count:g} a build, median {statistics.median(reads) * 1000:.1f} ms wall each")


def print_wide_event() -> None:
    """What it takes to make bytes of the event of a model with 1,000 columns."""
    sql = f"select {', '.join(f'a{at} + b{at} as c{at}' for at in range(1000))} from w.main.raw"
    told = {
        "unique_id": "model.wide.wide",
        "resource_type": "model",
        "name": "wide",
        "relation_name": '"w"."main"."wide"',
    }
    node = describe_node({**told, "compiled_code": sql}, {"metadata": {"adapter_type": "duckdb"}})
    invocation = describe_invocation(
        invocation_id=str(uuid4()),
        project="wide",
        command="build",
        dbt_version="",
        adapter="duckdb",
        namespaces=namespaces({"type": "duckdb", "path": "/w.duckdb"}, "/", "wide"),
    )
    known = Known()
    event = node_event("COMPLETE", invocation, node, "2026-01-31T10:20:30Z", analyse(invocation, node, known), known)
    spent = []
    for _ in range(20):
        before = time.process_time()
        body = orjson.dumps(event)
        spent.append(time.process_time() - before)
    print(f"event of 1,000 columns: {len(body):,} bytes, serialised in {statistics.median(spent) * 1000:.1f} ms CPU")


if __name__ == "__main__":
    main()
