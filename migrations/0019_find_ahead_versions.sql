-- Who declared a job's version from the future: a stream's run, or (run none) a JobEvent; each until it is trusted. Instead of job_version's one time of all of them.
create table ahead_version (
    job_id uuid not null,
    id uuid not null,
    run_id uuid not null,
    at timestamptz not null,
    primary key (job_id, id, run_id)
);
create index ahead_version_by_run on ahead_version (job_id, run_id);
insert into ahead_version (job_id, id, run_id, at)
select job_id, id, '00000000-0000-0000-0000-000000000000', declared_ahead_at from job_version where declared_ahead_at is not null;
alter table job_version drop column declared_ahead_at;
