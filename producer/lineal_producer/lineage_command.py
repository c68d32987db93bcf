"""`lineal-dbt lineage`: a project's column lineage, or that of any SQL with --jsonl, without a server."""

import argparse
import sys
from pathlib import Path

from lineal_producer.columns.cache import LineageCache
from lineal_producer.dbt.artifacts import target_of
from lineal_producer.errors import ArtifactError
from lineal_producer.jsonl import answer_lines
from lineal_producer.lineage_output import as_csv, as_json, as_mermaid, as_table
from lineal_producer.project import project_lineage

CACHE_FILE = Path("lineal") / "columns.json"  # the worker's too
FORMATS = {"table": as_table, "json": as_json, "mermaid": as_mermaid, "csv": as_csv}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    parser.add_argument("--project-dir", type=Path, default=Path(), help="folder of the dbt project (default: here)")
    parser.add_argument("--target-dir", type=Path, help="folder of the artifacts (default: the project's target/)")
    parser.add_argument(
        "--select",
        action="append",
        nargs="+",
        default=[],
        metavar="NODE",
        help="only these nodes: name, +name, name+, tag:x, path:x, package:x",
    )
    parser.add_argument("--format", choices=sorted(FORMATS), default="table", help="how to write it (default: table)")
    parser.add_argument("--output", type=Path, help="write to this file instead of the terminal")
    parser.add_argument("-v", "--verbose", action="store_true", help="count the statements parsed and reused")
    parser.add_argument("--jsonl", action="store_true", help="read one SQL case a line on stdin, answer one a line")


def run(arguments: argparse.Namespace) -> int:
    """Runs the command; errors are LinealError, whose text is one sentence."""
    if arguments.jsonl:
        return _run_jsonl()
    target = arguments.target_dir or target_of(arguments.project_dir)
    wanted = [one for group in arguments.select for one in group]
    with LineageCache(target / CACHE_FILE) as cache:
        project = project_lineage(arguments.project_dir, target, wanted, cache)
    for warning in project.artifacts.warnings:
        print(f"warning: {warning}", file=sys.stderr)  # noqa: T201 - a command line prints
    text = FORMATS[arguments.format](project)
    if arguments.output is None:
        sys.stdout.buffer.write(_encoded(text))
        sys.stdout.flush()
    else:
        _write(arguments.output, _encoded(text))
    if arguments.verbose:
        counted = f"statements: {cache.parsed} parsed, {cache.reused} reused from {cache.path}"
        print(counted, file=sys.stderr)  # noqa: T201 - a command line prints
    return 0


def _run_jsonl() -> int:
    unread = answer_lines(sys.stdin.buffer, sys.stdout.buffer)
    if unread:
        print(f"{unread} lines could not be read: see the error in their answers", file=sys.stderr)  # noqa: T201 - as above
    return 1 if unread else 0


def _encoded(text: str) -> bytes:
    """UTF-8 whatever the terminal speaks; half a surrogate pair becomes its escape, which JSON reads as the same."""
    return (text + "\n").encode("utf-8", "backslashreplace")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as broken:
        raise ArtifactError(path, f"can't be written ({broken.strerror})", "choose another --output") from broken
