"""How many rows of a kind there are, as kept by the writer."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FETCH_TOTAL = """
select
    coalesce((select t.n from total as t where t.scope = $1 and t.kind = $2), 0)
    - (
        select count(*)
        from gone as h
        where
            h.kind = case $2 when 'jobs' then 'job' when 'datasets' then 'dataset' end
            and not exists (select from dataset as d where d.id = h.entity_id and d.hidden)
            and ($1::uuid = '00000000-0000-0000-0000-000000000000' or h.namespace_id = $1)
    )
"""


async def fetch_total(connection: Connection, scope: UUID, kind: str) -> int:
    """The number of `kind` (jobs, datasets, runs, versions, namespaces) in `scope`, without what is deleted."""
    return max(0, int(await connection.fetchval(FETCH_TOTAL, scope, kind)))
