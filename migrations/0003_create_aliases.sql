-- Names that count as one. Rows keep the name they were sent with; only `canon` says which name stands for it.
--
-- A name that only an alias mentions has a row in namespace, dataset and dataset_state, job and job_state with created_at infinity, so that it can be shown and found;
-- `hidden` rows are in no list and no total: such names, and names that another one stands for.
alter table namespace add column hidden boolean not null default false;
alter table dataset add column hidden boolean not null default false;
drop index namespace_by_name;
create index namespace_by_name on namespace (hidden, left(name, 500), id);
drop index dataset_by_name;
create index dataset_by_name on dataset (namespace_id, hidden, left(name, 500), id);
alter table job_state add column hidden boolean not null default false;
drop index job_state_by_update;
create index job_state_by_update on job_state (namespace_id, hidden, updated_at desc, job_id);
drop index job_state_by_update_all;
create index job_state_by_update_all on job_state (hidden, updated_at desc, job_id);
create index job_by_namespace on job (namespace_id);

-- The id of what is called so (ids.py).
create function named_id(kind text, namespace text, name text) returns uuid
language sql immutable parallel safe
return encode(
    substring(
        sha256(
            int4send(octet_length(convert_to(kind, 'UTF8'))) || convert_to(kind, 'UTF8')
            || int4send(octet_length(convert_to(namespace, 'UTF8'))) || convert_to(namespace, 'UTF8')
            || int4send(octet_length(convert_to(name, 'UTF8'))) || convert_to(name, 'UTF8')
        )
        from 1 for 16
    ),
    'hex'
)::uuid;

-- What a run, or a static event, said of a dataset's symlinks: alias_id is another name of declarer_id. at: when it was last said. future: by events from the future.
-- alias_id none: that all the declarer said before is withdrawn. class: that of run_io.
create table alias_claim (
    alias_id uuid not null,
    declarer_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    side "char" not null,
    future boolean not null,
    at timestamptz not null,
    class smallint not null,
    primary key (alias_id, declarer_id, job_id, run_id, side, future)
);
create index alias_claim_by_run on alias_claim (job_id, run_id);
create index alias_claim_by_time on alias_claim (alias_id, class desc, future, at desc, declarer_id desc);
create index alias_claim_by_declarer on alias_claim (declarer_id, alias_id);
create index alias_claim_withdrawn on alias_claim (declarer_id, future, at desc)
where alias_id = '00000000-0000-0000-0000-000000000000' and class = 2;

-- Operators' aliases, a register by the old name: id counts as target_id; null: not any more.
create table alias_order (
    id uuid primary key,
    kind text not null check (kind in ('namespace', 'dataset', 'job')),
    target_id uuid,
    key bytea not null,
    at timestamptz not null
);
create index alias_order_by_target on alias_order (target_id) where target_id is not null;

-- Where the names of a namespace were ever ordered to: each has its like there, in no list until it stands for something.
create table alias_route (
    namespace_id uuid not null,
    target_id uuid not null,
    primary key (namespace_id, target_id)
);

-- A forest of namespaces, datasets and jobs. claimed_id: the declarer of the newest claim; disputed: others claim the name, too.
-- ordered_id: by an operator's alias of the name itself or of its namespace; it goes first.
create table alias_pointer (
    id uuid primary key,
    claimed_id uuid,
    disputed boolean not null default false,
    ordered_id uuid,
    target_id uuid generated always as (coalesce(ordered_id, claimed_id)) stored
);
create index alias_pointer_by_target on alias_pointer (target_id, id) where target_id is not null;

-- The name at the root of each that points to another; roots have no row.
create table canon (
    id uuid primary key,
    root_id uuid not null
);
create index canon_by_root on canon (root_id, id);

-- What is deleted (0002) under all of its names, by the name that stands for it.
create view gone as
select h.entity_id, h.kind, h.namespace_id
from hidden as h
where
    not exists (select from canon as c where c.id = h.entity_id)
    and not exists (
        select
        from canon as c
        where c.root_id = h.entity_id and not exists (select from hidden as o where o.entity_id = c.id)
    );

-- RENAME: that a run, or a static event, said at this time (last) that new_id was called old_id before. Moves nothing: names are followed when they are read.
create table renaming (
    old_id uuid not null,
    new_id uuid not null,
    job_id uuid not null,
    run_id uuid not null,
    future boolean not null,
    at timestamptz not null,
    primary key (old_id, new_id, job_id, run_id, future)
);
create index renaming_by_old on renaming (old_id, at desc);
create index renaming_by_new on renaming (new_id, at desc);

-- Those of effective writes; at: when the run ended, as of any write.
create view renamed as
select
    r.old_id,
    r.new_id,
    r.at as said_at,
    case when r.run_id = '00000000-0000-0000-0000-000000000000' then r.at else io.effective_at end as at
from renaming as r
join run_io as io
    on io.dataset_id = r.new_id and io.job_id = r.job_id and io.run_id = r.run_id and io.side = 'o'
where not r.future and io.class = 2 and (r.run_id = '00000000-0000-0000-0000-000000000000' or not io.future);

-- A dataset, and its likes in the namespaces that count as its own: what is claimed there is claimed here. Not those that an operator let count as something for themselves.
create function alias_meant(dataset_id uuid) returns setof uuid
language sql stable parallel safe rows 1
as $$
with recursive meant (id, namespace_id, name) as (
    select d.id, d.namespace_id, d.name from dataset as d where d.id = dataset_id
    union
    select named_id('dataset', n.name, m.name), n.id, m.name
    from meant as m
    join alias_order as o on o.target_id = m.namespace_id and o.kind = 'namespace'
    join namespace as n on n.id = o.id
    where not exists (
        select
        from alias_order as own
        where own.id = named_id('dataset', n.name, m.name) and own.target_id is not null
    )
)
select meant.id from meant
$$;
