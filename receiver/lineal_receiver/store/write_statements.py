"""What static events said of lineage, a row an event: to be found as of its time when others have come."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from lineal_receiver.store.arrays import literal, transpose
from lineal_receiver.store.connection import Connection

INSERT_STATEMENTS = """
insert into statement (dataset_id, job_id, kind, future, key, build_id, schema_id, datasets)
select n.dataset_id, n.job_id, n.kind::"char", n.future, n.key, n.build_id, n.schema_id, n.datasets::uuid[]
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::bytea[], $6::bytea[], $7::bytea[], $8::text[])
as n (dataset_id, job_id, kind, future, key, build_id, schema_id, datasets)
order by n.dataset_id, n.kind, n.future, n.job_id, n.key
on conflict do nothing
"""


async def insert_statements(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add statements (dataset or none, job or none, kind, from the future, key, build, schema, datasets)."""
    sent = [(*row[:7], literal(row[7])) for row in rows]
    await connection.execute(INSERT_STATEMENTS, *transpose(sent, 8))


TRUST_STATEMENTS = """
update statement as s
set future = false
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
where s.dataset_id = k.dataset_id and s.job_id = k.job_id and s.future
"""


async def trust_statements(connection: Connection, keys: Sequence[tuple[UUID, UUID]]) -> None:
    """Take what was said of these (dataset or none, job or none) out of the future."""
    await connection.execute(TRUST_STATEMENTS, *transpose(keys, 2))
