-- What comes last in time is added at the end of its group, where pages fill up; at the beginning they are split in halves, and each split is written to the WAL. Reads go backwards.

drop index log_by_time;
create index log_by_time on log (kind, event_time, id desc);

drop index run_by_start;
create index run_by_start on run (job_id, (coalesce(start_at, running_at, first_at)), run_id desc);
drop index run_by_time;
create index run_by_time on run ((coalesce(start_at, running_at, first_at)), job_id, run_id);

drop index run_by_id;
alter table run drop constraint run_pkey;
alter table run add primary key (run_id, job_id);

drop index run_io_writes;
create index run_io_writes on run_io (dataset_id, effective_at, job_id desc, run_id desc) where side = 'o';
drop index run_io_by_class;
create index run_io_by_class on run_io (dataset_id, class, future desc, effective_at, job_id desc, run_id desc) where side = 'o';
drop index run_io_schemas;
create index run_io_schemas on run_io (dataset_id, class, future desc, effective_at, job_id desc, run_id desc)
where side = 'o' and schema_id is not null;
drop index run_io_by_job;
create index run_io_by_job on run_io (dataset_id, job_id, future desc, class, effective_at, run_id desc) where side = 'o';
drop index run_io_builds;
create index run_io_builds on run_io (dataset_id, job_id, future desc, class, effective_at, run_id desc)
where side = 'o' and used_build_id is not null;

-- A run's rows lie together; a dataset's are found by their jobs, and by what these made of it.
drop index run_io_by_run;
drop index run_io_by_build;
alter table run_io drop constraint run_io_pkey;
alter table run_io add primary key (job_id, run_id, side, dataset_id);
create index run_io_by_dataset on run_io (dataset_id, job_id, used_build_id);
