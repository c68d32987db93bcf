"""A parser that complains in its own name: the usage of the subcommand that was meant, and what is close to a typo."""

import argparse
from collections.abc import Iterable
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any

_VERSION = f"lineal {version('lineal')}"


class Parser(argparse.ArgumentParser):
    """As argparse's, whose subcommands leave what they don't know to the root, which then shows its own usage.

    What the command takes as a whole may stand before the subcommand, behind it, or behind a subcommand of that.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        whole = self.add_argument_group("for every command")
        whole.add_argument("--version", action="version", version=_VERSION, help="say which version this is, and exit")
        # No default: a subcommand would take back what was said before it.
        whole.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an error"
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """The options, and nothing that is unknown: that ends with 2."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            flags = [word.partition("=")[0] for word in unknown if word.startswith("-")]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(flags, self._option_string_actions)}")
        return options, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += _hint([str(value)], map(str, action.choices or ()))
            raise


def _hint(written: list[str], known: Iterable[str]) -> str:
    """What was probably meant, if anything is close."""
    choices = list(known)
    close = [match for word in written for match in get_close_matches(word, choices, n=1)]
    return f"; did you mean {', '.join(close)}?" if close else ""
