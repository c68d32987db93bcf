-- What static events said of lineage, a row an event: what is in force now is in run_io and told_lineage; this is what was in force at a time, and what later events don't take back.
-- dataset_id: none for what is said of a job as a whole; job_id: none for DatasetEvents. kind: b a build, t what a `lineage` facet tells (datasets: the sources), n that it tells this no more, w that all was written anew,
-- i the inputs and o the outputs that a JobEvent names (datasets).
create table statement (
    dataset_id uuid not null,
    job_id uuid not null,
    kind "char" not null check (kind in ('b', 't', 'n', 'w', 'i', 'o')),
    future boolean not null,
    key bytea not null,
    build_id bytea,
    datasets uuid[] not null,
    primary key (dataset_id, kind, future, job_id, key)
);
create index statement_overwrites on statement (dataset_id, key) where kind = 'w' and not future;

-- A static row of run_io has the schema of its newest event, if that states one: older ones' are those of static_version.
create index static_version_by_time on static_version (dataset_id, future, stated_at, job_id desc, key);
update run_io as io
set schema_id = null, schema_key = null
where io.side = 'o' and io.stated_key is not null and io.schema_key is not null and substring(io.schema_key from 1 for 8) <> first_key(io.stated_at);

-- The builds of static rows, each as old as the event that stated it, not as the newest of the row.
create view stated_build as
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.future,
    io.class,
    io.stated_key,
    coalesce(io.told_build_id, io.build_id) as build_id,
    to_timestamp_of_seen(coalesce(t.key, io.build_key)) as stated_at
from run_io as io
left join told_lineage as t
    on
        io.told_build_id is not null and t.job_id = io.job_id and t.run_id = io.run_id and t.dataset_id = io.dataset_id
where io.side = 'o' and io.stated_key is not null and io.has_build and io.lifecycle is distinct from 'DROP';

create or replace view static_write as
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
        and io.schema_id is distinct from v.schema_id
join schema_body as b on b.id = v.schema_id;

-- A schema of a dataset that an effective write stated in a time, the newest: of static events by when they stated it.
create function schema_stated(dataset uuid, is_future boolean, since timestamptz, until timestamptz)
returns table (schema_id bytea, stated_at timestamptz, job_id uuid, run_id uuid)
language sql stable parallel safe
as $$
    select s.schema_id, s.stated_at, s.job_id, s.run_id
    from (
        (
            select io.schema_id, io.effective_at as stated_at, io.job_id, io.run_id
            from run_io as io
            where
                io.dataset_id = dataset and io.side = 'o' and io.class = 2 and io.future = is_future
                and io.lifecycle is distinct from 'DROP' and io.stated_key is null
                and io.schema_id is not null and io.effective_at between since and until
            order by io.effective_at desc, io.job_id, io.run_id
            limit 1
        )
        union all
        (
            select v.schema_id, v.stated_at, v.job_id, '00000000-0000-0000-0000-000000000000'
            from static_version as v
            where v.dataset_id = dataset and v.future = is_future and v.stated_at between since and until
            order by v.stated_at desc, v.job_id, v.key desc
            limit 1
        )
    ) as s
    order by s.stated_at desc, s.job_id, s.run_id
    limit 1
$$;

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
        and uuid_send(gone.dataset_id) = uuid_send(io.dataset_id)
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.future <= io.future
        and gone.effective_at < io.effective_at
) as dropped on true
left join lateral (
    select stated.schema_id
    from (values (false), (true)) as rank (future)
    cross join lateral schema_stated(
        io.dataset_id, rank.future, coalesce(dropped.at, '-infinity'), io.effective_at
    ) as stated
    where io.schema_id is null and rank.future <= io.future
    order by rank.future
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(io.schema_id, earlier.schema_id)
where io.side = 'o';
