"""Names behind what a shell has of one: asked of whom the question would ask, for a moment, and silently."""

import argparse
import threading
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias

from lineal_receiver.cli.asking.target import ENDS

SECONDS = 2.0
"""A shell waits no longer than this."""
MOST = 200
MOST_TABLES = 3
"""Columns are looked up in so many tables of one name."""

Name: TypeAlias = tuple[str, str]
Completer: TypeAlias = Callable[..., list[str]]


class Source(Protocol):
    """What knows the names."""

    def list_namespaces(self) -> list[str]:
        """Every namespace."""

    def find(self, text: str, namespace: str | None, *, jobs: bool) -> list[Name]:
        """Tables (or jobs), as namespace and name, with this in their name, the best matches first; all of '' there."""

    def list_columns(self, table: Name) -> list[str]:
        """The columns of a table."""


def complete_names(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Tables and columns, or with `--job` jobs, that begin so."""
    jobs = getattr(parsed_args, "job", False) is True
    return _ask(parsed_args, lambda source: _find_names(source, prefix, jobs=jobs))


def complete_jobs(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Jobs that begin so."""
    return _ask(parsed_args, lambda source: _find_names(source, prefix, jobs=True))


def complete_namespaces(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Namespaces that begin so."""
    return _ask(parsed_args, lambda source: (name for name in source.list_namespaces() if name.startswith(prefix)))


def _ask(options: argparse.Namespace, find: Callable[[Source], Iterator[str]]) -> list[str]:
    """What is found in time; nothing where nobody answers, for a shell has no place for errors."""
    found: list[str] = []

    def look() -> None:
        try:
            with _open(options) as source:
                found.extend(set(find(source)))
        except Exception:  # noqa: S110 - whatever it is: what is typed is left as it is
            pass

    looking = threading.Thread(target=look, daemon=True)  # daemon: the shell's question ends without it
    looking.start()
    looking.join(SECONDS)
    return [] if looking.is_alive() else sorted(found)


def _open(options: argparse.Namespace) -> Any:
    url = getattr(options, "url", None)
    if url is not None:
        from lineal_receiver.cli.asking.names_over_http import open_http

        return open_http(url, SECONDS)
    from lineal_receiver.cli.asking.names_in_store import open_store

    return open_store(getattr(options, "database_url", None), getattr(options, "data_dir", None), SECONDS)


def _find_names(source: Source, prefix: str, *, jobs: bool) -> Iterator[str]:
    namespaces = source.list_namespaces()
    yield from (f"{name}:" for name in namespaces if name.startswith(prefix))
    whole = [name for name in namespaces if prefix.startswith(f"{name}:")]
    for namespace in whole:
        begun = prefix[len(namespace) + 1 :]
        for name in _find_paths(source, begun, namespace, jobs=jobs):
            yield f"{namespace}:{name}"
    if prefix and not whole:
        yield from _find_paths(source, prefix, None, jobs=jobs)


def _find_paths(source: Source, begun: str, namespace: str | None, *, jobs: bool) -> Iterator[str]:
    """Names, of any namespace also ends of these, that begin so; columns behind the name of a table and a dot."""
    for space, name in source.find(begun, namespace, jobs=jobs):
        if namespace in (None, space):
            yield from (end for end in _list_ends(name, whole=namespace is not None) if end.startswith(begun))
    table, dot, column = begun.rpartition(".")
    if dot and table and not jobs:
        near = source.find(table, namespace, jobs=False)
        owners = [one for one in near if table in _list_ends(one[1], whole=namespace is not None)]
        for owner in owners[:MOST_TABLES]:
            yield from (f"{table}.{one}" for one in source.list_columns(owner) if one.startswith(column))


def _list_ends(name: str, *, whole: bool) -> Iterator[str]:
    """The name and, if that is enough, what stands behind each dot, slash and colon of it."""
    yield name
    if not whole:
        yield from (name[at + 1 :] for at, letter in enumerate(name) if letter in ENDS)
