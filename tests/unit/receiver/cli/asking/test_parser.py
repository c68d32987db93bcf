"""What `--help` teaches can be done."""

from __future__ import annotations

import argparse
import re
import shlex

import pytest

from lineal_receiver.cli.parser import build_parser

QUESTIONS = ("upstream", "downstream", "impact", "path", "runs", "search", "unresolved", "diff", "export")


def epilog(command: str) -> str:
    actions = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    said = actions[0].choices[command].epilog
    assert isinstance(said, str)
    return said


@pytest.mark.parametrize("command", QUESTIONS)
def test_each_example_is_read(command: str) -> None:
    examples = re.findall(r"^  lineal (.*)$", epilog(command), re.MULTILINE)

    assert examples
    for example in examples:
        words = shlex.split(re.split(r" [|>] ", example)[0])
        assert words[0] == command
        assert callable(build_parser().parse_args(words).run)


@pytest.mark.parametrize("command", QUESTIONS)
def test_each_says_how_names_are_written_and_what_its_exit_code_means(command: str) -> None:
    assert "namespace:name" in epilog(command)
    assert "exit codes: 0 found; 1 nothing found;" in epilog(command)
