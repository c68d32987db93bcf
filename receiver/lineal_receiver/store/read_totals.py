"""How many rows of a kind there are, as kept by the writer."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FETCH_TOTAL = """
select t.n from total as t where t.scope = $1 and t.kind = $2
"""


async def fetch_total(connection: Connection, scope: UUID, kind: str) -> int:
    """The number of `kind` (jobs, datasets, runs, versions, namespaces) in `scope`, without what is deleted."""
    return int(await connection.fetchval(FETCH_TOTAL, scope, kind) or 0)
