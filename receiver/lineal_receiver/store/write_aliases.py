"""Claims of other names for datasets, the pointers that follow from them, and which name stands for which."""

from collections.abc import Sequence
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


TAKE_TIME = """
select set_config('statement_timeout', '0', true)
"""


async def take_time(connection: asyncpg.Connection) -> None:
    """Let this transaction's statements take as long as they need: a namespace can hold very many names."""
    await connection.execute(TAKE_TIME)


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


UPSERT_RENAMES = """
insert into renaming as r (old_id, new_id, job_id, run_id, future, at)
select n.old_id, n.new_id, n.job_id, n.run_id, n.future, n.at
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[], $6::timestamptz[])
as n (old_id, new_id, job_id, run_id, future, at)
order by n.old_id, n.new_id, n.job_id, n.run_id, n.future
on conflict (old_id, new_id, job_id, run_id, future) do update set at = excluded.at
where excluded.at > r.at
"""


async def upsert_renames(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep that datasets were called otherwise before (old, new, job, run, future, at)."""
    await connection.execute(UPSERT_RENAMES, *transpose(rows, 6))
