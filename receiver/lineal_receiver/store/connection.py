"""The type of a connection, for those who pass one on without knowing the driver, and how writers plan."""

from typing import TypeAlias

import asyncpg

Connection: TypeAlias = asyncpg.Connection

PLAN_BY_INDEX = """
select
    set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)
"""


async def plan_by_index(connection: Connection) -> None:
    """For this transaction, look up by index for every row.

    Each statement of the write side touches few rows by their keys. Before the first ANALYZE, and with plans made while
    tables were small, PostgreSQL would read whole tables instead, at a cost that grows with them.
    """
    await connection.execute(PLAN_BY_INDEX)
