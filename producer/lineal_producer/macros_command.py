"""`lineal-dbt macros`: the packages.yml lines that bring the post-hook into a project, from this installation."""

from __future__ import annotations

import argparse
import sys

from lineal_producer.resources import find_data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command has no options."""


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001 - every command gets them
    """Runs the command."""
    sys.stdout.write(
        "# packages.yml: then run `dbt deps`\n"
        "packages:\n"
        f"  - local: {find_data('dbt_package').as_posix()}\n"
        "\n"
        "# dbt_project.yml\n"
        "models:\n"
        '  +post-hook: "{{ lineal.emit() }}"\n'
    )
    return 0
