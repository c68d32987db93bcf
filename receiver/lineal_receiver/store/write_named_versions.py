"""Which version of a dataset a run, or a static event, says that it read or wrote."""

from collections.abc import Sequence
from typing import Any

from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.connection import Connection

UPSERT_NAMED_VERSIONS = """
insert into named_version as v (dataset_id, job_id, run_id, side, key, version)
select n.dataset_id, n.job_id, n.run_id, n.side::"char", n.key, n.version
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::uuid[])
as n (dataset_id, job_id, run_id, side, key, version)
order by n.dataset_id, n.job_id, n.run_id, n.side
on conflict (dataset_id, job_id, run_id, side) do update set key = excluded.key, version = excluded.version
where excluded.key > v.key
"""


async def upsert_named_versions(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep the newest version named in each (dataset, job, run, side, key, version)."""
    await connection.execute(UPSERT_NAMED_VERSIONS, *transpose(rows, 6))
