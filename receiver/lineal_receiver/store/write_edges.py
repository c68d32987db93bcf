"""Edges in force, kept apart from the history of builds: made equal to what the slots say."""

from collections.abc import Collection, Sequence
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

# `offset 0`, and keys given as sets beside a delete's join: look a row up by its whole key. Plans from when tables were
# small take all runs of a job instead, or all rows of the table.
_READ = """(
            i.stated_key is null
            or (i.future, i.stated_key) = (
                select v.future, v.stated_key
                from newest_statement as v
                where v.job_id = i.job_id and v.side = 'i'
            )
        )
        and (
            s.dataset_id = '00000000-0000-0000-0000-000000000000'
            or not exists (
                select 1
                from told_lineage as t
                where
                    t.job_id = i.job_id and t.run_id = i.run_id and t.in_force and t.sources is not null
                    and (t.dataset_id = s.dataset_id or t.dataset_id = '00000000-0000-0000-0000-000000000000')
            )
        )"""

# What `columnLineage` tells of a dataset is believed of its tables, too, where no `lineage` facet tells these.
_UNTOLD = """not exists (
            select
            from slot as s
            cross join lateral unnest(s.run_ids) as r (id)
            join told_lineage as t on t.job_id = s.job_id and t.run_id = r.id and t.in_force and t.sources is not null
            where
                s.dataset_id = k.dataset_id and s.job_id = k.job_id
                and t.dataset_id in (k.dataset_id, '00000000-0000-0000-0000-000000000000')
        )"""

# The edges of columns are looked at last, and by target: of what no run named as an input there is mostly nothing.
DELETE_TABLE_EDGES = f"""
delete from table_edge as e
using unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
where
    e.target_dataset = any($1::uuid[])
    and e.job_id = any($2::uuid[])
    and e.target_dataset = k.dataset_id
    and e.job_id = k.job_id
    and not exists (
        select 1
        from slot as s
        cross join lateral unnest(s.run_ids) as r (id)
        cross join lateral (
            select t.sources
            from told_lineage as t
            where t.job_id = s.job_id and t.run_id = r.id and t.dataset_id = s.dataset_id and t.in_force
            offset 0
        ) as t
        where
            s.dataset_id = k.dataset_id and s.job_id = k.job_id and not s.ended and e.source_dataset = any(t.sources)
    )
    and case
        when
            exists (
                select 1
                from slot as s
                cross join lateral unnest(s.run_ids) as r (id)
                cross join lateral (
                    select i.job_id, i.run_id, i.future, i.stated_key
                    from run_io as i
                    where
                        i.job_id = s.job_id and i.run_id = r.id and i.side = 'i' and i.dataset_id = e.source_dataset
                        and i.named_at is not null
                    offset 0
                ) as i
                where
                    s.dataset_id = k.dataset_id and s.job_id = k.job_id and not s.ended
                    and {_READ}
            )
            then false
        else
            not exists (
                select
                from (
                    select c.source_dataset
                    from edge_active as c
                    where c.target_dataset = k.dataset_id and c.job_id = k.job_id and not c.last_known
                    offset 0
                ) as c
                where c.source_dataset = e.source_dataset
            )
            or not {_UNTOLD}
    end
"""  # noqa: S608 - of constants

# The slot of a key.
_SLOT = """cross join lateral (
    select n.dataset_id, n.job_id, n.run_ids, n.ended
    from slot as n
    where n.dataset_id = k.dataset_id and n.job_id = k.job_id
    offset 0
) as s"""

SETTLE_TABLE_EDGES = f"""
with gone as ({DELETE_TABLE_EDGES})
insert into table_edge (target_dataset, job_id, source_dataset)
select distinct k.dataset_id, k.job_id, i.dataset_id
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
{_SLOT}
cross join lateral unnest(s.run_ids) as r (id)
cross join lateral (
    select i.dataset_id, i.job_id, i.run_id, i.future, i.stated_key
    from run_io as i
    where i.job_id = s.job_id and i.run_id = r.id and i.side = 'i' and i.named_at is not null
    offset 0
) as i
where
    not s.ended
    and {_READ}
union
select k.dataset_id, k.job_id, told.source
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
{_SLOT}
cross join lateral unnest(s.run_ids) as r (id)
cross join lateral (
    select t.sources
    from told_lineage as t
    where t.job_id = s.job_id and t.run_id = r.id and t.dataset_id = s.dataset_id and t.in_force
    offset 0
) as t
cross join lateral unnest(t.sources) as told (source)
where not s.ended
union
select k.dataset_id, k.job_id, c.source_dataset
from (
    select k.dataset_id, k.job_id
    from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as k (dataset_id, job_id, built)
    where
        (k.built or exists (select from told_lineage as t where t.job_id = k.job_id))
        and {_UNTOLD}
    offset 0
) as k
join edge_active as c on c.target_dataset = k.dataset_id and c.job_id = k.job_id and not c.last_known
order by 1, 2, 3
on conflict do nothing
"""  # noqa: S608 - of constants


async def settle_table_edges(
    connection: asyncpg.Connection, pairs: Sequence[tuple[UUID, UUID]], built: Collection[tuple[UUID, UUID]] = ()
) -> None:
    """Make the table edges of these (dataset, job) what their slots' runs read, or told that they were made from.

    What their column edges, settled before, come from counts as read; `built`: the pairs of which these changed.
    """
    await connection.execute(SETTLE_TABLE_EDGES, *transpose(pairs, 2), [pair in built for pair in pairs])


DELETE_EDGES = """
delete from edge_active as a
using unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
where
    a.target_dataset = k.dataset_id
    and a.job_id = k.job_id
    and not exists (
        select 1
        from slot as s
        join build as b on b.id = any(array_append(s.build_ids, s.last_known_build_id))
        join edge as e on e.edge_set_id = b.edge_set_id
        where
            s.dataset_id = k.dataset_id
            and s.job_id = k.job_id
            and not s.ended
            and e.target_field = a.target_field
            and e.source_dataset = a.source_dataset
            and e.source_field = a.source_field
            and e.type = a.type
            and e.subtype = a.subtype
    )
"""

WRITE_EDGES = """
insert into edge_active as a (
    target_dataset, job_id, target_field, source_dataset, source_field, type, subtype, masking, expression, last_known
)
select
    k.dataset_id,
    k.job_id,
    e.target_field,
    e.source_dataset,
    e.source_field,
    e.type,
    e.subtype,
    bool_or(e.masking),
    min(coalesce(c.expression, e.expression) collate "C"),
    bool_and(b.id <> all (s.build_ids))
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
join slot as s on s.dataset_id = k.dataset_id and s.job_id = k.job_id and not s.ended
join build as b on b.id = any(array_append(s.build_ids, s.last_known_build_id))
join edge as e on e.edge_set_id = b.edge_set_id
left join edge_set_column as c on c.edge_set_id = e.edge_set_id and c.field = e.target_field and e.target_field <> ''
group by k.dataset_id, k.job_id, e.target_field, e.source_dataset, e.source_field, e.type, e.subtype
order by 1, 2, 3, 4, 5, 6, 7
"""

OVERWRITE_EDGES = f"""{WRITE_EDGES}
on conflict (target_dataset, job_id, target_field, source_dataset, source_field, type, subtype) do update set
    masking = excluded.masking,
    expression = excluded.expression,
    last_known = excluded.last_known
where
    (a.masking, a.expression, a.last_known)
    is distinct from (excluded.masking, excluded.expression, excluded.last_known)
"""

INSERT_EDGES_OF_ONE = """
insert into edge_active (
    target_dataset, job_id, target_field, source_dataset, source_field, type, subtype, masking, expression, last_known
)
select
    k.dataset_id,
    k.job_id,
    e.target_field,
    e.source_dataset,
    e.source_field,
    e.type,
    e.subtype,
    e.masking,
    coalesce(c.expression, e.expression),
    false
from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as k (dataset_id, job_id, build_id)
cross join lateral (select n.edge_set_id from build as n where n.id = k.build_id offset 0) as b
join edge as e on e.edge_set_id = b.edge_set_id
left join edge_set_column as c on c.edge_set_id = e.edge_set_id and c.field = e.target_field and e.target_field <> ''
"""


async def insert_edges_of_one(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, UUID, bytes]]) -> None:
    """Put the column edges of one build each (dataset, job, build) in force, where none are in force yet."""
    await connection.execute(INSERT_EDGES_OF_ONE, *transpose(rows, 3))


FETCH_WITH_EDGES = """
select k.dataset_id, k.job_id
from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
cross join lateral (
    select from edge_active as a where a.target_dataset = k.dataset_id and a.job_id = k.job_id limit 1
) as a
"""


async def settle_edges(connection: asyncpg.Connection, pairs: Sequence[tuple[UUID, UUID]]) -> None:
    """Make the column edges of these (dataset, job) the union of their slots' builds."""
    held = {tuple(row) for row in await connection.fetch(FETCH_WITH_EDGES, *transpose(pairs, 2))}
    if held:
        columns = transpose([pair for pair in pairs if pair in held], 2)
        await connection.execute(DELETE_EDGES, *columns)
        await connection.execute(OVERWRITE_EDGES, *columns)
    if len(held) < len(pairs):  # half the cost, where nothing can be in the way
        await connection.execute(WRITE_EDGES, *transpose([pair for pair in pairs if pair not in held], 2))
