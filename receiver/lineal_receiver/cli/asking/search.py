"""`lineal search`: tables, columns and jobs by a part of their name."""

import argparse
import sys

from lineal_receiver.cli.asking.paper import unroll, waiting
from lineal_receiver.cli.asking.source import Query, open_asker
from lineal_receiver.cli.asking.table import align, write_csv
from lineal_receiver.cli.asking.writing import say_cut, write_body
from lineal_receiver.stopping import run

PATH = "/api/v2/search"
HEADS = ("kind", "namespace", "name", "field", "type", "updated_at")
SAID = {"dataset": "table", "column": "column", "job": "job"}


def run_search(options: argparse.Namespace) -> int:
    """Show what matches, the best first; 1 if nothing does."""
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    query: Query = {"q": options.text, "kind": options.kind, "namespace": options.namespace, "limit": options.limit}
    with waiting("search"):
        async with open_asker(options) as asker:
            body = await asker.ask(PATH, query) or b""
    answer = asker.parse(body)
    found = answer["results"]
    if options.format == "json":
        write_body(body, sys.stdout)
    elif options.format == "csv":
        write_csv(
            HEADS,
            (
                (row["kind"], row["namespace"], row["name"], row["field"], row["type"], row["updatedAt"])
                for row in found
            ),
            sys.stdout,
        )
    elif found:
        paper = unroll()
        cells = [(SAID[row["kind"]], _path(row), row["type"], row["namespace"]) for row in found]
        for line in align(("kind", "name", "type", "namespace"), cells, paper):
            paper.line(line)
        say_cut(answer)
    else:
        print(f"lineal: nothing has {options.text!r} in its name", file=sys.stderr)
    return 0 if found else 1


def _path(row: dict[str, str | None]) -> str:
    return f"{row['name']}.{row['field']}" if row["field"] is not None else str(row["name"])
