-- Explicit lineage: what `lineage` facets state of where a dataset's data comes from.

-- Registers by (run or static statement, dataset); dataset none: whether the run's or job's facet was given at all, so that nothing is concluded from what it leaves out.
-- sources: the datasets that feed it, empty = vouched none. build_id: what it states of columns; null: nothing. deleted_key: the newest deletion.
-- in_force: the facet that said so wasn't deleted later (dataset none has the deletions of the whole facet).
create table told_lineage (
    job_id uuid not null,
    run_id uuid not null,
    dataset_id uuid not null,
    key bytea,
    deleted_key bytea,
    sources uuid[],
    build_id bytea,
    in_force boolean not null default false,
    primary key (job_id, run_id, dataset_id)
);

-- Derived: the build that an explicit statement in force gives; it goes before that of columnLineage.
alter table run_io add column told_build_id bytea;
alter table run_io add column used_build_id bytea generated always as (coalesce(told_build_id, build_id)) stored;

drop index run_io_builds;
drop index run_io_by_build;
create index run_io_builds on run_io (dataset_id, job_id, class desc, future, effective_at desc, run_id)
where side = 'o' and used_build_id is not null;
create index run_io_by_build on run_io (dataset_id, job_id, used_build_id) where side = 'o' and used_build_id is not null;

-- Runs across jobs, the last started first.
create index run_by_time on run ((coalesce(start_at, running_at, first_at)) desc, job_id desc, run_id desc);

-- above_ended: the parent or root has an end. It is looked for under the job that was named; if that never spoke, under any other with the run's id, as tools call one job differently.
create view run_listed as
select
    r.job_id,
    r.run_id,
    r.external_id,
    n.name as namespace,
    j.name as job,
    coalesce(r.start_at, r.running_at, r.first_at) as sorted_at,
    r.start_at,
    r.running_at,
    r.first_at,
    r.last_at,
    r.typed,
    r.end_at,
    r.end_rank,
    r.ends_seen,
    r.nominal_start_at,
    r.nominal_end_at,
    r.streaming,
    r.placeholder,
    r.future,
    r.parent_run,
    pn.name as parent_namespace,
    p.name as parent_job,
    r.root_run,
    rn.name as root_namespace,
    o.name as root_job,
    r.end_rank is null and exists (
        select
        from (values (r.parent_job, r.parent_run), (r.root_job, r.root_run)) as named (job_id, run_id)
        join run as above on above.run_id = named.run_id and above.end_rank is not null
        where
            (above.job_id, above.run_id) <> (r.job_id, r.run_id)
            and (
                above.job_id = named.job_id
                or not exists (
                    select
                    from run as told
                    where told.job_id = named.job_id and told.run_id = named.run_id and not told.placeholder
                )
            )
    ) as above_ended
from run as r
join job as j on j.id = r.job_id
join namespace as n on n.id = j.namespace_id
left join job as p on p.id = r.parent_job
left join namespace as pn on pn.id = p.namespace_id
left join job as o on o.id = r.root_job
left join namespace as rn on rn.id = o.namespace_id;
