"""What `lineal alias` understands."""

import argparse
from collections.abc import Callable

from lineal_receiver.cli import alias

KINDS = {
    "namespace": "all datasets and jobs of a namespace count as those of another",
    "dataset": "a dataset counts as another",
    "job": "a job counts as another",
}


def add_alias(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_database: Callable[[argparse.ArgumentParser], "argparse._MutuallyExclusiveGroup"],
) -> None:
    """`lineal alias namespace|dataset|job|remove|list|lint`."""
    parser = subparsers.add_parser(
        "alias",
        help="let two names count as one",
        description="Let a name count as another, for what was and for what comes; nothing is lost, and it can be "
        "taken back. A dataset or job is written namespace:name. Without --url the database is asked itself.",
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for kind, text in KINDS.items():
        putting = verbs.add_parser(kind, help=text, description=f"From now on {text}.")
        putting.add_argument("old", metavar="OLD", help="the name that is to count as the other")
        putting.add_argument("new", metavar="NEW", help="the name that stands for both")
        putting.set_defaults(run=alias.run_put, kind=kind)
        _add_place(putting, add_database)
    removing = verbs.add_parser("remove", help="let a name count as itself again")
    removing.add_argument("kind", choices=list(KINDS), help="what it is the name of")
    removing.add_argument("old", metavar="OLD", help="the name that counts as another")
    removing.set_defaults(run=alias.run_remove)
    listing = verbs.add_parser("list", help="which names count as others")
    listing.add_argument("--kind", choices=list(KINDS), help="only of this kind")
    listing.add_argument("--origin", choices=["operator", "symlink"], help="only by operators, or only by symlinks")
    listing.set_defaults(run=alias.run_list)
    linting = verbs.add_parser(
        "lint",
        help="pairs of names that are likely one",
        description="Pairs of names that differ in the spelling of host, port or scheme, in case, quotes or outer "
        "slashes only. Nothing is changed. Ends with 1 if there are any.",
    )
    linting.add_argument("--kind", choices=list(KINDS), help="only of this kind")
    linting.add_argument("--namespace", help="only datasets and jobs of this namespace")
    linting.set_defaults(run=alias.run_lint)
    for verb in (listing, linting):
        verb.add_argument("--json", action="store_true", help="one JSON object a line")
    for verb in (removing, listing, linting):
        _add_place(verb, add_database)


def _add_place(
    parser: argparse.ArgumentParser,
    add_database: Callable[[argparse.ArgumentParser], "argparse._MutuallyExclusiveGroup"],
) -> None:
    add_database(parser).add_argument("--url", metavar="URL", help="ask a running receiver: http://127.0.0.1:5000")
