"""Column edges between datasets that are shown together, those that decide rows, and how many lie beside a column."""

from uuid import UUID

from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_snapshot import Connection

_EDGE = """
    e.target_dataset,
    e.target_field,
    e.source_dataset,
    e.source_field,
    e.job_id,
    e.type,
    e.subtype,
    e.masking,
    e.expression,
    e.last_known"""

FETCH_EDGES_INTO = f"""
select {_EDGE}
from edge_active as e
where
    e.target_dataset = any($1::uuid[])
    and ($2 or (e.type <> 'INDIRECT' and e.target_field <> ''))
limit $3
"""  # noqa: S608 - of constants


async def fetch_edges_into(
    connection: Connection, datasets: list[UUID], limit: int, *, rows: bool
) -> list[ColumnEdgeRow]:
    """The edges into columns of `datasets`; with `rows`, INDIRECT ones and those of whole rows (field '') too."""
    return [ColumnEdgeRow._make(row) for row in await connection.fetch(FETCH_EDGES_INTO, datasets, rows, limit)]


FETCH_ROWS_OF = f"""
select {_EDGE}
from edge_active as e
where e.target_dataset = any($1::uuid[]) and e.target_field = ''
limit $2
"""  # noqa: S608 - of constants

FETCH_ROWS_BY = f"""
select e.*
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
cross join lateral (
    select {_EDGE}
    from edge_active as e
    where
        e.source_dataset = wanted.dataset_id
        and e.source_field = wanted.field
        and e.target_field = ''
    limit $3
) as e
limit $3
"""  # noqa: S608 - of constants


async def fetch_rows_of(connection: Connection, datasets: list[UUID], limit: int) -> list[ColumnEdgeRow]:
    """The columns that decide the rows of `datasets` (target field ''), `limit` of them."""
    return [ColumnEdgeRow._make(row) for row in await connection.fetch(FETCH_ROWS_OF, datasets, limit)]


async def fetch_rows_by(connection: Connection, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
    """The datasets whose rows `columns` decide (target field ''), `limit` edges."""
    datasets, fields = [dataset for dataset, _ in columns], [field for _, field in columns]
    return [ColumnEdgeRow._make(row) for row in await connection.fetch(FETCH_ROWS_BY, datasets, fields, limit)]


COUNT_OF_DATASETS = """
select near.dataset_id, near.field, near.upstream, count(*) as n, max(near.looked_at) as looked_at
from unnest($1::uuid[]) as wanted(id)
cross join lateral (
    select distinct above.*, count(*) over () as looked_at
    from (
        select e.target_dataset as dataset_id, e.target_field as field, true as upstream, e.source_dataset as other,
            e.source_field as beside
        from edge_active as e
        where e.target_dataset = wanted.id and e.target_field <> '' and ($2 or e.type <> 'INDIRECT')
        limit $3
    ) as above
    union all
    select distinct below.*, count(*) over ()
    from (
        select e.source_dataset, e.source_field, false, e.target_dataset, e.target_field
        from edge_active as e
        where e.source_dataset = wanted.id and ($2 or (e.type <> 'INDIRECT' and e.target_field <> ''))
        limit $3
    ) as below
) as near
group by near.dataset_id, near.field, near.upstream
"""


async def count_beside_all(
    connection: Connection, datasets: list[UUID], limit: int, *, rows: bool
) -> tuple[dict[Column, tuple[int, int]], set[UUID]]:
    """Of every column of `datasets` that has edges: how many it is made of, and how many are made of it.

    And the datasets that have more edges than `limit` on a side, of which nothing is counted.
    """
    found: dict[Column, tuple[int, int]] = {}
    counted = await connection.fetch(COUNT_OF_DATASETS, datasets, rows, limit)
    full = {row["dataset_id"] for row in counted if row["looked_at"] >= limit}
    for row in counted:
        if row["dataset_id"] not in full:
            column = (row["dataset_id"], row["field"])
            up, down = found.get(column, (0, 0))
            found[column] = (row["n"], down) if row["upstream"] else (up, row["n"])
    return found, full


COUNT_BESIDE = """
select
    wanted.dataset_id,
    wanted.field,
    (
        select count(*)
        from (
            select distinct e.source_dataset, e.source_field
            from (
                select near.source_dataset, near.source_field
                from edge_active as near
                where
                    near.target_dataset = wanted.dataset_id
                    and near.target_field = wanted.field
                    and ($3 or near.type <> 'INDIRECT')
                limit $4
            ) as e
        ) as above
    ) as upstream,
    (
        select count(*)
        from (
            select distinct e.target_dataset, e.target_field
            from (
                select near.target_dataset, near.target_field
                from edge_active as near
                where
                    near.source_dataset = wanted.dataset_id
                    and near.source_field = wanted.field
                    and ($3 or (near.type <> 'INDIRECT' and near.target_field <> ''))
                limit $4
            ) as e
        ) as below
    ) as downstream
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
"""


async def count_beside(
    connection: Connection, columns: list[Column], most: int, *, rows: bool
) -> dict[Column, tuple[int, int]]:
    """By column: of how many it is made and how many are made of it, counted over `most` edges each way."""
    datasets, fields = [dataset for dataset, _ in columns], [field for _, field in columns]
    found = await connection.fetch(COUNT_BESIDE, datasets, fields, rows, most)
    return {(row["dataset_id"], row["field"]): (row["upstream"], row["downstream"]) for row in found}


FETCH_EDGES_OF = f"""
select {_EDGE}
from edge_active as e
where e.source_dataset = any($1::uuid[])
limit $2
"""  # noqa: S608 - of constants


async def fetch_edges_of(connection: Connection, datasets: list[UUID], limit: int) -> list[ColumnEdgeRow]:
    """All that is made of any column of `datasets`, or whose rows one decides, `limit` edges."""
    return [ColumnEdgeRow._make(row) for row in await connection.fetch(FETCH_EDGES_OF, datasets, limit)]
