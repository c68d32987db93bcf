"""Readings of columns as they were at a time: the newest of each job, those of one parent run, and what stands in.

A dataset is asked for by its names of different times, each from when to when it was called so (both count).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

MOST_TOGETHER = 200
"""How many of a job's newest writes to a name can count together."""

WrittenAt = tuple[int, UUID, datetime, datetime, UUID]
"""A number of the asker's, a name, since and until, and the job that wrote it."""


@dataclass(frozen=True, slots=True)
class BuildAt:
    """A reading that a write carried, and what the choice among several needs to know of it.

    place: the asker's number; rank: an effective write's before a pending one's, those from the future behind both.
    """

    place: int
    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    since: datetime
    until: datetime
    rank: int
    parent_run: UUID | None
    lifecycle: str | None
    build_id: bytes | None
    edge_set_id: bytes | None
    sql_hash: str | None
    schema_hash: str | None
    sqlglot_version: str | None
    rules_version: str | None
    status: str | None
    columns: int | None


FETCH_NEWEST_BUILDS = """
with rank (worth, future, class) as (values (4, false, 2::smallint), (3, false, 1), (2, true, 2), (1, true, 1))
select
    k.place, k.dataset_id, k.job_id, made.run_id, made.effective_at, k.since, k.until,
    made.worth as rank, r.parent_run, made.lifecycle,
    b.id as build_id, b.edge_set_id, b.sql_hash, b.schema_hash, b.sqlglot_version, b.rules_version, b.status,
    cardinality(b.out_columns) as columns
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[])
    as k(place, dataset_id, since, until, job_id)
cross join lateral (
    select found.*
    from (
        select w.run_id, w.effective_at, w.lifecycle, w.build_id, rank.worth
        from rank
        cross join lateral (
            select io.run_id, io.effective_at, io.lifecycle, coalesce(io.told_build_id, io.build_id) as build_id
            from run_io as io
            cross join lateral (
                select c.status from build as c where c.id = coalesce(io.told_build_id, io.build_id) offset 0
            ) as c
            where
                io.dataset_id = k.dataset_id
                and io.job_id = k.job_id
                and io.side = 'o'
                and io.future = rank.future
                and io.class = rank.class
                and io.has_build
                and io.stated_key is null
                and io.effective_at between k.since and k.until
                and io.lifecycle is distinct from 'DROP'
                and c.status <> 'failed'
            order by io.effective_at desc, io.run_id
            limit 1
        ) as w
        union all
        select $6, to_timestamp_of_seen(said.key), null, said.build_id, 4
        from build_until(k.dataset_id, k.job_id, first_key(k.until + interval '1 microsecond')) as said
        where
            said.key >= first_key(k.since)
            and (
                k.job_id = $6
                or k.dataset_id = any(
                    array(
                        select unnest(named.datasets)
                        from named_until(k.job_id, 'o', first_key(k.until + interval '1 microsecond')) as named
                    )
                )
            )
    ) as found
    order by found.worth desc, found.effective_at desc, found.run_id
    limit 1
) as made
join build as b on b.id = made.build_id
left join run as r on r.job_id = k.job_id and r.run_id = made.run_id
"""


async def fetch_newest_builds(connection: Connection, names: Sequence[WrittenAt]) -> list[BuildAt]:
    """What each of these jobs read the columns of its name from last, in the time of the name."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [BuildAt(**row) for row in await connection.fetch(FETCH_NEWEST_BUILDS, *columns, NONE)]


FETCH_TOGETHER = """
select
    k.place, k.dataset_id, k.job_id, w.run_id, w.effective_at, k.since, k.until, k.rank, k.parent_run, w.lifecycle,
    b.id as build_id, b.edge_set_id, b.sql_hash, b.schema_hash, b.sqlglot_version, b.rules_version, b.status,
    cardinality(b.out_columns) as columns
from unnest(
    $1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[], $6::uuid[], $7::uuid[], $8::integer[]
) as k(place, dataset_id, since, until, job_id, run_id, parent_run, rank)
cross join lateral (
    select f.run_id, f.effective_at, f.lifecycle, f.build_id
    from (
        select one.run_id, one.effective_at, one.lifecycle, one.build_id
        from (values (true), (false)) as with_build (has)
        cross join lateral (
            select io.run_id, io.effective_at, io.lifecycle, coalesce(io.told_build_id, io.build_id) as build_id
            from run_io as io
            where
                io.dataset_id = k.dataset_id and io.job_id = k.job_id and io.side = 'o'
                and io.class = 2 and io.future = (k.rank = 2) and io.has_build = with_build.has
                and io.effective_at between k.since and k.until
            order by io.effective_at desc, io.run_id
            limit $9
        ) as one
        order by one.effective_at desc, one.run_id
        limit $9
    ) as f
    where
        f.run_id = k.run_id
        or (select r.parent_run from run as r where r.job_id = k.job_id and r.run_id = f.run_id) = k.parent_run
) as w
left join build as b on b.id = w.build_id and b.status <> 'failed'
order by k.place, w.effective_at desc, w.run_id
"""

AnchorAt = tuple[int, UUID, datetime, datetime, UUID, UUID, UUID, int]
"""As WrittenAt, and then the run of an effective write, its parent run and its rank."""


async def fetch_together(connection: Connection, anchors: Sequence[AnchorAt]) -> list[BuildAt]:
    """The effective writes, newest first, under the parent run of each of these, itself among them."""
    if not anchors:
        return []
    columns = (list(column) for column in zip(*anchors, strict=True))
    return [BuildAt(**row) for row in await connection.fetch(FETCH_TOGETHER, *columns, MOST_TOGETHER)]


# In the order in which they are preferred; the asker says which of them may stand in.
FETCH_OTHERS = """
with rank (worth, future, class) as (values (4, false, 2::smallint), (3, false, 1), (2, true, 2), (1, true, 1))
select
    k.place, k.dataset_id, k.job_id, w.run_id, w.effective_at, k.since, k.until, w.worth as rank,
    null::uuid as parent_run, null as lifecycle,
    b.id as build_id, b.edge_set_id, b.sql_hash, b.schema_hash, b.sqlglot_version, b.rules_version, b.status,
    cardinality(b.out_columns) as columns
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[])
    as k(place, dataset_id, since, until, job_id)
join build as b
    on b.dataset_id = k.dataset_id and b.job_id = k.job_id and b.status in ('resolved', 'partial')
cross join lateral (
    select used.run_id, used.effective_at, used.worth
    from (
        select io.run_id, io.effective_at, rank.worth
        from rank
        cross join lateral (
            select io.run_id, io.effective_at
            from run_io as io
            where
                io.dataset_id = k.dataset_id and io.job_id = k.job_id
                and coalesce(io.told_build_id, io.build_id) = b.id
                and io.side = 'o' and io.has_build and io.future = rank.future and io.class = rank.class
                and io.effective_at between k.since and k.until
                and io.lifecycle is distinct from 'DROP' and io.stated_key is null
            order by io.effective_at desc, io.run_id
            limit 1
        ) as io
        union all
        select $6, to_timestamp_of_seen(said.key), 4
        from build_until(k.dataset_id, k.job_id, first_key(k.until + interval '1 microsecond')) as said
        where said.build_id = b.id and said.key >= first_key(k.since)
    ) as used
    order by used.worth desc, used.effective_at desc
    limit 1
) as w
order by k.place, w.worth desc, w.effective_at desc, b.id
"""


async def fetch_other_builds(connection: Connection, names: Sequence[WrittenAt]) -> list[BuildAt]:
    """All readings with edges that each of these jobs had of its name in its time, each by its newest write.

    Of what static events stated only the newest is among them.
    """
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [BuildAt(**row) for row in await connection.fetch(FETCH_OTHERS, *columns, NONE)]


FETCH_DROPS = """
select k.place, max(gone.effective_at) as at
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as k(place, dataset_id, since, until)
cross join lateral (
    select io.effective_at
    from run_io as io
    where
        uuid_send(io.dataset_id) = uuid_send(k.dataset_id)
        and io.side = 'o'
        and io.class = 2
        and not io.future
        and io.lifecycle = 'DROP'
        and io.effective_at between k.since and k.until
    order by io.effective_at desc
    limit 1
) as gone
group by k.place
"""


async def fetch_drops(
    connection: Connection, names: Sequence[tuple[int, UUID, datetime, datetime]]
) -> dict[int, datetime]:
    """When what was called by these names (place, name, since, until) was dropped last, by place, where it was."""
    if not names:
        return {}
    columns = (list(column) for column in zip(*names, strict=True))
    return {row["place"]: row["at"] for row in await connection.fetch(FETCH_DROPS, *columns)}
