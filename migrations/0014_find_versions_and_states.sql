-- What reads look up: a version by its id, and jobs by the state of their newest run.

-- A version's id is a hash: by a part of it, it is found without hashing every write of a dataset.
-- Writes by time alone are looked for by nobody; of a class and not from the future, run_io_by_class has them.
drop index run_io_writes;
create index run_io_by_version on run_io (uuid_hash(write_version(dataset_id, job_id, run_id, schema_id, lifecycle)))
where side = 'o' and class > 0;

-- Derived: the state of each job's newest run: 0 FAILED, 1 ABORTED, 2 COMPLETED, 3 RUNNING, 4 NEW. Not indexed by it, so that a change stays on its page.
create table job_newest (
    job_id uuid primary key,
    namespace_id uuid not null,
    state smallint not null
) with (fillfactor = 80);
create index job_newest_by_namespace on job_newest (namespace_id);

-- The state of the newest run under any of a job's names: of one that spoke, if any did; from the future, if there is no other.
create function newest_state(jobs uuid[]) returns smallint
language sql stable parallel safe
as $$
    select coalesce(
        (
            select coalesce(newest.end_rank, case when newest.typed then 3 else 4 end)::smallint
            from unnest(jobs) as job(id)
            cross join lateral (
                select r.end_rank, r.typed, r.run_id, coalesce(r.start_at, r.running_at, r.first_at) as began_at
                from run as r
                where r.job_id = job.id and not r.future and not r.placeholder
                order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
                limit 1
            ) as newest
            order by newest.began_at desc, newest.run_id
            limit 1
        ),
        (
            select coalesce(newest.end_rank, case when newest.typed then 3 else 4 end)::smallint
            from unnest(jobs) as job(id)
            cross join lateral (
                select r.end_rank, r.typed, r.run_id, coalesce(r.start_at, r.running_at, r.first_at) as began_at
                from run as r
                where r.job_id = job.id and r.future and not r.placeholder
                order by coalesce(r.start_at, r.running_at, r.first_at) desc, r.run_id
                limit 1
            ) as newest
            order by newest.began_at desc, newest.run_id
            limit 1
        ),
        (select 4::smallint where exists (select from run as r where r.job_id = any(jobs)))
    )
$$;

insert into job_newest (job_id, namespace_id, state)
select s.job_id, s.namespace_id, newest_state(array[s.job_id])
from job_state as s
where exists (select from run as r where r.job_id = s.job_id);
