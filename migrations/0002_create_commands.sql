-- What API writes say beyond what an event could: the log keeps them with kind 'command' (docs/merge.md, "Commands").

-- Registers, each by its own key.
create table namespace_state (
    namespace_id uuid primary key,
    owner text,
    owner_key bytea,
    description text,
    description_key bytea,
    updated_at timestamptz not null
);

-- A data source as it was put (others are only named in dataSource facets). created_at: first put.
create table source (
    id uuid primary key,
    name text not null,
    type text not null,
    url text not null,
    description text,
    key bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- description: a register by key, which is null for a tag that was only used.
create table tag (
    id uuid primary key,
    name text not null,
    description text,
    key bytea
);
create index tag_by_name on tag (left(name, 500), id);

-- entity_id: a dataset or job; field '' = the whole. A tag is there if it was added at removed_at or later.
create table tagged (
    entity_id uuid not null,
    field text not null,
    tag text not null,
    added_at timestamptz,
    removed_at timestamptz,
    primary key (entity_id, field, tag)
);

-- What a job was last put with (a register): runs that are created by the API begin with it. body: JSON.
create table job_declaration (
    job_id uuid primary key,
    key bytea not null,
    body text not null
);

-- Every schema that static events stated of a dataset, and when last: the newest is the one in run_io, the others are its past versions.
create table static_version (
    dataset_id uuid not null,
    job_id uuid not null,
    schema_id bytea not null,
    key bytea not null,
    stated_at timestamptz not null,
    primary key (dataset_id, job_id, schema_id)
);

-- The statements behind them, shaped like dataset_write (0005): without the newest, which is there.
create view static_write as
select
    v.dataset_id,
    v.job_id,
    '00000000-0000-0000-0000-000000000000'::uuid as run_id,
    v.stated_at as effective_at,
    null::text as lifecycle,
    v.schema_id,
    b.fields,
    write_version(v.dataset_id, v.job_id, '00000000-0000-0000-0000-000000000000', v.schema_id, null) as version_id,
    2::smallint as class,
    io.future
from static_version as v
join run_io as io
    on io.dataset_id = v.dataset_id and io.job_id = v.job_id
    and io.run_id = '00000000-0000-0000-0000-000000000000' and io.side = 'o' and io.schema_id <> v.schema_id
join schema_body as b on b.id = v.schema_id;

-- Where a stream's schema lies; such a schema's id is that of fields and place together.
create table schema_location (
    schema_id bytea primary key,
    location text not null
);

-- Every static event that named a dataset, as far as soft deletion asks: the newest time, and the first 8 bytes of the ids of the events at that time
-- (8 bytes of microseconds since 0001, then the ids, sorted). The same for runs is read from run, run_io and log.
create table static_seen (
    dataset_id uuid not null,
    job_id uuid not null,
    seen bytea not null,
    primary key (dataset_id, job_id)
);

create function to_timestamp_of_seen(seen bytea) returns timestamptz
language sql immutable parallel safe
return '0001-01-01 00:00:00+00'::timestamptz
    + ('x' || encode(substring(seen from 1 for 8), 'hex'))::bit(64)::bigint / 1000000 * interval '1 second'
    + ('x' || encode(substring(seen from 1 for 8), 'hex'))::bit(64)::bigint % 1000000 * interval '1 microsecond';

create function join_seen(one bytea, other bytea) returns bytea
language sql immutable parallel safe
return case
    when one is null or substring(other from 1 for 8) > substring(one from 1 for 8) then other
    when other is null or substring(one from 1 for 8) > substring(other from 1 for 8) or one = other then one
    else substring(one from 1 for 8) || (
        select string_agg(ids.id, ''::bytea order by ids.id)
        from (
            select substring(one from at for 8) as id from generate_series(9, octet_length(one), 8) as at
            union
            select substring(other from at for 8) from generate_series(9, octet_length(other), 8) as at
        ) as ids
    )
end;

-- Soft deletions: what had been seen of the entity by then, written as in static_seen; at: the mark's time.
create table tombstone (
    entity_id uuid primary key,
    kind text not null check (kind in ('namespace', 'job', 'dataset')),
    namespace_id uuid not null,
    at timestamptz not null,
    mark bytea not null
);

create function has_seen(mark bytea, id bytea) returns boolean
language sql immutable parallel safe
return exists (
    select from generate_series(9, octet_length(mark), 8) as at
    where substring(mark from at for 8) = substring(id from 1 for 8)
);

-- Whether an event of a job, whose newest is of the time seen_at, is later than a mark, or at its time and not in it.
create function job_outlives(job uuid, seen_at timestamptz, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return coalesce(
    seen_at > at
    or (
        seen_at = at
        and exists (
            select from log as l
            where
                l.day = (at at time zone 'UTC')::date and l.event_time = at
                and l.kind in ('run', 'job', 'dataset', 'command') and l.job_id = job and l.flags & 1 = 0
                and not has_seen(mark, l.id)
        )
    ),
    false
);

-- The same of a dataset: of the static events and of all events of the runs that named it.
create function dataset_outlives(dataset uuid, at timestamptz, mark bytea) returns boolean
language sql stable parallel safe
return exists (
    select from static_seen as s
    where s.dataset_id = dataset and join_seen(mark, s.seen) is distinct from mark
) or exists (
    select
    from run_io as io
    join run as r on r.job_id = io.job_id and r.run_id = io.run_id and r.last_at >= at
    where
        io.dataset_id = dataset
        and exists (
            select from log as l
            where
                l.run_id = io.run_id and l.job_id = io.job_id and l.event_time >= at and l.flags & 1 = 0
                and (l.event_time > at or not has_seen(mark, l.id))
        )
);

-- Derived: what is deleted now, by its own tombstone or its namespace's: no event of it is later than the mark, or at the mark's time and not in it.
create table hidden (
    entity_id uuid primary key,
    kind text not null check (kind in ('namespace', 'job', 'dataset')),
    namespace_id uuid not null
);
create index hidden_by_namespace on hidden (namespace_id, kind);

-- Not from the future, whatever the flags of their events say: runs (dataset none), and what static events said of a dataset (job, run none).
create table trusted (
    dataset_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    primary key (dataset_id, job_id, run_id)
);
