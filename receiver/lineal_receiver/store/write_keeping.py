"""What operators said of the log itself: the archive horizon, and redactions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.connection import Connection

UPSERT_HORIZON = """
insert into horizon as h (key, at, set_at, made_by, why)
values ($1, $2, $3, $4, $5)
on conflict (one) do update set
    key = excluded.key, at = excluded.at, set_at = excluded.set_at, made_by = excluded.made_by, why = excluded.why
where excluded.key > h.key
"""


async def upsert_horizon(
    connection: Connection, key: bytes, at: datetime | None, set_at: datetime, made_by: str, why: str
) -> None:
    """Join the horizon's register with this."""
    await connection.execute(UPSERT_HORIZON, key, at, set_at, made_by, why)


INSERT_REDACTIONS = """
insert into redaction (id, at, what, made_by, why, record_id, pointers, records, rejected)
select
    r.id, r.at, r.what, r.made_by, r.why, r.record_id,
    array(select jsonb_array_elements_text(r.pointers::jsonb)),
    r.records, r.rejected
from unnest(
    $1::bytea[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::bigint[],
    $9::bigint[]
) as r (id, at, what, made_by, why, record_id, pointers, records, rejected)
order by r.id
on conflict (id) do nothing
"""


async def insert_redactions(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Remember redactions (id, at, what, by, why, record, pointers as JSON, records, rejected)."""
    await connection.execute(INSERT_REDACTIONS, *transpose(rows, 9))
