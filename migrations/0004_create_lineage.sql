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
