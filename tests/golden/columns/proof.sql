--- case: unnest of an unknown type
--- dialect: duckdb
select id, unnest(tags) as tag from t
--> partial star_without_schema
--> id: t.id IDENTITY

--- case: what is read from an unnest of an unknown type
--- dialect: duckdb
with a as (select id, unnest(tags) as tag from t) select id, tag, lower(tag) as l from a where tag <> ''
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> l: t.tags TRANSFORMATION
--> rows: t.tags FILTER

--- case: functions that give lists
--- dialect: duckdb
select id, unnest(string_split(tags, ',')) as tag, unnest(l::varchar[]) as c, unnest(list_filter(x, lambda y: y > 1)) as f, unnest(coalesce(z, [])) as z, unnest(j->'$[*]') as jj from t order by tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> c: t.l TRANSFORMATION
--> f: t.x TRANSFORMATION
--> z: t.z TRANSFORMATION, t.z CONDITIONAL
--> jj: t.j TRANSFORMATION
--> rows: t.tags SORT

--- case: functions that hand a struct on
--- dialect: duckdb
select unnest(any_value(x)) from t union all select unnest(list_extract(y, 1)) from t
--> unresolved star_without_schema

--- case: a list made by the query inside
--- dialect: duckdb
with a as (select id, string_split(tags, ',') as tags from t), b as (select id, unnest(tags) as tag from a) select * from b
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: the alias of an unnest of an unknown type
--- dialect: duckdb
select id, unnest(x) as x from t order by x
--> partial ambiguous_column star_without_schema
--> id: t.id IDENTITY
--> rows: t.x SORT

--- case: a query in FROM that may see the items before it
--- dialect: duckdb
select a.id, m.v from a left join (select id, max(v) as v from b group by id) m on a.id = m.id
--> partial ambiguous_column
--> id: a.id IDENTITY
--> v: ambiguous_column
--> rows: a.id JOIN

--- case: a query in FROM that can't see the items before it
--- dialect: duckdb
select a.id, m.v from a full join (select id, max(v) as v from b group by id) m on a.id = m.id
--> resolved
--> id: a.id IDENTITY
--> v: b.v AGGREGATION
--> rows: b.id GROUP_BY, a.id JOIN, b.id JOIN

--- case: a query in FROM whose names are shown to be its own
--- dialect: duckdb
select a.id, m.v from a left join (select b.id, max(b.v) as v from b group by id) m on a.id = m.id
--> resolved
--> id: a.id IDENTITY
--> v: b.v AGGREGATION
--> rows: b.id GROUP_BY, a.id JOIN, b.id JOIN

--- case: a query in FROM over the same relation
--- dialect: duckdb
with x as (select * from raw) select x.id, m.v from x join (select id, max(v) as v from x group by id) m on x.id = m.id
--> resolved
--> id: raw.id IDENTITY
--> v: raw.v AGGREGATION
--> rows: raw.id GROUP_BY, raw.id JOIN

--- case: only LATERAL sees the items before it
--- dialect: snowflake
select a.id, m.v from a left join (select id, max(v) as v from b group by id) m on a.id = m.id
--> resolved
--> ID: a.ID IDENTITY
--> V: b.V AGGREGATION
--> rows: b.ID GROUP_BY, a.ID JOIN, b.ID JOIN

--- case: a lateral query between unknown relations
--- dialect: postgres
select a.id, m.v from a cross join lateral (select v from b where b.id = a.id) m
--> partial
--> id: a.id IDENTITY
--> v: ambiguous_column
--> rows: b.id FILTER, a.id FILTER

--- case: a lateral query after a known relation
--- dialect: postgres
--- schema: a(id INT)
select a.id, m.v from a cross join lateral (select v from b where b.id = a.id) m
--> resolved
--> id: a.id IDENTITY
--> v: b.v IDENTITY
--> rows: b.id FILTER, a.id FILTER

--- case: fields of elements or columns around them
--- dialect: bigquery
select (select value.string_value from unnest(event_params) where key = 'p') as p, (select ep.value.string_value from unnest(event_params) ep where ep.key = 'p') as q from ev
--> partial
--> p: ambiguous_column
--> q: ev.event_params TRANSFORMATION, ev.event_params FILTER

--- case: the row of the relation inside before a column around it
--- dialect: duckdb
--- schema: b(k INT); u(b INT)
select s.b from u, (select b from b) s
--> resolved
--> b: b.k TRANSFORMATION

--- case: a column around before the row of the relation inside
--- dialect: postgres
--- schema: b(k INT); u(b INT)
select (select b from b) as x from u
--> resolved
--> x: u.b IDENTITY

--- case: a star over one unknown relation in each branch
--- dialect: snowflake
with x as (select *, 1 as src from a where k = 1 union all select *, 2 from a where k = 2) select id, src from x
--> resolved
--> ID: a.ID IDENTITY
--> SRC: constant
--> rows: a.K FILTER

--- case: what stars over one unknown relation replace
--- dialect: bigquery
with x as (select * replace (a as v) from t union all select * replace (b as v) from t) select v, id from x
--> resolved
--> v: t.a IDENTITY, t.b IDENTITY
--> id: t.id IDENTITY

--- case: stars over one unknown relation without other columns
--- dialect: bigquery
with x as (select * except (a) from t union all select * except (b) from t) select id from x
--> unresolved
--> id: star_without_schema; t.id IDENTITY

--- case: an aggregate in a condition is of the columns inside
--- dialect: duckdb
select id from src where ts > (select max(ts) from target)
--> resolved
--> id: src.id IDENTITY
--> rows: src.ts FILTER, target.ts FILTER

--- case: an aggregate in HAVING may be of the columns around it
--- dialect: postgres
select id from src group by id having max(ts) > (select max(ts) from target)
--> partial ambiguous_column
--> id: src.id IDENTITY
--> rows: src.id GROUP_BY, src.ts FILTER

--- case: an aggregate of a database whose rule isn't known
--- dialect: snowflake
select id from src where ts > (select max(ts) from target)
--> partial ambiguous_column
--> ID: src.ID IDENTITY
--> rows: src.TS FILTER

--- case: a star over unknown columns comes before a column of one name
--- dialect: duckdb
with c as (select a.*, b.x from a join b on a.id = b.a_id) select x from c
--> unresolved
--> x: ambiguous_column
--> rows: a.id JOIN, b.a_id JOIN

--- case: a star over unknown columns comes after a column of one name
--- dialect: duckdb
with c as (select b.x, a.* from a join b on a.id = b.a_id) select x from c
--> resolved
--> x: b.x IDENTITY
--> rows: a.id JOIN, b.a_id JOIN

--- case: a star is shown to have the column that comes after it as well
--- dialect: duckdb
with c as (select *, upper(x) as x from a) select x from c
--> resolved
--> x: a.x IDENTITY

--- case: a star and a column of one name elsewhere
--- dialect: snowflake
with c as (select a.*, b.x from a join b on a.id = b.a_id) select x from c
--> resolved
--> X: b.X IDENTITY
--> rows: a.ID JOIN, b.A_ID JOIN

--- case: the first of two stars that may have a column
--- dialect: duckdb
with j as (select * from a join b on a.id = b.id2 and a.k = b.k) select id, id2, k from j
--> partial
--> id: a.id IDENTITY
--> id2: ambiguous_column
--> k: a.k IDENTITY
--> rows: a.id JOIN, b.id2 JOIN, a.k JOIN, b.k JOIN

--- case: a field of the only unknown relation's column
--- dialect: trino
select o.id, k, r.f1 from o cross join unnest(m) as u(k, v)
--> resolved
--> id: o.id IDENTITY
--> k: o.m TRANSFORMATION
--> f1: o.r TRANSFORMATION

--- case: a field of one of two unknown relations' columns
--- dialect: trino
select (select r.f1 from o where o.id = p.id) as x from p
--> unresolved
--> x: ambiguous_column; o.id FILTER, p.id FILTER

--- case: what a star over unknown columns replaces
--- dialect: duckdb
select t.* replace (t.a + u.b as a) from t join u using (k)
--> partial star_without_schema
--> a: t.a TRANSFORMATION, u.b TRANSFORMATION
--> rows: t.k JOIN, u.k JOIN

--- case: what a star over unknown columns renames
--- dialect: snowflake
select * rename (a as b, c as d) from t
--> partial star_without_schema
--> B: t.A IDENTITY
--> D: t.C IDENTITY

--- case: a column that a star renames and another leaves out
--- dialect: snowflake
with x as (select * rename (a as b) from t), y as (select * exclude (b), c as b from x) select b, d from y
--> resolved
--> B: t.C IDENTITY
--> D: t.D IDENTITY

--- case: renamed twice
--- dialect: snowflake
with x as (select * rename (a as b) from t) select * rename (b as c) from x
--> partial star_without_schema
--> C: t.A IDENTITY

--- case: a list that JSON is told to be
--- dialect: duckdb
select unnest(from_json(j, '["INT"]')) as e, unnest(json_transform(j, '["INT"]')) as f from t
--> resolved
--> e: t.j TRANSFORMATION
--> f: t.j TRANSFORMATION

--- case: a struct that JSON is told to be
--- dialect: duckdb
select unnest(from_json(j, '{"a": "INT"}')) as e from t
--> unresolved star_without_schema

--- case: with a schema, the number of a row is the alias's
--- dialect: duckdb
--- schema: t(id INT, ts INT, v TEXT)
with n as (select *, row_number() over (partition by id order by ts desc) as rn from t) select id, v from n where rn = 1
--> resolved
--> id: t.id IDENTITY
--> v: t.v IDENTITY
--> rows: t.id WINDOW, t.ts WINDOW

--- case: with a schema, a bare name in a subquery is whose column it is
--- dialect: duckdb
--- schema: t(id INT, v INT); u(k INT, w INT)
select id, (select max(w) from u where k = id) as m from t
--> resolved
--> id: t.id IDENTITY
--> m: u.w AGGREGATION, u.k FILTER, t.id FILTER

--- case: with a schema, unnest of a list is one column
--- dialect: duckdb
--- schema: t(id INT, xs INT[])
select id, unnest(xs) as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.xs TRANSFORMATION

--- case: with a schema, a union of stars is by place
--- dialect: duckdb
--- schema: t(a INT, b INT); u(c INT, d INT)
select * from t union all select * from u
--> resolved
--> a: t.a IDENTITY, u.c IDENTITY
--> b: t.b IDENTITY, u.d IDENTITY

--- case: UNION BY NAME of a column that a star over unknown columns may have too
--- dialect: snowflake
--- schema: U(A INT)
select * from raw.t union all by name select a from u
--> unresolved star_without_schema
--> A: star_without_schema; U.A IDENTITY

--- case: the newest row of another relation, in Spark
--- dialect: databricks
with s as (select * from raw) select id, ts from s where ts > (select max(ts) from c.d.target)
--> resolved
--> id: raw.id IDENTITY
--> ts: raw.ts IDENTITY
--> rows: raw.ts FILTER, c.d.target.ts FILTER

--- case: the newest row of another relation where an outer column may be aggregated inside
--- dialect: bigquery
select id, ts from raw where ts > (select max(ts) from c.d.target)
--> partial ambiguous_column
--> id: raw.id IDENTITY
--> ts: raw.ts IDENTITY
--> rows: raw.ts FILTER

--- case: names beside an array of unknown elements that a function gives
--- dialect: bigquery
select (select value.x from unnest(coalesce(params, [])) where key = 'p') as p, (select max(e) from unnest(split(tags)) e where e < lim) as t, (select q.k from unnest(array_concat(a, b)) q) as q from p.d.e
--> partial
--> p: ambiguous_column
--> t: p.d.e.tags AGGREGATION, p.d.e.tags FILTER, p.d.e.lim FILTER
--> q: p.d.e.a TRANSFORMATION, p.d.e.b TRANSFORMATION

--- case: clickhouse's left side may have the right one's column
--- dialect: clickhouse
--- schema: u(id Int32, x Int32)
select id, x, u.x as ux from t join u on t.id = u.id
--> partial
--> id: t.id IDENTITY
--> x: ambiguous_column
--> ux: u.x IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: structs built of unknown elements
--- dialect: duckdb
select list_transform(l, lambda x: {'u': x.q, 'v': a})[1].u as u, list_transform(l, lambda x: {'u': x.q, 'v': a})[1].v as v from t
--> resolved
--> u: t.l TRANSFORMATION
--> v: t.a TRANSFORMATION, t.l TRANSFORMATION

--- case: a column that either of two unknown branches may have
--- dialect: duckdb
with b as (select a from t), c as (select * from t union all by name select * from u) select c.a, b.a as ba, c.z from b, c
--> partial
--> a: star_without_schema; t.a IDENTITY
--> ba: t.a IDENTITY
--> z: ambiguous_column

--- case: a column that only one branch can have
--- dialect: duckdb
with c as (select * from t union all by name select b from u) select c.a, c.b from c
--> partial
--> a: t.a IDENTITY
--> b: ambiguous_column
