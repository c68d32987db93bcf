-- One index where there were two: what carries a build stands apart in it from what doesn't.
alter table run_io add column has_build boolean not null generated always as (coalesce(told_build_id, build_id) is not null) stored;
drop index run_io_by_job;
drop index run_io_builds;
create index run_io_by_job on run_io (dataset_id, job_id, future desc, class, has_build, effective_at, run_id desc) where side = 'o';

-- A dataset's readers are found by their jobs, its writes by the build that they carry, too.
drop index run_io_by_dataset;
create index run_io_reads on run_io (dataset_id, job_id) where side = 'i';
create index run_io_by_build on run_io (dataset_id, job_id, (coalesce(told_build_id, build_id)), future desc, effective_at)
where side = 'o' and has_build;
alter table run_io drop column used_build_id;

-- For questions about a dataset that don't ask for the side.
create view run_io_of_dataset as
select dataset_id, job_id, run_id, side from run_io where side = 'i'
union all
select dataset_id, job_id, run_id, side from run_io where side = 'o';

create or replace function dataset_outlives(dataset uuid, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return exists (
    select from static_seen as s
    where s.dataset_id = dataset and not s.future and join_seen(mark, s.seen) is distinct from mark
) or exists (
    select
    from run_io_of_dataset as io
    join run as r on r.job_id = io.job_id and r.run_id = io.run_id and r.last_at >= at
    where
        io.dataset_id = dataset
        and exists (
            select from log as l
            where
                l.run_id = io.run_id and l.job_id = io.job_id and l.event_time >= at
                and counts(l.flags, l.job_id, l.run_id)
                and (l.event_time > at or not has_seen(mark, l.id))
        )
);

create or replace function jobs_that_touched(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    with recursive reader as (
        (select io.job_id from run_io as io where io.dataset_id = dataset and io.side = 'i' order by io.job_id limit 1)
        union all
        (
            select (
                select io.job_id
                from run_io as io
                where io.dataset_id = dataset and io.side = 'i' and io.job_id > reader.job_id
                order by io.job_id
                limit 1
            )
            from reader
            where reader.job_id is not null
        )
    )
    select job_id from reader where job_id is not null
    union
    select * from jobs_that_wrote(dataset)
$$;

-- Nobody asks it any more.
drop function builds_at;
