"""`lineal export`: lineage as a file for other tools."""

import argparse
import io
import os
import sys
from contextlib import suppress
from pathlib import Path

from lineal_receiver.cli.asking.paper import waiting
from lineal_receiver.cli.asking.source import Query, Sink, open_asker
from lineal_receiver.cli.asking.target import find_target
from lineal_receiver.cli.asking.writing import say_cut
from lineal_receiver.errors import QuestionRefused
from lineal_receiver.stopping import interrupted_at_once, run

PATH = "/api/v2/export"
MOST_NODES = 5_000


def run_export(options: argparse.Namespace) -> int:
    """Write lineage to standard output or a file, which is there whole or not at all."""
    return run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    with waiting("export"):
        async with open_asker(options) as asker:
            target = await find_target(asker, options.target, job=options.job)
            query: Query = {
                **target.query(), "format": options.format, "direction": options.direction, "depth": options.depth,
                "asOf": options.as_of, "limit": MOST_NODES, "withRows": "true" if options.rows else None,
            }  # fmt: skip
            parts: list[bytes] = []
            reply = await asker.copy(PATH, query, _standard_output() if options.output is None else parts.append)
    if reply is None:
        return 1
    if options.output is not None:
        _write(options.output, b"".join(parts))
    say_cut({"cut": reply.cut})
    return 0


def _standard_output() -> Sink:
    out = sys.stdout
    binary = out.buffer if isinstance(out, io.TextIOWrapper) else None

    def write(part: bytes) -> None:
        with interrupted_at_once():  # whoever reads may be slow
            if binary is not None:
                binary.write(part)
            else:
                out.write(part.decode())

    return write


def _write(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise QuestionRefused(reason=f"{path} can't be written: {error.strerror}") from None
