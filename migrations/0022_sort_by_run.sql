-- What runs said of datasets lies together by run: ids of new runs mostly come last, where pages fill up instead of being split in halves.
alter table run_io drop constraint run_io_pkey;
alter table run_io add primary key (run_id, job_id, side, dataset_id);

-- Which datasets a job ever named (side: i input, o output), a row each, instead of an index over all its runs.
create table job_dataset (
    job_id uuid not null,
    side "char" not null check (side in ('i', 'o')),
    dataset_id uuid not null,
    primary key (job_id, side, dataset_id)
);
insert into job_dataset (job_id, side, dataset_id) select distinct job_id, side, dataset_id from run_io;
create index job_dataset_by_dataset on job_dataset (dataset_id, side, job_id);
drop index run_io_reads;

create or replace function jobs_that_wrote(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    select j.job_id from job_dataset as j where j.dataset_id = dataset and j.side = 'o'
$$;

create or replace function jobs_that_touched(dataset uuid) returns setof uuid
language sql stable parallel safe
as $$
    select distinct j.job_id from job_dataset as j where j.dataset_id = dataset
$$;

-- Of readers all runs are looked at, and those that stand for static events.
create or replace function runs_of_dataset(dataset uuid) returns table (job_id uuid, run_id uuid)
language sql stable parallel safe
as $$
    select io.job_id, io.run_id
    from job_dataset as j
    join run as r on r.job_id = j.job_id
    join run_io as io on io.run_id = r.run_id and io.job_id = r.job_id and io.side = 'i' and io.dataset_id = j.dataset_id
    where j.dataset_id = dataset and j.side = 'i'
    union all
    select io.job_id, io.run_id
    from job_dataset as j
    join run_io as io
        on io.job_id = j.job_id and io.side = 'i' and io.stated_key is not null and io.dataset_id = j.dataset_id
    where j.dataset_id = dataset and j.side = 'i'
    union all
    select io.job_id, io.run_id from run_io as io where io.dataset_id = dataset and io.side = 'o'
$$;
