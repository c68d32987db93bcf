"""What DatasetEvents told of datasets until a time."""

from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import JobWrite, NameAt

FETCH_DECLARED = """
select k.place, k.dataset_id, $5::uuid as job_id, $5::uuid as run_id, to_timestamp_of_seen(said.key) as effective_at,
    k.since, k.until
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as k(place, dataset_id, since, until)
cross join lateral (
    select max(found.key) as key
    from (
        select t.key from told_until(k.dataset_id, $5, first_key(k.until + interval '1 microsecond')) as t
        union all
        select b.key from build_until(k.dataset_id, $5, first_key(k.until + interval '1 microsecond')) as b
        union all
        select io.stated_key
        from run_io as io
        where
            io.run_id = $5 and io.job_id = $5 and io.side = 'o' and io.dataset_id = k.dataset_id
            and io.stated_at <= k.until
    ) as found
) as said
where said.key >= first_key(k.since)
"""


async def fetch_declared(connection: Connection, names: list[NameAt]) -> list[JobWrite]:
    """What DatasetEvents told last of `names` in their times."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [JobWrite(**row) for row in await connection.fetch(FETCH_DECLARED, *columns, NONE)]


LIST_DECLARED_TARGETS = """
select distinct m.target_dataset
from made_from as m
where m.source_dataset = any($1::uuid[]) and m.job_id = $3
order by m.target_dataset
limit $2
"""


async def list_declared_targets(connection: Connection, sources: list[UUID], limit: int) -> list[UUID]:
    """The datasets that a DatasetEvent ever said to be made from any of `sources`, `limit` of them."""
    rows = await connection.fetch(LIST_DECLARED_TARGETS, sources, limit, NONE) if sources else []
    return [row["target_dataset"] for row in rows]
