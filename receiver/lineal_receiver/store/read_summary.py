"""The figures of the whole store, or of one namespace's jobs, each from at most `limit` rows."""

from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection

Counts = dict[str, int]

# The jobs that count as a namespace's, under all their names.
JOBS_OF_NAMESPACE = """
            select j.job_id
            from job_state as j
            where j.namespace_id = $1 and not exists (select from canon as c where c.id = j.job_id)
            union all
            select c.id
            from job_state as j
            join canon as c on c.root_id = j.job_id
            where j.namespace_id = $1
"""

COUNT_RUNS = f"""
select state, count(*) as n
from (
    select case r.end_rank
        when 0 then 'FAILED'
        when 1 then 'ABORTED'
        when 2 then 'COMPLETED'
        else case when r.typed then 'RUNNING' else 'NEW' end
    end as state
    from run as r
    where $1::uuid is null or r.job_id in ({JOBS_OF_NAMESPACE})
    limit $2
) as states
group by state
"""  # noqa: S608 - of constants


async def count_runs(connection: Connection, namespace: UUID | None, limit: int) -> Counts:
    """Runs by state."""
    return {row["state"]: row["n"] for row in await connection.fetch(COUNT_RUNS, namespace, limit)}


# Most stores have nothing deleted: then it isn't asked of each edge.
_IN_FORCE = f"""
            e.target_field <> '' and not e.last_known
            and (
                not exists (select from hidden)
                or not exists (select from hidden as h where h.entity_id = e.job_id)
                and not exists (select from hidden as h where h.entity_id = e.source_dataset)
                and not exists (select from hidden as h where h.entity_id = e.target_dataset)
            )
            and ($1::uuid is null or e.job_id in ({JOBS_OF_NAMESPACE}))"""  # noqa: S608 - of constants
_COUNT_BEGINS = """
select count(*) as n, coalesce(sum(pairs.rows), 0)::bigint as rows
from (
    select at.source_dataset, at.source_field, at.target_dataset, at.target_field, count(*) as rows
    from ("""
_COUNT_ENDS = """
        limit $2
    ) as at
    group by at.source_dataset, at.source_field, at.target_dataset, at.target_field
) as pairs
"""
COUNT_EDGES = f"""{_COUNT_BEGINS}
        select e.source_dataset, e.source_field, e.target_dataset, e.target_field
        from edge_active as e
        where {_IN_FORCE}{_COUNT_ENDS}"""  # noqa: S608 - of constants

# Where names have others: of what is made of one that only an alias mentions, by the name that it stands for.
COUNT_EDGES_BESIDE = f"""{_COUNT_BEGINS}
        select coalesce(c.root_id, e.source_dataset) as source_dataset, e.source_field, e.target_dataset, e.target_field
        from edge_active as e
        left join canon as c on c.id = e.source_dataset
        where {_IN_FORCE}
            and not exists (
                select from unnest($3::uuid[]) as apart(id) where apart.id in (e.source_dataset, e.target_dataset)
            ){_COUNT_ENDS}"""  # noqa: S608 - of constants


async def count_edges(
    connection: Connection, namespace: UUID | None, limit: int, apart: list[UUID] | None
) -> tuple[int, bool]:
    """Distinct pairs of source and target column in force, and whether all rows were looked at.

    Without those of datasets `apart`; None: no name has another.
    """
    if apart is None:
        row = await connection.fetchrow(COUNT_EDGES, namespace, limit)
    else:
        row = await connection.fetchrow(COUNT_EDGES_BESIDE, namespace, limit, apart)
    return int(row["n"]), bool(row["rows"] < limit)


COUNT_MODELS = f"""
select status, count(*) as n
from (
    select b.status
    from slot as s
    join build as b on b.id = s.build_id
    where
        not s.ended
        and not exists (select from hidden as h where h.entity_id = s.job_id)
        and not exists (select from hidden as h where h.entity_id = s.dataset_id)
        and ($1::uuid is null or s.job_id in ({JOBS_OF_NAMESPACE}))
        and s.dataset_id <> all($3::uuid[])
    limit $2
) as models
group by status
"""  # noqa: S608 - of constants


async def count_models(connection: Connection, namespace: UUID | None, limit: int, apart: list[UUID]) -> Counts:
    """Active builds by status, without those of datasets `apart`."""
    return {row["status"]: row["n"] for row in await connection.fetch(COUNT_MODELS, namespace, limit, apart)}


COUNT_FAILED_MODELS = f"""
select count(*)
from (
    select distinct looked_at.dataset_id, looked_at.job_id
    from (
        select b.dataset_id, b.job_id
        from build as b
        where
            b.status = 'failed'
            and not exists (select from hidden as h where h.entity_id = b.job_id)
            and not exists (select from hidden as h where h.entity_id = b.dataset_id)
            and ($1::uuid is null or b.job_id in ({JOBS_OF_NAMESPACE}))
            and b.dataset_id <> all($3::uuid[])
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
"""  # noqa: S608 - of constants


async def count_failed_models(connection: Connection, namespace: UUID | None, limit: int, apart: list[UUID]) -> int:
    """Outputs whose lineage failed and that have no other, without datasets `apart`."""
    return int(await connection.fetchval(COUNT_FAILED_MODELS, namespace, limit, apart))


SUM_TOTALS = """
select t.kind, t.n from total as t where t.scope = $1
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
