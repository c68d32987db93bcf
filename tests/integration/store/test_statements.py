"""Every statement of store/ is valid on a migrated database."""

import importlib
import pkgutil
from collections.abc import Iterator

import asyncpg

from lineal_receiver import store


def _statements() -> Iterator[tuple[str, str]]:
    for module in pkgutil.iter_modules(store.__path__):
        loaded = importlib.import_module(f"lineal_receiver.store.{module.name}")
        for name, value in vars(loaded).items():
            if name[0] != "_" and name.isupper() and isinstance(value, str) and "\n" in value:  # _X: a part
                yield f"{module.name}.{name}", value


async def test_every_statement_prepares(pool: asyncpg.Pool) -> None:
    refused: dict[str, str] = {}
    statements = dict(_statements())
    async with pool.acquire() as connection:
        for name, text in statements.items():
            try:
                for command in filter(str.strip, text.split(";")):
                    await connection.prepare(command)
            except asyncpg.PostgresError as error:  # noqa: PERF203 - all that are refused, not the first
                refused[name] = str(error)
    assert refused == {}
    assert len(statements) > 30
