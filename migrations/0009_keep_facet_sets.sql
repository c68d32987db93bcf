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

-- The set of the end that decides; facet_set_key: the register key of all its facets, which begins with its time. A row of `facet` of the same name goes before if its key is greater.
alter table run add column facet_set_key bytea, add column facet_set_id bytea;

-- Under which facets of datasets are kept that were said during a run.
create function run_scope(job_id uuid, run_id uuid) returns uuid
language sql immutable parallel safe
return encode(substring(sha256('run'::bytea || uuid_send(job_id) || uuid_send(run_id)) from 1 for 16), 'hex')::uuid;

-- Registers that the deciding end of their run had won.
create temporary table won on commit drop as
select
    r.job_id,
    r.run_id,
    f.entity_id,
    f.scope_id,
    f.side,
    f.name,
    f.key,
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
    w.job_id,
    w.run_id,
    w.key,
    sha256(
        string_agg(
            uuid_send(w.entity_id) || convert_to(w.side::text, 'UTF8') || int4send(octet_length(w.name)) || convert_to(w.name, 'UTF8') || w.body_id,
            ''::bytea
            order by w.entity_id, w.side::text collate "C", w.name collate "C"
        )
    ) as set_id
from won as w
group by w.job_id, w.run_id, w.key;

update run as r
set facet_set_key = made.key, facet_set_id = made.set_id
from made
where r.job_id = made.job_id and r.run_id = made.run_id;

insert into facet_set (set_id, entity_id, side, name, body_id)
select distinct made.set_id, won.entity_id, won.side, won.name, won.body_id
from made
join won on won.job_id = made.job_id and won.run_id = made.run_id;

delete from facet as f
using won
where f.entity_id = won.entity_id and f.scope_id = won.scope_id and f.side = won.side and f.name = won.name;
