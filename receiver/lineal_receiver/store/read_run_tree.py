"""The children of runs."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

LIST_CHILDREN_OF = """
select r.parent_run, r.job_id, r.run_id
from run as r
where r.parent_run = any($1::uuid[]) and not exists (select from hidden as h where h.entity_id = r.job_id)
order by coalesce(r.start_at, r.running_at, r.first_at), r.job_id, r.run_id
limit $2
"""


async def list_children_of(connection: Connection, parents: list[UUID], limit: int) -> list[tuple[UUID, UUID, UUID]]:
    """The runs (parent, job, run) under any of `parents`, the first started first, `limit` of them."""
    rows = await connection.fetch(LIST_CHILDREN_OF, parents, limit)
    return [(row["parent_run"], row["job_id"], row["run_id"]) for row in rows]
