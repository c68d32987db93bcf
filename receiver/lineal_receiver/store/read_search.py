"""Search by a part of a name.

What is common matches more than can be looked at: of each kind MOST_MATCHES are, and the first of these given in order.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from lineal_receiver.store.read_snapshot import Connection

MOST_MATCHES = 3_000


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A job or dataset whose name matches; ahead: nothing but the future tells of it."""

    id: UUID
    namespace: str
    name: str
    updated_at: datetime
    ahead: bool


@dataclass(frozen=True, slots=True)
class Found:
    """The first rows of what matches, and how many match, up to MOST_MATCHES."""

    rows: list[FoundRow]
    matches: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for: a LIKE `pattern`, in a namespace, updated in [after, before).

    `of_parent` and `of_child`: LIKE patterns for the ends of what a job is called by its parent (None: not asked).
    """

    pattern: str
    namespace: UUID | None = None
    after: datetime | None = None
    before: datetime | None = None
    of_parent: str | None = None
    of_child: str | None = None


def escape_like(text: str) -> str:
    """The LIKE pattern that finds `text` anywhere, its own wildcards taken literally."""
    literal = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("\0", "")
    return f"%{literal}%"


SEARCH_DATASETS = """
select
    id,
    namespace,
    name,
    updated_at,
    ahead,
    count(*) over () as matches
from (
    select
        d.id,
        n.name as namespace,
        d.name,
        coalesce(s.updated_at, n.created_at) as updated_at,
        coalesce(
            s.future
            or s.written_at is null and s.dropped_at is null and s.updated_at > now() + interval '10 minutes'
            and not exists (
                select
                from runs_of_dataset(d.id) as said
                join run_io as io on io.job_id = said.job_id and io.run_id = said.run_id and io.dataset_id = d.id
                where not io.ahead
            ),
            false
        ) as ahead
    from dataset as d
    join namespace as n on n.id = d.namespace_id
    left join dataset_state as s on s.dataset_id = d.id
    where
        d.name ilike $1
        and not exists (select from hidden as h where h.entity_id = d.id)
        and ($2::uuid is null or d.namespace_id = $2)
        and ($3::timestamptz is null or coalesce(s.updated_at, n.created_at) >= $3)
        and ($4::timestamptz is null or coalesce(s.updated_at, n.created_at) < $4)
    limit $5
) as looked_at
order by case when $6::boolean then ahead end, case when $6 then updated_at end desc, lower(name), namespace, id
limit $7
"""


async def search_datasets(connection: Connection, wanted: Wanted, limit: int, *, newest_first: bool) -> Found:
    """Datasets whose name matches in any case, at most `limit`: the last updated first, or by name."""
    w = wanted
    rows = await connection.fetch(
        SEARCH_DATASETS, w.pattern, w.namespace, w.after, w.before, MOST_MATCHES, newest_first, limit
    )
    return _build_found(rows)


SEARCH_JOBS = """
with recursive kin as (
    (
        (
            select j.id
            from job as j
            where j.name ilike $1 and exists (select from job_state as c where c.parent_job = j.id)
            limit $5
        )
        union
        (
            select j.id
            from job as p
            join job_state as s on s.parent_job = p.id
            join job as j on j.id = s.job_id
            where $8::text is not null and p.name ilike $8 and j.name ilike $9
            limit $5
        )
    )
    union
    (
        select s.job_id
        from kin
        join job_state as s on s.parent_job = kin.id
    )
)
select
    id,
    namespace,
    name,
    updated_at,
    ahead,
    count(*) over () as matches
from (
    select named.id, n.name as namespace, named.name, named.updated_at, named.ahead
    from (
        (
            select j.id, j.namespace_id, j.name, s.updated_at, s.sorted_at = '-infinity' as ahead
            from job as j
            join job_state as s on s.job_id = j.id
            where
                j.name ilike $1
                and ($2::uuid is null or j.namespace_id = $2)
                and ($3::timestamptz is null or s.updated_at >= $3)
                and ($4::timestamptz is null or s.updated_at < $4)
            limit $5
        )
        union
        (
            select j.id, j.namespace_id, j.name, s.updated_at, s.sorted_at = '-infinity' as ahead
            from (select id from kin limit $5) as named
            join job as j on j.id = named.id
            join job_state as s on s.job_id = j.id
        )
    ) as named
    join namespace as n on n.id = named.namespace_id
    where
        not exists (select from hidden as h where h.entity_id = named.id)
        and ($2::uuid is null or named.namespace_id = $2)
        and ($3::timestamptz is null or named.updated_at >= $3)
        and ($4::timestamptz is null or named.updated_at < $4)
    limit $5
) as looked_at
order by case when $6::boolean then ahead end, case when $6 then updated_at end desc, lower(name), namespace, id
limit $7
"""


async def search_jobs(connection: Connection, wanted: Wanted, limit: int, *, newest_first: bool) -> Found:
    """Jobs whose name, or whose name by their parents, matches in any case: the last updated first, or by name."""
    w = wanted
    rows = await connection.fetch(
        SEARCH_JOBS,
        w.pattern,
        w.namespace,
        w.after,
        w.before,
        MOST_MATCHES,
        newest_first,
        limit,
        w.of_parent,
        w.of_child,
    )
    return _build_found(rows)


def _build_found(rows: list[asyncpg.Record]) -> Found:
    found = [FoundRow(row["id"], row["namespace"], row["name"], row["updated_at"], row["ahead"]) for row in rows]
    return Found(found, rows[0]["matches"] if rows else 0)
