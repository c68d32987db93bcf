"""`lineal runs`: what ran, how it ended, and what ran below it."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from lineal_receiver.cli.asking.naming import say_duration, say_time
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Asker, Query, open_asker
from lineal_receiver.cli.asking.table import align, write_csv
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.tree import Below, Node, draw, say_fault
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.stopping import run

LIST, TREE = "/api/v2/runs", "/api/v2/runs/tree"
PAGE = 1_000
HEADS = (
    "state",
    "job_namespace",
    "job_name",
    "started_at",
    "ended_at",
    "duration_ms",
    "run_id",
    "parent_run_id",
    "error",
)
FAULT = "    "
STATES = ("NEW", "RUNNING", "OPEN_PARENT_ENDED", "FAILED", "ABORTED", "COMPLETED")


def run_runs(options: argparse.Namespace) -> int:
    """Show runs, the last started first, or one with all below it; 1 if there is none."""
    return run(_show_tree(options) if options.run_id else _list(options))


async def _list(options: argparse.Namespace) -> int:
    query: Query = {"namespace": options.namespace, "job": options.job, "state": options.state}
    with waiting("runs"):
        async with open_asker(options) as asker:
            if options.job is not None and options.namespace is None:
                job = await find_target(asker, options.job, job=True)
                query |= {"namespace": job.namespace, "job": job.name}
            if options.format == "json":
                body = await asker.ask(LIST, {**query, "limit": options.limit}) or b""
                runs = asker.parse(body)["runs"]
            else:
                runs = await _read(asker, query, options.limit)
    if options.format == "json":
        write_body(body, sys.stdout)
    elif options.format == "csv":
        write_csv(HEADS, map(_row, runs), sys.stdout)
    elif runs:
        paper = unroll()
        cells = [(r["stateText"], say_time(r["startedAt"] or r["firstEventAt"]), say_duration(r["durationMs"]),
                  f"{r['job']['namespace']}:{r['job']['name']}", r["runId"]) for r in runs]  # fmt: skip
        head, *lines = align(("state", "started (UTC)", "took", "job", "run"), cells, paper)
        paper.line(head)
        for line, run in zip(lines, runs, strict=True):
            paper.line(line)
            for fault in say_fault(run.get("error") or "", paper, len(FAULT)):
                paper.line(FAULT + fault)
    else:
        kept = options.job or options.namespace or options.state
        print(f"lineal: no run is known{' that fits' if kept else ''}", file=sys.stderr)
    return 0 if runs else 1


async def _read(asker: Asker, query: Query, limit: int) -> list[dict[str, Any]]:
    """The first `limit` runs; an answer may hold fewer than it was asked for, and still go on."""
    runs: list[dict[str, Any]] = []
    cursor = None
    while len(runs) < limit:
        page = await asker.read(LIST, {**query, "limit": min(limit, PAGE), "cursor": cursor})
        if page is None:
            break
        runs += page["runs"]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    return runs[:limit]


def _row(run: dict[str, Any]) -> tuple[object, ...]:
    parent = run["parent"]["runId"] if run["parent"] else None
    job = run["job"]
    times = run["startedAt"], run["endedAt"], run["durationMs"]
    return run["state"], job["namespace"], job["name"], *times, run["runId"], parent, run.get("error")


async def _show_tree(options: argparse.Namespace) -> int:
    query: Query = {"runId": options.run_id, "root": "true" if options.root else None}
    with waiting("runs"):
        async with open_asker(options) as asker:
            body = await asker.ask(TREE, query)
    if body is None:
        print(f"lineal: no run is called {options.run_id}", file=sys.stderr)
        return 1
    answer = asker.parse(body)
    if options.format == "json":
        write_body(body, sys.stdout)
    elif options.format == "csv":
        write_csv(HEADS, map(_row, _walk(answer["run"])), sys.stdout)
    else:
        paper = unroll()
        for line in _say(answer, paper):
            paper.line(line)
        say_cut(answer)
    return 0


def _walk(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    left = [run]
    while left:
        run = left.pop()
        yield run
        left.extend(reversed(run["children"]))


def _say(answer: dict[str, Any], paper: Paper) -> Iterator[str]:
    runs = {_key(run): run for run in _walk(answer["run"])}
    top = answer["run"]["job"]["namespace"]

    def look(key: tuple[str, str, str]) -> Node:
        run = runs[key]
        job = run["job"]
        name = job["name"] if job["namespace"] == top else f"{job['namespace']}:{job['name']}"
        said = [run["stateText"], say_time(run["startedAt"] or run["firstEventAt"]), say_duration(run["durationMs"])]
        return Node(name, "  ".join(filter(None, said)), fault=run.get("error") or "")

    def below(key: tuple[str, str, str]) -> list[Below[tuple[str, str, str]]]:
        return [Below(_key(child)) for child in runs[key]["children"]]

    yield from draw(_key(answer["run"]), look, below, paper)
    yield ", ".join(f"{number} {state.lower().replace('_', ' ')}" for state, number in answer["states"].items())


def _key(run: dict[str, Any]) -> tuple[str, str, str]:
    """One id may be that of two jobs' runs."""
    return run["job"]["namespace"], run["job"]["name"], run["runId"]


def parse_run_id(text: str) -> str:
    """A run's id, which is a UUID."""
    try:
        return str(UUID(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no run's id; --job NAME lists the runs of a job") from error
