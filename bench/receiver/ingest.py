"""Events a second over HTTP, each beside its ceiling in the same run."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import asyncpg
from bodies import COLUMNS, SOURCES, all_new, identical, new_runs, started_runs
from load import Result, http, measure, single_inserts
from machine import Machine, serve
from row_by_row import measure_row_by_row

WAL = "select pg_current_wal_insert_lsn()::text"
WAL_SINCE = """
select sum(record_size)::bigint as records, sum(fpi_size)::bigint as pages
from pg_get_wal_stats($1::text::pg_lsn, $2::text::pg_lsn, false)
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of traffic."""

    name: str
    bodies: Callable[[], Iterator[bytes]]
    repeat: bool


def kinds() -> list[Kind]:
    """What is sent."""
    wide = f"{COLUMNS} columns x {SOURCES}"
    return [
        Kind("small, new runs", lambda: new_runs("small", 0), True),
        Kind(f"{wide}, new runs", lambda: new_runs("wide", COLUMNS), True),
        Kind(f"{wide}, new runs, random ids", lambda: new_runs("odd", COLUMNS, random_ids=True), True),
        Kind(f"{wide}, START + COMPLETE", lambda: started_runs("both", COLUMNS), True),
        Kind(f"{wide}, identical", lambda: identical("same", COLUMNS), True),
        Kind(f"{wide}, all new", lambda: all_new(COLUMNS), False),
    ]


async def run(clients: list[int], seconds: float, only: str) -> None:
    """Measure every kind of traffic with each number of clients."""
    with serve() as machine:
        connection = await asyncpg.connect(machine.dsn)
        await connection.execute("create extension if not exists pg_walinspect")
        print(
            "| traffic | clients | events/s | p50 ms | p99 ms | CPU ms | WAL B | page images B "
            "| single-row inserts/s | ratio |\n|---|---|---|---|---|---|---|---|---|---|"
        )
        # The planner is told of the tables' growth at 1,000 and 10,000 events, once.
        await measure(32, 0, _take(new_runs("before", 2), 10_500), http(machine.url), machine.cpu)
        for kind in kinds():
            if only in kind.name:
                for count in clients:
                    await _measure(machine, connection, kind, count, seconds)
        if only in "all new":
            slow = await measure_row_by_row(machine.dsn, all_new(COLUMNS), seconds)
            print(f"\nthe same statements one row an execute, one event a transaction, all new: {slow:.1f} events/s")
        await connection.close()


async def _measure(
    machine: Machine, connection: asyncpg.Connection, kind: Kind, clients: int, seconds: float
) -> Result:
    bodies = list(_take(kind.bodies(), int(seconds * (1300 if kind.repeat else 400))))
    stream = _endless(bodies, kind)
    # Plans, memos and tables as they are after a while.
    await measure(clients, max(1.0, seconds / 3), stream, http(machine.url), machine.cpu)
    await connection.execute("checkpoint")
    by, ceiling = await single_inserts(machine.dsn, bodies[0], clients, seconds / 2)
    before = await connection.fetchval(WAL)
    taken = await measure(clients, seconds, stream, http(machine.url), machine.cpu)
    wal = await connection.fetchrow(WAL_SINCE, before, await connection.fetchval(WAL))
    label = f"{kind.name} ({len(bodies[0]) / 1000:.1f} KB)"
    print(
        f"| {label} | {clients} | {taken.rate:.0f} | {taken.p50_ms:.0f} | {taken.p99_ms:.0f} | {taken.cpu_ms:.2f} "
        f"| {(wal['records'] or 0) / taken.count:.0f} | {(wal['pages'] or 0) / taken.count:.0f} "
        f"| {ceiling:.0f} ({by}) | {taken.rate / ceiling:.2f} |" + (f" {taken.bad} not taken" if taken.bad else ""),
        flush=True,
    )
    return taken


def _take(bodies: Iterator[bytes], count: int) -> Iterator[bytes]:
    """Made beforehand: making them costs a client as much as taking them costs the server."""
    return (body for _, body in zip(range(count), bodies, strict=False))


def _endless(bodies: list[bytes], kind: Kind) -> Iterator[bytes]:
    yield from bodies
    yield from kind.bodies()


def main(clients: list[int], seconds: float, only: str) -> None:
    """Measure and print a table."""
    asyncio.run(run(clients, seconds, only))
