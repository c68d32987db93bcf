"""`lineal rejected list|show|replay`: what was refused, through a running receiver or in the database itself."""

import argparse
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from lineal_receiver.settings import Settings, read_settings
from lineal_receiver.stopping import run

SHORT = 12
AT_ONCE = 100


class Shelf(Protocol):
    """Where refused bodies are; rows as the API describes them."""

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them: `rejected`, `totalCount`, `next`."""
        ...

    async def show(self, identity: str) -> dict[str, Any]:
        """One, with its errors."""
        ...

    async def fetch_body(self, identity: str) -> bytes:
        """Its body."""
        ...

    async def replay(self, identity: str) -> tuple[bool, str]:
        """Whether it is taken now, and what is to be said of it."""
        ...


def run_list(options: argparse.Namespace) -> int:
    """Print what was refused, the newest first."""
    return run(_list(options))


def run_show(options: argparse.Namespace) -> int:
    """Print one of them, or its body."""
    return run(_show(options))


def run_replay(options: argparse.Namespace) -> int:
    """Try them again; 1 if any is still refused."""
    return run(_replay(options))


async def _list(options: argparse.Namespace) -> int:
    async with _open_shelf(options) as shelf:
        query, left, shown = _query(options), options.limit, 0
        while left > 0:
            page = await shelf.list({**query, "limit": str(min(left, AT_ONCE))})
            for row in page["rejected"]:
                print(json.dumps(row, ensure_ascii=False) if options.json else _line(row))
            shown += len(page["rejected"])
            left -= len(page["rejected"])
            if page["next"] is None or not page["rejected"]:
                break
            query["cursor"] = page["next"]
    if not options.json:
        print(f"{shown} of {page['totalCount']}" if shown else "nothing was refused that fits")
    return 0


async def _show(options: argparse.Namespace) -> int:
    async with _open_shelf(options) as shelf:
        if options.body:
            sys.stdout.buffer.write(await shelf.fetch_body(options.id))
            sys.stdout.buffer.flush()
            return 0
        row = await shelf.show(options.id)
    if options.json:
        print(json.dumps(row, ensure_ascii=False))
        return 0
    for name, value in row.items():
        if name != "errors" and value is not None:
            print(f"{name:12} {value}")
    for error in row["errors"]:
        print(f"- {error['pointer'] or 'the body'}: {error['message']}; expected {error['expected']} ({error['rule']})")
    return 0


async def _replay(options: argparse.Namespace) -> int:
    refused = taken = 0
    async with _open_shelf(options) as shelf:
        async for identity in _chosen(shelf, options):
            is_taken, said = await shelf.replay(identity)
            taken, refused = taken + is_taken, refused + (not is_taken)
            print(f"{'taken' if is_taken else 'refused'} {identity[:SHORT]}: {said}")
    print(f"{taken} taken, {refused} still refused")
    return 1 if refused else 0


async def _chosen(shelf: Shelf, options: argparse.Namespace) -> AsyncIterator[str]:
    """The ids that are to be tried: those named, or all that are whole and weren't taken since."""
    for identity in options.ids:
        yield identity
    if options.ids:
        return
    query = {**_query(options), "replayed": "false", "limit": str(AT_ONCE)}
    waiting: list[str] = []
    while True:
        page = await shelf.list(query)
        waiting += [row["id"] for row in page["rejected"] if not row["truncated"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    for identity in reversed(waiting):  # in the order that they came
        yield identity


def _query(options: argparse.Namespace) -> dict[str, str]:
    asked = {name: getattr(options, name, None) for name in ("rule", "status", "source", "replayed")}
    return {name: str(value) for name, value in asked.items() if value is not None}


def _line(row: dict[str, Any]) -> str:
    times = f", {row['count']} times" if row["count"] > 1 else ""
    taken = ", taken since" if row["replayedAt"] else ""
    return (
        f"{row['id'][:SHORT]}  {row['firstAt']}  {row['status']} {row['rule']}{times}{taken}  {row['message']}"
        f"  (from {row['source'] or 'unknown'})"
    )


@asynccontextmanager
async def _open_shelf(options: argparse.Namespace) -> AsyncIterator[Shelf]:
    if options.url is not None:
        from lineal_receiver.cli.rejected_over_http import HttpShelf

        yield HttpShelf(options.url)
        return
    from lineal_receiver.cli.rejected_in_store import open_store_shelf
    from lineal_receiver.logs import set_up_logging

    settings = _settings(options)
    set_up_logging(settings, quiet=True)
    async with open_store_shelf(settings) as shelf:
        yield shelf


def _settings(options: argparse.Namespace) -> Settings:
    strict = getattr(options, "strict", None)
    return read_settings(database_url=options.database_url, data_dir=options.data_dir, strict=strict)
