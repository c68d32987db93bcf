"""The steps of a walk over columns, and the column edges in force of whole datasets."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.tuples import make_tuples

Column = tuple[UUID, str]


class ColumnEdgeRow(NamedTuple):
    """A column that a column is made from, and how. last_known: from before SQL came that could not be resolved.

    A tuple: there are ten thousands in an answer.
    """

    target_dataset: UUID
    target_field: str
    source_dataset: UUID
    source_field: str
    job_id: UUID
    type: str
    subtype: str
    masking: bool
    expression: str | None
    last_known: bool

    @property
    def target(self) -> Column:
        """The column that is made."""
        return self[:2]

    @property
    def source(self) -> Column:
        """The column that it is made from."""
        return self[2:4]


STEP_UPSTREAM = """
select e.*
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
cross join lateral (
    select *
    from column_edge_in_force as edge
    where edge.target_dataset = wanted.dataset_id and edge.target_field = wanted.field
    order by edge.job_id, edge.source_dataset, edge.source_field, edge.type, edge.subtype
    limit $3
) as e
limit $3
"""


async def step_upstream(connection: Connection, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
    """The edges into `columns`, `limit` of them."""
    datasets, fields = [column[0] for column in columns], [column[1] for column in columns]
    return make_tuples(ColumnEdgeRow, await connection.fetch(STEP_UPSTREAM, datasets, fields, limit))


STEP_DOWNSTREAM = """
select e.*
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
cross join lateral (
    select *
    from column_edge_in_force as edge
    where edge.source_dataset = wanted.dataset_id and edge.source_field = wanted.field
    limit $3
) as e
limit $3
"""


async def step_downstream(connection: Connection, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
    """The edges out of `columns`, `limit` of them."""
    datasets, fields = [column[0] for column in columns], [column[1] for column in columns]
    return make_tuples(ColumnEdgeRow, await connection.fetch(STEP_DOWNSTREAM, datasets, fields, limit))


FETCH_DATASET_EDGES = """
select e.*
from column_edge_in_force as e
where
    e.target_dataset = any($1::uuid[])
    and not exists (select from hidden as h where h.entity_id in (e.job_id, e.source_dataset))
order by e.target_dataset, e.target_field, e.source_dataset, e.source_field, e.job_id, e.type, e.subtype
"""


async def fetch_dataset_edges(connection: Connection, datasets: list[UUID]) -> list[ColumnEdgeRow]:
    """The edges into the columns of `datasets`."""
    return make_tuples(ColumnEdgeRow, await connection.fetch(FETCH_DATASET_EDGES, datasets))


# The columns that are read are gone through in their order, so that of a hub no more than these are looked at.
LIST_KNOWN_FIELDS = """
select distinct named.dataset_id, named.field
from (
    (
        select s.dataset_id, c.field
        from slot as s
        join build as b on b.id = any(s.build_ids || s.last_known_build_id)
        join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.field <> ''
        where
            s.dataset_id = any($1::uuid[]) and not s.ended
            and not exists (select from hidden as h where h.entity_id = s.job_id)
        limit $2
    )
    union all
    (
        select source.id, used.field
        from unnest($1::uuid[]) as source(id)
        cross join lateral (
            with recursive used (field) as (
                (
                    select e.source_field
                    from edge_active as e
                    where
                        e.source_dataset = source.id
                        and not exists (select from hidden as h where h.entity_id in (e.job_id, e.target_dataset))
                    order by e.source_field
                    limit 1
                )
                union all
                select (
                    select e.source_field
                    from edge_active as e
                    where
                        e.source_dataset = source.id and e.source_field > used.field
                        and not exists (select from hidden as h where h.entity_id in (e.job_id, e.target_dataset))
                    order by e.source_field
                    limit 1
                )
                from used
                where used.field is not null
            )
            select used.field from used where used.field is not null limit $2
        ) as used
        limit $2
    )
) as named
order by named.dataset_id, named.field
"""


async def list_known_fields(connection: Connection, datasets: list[UUID], limit: int) -> list[Column]:
    """The columns of `datasets` that lineage in force names, whether a schema does or not."""
    rows = await connection.fetch(LIST_KNOWN_FIELDS, datasets, limit)
    return [(row["dataset_id"], row["field"]) for row in rows]


class SetRow(NamedTuple):
    """An edge set in force of a slot, and since when."""

    dataset_id: UUID
    job_id: UUID
    edge_set_id: bytes
    effective_at: datetime


FETCH_SETS_IN_FORCE = """
select s.dataset_id, s.job_id, b.edge_set_id, s.effective_at
from slot as s
join build as b on b.id = any(s.build_ids) or ($3 and b.id = s.last_known_build_id)
where
    s.dataset_id = any($1::uuid[]) and not s.ended
    and not exists (select from hidden as h where h.entity_id = s.job_id)
order by s.dataset_id, s.job_id, b.id
limit $2
"""


async def fetch_sets_in_force(
    connection: Connection, datasets: list[UUID], limit: int, *, last_known: bool
) -> list[SetRow]:
    """The edge sets of the slots of `datasets`, `limit` of them; those of what was `last_known`, too."""
    return [SetRow(*row) for row in await connection.fetch(FETCH_SETS_IN_FORCE, datasets, limit, last_known)]


class FieldRead(NamedTuple):
    """A column that a slot is made of."""

    target_dataset: UUID
    job_id: UUID
    source_dataset: UUID
    source_field: str


LIST_FIELDS_READ = """
select distinct e.target_dataset, e.job_id, e.source_dataset, e.source_field
from unnest($1::uuid[]) as source(id)
cross join lateral (
    select made.target_dataset, made.job_id, made.source_dataset, made.source_field
    from edge_active as made
    where
        made.source_dataset = source.id
        and not exists (select from hidden as h where h.entity_id in (made.job_id, made.target_dataset))
    limit $2
) as e
limit $2
"""


async def list_fields_read(connection: Connection, datasets: list[UUID], limit: int) -> list[FieldRead]:
    """Which columns of `datasets` slots are made of, `limit` rows of it."""
    return [FieldRead(*row) for row in await connection.fetch(LIST_FIELDS_READ, datasets, limit)]


LIST_JOB_TARGETS = """
select distinct made.dataset_id, made.field
from (
    (
        select e.target_dataset as dataset_id, e.target_field as field
        from slot as s
        join column_edge_in_force as e on e.target_dataset = s.dataset_id and e.job_id = s.job_id
        where s.job_id = $1 and not s.ended
        limit $2
    )
    union all
    (
        select s.dataset_id, c.field
        from slot as s
        join build as b on b.id = any(s.build_ids)
        join edge_set_column as c on c.edge_set_id = b.edge_set_id
        where s.job_id = $1 and not s.ended
        limit $2
    )
) as made
order by made.dataset_id, made.field
"""


async def list_job_targets(connection: Connection, job: UUID, limit: int) -> list[Column]:
    """The columns that a job's lineage in force makes, or knows that it can't tell about."""
    rows = await connection.fetch(LIST_JOB_TARGETS, job, limit)
    return [(row["dataset_id"], row["field"]) for row in rows]
