"""Partitions of the log by day: what has none lies in the stray one."""

from datetime import date, timedelta

import asyncpg

ADVISORY_KEY = 0x4C494E444159  # "LINDAY"

FETCH_DAYS = """
select c.relname
from pg_inherits as i
join pg_class as c on c.oid = i.inhrelid
where i.inhparent = 'log'::regclass and c.relname ~ '^log_[0-9]{8}$'
"""


async def fetch_days(connection: asyncpg.Connection) -> set[date]:
    """The days that have a partition."""
    names = [row["relname"].removeprefix("log_") for row in await connection.fetch(FETCH_DAYS)]
    return {date(int(name[:4]), int(name[4:6]), int(name[6:])) for name in names}


OWN_DAYS = "select pg_advisory_xact_lock($1)"

LIMIT_WAIT = "set local lock_timeout = '2s'"
"""Whoever comes after us waits as long as we do: rather give up and come again."""

_CREATE = """
create table {table} (
    like log including defaults including constraints including indexes including storage including compression,
    constraint {table}_day check ({check})
)
"""
_LOCK = "lock table log_stray in access exclusive mode"
_MOVE = "with moved as (delete from log_stray where day = '{day}' returning *) insert into {table} select * from moved"
_ATTACH = "alter table log attach partition {table} for values from ('{day}') to ('{after}')"
_LOOSEN = "alter table {table} drop constraint {table}_day"


async def make_day(connection: asyncpg.Connection, day: date) -> int | None:
    """Give a day its partition and move its stray rows there, in the caller's transaction; how many, None: it had one.

    PostgreSQL refuses a partition for rows that lie in the stray one, so these are moved before, while nobody else can
    write there; and it reads all of the stray one to see that none is left, which takes as long as that is large.
    asyncpg's LockNotAvailableError: somebody holds the stray partition for long; try again later.
    """
    await connection.execute(OWN_DAYS, ADVISORY_KEY)
    if day in await fetch_days(connection):
        return None
    names = {"table": f"log_{day:%Y%m%d}", "day": f"{day:%Y-%m-%d}", "after": f"{day + timedelta(days=1):%Y-%m-%d}"}
    await connection.execute(LIMIT_WAIT)
    # With the check, attaching needn't read the rows again.
    check = "day >= '{day}' and day < '{after}'".format(**names)
    await connection.execute(_CREATE.format(**names, check=check))
    await connection.execute(_LOCK)
    moved = await connection.execute(_MOVE.format(**names))
    await connection.execute(_ATTACH.format(**names))
    await connection.execute(_LOOSEN.format(**names))
    return int(moved.split()[-1])
