"""Shells complete commands, flags and values; what is completed is asked of a real bash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lineal_receiver.cli import main

COMPLETE = """
eval "$(lineal completion bash)"
COMP_LINE="{line}"
COMP_POINT=${{#COMP_LINE}}
COMP_TYPE=9
COMP_WORDS=({line})
[[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_python_argcomplete lineal "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completions(line: str) -> set[str]:
    """What bash offers behind a line."""
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    told = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE.format(line=line)],
        env={"PATH": path, "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return {word.strip() for word in told.stdout.split("\n") if word.strip()}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash: apt-get install bash")
def test_bash_completes_commands_flags_and_values() -> None:
    assert completions("lineal up") == {"upstream", "upgrade"}
    assert {"--url", "--depth", "--format", "--rows"} <= completions("lineal upstream --")
    assert completions("lineal upstream --format ") == {"tree", "json", "csv"}
    assert completions("lineal runs --state F") == {"FAILED"}


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --command lineal")]
)
def test_each_shell_has_its_script(shell: str, sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert sign in capsys.readouterr().out
