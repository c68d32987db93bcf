-- What was ever made from what by what was told of columns, or by a DatasetEvent's `lineage` facet (its job: none), in force or not: where a graph of the past is looked for that no run's inputs lead to.
create table made_from (
    source_dataset uuid not null,
    job_id uuid not null,
    target_dataset uuid not null,
    primary key (source_dataset, job_id, target_dataset)
);
insert into made_from (source_dataset, job_id, target_dataset)
select distinct e.source_dataset, b.job_id, b.dataset_id
from build as b
join (select distinct edge_set_id, source_dataset from edge) as e on e.edge_set_id = b.edge_set_id
union
select source.id, s.job_id, s.dataset_id
from statement as s
cross join lateral unnest(s.datasets) as source (id)
where s.kind = 't' and s.job_id = '00000000-0000-0000-0000-000000000000';

create or replace function jobs_that_touched(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    select j.job_id from job_dataset as j where j.dataset_id = dataset
    union
    select m.job_id from made_from as m where m.source_dataset = dataset
$$;

-- What column edges in force come from is a source of the table, too, unless a `lineage` facet in force tells these.
insert into table_edge (target_dataset, job_id, source_dataset)
select distinct a.target_dataset, a.job_id, a.source_dataset
from edge_active as a
where
    not a.last_known
    and not exists (
        select
        from slot as s
        cross join lateral unnest(s.run_ids) as r (id)
        join told_lineage as t on t.job_id = s.job_id and t.run_id = r.id and t.in_force and t.sources is not null
        where
            s.dataset_id = a.target_dataset and s.job_id = a.job_id
            and t.dataset_id in (s.dataset_id, '00000000-0000-0000-0000-000000000000')
    )
on conflict do nothing;
