"""Which names count as one, and what was written, or only read, under several of them."""

from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

Pair = tuple[UUID, UUID]

HAVE_OTHER_NAMES = """
select exists (select from canon) as aliases, exists (select from renaming) as renames
"""


async def have_other_names(connection: Connection) -> tuple[bool, bool]:
    """Whether any name counts as another one, and whether any was renamed: else nothing has to be looked up."""
    row = await connection.fetchrow(HAVE_OTHER_NAMES)
    return bool(row["aliases"]), bool(row["renames"])


FETCH_ROOTS = """
select id, root_id from canon where id = any($1::uuid[])
"""


async def fetch_roots(connection: Connection, names: list[UUID]) -> dict[UUID, UUID]:
    """The name that stands for each of `names`, of those that aren't their own."""
    return {row["id"]: row["root_id"] for row in await connection.fetch(FETCH_ROOTS, names)}


FETCH_ALIASES = """
select root_id, id from canon where root_id = any($1::uuid[]) order by root_id, id
"""


async def fetch_aliases(connection: Connection, roots: list[UUID]) -> dict[UUID, list[UUID]]:
    """The other names of each of `roots`, of those that have any."""
    found: dict[UUID, list[UUID]] = {}
    for row in await connection.fetch(FETCH_ALIASES, roots):
        found.setdefault(row["root_id"], []).append(row["id"])
    return found


LIST_WRITTEN_UNDER_MANY = """
select k.id
from unnest($1::uuid[]) as k(id)
cross join lateral (
    select
        count(distinct made.dataset_id) as names,
        count(distinct made.job_id) - count(distinct coalesce(j.root_id, made.job_id)) as job_names
    from (select k.id union all select m.id from canon as m where m.root_id = k.id) as name(id)
    join job_dataset as made on made.dataset_id = name.id and made.side = 'o'
    left join canon as j on j.id = made.job_id
) as written
where written.names > 1 or written.job_names > 0
"""


async def list_written_under_many(connection: Connection, roots: list[UUID]) -> list[UUID]:
    """Those of `roots` that were written under several names of theirs, or by one job under several of its names."""
    rows = await connection.fetch(LIST_WRITTEN_UNDER_MANY, roots) if roots else []
    return [row["id"] for row in rows]


FETCH_REPLACED = """
select k.id
from unnest($1::uuid[]) as k(id)
join slot as s on s.dataset_id = $2 and s.job_id = k.id
left join canon as j on j.id = k.id
where
    exists (
        select
        from (
            select coalesce(j.root_id, k.id) as id
            union all
            select m.id from canon as m where m.root_id = coalesce(j.root_id, k.id)
        ) as other
        left join slot as o on o.dataset_id = $2 and o.job_id = other.id
        where
            (not o.future, o.class, o.effective_at, o.job_id) > (not s.future, s.class, s.effective_at, s.job_id)
            or other.id <> k.id
            and exists (select from job_dataset as made where made.job_id = other.id and made.side = 'o')
    )
"""


async def fetch_replaced(connection: Connection, jobs: list[UUID]) -> set[UUID]:
    """Those of `jobs`, of what they read and write nothing of, that under another name are known newer, or write."""
    return {row["id"] for row in await connection.fetch(FETCH_REPLACED, jobs, NONE)} if jobs else set()


STEP_TO_SLOTS = """
select distinct io.dataset_id, io.job_id, io.named_id
from (
    (
        select writer.dataset_id, writer.job_id, writer.dataset_id as named_id
        from unnest($1::uuid[]) as dataset(id)
        cross join lateral (
            select s.dataset_id, s.job_id
            from slot as s
            where s.dataset_id = dataset.id and s.job_id <> $3 and not s.ended
            order by s.job_id
            limit $2
        ) as writer
        limit $2
    )
    union all
    (
        select reader.target_dataset, reader.job_id, dataset.id
        from unnest($1::uuid[]) as dataset(id)
        cross join lateral (
            select e.target_dataset, e.job_id
            from table_edge as e
            where e.source_dataset = dataset.id and e.job_id <> $3
            order by e.job_id, e.target_dataset
            limit $2
        ) as reader
        limit $2
    )
) as io
limit $2
"""


async def step_to_slots(connection: Connection, datasets: list[UUID], limit: int) -> list[tuple[UUID, UUID, UUID]]:
    """The slots (dataset, job) that write or read any of `datasets` now, `limit` of them, with which of these."""
    rows = await connection.fetch(STEP_TO_SLOTS, datasets, limit, NONE)
    return [(row["dataset_id"], row["job_id"], row["named_id"]) for row in rows]


STEP_FROM_SLOTS = """
select distinct io.job_id, io.target_id, io.dataset_id, io.side
from (
    (
        select written.job_id, written.dataset_id as target_id, written.dataset_id, 'o' as side
        from unnest($1::uuid[]) as job(id)
        cross join lateral (
            select s.job_id, s.dataset_id
            from slot as s
            where s.job_id = job.id and s.dataset_id <> '00000000-0000-0000-0000-000000000000' and not s.ended
            limit $2
        ) as written
        limit $2
    )
    union all
    (
        select read.job_id, read.target_dataset, read.source_dataset, 'i'
        from unnest($1::uuid[]) as job(id)
        cross join lateral (
            select e.job_id, e.target_dataset, e.source_dataset
            from table_edge as e
            where e.job_id = job.id
            limit $2
        ) as read
        limit $2
    )
) as io
limit $2
"""


async def step_from_slots(connection: Connection, jobs: list[UUID], limit: int) -> list[tuple[UUID, UUID, UUID, str]]:
    """What `jobs` read and write now, `limit` rows of it: (job, the slot's dataset, dataset, side i or o)."""
    rows = await connection.fetch(STEP_FROM_SLOTS, jobs, limit)
    return [(row["job_id"], row["target_id"], row["dataset_id"], row["side"]) for row in rows]
