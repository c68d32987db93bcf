"""A second, empty set of all tables in a schema beside the live one, to fold the log into and compare."""

from collections.abc import Sequence

import asyncpg

SCHEMA = "lineal_verify"
ADVISORY_KEY = 0x4C494E455259  # "LINERY"

FIND_SCHEMAS = """
select
    (
        select n.nspname
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        where c.oid = to_regclass('log')
    ) as live,
    (
        select n.nspname
        from pg_extension as e
        join pg_namespace as n on n.oid = e.extnamespace
        where e.extname = 'pg_trgm'
    ) as words
"""

SET_PATH = """
select
    set_config('search_path', format('%I, %I', $1::text, $2::text), false),
    set_config('synchronous_commit', 'off', false),
    set_config('idle_in_transaction_session_timeout', '0', false)
"""

DROP_SCHEMA = "drop schema if exists lineal_verify cascade"
CREATE_SCHEMA = "create schema lineal_verify"


async def find_live_schema(connection: asyncpg.Connection) -> str | None:
    """The schema in which this connection finds the store, None if there is none."""
    return (await connection.fetchrow(FIND_SCHEMAS))["live"]  # type: ignore[no-any-return] # a name


async def own_shadow(connection: asyncpg.Connection) -> bool:
    """Whether the shadow is ours from here on; another session may have it."""
    return bool(await connection.fetchval("select pg_try_advisory_lock($1)", ADVISORY_KEY))


async def make_shadow(connection: asyncpg.Connection, statements: Sequence[str]) -> None:
    """Make the shadow's tables by the migrations' statements; from here on this connection sees them only."""
    words = (await connection.fetchrow(FIND_SCHEMAS))["words"]
    await connection.execute(DROP_SCHEMA)
    await connection.execute(CREATE_SCHEMA)
    await connection.execute(SET_PATH, SCHEMA, words or SCHEMA)
    async with connection.transaction():
        for statement in statements:
            await connection.execute(statement)


async def drop_shadow(connection: asyncpg.Connection) -> None:
    """Remove the shadow, one that a killed process left too."""
    await connection.execute(DROP_SCHEMA)


FETCH_UNSHADOWED = """
select c.relname
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where
    n.nspname = $1
    and c.relkind in ('r', 'p', 'v', 'S')
    and not c.relispartition
    and c.relname <> 'schema_migration'
    and not exists (
        select
        from pg_class as s
        join pg_namespace as m on m.oid = s.relnamespace
        where m.nspname = $2 and s.relname = c.relname
    )
order by 1
"""


async def fetch_unshadowed(connection: asyncpg.Connection, live: str) -> list[str]:
    """Tables of the live schema that have no twin: a writer that should see the shadow could reach them."""
    return [row["relname"] for row in await connection.fetch(FETCH_UNSHADOWED, live, SCHEMA)]
