-- What the schemas say against facets that were taken anyway, and what is known of refused bodies.

-- By content: the same facet at the same kind of entity has the same verdict, whoever sends it and how often.
create table facet_verdict (
    body_id bytea not null,
    entity text not null,
    key text not null,
    version text not null,
    faults jsonb not null,
    primary key (body_id, entity, key)
);

alter table rejected
    add column size bigint not null default 0,
    add column coding text not null default '',
    add column errors jsonb not null default '[]',
    add column tried_at timestamptz;

-- In the order that they came, which nothing changes afterwards: pages don't shift while they are read.
create index rejected_by_first on rejected (first_at desc, id desc);
