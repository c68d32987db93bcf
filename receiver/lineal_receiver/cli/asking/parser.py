"""What the questions understand, and what their `--help` teaches."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from lineal_receiver.cli.asking import diff, export, impact, lineage, path, runs, search, unresolved
from lineal_receiver.cli.asking.completing import Completer, complete_jobs, complete_names, complete_namespaces

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse's only name
AddDatabase: TypeAlias = Callable[[argparse.ArgumentParser], "argparse._MutuallyExclusiveGroup"]  # noqa: SLF001 - the same
Run: TypeAlias = Callable[[argparse.Namespace], int]

NAMES = """\
names: a table is written namespace:name, a column namespace:name.column; the end of a name is enough
where only one thing has it (orders, orders.amount). `lineal search` finds names.
"""
CODES = (
    "exit codes: 0 found; 1 nothing found; 2 can't be asked so, or a name that several things have; 3 nobody answers"
)
WHOM = "Without --url, --database-url and --data-dir the settings' database is asked, beside a server or without one."
TREES = ("tree", "json", "csv")
TABLES = ("text", "json", "csv")


def add_questions(subparsers: Subparsers, add_database: AddDatabase, positive: Callable[[str], int]) -> None:
    """`lineal upstream|downstream|impact|path|runs|search|unresolved|diff|export`."""
    maker = _Maker(subparsers, add_database, positive)
    for add in (_add_upstream, _add_downstream, _add_impact, _add_path, _add_runs, _add_search, _add_unresolved):
        add(maker)
    _add_diff(maker)
    _add_export(maker)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the parsers of questions, with what all of them take."""

    subparsers: Subparsers
    add_database: AddDatabase
    positive: Callable[[str], int]

    def make(
        self, name: str, run: Run, help_: str, description: str, examples: str, formats: tuple[str, ...]
    ) -> argparse.ArgumentParser:
        """The parser of one of them; `examples` are the words behind `lineal`, one a line."""
        shown = "\n".join(f"  lineal {line.strip()}" for line in examples.strip().splitlines())
        parser = self.subparsers.add_parser(
            name,
            help=help_,
            description=f"{description}\n{WHOM}",
            epilog=f"examples:\n{shown}\n\n{NAMES}\n{CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        self.add_database(parser).add_argument("--url", metavar="URL", help="a receiver: http://127.0.0.1:5000")
        said = f"{formats[0]} unless told" + ("; json is the API's own answer" if "json" in formats else "")
        parser.add_argument("--format", choices=formats, default=formats[0], help=said)
        return parser

    def add_count(self, parser: argparse.ArgumentParser, flag: str, default: int | None, what: str) -> None:
        """A flag that takes a number from 1 on."""
        said = "all" if default is None else default
        parser.add_argument(flag, type=self.positive, default=default, metavar="N", help=f"{what} ({said} unless told)")


def _add_upstream(maker: _Maker) -> None:
    parser = maker.make(
        "upstream",
        lineage.run_upstream,
        "what it is made from: a tree of columns, or of tables",
        "Show what a column, table or job is made from, step by step: the SQL of each column, the kind of each tie.",
        """
        upstream orders.amount
        upstream orders --columns --url http://127.0.0.1:5000
        upstream 'postgres://db:5432:shop.public.orders' --depth 1 --as-of 2026-03-01
        upstream --job dbt:shop.marts.orders --format json
        """,
        TREES,
    )
    _add_lineage(maker, parser)


def _add_downstream(maker: _Maker) -> None:
    parser = maker.make(
        "downstream",
        lineage.run_downstream,
        "what is made from it: a tree of columns, or of tables",
        "Show what is made from a column, table or job, step by step: the SQL of each column, the kind of each tie.",
        """
        downstream raw_orders.amount --rows
        downstream raw_orders --depth 2 --format csv
        """,
        TREES,
    )
    _add_lineage(maker, parser)


def _add_lineage(maker: _Maker, parser: argparse.ArgumentParser) -> None:
    _add_target(parser)
    maker.add_count(parser, "--depth", 20, "steps")
    parser.add_argument("--columns", action="store_true", help="of a table: a tree for each of its columns")
    parser.add_argument(
        "--rows",
        action="store_true",
        help="also what only decides: conditions, windows, filters, joins, grouping, order",
    )
    _add_as_of(parser)


def _add_impact(maker: _Maker) -> None:
    parser = maker.make(
        "impact",
        impact.run_impact,
        "what breaks if it changes",
        "Show everything downstream: columns, tables, jobs, dashboards and other consumers, and whom to tell.",
        """
        impact raw_orders.amount
        impact customers --format csv > affected.csv
        """,
        TABLES,
    )
    _add_target(parser)
    parser.add_argument("--values-only", action="store_true", help="leave out what depends on its rows only")
    maker.add_count(parser, "--limit", None, "rows of each kind at most")
    _add_as_of(parser)


def _add_path(maker: _Maker) -> None:
    parser = maker.make(
        "path",
        path.run_path,
        "why A reaches B",
        "Show the shortest ways from one column or table to another, with the SQL of each step.",
        "path raw_orders.amount revenue.total",
        ("text", "json"),
    )
    _complete(complete_names, parser.add_argument("source", metavar="A", help="where it starts: a table or column"))
    _complete(complete_names, parser.add_argument("target", metavar="B", help="where it ends"))
    parser.add_argument("--values-only", action="store_true", help="only ways that values take")
    maker.add_count(parser, "--limit", 5, "ways at most")
    _add_as_of(parser)


def _add_runs(maker: _Maker) -> None:
    parser = maker.make(
        "runs",
        runs.run_runs,
        "what ran, and how it ended",
        "List runs, the last started first; or show one run with all that ran below it.",
        """
        runs --state FAILED --limit 20
        runs --job shop.marts.orders
        runs 0190d5a0-1111-7000-8000-000000000001 --root
        """,
        TABLES,
    )
    parser.add_argument("run_id", nargs="?", metavar="RUN", type=runs.parse_run_id, help="the id of a run: its tree")
    parser.add_argument("--root", action="store_true", help="with RUN: the whole tree in which it stands")
    _complete(
        complete_jobs,
        parser.add_argument(
            "--job", metavar="NAME", help="only runs of this job: namespace:name, or the end of a name"
        ),
    )
    _complete(
        complete_namespaces,
        parser.add_argument("--namespace", metavar="NAME", help="only runs of jobs in this namespace"),
    )
    parser.add_argument("--state", action="append", choices=runs.STATES, help="only in this state; may be said again")
    maker.add_count(parser, "--limit", 50, "runs at most")


def _add_search(maker: _Maker) -> None:
    parser = maker.make(
        "search",
        search.run_search,
        "tables, columns and jobs by a part of their name",
        "Look for a part of a name, in any case. `a.b` also finds column b of table a.",
        """
        search amount
        search orders --kind dataset --format csv
        """,
        TABLES,
    )
    parser.add_argument("text", metavar="TEXT", help="a part of the name")
    kinds = ("dataset", "column", "job")
    parser.add_argument("--kind", action="append", choices=kinds, help="only these; may be said again")
    _complete(complete_namespaces, parser.add_argument("--namespace", metavar="NAME", help="only in this namespace"))
    maker.add_count(parser, "--limit", 20, "matches at most")


def _add_unresolved(maker: _Maker) -> None:
    parser = maker.make(
        "unresolved",
        unresolved.run_unresolved,
        "columns that couldn't be traced, and why",
        "Show the columns in force of which nobody could tell where they come from, by reason.",
        """
        unresolved
        unresolved orders
        unresolved --reason star_without_schema --format csv
        """,
        TABLES,
    )
    _complete(complete_names, parser.add_argument("target", nargs="?", metavar="TABLE", help="only of this table"))
    _complete(
        complete_namespaces, parser.add_argument("--namespace", metavar="NAME", help="only of tables in this namespace")
    )
    parser.add_argument("--reason", metavar="CODE", help="only for this reason: star_without_schema, not_reported, …")
    maker.add_count(parser, "--limit", 100, "columns at most")


def _add_diff(maker: _Maker) -> None:
    parser = maker.make(
        "diff",
        diff.run_diff,
        "how lineage changed",
        "Show which columns and edges came, went or changed, between two times or two runs.",
        """
        diff orders --from 2026-03-01
        diff orders --from 2026-03-01 --to 2026-03-08T12:00:00Z
        diff --from-run 0190d5a0-1111-7000-8000-000000000001 --to-run 0190d5a0-2222-7000-8000-000000000001
        """,
        ("text", "json"),
    )
    _complete(
        complete_names,
        parser.add_argument(
            "target", nargs="?", metavar="NAME", help="a table, column or (--job) job; not with two runs"
        ),
    )
    parser.add_argument("--job", action="store_true", help="NAME is a job")
    parser.add_argument("--from", dest="start", metavar="TIME", help="since when: a date, or a time as RFC 3339 has it")
    parser.add_argument("--to", dest="end", metavar="TIME", help="until when (now)")
    parser.add_argument("--from-run", metavar="RUN", type=runs.parse_run_id, help="the earlier of two runs")
    parser.add_argument("--to-run", metavar="RUN", type=runs.parse_run_id, help="the later one")
    maker.add_count(parser, "--depth", 1, "steps upstream")


def _add_export(maker: _Maker) -> None:
    parser = maker.make(
        "export",
        export.run_export,
        "lineage as a file for other tools",
        "Write the lineage around a table, column or job: OpenLineage events, or a graph for other tools.",
        """
        export orders --format mermaid
        export orders --direction upstream --format dot | dot -Tsvg > orders.svg
        export orders --depth 5 --format graphml --output orders.graphml
        """,
        ("openlineage", "graphml", "mermaid", "dot", "csv"),
    )
    _add_target(parser)
    sides = ("both", "upstream", "downstream")
    parser.add_argument("--direction", choices=sides, default="both", help="both unless told")
    maker.add_count(parser, "--depth", 1, "steps")
    parser.add_argument("--rows", action="store_true", help="also what only decides: conditions, filters, joins, …")
    parser.add_argument("--output", type=Path, metavar="FILE", help="a file instead of standard output")
    _add_as_of(parser)


def _complete(completer: Completer, action: argparse.Action) -> None:
    """Let shells complete what this takes."""
    action.completer = completer  # type: ignore[attr-defined]  # where argcomplete looks for it


def _add_target(parser: argparse.ArgumentParser) -> None:
    _complete(complete_names, parser.add_argument("target", metavar="NAME", help="a table or column, or (--job) a job"))
    parser.add_argument("--job", action="store_true", help="NAME is a job")


def _add_as_of(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as-of", metavar="TIME", help="what was in force then: a date, or a time as RFC 3339 has it")
