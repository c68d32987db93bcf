"""The type of a connection, for those who pass one on without knowing the driver, and how writers plan."""

from typing import TypeAlias

import asyncpg

Connection: TypeAlias = asyncpg.Connection

PLAN_BY_INDEX = """
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off
"""


async def plan_by_index(connection: Connection) -> None:
    """For this transaction, look up by index for every row.

    Each statement of the write side touches few rows by their keys. Before the first ANALYZE, and with plans made while
    tables were small, PostgreSQL would read whole tables instead, at a cost that grows with them.
    """
    await connection.execute(PLAN_BY_INDEX)
