"""`lineal path`: why A reaches B."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from lineal_receiver.cli.asking.naming import Names, say_kinds
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Query, open_asker
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.stopping import run

PATH = "/api/v2/path"


def run_path(options: argparse.Namespace) -> int:
    """Show the shortest ways; 1 if there is none."""
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    with waiting("path"):
        async with open_asker(options) as asker:
            start = await find_target(asker, options.source)
            end = await find_target(asker, options.target)
            query: Query = {**start.query("from"), **end.query("to"), "limit": options.limit, "asOf": options.as_of}
            query["withRows"] = "false" if options.values_only else None
            body = await asker.ask(PATH, query)
    if body is None:  # it went after it had been found
        return 1
    answer = asker.parse(body)
    if options.format == "json":
        write_body(body, sys.stdout)
    else:
        paper = unroll()
        for line in _say(answer, paper):
            paper.line(line)
        say_cut(answer)
    return 0 if answer["reaches"] else 1


def _say(answer: dict[str, Any], paper: Paper) -> Iterator[str]:
    names = Names(answer["from"]["namespace"])
    datasets = {dataset["id"]: dataset for dataset in answer["datasets"]}
    jobs = {job["id"]: job for job in answer["jobs"]}
    yield from paper.fold(answer["sentence"], 0)
    for path in answer["paths"]:
        yield ""
        indent = ""
        for number, step in enumerate(path["steps"]):
            source, tie, target, text = _read_step(step, datasets, jobs, names)
            if not number:
                yield paper.paint(source, "bold")
            yield f"{indent}{paper.signs.last}{paper.paint(target, 'bold')}  {paper.paint(tie, 'cyan')}"
            indent += "   "
            for at, line in enumerate(paper.fold(text, len(indent) + 2) if text else []):
                yield indent + paper.paint(f"{' ' if at else '='} {line}", "dim")


def _read_step(
    step: dict[str, Any], datasets: dict[str, Any], jobs: dict[str, Any], names: Names
) -> tuple[str, str, str, str]:
    """Source, kind of tie, target, SQL of a step by columns or by tables."""
    job = jobs.get(step["job"])
    if isinstance(step["source"], dict):
        source, target = (
            names.dataset({**datasets[step[end]["dataset"]], **step[end]}) for end in ("source", "target")
        )
        target += "" if step["target"]["field"] is not None else " (rows)"
        return source, say_kinds(step["kinds"]), target, step["expression"] or ""
    source, target = (names.dataset(datasets[step[end]]) for end in ("source", "target"))
    return source, f"by {job['name']}" if job else "as was stated", target, ""
