"""Search by a part of a name."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A job or dataset whose name matches."""

    id: UUID
    namespace: str
    name: str
    updated_at: datetime


SEARCH_DATASETS = """
select
    d.id,
    n.name as namespace,
    d.name,
    coalesce(s.updated_at, n.created_at) as updated_at
from dataset as d
join namespace as n on n.id = d.namespace_id
left join dataset_state as s on s.dataset_id = d.id
where
    d.name ilike $1
    and ($2::uuid is null or d.namespace_id = $2)
    and ($3::timestamptz is null or coalesce(s.updated_at, n.created_at) >= $3)
    and ($4::timestamptz is null or coalesce(s.updated_at, n.created_at) < $4)
limit $5
"""


async def search_datasets(
    connection: Connection,
    pattern: str,
    namespace: UUID | None,
    after: datetime | None,
    before: datetime | None,
    limit: int,
) -> list[FoundRow]:
    """Datasets whose name matches the LIKE `pattern` in any case, at most `limit`, in no order."""
    rows = await connection.fetch(SEARCH_DATASETS, pattern, namespace, after, before, limit)
    return [FoundRow(**row) for row in rows]


SEARCH_JOBS = """
select
    j.id,
    n.name as namespace,
    j.name,
    s.updated_at
from job as j
join namespace as n on n.id = j.namespace_id
join job_state as s on s.job_id = j.id
where
    j.name ilike $1
    and ($2::uuid is null or j.namespace_id = $2)
    and ($3::timestamptz is null or s.updated_at >= $3)
    and ($4::timestamptz is null or s.updated_at < $4)
limit $5
"""


async def search_jobs(
    connection: Connection,
    pattern: str,
    namespace: UUID | None,
    after: datetime | None,
    before: datetime | None,
    limit: int,
) -> list[FoundRow]:
    """Jobs whose name matches the LIKE `pattern` in any case, at most `limit`, in no order."""
    rows = await connection.fetch(SEARCH_JOBS, pattern, namespace, after, before, limit)
    return [FoundRow(**row) for row in rows]
