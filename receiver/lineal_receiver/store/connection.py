"""The type of a connection, for those who pass one on without knowing the driver, and how writers plan."""

from typing import TypeAlias

import asyncpg

Connection: TypeAlias = asyncpg.Connection

PLAN_BY_INDEX = """
select
    set_config('enable_seqscan', 'off', $1),
    set_config('enable_hashjoin', 'off', $1),
    set_config('enable_mergejoin', 'off', $1),
    set_config('random_page_cost', '0.1', $1)
"""


async def plan_by_index(connection: Connection, *, transaction: bool = True) -> None:
    """Look up by index for every row, for this transaction or (not `transaction`) until the connection is reset.

    Before the first ANALYZE, and with plans made while tables were small, PostgreSQL would read whole tables instead,
    at a cost that grows with them; with its usual price of a page, for tables of up to a thousand rows.
    """
    await connection.execute(PLAN_BY_INDEX, transaction)


PLAN_ONCE = """
select
    set_config('plan_cache_mode', 'force_generic_plan', $1),
    set_config('enable_material', 'off', $1)
"""


async def plan_writes(connection: Connection, *, transaction: bool = False) -> None:
    """Plan each statement of the write side once, by index: it touches few rows by their keys.

    To plan a statement again for each batch would cost more than to run it.
    """
    await plan_by_index(connection, transaction=transaction)
    await connection.execute(PLAN_ONCE, transaction)
