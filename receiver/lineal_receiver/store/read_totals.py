"""How many rows of a kind there are, as kept by the writer."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FETCH_TOTAL = """
select n from total where scope = $1 and kind = $2
"""


async def fetch_total(connection: Connection, scope: UUID, kind: str) -> int:
    """The number of `kind` (jobs, datasets, runs, versions, namespaces) in `scope`; 0 where nothing was counted."""
    return int(await connection.fetchval(FETCH_TOTAL, scope, kind) or 0)
