"""`lineal-dbt consume`: tells of dbt commands as their JSON log comes in, or from a log file."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Final

from lineal_producer import records
from lineal_producer.border import attempt, guard, log, warn_once
from lineal_producer.dbt.artifacts import read_artifacts
from lineal_producer.dbt.child import Child
from lineal_producer.dbt.commands import Where, describe_command
from lineal_producer.dbt.fields import text_of
from lineal_producer.dbt.log import LogSession
from lineal_producer.dbt.log_lines import Line, read_line
from lineal_producer.dbt.log_shelf import Shelf
from lineal_producer.delivery import deliver, file_name
from lineal_producer.emit_command import add_connection_arguments, report, where_of
from lineal_producer.errors import ArtifactError, LinealError
from lineal_producer.outbox import Outbox
from lineal_producer.outbox_place import Place, add_project_arguments, find_place, require_transport
from lineal_producer.records import Record
from lineal_producer.settings import child_environment

_SECONDS: Final = 600.0
_ADVICE: Final = "run dbt with `--log-format json --log-level debug`, or `--log-format-file json` for logs/dbt.log"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    add_project_arguments(parser)
    parser.add_argument("file", nargs="?", type=Path, help="a log file (default: standard input, as dbt writes it)")
    parser.add_argument("--all", action="store_true", help="every command in the file, not the newest alone")
    parser.add_argument("--quiet", action="store_true", help="don't pass on what comes in on standard input")
    parser.add_argument("--target-dir", type=Path, help="folder of the artifacts (default: the project's target/)")
    add_connection_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command: of a file, 0 when all was delivered, else 1; of a stream, what becomes of dbt alone."""
    if arguments.file is not None and str(arguments.file) != "-":
        place = find_place(arguments.project_dir)
        require_transport(place.settings)
        return _run_file(place, where_of(arguments), arguments.file, every=arguments.all)
    passed_on = None if arguments.quiet else sys.stdout.buffer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is dbt's: it has more to say, and needs a reader
    return _run_stream(arguments, sys.stdin.buffer, passed_on)


def _run_file(place: Place, where: Where, path: Path, *, every: bool) -> int:
    """Each command of the file: with what target/ has of it, which is the newest command's."""
    told: dict[str, list[Record]] = {}
    sessions: dict[str, LogSession] = {}
    wanted = None if every else _wanted(path, where)
    with path.open("rb") as file:
        for line in _lines(file):
            identity = line.invocation_id
            if wanted is not None and identity != wanted:
                continue
            if identity not in sessions:
                told[identity] = []
                sessions[identity] = _session(place, where, identity, told[identity].append)
            sessions[identity].take(line)
    if not sessions:
        raise ArtifactError(path, "has no line of dbt's JSON log", _ADVICE)
    is_whole = True
    for identity, session in sessions.items():
        session.end()
        if session.shelf.problem:
            sys.stderr.write(f"warning: {session.shelf.problem}\n")
        if not told[identity]:
            sys.stdout.write(f"dbt {identity}: nothing to tell\n")
            continue
        delivery = deliver(place, session.shelf.target, identity, told[identity], _SECONDS)
        command = session.invocation["command"] if session.invocation else ""
        is_whole = report(f"dbt {command} {identity}", delivery) and is_whole
    return 0 if is_whole else 1


def _wanted(path: Path, where: Where) -> str | None:
    """The command that target/ is of, when the file has it; else the newest that it has."""
    with path.open("rb") as file:
        listed = list(dict.fromkeys(line.invocation_id for line in _lines(file)))
    try:
        told = text_of(read_artifacts(where.project_dir, where.target_dir).metadata, "invocation_id")
    except ArtifactError:
        told = None
    return told if told in listed else (listed[-1] if listed else None)


def _lines(file: Iterable[bytes]) -> Iterable[Line]:
    return (line for line in map(read_line, file) if line is not None and line.invocation_id)


def _session(place: Place, where: Where, identity: str, write: Callable[[Record], None]) -> LogSession:
    settings = place.settings
    return LogSession(
        Shelf(identity, where.project_dir, where.target_dir),
        lambda manifest, invocation_id, args: describe_command(settings, where, manifest, invocation_id, args),
        write,
        hooked_only=settings.hooked_only,
    )


class _Live:
    """One command whose log is coming in: its records go the plugin's way."""

    def __init__(self, place: Place, where: Where, identity: str) -> None:
        settings = place.settings
        self._budget = settings.budget_seconds
        self._outbox = Outbox(list(place.folders), f"{file_name(identity)}.log", warn_once)
        arguments = ["--cache", str(where.target_dir.absolute() / "lineal")]
        if self._outbox.path is not None:
            arguments += ["--records", str(self._outbox.path)]
        log_file = self._outbox.path.parents[2] / "worker.log" if self._outbox.path else None
        self._child = Child(arguments, child_environment(settings), log_file, warn_once)
        self._outbox.connect(self._child.send)
        self.session = _session(place, where, identity, self._write)

    def _write(self, record: Record) -> None:
        durable = record["kind"] in {"node_end", "invocation_end"}
        self._outbox.append(records.to_line(record), durable=durable)

    def close(self) -> None:
        """The log has ended."""
        guard(self.session.end)
        if self.session.shelf.problem:
            log.warning("Lineal: %s", self.session.shelf.problem)
        self._outbox.close()
        self._child.finish(self._budget)


def _run_stream(arguments: argparse.Namespace, lines: Iterable[bytes], out: BinaryIO | None) -> int:
    """Pass on every line and tell of what it says; nothing that goes wrong here stops the stream."""
    place, problem = attempt(lambda: find_place(arguments.project_dir))
    if place is not None:
        _, problem = attempt(lambda: require_transport(place.settings))
    if problem is not None:
        warn_once(f"Lineal: {problem}" if isinstance(problem, LinealError) else f"Lineal: {type(problem).__name__}")
    where, failed, seen = where_of(arguments), False, False
    live: dict[str, _Live | None] = {}
    for line in lines:
        if out is not None and not _passed(line, out):
            out = None  # who read our output has seen enough; dbt goes on writing
        found = read_line(line)
        if found is None or not found.invocation_id:
            continue
        seen = True
        failed = failed or _is_failure(found)
        if problem is None and place is not None:
            guard(lambda found=found: _take(live, place, where, found))  # type: ignore[misc] # mypy can't infer the default
    for each in live.values():
        if each is not None:
            guard(each.close)
            failed = failed or each.session.broke_off
    if not seen:
        warn_once(f"Lineal: no line of dbt's JSON log came in; {_ADVICE}")
    return 1 if failed else 0


def _passed(line: bytes, out: BinaryIO) -> bool:
    try:
        out.write(line)
        out.flush()
    except OSError:
        return False
    return True


def _take(live: dict[str, _Live | None], place: Place, where: Where, line: Line) -> None:
    identity = line.invocation_id
    if identity not in live:
        live[identity] = None  # should making it fail, it isn't tried again with every line
        live[identity] = _Live(place, where, identity)
    one = live[identity]
    if one is not None:
        one.session.take(line)


def _is_failure(line: Line) -> bool:
    """Whether a line says that dbt's command fails."""
    if line.name == "CommandCompleted":
        return line.data.get("success") is False
    if line.name == "EndOfRunSummary":
        return bool(line.data.get("num_errors") or line.data.get("keyboard_interrupt"))
    is_result = line.name.startswith("Log") and line.name.endswith("Result")
    return line.name == "MainEncounteredError" or (is_result and line.info.get("level") == "error")
