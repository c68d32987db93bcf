--- case: where
--- schema: t(a INT, b INT, c INT)
select a from t where b > 1 and c is not null
--> resolved
--> a: t.a IDENTITY
--> rows: t.b FILTER, t.c FILTER

--- case: having resolves aggregates
--- schema: t(a INT, b INT)
select a from t group by a having sum(b) > 3
--> resolved
--> a: t.a IDENTITY
--> rows: t.a GROUP_BY, t.b FILTER

--- case: in and exists
--- schema: t(a INT, b INT); u(k INT, v INT, w INT)
select a from t where b in (select k from u where v > 1) and exists (select 1 from u where u.w = t.a)
--> resolved
--> a: t.a IDENTITY
--> rows: t.b FILTER, u.k FILTER, u.v FILTER, u.w FILTER, t.a FILTER

--- case: not exists with star
--- schema: t(a INT); u(k INT, v INT)
select a from t where not exists (select * from u where k = a)
--> resolved
--> a: t.a IDENTITY
--> rows: u.k FILTER, t.a FILTER

--- case: join on
--- schema: t(a INT, b INT); u(k INT, v INT)
select t.a, u.v from t left join u on t.b = u.k
--> resolved
--> a: t.a IDENTITY
--> v: u.v IDENTITY
--> rows: t.b JOIN, u.k JOIN

--- case: using, left and right and full
--- schema: t(k INT, a INT); u(k INT, b INT)
select k, a, b from t left join u using (k)
--> resolved
--> k: t.k IDENTITY
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: using with a right join
--- schema: t(k INT, a INT); u(k INT, b INT)
select k, a, b from t right join u using (k)
--> resolved
--> k: u.k IDENTITY
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: using with a full join
--- schema: t(k INT, a INT); u(k INT, b INT)
select k, a, b from t full join u using (k)
--> resolved
--> k: t.k TRANSFORMATION, u.k TRANSFORMATION
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: star over using gives the key once
--- dialect: postgres
--- schema: t(a INT, k INT); u(k INT, b INT)
select * from t join u using (k)
--> resolved
--> k: t.k IDENTITY
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: natural join
--- schema: t(k INT, a INT); u(k INT, b INT)
select * from t natural join u
--> resolved
--> k: t.k IDENTITY
--> a: t.a IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: comma join
--- schema: t(a INT, b INT); u(k INT, v INT)
select a, v from t, u where b = k
--> resolved
--> a: t.a IDENTITY
--> v: u.v IDENTITY
--> rows: t.b FILTER, u.k FILTER

--- case: semi and anti joins
--- dialect: duckdb
--- schema: t(k INT, a INT); u(k INT, v INT); w(q INT)
select * from t semi join u using (k) anti join w on w.q = t.a
--> resolved
--> k: t.k IDENTITY
--> a: t.a IDENTITY
--> rows: t.k JOIN, u.k JOIN, w.q JOIN, t.a JOIN

--- case: left semi join
--- dialect: spark
--- schema: t(k INT, a INT); u(k INT, v INT)
select k, a from t left semi join u on t.k = u.k
--> resolved
--> k: t.k IDENTITY
--> a: t.a IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: asof join
--- dialect: duckdb
--- schema: t(ts INT, s INT, a INT); p(ts INT, s INT, v INT)
select t.a, p.v from t asof left join p on t.s = p.s and t.ts >= p.ts
--> resolved
--> a: t.a IDENTITY
--> v: p.v IDENTITY
--> rows: t.s JOIN, p.s JOIN, t.ts JOIN, p.ts JOIN

--- case: snowflake asof join
--- dialect: snowflake
--- schema: T(TS INT, S INT, A INT); P(TS INT, S INT, V INT)
select t.a, p.v from t asof join p match_condition (t.ts >= p.ts) on t.s = p.s
--> resolved
--> A: T.A IDENTITY
--> V: P.V IDENTITY
--> rows: T.S JOIN, P.S JOIN, T.TS JOIN, P.TS JOIN

--- case: group by column, position and alias
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select a, b + 1 as b1, date_trunc('day', c) as d, count(*) as n from t group by a, 2, d
--> resolved
--> a: t.a IDENTITY
--> b1: t.b TRANSFORMATION
--> d: t.c TRANSFORMATION
--> n: constant
--> rows: t.a GROUP_BY, t.b GROUP_BY, t.c GROUP_BY

--- case: group by all
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select a, b + 1 as x, sum(c) as s from t group by all
--> resolved
--> a: t.a IDENTITY
--> x: t.b TRANSFORMATION
--> s: t.c AGGREGATION
--> rows: t.a GROUP_BY, t.b GROUP_BY

--- case: grouping sets, rollup, cube
--- dialect: postgres
--- schema: t(a INT, b INT, c INT, d INT)
select a, b, count(*) as n from t group by grouping sets ((a, b), (a), ()), rollup (c), cube (d)
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> n: constant
--> rows: t.a GROUP_BY, t.b GROUP_BY, t.c GROUP_BY, t.d GROUP_BY

--- case: distinct
--- schema: t(a INT, b INT)
select distinct a, b + 1 as x from t
--> resolved
--> a: t.a IDENTITY
--> x: t.b TRANSFORMATION
--> rows: t.a GROUP_BY, t.b GROUP_BY

--- case: distinct on
--- dialect: postgres
--- schema: t(a INT, b INT, c INT)
select distinct on (a) b from t order by a, c desc
--> resolved
--> b: t.b IDENTITY
--> rows: t.a GROUP_BY, t.a SORT, t.c SORT

--- case: order by
--- schema: t(a INT, b INT, c INT)
select a, b as x from t order by c desc, x, 1
--> resolved
--> a: t.a IDENTITY
--> x: t.b IDENTITY
--> rows: t.c SORT, t.b SORT, t.a SORT

--- case: order by all
--- dialect: duckdb
--- schema: t(a INT, b INT)
select a, b from t order by all
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: t.a SORT, t.b SORT

--- case: rows of derived tables are rows of their reader
--- schema: t(a INT, b INT, c INT)
select a from (select a, c from t where b > 1) x where c > 2
--> resolved
--> a: t.a IDENTITY
--> rows: t.b FILTER, t.c FILTER

--- case: rows of CTEs are rows of their readers, once
--- schema: t(a INT, b INT)
with x as (select a from t where b > 1) select l.a, r.a as a2 from x l cross join x r
--> resolved
--> a: t.a IDENTITY
--> a2: t.a IDENTITY
--> rows: t.b FILTER

--- case: a CTE that nobody reads decides nothing
--- schema: t(a INT, b INT); u(v INT)
with unused as (select v from u where v > 1) select a from t
--> resolved
--> a: t.a IDENTITY

--- case: connect by
--- dialect: oracle
--- schema: T(ID INT, PARENT INT, A INT)
select a, level as l from t start with parent is null connect by prior id = parent
--> resolved
--> A: T.A IDENTITY
--> L: constant
--> rows: T.PARENT FILTER, T.ID FILTER

--- case: limit by
--- dialect: clickhouse
--- schema: t(a INT, b INT)
select a from t order by b limit 1 by a
--> resolved
--> a: t.a IDENTITY
--> rows: t.b SORT, t.a FILTER

--- case: prewhere
--- dialect: clickhouse
--- schema: t(a INT, b INT, c INT)
select a from t prewhere b = 1 where c = 2
--> resolved
--> a: t.a IDENTITY
--> rows: t.c FILTER, t.b FILTER

--- case: condition inside a join of three
--- schema: a(id INT, x INT); b(id INT, a_id INT, y INT); c(b_id INT, z INT)
select x, y, z from a join b on a.id = b.a_id left join c on c.b_id = b.id and c.z > 0
--> resolved
--> x: a.x IDENTITY
--> y: b.y IDENTITY
--> z: c.z IDENTITY
--> rows: a.id JOIN, b.a_id JOIN, c.b_id JOIN, b.id JOIN, c.z JOIN

--- case: subquery in a join condition
--- schema: t(a INT, b INT); u(k INT, v INT); w(m INT)
select a from t join u on t.b = u.k and u.v > (select max(m) from w)
--> resolved
--> a: t.a IDENTITY
--> rows: t.b JOIN, u.k JOIN, u.v JOIN, w.m JOIN

--- case: conditions inside a clause are the clause's
--- schema: t(a INT, b INT, c INT)
select a from t where coalesce(a, b) > 1 and case when c > 1 then b end = 2 group by a, nullif(b, c) order by case when c = 1 then a end
--> resolved
--> a: t.a IDENTITY
--> rows: t.a FILTER, t.b FILTER, t.c FILTER, t.a GROUP_BY, t.c GROUP_BY, t.b GROUP_BY, t.c SORT, t.a SORT

--- case: windows in ORDER BY keep their keys
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT)
select a from t order by row_number() over (partition by b order by c)
--> resolved
--> A: T.A IDENTITY
--> rows: T.B WINDOW, T.C WINDOW

--- case: a CASE grouped and sorted by its alias
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select case when a > 1 then 'x' else 'y' end as grp, sum(b) s from t group by grp order by grp
--> resolved
--> grp: t.a CONDITIONAL
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY, t.a SORT

--- case: a COALESCE grouped and sorted by position
--- schema: t(a INT, b INT)
select coalesce(a, b) as x, sum(b) s from t group by 1 order by 1 desc
--> resolved
--> x: t.a TRANSFORMATION, t.a CONDITIONAL, t.b TRANSFORMATION, t.b CONDITIONAL
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY, t.b GROUP_BY, t.a SORT, t.b SORT

--- case: a CASE sorted by an alias that is its column's name
--- schema: t(a INT, b INT)
select case when a > 1 then b end as a from t order by a
--> resolved
--> a: t.a CONDITIONAL, t.b TRANSFORMATION
--> rows: t.a SORT, t.b SORT

--- case: conditions of aliases in clauses
--- dialect: snowflake
--- schema: T(A INT, B INT)
select iff(a > 1, b, 0) as x, iff(x > 1, x, b) as y, iff(y > 1, y, x) as z from t where z > 1 group by all order by z
--> resolved
--> X: T.A CONDITIONAL, T.B TRANSFORMATION
--> Y: T.A CONDITIONAL, T.B CONDITIONAL, T.B TRANSFORMATION
--> Z: T.A CONDITIONAL, T.B CONDITIONAL, T.B TRANSFORMATION
--> rows: T.A FILTER, T.B FILTER, T.A GROUP_BY, T.B GROUP_BY, T.A SORT, T.B SORT

--- case: a condition inside stays one
--- schema: t(a INT, b INT)
with c as (select case when a > 1 then 1 else 0 end as f from t) select f as g, count(*) n from c group by g
--> resolved
--> g: t.a CONDITIONAL
--> n: constant
--> rows: t.a CONDITIONAL

--- case: group by all with a scalar subquery
--- dialect: duckdb
--- schema: t(a INT, b INT); u(k INT, v INT)
select (select max(v) from u where k = a) as m, sum(b) as s from t group by all
--> resolved
--> m: u.v AGGREGATION, u.k FILTER, t.a FILTER
--> s: t.b AGGREGATION
--> rows: u.v GROUP_BY, u.k GROUP_BY, t.a GROUP_BY

--- case: an alias inside a key's expression
--- dialect: postgres
--- schema: t(a INT, b INT)
select a as b, b as c from t order by b + 1, c
--> resolved
--> b: t.a IDENTITY
--> c: t.b IDENTITY
--> rows: t.b SORT

--- case: an alias inside an aggregate of ORDER BY
--- dialect: snowflake
--- schema: T(A INT, B INT)
select b as a, sum(a) s from t group by b order by sum(a), s + 1
--> resolved
--> A: T.B IDENTITY
--> S: T.A AGGREGATION
--> rows: T.B GROUP_BY, T.A SORT

--- case: an alias inside a key's expression where it wins
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select a as b, b as c from t order by b + 1
--> resolved
--> b: t.a IDENTITY
--> c: t.b IDENTITY
--> rows: t.a SORT

--- case: IN with the name of a relation
--- dialect: clickhouse
--- schema: t(a Int32, b Int32); u(b Int32); db.o(x Int32, y Int32)
with ids as (select b + 1 as k from u where b > 1) select a, a in ids as f from t where a in ids and (a, b) not in db.o
--> resolved
--> a: t.a IDENTITY
--> f: u.b TRANSFORMATION, u.b FILTER, t.a TRANSFORMATION
--> rows: u.b FILTER, t.a FILTER, db.o.x FILTER, db.o.y FILTER, t.b FILTER

--- case: CONNECT BY and PRIOR in redshift
--- dialect: redshift
--- schema: e(id INT, mgr INT, n VARCHAR)
select id, level, prior n as pn from e start with mgr is null connect by prior id = mgr
--> resolved
--> id: e.id IDENTITY
--> level: constant
--> pn: e.n TRANSFORMATION
--> rows: e.mgr FILTER, e.id FILTER

--- case: partitioned outer join
--- dialect: oracle
--- schema: D(DAY DATE); S(P NUMBER, DAY DATE, Q NUMBER)
select s.p, d.day, nvl(s.q, 0) q from s partition by (s.p) right outer join d on s.day = d.day
--> resolved
--> P: S.P IDENTITY
--> DAY: D.DAY IDENTITY
--> Q: S.Q TRANSFORMATION, S.Q CONDITIONAL
--> rows: S.P JOIN, S.DAY JOIN, D.DAY JOIN

--- case: EXCEPT ALL looks at both sides
--- dialect: duckdb
--- schema: t(a INT, b INT); u(a INT)
select a from t where b > 1 except all select a from u
--> resolved
--> a: t.a IDENTITY
--> rows: t.b FILTER, u.a FILTER, t.a FILTER

--- case: INTERSECT before EXCEPT
--- dialect: postgres
--- schema: t(a INT); u(b INT); v(c INT)
select a from t except all select b from u intersect select c from v
--> resolved
--> a: t.a IDENTITY
--> rows: v.c FILTER, u.b GROUP_BY, u.b FILTER, t.a FILTER

--- case: GROUP BY ALL, and what is computed from an aggregate
--- dialect: snowflake
--- schema: T(ID INT, A INT, B INT)
select id, case when a > 1 then b end as c, sum(b) as s, s * 2 as s2, s2 + id as r from t group by all
--> resolved
--> ID: T.ID IDENTITY
--> C: T.A CONDITIONAL, T.B TRANSFORMATION
--> S: T.B AGGREGATION
--> S2: T.B AGGREGATION
--> R: T.B AGGREGATION, T.ID TRANSFORMATION
--> rows: T.ID GROUP_BY, T.A GROUP_BY, T.B GROUP_BY

--- case: FETCH FIRST as many rows as a query says
--- dialect: oracle
--- schema: T(ID INT); L(N INT, K INT)
select id from t order by id fetch first (select max(n) from l where k = 1) rows only
--> resolved
--> ID: T.ID IDENTITY
--> rows: T.ID SORT, L.N FILTER, L.K FILTER

--- case: partitions that an outer join fills
--- dialect: oracle
--- schema: t(D DATE, P INT, R INT, V INT); cal(D DATE)
select t.p, c.d, nvl(t.v, 0) as v from t partition by (p, t.r) right outer join cal c on (t.d = c.d)
--> resolved
--> P: t.P IDENTITY
--> D: cal.D IDENTITY
--> V: t.V TRANSFORMATION, t.V CONDITIONAL
--> rows: t.P JOIN, t.R JOIN, t.D JOIN, cal.D JOIN

--- case: partitions that an outer join fills without a schema
--- dialect: oracle
select s.p, c.d from cal c left outer join (select p, d, v from t) s partition by (s.p) on s.d = c.d or s.v > 3
--> resolved
--> P: t.P IDENTITY
--> D: cal.D IDENTITY
--> rows: t.P JOIN, t.D JOIN, cal.D JOIN, t.V JOIN

--- case: clickhouse's anti join
--- dialect: clickhouse
--- schema: t(id Int32, a Int32); u(id Int32, b Int32)
select t.id, t.a, u.b, u.id as other from t left anti join u on t.id = u.id
--> partial
--> id: t.id IDENTITY
--> a: t.a IDENTITY
--> b: constant
--> other: ambiguous_column
--> rows: t.id JOIN, u.id JOIN

--- case: a star over clickhouse's anti join
--- dialect: clickhouse
--- schema: t(id Int32, a Int32); u(id Int32, b Int32)
select * from t right anti join u using (id)
--> resolved
--> id: u.id IDENTITY
--> a: constant
--> b: u.b IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: clickhouse's anti join with an unknown relation
--- dialect: clickhouse
--- schema: t(id Int32, a Int32)
select a, u.b from t anti left join u on t.id = u.id
--> partial
--> a: t.a IDENTITY
--> b: ambiguous_column
--> rows: t.id JOIN, u.id JOIN

--- case: a column called all orders rows
--- dialect: duckdb
--- schema: t("all" INT, b INT, a INT)
select b from t order by t.all desc, a
--> resolved
--> b: t.b IDENTITY
--> rows: t.all SORT, t.a SORT

--- case: a column in quotes called all orders rows
--- dialect: duckdb
--- schema: t("all" INT, b INT, a INT)
select b from t where a in (select a from t union all select b from t) order by "all"
--> resolved
--> b: t.b IDENTITY
--> rows: t.a FILTER, t.b FILTER, t.all SORT

--- case: ordered by all columns and by one called all
--- dialect: duckdb
--- schema: t("all" INTEGER, b INTEGER)
with o as (select b, "all" from t order by all desc limit 3) select o.all as x, b from o order by o.all, b
--> resolved
--> x: t.all IDENTITY
--> b: t.b IDENTITY
--> rows: t.b SORT, t.all SORT
