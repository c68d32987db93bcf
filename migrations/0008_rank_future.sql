-- What is said from the future stands below all that isn't, in every choice between runs and between statements; and one statement counts where two have one time.
--
-- In the place of a run, static events stand as: none, those that aren't from the future; …0001 those that are; …0002 those that drop a dataset; …0003 those from the future that do.

-- The least key at a time.
create function first_key(at timestamptz) returns bytea
language sql immutable parallel safe
return int8send(62135596800000000 + (extract(epoch from at) * 1000000)::bigint);

-- stated_key: the register key of the newest static event that named the dataset so. ahead: only events from the future did.
-- begun_at of static rows: when what they state of the lifecycle was stated, else stated_at.
alter table run_io add column stated_key bytea, add column ahead boolean not null default false;

update run_io as io
set
    stated_key = first_key(io.stated_at) || '\x02' || substring(said.id from 1 for 16),
    ahead = io.future,
    begun_at = coalesce(to_timestamp_of_seen(io.lifecycle_key), io.stated_at)
from run_io as s
join dataset as d on d.id = s.dataset_id
cross join lateral (
    select coalesce(
        (
            select l.id
            from log as l
            where
                l.day = (s.stated_at at time zone 'UTC')::date
                and l.event_time = s.stated_at
                and l.run_id is null
                and (l.kind in ('job', 'command') or (l.kind = 'dataset' and s.job_id = '00000000-0000-0000-0000-000000000000'))
                and (l.job_id is null or l.job_id = s.job_id)
            order by position(convert_to(d.name, 'UTF8') in l.body) > 0 desc, substring(l.id from 1 for 16) desc
            limit 1
        ),
        '\x'
    ) as id
) as said
where
    s.run_id = '00000000-0000-0000-0000-000000000000'
    and s.stated_at is not null
    and io.dataset_id = s.dataset_id
    and io.job_id = s.job_id
    and io.run_id = s.run_id
    and io.side = s.side;

drop view newest_statement;
drop index run_io_stated;
create index run_io_stated on run_io (job_id, side, future, stated_key desc) where stated_key is not null;
-- The newest JobEvents of a job that named inputs, and outputs: what others named, and they don't, holds no more.
create view newest_statement as
select distinct on (io.job_id, io.side) io.job_id, io.side, io.future, io.stated_key
from run_io as io
where io.stated_key is not null
order by io.job_id, io.side, io.future, io.stated_key desc;

drop index run_io_by_job;
create index run_io_by_job on run_io (dataset_id, job_id, future, class desc, effective_at desc, run_id) where side = 'o';
drop index run_io_builds;
create index run_io_builds on run_io (dataset_id, job_id, future, class desc, effective_at desc, run_id)
where side = 'o' and used_build_id is not null;

-- Those of events from the future apart, as in run_io.
drop view static_write;
alter table static_version add column future boolean not null default false;
alter table static_version drop constraint static_version_pkey;
alter table static_version add primary key (dataset_id, job_id, future, schema_id);
alter table static_seen add column future boolean not null default false;
alter table static_seen drop constraint static_seen_pkey;
alter table static_seen add primary key (dataset_id, job_id, future);

create view static_write as
select
    v.dataset_id,
    v.job_id,
    io.run_id,
    v.stated_at as effective_at,
    null::text as lifecycle,
    v.schema_id,
    b.fields,
    write_version(v.dataset_id, v.job_id, io.run_id, v.schema_id, null) as version_id,
    2::smallint as class,
    v.future
from static_version as v
join run_io as io
    on
        io.dataset_id = v.dataset_id
        and io.job_id = v.job_id
        and io.run_id = case
            when v.future then '57a71c00-0000-0000-0000-000000000001'
            else '00000000-0000-0000-0000-000000000000'
        end::uuid
        and io.side = 'o'
        and io.schema_id <> v.schema_id
join schema_body as b on b.id = v.schema_id;

-- A write of a dataset; one that states no schema has the one before it, back to a DROP: one that isn't from the future, if there is any.
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
        io.schema_id is null
        and gone.dataset_id = io.dataset_id
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.future <= io.future
        and gone.effective_at < io.effective_at
) as dropped on true
left join lateral (
    select stated.schema_id
    from (values (false), (true)) as rank (future)
    cross join lateral (
        select s.schema_id
        from run_io as s
        where
            io.schema_id is null
            and rank.future <= io.future
            and s.dataset_id = io.dataset_id
            and s.side = 'o'
            and s.class = 2
            and s.future = rank.future
            and s.lifecycle is distinct from 'DROP'
            and s.schema_id is not null
            and s.effective_at <= io.effective_at
            and s.effective_at >= coalesce(dropped.at, '-infinity')
        order by s.effective_at desc, s.job_id, s.run_id
        limit 1
    ) as stated
    order by rank.future
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(io.schema_id, earlier.schema_id)
where io.side = 'o';

-- What stands behind it is from the future.
alter table slot add column future boolean not null default false;
-- All that was written of it is.
alter table dataset_state add column future boolean not null default false;

-- declared_ahead_at: when only a JobEvent from the future declared it. future: so was everything that made it; created_at is then of those.
alter table job_version add column declared_ahead_at timestamptz, add column future boolean not null default false;
drop index job_version_by_time;
create index job_version_by_time on job_version (job_id, future, created_at desc, id);

create or replace view job_version_shown as
select
    v.job_id,
    v.id,
    v.inputs,
    v.outputs,
    v.location,
    v.created_at,
    newest.run_id,
    v.future
from job_version as v
left join lateral (
    (
        select r.run_id
        from run as r
        where r.job_id = v.job_id and r.version_id = v.id and not r.future
        order by coalesce(r.end_at, r.first_at) desc, r.run_id desc
        limit 1
    )
    union all
    (
        select r.run_id
        from run as r
        where r.job_id = v.job_id and r.version_id = v.id and r.future
        order by coalesce(r.end_at, r.first_at) desc, r.run_id desc
        limit 1
    )
    limit 1
) as newest on true;

-- Those of effective writes; at: when the run ended, as of any write.
create or replace view renamed as
select
    r.old_id,
    r.new_id,
    r.at as said_at,
    case when io.stated_at is not null then r.at else io.effective_at end as at
from renaming as r
join run_io as io
    on io.dataset_id = r.new_id and io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'o'
where not r.future and io.class = 2 and (io.stated_at is not null or not io.future);

drop index alias_claim_by_time;
create index alias_claim_by_time on alias_claim (alias_id, future, class desc, at desc, declarer_id desc);

-- Whether an event counts as one of its time: it isn't from the future, or its run is trusted.
create function counts(flags integer, job uuid, run uuid) returns boolean
language sql stable parallel safe
return flags & 1 = 0 or exists (
    select from trusted as t
    where
        t.dataset_id = '00000000-0000-0000-0000-000000000000' and t.job_id = job
        and t.run_id = coalesce(run, '00000000-0000-0000-0000-000000000000')
);

create or replace function job_outlives(job uuid, seen_at timestamptz, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return coalesce(
    seen_at > at
    or (
        seen_at = at
        and exists (
            select from log as l
            where
                l.day = (at at time zone 'UTC')::date and l.event_time = at
                and l.kind in ('run', 'job', 'dataset', 'command') and l.job_id = job
                and counts(l.flags, l.job_id, l.run_id)
                and not has_seen(mark, l.id)
        )
    ),
    false
);

create or replace function dataset_outlives(dataset uuid, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return exists (
    select from static_seen as s
    where s.dataset_id = dataset and not s.future and join_seen(mark, s.seen) is distinct from mark
) or exists (
    select
    from run_io as io
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

-- Jobs that only events from the future tell of come last.
alter table job_state add column sorted_at timestamptz not null
generated always as (
    coalesce(seen_at, case when placeholder or created_at = 'infinity' then created_at else '-infinity' end)
) stored;
drop index job_state_by_update;
create index job_state_by_update on job_state (namespace_id, hidden, sorted_at desc, job_id);
drop index job_state_by_update_all;
create index job_state_by_update_all on job_state (hidden, sorted_at desc, job_id);
