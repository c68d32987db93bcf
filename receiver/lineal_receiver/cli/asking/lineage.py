"""`lineal upstream`, `lineal downstream`: what a column, table or job is made from, and what is made from it."""

import argparse
import sys
from collections.abc import Iterator

from lineal_receiver.cli.asking.graph import Answer, Column, ColumnGraph, TableGraph, list_columns
from lineal_receiver.cli.asking.naming import Names
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Query, open_asker
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.tree import draw
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.stopping import run


def run_upstream(options: argparse.Namespace) -> int:
    """Show what lies upstream."""
    return run(_run(options, upstream=True))


def run_downstream(options: argparse.Namespace) -> int:
    """Show what lies downstream."""
    return run(_run(options, upstream=False))


async def _run(options: argparse.Namespace, *, upstream: bool) -> int:
    direction = "upstream" if upstream else "downstream"
    with waiting(direction):
        async with open_asker(options) as asker:
            target = await find_target(asker, options.target, job=options.job)
            query: Query = {**target.query(), "depth": options.depth, "asOf": options.as_of}
            query["withRows"] = "true" if options.rows else None
            query["columns"] = "all" if options.columns else None
            if options.format == "csv":
                path, query = "/api/v2/export", {**query, "format": "csv", "direction": direction}
            else:
                path = f"/api/v2/{direction}"
            if options.format != "tree":
                body = await asker.ask(path, query)
            else:
                answer = await asker.read(path, query)
    if options.format != "tree":
        write_body(body or b"", sys.stdout)
        return 0
    if answer is None:  # it went between the two questions
        return 1
    paper = unroll()
    for line in _say(answer, paper, upstream=upstream, columns=options.columns):
        paper.line(line)
    say_cut(answer)
    return 0


def _say(answer: Answer, paper: Paper, *, upstream: bool, columns: bool) -> Iterator[str]:
    target = answer["target"]
    names = Names(target["namespace"])
    yield paper.paint(f"in {target['namespace']}" + (f", as of {answer['asOf']}" if answer["asOf"] else ""), "dim")
    if target["field"] is None and not columns:
        tables = TableGraph(answer, names, upstream=upstream)
        yield from draw(target["id"], tables.look, tables.below, paper)
        if not tables.below(target["id"]):
            yield _say_end(answer, upstream=upstream)
        return
    roots: list[Column] = [(target["id"], target["field"])] if target["field"] is not None else [*list_columns(answer)]
    for root in roots:
        graph = ColumnGraph(answer, names, upstream=upstream, root=root)
        yield from draw(root, graph.look, graph.below, paper)
        if not columns and not graph.below(root) and not (upstream and graph.is_told(root)):
            yield _say_end(answer, upstream=upstream)
    if not roots:
        yield f"no column of it is known{_then(answer)}"


def _say_end(answer: Answer, *, upstream: bool) -> str:
    """Why there is nothing below what was asked for: an empty answer might mean anything."""
    asked = next((one for one in answer["datasets"] if one["id"] == answer["target"]["id"]), None)
    if asked is None:
        return f"it isn't known to {'read' if upstream else 'write'} anything{_then(answer)}"
    if upstream and not asked["written"]:
        return "it is a source: no job is known to write it"
    if answer["target"]["field"] is None:  # columns may know of more
        return f"{'no input of it is named' if upstream else 'nothing names it as an input'}{_then(answer)}"
    return f"nothing is known {'of what it is made from' if upstream else 'to be made from it'}{_then(answer)}"


def _then(answer: Answer) -> str:
    return " then" if answer["asOf"] else ""
