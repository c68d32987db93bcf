-- One index where there were two: what carries a build stands apart in it from what doesn't.
alter table run_io add column has_build boolean not null generated always as (coalesce(told_build_id, build_id) is not null) stored;
drop index run_io_by_job;
drop index run_io_builds;
create index run_io_by_job on run_io (dataset_id, job_id, future desc, class, has_build, effective_at, run_id desc) where side = 'o';

-- A dataset's readers are found by their jobs, its writes by the build that they carry, too.
drop index run_io_by_dataset;
create index run_io_reads on run_io (uuid_send(dataset_id), job_id) where side = 'i';
create index run_io_by_build on run_io (dataset_id, job_id, (coalesce(told_build_id, build_id)), future desc, effective_at)
where side = 'o' and has_build;
alter table run_io drop column used_build_id;

-- Where few rows or none are looked for, by another spelling of the dataset: so that plans from when the tables were small can't take another index, or this one for another question.
drop index run_io_drops;
create index run_io_drops on run_io (uuid_send(dataset_id), future, effective_at) where side = 'o' and lifecycle = 'DROP';
drop index run_io_overwrites;
create index run_io_overwrites on run_io (uuid_send(dataset_id), effective_at) where side = 'o' and lifecycle = 'OVERWRITE';

create or replace view dataset_write as
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    b.id as schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
    io.class,
    io.future
from run_io as io
left join lateral (
    select max(gone.effective_at) as at
    from run_io as gone
    where
        (io.schema_id is null or io.stated_key is not null)
        and uuid_send(gone.dataset_id) = uuid_send(io.dataset_id)
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.future <= io.future
        and gone.effective_at < io.effective_at
) as dropped on true
cross join lateral (
    select case
        when io.stated_key is not null and io.schema_key < first_key(dropped.at) then null
        else io.schema_id
    end as schema_id
) as own
left join lateral (
    select stated.schema_id
    from (values (false), (true)) as rank (future)
    cross join lateral (
        select s.schema_id
        from run_io as s
        where
            own.schema_id is null
            and rank.future <= io.future
            and s.dataset_id = io.dataset_id
            and s.side = 'o'
            and s.class = 2
            and s.future = rank.future
            and s.lifecycle is distinct from 'DROP'
            and s.schema_id is not null
            and s.effective_at <= io.effective_at
            and s.effective_at >= coalesce(dropped.at, '-infinity')
            and (s.stated_key is null or dropped.at is null or s.schema_key >= first_key(dropped.at))
        order by s.effective_at desc, s.job_id, s.run_id
        limit 1
    ) as stated
    order by rank.future
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(own.schema_id, earlier.schema_id)
where io.side = 'o';

-- The runs, and what stands for them, that read or wrote a dataset.
create function runs_of_dataset(dataset uuid) returns table (job_id uuid, run_id uuid)
language sql stable parallel safe
as $$
    select io.job_id, io.run_id from run_io as io where uuid_send(io.dataset_id) = uuid_send(dataset) and io.side = 'i'
    union all
    select io.job_id, io.run_id from run_io as io where io.dataset_id = dataset and io.side = 'o'
$$;

create or replace function dataset_outlives(dataset uuid, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return exists (
    select from static_seen as s
    where s.dataset_id = dataset and not s.future and join_seen(mark, s.seen) is distinct from mark
) or exists (
    select
    from runs_of_dataset(dataset) as io
    join run as r on r.job_id = io.job_id and r.run_id = io.run_id and r.last_at >= at
    where
        exists (
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
        (
            select io.job_id
            from run_io as io
            where uuid_send(io.dataset_id) = uuid_send(dataset) and io.side = 'i'
            order by io.job_id
            limit 1
        )
        union all
        (
            select (
                select io.job_id
                from run_io as io
                where uuid_send(io.dataset_id) = uuid_send(dataset) and io.side = 'i' and io.job_id > reader.job_id
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
