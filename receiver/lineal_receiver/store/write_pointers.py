"""The forest of names: where each points to, by claims and by operators' aliases, and which root that gives it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a name points to: ordered goes before claimed. disputed: others claim the name, too."""

    claimed: UUID | None
    disputed: bool
    ordered: UUID | None

    @property
    def target(self) -> UUID | None:
        """What it points to now."""
        return self.ordered or self.claimed


INSERT_POINTERS = """
insert into alias_pointer (id)
select k.id
from unnest($1::uuid[]) as k (id)
where not exists (select from alias_pointer as p where p.id = k.id)
order by k.id
on conflict (id) do nothing
"""

LOCK_POINTERS = """
select id, claimed_id, disputed, ordered_id
from alias_pointer
where id = any($1::uuid[])
order by id
for update
"""


async def lock_pointers(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Pointer]:
    """Own these names' pointers (sorted) until the transaction ends; gives them as they are."""
    await connection.execute(INSERT_POINTERS, names)
    return _pointers(await connection.fetch(LOCK_POINTERS, names))


def _pointers(rows: Sequence[asyncpg.Record]) -> dict[UUID, Pointer]:
    return {row["id"]: Pointer(row["claimed_id"], row["disputed"], row["ordered_id"]) for row in rows}


FETCH_FORWARD = """
with recursive forward (id, namespace_id, name) as (
    select d.id, d.namespace_id, d.name from dataset as d where d.id = any($1::uuid[])
    union
    select named_id('dataset', n.name, f.name), n.id, f.name
    from forward as f
    join alias_route as r on r.namespace_id = f.namespace_id
    join namespace as n on n.id = r.target_id
)
select id from forward
"""


async def fetch_forward(connection: asyncpg.Connection, datasets: Sequence[UUID]) -> set[UUID]:
    """These datasets, and what they are called where their namespaces were ever ordered to: claims count there, too."""
    return {row["id"] for row in await connection.fetch(FETCH_FORWARD, datasets)}


# A claim counts if its declarer didn't withdraw it later; those from the future stand behind all others, as do
# those of open runs. What was claimed in a namespace that counts as another was claimed there.
FETCH_POINTERS = """
select
    k.id,
    n.declarer_id as claimed_id,
    n.declarer_id is not null and exists (
        select
        from alias_meant(k.id) as m (id)
        join alias_claim as o
            on o.alias_id = m.id and (o.declarer_id < n.declarer_id or o.declarer_id > n.declarer_id)
        where
            o.declarer_id <> k.id
            and o.class = 2
            and o.future <= n.future
            and not exists (
                select
                from alias_claim as w
                where
                    w.alias_id = '00000000-0000-0000-0000-000000000000'
                    and w.declarer_id = o.declarer_id
                    and w.class = 2
                    and (w.future < o.future or (w.future = o.future and w.at > o.at))
            )
    ) as disputed,
    nullif(
        coalesce(
            own.target_id,
            named_id('dataset', space.name, d.name),
            named_id('job', space.name, j.name)
        ),
        k.id
    ) as ordered_id
from unnest($1::uuid[]) as k (id)
left join lateral (
    select c.declarer_id, c.future
    from alias_meant(k.id) as m (id)
    cross join lateral (
        select c.declarer_id, c.class, c.future, c.at
        from alias_claim as c
        where
            c.alias_id = m.id
            and c.class >= 1
            and c.declarer_id <> k.id
            and not exists (
                select
                from alias_claim as w
                where
                    w.alias_id = '00000000-0000-0000-0000-000000000000'
                    and w.declarer_id = c.declarer_id
                    and w.class = 2
                    and (w.future < c.future or (w.future = c.future and w.at > c.at))
            )
        order by c.future, c.class desc, c.at desc, c.declarer_id desc
        limit 1
    ) as c
    order by c.future, c.class desc, c.at desc, c.declarer_id desc
    limit 1
) as n on true
left join alias_order as own on own.id = k.id
left join dataset as d on d.id = k.id
left join job as j on j.id = k.id
left join alias_order as around on around.id = coalesce(d.namespace_id, j.namespace_id)
left join namespace as space on space.id = around.target_id
"""


async def fetch_pointers(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Pointer]:
    """Where claims and orders say that these names point to."""
    return _pointers(await connection.fetch(FETCH_POINTERS, names))


UPDATE_POINTERS = """
update alias_pointer as p
set claimed_id = n.claimed_id, disputed = n.disputed, ordered_id = n.ordered_id
from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[]) as n (id, claimed_id, disputed, ordered_id)
where p.id = n.id
"""


async def update_pointers(connection: asyncpg.Connection, pointers: Iterable[tuple[UUID, Pointer]]) -> None:
    """Turn (locked) pointers."""
    rows = [(name, pointer.claimed, pointer.disputed, pointer.ordered) for name, pointer in pointers]
    await connection.execute(UPDATE_POINTERS, *transpose(rows, 4))


@dataclass(frozen=True, slots=True)
class Node:
    """A name in the forest: where it points to, whether by an order, and which root it has been given."""

    target: UUID | None
    ordered: bool
    root: UUID | None


FETCH_FOREST = """
with recursive behind (id) as (
    select k.id from unnest($1::uuid[]) as k (id)
    union
    select p.id
    from behind as b
    join alias_pointer as p on p.target_id = b.id
),
ahead (id, target_id, ordered) as (
    select b.id, p.target_id, p.ordered_id is not null
    from behind as b
    left join alias_pointer as p on p.id = b.id
    union
    select p.id, p.target_id, p.ordered_id is not null
    from ahead as a
    join alias_pointer as p on p.id = a.target_id
)
select a.id, a.target_id, a.ordered, c.root_id
from ahead as a
left join canon as c on c.id = a.id
"""


async def fetch_forest(connection: asyncpg.Connection, names: Sequence[UUID]) -> dict[UUID, Node]:
    """All names that lead to one of these, and all that those lead to."""
    rows = await connection.fetch(FETCH_FOREST, names)
    return {row["id"]: Node(row["target_id"], row["ordered"], row["root_id"]) for row in rows}


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
