-- The store: one log of accepted records, and everything computed from it. receiver/lineal_receiver/ingest writes it.
--
-- Ids are hashes of content, computed by the writer: no sequence, no look-up, no order between writers.
--   uuid  = first 16 bytes of sha256 over length-prefixed parts (kind, namespace, name)
--   bytea = 32 bytes, sha256 of canonical content
-- A *key* (bytea) orders assertions and sorts bytewise: event time in microseconds since 0001 (8 bytes, big endian), rank (1 byte), content hash (16 bytes).
-- '00000000-0000-0000-0000-000000000000' stands for "none" wherever a key needs a value (no run: static; no job; no dataset).

create extension if not exists pg_trgm;

create table log (
    day date not null,
    id bytea not null,
    kind text not null check (kind in ('run', 'job', 'dataset', 'command')),
    event_type text,
    event_time timestamptz not null,
    received_at timestamptz not null,
    flags integer not null default 0,
    job_id uuid,
    run_id uuid,
    body bytea not null,
    primary key (day, id)
) partition by range (day);
create table log_stray partition of log default;
create index log_by_time on log (kind, event_time desc, id);
create index log_by_run on log (run_id, event_time) where run_id is not null;

create table event_hour (
    hour timestamptz not null,
    kind text not null,
    event_type text not null default '',
    events bigint not null,
    primary key (hour, kind, event_type)
);

create table rejected (
    id bytea primary key,
    rule text not null,
    pointer text not null,
    expected text not null,
    message text not null,
    status integer not null,
    source text not null default '',
    body bytea not null,
    truncated boolean not null default false,
    count bigint not null default 1,
    first_at timestamptz not null,
    last_at timestamptz not null,
    replayed_at timestamptz
);
create index rejected_by_time on rejected (last_at desc, id);

create table namespace (
    id uuid primary key,
    name text not null,
    created_at timestamptz not null
);
-- Names can be longer than an index entry may be: they are listed by their beginnings.
create index namespace_by_name on namespace (left(name, 500), id);

create table job (
    id uuid primary key,
    namespace_id uuid not null,
    name text not null
);
create index job_name_words on job using gin (name gin_trgm_ops);

create table dataset (
    id uuid primary key,
    namespace_id uuid not null,
    name text not null
);
create index dataset_by_name on dataset (namespace_id, left(name, 500), id);
create index dataset_name_words on dataset using gin (name gin_trgm_ops);

-- Rows really inserted, kept in the transaction that inserts them. kind: jobs, datasets (scope = namespace, none = all), runs (scope = job), versions (scope = dataset), namespaces (scope = none).
create table total (
    scope uuid not null,
    kind text not null,
    n bigint not null,
    primary key (scope, kind)
);

-- seen_at: the job's newest event that isn't from the future.
create table job_state (
    job_id uuid primary key,
    namespace_id uuid not null,
    created_at timestamptz not null,
    seen_at timestamptz,
    updated_at timestamptz not null generated always as (coalesce(seen_at, created_at)) stored,
    parent_job uuid,
    parent_key bytea,
    streaming boolean not null default false,
    streaming_key bytea,
    placeholder boolean not null default false
);
create index job_state_by_update on job_state (namespace_id, updated_at desc, job_id);
create index job_state_by_update_all on job_state (updated_at desc, job_id);
create index job_state_by_creation on job_state (created_at);
create index job_state_by_parent on job_state (parent_job) where parent_job is not null;

-- A version is a distinct (inputs, outputs, location) of a job: of a run that ended or streams (run.version_id), or declared by a JobEvent (declared_at).
-- created_at, run_id: the earliest of them; run_id null: declared.
create table job_version (
    job_id uuid not null,
    id uuid not null,
    inputs uuid[] not null,
    outputs uuid[] not null,
    location text,
    declared_at timestamptz,
    created_at timestamptz not null,
    run_id uuid,
    primary key (job_id, id)
);
create index job_version_by_time on job_version (job_id, created_at desc, id);

-- written_at: the newest effective write; dropped_at: the newest effective DROP, dropped iff it is later than written_at. updated_at: the later of both, else created_at (reading touches nothing).
-- write_job, write_run: the write whose version is current (none: a static event's), or the pending one where nothing is effective; its facets lie under run_scope(write_job, write_run), side w.
create table dataset_state (
    dataset_id uuid primary key,
    namespace_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    written_at timestamptz,
    dropped_at timestamptz,
    lifecycle text,
    schema_id bytea,
    schema_origin text check (schema_origin in ('write', 'pending', 'read')),
    version_id uuid,
    write_job uuid,
    write_run uuid
);
create index dataset_state_by_namespace on dataset_state (namespace_id, dataset_id);
create index dataset_state_by_creation on dataset_state (created_at);

-- The register end_* is the deciding end (the smallest key) of those that the run was told: rank 0 FAIL, 1 ABORT, 2 COMPLETE; end_outputs: the outputs that it names.
create table run (
    job_id uuid not null,
    run_id uuid not null,
    external_id text,
    start_at timestamptz,
    running_at timestamptz,
    first_at timestamptz not null,
    last_at timestamptz not null,
    typed boolean not null default false,
    end_at timestamptz,
    end_rank smallint,
    end_key bytea,
    end_outputs uuid[],
    ends_seen smallint not null default 0,
    parent_job uuid,
    parent_run uuid,
    root_job uuid,
    root_run uuid,
    parent_key bytea,
    nominal_start_at timestamptz,
    nominal_end_at timestamptz,
    nominal_key bytea,
    streaming boolean not null default false,
    streaming_key bytea,
    location text,
    location_key bytea,
    version_id uuid,
    placeholder boolean not null default false,
    future boolean not null default false,
    primary key (job_id, run_id)
);
create index run_by_id on run (run_id);
create index run_by_start on run (job_id, (coalesce(start_at, running_at, first_at)) desc, run_id);
create index run_by_parent on run (parent_run) where parent_run is not null;
create index run_by_job_and_parent on run (job_id, parent_run) where parent_run is not null;
create index run_by_version on run (job_id, version_id, (coalesce(end_at, first_at)), run_id) where version_id is not null;
create index run_open on run (last_at desc) where end_rank is null and not placeholder;

-- What a run (or, with run_id none, a static event) said of a dataset. side: i input, o output.
-- Facts: said_at (first named), named_at (first named by an event that isn't FAIL or ABORT), stated_at (static: last named), subset, and the registers lifecycle, schema, build.
-- Derived from the run: class (0 failed, or never a write; 1 pending; 2 effective), announced (named before, but not by the COMPLETE, which names others), effective_at (the run's end; open: its start;
-- streaming: its newest event; static: stated_at), begun_at (the run's first event), future.
create table run_io (
    dataset_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    side "char" not null check (side in ('i', 'o')),
    said_at timestamptz not null,
    named_at timestamptz,
    stated_at timestamptz,
    subset boolean not null default false,
    lifecycle text,
    lifecycle_key bytea,
    schema_id bytea,
    schema_key bytea,
    build_id bytea,
    build_key bytea,
    class smallint not null default 1,
    announced boolean not null default false,
    effective_at timestamptz not null,
    begun_at timestamptz not null,
    future boolean not null default false,
    primary key (dataset_id, job_id, run_id, side)
);
create index run_io_by_run on run_io (job_id, run_id, side);
create index run_io_stated on run_io (job_id, side, future, stated_at desc)
where run_id = '00000000-0000-0000-0000-000000000000';
-- When a job's newest JobEvents that named inputs, and outputs, were: what older ones named, and they don't, holds no more.
create view newest_statement as
select distinct on (io.job_id, io.side) io.job_id, io.side, io.future, io.stated_at
from run_io as io
where io.run_id = '00000000-0000-0000-0000-000000000000'
order by io.job_id, io.side, io.future, io.stated_at desc;
create index run_io_writes on run_io (dataset_id, effective_at desc, job_id, run_id) where side = 'o';
create index run_io_by_class on run_io (dataset_id, class, future, effective_at desc, job_id, run_id) where side = 'o';
create index run_io_by_job on run_io (dataset_id, job_id, class desc, future, effective_at desc, run_id) where side = 'o';
create index run_io_schemas on run_io (dataset_id, class, future, effective_at desc, job_id, run_id)
where side = 'o' and schema_id is not null;
create index run_io_builds on run_io (dataset_id, job_id, class desc, future, effective_at desc, run_id)
where side = 'o' and build_id is not null;
create index run_io_by_build on run_io (dataset_id, job_id, build_id) where side = 'o' and build_id is not null;
create index run_io_drops on run_io (dataset_id, future, effective_at desc) where side = 'o' and lifecycle = 'DROP';
create index run_io_overwrites on run_io (dataset_id, effective_at desc) where side = 'o' and lifecycle = 'OVERWRITE';

-- The newest schema that each job read of a dataset; without a writer's, the dataset's schema is their union.
create table reader_schema (
    dataset_id uuid not null,
    job_id uuid not null,
    key bytea not null,
    schema_id bytea not null,
    primary key (dataset_id, job_id)
);

-- The version that a write makes: the same for the same write, whenever it is asked.
create function write_version(dataset_id uuid, job_id uuid, run_id uuid, schema_id bytea, lifecycle text) returns uuid
language sql immutable parallel safe
return encode(
    substring(
        sha256(
            uuid_send(dataset_id) || uuid_send(job_id) || uuid_send(run_id) || coalesce(schema_id, '') || convert_to(coalesce(lifecycle, ''), 'UTF8')
        )
        from 1 for 16
    ),
    'hex'
)::uuid;

-- Schemas that events state (id: content), and what readers saw of a dataset that nobody writes (id: of dataset and content; deleted when it changes).
create table schema_body (
    id bytea primary key,
    fields text not null
);

create table facet_body (
    id bytea primary key,
    body text not null,
    touched_day date not null
);

-- Registers. side: r run facet (entity = job, scope = run), j job facet (entity = job; scope = run, and none for the newest of all), w writer's or static dataset facet and d reader's dataset facet
-- (entity = dataset; scope = run_scope, and none), i/o input and output facets (entity = dataset, scope = run_scope). run_scope = uuid of (job, run).
create table facet (
    entity_id uuid not null,
    scope_id uuid not null,
    name text not null,
    side "char" not null,
    key bytea not null,
    at timestamptz not null,
    body_id bytea,
    deleted boolean not null default false,
    primary key (entity_id, scope_id, side, name)
);

create index facet_sources on facet (body_id, at)
where name = 'dataSource' and scope_id = '00000000-0000-0000-0000-000000000000' and not deleted;

create table edge_set (
    id bytea primary key
);

-- One row an input field of an output field and kind; target_field '' = the whole output (the facet's dataset[]).
create table edge (
    edge_set_id bytea not null,
    target_field text not null,
    source_dataset uuid not null,
    source_field text not null,
    type text not null,
    subtype text not null,
    masking boolean not null,
    expression text,
    primary key (edge_set_id, target_field, source_dataset, source_field, type, subtype)
);

create table edge_set_column (
    edge_set_id bytea not null,
    field text not null,
    position integer not null,
    status text not null check (status in ('traced', 'constant', 'unresolved')),
    reason text,
    message text,
    expression text,
    primary key (edge_set_id, field)
);

create table build (
    id bytea primary key,
    model_id text not null,
    job_id uuid not null,
    dataset_id uuid not null,
    sql_hash text,
    schema_hash text,
    lineage_hash text,
    out_columns text[] not null,
    ref_relations jsonb not null,
    dialect text,
    sqlglot_version text,
    rules_version text,
    status text not null check (status in ('resolved', 'partial', 'unresolved', 'failed')),
    error_message text,
    edge_set_id bytea not null
);
create index build_by_model on build using hash (model_id);
create index build_by_dataset on build (dataset_id, job_id);
create index build_failed on build (dataset_id, job_id) where status = 'failed';

-- The lineage in force of (dataset, job). run_ids, build_ids: the writes that count together, newest first; build_id: the newest of them.
-- last_known_build_id: what stood before unresolved SQL came; its edges are shown, marked so. A job that writes nothing has one slot with dataset none.
create table slot (
    dataset_id uuid not null,
    job_id uuid not null,
    run_id uuid,
    run_ids uuid[] not null default '{}',
    build_id bytea,
    build_ids bytea[] not null default '{}',
    last_known_build_id bytea,
    class smallint not null,
    effective_at timestamptz not null,
    ended boolean not null default false,
    primary key (dataset_id, job_id)
);
create index slot_by_job on slot (job_id);

-- target_dataset none: the job writes nothing, and reads this (its slot has dataset none, too).
create table table_edge (
    target_dataset uuid not null,
    job_id uuid not null,
    source_dataset uuid not null,
    primary key (target_dataset, job_id, source_dataset)
);
create index table_edge_by_source on table_edge (source_dataset, job_id, target_dataset);
create index table_edge_by_job on table_edge (job_id);

create table edge_active (
    target_dataset uuid not null,
    job_id uuid not null,
    target_field text not null,
    source_dataset uuid not null,
    source_field text not null,
    type text not null,
    subtype text not null,
    masking boolean not null,
    expression text,
    last_known boolean not null default false,
    primary key (target_dataset, job_id, target_field, source_dataset, source_field, type, subtype)
);
create index edge_active_by_source on edge_active (source_dataset, source_field);

create view lineage_build as
select
    b.id,
    b.model_id,
    b.job_id,
    b.dataset_id,
    b.sql_hash,
    b.schema_hash,
    b.lineage_hash,
    b.out_columns,
    b.ref_relations,
    b.dialect,
    b.sqlglot_version,
    b.rules_version,
    b.status,
    b.error_message,
    coalesce(not s.ended and b.id = any(s.build_ids), false) as is_active
from build as b
left join slot as s on s.dataset_id = b.dataset_id and s.job_id = b.job_id;

-- Unresolved outputs appear with a null source and resolved = false, whatever edges of theirs are confirmed. *_relation is dbt's unique_id where known, else {namespace}/{name}.
create view column_lineage_edge as
select
    b.id as build_id,
    b.model_id,
    coalesce(b.ref_relations ->> e.source_dataset::text, n.name || '/' || d.name) as source_relation,
    e.source_field as source_column,
    b.model_id as target_relation,
    e.target_field as target_column,
    e.type as kind,
    e.subtype,
    e.masking,
    coalesce(c.expression, e.expression) as expression,
    true as resolved
from build as b
join edge as e on e.edge_set_id = b.edge_set_id and e.target_field <> ''
join dataset as d on d.id = e.source_dataset
join namespace as n on n.id = d.namespace_id
left join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.field = e.target_field
union all
select
    b.id,
    b.model_id,
    null,
    null,
    b.model_id,
    c.field,
    null,
    null,
    null,
    c.expression,
    false
from build as b
join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.status = 'unresolved';
