"""What jobs were put with."""

from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection

FIND_DECLARATION = """
select body from job_declaration where job_id = $1
"""


async def find_declaration(connection: Connection, job: UUID) -> str | None:
    """Type, location, inputs and outputs (JSON text) that a job was last put with, if it was."""
    body: str | None = await connection.fetchval(FIND_DECLARATION, job)
    return body
