"""Column edges as they were at a time: those of the newest write of each dataset by each job until then.

What a DROP, or another job's OVERWRITE of all of it, had ended by then is not among them.
"""

from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_snapshot import Connection

STEP_UPSTREAM_AT = """
select
    wanted.dataset_id as target_dataset,
    e.target_field,
    e.source_dataset,
    e.source_field,
    made.job_id,
    e.type,
    e.subtype,
    e.masking,
    e.expression,
    false as last_known
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
cross join lateral builds_at(wanted.dataset_id, $3) as made
join edge as e on e.edge_set_id = made.edge_set_id and e.target_field = wanted.field
where e.target_field <> ''
order by wanted.dataset_id, wanted.field, made.job_id, e.source_dataset, e.source_field, e.type, e.subtype
limit $4
"""


async def step_upstream_at(
    connection: Connection, columns: list[Column], at: datetime, limit: int
) -> list[ColumnEdgeRow]:
    """The edges into `columns` at a time, `limit` of them."""
    datasets, fields = [column[0] for column in columns], [column[1] for column in columns]
    rows = await connection.fetch(STEP_UPSTREAM_AT, datasets, fields, at, limit)
    return [ColumnEdgeRow(**row) for row in rows]


LIST_TARGETS_AT = """
select distinct dataset.id as dataset_id, c.field
from unnest($1::uuid[]) as dataset(id)
cross join lateral builds_at(dataset.id, $2) as made
join edge_set_column as c on c.edge_set_id = made.edge_set_id
where $3::uuid is null or made.job_id = $3
order by dataset.id, c.field
limit $4
"""


async def list_targets_at(
    connection: Connection, datasets: list[UUID], at: datetime, job: UUID | None, limit: int
) -> list[Column]:
    """The columns of `datasets` that were made, or known not to be told, at a time; where given: by one job."""
    rows = await connection.fetch(LIST_TARGETS_AT, datasets, at, job, limit)
    return [(row["dataset_id"], row["field"]) for row in rows]


FIND_FIELDS_AT = """
select case when lifecycle is distinct from 'DROP' then fields end as fields
from dataset_write
where dataset_id = any($1::uuid[]) and class = 2 and not future and effective_at <= $2
order by effective_at desc, job_id, run_id
limit 1
"""


async def find_fields_at(connection: Connection, names: list[UUID], at: datetime) -> str | None:
    """The schema (JSON text) that a dataset had at a time under any of its `names`."""
    return await connection.fetchval(FIND_FIELDS_AT, names, at)  # type: ignore[no-any-return] # text


LIST_TARGETS_OF_WRITE = """
select distinct made.dataset_id, e.target_field as field
from (
    select distinct on (io.dataset_id) io.dataset_id, io.used_build_id as build_id
    from run_io as io
    where
        io.dataset_id = any($2::uuid[])
        and io.job_id = $1
        and io.side = 'o'
        and io.class = 2
        and io.effective_at <= $3
        and io.used_build_id is not null
    order by io.dataset_id, io.effective_at desc, io.run_id
) as made
join build as b on b.id = made.build_id
join edge as e on e.edge_set_id = b.edge_set_id
where e.target_field <> ''
order by made.dataset_id, field
"""


async def list_targets_of_write(connection: Connection, job: UUID, datasets: list[UUID], at: datetime) -> list[Column]:
    """The columns that a job's newest writes of `datasets` until then made."""
    rows = await connection.fetch(LIST_TARGETS_OF_WRITE, job, datasets, at)
    return [(row["dataset_id"], row["field"]) for row in rows]


FETCH_VERSIONS_AT = """
select
    wanted.id as dataset_id,
    newest.version_id
from unnest($1::uuid[]) as wanted(id)
cross join lateral (
    select write_version(
        io.dataset_id,
        io.job_id,
        io.run_id,
        io.schema_id,
        io.lifecycle
    ) as version_id
    from run_io as io
    where io.dataset_id = wanted.id and io.side = 'o' and io.class = 2 and io.effective_at <= $2
    order by io.effective_at desc, io.job_id, io.run_id
    limit 1
) as newest
"""


async def fetch_versions_at(connection: Connection, datasets: list[UUID], at: datetime) -> dict[UUID, UUID]:
    """The version that each of `datasets` had at a time."""
    rows = await connection.fetch(FETCH_VERSIONS_AT, datasets, at)
    return {row["dataset_id"]: row["version_id"] for row in rows}
