"""Records of the log, listed without their bodies, and one by its day and id."""

from dataclasses import dataclass
from datetime import date, datetime, timezone
from uuid import UUID

from lineal_receiver.store.packing import unpack
from lineal_receiver.store.read_event_days import find_event_days
from lineal_receiver.store.read_snapshot import Connection

FIRST = datetime(1, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class RecordedRow:
    """A record; size: of its body in bytes; namespace and job: of the job that it speaks of, if any."""

    day: date
    id: bytes
    kind: str
    event_type: str | None
    event_time: datetime
    received_at: datetime
    flags: int
    run_id: UUID | None
    namespace: str | None
    job: str | None
    size: int


_SHOWN = """
    l.day,
    l.id,
    l.kind,
    l.event_type,
    l.event_time,
    l.received_at,
    l.flags,
    l.run_id,
    n.name as namespace,
    j.name as job,
    body_size(l.body) as size"""

LIST_OF_RUN = f"""
select {_SHOWN}
from (
    select *
    from log as found
    where found.run_id = $1 and (found.event_time, found.id) < ($2, $3::bytea)
    order by found.event_time desc, found.id desc
    limit $4
) as l
left join job as j on j.id = l.job_id
left join namespace as n on n.id = j.namespace_id
order by l.event_time desc, l.id desc
"""  # noqa: S608 - of constants

LIST_OF_KIND = f"""
select {_SHOWN}
from (
    (
        select *
        from log as same
        where same.kind = $1 and same.event_time = $2 and same.id > $3::bytea and same.day = $6
        order by same.id
        limit $4
    )
    union all
    (
        select *
        from log as earlier
        where earlier.kind = $1 and earlier.event_time < $2 and earlier.day between $5 and $6
        order by earlier.event_time desc, earlier.id
        limit $4
    )
) as l
left join job as j on j.id = l.job_id
left join namespace as n on n.id = j.namespace_id
order by l.event_time desc, l.id
limit $4
"""  # noqa: S608 - of constants


async def list_recorded_of_run(
    connection: Connection, run: UUID, after: tuple[datetime, bytes], limit: int
) -> list[RecordedRow]:
    """The events of runs with this id, the newest first, from behind `after` (time, id) on."""
    return [RecordedRow(**row) for row in await connection.fetch(LIST_OF_RUN, run, *after, limit)]


async def list_recorded(
    connection: Connection, kind: str, after: tuple[datetime, bytes], limit: int
) -> list[RecordedRow]:
    """The records of a kind (run, job, dataset, command), the newest first, from behind `after` (time, id) on."""
    days = await find_event_days(connection, kind, FIRST, after[0], limit, newest=True)
    return [RecordedRow(**row) for row in await connection.fetch(LIST_OF_KIND, kind, *after, limit, *days)]


FIND_RECORDED = f"""
select {_SHOWN}
from log as l
left join job as j on j.id = l.job_id
left join namespace as n on n.id = j.namespace_id
where l.day = $1 and l.id = $2
"""  # noqa: S608 - of constants


async def find_recorded(connection: Connection, day: date, record: bytes) -> RecordedRow | None:
    """The record with this day and id."""
    row = await connection.fetchrow(FIND_RECORDED, day, record)
    return None if row is None else RecordedRow(**row)


FETCH_BODY = """
select body from log where day = $1 and id = $2
"""


async def fetch_body(connection: Connection, day: date, record: bytes) -> bytes | None:
    """What was sent, as it is kept."""
    body = await connection.fetchval(FETCH_BODY, day, record)
    return None if body is None else unpack(body)
