"""Versions of datasets: one for each write. A write that states no schema shows the one before it, back to a DROP."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class WriteRow:
    """A write of a dataset by a run, or, with the run none, by a static event. fields: JSON text.

    past: a static event's that a newer one of the same job, or of none, has taken the place of.
    """

    dataset_id: UUID
    job_id: UUID
    run_id: UUID
    effective_at: datetime
    lifecycle: str | None
    schema_id: bytes | None
    fields: str | None
    version_id: UUID
    past: bool = False


LIST_WRITES = """
select
    w.dataset_id,
    w.job_id,
    w.run_id,
    w.effective_at,
    shown.lifecycle,
    shown.schema_id,
    shown.fields,
    shown.version_id,
    w.past
from (
    select found.*
    from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as name(id, since, until)
    cross join lateral (
        (
            select
                io.dataset_id,
                io.job_id,
                io.run_id,
                io.effective_at,
                io.future,
                io.lifecycle is not distinct from 'DROP' as dropped,
                null::bytea as key,
                false as past
            from run_io as io
            where
                io.dataset_id = name.id
                and io.side = 'o'
                and io.class = 2
                and not io.future
                and io.effective_at between name.since and name.until
            order by io.effective_at desc, dropped, io.job_id, io.run_id
            limit $4::bigint + $5::bigint
        )
        union all
        (
            select
                io.dataset_id,
                io.job_id,
                io.run_id,
                io.effective_at,
                io.future,
                io.lifecycle is not distinct from 'DROP',
                null::bytea,
                false
            from run_io as io
            where
                io.dataset_id = name.id
                and io.side = 'o'
                and io.class = 2
                and io.future
                and io.effective_at between name.since and name.until
            order by io.effective_at desc, io.lifecycle is not distinct from 'DROP', io.job_id, io.run_id
            limit $4::bigint + $5::bigint
        )
        union all
        (
            select s.dataset_id, s.job_id, s.run_id, s.effective_at, s.future, false, s.schema_id, true
            from static_write as s
            where s.dataset_id = name.id and s.effective_at between name.since and name.until
            order by s.future, s.effective_at desc, s.job_id, s.schema_id
            limit $4::bigint + $5::bigint
        )
    ) as found
    order by
        found.future, found.effective_at desc, found.dropped, found.job_id, found.run_id, found.past, found.key,
        found.dataset_id
    limit $4::bigint offset $5::bigint
) as w
cross join lateral (
    select d.lifecycle, d.schema_id, d.fields, d.version_id
    from dataset_write as d
    where not w.past and d.dataset_id = w.dataset_id and d.job_id = w.job_id and d.run_id = w.run_id
    union all
    select s.lifecycle, s.schema_id, s.fields, s.version_id
    from static_write as s
    where
        w.past
        and s.dataset_id = w.dataset_id
        and s.job_id = w.job_id
        and s.run_id = w.run_id
        and s.schema_id = w.key
) as shown
order by w.future, w.effective_at desc, w.dropped, w.job_id, w.run_id, w.past, w.key, w.dataset_id
"""

NameSpans = tuple[list[UUID], list[datetime], list[datetime]]
"""Names, and from when to when (both count) each is meant."""


async def list_writes(connection: Connection, names: NameSpans, limit: int, offset: int) -> list[WriteRow]:
    """A page of the effective writes of a dataset under all its `names`, newest first; those from the future last.

    A DROP comes behind a write of the same time, which goes before it.
    """
    return [WriteRow(**row) for row in await connection.fetch(LIST_WRITES, *names, limit, offset)]


FIND_WRITE = """
select
    w.dataset_id,
    w.job_id,
    w.run_id,
    w.effective_at,
    w.lifecycle,
    w.schema_id,
    w.fields,
    w.version_id,
    w.past
from (
    (
        select d.*, false as past
        from run_io as io
        join dataset_write as d on d.dataset_id = io.dataset_id and d.job_id = io.job_id and d.run_id = io.run_id
        where
            io.side = 'o'
            and io.class > 0
            and uuid_hash(write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle))
            = uuid_hash($2::uuid)
            and write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) = $2
            and io.dataset_id = any($1::uuid[])
    )
    union all
    (
        select s.*, true as past
        from unnest($1::uuid[]) as name(id)
        join static_write as s on s.dataset_id = name.id
        where s.version_id = $2
    )
) as w
order by w.past, w.effective_at desc
limit 1
"""


async def find_write(connection: Connection, names: Sequence[UUID], version: UUID) -> WriteRow | None:
    """The write that made a version of a dataset under one of its `names`, found by a part of its id."""
    row = await connection.fetchrow(FIND_WRITE, names, version)
    return None if row is None else WriteRow(**row)


# Of a name that was never written outside its time the total is kept; of another its writes are counted.
COUNT_WRITES = """
select coalesce(sum(
    case
        when exists (
            select
            from (values (false), (true)) as rank (future)
            join run_io as io
                on io.dataset_id = name.id and io.side = 'o' and io.class = 2 and io.future = rank.future
            where io.effective_at > name.until
            union all
            select
            from (values (false), (true)) as rank (future)
            join run_io as io
                on io.dataset_id = name.id and io.side = 'o' and io.class = 2 and io.future = rank.future
            where io.effective_at < name.since
        ) then (
            select count(*)
            from run_io as io
            where
                io.dataset_id = name.id
                and io.side = 'o'
                and io.class = 2
                and io.effective_at between name.since and name.until
        )
        else
            (select coalesce(sum(t.n), 0) from total as t where t.scope = name.id and t.kind = 'versions')
            - (select count(*) from run_io as io where io.dataset_id = name.id and io.side = 'o' and io.class < 2)
    end
    + (
        select count(*)
        from static_write as s
        where s.dataset_id = name.id and s.effective_at between name.since and name.until
    )
), 0)
from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as name(id, since, until)
"""


async def count_writes(connection: Connection, names: NameSpans) -> int:
    """The number of a dataset's effective writes under all its `names`: what is neither failed nor pending."""
    return int(await connection.fetchval(COUNT_WRITES, *names))


FETCH_SCHEMA_LOCATIONS = """
select schema_id, location from schema_location where schema_id = any($1::bytea[])
"""


async def fetch_schema_locations(connection: Connection, schemas: list[bytes]) -> dict[bytes, str]:
    """Where those of these schemas lie of which it was said."""
    rows = await connection.fetch(FETCH_SCHEMA_LOCATIONS, schemas)
    return {row["schema_id"]: row["location"] for row in rows}
