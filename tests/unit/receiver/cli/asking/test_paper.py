"""What is said while somebody waits."""

from __future__ import annotations

import io
import threading

from lineal_receiver.cli.asking.paper import waiting


class Terminal(io.StringIO):
    """Standard error as a terminal; `told` is set as soon as something is said."""

    def __init__(self) -> None:
        super().__init__()
        self.told = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.told.set()
        return super().write(text)


def test_who_waits_in_a_terminal_is_told_and_the_line_is_gone_afterwards() -> None:
    terminal = Terminal()

    with waiting("upstream", terminal):
        assert terminal.told.wait(300)

    assert terminal.getvalue().startswith("\r\x1b[Kupstream … 1 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_file_is_told_nothing() -> None:
    file = io.StringIO()

    with waiting("upstream", file):
        pass

    assert file.getvalue() == ""
