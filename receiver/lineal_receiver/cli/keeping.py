"""`lineal horizon …` and `lineal redact …`: where they ask, a running receiver or the database itself."""

import argparse
import getpass
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from lineal_receiver.settings import read_settings


class Keeper(Protocol):
    """Where the log is; answers as the API gives them."""

    async def horizon(self) -> dict[str, Any]:
        """The horizon, and how many records are late."""
        ...

    async def set_horizon(self, said: dict[str, str]) -> dict[str, Any]:
        """Set it (`at`), or take it away."""
        ...

    async def late(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of late records."""
        ...

    async def redactions(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of what was redacted."""
        ...

    async def redact(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Take something out of the log, or say what that would change."""
        ...


def find_user(options: argparse.Namespace) -> str:
    """Who gives a command: as told, else whose process this is."""
    if options.by is not None:
        return str(options.by)
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a uid without an entry in the list of users
        return "unknown"


@asynccontextmanager
async def open_keeper(options: argparse.Namespace) -> AsyncIterator[Keeper]:
    """A receiver at `--url`, or the database."""
    if options.url is not None:
        from lineal_receiver.cli.keeping_over_http import HttpKeeper

        yield HttpKeeper(options.url)
        return
    from lineal_receiver.cli.keeping_in_store import open_store_keeper
    from lineal_receiver.logs import set_up_logging

    settings = read_settings(database_url=options.database_url, data_dir=options.data_dir)
    set_up_logging(settings, quiet=True)
    async with open_store_keeper(settings) as keeper:
        yield keeper
