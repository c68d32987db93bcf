"""What is printed on: how wide it is, whether it shows colours, which signs it has."""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import wrap
from typing import TextIO

from lineal_receiver.settings import wants_colours

LEAST_WIDTH = 24
PATIENCE_SECONDS = 1.0
STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Signs:
    """What trees and cuts are drawn with."""

    branch: str
    last: str
    trunk: str
    cut: str


LINES = Signs("├─ ", "└─ ", "│  ", "…")
PLAIN = Signs("|- ", "`- ", "|  ", "...")


@dataclass(frozen=True, slots=True)
class Paper:
    """A terminal, or a file or pipe, which has any width (None) and no colours."""

    out: TextIO
    width: int | None
    colours: bool
    signs: Signs

    def paint(self, text: str, style: str) -> str:
        """The text in a style, where there are colours."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colours and text else text

    def line(self, text: str = "") -> None:
        """Print a line."""
        self.out.write(text + "\n")

    def fold(self, text: str, used: int) -> list[str]:
        """The text in lines that fit behind `used` columns; one line where there is no width."""
        text = clean(" ".join(text.split()))
        if self.width is None:
            return [text]
        return wrap(text, max(LEAST_WIDTH, self.width - used), break_on_hyphens=False) or [""]


def clean(text: str) -> str:
    """The text with its control characters written out: names come from anywhere, and a terminal obeys them."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def unroll(out: TextIO | None = None) -> Paper:
    """The paper that standard output is."""
    out = out or sys.stdout
    if isinstance(out, io.TextIOWrapper):  # a terminal that lacks a letter of a name gets its escape
        out.reconfigure(errors="backslashreplace")
    terminal = out.isatty()
    encoding = (out.encoding or "").lower().replace("-", "")
    return Paper(
        out,
        width=_measure(out) if terminal else None,
        colours=terminal and wants_colours(),
        signs=LINES if encoding.startswith("utf") else PLAIN,
    )


def _measure(out: TextIO) -> int | None:
    try:
        return os.get_terminal_size(out.fileno()).columns or None
    except (OSError, ValueError):
        return None


@contextmanager
def waiting(what: str, err: TextIO | None = None) -> Iterator[None]:
    """Says on standard error, if that is a terminal, for what we wait, and since when; the line is gone afterwards."""
    err = err or sys.stderr
    if not err.isatty():
        yield
        return
    over = threading.Event()

    def tell() -> None:
        seconds = 0
        while not over.wait(PATIENCE_SECONDS):
            seconds += 1
            err.write(f"\r\x1b[K{what} … {seconds} s")
            err.flush()
        if seconds:
            err.write("\r\x1b[K")
            err.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
