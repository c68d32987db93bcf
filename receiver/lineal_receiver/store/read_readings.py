"""Where lineage in force comes from: of each slot the reading, the run, the event that told it, and since when."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

Pair = tuple[UUID, UUID]
"""A dataset, and a job that writes it (NONE: a static event of the dataset)."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """What vouches for a slot. `status` and all that follows it up to `rules_version`: None where nothing was said.

    event_id, event_day: of the event that told it, if it is still there. first_at, last_at: when it was in effect.
    typed and what follows it: of the run, None of a static event.
    """

    dataset_id: UUID
    job_id: UUID
    run_id: UUID | None
    effective_at: datetime
    last_known: bool
    status: str | None
    message: str | None
    dialect: str | None
    sql_hash: str | None
    parser_version: str | None
    rules_version: str | None
    first_at: datetime | None
    last_at: datetime | None
    event_id: bytes | None
    event_day: date | None
    event_time: datetime | None
    typed: bool | None
    start_at: datetime | None
    running_at: datetime | None
    end_at: datetime | None
    end_rank: int | None


_TOLD = """b.status,
    b.error_message as message,
    b.dialect,
    b.sql_hash,
    b.sqlglot_version as parser_version,
    b.rules_version,
    oldest.effective_at as first_at,
    newest.effective_at as last_at,
    coalesce(told.id, said.id) as event_id,
    coalesce(told.day, said.day) as event_day,
    coalesce(told.event_time, said.event_time) as event_time,
    r.typed,
    r.start_at,
    r.running_at,
    r.end_at,
    r.end_rank"""

# The run is looked up by its id alone ("is not distinct" uses no index): by the job, all its runs would be read.
# A key is the time of the event, its rank and a part of its id; where there is none, the run's last event tells.
_SEEN = """
left join lateral (
    select io.run_id, io.effective_at, io.build_key
    from run_io as io
    where
        io.dataset_id = made.dataset_id
        and io.job_id = made.job_id
        and io.side = 'o'
        and io.has_build
        and coalesce(io.told_build_id, io.build_id) = b.id
    order by io.future, io.effective_at desc
    limit 1
) as newest on true
left join lateral (
    select io.effective_at
    from run_io as io
    where
        io.dataset_id = made.dataset_id
        and io.job_id = made.job_id
        and io.side = 'o'
        and io.has_build
        and coalesce(io.told_build_id, io.build_id) = b.id
    order by io.future desc, io.effective_at
    limit 1
) as oldest on true
left join lateral (
    select l.id, l.day, l.event_time
    from log as l
    where
        l.day = (to_timestamp_of_seen(newest.build_key) at time zone 'UTC')::date
        and l.id >= substring(newest.build_key from 10 for 16)
        and l.id <= substring(newest.build_key from 10 for 16) || '\\xffffffffffffffffffffffffffffffff'::bytea
    limit 1
) as told on true
left join lateral (
    select l.id, l.day, l.event_time
    from log as l
    where told.id is null and l.run_id = made.run_id and l.job_id = made.job_id and l.kind = 'run'
    order by l.event_time desc, l.id
    limit 1
) as said on true
left join run as r on r.run_id = coalesce(newest.run_id, made.run_id) and r.job_id is not distinct from made.job_id
"""

FETCH_READINGS = f"""
select
    made.dataset_id,
    made.job_id,
    coalesce(newest.run_id, made.run_id) as run_id,
    made.effective_at,
    made.last_known_build_id is not null as last_known,
    {_TOLD}
from unnest($1::uuid[], $2::uuid[]) as wanted(dataset_id, job_id)
join slot as made on made.dataset_id = wanted.dataset_id and made.job_id = wanted.job_id
left join build as b on b.id = made.build_id
{_SEEN}
where not made.ended
order by made.dataset_id, made.job_id
"""  # noqa: S608 - of constants


async def fetch_readings(connection: Connection, pairs: list[Pair]) -> list[ReadingRow]:
    """What vouches for these slots now."""
    datasets, jobs = [dataset for dataset, _ in pairs], [job for _, job in pairs]
    return [ReadingRow(*row) for row in await connection.fetch(FETCH_READINGS, datasets, jobs)] if pairs else []


FETCH_READINGS_OF_RUNS = f"""
select
    made.run_id as made_by,
    made.dataset_id,
    made.job_id,
    coalesce(newest.run_id, made.run_id) as run_id,
    made.effective_at,
    false as last_known,
    {_TOLD}
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as wanted(dataset_id, job_id, run_id)
join run_io as made
    on
        made.dataset_id = wanted.dataset_id
        and made.job_id = wanted.job_id
        and made.run_id = wanted.run_id
        and made.side = 'o'
left join build as b on b.id = coalesce(made.told_build_id, made.build_id)
{_SEEN}
order by made.dataset_id, made.job_id
"""  # noqa: S608 - of constants


Write = tuple[UUID, UUID, UUID]
"""A dataset, and the job and run that wrote it."""


async def fetch_readings_of_runs(connection: Connection, writes: list[Write]) -> dict[Write, ReadingRow]:
    """What vouches for what runs wrote."""
    columns = [list(column) for column in zip(*writes, strict=True)]
    rows = await connection.fetch(FETCH_READINGS_OF_RUNS, *columns) if writes else []
    said = ({**row} for row in rows)
    return {(row["dataset_id"], row["job_id"], row.pop("made_by")): ReadingRow(**row) for row in said}


FETCH_BODIES = """
select l.id, l.body
from unnest($1::date[], $2::bytea[]) as wanted(day, id)
join log as l on l.day = wanted.day and l.id = wanted.id
where octet_length(l.body) <= $3
"""


async def fetch_small_bodies(
    connection: Connection, events: list[tuple[date, bytes]], most_bytes: int
) -> dict[bytes, bytes]:
    """The bodies, packed, of those of these events that aren't larger than `most_bytes` so, by id."""
    days, ids = [day for day, _ in events], [event for _, event in events]
    rows = await connection.fetch(FETCH_BODIES, days, ids, most_bytes) if events else []
    return dict(rows)
