"""`lineal diff`: how lineage changed between two times, or two runs."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lineal_receiver.cli.asking.naming import Names, say_kinds
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Query, open_asker
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.errors import QuestionRefused
from lineal_receiver.stopping import run

PATH = "/api/v2/diff"
NONE = "not told"
SIGNS = {"came": ("+", "green"), "went": ("-", "red"), "changed": ("~", "yellow")}


def run_diff(options: argparse.Namespace) -> int:
    """Show what came, went and changed; 1 if nothing did."""
    by_runs = options.from_run is not None or options.to_run is not None
    if by_runs and None in (options.from_run, options.to_run):
        raise QuestionRefused(reason="--from-run and --to-run go together")
    if by_runs and (options.start or options.end):
        raise QuestionRefused(reason="say two times (--from, --to) or two runs (--from-run, --to-run), not both")
    if not by_runs and (options.target is None or options.start is None):
        raise QuestionRefused(reason="say of what, and since when: lineal diff orders --from 2026-03-01")
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    with waiting("diff"):
        async with open_asker(options) as asker:
            query: Query = {"from": options.start, "to": options.end, "depth": options.depth}
            query |= {"fromRun": options.from_run, "toRun": options.to_run}
            if options.target is not None:
                query |= (await find_target(asker, options.target, job=options.job)).query()
            body = await asker.ask(PATH, query)
    if body is None:
        print("lineal: there is no such run", file=sys.stderr)
        return 1
    answer = asker.parse(body)
    if options.format == "json":
        write_body(body, sys.stdout)
    else:
        paper = unroll()
        for line in _say(answer, paper):
            paper.line(line)
        say_cut(answer)
    return 1 if answer["same"] else 0


def _say(answer: dict[str, Any], paper: Paper) -> Iterator[str]:
    if answer["same"]:
        yield "nothing changed"
        return
    names = Names(_find_namespace(answer))
    yield paper.paint(f"in {names.namespace}", "dim")
    for title, part, say in (
        ("columns", answer["columns"], _say_column),
        ("column edges", answer["columnEdges"], _say_edge),
        ("table edges", answer["tableEdges"], _say_table_edge),
    ):
        rows = [(kind, row) for kind in SIGNS for row in part.get(kind, [])]
        if rows:
            yield paper.paint(title, "dim")
        for kind, row in rows:
            sign, colour = SIGNS[kind]
            for number, line in enumerate(say(row, names)):
                for folded in paper.fold(line, 4):
                    yield paper.paint(f"  {' ' if number else sign} {folded}", colour)


def _find_namespace(answer: dict[str, Any]) -> str:
    """That of what was asked about; between two runs the one that most columns and tables are in."""
    if answer["target"]:
        return str(answer["target"]["namespace"])
    columns = [row for kind in SIGNS for row in answer["columns"][kind]]
    edges = [row for kind in SIGNS for row in (*answer["columnEdges"][kind], *answer["tableEdges"].get(kind, []))]
    ends = [row[end] for row in edges for end in ("source", "target") if row[end]]
    return Counter(str(named["namespace"]) for named in (*columns, *ends)).most_common(1)[0][0]


def _say_column(row: dict[str, Any], names: Names) -> Iterator[str]:
    yield f"{names.dataset(row)} {row.get('type') or ''}".rstrip()
    if "from" in row:
        for key in ("type", "status", "reason"):
            if row["from"][key] != row["to"][key]:
                yield f"{key}: {row['from'][key] or NONE} → {row['to'][key] or NONE}"


def _say_edge(row: dict[str, Any], names: Names) -> Iterator[str]:
    target = names.dataset(row["target"]) + ("" if row["target"]["field"] is not None else " (rows)")
    yield f"{names.dataset(row['source'])} → {target}  {say_kinds(row.get('kinds') or [])}".rstrip()
    if "from" in row:
        before, after = row["from"], row["to"]
        if before["kinds"] != after["kinds"]:
            yield f"{say_kinds(before['kinds'])} → {say_kinds(after['kinds'])}"
        if before["expression"] != after["expression"]:
            yield f"= {before['expression'] or NONE} → {after['expression'] or NONE}"
    elif row.get("expression"):
        yield f"= {row['expression']}"


def _say_table_edge(row: dict[str, Any], names: Names) -> Iterator[str]:
    source, target = (names.dataset(row[end]) if row[end] else None for end in ("source", "target"))
    job = row["job"]["name"] if row["job"] else "an event without a job"
    if source is not None and target is not None:
        yield f"{source} → {target} by {job}"
    else:
        yield f"{job} reads {source}" if target is None else f"{job} writes {target}"
