"""All that a walk may reach, in one statement: a round trip for each level costs more than its few rows.

Each gives None where there is more than may be looked at: then a walk goes level by level.
"""

from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_snapshot import Connection

MOST_COLUMNS_AHEAD, MOST_EDGES_AHEAD = 1_000, 5_000
MOST_NODES_AHEAD, MOST_STEPS_AHEAD = 500, 5_000

# The recursion stops where the limit outside it is reached; `reached` says whether it was.
LOOK_UPSTREAM = """
with recursive near (dataset_id, field) as (
    select start.dataset_id, start.field from unnest($1::uuid[], $2::text[]) as start(dataset_id, field)
    union
    select e.source_dataset, e.source_field
    from near
    join edge_active as e
        on e.target_dataset = near.dataset_id and e.target_field = near.field and e.target_field <> ''
)
select e.*, reached.n as columns
from (select near.*, count(*) over () as n from (select * from near limit $3) as near) as reached
left join lateral (
    select *
    from column_edge_in_force as edge
    where edge.target_dataset = reached.dataset_id and edge.target_field = reached.field
    limit $4
) as e on true
limit $4
"""

LOOK_DOWNSTREAM = """
with recursive near (dataset_id, field) as (
    select start.dataset_id, start.field from unnest($1::uuid[], $2::text[]) as start(dataset_id, field)
    union
    select e.target_dataset, e.target_field
    from near
    join edge_active as e
        on e.source_dataset = near.dataset_id and e.source_field = near.field and e.target_field <> ''
)
select e.*, reached.n as columns
from (select near.*, count(*) over () as n from (select * from near limit $3) as near) as reached
left join lateral (
    select *
    from column_edge_in_force as edge
    where edge.source_dataset = reached.dataset_id and edge.source_field = reached.field
    limit $4
) as e on true
limit $4
"""


async def look_at_columns(
    connection: Connection, columns: list[Column], *, upstream: bool
) -> list[ColumnEdgeRow] | None:
    """All edges that lead, over any others, into `columns` (or, not `upstream`, out of them)."""
    datasets, fields = [dataset for dataset, _ in columns], [field for _, field in columns]
    sql = LOOK_UPSTREAM if upstream else LOOK_DOWNSTREAM
    rows = await connection.fetch(sql, datasets, fields, MOST_COLUMNS_AHEAD, MOST_EDGES_AHEAD)
    if len(rows) == MOST_EDGES_AHEAD or any(row["columns"] == MOST_COLUMNS_AHEAD for row in rows[:1]):
        return None
    return [ColumnEdgeRow._make(tuple(row)[:-1]) for row in rows if row["target_dataset"] is not None]


LOOK_AROUND = """
with recursive near (id, is_job) as (
    select start.id, start.is_job from unnest($1::uuid[], $2::boolean[]) as start(id, is_job)
    union
    select beside.id, beside.is_job
    from near
    cross join lateral (
        select s.job_id as id, true as is_job
        from slot as s
        where not near.is_job and s.dataset_id = near.id and s.job_id <> $3 and not s.ended
        union all
        select e.job_id, true
        from table_edge as e
        where not near.is_job and e.source_dataset = near.id and e.job_id <> $3
        union all
        select s.dataset_id, false
        from slot as s
        where near.is_job and s.job_id = near.id and s.dataset_id <> $3 and not s.ended
        union all
        select e.source_dataset, false
        from table_edge as e
        where near.is_job and e.job_id = near.id
    ) as beside
)
select distinct reached.n as nodes, reached.id as job_id, io.dataset_id, io.side
from (select near.*, count(*) over () as n from (select * from near limit $4) as near) as reached
cross join lateral (
    (
        select s.dataset_id, 'o' as side
        from slot as s
        where s.job_id = reached.id and s.dataset_id <> $3 and not s.ended
        limit $5
    )
    union all
    (select e.source_dataset, 'i' from table_edge as e where e.job_id = reached.id limit $5)
) as io
where reached.is_job
limit $5
"""


async def look_around(connection: Connection, jobs: list[UUID], datasets: list[UUID]) -> list[StepRow] | None:
    """What all jobs read and write that any way leads to from these jobs and datasets."""
    is_job = [True] * len(jobs) + [False] * len(datasets)
    rows = await connection.fetch(LOOK_AROUND, [*jobs, *datasets], is_job, NONE, MOST_NODES_AHEAD, MOST_STEPS_AHEAD)
    if len(rows) == MOST_STEPS_AHEAD or any(row["nodes"] == MOST_NODES_AHEAD for row in rows[:1]):
        return None
    return [StepRow(row["job_id"], row["dataset_id"], row["side"]) for row in rows]
