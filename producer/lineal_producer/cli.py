"""`lineal-dbt`: our own commands, and any of dbt's with lineage beside it."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from typing import Final

from lineal_producer.border import attempt, sentence
from lineal_producer.errors import LinealError
from lineal_producer.interrupting import interrupted_between_imports

# name: (module with add_arguments and run, help)
COMMANDS: Final = {
    "doctor": ("lineal_producer.doctor", "check dbt, the plugin, the transport, the outbox"),
    "lineage": ("lineal_producer.lineage_command", "column lineage of a project or of any SQL, without a server"),
    "emit": ("lineal_producer.emit_command", "tell of a dbt command after the fact, from its target/"),
    "consume": (
        "lineal_producer.consume_command",
        "tell of dbt commands from their JSON log",
    ),
    "flush": ("lineal_producer.flush_command", "send what could not be sent"),
    "status": ("lineal_producer.status_command", "what waits to be sent and what was refused"),
    "macros": ("lineal_producer.macros_command", "the packages.yml lines for the post-hook"),
}
_DESCRIPTION: Final = (
    "Column lineage for dbt. Anything but the commands below is handed to dbt: "
    "`lineal-dbt build --select orders` is `dbt build --select orders` with lineage."
)
_NO_PLACE: Final = "is the working directory still there?"


def main(arguments: list[str] | None = None) -> int:
    """Run one command; gives the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] not in COMMANDS and given[0] not in ("-h", "--help"):
        return _run_dbt(given)
    try:
        with interrupted_between_imports():
            return _run_command(given)
    except KeyboardInterrupt:
        return 130


def _run_command(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="lineal-dbt", description=_DESCRIPTION)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="command")
    chosen = parser
    for name, (module, text) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=text, description=text)
        if given[:1] == [name]:  # each command loads what it needs and no more
            importlib.import_module(module).add_arguments(subparser)
            chosen = subparser
    parsed, unknown = parser.parse_known_args(given)
    if unknown:
        chosen.error(f"unrecognized arguments: {' '.join(unknown)}")  # with the command's own usage
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter of a path gets its escape
            stream.reconfigure(errors="backslashreplace")
    code, error = attempt(lambda: _run(parsed))
    if isinstance(error, BrokenPipeError):  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif error is not None:
        print(f"lineal-dbt: {_sentence(error)}", file=sys.stderr)
    return 1 if code is None else code


def _run(parsed: argparse.Namespace) -> int:
    code = int(importlib.import_module(COMMANDS[parsed.command][0]).run(parsed))
    sys.stdout.flush()
    return code


def _sentence(error: Exception) -> str:
    if isinstance(error, LinealError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}; {_NO_PLACE}"
    return f"{sentence(error)}; this is a fault of Lineal's own, please report it"


def _run_dbt(arguments: list[str]) -> int:
    """dbt's own command line with our callback: its output and exit code are dbt's."""
    try:
        from dbt.cli.main import cli

        from lineal_producer.dbt.hooks import note_begin, on_event
    except ImportError:
        print(
            f"lineal-dbt: {arguments[0]!r} is not one of its commands ({', '.join(COMMANDS)}) and dbt is not installed "
            "beside it; install lineal into the environment where dbt lives",
            file=sys.stderr,
        )
        return 2
    note_begin()
    try:
        cli.main(args=arguments, prog_name="dbt", obj={"callbacks": [on_event]})
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
