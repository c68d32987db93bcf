"""What `lineal horizon` and `lineal redact` understand."""

import argparse
from collections.abc import Callable

from lineal_receiver.cli import horizon, redact

AddDatabase = Callable[[argparse.ArgumentParser], "argparse._MutuallyExclusiveGroup"]  # noqa: SLF001 - its only name
Count = Callable[[str], int]


def add_horizon(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]", add_database: AddDatabase, count: Count
) -> None:
    """`lineal horizon show|set|clear|late`."""
    parser = subparsers.add_parser(
        "horizon",
        help="from which time on events are folded",
        description="Events that are older than the horizon when they come are kept in the log, counted and listed, "
        "and change nothing else; what came before the horizon was set stays as it is. Without --url the database is "
        "asked itself.",
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    showing = verbs.add_parser("show", help="the horizon, and how many records came after their time")
    showing.set_defaults(run=horizon.run_show)
    setting = verbs.add_parser("set", help="set it, from now on")
    setting.add_argument("at", metavar="TIME", help="a date, or a time such as 2026-01-31T00:00:00Z; not in the future")
    setting.set_defaults(run=horizon.run_set)
    clearing = verbs.add_parser("clear", help="take it away, from now on: what was late stays so")
    clearing.set_defaults(run=horizon.run_clear)
    listing = verbs.add_parser("late", help="which records came after their time, the last received first")
    listing.add_argument("--limit", type=count, default=100, metavar="N", help="rows at most (100)")
    listing.set_defaults(run=horizon.run_late)
    for verb in (setting, clearing):
        add_said(verb)
    for verb in (showing, listing):
        verb.add_argument("--json", action="store_true", help="as JSON, one object a line")
    for verb in (showing, setting, clearing, listing):
        add_place(verb, add_database)


def add_redact(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]", add_database: AddDatabase, count: Count
) -> None:
    """`lineal redact text|record|list`."""
    parser = subparsers.add_parser(
        "redact",
        help="take something out of everything that is stored",
        description="Write *** for a text, or for what a record says at some places, in the log, in refused bodies and "
        "in all that follows from them; that it was done is kept, what it was is not. The whole log is folded again "
        "for that, beside the store. It can't be undone: try --dry-run first. Without --url the database is asked "
        "itself. docs/operations.md says what can't be reached.",
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    texts = verbs.add_parser(
        "text",
        help="a text, wherever it stands",
        description="The text is read from standard input (or asked for), as a command line can be seen by others. "
        "Upper and lower case differ; a line end after it doesn't count.",
    )
    texts.add_argument("--file", metavar="FILE", help="read it from a file instead")
    texts.set_defaults(run=redact.run_text)
    places = verbs.add_parser("record", help="what one record says at some places")
    places.add_argument("id", metavar="ID", help="the record's id in the log, or an unambiguous beginning of it")
    places.add_argument("pointers", nargs="+", metavar="POINTER", help="a JSON pointer, such as /job/facets/sql/query")
    places.set_defaults(run=redact.run_record)
    listing = verbs.add_parser("list", help="what was taken out: when, by whom, why, of how many records")
    listing.add_argument("--limit", type=count, default=100, metavar="N", help="rows at most (100)")
    listing.set_defaults(run=redact.run_list)
    for verb in (texts, places):
        verb.add_argument("--dry-run", action="store_true", help="only say what would be changed")
        add_said(verb)
    for verb in (texts, places, listing):
        verb.add_argument("--json", action="store_true", help="as JSON, one object a line")
        add_place(verb, add_database)


def add_said(parser: argparse.ArgumentParser) -> None:
    """Who and why."""
    parser.add_argument("--by", metavar="NAME", help="who does it (the user of this process)")
    parser.add_argument("--why", metavar="TEXT", default="", help="why it is done; it is kept with the command")


def add_place(parser: argparse.ArgumentParser, add_database: AddDatabase) -> None:
    """Where to ask."""
    add_database(parser).add_argument("--url", metavar="URL", help="ask a running receiver: http://127.0.0.1:5000")
