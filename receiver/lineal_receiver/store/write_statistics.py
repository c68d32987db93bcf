"""Tell PostgreSQL's planner how large tables have become, where autovacuum would be late."""

import asyncpg

ANALYZE = """
analyze log, job_state, job_version, dataset_state, run, run_io, job_dataset, reader_schema, facet, facet_set,
facet_body, build, edge, edge_set_column, made_from, slot, table_edge, edge_active
"""


async def analyze(connection: asyncpg.Connection) -> None:
    """Gather statistics, which makes every session plan its statements again.

    Plans that were made while the tables were empty stay in use until then, and cost more with every row.
    """
    await connection.execute(ANALYZE)
