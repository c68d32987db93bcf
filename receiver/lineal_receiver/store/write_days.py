"""Partitions of the log by day: what has none lies in the stray one."""

from contextlib import suppress
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
_VOUCH = """
alter table log_stray
drop constraint if exists {table}_not_here,
add constraint {table}_not_here check (day < '{day}' or day >= '{after}') not valid
"""
_BELIEVE = "alter table log_stray validate constraint {table}_not_here"
_FORGET = "alter table log_stray drop constraint if exists {table}_not_here"
_LOCK = "lock table log_stray in access exclusive mode"
_MOVE = "with moved as (delete from log_stray where day = '{day}' returning *) insert into {table} select * from moved"
_ATTACH = "alter table log attach partition {table} for values from ('{day}') to ('{after}')"
_LOOSEN = "alter table {table} drop constraint {table}_day"


MAY_VOUCH = """
select pg_relation_size('log_stray') >= $2 and not exists (select from log_stray where day = $1)
"""

FETCH_VOUCHED = """
select conname from pg_constraint where conrelid = 'log_stray'::regclass and conname ~ '^log_[0-9]{8}_not_here$'
"""


async def vouch_for_day(connection: asyncpg.Connection, day: date, least_bytes: int) -> None:
    """Let a stray partition of this size or more say that it holds nothing of a day: `make_day` needn't read it then.

    It is read here, for as long as that takes, while others write; only events of that very day are put off until the
    day is made, or forgotten. asyncpg's LockNotAvailableError: as in `make_day`.
    """
    if not await connection.fetchval(MAY_VOUCH, day, least_bytes):
        return
    names = _name(day)
    async with connection.transaction():
        await connection.execute(LIMIT_WAIT)
        await connection.execute(_VOUCH.format(**names))
    async with connection.transaction():
        await connection.execute("set local statement_timeout = 0")
        with suppress(asyncpg.CheckViolationError):  # one came meanwhile: it will be moved
            await connection.execute(_BELIEVE.format(**names))


async def forget_vouched(connection: asyncpg.Connection) -> None:
    """Take back what `vouch_for_day` had said when its process ended: it would refuse events of that day for ever."""
    for row in await connection.fetch(FETCH_VOUCHED):
        async with connection.transaction():
            await connection.execute(LIMIT_WAIT)
            await connection.execute(f"alter table log_stray drop constraint if exists {row['conname']}")


def _name(day: date) -> dict[str, str]:
    return {"table": f"log_{day:%Y%m%d}", "day": f"{day:%Y-%m-%d}", "after": f"{day + timedelta(days=1):%Y-%m-%d}"}


async def make_day(connection: asyncpg.Connection, day: date) -> int | None:
    """Give a day its partition and move its stray rows there, in the caller's transaction; how many, None: it had one.

    PostgreSQL refuses a partition for rows that lie in the stray one, so these are moved before, while nobody else can
    write there; and unless `vouch_for_day` was there before, it reads all of that one to see that none is left.
    asyncpg's LockNotAvailableError: somebody holds the stray partition for long; try again later.
    """
    await connection.execute(OWN_DAYS, ADVISORY_KEY)
    if day in await fetch_days(connection):
        return None
    names = _name(day)
    await connection.execute(LIMIT_WAIT)
    # With the check, attaching needn't read the rows again.
    check = "day >= '{day}' and day < '{after}'".format(**names)
    await connection.execute(_CREATE.format(**names, check=check))
    await connection.execute(_LOCK)
    moved = await connection.execute(_MOVE.format(**names))
    await connection.execute(_ATTACH.format(**names))
    await connection.execute(_LOOSEN.format(**names))
    await connection.execute(_FORGET.format(**names))
    return int(moved.split()[-1])
