"""`lineal impact`: what breaks if a column, table or job changes."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from lineal_receiver.cli.asking.naming import Names, count, say_run
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Asker, Query, open_asker
from lineal_receiver.cli.asking.table import align, write_csv
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.stopping import run

PATH = "/api/v2/impact"
PAGE = 1_000
KINDS = ("columns", "datasets", "jobs", "consumers", "checks")
HEADS = ("kind", "namespace", "name", "field", "distance", "why", "owners")
WHY = {"direct": "its values", "rows": "its rows", "table": "its table"}


def run_impact(options: argparse.Namespace) -> int:
    """Show what lies downstream, the nearest first."""
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    with waiting("impact"):
        async with open_asker(options) as asker:
            target = await find_target(asker, options.target, job=options.job)
            query: Query = {**target.query(), "asOf": options.as_of}
            query["withRows"] = "false" if options.values_only else None
            if options.format == "json":
                body = await asker.ask(PATH, {**query, "limit": options.limit})
            else:
                answer = await _read_all(asker, query, options.limit)
    if options.format == "json":
        write_body(body or b"", sys.stdout)
        return 0
    if answer is None:
        return 1
    if options.format == "csv":
        write_csv(HEADS, _rows(answer), sys.stdout)
    else:
        paper = unroll()
        for line in _say(answer, paper):
            paper.line(line)
    say_cut(answer)
    return 0


async def _read_all(asker: Asker, query: Query, limit: int | None) -> dict[str, Any] | None:
    """The whole answer, or the first `limit` of each kind."""
    answer = await asker.read(PATH, {**query, "limit": min(limit or PAGE, PAGE)})
    if answer is None:
        return None
    for kind in KINDS:
        cursor = (answer["next"] or {}).get(kind)
        while cursor is not None and (limit is None or len(answer[kind]) < limit):
            page = await asker.read(PATH, {**query, "kind": kind, "limit": PAGE, "cursor": cursor})
            if page is None:
                break
            answer[kind] += page[kind]
            cursor = (page["next"] or {}).get(kind)
        answer[kind] = answer[kind][:limit]
    return answer


def _rows(answer: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for kind in KINDS:
        for row in answer[kind]:
            owners = " ".join(owner["name"] for owner in row.get("owners") or [])
            yield kind[:-1], row["namespace"], row["name"], row.get("field"), row["distance"], row["why"], owners


def _say(answer: dict[str, Any], paper: Paper) -> Iterator[str]:
    counts, target = answer["counts"], answer["target"]
    names = Names(target["namespace"])
    sums = ", ".join(count(counts[kind], kind[:-1]) for kind in KINDS)
    yield f"{paper.paint(names.dataset(target), 'bold')} reaches {sums}"
    if answer["owners"]:
        yield f"to be told: {', '.join(answer['owners'])}"
    for kind in KINDS:
        if not answer[kind]:
            continue
        rows = [_row(row, names) for row in answer[kind]]
        yield ""
        yield from align(("steps", kind, "depends on", ""), rows, paper)
        if len(rows) < counts[kind]:
            yield f"… and {counts[kind] - len(rows):,} more {kind}"


def _row(row: dict[str, Any], names: Names) -> tuple[object, ...]:
    if "field" in row:
        via = row.get("via")
        more = f"through {names.dataset(via)}" if via and row["distance"] > 1 else ""
    elif "lastRun" in row:
        more = say_run(row["lastRun"])
    else:
        more = count(row["columns"], "column") if row.get("columns") else ""
    return row["distance"], names.dataset(row), WHY[row["why"]], more
