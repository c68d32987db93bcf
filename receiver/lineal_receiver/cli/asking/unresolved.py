"""`lineal unresolved`: columns of which nobody could tell where they come from, and why."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from lineal_receiver.cli.asking.naming import count
from lineal_receiver.cli.asking.paper import Paper, unroll, waiting
from lineal_receiver.cli.asking.source import Asker, Query, open_asker
from lineal_receiver.cli.asking.table import align, write_csv
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.writing import write_body
from lineal_receiver.stopping import run

PATH = "/api/v2/unresolved"
PAGE = 1_000
HEADS = ("namespace", "name", "field", "reason", "message", "job_namespace", "job_name", "since")


def run_unresolved(options: argparse.Namespace) -> int:
    """Show them by reason and one by one; 1 if there is none."""
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    with waiting("unresolved"):
        async with open_asker(options) as asker:
            query: Query = {"namespace": options.namespace, "reason": options.reason}
            if options.target is not None:
                target = await find_target(asker, options.target)
                query |= {"namespace": target.namespace, "name": target.name}
            if options.format == "json":
                body = await asker.ask(PATH, {**query, "limit": options.limit})
                answer = None if body is None else asker.parse(body)
            else:
                answer = await _read_all(asker, query, options.limit)
    if answer is None:
        return 1
    if options.format == "json":
        write_body(body or b"", sys.stdout)
    elif options.format == "csv":
        write_csv(HEADS, map(_row, answer["columns"]), sys.stdout)
    else:
        paper = unroll()
        for line in _say(answer, options.reason, paper):
            paper.line(line)
    return 0 if answer["columns"] else 1


async def _read_all(asker: Asker, query: Query, limit: int) -> dict[str, Any] | None:
    answer = await asker.read(PATH, {**query, "limit": min(limit, PAGE)})
    while answer is not None and answer["next"] is not None and len(answer["columns"]) < limit:
        page = await asker.read(PATH, {**query, "limit": PAGE, "cursor": answer["next"]})
        if page is None:
            break
        answer |= {"columns": answer["columns"] + page["columns"], "next": page["next"]}
    return answer and {**answer, "columns": answer["columns"][:limit]}


def _row(row: dict[str, Any]) -> tuple[object, ...]:
    job = row["job"] or {"namespace": None, "name": None}
    name = row["namespace"], row["name"], row["field"]
    return *name, row["reason"], row["message"], job["namespace"], job["name"], row["since"]


def _say(answer: dict[str, Any], reason: str | None, paper: Paper) -> Iterator[str]:
    kept = [row for row in answer["reasons"] if reason is None or row["reason"] == reason]
    total = sum(row["count"] for row in kept)
    silent = f"jobs say nothing of the columns of {count(answer['silent'], 'table')}" if answer["silent"] else ""
    if not answer["columns"]:
        yield _say_none(answer, reason, silent)
        return
    yield f"{count(total, 'column')} of which nobody could tell where they come from"
    if silent:
        yield silent
    yield ""
    reasons = [(row["count"], row["reason"], row["sentence"]) for row in kept]
    yield from align(("columns", "reason", "what that means"), reasons, paper)
    yield ""
    cells = [
        (f"{row['name']}.{row['field']}", row["reason"], row["message"], row["namespace"]) for row in answer["columns"]
    ]
    yield from align(("column", "reason", "the producer said", "namespace"), cells, paper)
    if total > len(cells):
        yield f"… and {total - len(cells):,} more (--limit)"


def _say_none(answer: dict[str, Any], reason: str | None, silent: str) -> str:
    if reason is not None:
        others = ", ".join(row["reason"] for row in answer["reasons"])
        return "no column is unresolved for this reason" + (f"; for others: {others}" if others else "")
    if silent:
        return f"every column that was told of is traced or constant; {silent}"
    return "every column is traced or constant"
