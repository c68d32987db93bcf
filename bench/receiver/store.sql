-- A store as ingest would leave it, made by PostgreSQL itself so that 10 million edges take minutes.
-- Models stand in layers of so many, ten layers a component; each has 20 columns, made from columns of its 3 parents one layer up: one each, every fifth two; dense: two each.

create function pg_temp.bench_id(kind text, variadic parts text[]) returns uuid language sql immutable as $$
select encode(substring(sha256(string_agg(int4send(octet_length(convert_to(p, 'UTF8'))) || convert_to(p, 'UTF8'), ''::bytea order by n)) from 1 for 16), 'hex')::uuid
from unnest(array_prepend(kind, parts)) with ordinality as p (p, n)
$$;

create function pg_temp.bench_hash(what text) returns bytea language sql immutable as $$ select sha256(convert_to(what, 'UTF8')) $$;

create temp table model as
select
    n,
    pg_temp.bench_id('job', 'bench', 'm' || n) as job,
    pg_temp.bench_id('dataset', 'postgres://bench:5432', 'db.t' || n) as dataset,
    lpad(to_hex(n), 32, '0')::uuid as base,
    case when (n / :layer) % 10 > 0 then
        array[
            (n / :layer - 1) * :layer + (n * 7919::bigint + 13) % :layer,
            (n / :layer - 1) * :layer + (n * 7919::bigint + 13 + :layer / 3) % :layer,
            (n / :layer - 1) * :layer + (n * 7919::bigint + 13 + 2 * (:layer / 3)) % :layer
        ]
    else array[]::bigint[] end as parents
from generate_series(0, :models - 1) as n;
create unique index on model (n);
analyze model;

insert into namespace (id, name, created_at) values
(pg_temp.bench_id('namespace', 'bench'), 'bench', '2026-01-01Z'),
(pg_temp.bench_id('namespace', 'postgres://bench:5432'), 'postgres://bench:5432', '2026-01-01Z');
insert into job (id, namespace_id, name) select job, pg_temp.bench_id('namespace', 'bench'), 'm' || n from model;
insert into dataset (id, namespace_id, name) select dataset, pg_temp.bench_id('namespace', 'postgres://bench:5432'), 'db.t' || n from model;
insert into schema_body (id, fields)
select pg_temp.bench_hash('fields'), (select '[' || string_agg(format('{"name":"c%s","type":"INT"}', i), ',' order by i) || ']' from generate_series(0, 19) as i);
insert into job_state (job_id, namespace_id, created_at, seen_at)
select job, pg_temp.bench_id('namespace', 'bench'), '2026-01-01Z', timestamptz '2026-01-01Z' + n * interval '1 second' from model;
insert into dataset_state (dataset_id, namespace_id, created_at, updated_at, written_at, schema_id, schema_origin, write_job, write_run)
select
    dataset, pg_temp.bench_id('namespace', 'postgres://bench:5432'), '2026-01-01Z', timestamptz '2026-01-01Z' + n * interval '1 second',
    timestamptz '2026-01-01Z' + n * interval '1 second', pg_temp.bench_hash('fields'), 'write', job,
    pg_temp.bench_id('run', n::text, (:runs - 1)::text)
from model;
insert into total (scope, kind, n)
select pg_temp.bench_id('namespace', 'bench'), 'jobs', :models union all
select pg_temp.bench_id('namespace', 'postgres://bench:5432'), 'datasets', :models union all
select '00000000-0000-0000-0000-000000000000', 'jobs', :models union all
select '00000000-0000-0000-0000-000000000000', 'datasets', :models union all
select '00000000-0000-0000-0000-000000000000', 'namespaces', 2 union all
select job, 'runs', :runs from model union all
select dataset, 'versions', :runs from model;

insert into run (job_id, run_id, start_at, first_at, last_at, typed, end_at, end_rank, end_key, ends_seen)
select
    m.job, pg_temp.bench_id('run', m.n::text, r::text), t.at, t.at, t.at + interval '9 seconds', true, t.at + interval '9 seconds', 2,
    '\x00', 4
from model as m
cross join generate_series(0, :runs - 1) as r
cross join lateral (select timestamptz '2026-01-01Z' + r * interval '1 hour' + m.n * interval '1 second' as at) as t;
insert into run_io (dataset_id, job_id, run_id, side, said_at, named_at, class, effective_at, begun_at, schema_id, schema_key)
select
    m.dataset, m.job, pg_temp.bench_id('run', m.n::text, r::text), 'o', t.at, t.at, 2, t.at + interval '9 seconds', t.at,
    pg_temp.bench_hash('fields'), '\x00'
from model as m
cross join generate_series(0, :runs - 1) as r
cross join lateral (select timestamptz '2026-01-01Z' + r * interval '1 hour' + m.n * interval '1 second' as at) as t;
insert into run_io (dataset_id, job_id, run_id, side, said_at, named_at, class, effective_at, begun_at)
select p.dataset, m.job, pg_temp.bench_id('run', m.n::text, r::text), 'i', t.at, t.at, 2, t.at + interval '9 seconds', t.at
from model as m
cross join generate_series(greatest(0, :runs - 2), :runs - 1) as r
cross join lateral (select timestamptz '2026-01-01Z' + r * interval '1 hour' + m.n * interval '1 second' as at) as t
cross join lateral unnest(m.parents) as parent (n)
join model as p on p.n = parent.n;
insert into job_dataset (job_id, side, dataset_id) select distinct job_id, side, dataset_id from run_io;

insert into job_newest (job_id, namespace_id, state) select job, pg_temp.bench_id('namespace', 'bench'), 2 from model;

insert into build (id, model_id, job_id, dataset_id, out_columns, ref_relations, status, edge_set_id, counts)
select
    pg_temp.bench_hash('build ' || n), 'm' || n, job, dataset,
    case when :columns then (select array_agg('c' || i order by i) from generate_series(0, 19) as i) else '{}' end,
    '{}', 'resolved', pg_temp.bench_hash('build ' || n),
    case when not :columns then '[]' when parents = '{}' then '[["unresolved", null, 20]]' else '[["traced", null, 20]]' end::jsonb
from model;
insert into slot (dataset_id, job_id, run_id, run_ids, build_id, build_ids, class, effective_at)
select dataset, job, r.id, array[r.id], b.id, array[b.id], 2, '2026-01-01Z'
from model as m
cross join lateral (select pg_temp.bench_id('run', m.n::text, (:runs - 1)::text) as id) as r
cross join lateral (select pg_temp.bench_hash('build ' || m.n) as id) as b;
insert into table_edge (target_dataset, job_id, source_dataset)
select m.dataset, m.job, p.dataset from model as m cross join lateral unnest(m.parents) as parent (n) join model as p on p.n = parent.n;
insert into made_from (source_dataset, job_id, target_dataset)
select p.dataset, m.job, m.dataset from model as m cross join lateral unnest(m.parents) as parent (n) join model as p on p.n = parent.n where :columns
on conflict do nothing;
insert into edge_set_column (edge_set_id, field, position, status)
select pg_temp.bench_hash('build ' || m.n), 'c' || i, i, case when m.parents = '{}' then 'unresolved' else 'traced' end
from model as m cross join generate_series(0, 19) as i where :columns;
insert into edge_active (target_dataset, job_id, target_field, source_dataset, source_field, type, subtype, masking, expression)
select m.dataset, m.job, 'c' || i, p.dataset, 'c' || (i + s) % 20, 'DIRECT', 'TRANSFORMATION', false, 'a + b'
from model as m
cross join generate_series(0, 19) as i
cross join generate_series(0, case when :dense or i % 5 = 0 then 1 else 0 end) as s
join model as p on p.n = m.parents[1 + (i + s) % 3]
where m.parents <> '{}' and :columns;
