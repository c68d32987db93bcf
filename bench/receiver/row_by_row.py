"""The same statements run one row an execute: what the arrays of the write path save."""

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from typing import Any

import asyncpg

from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.intake import Intake
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.transaction import write_events
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.store.connection import plan_writes


class OneByOne:
    """A connection that runs a statement over arrays once for each of their rows."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def execute(self, sql: str, *arguments: Any) -> str:
        """Run it for each row; the last answer."""
        answer = ""
        for row in _rows(arguments):
            answer = await self._connection.execute(sql, *row)
        return answer

    async def fetch(self, sql: str, *arguments: Any) -> list[Any]:
        """What it gives for each row, together."""
        found: list[Any] = []
        for row in _rows(arguments):
            found += await self._connection.fetch(sql, *row)
        return found

    async def copy_records_to_table(self, table: str, *, records: Iterable[Any], columns: Sequence[str]) -> None:
        """One insert for each, which costs less than a COPY of one."""
        places = ", ".join(f"${place}" for place in range(1, len(columns) + 1))
        sql = f"insert into {table} ({', '.join(columns)}) values ({places})"
        for record in records:
            await self._connection.execute(sql, *record)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def _rows(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    arrays = [argument for argument in arguments if isinstance(argument, list)]
    if len({len(array) for array in arrays}) != 1:  # none, or sets of keys that aren't columns of rows
        yield arguments
        return
    for index in range(len(arrays[0])):
        yield tuple([argument[index]] if isinstance(argument, list) else argument for argument in arguments)


async def measure_row_by_row(dsn: str, bodies: Iterator[bytes], seconds: float) -> float:
    """Events a second, one event a transaction, on one connection, without HTTP."""
    intake = Intake(Judge(read_bundle()), None)  # type: ignore[arg-type] # only reads
    connection, known, count = await asyncpg.connect(dsn), Known(), 0
    await plan_writes(connection)
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds or not count:
        event = intake.read(next(bodies))
        assert isinstance(event, Event)
        async with connection.transaction():
            written = await write_events(OneByOne(connection), [event], datetime.now(timezone.utc), known)
        known.learn(written.changes, written.redactions)
        count += 1
    await connection.close()
    return count / elapsed
