-- What reads look up: views that name the columns of several statements once, and the versions that events name.

create view run_shown as
select
    job_id,
    run_id,
    start_at,
    running_at,
    first_at,
    last_at,
    typed,
    end_at,
    end_rank,
    parent_job,
    parent_run,
    nominal_start_at,
    nominal_end_at,
    version_id,
    placeholder,
    future
from run;

-- Few runs claim to be in the future: without an index of their own, looking for them reads all runs of a job.
create index run_of_future on run (job_id, (coalesce(start_at, running_at, first_at)) desc, run_id) where future;

-- A version of a job with the last run that had it.
create view job_version_shown as
select
    v.job_id,
    v.id,
    v.inputs,
    v.outputs,
    v.location,
    v.created_at,
    newest.run_id
from job_version as v
left join lateral (
    select r.run_id
    from run as r
    where r.job_id = v.job_id and r.version_id = v.id
    order by coalesce(r.end_at, r.first_at) desc, r.run_id desc
    limit 1
) as newest on true;

-- A write of a dataset; one that states no schema has the one before it, back to a DROP.
create view dataset_write as
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
        io.schema_id is null
        and gone.dataset_id = io.dataset_id
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.effective_at < io.effective_at
) as dropped on true
left join lateral (
    select stated.schema_id
    from run_io as stated
    where
        io.schema_id is null
        and stated.dataset_id = io.dataset_id
        and stated.side = 'o'
        and stated.class = 2
        and stated.lifecycle is distinct from 'DROP'
        and stated.schema_id is not null
        and stated.effective_at <= io.effective_at
        and stated.effective_at >= coalesce(dropped.at, '-infinity')
    order by stated.effective_at desc, stated.job_id, stated.run_id
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(io.schema_id, earlier.schema_id)
where io.side = 'o';

-- Column edges in force; target_field '' (what decides the rows of the whole output) is left out.
create view column_edge_in_force as
select
    target_dataset,
    target_field,
    source_dataset,
    source_field,
    job_id,
    type,
    subtype,
    masking,
    expression,
    last_known
from edge_active
where target_field <> '';

-- Which version an event's `version` facet names of what its run (or a static event) read or wrote: a register. version: a hash of the name.
create table named_version (
    dataset_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    side "char" not null check (side in ('i', 'o')),
    key bytea not null,
    version uuid not null,
    primary key (dataset_id, job_id, run_id, side)
);
create index named_version_writes on named_version (dataset_id, version) where side = 'o';

-- The jobs that ever wrote a dataset, or read or wrote it, without looking at each of their runs.
create function jobs_that_wrote(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    with recursive writer as (
        (select io.job_id from run_io as io where io.dataset_id = dataset and io.side = 'o' order by io.job_id limit 1)
        union all
        (
            select (
                select io.job_id
                from run_io as io
                where io.dataset_id = dataset and io.side = 'o' and io.job_id > writer.job_id
                order by io.job_id
                limit 1
            )
            from writer
            where writer.job_id is not null
        )
    )
    select job_id from writer where job_id is not null
$$;

create function jobs_that_touched(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    with recursive toucher as (
        (select io.job_id from run_io as io where io.dataset_id = dataset order by io.job_id limit 1)
        union all
        (
            select (
                select io.job_id
                from run_io as io
                where io.dataset_id = dataset and io.job_id > toucher.job_id
                order by io.job_id
                limit 1
            )
            from toucher
            where toucher.job_id is not null
        )
    )
    select job_id from toucher where job_id is not null
$$;

-- The readings of a dataset's columns that were in force at a time: of each job that had written, that of its newest write, unless a DROP or another job's OVERWRITE of all of it had ended it.
-- What a statement without job said counts while no job had written.
create function builds_at(dataset uuid, at timestamptz) returns table (job_id uuid, edge_set_id bytea)
language sql stable parallel safe
as $$
    select writer.id, made.edge_set_id
    from jobs_that_wrote(dataset) as writer(id)
    cross join lateral (
        select b.edge_set_id, io.effective_at
        from run_io as io
        join build as b on b.id = io.used_build_id and b.status <> 'failed'
        where
            io.dataset_id = dataset
            and io.job_id = writer.id
            and io.side = 'o'
            and io.class = 2
            and io.effective_at <= at
            and io.used_build_id is not null
            and io.lifecycle is distinct from 'DROP'
            and not io.future
        order by io.effective_at desc, io.run_id
        limit 1
    ) as made
    where
        (
            writer.id <> '00000000-0000-0000-0000-000000000000'
            or not exists (
                select
                from run_io as other
                where
                    other.dataset_id = dataset
                    and other.job_id <> '00000000-0000-0000-0000-000000000000'
                    and other.side = 'o'
                    and other.class = 2
                    and other.effective_at <= at
            )
        )
        and not exists (
            select
            from run_io as gone
            where
                gone.dataset_id = dataset
                and gone.side = 'o'
                and gone.class = 2
                and gone.lifecycle = 'DROP'
                and gone.effective_at > made.effective_at
                and gone.effective_at <= at
        )
        and not exists (
            select
            from run_io as over
            where
                over.dataset_id = dataset
                and over.side = 'o'
                and over.class = 2
                and over.lifecycle = 'OVERWRITE'
                and not over.subset
                and over.job_id <> writer.id
                and over.effective_at <= at
                and over.begun_at > made.effective_at
        )
$$;
