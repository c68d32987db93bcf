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
--> c: t.b AGGREGATION MASKED

--- case: snowflake object
--- dialect: snowflake
--- schema: T(A INT, B INT, V VARIANT)
select object_construct('a', a, 'b', b) as o, o:a::int as oa, array_construct(a, b)[0] as x, v:"k-x".y[0]::string as z, try_cast(v:n as int) as n from t
--> resolved
--> O: T.A TRANSFORMATION, T.B TRANSFORMATION
--> OA: T.A TRANSFORMATION
--> X: T.A TRANSFORMATION
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

--- case: json build narrows
--- dialect: postgres
--- schema: t(a INT, b INT)
select j ->> 'a' as x from (select jsonb_build_object('a', a, 'b', b) as j from t) q
--> resolved
--> x: t.a TRANSFORMATION

--- case: several arrays in postgres
--- dialect: postgres
--- schema: t(a INT[], b TEXT[])
select u.x, u.y, p.* from t, unnest(t.a, t.b) as u(x, y), unnest(a, b) with ordinality as p(m, n, o)
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b TRANSFORMATION
--> m: t.a TRANSFORMATION
--> n: t.b TRANSFORMATION
--> o: constant

--- case: several arrays in duckdb
--- dialect: duckdb
--- schema: t(a INT[], b VARCHAR[])
select unnest(a) as x, unnest(b) as y from t
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b TRANSFORMATION

--- case: several arrays in bigquery
--- dialect: bigquery
--- schema: t(a ARRAY<INT64>, b ARRAY<STRING>)
select x, b[offset(i)] as y from t, unnest(a) as x with offset as i
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b TRANSFORMATION

--- case: arrays_zip
--- dialect: spark
--- schema: t(a ARRAY<INT>, b ARRAY<STRING>)
select z.a, z.b from (select explode(arrays_zip(a, b)) as z from t)
--> resolved
--> a: t.a TRANSFORMATION
--> b: t.b TRANSFORMATION

--- case: insert star into known target
--- dialect: postgres
--- schema: t(x INT, y INT)
insert into t select * from s
--> unresolved star_without_schema -> t

--- case: insert list from unknown star
--- dialect: postgres
insert into t (a, b) select * from s
--> unresolved -> t
--> a: star_without_schema
--> b: star_without_schema

--- case: insert more than listed
--- dialect: postgres
--- schema: s(a INT, b INT, c INT)
insert into t (x, y) select a, b from s
--> resolved -> t
--> x: s.a IDENTITY
--> y: s.b IDENTITY

--- case: update set from cte
--- dialect: postgres
--- schema: t(id INT, v INT); s(id INT, w INT)
with c as (select id, max(w) as w from s group by id) update t set v = c.w from c where c.id = t.id
--> resolved -> t
--> v: s.w AGGREGATION
--> rows: s.id GROUP_BY, s.id FILTER, t.id FILTER

--- case: update snowflake
--- dialect: snowflake
--- schema: T(ID INT, V INT); S(ID INT, W INT)
update t set t.v = s.w + 1 from s where t.id = s.id
--> resolved -> t
--> V: S.W TRANSFORMATION
--> rows: T.ID FILTER, S.ID FILTER

--- case: update bigquery struct
--- dialect: bigquery
--- schema: t(id INT64, s STRUCT<a INT64>); u(id INT64, v INT64)
update t set s.a = u.v from u where t.id = u.id
--> resolved -> t
--> s: u.v IDENTITY
--> rows: t.id FILTER, u.id FILTER

--- case: update oracle correlated
--- dialect: oracle
--- schema: T(ID INT, V INT); S(ID INT, W INT)
update t set (v) = (select w from s where s.id = t.id) where exists (select 1 from s where s.id = t.id)
--> resolved -> t
--> V: S.W IDENTITY, S.ID FILTER, T.ID FILTER
--> rows: S.ID FILTER, T.ID FILTER

--- case: merge with conditions and insert where
--- dialect: oracle
--- schema: T(ID INT, V INT); S(ID INT, W INT, F INT)
merge into t using (select id, w, f from s) s on (t.id = s.id) when matched then update set t.v = s.w where s.f = 1 when not matched then insert (id, v) values (s.id, s.w) where s.f = 2
--> resolved -> t
--> V: S.W IDENTITY
--> ID: S.ID IDENTITY
--> rows: T.ID JOIN, S.ID JOIN, S.F FILTER

--- case: merge databricks
--- dialect: databricks
--- schema: c.t(id INT, v INT); c.s(id INT, v INT, op STRING)
merge into c.t as target using c.s as source on target.id = source.id when matched and source.op = 'd' then delete when matched then update set target.v = coalesce(source.v, target.v) when not matched then insert (id, v) values (source.id, source.v)
--> resolved -> c.t
--> v: c.s.v TRANSFORMATION, c.s.v CONDITIONAL, c.t.v TRANSFORMATION, c.t.v CONDITIONAL, c.s.v IDENTITY
--> id: c.s.id IDENTITY
--> rows: c.t.id JOIN, c.s.id JOIN, c.s.op FILTER

--- case: merge case expression
--- dialect: snowflake
--- schema: T(ID INT, V INT, U TIMESTAMP); S(ID INT, V INT)
merge into t using s on t.id = s.id when matched then update set v = case when s.v > t.v then s.v else t.v end, u = current_timestamp when not matched then insert values (s.id, s.v, current_timestamp)
--> resolved -> t
--> V: S.V CONDITIONAL, T.V CONDITIONAL, S.V TRANSFORMATION, T.V TRANSFORMATION, S.V IDENTITY
--> U: constant
--> ID: S.ID IDENTITY
--> rows: T.ID JOIN, S.ID JOIN

--- case: union by name three
--- dialect: duckdb
--- schema: a(x INT, y INT); b(y INT, z INT); c(z INT, x INT)
select * from a union all by name select * from b union by name select * from c
--> resolved
--> x: a.x IDENTITY, c.x IDENTITY
--> y: a.y IDENTITY, b.y IDENTITY
--> z: b.z IDENTITY, c.z IDENTITY
--> rows: a.x GROUP_BY, c.x GROUP_BY, a.y GROUP_BY, b.y GROUP_BY, b.z GROUP_BY, c.z GROUP_BY

--- case: union by name snowflake
--- dialect: snowflake
--- schema: A(X INT, Y INT); B(Y INT, Z INT)
select * from a union all by name select * from b
--> resolved
--> X: A.X IDENTITY
--> Y: A.Y IDENTITY, B.Y IDENTITY
--> Z: B.Z IDENTITY

--- case: lateral chain
--- dialect: postgres
--- schema: t(id INT, j JSONB); u(k INT, v INT)
select t.id, a.x, b.y from t cross join lateral (select t.id * 2 as x) a left join lateral (select max(v) as y from u where u.k = a.x) b on true
--> resolved
--> id: t.id IDENTITY
--> x: t.id TRANSFORMATION
--> y: u.v AGGREGATION
--> rows: u.k FILTER, t.id FILTER

--- case: lateral with aggregates of outer
--- dialect: snowflake
--- schema: T(ID INT, A INT); U(TID INT, V INT)
select t.id, x.s from t, lateral (select sum(u.v) + t.a as s from u where u.tid = t.id) x
--> resolved
--> ID: T.ID IDENTITY
--> S: U.V AGGREGATION, T.A TRANSFORMATION
--> rows: U.TID FILTER, T.ID FILTER

--- case: named window chain
--- dialect: bigquery
--- schema: t(a INT64, b INT64, c INT64)
select sum(a) over w1 as s, avg(a) over (w2 rows 3 preceding) as m from t window w1 as (partition by b), w2 as (w1 order by c)
--> resolved
--> s: t.a AGGREGATION, t.b WINDOW
--> m: t.a AGGREGATION, t.b WINDOW, t.c WINDOW

--- case: group by cube alias
--- dialect: snowflake
--- schema: T(A INT, B INT)
select date_trunc('month', a) as m, b, grouping(b) as g, count(*) as n from t group by cube(m, b)
--> resolved
--> M: T.A TRANSFORMATION
--> B: T.B IDENTITY
--> G: T.B TRANSFORMATION
--> N: constant
--> rows: T.A GROUP_BY, T.B GROUP_BY

--- case: having alias
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select a as k, sum(b) as s from t group by k having s > 1 and max(b) < 3
--> resolved
--> k: t.a IDENTITY
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY, t.b FILTER

--- case: columns regex replace star
--- dialect: duckdb
--- schema: t(id INT, a_x INT, b_x INT)
select id, columns('(.)_x') as '\1' from t
--> resolved
--> id: t.id IDENTITY
--> a: t.a_x IDENTITY
--> b: t.b_x IDENTITY

--- case: columns with two
--- dialect: duckdb
--- schema: t(a INT, b INT)
select columns(*) + columns(*) from t
--> resolved
--> a: t.a TRANSFORMATION
--> b: t.b TRANSFORMATION

--- case: coalesce of columns
--- dialect: duckdb
--- schema: t(a INT, b INT)
select coalesce(*columns(*)) as x from t
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION, t.a CONDITIONAL, t.b CONDITIONAL

--- case: list agg struct filter
--- dialect: duckdb
--- schema: t(a INT, b INT)
select list_filter(list({'x': a, 'y': b}), lambda s: s.x > 1) as l, [s.y for s in list({'x': a, 'y': b}) if s.x > 1] as c from t
--> resolved
--> l: t.a AGGREGATION, t.b AGGREGATION
--> c: t.b AGGREGATION, t.a CONDITIONAL

--- case: struct update
--- dialect: duckdb
--- schema: t(a INT, b INT)
select struct_insert({'x': a}, y := b) as s, struct_pack(p := a).p as p, row(a, b) as r from t
--> resolved
--> s: t.a TRANSFORMATION, t.b TRANSFORMATION
--> p: t.a TRANSFORMATION
--> r: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: asof using
--- dialect: duckdb
--- schema: t(k INT, ts INT, a INT); p(k INT, ts INT, v INT)
select * from t asof join p using (k, ts)
--> resolved
--> k: t.k IDENTITY
--> ts: t.ts IDENTITY
--> a: t.a IDENTITY
--> v: p.v IDENTITY
--> rows: t.k JOIN, p.k JOIN, t.ts JOIN, p.ts JOIN

--- case: unpivot include nulls
--- dialect: duckdb
--- schema: s(id INT, a INT, b INT)
from s unpivot include nulls (v for n in (a, b)) select id, n, v
--> resolved
--> id: s.id IDENTITY
--> n: constant
--> v: s.a IDENTITY, s.b IDENTITY

--- case: nested case coalesce window
--- dialect: postgres
--- schema: t(id INT, a INT, d DATE)
select case when lag(a) over (partition by id order by d) is null then 'new' when a > 0 then 'x' end as s from t
--> resolved
--> s: t.a CONDITIONAL, t.id WINDOW, t.d WINDOW

--- case: NATURAL JOIN with an unknown relation
--- dialect: postgres
--- schema: u(id INT, x INT)
select t.a, u.x as sure, x, id from t natural join u
--> partial star_without_schema
--> a: t.a IDENTITY
--> sure: u.x IDENTITY
--> x: star_without_schema
--> id: star_without_schema

--- case: NATURAL RIGHT JOIN with an unknown relation
--- dialect: postgres
--- schema: t(id INT, a INT)
select a, t.a as sure from t natural right join u
--> partial star_without_schema
--> a: star_without_schema
--> sure: t.a IDENTITY

--- case: an element that is a value has no fields
--- dialect: bigquery
select array(select e * b from unnest(arr) e) as y, array(select k from unnest(arr)) as z from t
--> unresolved
--> y: ambiguous_column; t.arr TRANSFORMATION
--> z: ambiguous_column

--- case: a spine of days between two dates of a table
--- dialect: duckdb
--- schema: o(id INTEGER, d DATE, amt INTEGER)
with spine as (select unnest(generate_series((select min(d) from o), (select max(d) from o), interval 1 day))::date as day) select s.day, coalesce(sum(o.amt), 0) as total, count(o.id) as n from spine s left join o on o.d = s.day group by all order by 1
--> resolved
--> day: o.d AGGREGATION
--> total: o.amt AGGREGATION, o.amt CONDITIONAL
--> n: o.id AGGREGATION MASKED
--> rows: o.d JOIN, o.d GROUP_BY, o.d SORT

--- case: sessions of a visitor by pauses
--- dialect: duckdb
--- schema: pv(visitor VARCHAR, ts TIMESTAMP, page VARCHAR)
with lagged as (select *, lag(ts) over (partition by visitor order by ts) as prev from pv), flagged as (select *, (prev is null or ts - prev > interval 30 minute)::int as is_new from lagged), numbered as (select * exclude (prev), sum(is_new) over (partition by visitor order by ts rows unbounded preceding) as n from flagged) select md5(visitor || '-' || n) as session, arg_min(page, ts) as landing, count(distinct page) as pages, max(ts) - min(ts) as lasted from numbered group by visitor, n
--> resolved
--> session: pv.visitor TRANSFORMATION MASKED, pv.ts AGGREGATION MASKED, pv.visitor WINDOW MASKED, pv.ts WINDOW MASKED
--> landing: pv.page AGGREGATION, pv.ts AGGREGATION
--> pages: pv.page AGGREGATION MASKED
--> lasted: pv.ts AGGREGATION
--> rows: pv.visitor GROUP_BY, pv.ts GROUP_BY, pv.visitor WINDOW, pv.ts WINDOW

--- case: versions of a row with their ends
--- dialect: duckdb
--- schema: h(id INTEGER, status VARCHAR, ts TIMESTAMP)
with changed as (select *, md5(concat_ws('|', status)) as h, lag(md5(concat_ws('|', status))) over w as before from h window w as (partition by id order by ts)) select id, status, ts as valid_from, lead(ts) over (partition by id order by ts) as valid_to, valid_to is null as is_current from changed where h is distinct from before
--> resolved
--> id: h.id IDENTITY
--> status: h.status IDENTITY
--> valid_from: h.ts IDENTITY
--> valid_to: h.ts TRANSFORMATION, h.id WINDOW, h.ts WINDOW
--> is_current: h.ts TRANSFORMATION, h.id WINDOW, h.ts WINDOW
--> rows: h.status FILTER MASKED, h.id WINDOW, h.ts WINDOW

--- case: keys, values and structs of a map
--- dialect: duckdb
--- schema: p(id INTEGER, k VARCHAR, v INTEGER, w INTEGER)
with m as (select id, map([k, 'b'], [{'v': v, 'w': w}, {'v': 1, 'w': 2}]) as mm from p) select id, mm['b'].v as bv, map_keys(mm)[1] as k1, map_values(mm)[1].w as w1, cardinality(mm) as n, list_transform(map_entries(mm), lambda e: e.value.v) as vs from m
--> resolved
--> id: p.id IDENTITY
--> bv: p.v TRANSFORMATION, p.k TRANSFORMATION
--> k1: p.k TRANSFORMATION
--> w1: p.w TRANSFORMATION
--> n: p.k TRANSFORMATION, p.v TRANSFORMATION, p.w TRANSFORMATION
--> vs: p.v TRANSFORMATION

--- case: a map gathered from entries
--- dialect: duckdb
--- schema: p(id INTEGER, k VARCHAR, v INTEGER)
select e.key as k, e.value as v from (select unnest(map_entries(map_from_entries(list((k, v) order by id)))) as e from p)
--> resolved
--> k: p.k AGGREGATION, p.id SORT
--> v: p.v AGGREGATION, p.id SORT

--- case: a funnel by filtered aggregates
--- dialect: duckdb
--- schema: e(u INTEGER, name VARCHAR, ts TIMESTAMP)
with s as (select u, min(ts) filter (name = 'view') as viewed, min(ts) filter (where name = 'buy') as bought from e group by u) select count(viewed) as v, count(*) filter (bought > viewed) as b, median(date_diff('second', viewed, bought)) as lag, b / v as rate from s
--> resolved
--> v: e.ts AGGREGATION MASKED, e.name CONDITIONAL MASKED
--> b: e.ts CONDITIONAL, e.name CONDITIONAL
--> lag: e.ts AGGREGATION, e.name CONDITIONAL
--> rate: e.ts CONDITIONAL, e.name CONDITIONAL, e.ts AGGREGATION MASKED, e.name CONDITIONAL MASKED
--> rows: e.u GROUP_BY

--- case: unions of relations with their names
--- dialect: duckdb
--- schema: a(id INTEGER, x VARCHAR); b(id INTEGER, y INTEGER)
select 'a' as src, * from a union all by name select 'b' as src, *, id * 2 as x from b
--> resolved
--> src: constant
--> id: a.id IDENTITY, b.id IDENTITY
--> x: a.x IDENTITY, b.id TRANSFORMATION
--> y: b.y IDENTITY

--- case: nested json of a document
--- dialect: duckdb
--- schema: d(id INTEGER, doc JSON)
select d.id, doc->>'$.customer.name' as name, doc.items[0].sku as sku, j.value->>'sku' as each_sku, j.key as place, json_array_length(doc, '$.items') as n, (doc->'$.total')::decimal(10, 2) as total from d, json_each(doc, '$.items') j
--> resolved
--> id: d.id IDENTITY
--> name: d.doc TRANSFORMATION
--> sku: d.doc TRANSFORMATION
--> each_sku: d.doc TRANSFORMATION
--> place: d.doc TRANSFORMATION
--> n: d.doc TRANSFORMATION
--> total: d.doc TRANSFORMATION

--- case: the newest row of each key beside a running total
--- dialect: duckdb
--- schema: o(id INTEGER, c INTEGER, amt INTEGER, ts TIMESTAMP)
select * replace (amt / 100 as amt), sum(amt) over (partition by c order by ts) as running, row_number() over (partition by c order by ts desc) as rn from o qualify rn = 1
--> resolved
--> id: o.id IDENTITY
--> c: o.c IDENTITY
--> amt: o.amt TRANSFORMATION
--> ts: o.ts IDENTITY
--> running: o.amt AGGREGATION, o.c WINDOW, o.ts WINDOW
--> rn: o.c WINDOW, o.ts WINDOW
--> rows: o.c WINDOW, o.ts WINDOW

--- case: columns by pattern in aggregates
--- dialect: duckdb
--- schema: o(id INTEGER, amt_a INTEGER, amt_b INTEGER, note VARCHAR)
select id, sum(columns('amt_.*')), max(columns(* exclude (id, note))) as 'max_\0' from o group by id
--> resolved
--> id: o.id IDENTITY
--> amt_a: o.amt_a AGGREGATION
--> amt_b: o.amt_b AGGREGATION
--> max_amt_a: o.amt_a AGGREGATION
--> max_amt_b: o.amt_b AGGREGATION
--> rows: o.id GROUP_BY
