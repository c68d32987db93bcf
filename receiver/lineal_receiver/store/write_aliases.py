"""Claims of other names for datasets, the pointers that follow from them, and which name stands for which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

LOCK_CLAIMS = 0x4C494E4541_01
LOCK_CANON = 0x4C494E4541_02

SHARE_CLAIMS = "select pg_advisory_xact_lock_shared($1)"
OWN_CLAIMS = "select pg_advisory_xact_lock($1)"


async def lock_claims(connection: asyncpg.Connection, *, alone: bool) -> None:
    """Until the transaction ends: others may claim names meanwhile, or, if `alone`, not."""
    await connection.execute(OWN_CLAIMS if alone else SHARE_CLAIMS, LOCK_CLAIMS)


async def lock_canon(connection: asyncpg.Connection) -> None:
    """Until the transaction ends, nobody else changes what points to what. Taken after every row lock."""
    await connection.execute(OWN_CLAIMS, LOCK_CANON)


UPSERT_CLAIMS = """
insert into alias_claim as c (alias_id, declarer_id, job_id, run_id, side, future, at, class)
select n.alias_id, n.declarer_id, n.job_id, n.run_id, io.side, n.future, n.at, io.class
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::boolean[], $7::timestamptz[])
as n (alias_id, declarer_id, job_id, run_id, side, future, at)
join run_io as io
    on io.dataset_id = n.declarer_id and io.job_id = n.job_id and io.run_id = n.run_id and io.side = n.side::"char"
order by n.alias_id, n.declarer_id, n.job_id, n.run_id, n.side, n.future
on conflict (alias_id, declarer_id, job_id, run_id, side, future) do update set
    at = greatest(c.at, excluded.at),
    class = excluded.class
where excluded.at > c.at or c.class <> excluded.class
returning alias_id, declarer_id
"""

JUDGE_CLAIMS = """
update alias_claim as c
set class = io.class
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run_io as io on io.job_id = k.job_id and io.run_id = k.run_id
where
    c.job_id = k.job_id
    and c.run_id = k.run_id
    and c.declarer_id = io.dataset_id
    and c.side = io.side
    and c.class <> io.class
returning c.alias_id, c.declarer_id
"""


async def upsert_claims(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> set[tuple[UUID, UUID]]:
    """Keep claims (alias, declarer, job, run, side, future, at); gives (alias, declarer) of those that changed."""
    found = await connection.fetch(UPSERT_CLAIMS, *transpose(rows, 7))
    return {(row["alias_id"], row["declarer_id"]) for row in found}


async def judge_claims(connection: asyncpg.Connection, runs: Sequence[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Give the claims of these runs the class of what they said; gives (alias, declarer) of those that changed."""
    found = await connection.fetch(JUDGE_CLAIMS, *transpose(runs, 2))
    return {(row["alias_id"], row["declarer_id"]) for row in found}


FETCH_CLAIMED = """
with recursive claimed (declarer_id, alias_id) as (
    select
        k.id,
        (
            select c.alias_id
            from alias_claim as c
            where c.declarer_id = k.id
            order by c.alias_id
            limit 1
        )
    from unnest($1::uuid[]) as k (id)
    union all
    select
        k.declarer_id,
        (
            select c.alias_id
            from alias_claim as c
            where c.declarer_id = k.declarer_id and c.alias_id > k.alias_id
            order by c.alias_id
            limit 1
        )
    from claimed as k
    where k.alias_id is not null
)
select distinct alias_id
from claimed
where alias_id <> '00000000-0000-0000-0000-000000000000'
"""


async def fetch_claimed(connection: asyncpg.Connection, declarers: Sequence[UUID]) -> set[UUID]:
    """All names that these datasets ever claimed."""
    return {row["alias_id"] for row in await connection.fetch(FETCH_CLAIMED, declarers)}


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a name points to, and whether others claim it, too."""

    claimed: UUID | None
    disputed: bool


INSERT_POINTERS = """
insert into alias_pointer (id)
select k.id
from unnest($1::uuid[]) as k (id)
where not exists (select from alias_pointer as p where p.id = k.id)
order by k.id
on conflict (id) do nothing
"""

LOCK_POINTERS = """
select id, claimed_id, disputed from alias_pointer where id = any($1::uuid[]) order by id for update
"""


async def lock_pointers(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Pointer]:
    """Own these names' pointers (sorted) until the transaction ends; gives them as they are."""
    await connection.execute(INSERT_POINTERS, names)
    rows = await connection.fetch(LOCK_POINTERS, names)
    return {row["id"]: Pointer(row["claimed_id"], row["disputed"]) for row in rows}


# A claim counts if its declarer didn't withdraw it later; those from the future stand behind all others, as do
# those of open runs.
FETCH_POINTERS = """
select
    k.id,
    n.declarer_id as claimed_id,
    n.declarer_id is not null and exists (
        select
        from alias_claim as o
        where
            o.alias_id = k.id
            and (o.declarer_id < n.declarer_id or o.declarer_id > n.declarer_id)
            and o.class = 2
            and not exists (
                select
                from alias_claim as w
                where
                    w.alias_id = '00000000-0000-0000-0000-000000000000'
                    and w.declarer_id = o.declarer_id
                    and w.class = 2
                    and (w.future < o.future or (w.future = o.future and w.at > o.at))
            )
    ) as disputed
from unnest($1::uuid[]) as k (id)
left join lateral (
    select c.declarer_id
    from alias_claim as c
    where
        c.alias_id = k.id
        and c.class >= 1
        and not exists (
            select
            from alias_claim as w
            where
                w.alias_id = '00000000-0000-0000-0000-000000000000'
                and w.declarer_id = c.declarer_id
                and w.class = 2
                and (w.future < c.future or (w.future = c.future and w.at > c.at))
        )
    order by c.class desc, c.future, c.at desc, c.declarer_id desc
    limit 1
) as n on true
"""


async def fetch_pointers(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Pointer]:
    """Where the claims of these names say that they point to."""
    rows = await connection.fetch(FETCH_POINTERS, names)
    return {row["id"]: Pointer(row["claimed_id"], row["disputed"]) for row in rows}


UPDATE_POINTERS = """
update alias_pointer as p
set claimed_id = n.claimed_id, disputed = n.disputed
from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as n (id, claimed_id, disputed)
where p.id = n.id
"""


async def update_pointers(connection: asyncpg.Connection, pointers: Iterable[tuple[UUID, Pointer]]) -> None:
    """Turn (locked) pointers."""
    rows = [(name, pointer.claimed, pointer.disputed) for name, pointer in pointers]
    await connection.execute(UPDATE_POINTERS, *transpose(rows, 3))


@dataclass(frozen=True, slots=True)
class Node:
    """A name in the forest: where it points to, and which root it has been given."""

    target: UUID | None
    root: UUID | None


FETCH_FOREST = """
with recursive behind (id) as (
    select k.id from unnest($1::uuid[]) as k (id)
    union
    select p.id
    from behind as b
    join alias_pointer as p on p.claimed_id = b.id
),
ahead (id, target_id) as (
    select b.id, p.claimed_id
    from behind as b
    left join alias_pointer as p on p.id = b.id
    union
    select p.id, p.claimed_id
    from ahead as a
    join alias_pointer as p on p.id = a.target_id
)
select a.id, a.target_id, c.root_id
from ahead as a
left join canon as c on c.id = a.id
"""


async def fetch_forest(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Node]:
    """All names that lead to one of these, and all that those lead to."""
    rows = await connection.fetch(FETCH_FOREST, names)
    return {row["id"]: Node(row["target_id"], row["root_id"]) for row in rows}


DELETE_CANON = """
delete from canon where id = any($1::uuid[])
"""

UPSERT_CANON = """
insert into canon as c (id, root_id)
select n.id, n.root_id
from unnest($1::uuid[], $2::uuid[]) as n (id, root_id)
order by n.id
on conflict (id) do update set root_id = excluded.root_id
"""


async def move(connection: asyncpg.Connection, roots: dict[UUID, UUID]) -> None:
    """Let names stand behind these roots; one that is its own root is no alias."""
    freed = [name for name, root in roots.items() if name == root]
    if freed:
        await connection.execute(DELETE_CANON, freed)
    moved = [(name, root) for name, root in roots.items() if name != root]
    if moved:
        await connection.execute(UPSERT_CANON, *transpose(moved, 2))


FIND_HIDDEN = """
select d.id, true as dataset from dataset as d where d.id = any($1::uuid[]) and d.hidden
union all
select n.id, false from namespace as n where n.id = any($2::uuid[]) and n.hidden
"""


async def find_hidden(
    connection: asyncpg.Connection, datasets: Sequence[UUID], namespaces: Sequence[UUID]
) -> tuple[list[UUID], list[UUID]]:
    """Those of these datasets and namespaces that are in no list."""
    rows = await connection.fetch(FIND_HIDDEN, datasets, namespaces)
    return [row["id"] for row in rows if row["dataset"]], [row["id"] for row in rows if not row["dataset"]]


HIDE_DATASETS = """
update dataset as d
set hidden = n.hidden
from (
    select
        k.id,
        exists (select from canon as c where c.id = k.id)
        or not (
            exists (select from dataset_state as s where s.dataset_id = k.id and s.created_at < 'infinity')
            or exists (
                select
                from canon as c
                join dataset_state as s on s.dataset_id = c.id and s.created_at < 'infinity'
                where c.root_id = k.id
            )
        ) as hidden
    from (
        select w.id from unnest($1::uuid[]) as w (id)
        union
        select c.root_id from canon as c where c.id = any($1::uuid[])
    ) as k
) as n
where d.id = n.id and d.hidden <> n.hidden
returning d.namespace_id, d.hidden
"""


async def hide_datasets(connection: asyncpg.Connection, names: Sequence[UUID]) -> list[tuple[UUID, bool]]:
    """List each of these datasets, or hide it; gives (namespace, hidden) of each that changed."""
    rows = await connection.fetch(HIDE_DATASETS, names)
    return [(row["namespace_id"], row["hidden"]) for row in rows]


SHOW_NAMESPACES = """
update namespace set hidden = false where id = any($1::uuid[]) and hidden and created_at < 'infinity' returning id
"""


async def show_namespaces(connection: asyncpg.Connection, names: Sequence[UUID]) -> int:
    """List namespaces that events name by now; gives how many weren't listed before."""
    return len(await connection.fetch(SHOW_NAMESPACES, names))
