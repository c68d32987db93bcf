--- case: lateral alias unknown table
--- dialect: snowflake
select a + 1 as x, x * 2 as y from t
--> partial
--> X: t.A TRANSFORMATION
--> Y: ambiguous_column

--- case: lateral alias over a closed CTE
--- dialect: snowflake
with c as (select a from t) select a + 1 as x, x * 2 as y from c
--> resolved
--> X: t.A TRANSFORMATION
--> Y: t.A TRANSFORMATION

--- case: correlated unknown inner
with o as (select k, v from t) select (select max(z) from u where u.k = o.k) as m, v from o
--> resolved
--> m: u.z AGGREGATION, u.k FILTER, t.k FILTER
--> v: t.v IDENTITY

--- case: correlated ambiguous
with o as (select k, v from t) select (select max(v) from u where u.k = o.k) as m from o
--> unresolved
--> m: ambiguous_column; u.k FILTER, t.k FILTER

--- case: group by alias hides
--- dialect: postgres
--- schema: t(a INT, b INT)
select a + b as b, count(*) as n from t group by b
--> resolved
--> b: t.a TRANSFORMATION, t.b TRANSFORMATION
--> n: constant
--> rows: t.b GROUP_BY

--- case: order by expression of alias
--- dialect: bigquery
--- schema: t(a INT64)
select a + 1 as x from t order by x + 1
--> resolved
--> x: t.a TRANSFORMATION
--> rows: t.a SORT

--- case: alias in having mysql
--- dialect: mysql
--- schema: t(a INT, b INT)
select a, sum(b) as s from t group by a having s > 1 order by s
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY, t.b FILTER, t.b SORT

--- case: qualified by schema
--- dialect: postgres
--- schema: s.t(a INT)
select s.t.a, t.a as b from s.t
--> resolved
--> a: s.t.a IDENTITY
--> b: s.t.a IDENTITY

--- case: cte in cte in subquery
--- schema: t(a INT)
select * from (with x as (with y as (select a from t) select a as b from y) select b from x) z
--> resolved
--> b: t.a IDENTITY

--- case: union inside in
--- schema: t(a INT, b INT); u(c INT); v(d INT)
select a from t where b in (select c from u union all select d from v)
--> resolved
--> a: t.a IDENTITY
--> rows: t.b FILTER, u.c FILTER, v.d FILTER

--- case: case over exists
--- schema: t(a INT, k INT); u(k INT, f INT)
select case when exists (select 1 from u where u.k = t.k and u.f > 1) then a else 0 end as x from t
--> resolved
--> x: u.k FILTER, t.k FILTER, u.f FILTER, t.a TRANSFORMATION

--- case: nested aggregates of subqueries
--- schema: t(a INT, k INT); u(v INT, k INT)
select sum((select max(v) from u where u.k = t.k)) as s from t
--> resolved
--> s: u.v AGGREGATION, u.k FILTER, t.k FILTER

--- case: coalesce of subquery
--- schema: t(a INT, k INT); u(v INT, k INT)
select coalesce((select max(v) from u where u.k = t.k), a) as s from t
--> resolved
--> s: u.v AGGREGATION, u.k FILTER, t.k FILTER, u.v CONDITIONAL, t.a TRANSFORMATION, t.a CONDITIONAL

--- case: window of cte filter
--- schema: t(a INT, k INT, d INT)
with r as (select *, row_number() over (partition by k order by d desc) as rn from t) select * from r where rn = 1
--> resolved
--> a: t.a IDENTITY
--> k: t.k IDENTITY
--> d: t.d IDENTITY
--> rn: t.k WINDOW, t.d WINDOW
--> rows: t.k WINDOW, t.d WINDOW

--- case: exclude rn
--- dialect: duckdb
--- schema: t(a INT, k INT, d INT)
with r as (select *, row_number() over (partition by k order by d desc) as rn from t) select * exclude (rn) from r where rn = 1
--> resolved
--> a: t.a IDENTITY
--> k: t.k IDENTITY
--> d: t.d IDENTITY
--> rows: t.k WINDOW, t.d WINDOW

--- case: dbt utils union
--- dialect: duckdb
--- schema: a(id INT, x INT); b(id INT, y INT)
(select 'a' as src, id, x, null as y from a) union all (select 'b' as src, id, null as x, y from b)
--> resolved
--> src: constant
--> id: a.id IDENTITY, b.id IDENTITY
--> x: a.x IDENTITY
--> y: b.y IDENTITY

--- case: surrogate key
--- dialect: postgres
--- schema: t(a INT, b INT)
select md5(cast(coalesce(cast(a as text), '_null_') || '-' || coalesce(cast(b as text), '_null_') as text)) as sk from t
--> resolved
--> sk: t.a TRANSFORMATION MASKED, t.a CONDITIONAL MASKED, t.b TRANSFORMATION MASKED, t.b CONDITIONAL MASKED

--- case: spine
--- dialect: postgres
with rawdata as (with p as (select 0 as generated_number union all select 1) , u as (select p0.generated_number * power(2, 0) + 1 as generated_number from p as p0 cross join p as p1) select * from u), f as (select (date '2020-01-01' + (row_number() over (order by 1) - 1) * interval '1 day') as d from rawdata) select * from f where d <= current_date
--> resolved
--> d: constant

--- case: incremental self
--- dialect: duckdb
--- schema: s(id INT, ts INT); db.m(id INT, ts INT)
select * from s where ts > (select max(ts) from db.m)
--> resolved
--> id: s.id IDENTITY
--> ts: s.ts IDENTITY
--> rows: s.ts FILTER, db.m.ts FILTER

--- case: aggregates of struct fields
--- dialect: bigquery
--- schema: t(s STRUCT<a INT64, b INT64>, l ARRAY<STRUCT<x INT64>>)
select sum(s.a) as a, (select sum(i.x) from unnest(l) as i) as x, array_length(l) as n, s.a + s.b as ab from t group by s.b
--> resolved
--> a: t.s.a AGGREGATION
--> x: t.l.x AGGREGATION
--> n: t.l TRANSFORMATION
--> ab: t.s.a TRANSFORMATION, t.s.b TRANSFORMATION
--> rows: t.s.b GROUP_BY

--- case: except star on cte w/o schema
with a as (select x, y, z from t) select * except (y) from a
--> resolved
--> x: t.x IDENTITY
--> z: t.z IDENTITY

--- case: tuple in projection
--- dialect: postgres
--- schema: t(a INT, b INT)
select (a, b) as r, row(a, b) as r2, array[a, b] as l from t
--> resolved
--> r: t.a TRANSFORMATION, t.b TRANSFORMATION
--> r2: t.a TRANSFORMATION, t.b TRANSFORMATION
--> l: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: exists over array
--- dialect: spark
--- schema: t(l ARRAY<INT>, a INT)
select exists(l, x -> x > a) as e, forall(l, x -> x > 1) as f, array_sort(l, (x, y) -> x - y) as s, zip_with(l, l, (x, y) -> x + y) as z from t
--> resolved
--> e: t.l TRANSFORMATION, t.a TRANSFORMATION
--> f: t.l TRANSFORMATION
--> s: t.l TRANSFORMATION
--> z: t.l TRANSFORMATION

--- case: map lambda
--- dialect: trino
--- schema: t(m MAP(VARCHAR, BIGINT), a BIGINT)
select transform_values(m, (k, v) -> v + a) as x, reduce(map_values(m), 0, (s, x) -> s + x, s -> s) as r from t
--> resolved
--> x: t.m TRANSFORMATION, t.a TRANSFORMATION
--> r: t.m TRANSFORMATION

--- case: using chain open
select id, a.x, b.y, c.z from a join b using (id) left join c using (id)
--> resolved
--> id: a.id IDENTITY
--> x: a.x IDENTITY
--> y: b.y IDENTITY
--> z: c.z IDENTITY
--> rows: a.id JOIN, b.id JOIN, c.id JOIN

--- case: using over a CTE and open
with o as (select id, v from t) select id, v, w from o left join u using (id)
--> resolved
--> id: t.id IDENTITY
--> v: t.v IDENTITY
--> w: u.w IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: two defs one open
with o as (select id, v from t) select v, w, id from o join u on u.oid = o.id
--> resolved
--> v: t.v IDENTITY
--> w: u.w IDENTITY
--> id: t.id IDENTITY
--> rows: u.oid JOIN, t.id JOIN

--- case: subquery star open filter
select x.a, x.b from (select * from t where c = 1) x
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: t.c FILTER

--- case: qualify star open
--- dialect: snowflake
select * from t qualify row_number() over (partition by k order by d) = 1
--> unresolved star_without_schema
--> rows: t.K WINDOW, t.D WINDOW

--- case: unknown columns in group by
select a, count(*) as n from (select * from t) x group by a
--> resolved
--> a: t.a IDENTITY
--> n: constant
--> rows: t.a GROUP_BY

--- case: tsql top with ties and string agg
--- dialect: tsql
--- schema: t(a INT, b INT)
select top 1 with ties a, string_agg(b, ',') within group (order by a) as s from t group by a order by row_number() over (partition by a order by b)
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a SORT
--> rows: t.a GROUP_BY, t.a WINDOW, t.b WINDOW

--- case: redshift listagg
--- dialect: redshift
--- schema: t(a INT, b INT)
select listagg(distinct a, ',') within group (order by b) as s, median(a) as m, approximate count(distinct b) as c from t
--> resolved
--> s: t.a AGGREGATION, t.b SORT
--> m: t.a AGGREGATION
--> c: t.b AGGREGATION

--- case: snowflake object
--- dialect: snowflake
--- schema: T(A INT, B INT, V VARIANT)
select object_construct('a', a, 'b', b) as o, o:a::int as oa, array_construct(a, b)[0] as x, v:"k-x".y[0]::string as z, try_cast(v:n as int) as n from t
--> resolved
--> O: T.A TRANSFORMATION, T.B TRANSFORMATION
--> OA: T.A TRANSFORMATION, T.B TRANSFORMATION
--> X: T.A TRANSFORMATION, T.B TRANSFORMATION
--> Z: T.V TRANSFORMATION
--> N: T.V TRANSFORMATION

--- case: struct narrowing through cte and union
--- dialect: bigquery
--- schema: t(a INT64, b INT64, c INT64)
with s as (select struct(a as x, struct(b as y, c as z) as inn) as st from t) select st.x, st.inn.y as y, st.inn.* from s
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b TRANSFORMATION
--> y: t.b TRANSFORMATION
--> z: t.c TRANSFORMATION

--- case: array of struct unnest narrowing
--- dialect: duckdb
--- schema: t(a INT, b INT, g INT)
select g, u.x, u.y from (select g, list({'x': a, 'y': b}) as l from t group by g) q, unnest(q.l) as u(u)
--> resolved
--> g: t.g IDENTITY
--> x: t.a AGGREGATION
--> y: t.b AGGREGATION
--> rows: t.g GROUP_BY

--- case: array of struct unnest narrowing bigquery
--- dialect: bigquery
--- schema: t(a INT64, b INT64, g INT64)
select g, i.x, i.y from (select g, array_agg(struct(a as x, b as y) order by b) as l from t group by g) q, unnest(q.l) as i
--> resolved
--> g: t.g IDENTITY
--> x: t.a AGGREGATION, t.b SORT
--> y: t.b AGGREGATION, t.b SORT
--> rows: t.g GROUP_BY

--- case: json build narrowing stays whole
--- dialect: postgres
--- schema: t(a INT, b INT)
select j ->> 'a' as x from (select jsonb_build_object('a', a, 'b', b) as j from t) q
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION
