"""The figures of the whole store, or of one namespace's jobs, each from at most `limit` rows."""

from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

Counts = dict[str, int]

COUNT_RUNS = """
select state, count(*) as n
from (
    select case r.end_rank
        when 0 then 'FAILED'
        when 1 then 'ABORTED'
        when 2 then 'COMPLETED'
        else case when r.typed then 'RUNNING' else 'NEW' end
    end as state
    from run as r
    where $1::uuid is null or r.job_id in (select s.job_id from job_state as s where s.namespace_id = $1)
    limit $2
) as states
group by state
"""


async def count_runs(connection: Connection, namespace: UUID | None, limit: int) -> Counts:
    """Runs by state."""
    return {row["state"]: row["n"] for row in await connection.fetch(COUNT_RUNS, namespace, limit)}


COUNT_EDGES = """
select count(*) as n, coalesce(sum(pairs.rows), 0)::bigint as rows
from (
    select at.source_dataset, at.source_field, at.target_dataset, at.target_field, count(*) as rows
    from (
        select e.source_dataset, e.source_field, e.target_dataset, e.target_field
        from edge_active as e
        where
            e.target_field <> '' and not e.last_known
            and ($1::uuid is null or e.job_id in (select s.job_id from job_state as s where s.namespace_id = $1))
        limit $2
    ) as at
    group by at.source_dataset, at.source_field, at.target_dataset, at.target_field
) as pairs
"""


async def count_edges(connection: Connection, namespace: UUID | None, limit: int) -> tuple[int, bool]:
    """Distinct pairs of source and target column in force, and whether all rows were looked at."""
    row = await connection.fetchrow(COUNT_EDGES, namespace, limit)
    return int(row["n"]), bool(row["rows"] < limit)


# As in answers about columns: what can't be told goes before what is told, and that before silence.
COUNT_COLUMNS = """
with looked_at as materialized (
    select
        s.dataset_id,
        c.field,
        case
            when c.status = 'unresolved' and c.reason is distinct from 'not_reported' then 0
            when c.status = 'traced' then 1
            when c.status = 'constant' then 2
            else 3
        end as rank
    from slot as s
    join build as b on b.id = any(s.build_ids)
    join edge_set_column as c on c.edge_set_id = b.edge_set_id
    where
        not s.ended
        and ($1::uuid is null or s.job_id in (select j.job_id from job_state as j where j.namespace_id = $1))
    limit $2
),
stated as (
    select d.dataset_id, f.field ->> 'name' as field
    from (select distinct l.dataset_id from looked_at as l) as l
    join dataset_state as d on d.dataset_id = l.dataset_id and d.schema_origin <> 'read'
    join schema_body as body on body.id = d.schema_id
    cross join lateral jsonb_array_elements(body.fields::jsonb) as f(field)
)
select case worst.rank when 1 then 'traced' when 2 then 'constant' else 'unresolved' end as status, count(*) as n
from (
    select min(named.rank) as rank
    from (
        select l.dataset_id, l.field, l.rank from looked_at as l
        union all
        select stated.dataset_id, stated.field, 3 from stated
    ) as named
    group by named.dataset_id, named.field
) as worst
group by status
union all
select null, count(*) from looked_at
"""


async def count_columns(connection: Connection, namespace: UUID | None, limit: int) -> tuple[Counts, bool]:
    """Columns of which lineage in force tells, or should, by status, and whether all rows were looked at."""
    rows = await connection.fetch(COUNT_COLUMNS, namespace, limit)
    looked_at = sum(row["n"] for row in rows if row["status"] is None)
    return {row["status"]: row["n"] for row in rows if row["status"] is not None}, looked_at < limit


COUNT_MODELS = """
select status, count(*) as n
from (
    select b.status
    from slot as s
    join build as b on b.id = s.build_id
    where
        not s.ended
        and ($1::uuid is null or s.job_id in (select j.job_id from job_state as j where j.namespace_id = $1))
    limit $2
) as models
group by status
"""


async def count_models(connection: Connection, namespace: UUID | None, limit: int) -> Counts:
    """Active builds by status."""
    return {row["status"]: row["n"] for row in await connection.fetch(COUNT_MODELS, namespace, limit)}


COUNT_FAILED_MODELS = """
select count(*)
from (
    select distinct looked_at.dataset_id, looked_at.job_id
    from (
        select b.dataset_id, b.job_id
        from build as b
        where
            b.status = 'failed'
            and ($1::uuid is null or b.job_id in (select j.job_id from job_state as j where j.namespace_id = $1))
        limit $2
    ) as looked_at
    where not exists (
        select
        from slot as s
        where
            s.dataset_id = looked_at.dataset_id
            and s.job_id = looked_at.job_id
            and not s.ended
            and s.build_id is not null
    )
) as failed
"""


async def count_failed_models(connection: Connection, namespace: UUID | None, limit: int) -> int:
    """Outputs whose lineage failed and that have no other."""
    return int(await connection.fetchval(COUNT_FAILED_MODELS, namespace, limit))


SUM_TOTALS = """
select
    t.kind,
    t.n - (
        select count(*)
        from gone as h
        where
            h.kind = case t.kind when 'jobs' then 'job' when 'datasets' then 'dataset' end
            and not exists (select from dataset as d where d.id = h.entity_id and d.hidden)
            and ($1::uuid = '00000000-0000-0000-0000-000000000000' or h.namespace_id = $1)
    ) as n
from total as t
where t.scope = $1
"""


async def sum_totals(connection: Connection, namespace: UUID | None) -> Counts:
    """How many jobs, datasets and, over everything, namespaces there are, as kept."""
    return {row["kind"]: row["n"] for row in await connection.fetch(SUM_TOTALS, namespace or NONE)}


SUM_EVENTS = """
select coalesce(sum(events), 0)::bigint from event_hour
"""


async def sum_events(connection: Connection) -> int:
    """Events accepted, as kept by hour."""
    return int(await connection.fetchval(SUM_EVENTS))


COUNT_REJECTED = """
select coalesce(sum(count), 0)::bigint from (select count from rejected limit $1) as refused
"""


async def count_rejected(connection: Connection, limit: int) -> int:
    """Events refused, repeats too."""
    return int(await connection.fetchval(COUNT_REJECTED, limit))
