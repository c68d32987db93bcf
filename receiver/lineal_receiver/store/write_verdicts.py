"""Keep why facets don't hold by their schemas."""

from collections.abc import Sequence
from typing import Any

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.connection import Connection

INSERT_FACET_VERDICTS = """
insert into facet_verdict (body_id, entity, key, version, faults)
select body_id, entity, key, version, faults::jsonb
from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[]) as v (body_id, entity, key, version, faults)
on conflict (body_id, entity, key) do nothing
"""


async def insert_facet_verdicts(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep these verdicts (facet's content, entity, key, version of the schema, faults as JSON), sorted by key."""
    if rows:
        await connection.execute(INSERT_FACET_VERDICTS, *transpose(rows, 5))
