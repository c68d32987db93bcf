"""Column edges between datasets that are shown together, those that decide rows, and how many lie beside a column."""

from uuid import UUID

from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.tuples import make_tuples

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
    return make_tuples(ColumnEdgeRow, await connection.fetch(FETCH_EDGES_INTO, datasets, rows, limit))


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
    return make_tuples(ColumnEdgeRow, await connection.fetch(FETCH_ROWS_OF, datasets, limit))


async def fetch_rows_by(connection: Connection, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
    """The datasets whose rows `columns` decide (target field ''), `limit` edges."""
    datasets, fields = [dataset for dataset, _ in columns], [field for _, field in columns]
    return make_tuples(ColumnEdgeRow, await connection.fetch(FETCH_ROWS_BY, datasets, fields, limit))


# What is deleted counts nowhere; of most stores, where nothing is, it isn't asked of each edge.
# Lists of a dataset's columns: to send a row for each costs more than to count. Lists of text are all that can be read
# of a statement that is asked together with others.
COUNT_OF_DATASETS = """
select wanted.id, above.*, below.*
from unnest($1::uuid[]) as wanted(id)
cross join lateral (
    select array_agg(counted.field), array_agg(counted.n::text), coalesce(sum(counted.looked_at), 0)::bigint
    from (
        select near.field, count(*) as n, sum(near.times) as looked_at
        from (
            select one.field, count(*) as times
            from (
                select e.target_field as field, e.source_dataset as other, e.source_field as beside
                from edge_active as e
                where
                    e.target_dataset = wanted.id and e.target_field <> '' and ($2 or e.type <> 'INDIRECT')
                    and (
                        not exists (select from hidden)
                        or not exists (select from hidden as h where h.entity_id in (e.job_id, e.source_dataset))
                    )
                limit $3
            ) as one
            group by one.field, one.other, one.beside
        ) as near
        group by near.field
    ) as counted
) as above(fields_made, made_of, looked_at)
cross join lateral (
    select array_agg(counted.field), array_agg(counted.n::text), coalesce(sum(counted.looked_at), 0)::bigint
    from (
        select near.field, count(*) filter (where near.counts) as n, sum(near.times) as looked_at
        from (
            select one.field, bool_or(one.counts) as counts, count(*) as times
            from (
                select
                    e.source_field as field,
                    e.target_dataset as other,
                    e.target_field as beside,
                    $2 or (e.type <> 'INDIRECT' and e.target_field <> '') as counts
                from edge_active as e
                where
                    e.source_dataset = wanted.id
                    and (
                        not exists (select from hidden)
                        or not exists (select from hidden as h where h.entity_id in (e.job_id, e.target_dataset))
                    )
                limit $3
            ) as one
            group by one.field, one.other, one.beside
        ) as near
        group by near.field
    ) as counted
) as below(fields_used, made_for, looked_below)
"""


async def count_beside_all(
    connection: Connection, datasets: list[UUID], limit: int, *, rows: bool
) -> tuple[dict[Column, tuple[int, int]], set[UUID]]:
    """Of every column of `datasets` that has edges: how many it is made of, and how many are made of it.

    And the datasets that have more edges than `limit` on a side, of which nothing is counted.
    """
    found: dict[Column, tuple[int, int]] = {}
    full: set[UUID] = set()
    for row in await connection.fetch(COUNT_OF_DATASETS, datasets, rows, limit):
        dataset, made, ups, above, used, downs, below = row
        if above >= limit or below >= limit:
            full.add(dataset)
            continue
        up = dict(zip(made or (), ups or (), strict=True))
        down = dict(zip(used or (), downs or (), strict=True))
        for field in up.keys() | down.keys():
            found[dataset, field] = (int(up.get(field, 0)), int(down.get(field, 0)))
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
                    and (
                        not exists (select from hidden)
                        or not exists (select from hidden as h where h.entity_id in (near.job_id, near.source_dataset))
                    )
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
                    and (
                        not exists (select from hidden)
                        or not exists (select from hidden as h where h.entity_id in (near.job_id, near.target_dataset))
                    )
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
    return make_tuples(ColumnEdgeRow, await connection.fetch(FETCH_EDGES_OF, datasets, limit))
