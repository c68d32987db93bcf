"""Names for completion, asked of a database itself: without the application, which would take longer to start."""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from lineal_receiver.cli.asking.completing import MOST, Name
from lineal_receiver.ids import NONE, dataset_id, namespace_id
from lineal_receiver.postgres.database import find_running
from lineal_receiver.postgres.pool import Pool, open_pool
from lineal_receiver.settings import read_settings
from lineal_receiver.store.read_columns import list_known_fields
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_namespaces import fetch_namespaces
from lineal_receiver.store.read_search import Wanted, escape_like, search_datasets, search_jobs
from lineal_receiver.store.read_snapshot import snapshot

T = TypeVar("T")


class NamesInStore:
    """Knows the names that a store holds."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pool: Pool) -> None:
        self._loop, self._pool = loop, pool

    def list_namespaces(self) -> list[str]:
        """Every namespace."""
        return self._run(self._list_namespaces())

    def find(self, text: str, namespace: str | None, *, jobs: bool) -> list[Name]:
        """Tables or jobs with this in their name; without a text all of a namespace."""
        if not text and namespace is None:
            return []
        return self._run(self._find(text, namespace, search_jobs if jobs else search_datasets))

    def list_columns(self, table: Name) -> list[str]:
        """The columns of a table."""
        return self._run(self._list_columns(dataset_id(*table)))

    def _run(self, reading: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(reading)

    async def _list_namespaces(self) -> list[str]:
        async with snapshot(self._pool) as connection:
            rows = await fetch_namespaces(connection, MOST, 0, (NONE, ""))
        return [row.name for row in rows if row.name and not row.hidden]

    async def _find(self, text: str, namespace: str | None, search: Any) -> list[Name]:
        wanted = Wanted(escape_like(text), None if namespace is None else namespace_id(namespace))
        async with snapshot(self._pool, "by words" if text else "in order") as connection:
            found = await search(connection, wanted, MOST, newest_first=False)
        return [(row.namespace, row.name) for row in found.rows]

    async def _list_columns(self, table: UUID) -> list[str]:
        async with snapshot(self._pool) as connection:
            rows = await fetch_datasets(connection, [table])
            known = await list_known_fields(connection, [name for row in rows.values() for name in row.names], MOST)
        stated = [field["name"] for row in rows.values() for field in json.loads(row.fields or "[]")]
        return list(dict.fromkeys([*stated, *sorted(name for _, name in known if name)]))


@contextmanager
def open_store(database_url: str | None, data_dir: Path | None, seconds: float) -> Iterator[NamesInStore]:
    """The names in the database of these and the settings; LookupError if the embedded one doesn't run."""
    settings = read_settings(database_url=database_url, data_dir=data_dir)
    address = settings.database_url or find_running(settings.data_dir)
    if address is None:
        raise LookupError("no PostgreSQL runs there, and none is started for this")
    loop = asyncio.new_event_loop()
    opening = open_pool(address, size=1, statement_seconds=seconds)
    try:
        yield NamesInStore(loop, loop.run_until_complete(opening.__aenter__()))
    finally:
        loop.run_until_complete(opening.__aexit__(None, None, None))
        loop.close()
