"""Which names count as one, and what of one name's lineage another name's has replaced."""

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


FETCH_REPLACED = """
select distinct k.dataset_id, k.job_id
from unnest($1::uuid[], $2::uuid[]) as k(dataset_id, job_id)
join slot as s on s.dataset_id = k.dataset_id and s.job_id = k.job_id
left join canon as c on c.id = k.dataset_id
left join canon as j on j.id = k.job_id
cross join lateral (
    select k.dataset_id as id
    union
    select coalesce(c.root_id, k.dataset_id)
    union
    select m.id from canon as m where m.root_id = coalesce(c.root_id, k.dataset_id)
) as other
where
    exists (
        select
        from slot as o
        where
            o.dataset_id = other.id
            and o.job_id in (
                select k.job_id
                union all
                select coalesce(j.root_id, k.job_id)
                union all
                select m.id from canon as m where m.root_id = coalesce(j.root_id, k.job_id)
            )
            and (not o.future, o.class, o.effective_at, o.dataset_id, o.job_id)
            > (not s.future, s.class, s.effective_at, s.dataset_id, s.job_id)
    )
    or other.id <> k.dataset_id
    and (
        exists (
            select
            from dataset_state as d
            where d.dataset_id = other.id and d.dropped_at > s.effective_at and d.future <= s.future
        )
        or exists (
            select
            from run_io as o
            where
                uuid_send(o.dataset_id) = uuid_send(other.id)
                and o.side = 'o'
                and o.lifecycle = 'OVERWRITE'
                and o.class = 2
                and not o.subset
                and not o.future
                and o.effective_at > s.effective_at
                and o.begun_at > s.effective_at
                and o.job_id <> s.job_id
                and s.class = 2
        )
        or (
            k.job_id = '00000000-0000-0000-0000-000000000000'
            and exists (
                select
                from slot as o
                where
                    o.dataset_id = other.id
                    and o.job_id <> '00000000-0000-0000-0000-000000000000'
                    and not o.ended
                    and o.future <= s.future
            )
        )
    )
"""


async def fetch_replaced(connection: Connection, pairs: list[Pair]) -> set[Pair]:
    """Those of the slots (dataset, job) that were replaced under another name of the dataset or of the job.

    By a newer one of the same job, by a DROP, by another job's OVERWRITE; a static one by any job's.
    """
    datasets, jobs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {(row["dataset_id"], row["job_id"]) for row in await connection.fetch(FETCH_REPLACED, datasets, jobs)}


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
