"""What the plugin costs dbt's own process: CPU of alternating builds with and without it, and of its callbacks alone.

    python bench/dbt.py [--runs 10] [--project FOLDER]

Prints medians and their ratios, round by round as well, beside what two builds without it differ, and where the
difference goes: to our code in dbt's process by part and thread, or to dbt's own code while our child runs beside it
(processors share caches and often cores). The machine is shared with whatever else runs on it: trust the ratio.
"""

from __future__ import annotations

import argparse
import itertools
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
KINDS = ("without", "with", "held")
# Runs dbt's command line in this process and writes down what the process itself used, thread by thread; `held` keeps
# the child from running until dbt has ended, so that nothing else of ours takes part in what dbt does meanwhile; with
# `+calls` every call of a function is counted, Python's and C's, in all threads, which costs three times the build.
PROGRAM = """
import atexit, itertools, json, os, resource, signal, sys, threading, time
out, (kind, _, counted) = sys.argv.pop(1), sys.argv.pop(1).partition("+")
spent = dict.fromkeys(["import", "attach", "callbacks", "callbacks_wall", "end", "events", "child"], 0.0)
reads, threads, held = [], {}, []
def report():
    sys.setprofile(None)
    spent["calls"] = next(calls)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - began
    for thread in threading.enumerate():
        if thread.name.startswith("lineal-") and thread.name not in threads:
            threads[thread.name] = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    open(out, "w").write(json.dumps({**spent, "cpu": cpu, "wall": wall, "reads": reads, "threads": threads}))
calls = itertools.count()
def count(frame, event, argument):
    if event == "call" or event == "c_call": next(calls)
if counted:
    threading.setprofile(count)
    sys.setprofile(count)
began = time.perf_counter()
atexit.register(report)
run = threading.Thread.run
def timed_run(self):
    try: run(self)
    finally:
        if self.name.startswith("lineal-"):
            threads[self.name] = threads.get(self.name, 0.0) + time.thread_time()
threading.Thread.run = timed_run
def family():
    stats = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try: fields = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()
        except OSError: continue
        stats[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    found = {os.getpid()}
    while more := {pid for pid, (parent, _) in stats.items() if parent in found} - found: found |= more
    return sum(stats[pid][1] for pid in found - {os.getpid()}) / os.sysconf("SC_CLK_TCK")
from dbt.cli.main import cli
if kind != "without":
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
    from lineal_producer.dbt import child, reading, session
    dispatch, read, finish, start = hooks._dispatch, reading.ColumnReader.read, child.Child.finish, child.Child._start
    def timed_dispatch(action, event):
        cpu, wall = time.thread_time(), time.perf_counter()
        try: dispatch(action, event)
        finally:
            if action == "end":  # where dbt waits for the child, within its budget
                spent["end"] += time.thread_time() - cpu
                spent["child"] = family() if os.path.isdir("/proc") else 0.0
            else:
                spent["callbacks"] += time.thread_time() - cpu
                spent["callbacks_wall"] += time.perf_counter() - wall
                spent["events"] += 1
    def timed_read(self, *arguments):
        wall = time.perf_counter()
        try: return read(self, *arguments)
        finally: reads.append(time.perf_counter() - wall)
    def held_start(self):
        process = start(self)
        if process is not None:
            os.kill(process.pid, signal.SIGSTOP)
            held.append(process.pid)
        return process
    def let_go(self, seconds):
        for pid in held: os.kill(pid, signal.SIGCONT)
        return finish(self, seconds)
    hooks._dispatch, reading.ColumnReader.read = timed_dispatch, timed_read
    if kind == "held":
        child.Child._start, child.Child.finish = held_start, let_go
sys.argv[0] = "dbt"
cli()
"""


def build(project: Path, scratch: Path, kind: str) -> dict[str, Any]:
    """One dbt build in a process of its own."""
    shutil.rmtree(project / "target", ignore_errors=True)
    out = scratch / "used.json"
    env = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    env |= {"DBT_SEND_ANONYMOUS_USAGE_STATS": "0", "LINEAL_STATE_DIR": str(scratch / "state")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    env |= {  # as many variables for each kind: dbt goes through all of them thousands of times
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__APPEND": "true",
        "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(scratch / "events.ndjson"),
        "LINEAL_DISABLED": "true" if kind.startswith("without") else "false",
    }
    command = [sys.executable, "-c", PROGRAM, str(out), kind, "build", "--profiles-dir", ".", "--threads", "1"]
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
        build(project, scratch, "without")  # fills caches
        runs: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
        for number in range(arguments.runs):
            for kind in KINDS if number % 2 else reversed(KINDS):
                runs[kind].append(build(project, scratch, kind))
        print_figures(runs)
        calls = [build(project, scratch, f"{kind}+calls")["calls"] for kind in ("without", "with")]
        print(f"calls of functions in dbt: {calls[0]:,} without, {calls[1]:,} with, ratio {calls[1] / calls[0]:.4f}")
        print_wide_event()


def print_figures(runs: dict[str, list[dict[str, Any]]]) -> None:
    """Medians of each kind, their ratios, and where the difference goes."""

    def median(kind: str, name: str) -> float:
        return statistics.median(run[name] for run in runs[kind])

    for name in ("cpu", "wall"):
        off, on = median("without", name), median("with", name)
        print(f"{name:5} of dbt's process: without {off:.3f} s, with {on:.3f} s, ratio {on / off:.3f}")
        print(f"      {paired(runs, name)}")
    off, held = median("without", "cpu"), median("held", "cpu")
    print(f"cpu   with the child held until dbt has ended: {held:.3f} s, ratio {held / off:.3f}")
    reads = [read for run in runs["with"] for read in run["reads"]]
    loading = [median("with", name) * 1000 for name in ("import", "attach")]
    print(f"plugin import {loading[0]:.1f} ms CPU, its attaching to a command that counts {loading[1]:.1f} ms")
    print(
        f"callbacks {median('with', 'callbacks') * 1000:.1f} ms CPU, {median('with', 'callbacks_wall') * 1000:.1f} ms "
        f"wall over {median('with', 'events'):g} events (column reads are in the wall)"
    )
    if reads:
        count = len(reads) / len(runs["with"])
        print(f"column reads: {count:g} a build, median {statistics.median(reads) * 1000:.1f} ms wall each")
    print_difference(runs, (median("with", "cpu") - off) * 1000)


def paired(runs: dict[str, list[dict[str, Any]]], name: str) -> str:
    """The ratios of the builds with the plugin to the one without it in their round, and what is the machine's noise.

    Rounds follow each other within a minute, so a host that grows slower slows both; the noise is the same ratio of
    builds without the plugin that follow each other.
    """
    off = [run[name] for run in runs["without"]]
    ratios = sorted(run[name] / other for run, other in zip(runs["with"], off, strict=True))
    noise = [abs(after / before - 1) for before, after in itertools.pairwise(off)]
    told = f"round by round: {statistics.median(ratios):.3f} in the median, from {ratios[0]:.3f} to {ratios[-1]:.3f}"
    if noise:
        told += f"; builds without it differ by {statistics.median(noise):.1%} from the one before, in the median"
    return told


def print_difference(runs: dict[str, list[dict[str, Any]]], difference: float) -> None:
    """What of the difference (in ms) was spent in our code, by part and thread, and what is left of it."""
    ours = {name: [run[name] for run in runs["with"]] for name in ("import", "attach", "callbacks", "end")}
    names = sorted({name for run in runs["with"] for name in run["threads"]})
    ours |= {name: [run["threads"].get(name, 0.0) for run in runs["with"]] for name in names}
    parts = {name: statistics.median(values) * 1000 for name, values in ours.items()}
    told = ", ".join(f"{name} {value:.1f}" for name, value in parts.items())
    print(f"of {difference:+.0f} ms CPU our code in dbt's process spent {sum(parts.values()):.0f}: {told}")
    child = statistics.median(run["child"] for run in runs["with"])
    print(
        f"the other {difference - sum(parts.values()):+.0f} ms are dbt's own code, slower or faster than without us; "
        f"beside it the child and its own ran {child:.2f} s until dbt's end"
    )


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
