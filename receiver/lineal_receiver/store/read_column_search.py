"""Search for columns by a part of their name: among all schemas that there are, then who has them now."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

MOST_SCHEMAS = 1_000


@dataclass(frozen=True, slots=True)
class SchemaFound:
    """A dataset that has, or once more may have, a column that matches. fields: JSON text of its schema."""

    id: UUID
    namespace: str
    name: str
    updated_at: datetime
    fields: str


SEARCH_SCHEMAS = """
select
    d.id,
    n.name as namespace,
    d.name,
    s.updated_at,
    b.fields
from (select found.id, found.fields from schema_body as found where found.fields ~* $1 limit $3) as b
join dataset_state as s on s.schema_id = b.id
join dataset as d on d.id = s.dataset_id
join namespace as n on n.id = d.namespace_id
where
    not exists (select from hidden as h where h.entity_id = d.id)
    and ($2::uuid is null or d.namespace_id = $2)
limit $3
"""


async def search_schemas(connection: Connection, pattern: str, namespace: UUID | None, limit: int) -> list[SchemaFound]:
    """Datasets whose schema's text matches a regular expression in any case, `limit` of them, in no order."""
    rows = await connection.fetch(SEARCH_SCHEMAS, pattern, namespace, limit)
    return [SchemaFound(**row) for row in rows]
