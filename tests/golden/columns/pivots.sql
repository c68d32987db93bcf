--- case: pivot
--- dialect: snowflake
--- schema: S(ID INT, K TEXT, V INT)
select * from s pivot (sum(v) for k in ('x', 'y')) as p
--> resolved
--> ID: S.ID IDENTITY
--> 'x': S.V AGGREGATION, S.K CONDITIONAL
--> 'y': S.V AGGREGATION, S.K CONDITIONAL
--> rows: S.ID GROUP_BY

--- case: pivot with names
--- dialect: snowflake
--- schema: S(ID INT, K TEXT, V INT)
select id, x, y from s pivot (sum(v) for k in ('x', 'y')) as p (id, x, y)
--> resolved
--> ID: S.ID IDENTITY
--> X: S.V AGGREGATION, S.K CONDITIONAL
--> Y: S.V AGGREGATION, S.K CONDITIONAL
--> rows: S.ID GROUP_BY

--- case: pivot with aliases
--- dialect: bigquery
--- schema: s(id INT64, k STRING, v INT64, w INT64)
select * from s pivot (sum(v) as sv, max(w) as mw for k in ('x' as a, 'y' as b))
--> resolved
--> id: s.id IDENTITY
--> sv_a: s.v AGGREGATION, s.k CONDITIONAL
--> mw_a: s.w AGGREGATION, s.k CONDITIONAL
--> sv_b: s.v AGGREGATION, s.k CONDITIONAL
--> mw_b: s.w AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: pivot in sql server
--- dialect: tsql
--- schema: s(id INT, k NVARCHAR, v INT)
select id, [x], p.[y] from (select id, k, v from s) src pivot (sum(v) for k in ([x], [y])) as p
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.k CONDITIONAL
--> y: s.v AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: pivot over unknown columns
--- dialect: snowflake
select "'x'" as x, id from s pivot (sum(v) for k in ('x', 'y')) as p
--> partial star_without_schema
--> X: s.V AGGREGATION, s.K CONDITIONAL
--> ID: s.ID IDENTITY

--- case: pivot by whatever is there
--- dialect: snowflake
--- schema: S(ID INT, K TEXT, V INT)
select * from s pivot (sum(v) for k in (any order by k)) as p
--> partial star_without_schema
--> ID: S.ID IDENTITY
--> rows: S.ID GROUP_BY

--- case: pivot in spark
--- dialect: spark
--- schema: s(id INT, k STRING, v INT)
select * from s pivot (sum(v) for k in ('x' as x, 'y' as y))
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.k CONDITIONAL
--> y: s.v AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: pivot statement
--- dialect: duckdb
--- schema: s(id INT, k VARCHAR, v INT)
pivot s on k in ('x', 'y') using sum(v)
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.k CONDITIONAL
--> y: s.v AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: pivot statement with several aggregates and group
--- dialect: duckdb
--- schema: s(id INT, k VARCHAR, v INT, w INT)
pivot s on k in ('x', 'y') using sum(v) as sv, max(w) as mw group by id
--> resolved
--> id: s.id IDENTITY
--> x_sv: s.v AGGREGATION, s.k CONDITIONAL
--> x_mw: s.w AGGREGATION, s.k CONDITIONAL
--> y_sv: s.v AGGREGATION, s.k CONDITIONAL
--> y_mw: s.w AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: pivot statement by whatever is there
--- dialect: duckdb
--- schema: s(id INT, k VARCHAR, v INT)
select id, x from (pivot s on k using sum(v))
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: standard pivot in duckdb
--- dialect: duckdb
--- schema: s(id INT, k VARCHAR, v INT)
select * from s pivot (sum(v) for k in ('x', 'y') group by id)
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.k CONDITIONAL
--> y: s.v AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: unpivot
--- dialect: snowflake
--- schema: S(ID INT, JAN INT, FEB INT)
select * from s unpivot (amount for month in (jan, feb))
--> resolved
--> ID: S.ID IDENTITY
--> MONTH: constant
--> AMOUNT: S.JAN IDENTITY, S.FEB IDENTITY

--- case: unpivot in bigquery
--- dialect: bigquery
--- schema: s(id INT64, jan INT64, feb INT64)
select * from s unpivot (amount for month in (jan as 'j', feb as 'f'))
--> resolved
--> id: s.id IDENTITY
--> amount: s.jan IDENTITY, s.feb IDENTITY
--> month: constant

--- case: unpivot of several columns at once
--- dialect: bigquery
--- schema: s(id INT64, a INT64, b INT64, c INT64, d INT64)
select id, x, y, n from s unpivot ((x, y) for n in ((a, b), (c, d)))
--> resolved
--> id: s.id IDENTITY
--> x: s.a IDENTITY, s.c IDENTITY
--> y: s.b IDENTITY, s.d IDENTITY
--> n: constant

--- case: unpivot statement
--- dialect: duckdb
--- schema: s(id INT, jan INT, feb INT)
unpivot s on jan, feb into name month value amount
--> resolved
--> id: s.id IDENTITY
--> month: constant
--> amount: s.jan IDENTITY, s.feb IDENTITY

--- case: unpivot of all but some
--- dialect: duckdb
--- schema: s(id INT, jan INT, feb INT)
unpivot s on columns(* exclude (id)) into name month value amount
--> resolved
--> id: s.id IDENTITY
--> month: constant
--> amount: s.jan IDENTITY, s.feb IDENTITY

--- case: unpivot in sql server
--- dialect: tsql
--- schema: s(id INT, jan INT, feb INT)
select id, month, amount from s unpivot (amount for month in (jan, feb)) as u
--> resolved
--> id: s.id IDENTITY
--> month: constant
--> amount: s.jan IDENTITY, s.feb IDENTITY

--- case: unpivot over unknown columns
--- dialect: snowflake
select id, amount from s unpivot (amount for month in (jan, feb))
--> resolved
--> ID: s.ID IDENTITY
--> AMOUNT: s.JAN IDENTITY, s.FEB IDENTITY

--- case: stack as unpivot
--- dialect: databricks
--- schema: s(id INT, jan INT, feb INT)
select id, stack(2, 'jan', jan, 'feb', feb) as (month, amount) from s
--> resolved
--> id: s.id IDENTITY
--> month: constant
--> amount: s.jan IDENTITY, s.feb IDENTITY

--- case: pivot with an expression inside
--- dialect: duckdb
--- schema: s(id INT, k VARCHAR, v INT, r INT)
pivot s on k in ('x') using sum(v * r) group by id
--> resolved
--> id: s.id IDENTITY
--> x: s.v AGGREGATION, s.r AGGREGATION, s.k CONDITIONAL
--> rows: s.id GROUP_BY

--- case: names by position over two unpivots
--- dialect: snowflake
--- schema: M(ID INT, A INT, B INT, C INT, D INT)
select i, p from m unpivot (x for n in (a, b)) unpivot (y for o in (c, d)) as t(i, p, q, r, s)
--> partial
--> I: M.ID IDENTITY
--> P: ambiguous_column

--- case: oracle pivot names
--- dialect: oracle
--- schema: T(ID INT, K VARCHAR, V INT)
select aa_s from t pivot (sum(v) as s for k in ('a' as aa, 'b' as bb))
--> resolved
--> AA_S: T.V AGGREGATION, T.K CONDITIONAL
--> rows: T.ID GROUP_BY

--- case: qualified names inside PIVOT
--- dialect: oracle
--- schema: T(G NUMBER, V NUMBER, C VARCHAR2)
select * from t pivot (sum(t.v) for t.c in ('a' as a)) p
--> resolved
--> G: T.G IDENTITY
--> A: T.V AGGREGATION, T.C CONDITIONAL
--> rows: T.G GROUP_BY

--- case: qualified names inside PIVOT of a query
--- dialect: snowflake
--- schema: T(G INT, V INT, C TEXT)
select p.g, p.a from (select g, v, c from t) s pivot (sum(s.v) for s.c in ('a')) as p(g, a)
--> resolved
--> G: T.G IDENTITY
--> A: T.V AGGREGATION, T.C CONDITIONAL
--> rows: T.G GROUP_BY

--- case: PIVOT over a query of values
--- dialect: snowflake
--- schema: T(S TEXT, A INT, B INT); U(X INT)
select * from t pivot (max(a) for b in (select distinct x from u)) as p
--> partial star_without_schema
--> S: T.S IDENTITY
--> rows: T.S GROUP_BY

--- case: a CTE that is a PIVOT
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR)
with p as (pivot t on b in (1, 2) using max(a) as mx group by s, id), q as (unpivot t on a, b into name k value v) select p.*, q.k, q.v from p join q on p.id = q.id
--> resolved
--> s: t.s IDENTITY
--> id: t.id IDENTITY
--> 1_mx: t.a AGGREGATION, t.b CONDITIONAL
--> 2_mx: t.a AGGREGATION, t.b CONDITIONAL
--> k: constant
--> v: t.a IDENTITY, t.b IDENTITY
--> rows: t.s GROUP_BY, t.id GROUP_BY, t.id JOIN

--- case: PIVOT with its own keys
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR)
select * from t pivot (sum(a) for s in ('x', 'y') group by b)
--> resolved
--> b: t.b IDENTITY
--> x: t.a AGGREGATION, t.s CONDITIONAL
--> y: t.a AGGREGATION, t.s CONDITIONAL
--> rows: t.b GROUP_BY

--- case: columns of several aggregates without aliases
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR)
pivot t on b in (1, 2) using sum(c), count(*), max(a + 1) group by s
--> resolved
--> s: t.s IDENTITY
--> 1_sum(c): t.c AGGREGATION, t.b CONDITIONAL
--> 1_count_star(): t.b CONDITIONAL
--> 1_max((a + 1)): t.a AGGREGATION, t.b CONDITIONAL
--> 2_sum(c): t.c AGGREGATION, t.b CONDITIONAL
--> 2_count_star(): t.b CONDITIONAL
--> 2_max((a + 1)): t.a AGGREGATION, t.b CONDITIONAL
--> rows: t.s GROUP_BY

--- case: UNPIVOT over names by pattern
--- dialect: duckdb
--- schema: t(id INT, q1 INT, q2 INT, n VARCHAR)
unpivot t on columns('q.') into name q value v
--> resolved
--> id: t.id IDENTITY
--> n: t.n IDENTITY
--> q: constant
--> v: t.q1 IDENTITY, t.q2 IDENTITY

--- case: UNPIVOT in its standard form over names by a function
--- dialect: duckdb
--- schema: t(id INT, q1 INT, q2 INT, n VARCHAR)
select * from t unpivot (v for q in (columns(lambda c: c like 'q%')))
--> resolved
--> id: t.id IDENTITY
--> n: t.n IDENTITY
--> q: constant
--> v: t.q1 IDENTITY, t.q2 IDENTITY

--- case: UNPIVOT over a star
--- dialect: duckdb
--- schema: t(id INT, q1 INT, q2 INT, n VARCHAR)
unpivot t on * exclude (id, n) into name q value v
--> resolved
--> id: t.id IDENTITY
--> n: t.n IDENTITY
--> q: constant
--> v: t.q1 IDENTITY, t.q2 IDENTITY

--- case: UNPIVOT over expressions of one column each
--- dialect: duckdb
--- schema: t(id INT, q1 INT, q2 INT, n VARCHAR)
unpivot t on q1::varchar, q2 || 'x' as y, columns('n') into name q value v
--> resolved
--> id: t.id IDENTITY
--> q: constant
--> v: t.q1 TRANSFORMATION, t.q2 TRANSFORMATION, t.n IDENTITY

--- case: UNPIVOT over a pattern that can't be read
--- dialect: duckdb
--- schema: t(id INT, q1 INT, q2 INT, n VARCHAR)
unpivot t on columns(lambda c: f(c)) into name q value v
--> partial star_without_schema
--> q: constant
--> v: star_without_schema

--- case: UNPIVOT over a pattern of unknown columns
--- dialect: duckdb
unpivot t on columns('q.') into name q value v
--> partial star_without_schema
--> q: constant
--> v: star_without_schema

--- case: Oracle: PIVOT's columns without an alias
--- dialect: oracle
--- schema: S(ID INT, Q VARCHAR2, AMT INT)
select p.*, "'q1'_TOT" + 1 as n from s pivot (sum(amt) as tot, max(amt) for q in ('q1', 'Q2' as two, 3)) p
--> resolved
--> ID: S.ID IDENTITY
--> 'q1'_TOT: S.AMT AGGREGATION, S.Q CONDITIONAL
--> 'q1': S.AMT AGGREGATION, S.Q CONDITIONAL
--> TWO_TOT: S.AMT AGGREGATION, S.Q CONDITIONAL
--> TWO: S.AMT AGGREGATION, S.Q CONDITIONAL
--> 3_TOT: S.AMT AGGREGATION, S.Q CONDITIONAL
--> 3: S.AMT AGGREGATION, S.Q CONDITIONAL
--> N: S.AMT AGGREGATION, S.Q CONDITIONAL
--> rows: S.ID GROUP_BY
