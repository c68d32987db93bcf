"""Take events from files: one JSON document a line, plain or gzip, the same walk as over HTTP."""

import asyncio
import gzip
import shlex
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from lineal_receiver.errors import UsageError
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import Pool
from lineal_receiver.settings import Settings
from lineal_receiver.stopping import interrupted_at_once

AT_ONCE = 200
AT_ONCE_BYTES = 8 * 1024 * 1024
PROGRESS_SECONDS = 2.0
SHOWN = 100

STDIN = "standard input"

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


@dataclass(eq=False)
class FileUnreadable(UsageError):
    """{path} can't be read: {reason}."""

    path: str
    reason: str


@dataclass(slots=True)
class Summary:
    """What became of the events."""

    accepted: int = 0
    duplicate: int = 0
    rejected: int = 0
    shown: int = field(default=0, repr=False)


@dataclass(frozen=True, slots=True)
class _Line:
    path: str
    number: int
    body: bytes
    whole: bool = True


async def ingest_files(pool: Pool, paths: Sequence[str], *, out: TextIO, err: TextIO, settings: Settings) -> Summary:
    """Take the events of these files ('-' is standard input), say what became of them, and count.

    FileUnreadable before anything is taken from a file that isn't there; StoreAway when the database is lost.
    """
    check_paths(paths)
    summary = Summary()
    reporter = _Reporter(summary, out, err)
    async with Vault(pool, rejected_bytes=settings.rejected_bytes) as vault:
        intake = Intake(Judge(read_bundle()), vault, strict=settings.strict)
        try:
            for path in paths:
                await _ingest(intake, path, settings.max_body_bytes, reporter)
        finally:
            reporter.finish()
    return summary


def check_paths(paths: Sequence[str]) -> None:
    """FileUnreadable if one of these isn't a file."""
    for path in paths:
        if path != "-" and not Path(path).exists():
            raise FileUnreadable(path=path, reason="there is no such file")
        if Path(path).is_dir():
            raise FileUnreadable(path=path, reason="it is a folder")


class _Reporter:
    """Says what is refused as it happens, how far it got, and the sums at the end."""

    def __init__(self, summary: Summary, out: TextIO, err: TextIO) -> None:
        self._summary, self._out, self._err = summary, out, err
        self._last = time.monotonic()
        self._hints: dict[str, str] = {}

    def count(self, line: _Line, answer: Accepted | Refused) -> None:
        """Add one event's fate."""
        if isinstance(answer, Refused):
            self._summary.rejected += 1
            hint = find_hint(line.path, line.body)
            if hint is not None:
                self._hints.setdefault(line.path, hint)
            if self._summary.shown < SHOWN:
                self._out.write(f"rejected {line.path}:{line.number}: {answer.message}\n")
            elif self._summary.shown == SHOWN:
                self._out.write("rejected more; every one is in the table rejected\n")
            self._summary.shown += 1
        elif answer.new:
            self._summary.accepted += 1
        else:
            self._summary.duplicate += 1

    def progress(self, line: _Line) -> None:
        """Say how far it got, now and then."""
        if time.monotonic() - self._last >= PROGRESS_SECONDS:
            self._last = time.monotonic()
            self._err.write(f"{line.path}: line {line.number} ({self._sums()})\n")
            self._err.flush()

    def finish(self) -> None:
        """The sums, and what may be wrong with a whole file."""
        for hint in self._hints.values():
            self._err.write(f"{hint}\n")
        self._err.flush()
        self._out.write(f"{self._sums()}\n")
        self._out.flush()

    def _sums(self) -> str:
        counted = self._summary
        return f"{counted.accepted} accepted, {counted.duplicate} duplicate, {counted.rejected} rejected"


def find_hint(path: str, body: bytes) -> str | None:
    """What to do with a file, if a refused line of it shows that it doesn't hold one event a line."""
    if not body.startswith(b"[") and body != b"{":
        return None
    query = "'.[]'" if body.startswith(b"[") else "."
    source = f"jq -c {query}" if path == STDIN else f"jq -c {query} {shlex.quote(path)}"
    return f"{path} doesn't hold one event a line; this makes it so: {source} | lineal ingest -"


async def _ingest(intake: Intake, path: str, limit: int, reporter: _Reporter) -> None:
    batch: list[_Line] = []
    size = 0
    try:
        for line in read_lines(path, limit):
            batch.append(line)
            size += len(line.body)
            if len(batch) == AT_ONCE or size > AT_ONCE_BYTES:
                taken, batch, size = batch, [], 0
                await _take(intake, taken, limit, reporter)
    except FileUnreadable:
        if batch:
            await _take(intake, batch, limit, reporter)  # what was read whole isn't lost
        raise
    if batch:
        await _take(intake, batch, limit, reporter)


async def _take(intake: Intake, batch: Sequence[_Line], limit: int, reporter: _Reporter) -> None:
    answers = await asyncio.gather(*(_take_line(intake, line, limit) for line in batch), return_exceptions=True)
    for line, answer in zip(batch, answers, strict=True):
        if isinstance(answer, BaseException):
            raise answer
        reporter.count(line, answer)
    reporter.progress(batch[-1])


async def _take_line(intake: Intake, line: _Line, limit: int) -> Accepted | Refused:
    source = f"{line.path}:{line.number}"
    if line.whole:
        return await intake.take(line.body, source)
    refused = Refused(413, (Fault("", "size", f"at most {limit} bytes", f"the event is larger than {limit} bytes"),))
    await intake.refuse(line.body[:4096], refused, source, whole=False)
    return refused


def read_lines(path: str, limit: int) -> Iterator[_Line]:
    """The lines that hold something, with their numbers; of one longer than `limit` only its beginning is kept."""
    name = STDIN if path == "-" else path
    began = False
    try:
        with _open(path) as stream:
            for line in _split(name, stream, limit):
                began = True
                yield line
    except (OSError, EOFError, zlib.error) as error:
        reason = str(getattr(error, "strerror", None) or error or "it ends too early").rstrip(".")
        if began:
            reason += "; the events before that are taken, and taking the whole file again does no harm"
        raise FileUnreadable(path=name, reason=reason) from None


@contextmanager
def _open(path: str) -> Iterator[BinaryIO]:
    """A file, or standard input, unpacked if it begins as gzip does."""
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
        buffered = BufferedReader(cast(RawIOBase, stream))  # a reader of a reader: it has all that is needed
        with interrupted_at_once():
            begin = buffered.peek(2)[:2]
        if begin != _GZIP_MAGIC:
            yield cast(BinaryIO, buffered)
            return
        with gzip.open(buffered) as unpacked:
            yield cast(BinaryIO, unpacked)


def _split(path: str, stream: BinaryIO, limit: int) -> Iterator[_Line]:
    number, first = 0, True
    while line := _read_line(stream, limit + 2):
        number += 1
        whole = line.endswith(b"\n") or len(line) <= limit
        rest = line
        while not rest.endswith(b"\n") and (rest := _read_line(stream, limit)):
            whole = False
        body = line.removeprefix(_BOM) if first else line
        body, first = body.strip(b" \t\r\n"), False
        if body:
            yield _Line(path, number, body, whole)


def _read_line(stream: BinaryIO, limit: int) -> bytes:
    with interrupted_at_once():
        return stream.readline(limit)
