-- What the deciding end of a run says of its job and datasets is kept once by its content, as most runs say what the one before said.

-- Sets of facets: every end of a run that carries some has one. id: sha256 of the members, sorted, as (entity, side, length of the name in 4 bytes, name, body_id).
create table facet_set (
    set_id bytea not null,
    entity_id uuid not null,
    side "char" not null check (side in ('j', 'w', 'd')),
    name text not null,
    body_id bytea not null,
    primary key (set_id, entity_id, side, name)
);

-- The set of the end that decides of a run (scope_id: its run_scope). key, at: the register key and time of all its facets. A row of `facet` of the same name goes before if its key is greater.
create table end_facets (
    scope_id uuid primary key,
    key bytea not null,
    at timestamptz not null,
    set_id bytea not null
);

create function run_scope(job_id uuid, run_id uuid) returns uuid
language sql immutable parallel safe
return encode(substring(sha256('run'::bytea || uuid_send(job_id) || uuid_send(run_id)) from 1 for 16), 'hex')::uuid;

-- Registers that the deciding end of their run had won.
create temporary table won on commit drop as
select
    run_scope(r.job_id, r.run_id) as run_scope,
    f.entity_id,
    f.scope_id,
    f.side,
    f.name,
    f.key,
    f.at,
    f.body_id
from run as r
join facet as f
    on f.side in ('j', 'w', 'd')
    and f.key = substring(r.end_key from 1 for 8) || '\x02'::bytea || substring(r.end_key from 10)
    and (
        f.side <> 'j' and f.scope_id = run_scope(r.job_id, r.run_id)
        or f.side = 'j' and f.scope_id = r.run_id and f.entity_id = r.job_id
    )
where r.end_key is not null and f.body_id is not null;

create temporary table made on commit drop as
select
    w.run_scope,
    w.key,
    min(w.at) as at,
    sha256(
        string_agg(
            uuid_send(w.entity_id) || convert_to(w.side::text, 'UTF8') || int4send(octet_length(w.name)) || convert_to(w.name, 'UTF8') || w.body_id,
            ''::bytea
            order by w.entity_id, w.side::text collate "C", w.name collate "C"
        )
    ) as set_id
from won as w
group by w.run_scope, w.key;

insert into end_facets (scope_id, key, at, set_id)
select run_scope, key, at, set_id from made;

insert into facet_set (set_id, entity_id, side, name, body_id)
select distinct made.set_id, won.entity_id, won.side, won.name, won.body_id
from made
join won on won.run_scope = made.run_scope;

delete from facet as f
using won
where f.entity_id = won.entity_id and f.scope_id = won.scope_id and f.side = won.side and f.name = won.name;
