"""What a run said: what it read and wrote, with the schemas and the readings of columns that it stated."""

from dataclasses import dataclass
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class SaidRow:
    """A dataset that a run read (side i) or wrote (side o). fields: JSON text of the schema that it stated."""

    dataset_id: UUID
    side: str
    fields: str | None
    edge_set_id: bytes | None


FETCH_SAID = """
select io.dataset_id, io.side::text as side, b.fields, made.edge_set_id
from run_io as io
left join schema_body as b on b.id = io.schema_id
left join build as made on made.id = coalesce(io.told_build_id, io.build_id)
where io.job_id = $1 and io.run_id = $2
order by io.dataset_id, io.side
limit $3
"""


async def fetch_said(connection: Connection, job: UUID, run: UUID, limit: int) -> list[SaidRow]:
    """What a run said of its datasets, `limit` rows."""
    return [SaidRow(**row) for row in await connection.fetch(FETCH_SAID, job, run, limit)]
