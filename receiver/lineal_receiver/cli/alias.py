"""`lineal alias …`: let names count as others, through a running receiver or in the database itself."""

import argparse
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from lineal_receiver.settings import read_settings
from lineal_receiver.stopping import run


class Book(Protocol):
    """Where aliases are; answers as the API gives them."""

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them: `aliases`, `next`."""
        ...

    async def put(self, kind: str, old: str, new: str) -> dict[str, Any]:
        """Let a name count as another."""
        ...

    async def remove(self, kind: str, old: str) -> dict[str, Any]:
        """Let it count as itself again."""
        ...

    async def lint(self, query: dict[str, str]) -> dict[str, Any]:
        """Likely pairs: `likely`, and `cut` if not all was looked at."""
        ...


def run_put(options: argparse.Namespace) -> int:
    """Let a name count as another."""
    return run(_put(options))


def run_remove(options: argparse.Namespace) -> int:
    """Let a name count as itself again."""
    return run(_remove(options))


def run_list(options: argparse.Namespace) -> int:
    """Print the aliases in force."""
    return run(_list(options))


def run_lint(options: argparse.Namespace) -> int:
    """Print likely pairs; 1 if there are any."""
    return run(_lint(options))


async def _put(options: argparse.Namespace) -> int:
    async with _open_book(options) as book:
        said = await book.put(options.kind, options.old, options.new)
    print(f"{said['kind']} {_name(said['old'])} counts as {_name(said['new'])}")
    return 0


async def _remove(options: argparse.Namespace) -> int:
    async with _open_book(options) as book:
        said = await book.remove(options.kind, options.old)
    print(f"{said['kind']} {_name(said['old'])} no longer counts as {_name(said['new'])}")
    return 0


async def _list(options: argparse.Namespace) -> int:
    query = _query(options, "kind", "origin")
    shown = 0
    async with _open_book(options) as book:
        while True:
            page = await book.list(query)
            for row in page["aliases"]:
                print(json.dumps(row, ensure_ascii=False) if options.json else _line(row))
            shown += len(page["aliases"])
            if page["next"] is None:
                break
            query["cursor"] = page["next"]
    if not shown and not options.json:
        print("no name counts as another")
    return 0


async def _lint(options: argparse.Namespace) -> int:
    async with _open_book(options) as book:
        found = await book.lint(_query(options, "kind", "namespace"))
    for row in found["likely"]:
        if options.json:
            print(json.dumps(row, ensure_ascii=False))
        else:
            print(f"{row['kind']} {_name(row['old'])} is likely {_name(row['new'])} ({', '.join(row['reasons'])})")
    if not options.json:
        if found.get("cut"):
            print(found["cut"])
        count = len(found["likely"])
        print(f"likely pairs: {count}; lineal alias KIND OLD NEW joins one" if count else "no likely pairs")
    return 1 if found["likely"] else 0


def _query(options: argparse.Namespace, *names: str) -> dict[str, str]:
    asked = {name: getattr(options, name, None) for name in names}
    return {name: str(value) for name, value in asked.items() if value is not None}


def _name(named: dict[str, str]) -> str:
    return named["namespace"] if "name" not in named else f"{named['namespace']}:{named['name']}"


def _line(row: dict[str, Any]) -> str:
    by = f"by an operator, {row['since']}" if row["origin"] == "operator" else "by its symlinks"
    end = "" if row["root"] == row["new"] else f", in the end as {_name(row['root'])}"
    disputed = ", others claim the name too" if row["disputed"] else ""
    return f"{row['kind']} {_name(row['old'])} counts as {_name(row['new'])}{end} ({by}{disputed})"


@asynccontextmanager
async def _open_book(options: argparse.Namespace) -> AsyncIterator[Book]:
    if options.url is not None:
        from lineal_receiver.cli.alias_over_http import HttpBook

        yield HttpBook(options.url)
        return
    from lineal_receiver.cli.alias_in_store import open_store_book
    from lineal_receiver.logs import set_up_logging

    settings = read_settings(database_url=options.database_url, data_dir=options.data_dir)
    set_up_logging(settings, quiet=True)
    async with open_store_book(settings) as book:
        yield book
