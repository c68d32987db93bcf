"""Who else works on the database."""

from collections.abc import Sequence

import asyncpg

COUNT_OTHERS = """
select count(*)
from pg_stat_activity
where datname = current_database() and application_name = 'lineal' and pid <> all($1::integer[])
"""


async def count_others(connection: asyncpg.Connection, own: Sequence[int]) -> int:
    """How many sessions of Lineal's there are beside those of these process ids."""
    return int(await connection.fetchval(COUNT_OTHERS, own))
