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

-- Datasets that were put as what an open run wrote: effective at once, unless it fails.
create table put_write (
    dataset_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    put_at timestamptz not null,
    primary key (dataset_id, job_id, run_id)
);

-- Where a stream's schema lies; such a schema's id is that of fields and place together.
create table schema_location (
    schema_id bytea primary key,
    location text not null
);
