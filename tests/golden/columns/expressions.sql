--- case: column and rename
--- schema: t(a INT, b INT)
select a, b as c, (a) as d from t
--> resolved
--> a: t.a IDENTITY
--> c: t.b IDENTITY
--> d: t.a IDENTITY

--- case: cast, operator and function
--- schema: t(a INT, b INT)
select cast(a as text) as x, a + b as y, upper(a) as z, -a as n, a || b as c, a is null as isn from t
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.a TRANSFORMATION, t.b TRANSFORMATION
--> z: t.a TRANSFORMATION
--> n: t.a TRANSFORMATION
--> c: t.a TRANSFORMATION, t.b TRANSFORMATION
--> isn: t.a TRANSFORMATION

--- case: field order follows the expression
--- schema: t(a INT, b INT)
select coalesce(b, a) - b as x from t
--> resolved
--> x: t.b TRANSFORMATION, t.b CONDITIONAL, t.a TRANSFORMATION, t.a CONDITIONAL

--- case: aggregates and masking count
--- schema: t(a INT, b INT)
select sum(a) as s, count(a) as c, count(*) as n, count(distinct b) as d, max(a) + min(b) as m from t
--> resolved
--> s: t.a AGGREGATION
--> c: t.a AGGREGATION MASKED
--> n: constant
--> d: t.b AGGREGATION MASKED
--> m: t.a AGGREGATION, t.b AGGREGATION

--- case: constants
--- schema: t(a INT)
select 1 as one, 'x' as x, current_timestamp as now, null as n, count(*) as c, row_number() over () as r from t
--> resolved
--> one: constant
--> x: constant
--> now: constant
--> n: constant
--> c: constant
--> r: constant

--- case: case with a condition
--- schema: t(a INT, b INT, c INT)
select case when a > 1 then b else c end as x, case a when 1 then 'x' else 'y' end as lit, case when a > 1 then a end as both from t
--> resolved
--> x: t.a CONDITIONAL, t.b TRANSFORMATION, t.c TRANSFORMATION
--> lit: t.a CONDITIONAL
--> both: t.a CONDITIONAL, t.a TRANSFORMATION

--- case: if and iff
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT)
select iff(a > 1, b, c) as x, nvl2(a, b, c) as y, decode(a, 1, b, c) as z, zeroifnull(a) as q from t
--> resolved
--> X: T.A CONDITIONAL, T.B TRANSFORMATION, T.C TRANSFORMATION
--> Y: T.A CONDITIONAL, T.B TRANSFORMATION, T.C TRANSFORMATION
--> Z: T.A CONDITIONAL, T.B TRANSFORMATION, T.C TRANSFORMATION
--> Q: T.A CONDITIONAL, T.A TRANSFORMATION

--- case: coalesce, nvl and nullif
--- schema: t(a INT, b INT)
select coalesce(a, b, 0) as x, nvl(a, b) as y, nullif(a, b) as z, ifnull(a, 0) as w from t
--> resolved
--> x: t.a TRANSFORMATION, t.a CONDITIONAL, t.b TRANSFORMATION, t.b CONDITIONAL
--> y: t.a TRANSFORMATION, t.a CONDITIONAL, t.b TRANSFORMATION, t.b CONDITIONAL
--> z: t.a TRANSFORMATION, t.a CONDITIONAL, t.b CONDITIONAL
--> w: t.a TRANSFORMATION, t.a CONDITIONAL

--- case: greatest and least
--- schema: t(a INT, b INT)
select greatest(a, b) as x, least(a, b, 3) as y from t
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION
--> y: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: aggregate filter
--- dialect: duckdb
--- schema: t(a INT, b INT)
select sum(a) filter (where b > 1) as x, count(*) filter (where b > 2) as y from t
--> resolved
--> x: t.a AGGREGATION, t.b CONDITIONAL
--> y: t.b CONDITIONAL

--- case: count_if and clickhouse combinators
--- dialect: clickhouse
--- schema: t(a INT, b INT)
select countIf(a > 1) as x, sumIf(a, b > 1) as y, uniqExact(a) as z, multiIf(a > 1, b, a < 0, 2, 3) as m from t
--> resolved
--> x: t.a CONDITIONAL
--> y: t.a AGGREGATION, t.b CONDITIONAL
--> z: t.a AGGREGATION
--> m: t.a CONDITIONAL, t.b TRANSFORMATION

--- case: order inside an aggregate
--- dialect: postgres
--- schema: t(a INT, b INT, c INT)
select string_agg(a, ',' order by b desc, c) as x, array_agg(a order by a) as y from t
--> resolved
--> x: t.a AGGREGATION, t.b SORT, t.c SORT
--> y: t.a AGGREGATION, t.a SORT

--- case: listagg within group
--- dialect: snowflake
--- schema: T(A INT, B INT)
select listagg(a, ',') within group (order by b) as x, percentile_cont(0.5) within group (order by a) as y from t
--> resolved
--> X: T.A AGGREGATION, T.B SORT
--> Y: T.A AGGREGATION

--- case: hashes mask
--- dialect: snowflake
--- schema: T(A INT, B INT)
select md5(a) as x, sha2(a || b) as y, md5(a) || b as z, upper(md5(a)) as u, hash(a, b) as h from t
--> resolved
--> X: T.A TRANSFORMATION MASKED
--> Y: T.A TRANSFORMATION MASKED, T.B TRANSFORMATION MASKED
--> Z: T.A TRANSFORMATION MASKED, T.B TRANSFORMATION
--> U: T.A TRANSFORMATION MASKED
--> H: T.A TRANSFORMATION MASKED, T.B TRANSFORMATION MASKED

--- case: masking holds along the chain
--- schema: t(a INT)
with m as (select md5(a) as h from t) select h, h || 'x' as k, sum(h) as s from m group by h
--> resolved
--> h: t.a TRANSFORMATION MASKED
--> k: t.a TRANSFORMATION MASKED
--> s: t.a AGGREGATION MASKED
--> rows: t.a GROUP_BY MASKED

--- case: composition keeps the stronger kind
--- schema: t(a INT, b INT)
with x as (select sum(a) as s, case when b > 1 then a end as c from t group by b) select s + 1 as s1, c * 2 as c2, sum(c) as sc from x group by 1, 2
--> resolved
--> s1: t.a AGGREGATION
--> c2: t.b CONDITIONAL, t.a TRANSFORMATION
--> sc: t.b CONDITIONAL, t.a AGGREGATION
--> rows: t.b GROUP_BY, t.a GROUP_BY, t.b CONDITIONAL

--- case: boolean and comparison
--- schema: t(a INT, b INT)
select a > b as x, a between 1 and b as y, a in (1, b) as z, not (a = b) as w, a like b as l from t
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION
--> y: t.a TRANSFORMATION, t.b TRANSFORMATION
--> z: t.a TRANSFORMATION, t.b TRANSFORMATION
--> w: t.a TRANSFORMATION, t.b TRANSFORMATION
--> l: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: date parts are no columns
--- dialect: snowflake
--- schema: T(D DATE, A INT)
select dateadd(day, a, d) as x, datediff(week, d, current_date) as y, date_trunc(month, d) as z, date_part(year, d) as p, extract(hour from d) as h from t
--> resolved
--> X: T.D TRANSFORMATION, T.A TRANSFORMATION
--> Y: T.D TRANSFORMATION
--> Z: T.D TRANSFORMATION
--> P: T.D TRANSFORMATION
--> H: T.D TRANSFORMATION

--- case: date parts without a schema
--- dialect: tsql
select dateadd(week, 1, d) as x, datediff(month, d, e) as y, datepart(dw, d) as z from t
--> resolved
--> x: t.d TRANSFORMATION
--> y: t.e TRANSFORMATION, t.d TRANSFORMATION
--> z: t.d TRANSFORMATION

--- case: lambdas and their parameters
--- dialect: databricks
--- schema: t(l ARRAY<INT>, m ARRAY<INT>, a INT)
select transform(l, x -> x + a) as x, filter(l, (y, i) -> y > i) as f, aggregate(l, 0, (acc, y) -> acc + y) as g, exists(l, z -> z > a) as e from t
--> resolved
--> x: t.l TRANSFORMATION, t.a TRANSFORMATION
--> f: t.l TRANSFORMATION
--> g: t.l TRANSFORMATION
--> e: t.l TRANSFORMATION, t.a TRANSFORMATION

--- case: duckdb lambdas and list comprehension
--- dialect: duckdb
--- schema: t(l INT[], a INT)
select list_transform(l, x -> x + a) as x, list_filter(l, lambda y: y > 1) as f, [z + 1 for z in l if z > a] as c from t
--> resolved
--> x: t.l TRANSFORMATION, t.a TRANSFORMATION
--> f: t.l TRANSFORMATION
--> c: t.l TRANSFORMATION, t.a CONDITIONAL

--- case: methods
--- dialect: duckdb
--- schema: t(a VARCHAR)
select a.upper() as x, 'x'.concat(a) as y from t
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.a TRANSFORMATION

--- case: scalar functions of a schema
--- dialect: postgres
--- schema: t(a INT, b INT)
select my_schema.my_udf(a, b) as x, other(a) as y from t
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION
--> y: t.a TRANSFORMATION

--- case: no columns from types, intervals and parameters
--- dialect: postgres
--- schema: t(a TIMESTAMP)
select a + interval '1 day' as x, a::date as y, cast(a as numeric(10, 2)) as z, a at time zone 'UTC' as w from t
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.a TRANSFORMATION
--> z: t.a TRANSFORMATION
--> w: t.a TRANSFORMATION

--- case: json paths
--- dialect: snowflake
--- schema: R(V VARIANT, A INT)
select v:a.b::string as x, v['k'][0] as y, get_path(v, 'z') as z, parse_json(v):q as q from r
--> resolved
--> X: R.V TRANSFORMATION
--> Y: R.V TRANSFORMATION
--> Z: R.V TRANSFORMATION
--> Q: R.V TRANSFORMATION

--- case: json operators
--- dialect: postgres
--- schema: r(j JSONB, k TEXT)
select j -> 'a' ->> 'b' as x, j #>> '{a,b}' as y, j -> k as z, jsonb_build_object('k', k) as o from r
--> resolved
--> x: r.j TRANSFORMATION
--> y: r.j TRANSFORMATION
--> z: r.j TRANSFORMATION, r.k TRANSFORMATION
--> o: r.k TRANSFORMATION

--- case: combinators with parameters, tuples
--- dialect: clickhouse
--- schema: t(a Int, b Int)
select map(a, b) m, tuple(a, b).1 x, (a, b) as tt, tt.2 y, arrayMap((x, i) -> x + i + b, [a], [1]) z, argMax(a, b) am, quantileIf(0.5)(a, b > 1) q, groupArray(10)(a) g from t
--> resolved
--> m: t.a TRANSFORMATION, t.b TRANSFORMATION
--> x: t.a TRANSFORMATION
--> tt: t.a TRANSFORMATION, t.b TRANSFORMATION
--> y: t.b TRANSFORMATION
--> z: t.b TRANSFORMATION, t.a TRANSFORMATION
--> am: t.a AGGREGATION, t.b AGGREGATION
--> q: t.a AGGREGATION, t.b CONDITIONAL
--> g: t.a AGGREGATION

--- case: functions behind a dot
--- dialect: duckdb
--- schema: q(v INT, k INT, w INT, s VARCHAR); u(w INT, v INT)
select [k, w].len() a, list_filter(range((k in (select w from u))::int), lambda x: x > v).len() as b, (k).abs() c, (q.k + 1).abs() d, [q.k].list_filter(lambda x: x > q.w).len() e, {'a': k}.a.len() f, 'x'.concat(k) g, (case when q.v > 1 then s else 'x' end).upper().lower() h, [x + w for x in [k]].list_sum() i, s.upper() j, q.s.upper() l, (select max(z.v) from u z where z.w = q.k).abs() m, md5(s).upper() n, map {k: v}.map_keys() o
from q
--> resolved
--> a: q.k TRANSFORMATION, q.w TRANSFORMATION
--> b: q.k TRANSFORMATION, u.w TRANSFORMATION, q.v TRANSFORMATION
--> c: q.k TRANSFORMATION
--> d: q.k TRANSFORMATION
--> e: q.k TRANSFORMATION, q.w TRANSFORMATION
--> f: q.k TRANSFORMATION
--> g: q.k TRANSFORMATION
--> h: q.v CONDITIONAL, q.s TRANSFORMATION
--> i: q.k TRANSFORMATION, q.w TRANSFORMATION
--> j: q.s TRANSFORMATION
--> l: q.s TRANSFORMATION
--> m: u.v AGGREGATION, u.w FILTER, q.k FILTER
--> n: q.s TRANSFORMATION MASKED
--> o: q.k TRANSFORMATION, q.v TRANSFORMATION

--- case: a schema's function
--- dialect: duckdb
--- schema: q(v INT, k INT)
select main.f(k) a, db.main.f(v) b from q
--> resolved
--> a: q.k TRANSFORMATION
--> b: q.v TRANSFORMATION

--- case: a name before a function, without a schema
--- dialect: duckdb
select main.f(k) as a, db.main.f(v) as b, s.upper() as c, q.s.upper() as d, utils.f(k) as e, s.len() as g from q
--> partial
--> a: q.k TRANSFORMATION
--> b: ambiguous_column; q.v TRANSFORMATION
--> c: q.s TRANSFORMATION
--> d: q.s TRANSFORMATION
--> e: ambiguous_column; q.k TRANSFORMATION
--> g: q.s TRANSFORMATION

--- case: a function behind a lambda's parameter, without a schema
--- dialect: duckdb
select list_transform(arr, lambda x: x.concat(k)) as a, [y.upper() for y in arr] as b from q
--> resolved
--> a: q.arr TRANSFORMATION, q.k TRANSFORMATION
--> b: q.arr TRANSFORMATION

--- case: COLLATE names no column
--- dialect: postgres
--- schema: t(a TEXT)
select a collate pg_catalog."default" as b from t order by a collate "C"
--> resolved
--> b: t.a TRANSFORMATION
--> rows: t.a SORT

--- case: a method of an aggregate
--- dialect: oracle
--- schema: A(X VARCHAR2, G NUMBER)
select g, xmlagg(xmlelement("e", x, ',') order by x).getclobval() as xa from a group by g
--> resolved
--> G: A.G IDENTITY
--> XA: A.X AGGREGATION, A.X SORT
--> rows: A.G GROUP_BY

--- case: conditions of combined aggregates
--- dialect: clickhouse
--- schema: t(g Int32, v Int32)
select avgIfOrNull(v, g > 1) as a, sumIfState(v, g = 1) as s, countIfMerge(g) as c, notify(v) as n from t
--> resolved
--> a: t.v AGGREGATION, t.g CONDITIONAL
--> s: t.v AGGREGATION, t.g CONDITIONAL
--> c: t.g CONDITIONAL
--> n: t.v TRANSFORMATION

--- case: WITH() of BigQuery
--- dialect: bigquery
--- schema: t(id INT64, a INT64, b INT64, ts INT64)
select id, with(x as a + 1, y as x * b, with(z as y, z + x)) as w from t
--> resolved
--> id: t.id IDENTITY
--> w: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: a column that is called like a unit
--- dialect: snowflake
select to_timestamp_ntz(s) as a, to_timestamp_ltz(m, 'YYYY') as b, my_date_part(month, d) as c from t
--> resolved
--> A: t.S TRANSFORMATION
--> B: t.M TRANSFORMATION
--> C: t.D TRANSFORMATION

--- case: columns called like units in functions that aren't of dates
--- dialect: duckdb
select map_extract(month, 'k')[1] as a, list_extract(day, 1) as b, percentage_of(week, x) as c, validate(year, y) as d, date_thing(hour, z) as e from t
--> resolved
--> a: t.month TRANSFORMATION
--> b: t.day TRANSFORMATION
--> c: t.week TRANSFORMATION, t.x TRANSFORMATION
--> d: t.year TRANSFORMATION, t.y TRANSFORMATION
--> e: t.z TRANSFORMATION

--- case: approximate count
--- dialect: redshift
--- schema: t(a INT, b INT)
select approximate count(distinct a) as n, count(distinct b) as m from t
--> resolved
--> n: t.a AGGREGATION MASKED
--> m: t.b AGGREGATION MASKED

--- case: words behind IS in postgres
--- dialect: postgres
select a is normalized as n, b is not document as d, c is of (int) as o, @ e as abs, @ (f - g) as diff from t
--> resolved
--> n: t.a TRANSFORMATION
--> d: t.b TRANSFORMATION
--> o: t.c TRANSFORMATION
--> abs: t.e TRANSFORMATION
--> diff: t.f TRANSFORMATION, t.g TRANSFORMATION

--- case: words behind IS in oracle
--- dialect: oracle
select a is nan as n, b is not infinite as i, c is not empty as e, sessiontimezone as z, vector_distance(v, w, cosine) as d from t
--> resolved
--> N: t.A TRANSFORMATION
--> I: t.B TRANSFORMATION
--> E: t.C TRANSFORMATION
--> Z: constant
--> D: t.V TRANSFORMATION, t.W TRANSFORMATION

--- case: a unit of time from a column
--- dialect: postgres
--- schema: sales(sold TIMESTAMP, amount INT)
with grains as (select 'month' as grain union all select 'year'), named as (select grain, amount, sold from sales cross join grains)
select date_trunc(grain, sold) as p, date_part(grain, sold) as n, date_bin('1 day', sold, sold) as b, date_trunc('month', sold) as m from named
--> resolved
--> p: sales.sold TRANSFORMATION
--> n: sales.sold TRANSFORMATION
--> b: sales.sold TRANSFORMATION
--> m: sales.sold TRANSFORMATION

--- case: a unit of time from a column in duckdb
--- dialect: duckdb
--- schema: t(grain VARCHAR, a DATE, b DATE)
select date_trunc(grain, a) as p, date_diff(grain, a, b) as d, time_bucket(interval '1 day', a, b) as w, datetrunc('week', a) as k from t
--> resolved
--> p: t.grain TRANSFORMATION, t.a TRANSFORMATION
--> d: t.grain TRANSFORMATION, t.b TRANSFORMATION, t.a TRANSFORMATION
--> w: t.b TRANSFORMATION, t.a TRANSFORMATION
--> k: t.a TRANSFORMATION

--- case: a unit of time from a column in trino
--- dialect: trino
--- schema: t(grain VARCHAR, a DATE, b DATE)
select date_trunc(grain, a) as p, date_diff(grain, a, b) as d, date_add(grain, 1, a) as n from t
--> resolved
--> p: t.grain TRANSFORMATION, t.a TRANSFORMATION
--> d: t.grain TRANSFORMATION, t.b TRANSFORMATION, t.a TRANSFORMATION
--> n: t.grain TRANSFORMATION, t.a TRANSFORMATION

--- case: a unit of time from a column in databricks
--- dialect: databricks
--- schema: t(grain STRING, a DATE)
select date_trunc(grain, a) as p, trunc(a, grain) as q, trunc(a, 'MM') as m, dateadd(month, 1, a) as n from t
--> resolved
--> p: t.grain TRANSFORMATION, t.a TRANSFORMATION
--> q: t.grain TRANSFORMATION, t.a TRANSFORMATION
--> m: t.a TRANSFORMATION
--> n: t.a TRANSFORMATION

--- case: a unit of time from a column in clickhouse
--- dialect: clickhouse
--- schema: t(Grain String, a Date, b Date)
select date_trunc(Grain, a) as p, dateDiff(Grain, a, b) as d, timestamp_diff('day', a, b) as w, timestamp_diff(day, a, b) as k from t
--> resolved
--> p: t.Grain TRANSFORMATION, t.a TRANSFORMATION
--> d: t.Grain TRANSFORMATION, t.b TRANSFORMATION, t.a TRANSFORMATION
--> w: t.b TRANSFORMATION, t.a TRANSFORMATION
--> k: t.b TRANSFORMATION, t.a TRANSFORMATION

--- case: a unit of time that may be a column
--- dialect: duckdb
select date_trunc(grain, a) as p, date_trunc('month', a) as m from t
--> partial
--> p: ambiguous_column; t.a TRANSFORMATION
--> m: t.a TRANSFORMATION

--- case: units and forms that look like columns
--- dialect: snowflake
select trunc(a, month) as t, trunc(a, b) as n from t
--> resolved
--> T: t.A TRANSFORMATION
--> N: t.A TRANSFORMATION, t.B TRANSFORMATION

--- case: forms that look like columns
--- dialect: bigquery
select normalize_and_casefold(a, nfd) as n, normalize(b, nfkc) as k from t
--> resolved
--> n: t.a TRANSFORMATION
--> k: t.b TRANSFORMATION

--- case: columns named by a text
--- dialect: snowflake
--- schema: t(A INT, B INT)
select identifier('a') as x, identifier('t.b') as y, identifier($n) as z, identifier('a b (') as u from t
--> partial
--> X: t.A IDENTITY
--> Y: t.B IDENTITY
--> Z: dynamic_sql
--> U: dynamic_sql

--- case: columns named by a text in databricks
--- dialect: databricks
--- schema: t(a INT, b INT)
select identifier('a') as x, identifier('t.b') + 1 as y, identifier(:n) as z from t
--> partial
--> x: t.a IDENTITY
--> y: t.b TRANSFORMATION
--> z: dynamic_sql

--- case: columns named by a parameter
--- dialect: clickhouse
select {n:Identifier} as x, {p:UInt8} as y, nan as z, a.^path as j from t
--> partial
--> x: dynamic_sql
--> y: constant
--> z: constant
--> j: t.a TRANSFORMATION

--- case: money
--- dialect: tsql
select $1.5 as m, a from t
--> resolved
--> m: constant
--> a: t.a IDENTITY

--- case: words of mysql
--- dialect: mysql
select get_format(date, 'usa') as f, date_format(a, get_format(date, 'usa')) as d from t
--> resolved
--> f: constant
--> d: t.a TRANSFORMATION

--- case: names of the session
--- dialect: trino
select current_schema as s, a from t
--> resolved
--> s: constant
--> a: t.a IDENTITY

--- case: names of the session in redshift
--- dialect: redshift
select current_namespace as s, a from t
--> resolved
--> s: constant
--> a: t.a IDENTITY

--- case: division that tests its divisor
--- dialect: snowflake
select div0(a, b) as x, div0null(a + c, 2) as y, div0(sum(a), count(b)) over (partition by d) as z, iff(b = 0 and not a is null, 0, a / b) as w, iff(e = 0, 0, a / b) as v, zeroifnull(a) as n from t
--> resolved
--> X: t.A TRANSFORMATION, t.B TRANSFORMATION
--> Y: t.A TRANSFORMATION, t.C TRANSFORMATION
--> Z: t.A AGGREGATION, t.B AGGREGATION MASKED, t.D WINDOW
--> W: t.B CONDITIONAL, t.A CONDITIONAL, t.A TRANSFORMATION, t.B TRANSFORMATION
--> V: t.E CONDITIONAL, t.A TRANSFORMATION, t.B TRANSFORMATION
--> N: t.A CONDITIONAL, t.A TRANSFORMATION

--- case: aggregates that the grammar knows by name
--- dialect: duckdb
select k, mean(a) as m, json_group_array(b) as j, bitstring_agg(c, 1, 9) as s, arg_max_null(a, d) as g, sumkahan(e) as f from t group by all
--> resolved
--> k: t.k IDENTITY
--> m: t.a AGGREGATION
--> j: t.b AGGREGATION
--> s: t.c AGGREGATION
--> g: t.a AGGREGATION, t.d AGGREGATION
--> f: t.e AGGREGATION
--> rows: t.k GROUP_BY

--- case: aggregates that the grammar knows by name in databricks
--- dialect: databricks
select k, try_sum(a) as s, try_avg(b) as v, std(c) as d, measure(m) as e from t group by all
--> resolved
--> k: t.k IDENTITY
--> s: t.a AGGREGATION
--> v: t.b AGGREGATION
--> d: t.c AGGREGATION
--> e: t.m AGGREGATION
--> rows: t.k GROUP_BY

--- case: aggregates that the grammar knows by name in tsql
--- dialect: tsql
select k, var(a) as v, stdevp(b) as d, varp(c) as p from t group by k
--> resolved
--> k: t.k IDENTITY
--> v: t.a AGGREGATION
--> d: t.b AGGREGATION
--> p: t.c AGGREGATION
--> rows: t.k GROUP_BY

--- case: aggregates that the grammar knows by name in snowflake
--- dialect: snowflake
select k, datasketches_hll(a) as h, vector_avg(b) as v from t group by all
--> resolved
--> K: t.K IDENTITY
--> H: t.A AGGREGATION
--> V: t.B AGGREGATION
--> rows: t.K GROUP_BY

--- case: spark's any is an aggregate
--- dialect: databricks
--- schema: t(a BOOLEAN, g INT, b INT)
select g, any(a) as x, any(a) filter (where b > 1) as y, max(b) = any (select b from t) as z from t group by all
--> resolved
--> g: t.g IDENTITY
--> x: t.a AGGREGATION
--> y: t.a AGGREGATION, t.b CONDITIONAL
--> z: t.b AGGREGATION, t.b TRANSFORMATION
--> rows: t.g GROUP_BY
