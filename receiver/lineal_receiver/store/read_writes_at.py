"""Writes of datasets as they were at a time: what was read then, and what was in force then.

A dataset is asked for by its names of different times, each from when to when it was called so (both count).
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

NameAt = tuple[int, UUID, datetime, datetime]
"""A number of the asker's, a name, since and until."""


@dataclass(frozen=True, slots=True)
class WriteAt:
    """The newest effective write under a name until a time. place: the asker's number."""

    place: int
    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    lifecycle: str | None
    version_id: UUID
    future: bool


FETCH_NEWEST_WRITES = """
select k.place, made.*
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as k(place, dataset_id, since, until)
cross join lateral (
    select
        io.dataset_id,
        io.job_id,
        io.run_id,
        io.effective_at,
        io.lifecycle,
        write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
        rank.future
    from (values (false), (true)) as rank (future)
    cross join lateral (
        select io.dataset_id, io.job_id, io.run_id, io.effective_at, io.lifecycle, io.schema_id
        from run_io as io
        where
            io.dataset_id = k.dataset_id
            and io.side = 'o'
            and io.class = 2
            and io.future = rank.future
            and io.effective_at between k.since and k.until
        order by io.effective_at desc, io.job_id, io.run_id
        limit 1
    ) as io
    order by rank.future
    limit 1
) as made
"""


async def fetch_newest_writes(connection: Connection, names: list[NameAt]) -> list[WriteAt]:
    """The newest write of each of `names` in its time."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [WriteAt(**row) for row in await connection.fetch(FETCH_NEWEST_WRITES, *columns)]


FETCH_NAMED_WRITES = """
select
    k.place,
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
    io.future
from unnest($1::integer[], $2::uuid[], $3::uuid[]) as k(place, dataset_id, version)
join named_version as given
    on given.dataset_id = k.dataset_id and given.side = 'o' and given.version = k.version
join run_io as io
    on
        io.dataset_id = given.dataset_id
        and io.job_id = given.job_id
        and io.run_id = given.run_id
        and io.side = 'o'
        and io.class = 2
"""


async def fetch_named_writes(connection: Connection, names: list[tuple[int, UUID, UUID]]) -> list[WriteAt]:
    """The writes that gave a version of a name (place, name, version) the name that was asked for."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [WriteAt(**row) for row in await connection.fetch(FETCH_NAMED_WRITES, *columns)]


@dataclass(frozen=True, slots=True)
class JobWrite:
    """The newest write, no DROP, under a name by one job.

    since, until: when what is asked for had the name. rank: an effective one's (4) before a pending one's (3), those
    from the future behind both (2, 1). edge_set_id: where asked for; last_known: of columns as they were known before
    what can't be told now.
    """

    place: int
    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    since: datetime
    until: datetime
    rank: int = 4
    parent_run: UUID | None = None
    edge_set_id: bytes | None = None
    last_known: bool = False


FETCH_JOB_WRITES = """
with rank (worth, future, class) as (values (4, false, 2::smallint), (3, false, 1), (2, true, 2), (1, true, 1))
select k.place, k.dataset_id, k.job_id, made.run_id, made.effective_at, k.since, k.until,
    made.worth as rank, r.parent_run
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[])
    as k(place, dataset_id, since, until, job_id)
cross join lateral (
    select found.run_id, found.effective_at, found.worth
    from (
        select w.run_id, w.effective_at, rank.worth
        from rank
        cross join (values (true), (false)) as with_build (has)
        cross join lateral (
            select io.run_id, io.effective_at
            from run_io as io
            where
                io.dataset_id = k.dataset_id
                and io.job_id = k.job_id
                and io.side = 'o'
                and io.future = rank.future
                and io.class = rank.class
                and io.has_build = with_build.has
                and io.stated_key is null
                and io.effective_at between k.since and k.until
                and io.lifecycle is distinct from 'DROP'
            order by io.effective_at desc, io.run_id
            limit 1
        ) as w
        union all
        select $6, to_timestamp_of_seen(named.key), 4
        from named_until(k.job_id, 'o', first_key(k.until + interval '1 microsecond')) as named
        where
            k.dataset_id = any(named.datasets) and named.key >= first_key(k.since)
            and not exists (
                select
                from run_io as gone
                where
                    gone.dataset_id = k.dataset_id
                    and gone.job_id = k.job_id
                    and gone.side = 'o'
                    and gone.stated_key is not null
                    and gone.lifecycle = 'DROP'
                    and gone.effective_at = to_timestamp_of_seen(named.key)
            )
    ) as found
    order by found.worth desc, found.effective_at desc, found.run_id
    limit 1
) as made
left join run as r on r.job_id = k.job_id and r.run_id = made.run_id
"""


async def fetch_job_writes(
    connection: Connection, names: list[tuple[int, UUID, datetime, datetime, UUID]]
) -> list[JobWrite]:
    """The newest write of each of `names` in its time by the job named with it; an effective one before others."""
    if not names:
        return []
    columns = (list(column) for column in zip(*names, strict=True))
    return [JobWrite(**row) for row in await connection.fetch(FETCH_JOB_WRITES, *columns, NONE)]


FETCH_ENDED = """
select distinct k.place
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[], $6::timestamptz[],
    $7::boolean[])
    as k(place, dataset_id, since, until, job_id, written_at, effective)
where
    exists (
        select
        from run_io as gone
        where
            uuid_send(gone.dataset_id) = uuid_send(k.dataset_id)
            and gone.side = 'o'
            and gone.class = 2
            and not gone.future
            and gone.lifecycle = 'DROP'
            and gone.effective_at > k.written_at
            and gone.effective_at between k.since and k.until
    )
    or exists (
        select
        from run_io as over
        where
            uuid_send(over.dataset_id) = uuid_send(k.dataset_id)
            and over.side = 'o'
            and over.class = 2
            and not over.future
            and over.lifecycle = 'OVERWRITE'
            and not over.subset
            and over.stated_key is null
            and over.job_id <> k.job_id
            and over.effective_at between k.since and k.until
            and over.effective_at > k.written_at
            and over.begun_at > k.written_at
            and k.effective
    )
    or exists (
        select
        from statement as over
        where
            k.effective
            and over.dataset_id = k.dataset_id
            and over.kind = 'w'
            and not over.future
            and over.job_id <> k.job_id
            and over.key >= first_key(greatest(k.since, k.written_at + interval '1 microsecond'))
            and over.key < first_key(k.until + interval '1 microsecond')
    )
"""


async def fetch_ended(
    connection: Connection, writes: list[tuple[int, UUID, datetime, datetime, UUID, datetime, bool]]
) -> set[int]:
    """Those writes (place, name, since, until, job, when, effective) that a DROP or another job's OVERWRITE then ended.

    Of those that aren't effective only a DROP ends any.
    """
    if not writes:
        return set()
    columns = (list(column) for column in zip(*writes, strict=True))
    return {row["place"] for row in await connection.fetch(FETCH_ENDED, *columns)}
