"""What all answers share: bodies as the API gave them, and what they leave out said on standard error."""

import io
import sys
from typing import Any, TextIO


def write_body(body: bytes, out: TextIO) -> None:
    """An answer as the API gave it, with an end of line behind it."""
    out.flush()
    binary = out.buffer if isinstance(out, io.TextIOWrapper) else None
    if not body.endswith(b"\n"):
        body += b"\n"
    if binary is None:
        out.write(body.decode())
    else:
        binary.write(body)
        binary.flush()


def say_cut(answer: dict[str, Any]) -> None:
    """On standard error, what the answer leaves out, if it does."""
    if answer.get("cut"):
        print(f"lineal: {answer['cut']}", file=sys.stderr)
