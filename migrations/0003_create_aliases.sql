-- Names that count as one. Rows keep the name they were sent with; only `canon` says which name stands for it.
--
-- A name that only an alias mentions has a row in namespace, dataset (and dataset_state) with created_at infinity, so that it can be shown and found;
-- `hidden` rows are in no list and no total: such names, and names that another one stands for.
alter table namespace add column hidden boolean not null default false;
alter table dataset add column hidden boolean not null default false;
drop index namespace_by_name;
create index namespace_by_name on namespace (hidden, left(name, 500), id);
drop index dataset_by_name;
create index dataset_by_name on dataset (namespace_id, hidden, left(name, 500), id);

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

-- A forest: claimed_id is the declarer of the newest claim. disputed: others claim the name, too.
create table alias_pointer (
    id uuid primary key,
    claimed_id uuid,
    disputed boolean not null default false
);
create index alias_pointer_by_claimed on alias_pointer (claimed_id, id) where claimed_id is not null;

-- The name at the root of each that points to another; roots have no row.
create table canon (
    id uuid primary key,
    root_id uuid not null
);
create index canon_by_root on canon (root_id, id);
