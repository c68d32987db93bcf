--- case: aggregate over a window
--- schema: t(a INT, b INT, c INT)
select sum(a) over (partition by b order by c) as s from t
--> resolved
--> s: t.a AGGREGATION, t.b WINDOW, t.c WINDOW

--- case: lag and first_value
--- schema: t(a INT, b INT, c INT)
select lag(a, 1, 0) over (partition by b order by c) as l, first_value(a) over (order by c) as f, last_value(a ignore nulls) over (order by c) as v from t
--> resolved
--> l: t.a TRANSFORMATION, t.b WINDOW, t.c WINDOW
--> f: t.a TRANSFORMATION, t.c WINDOW
--> v: t.a TRANSFORMATION, t.c WINDOW

--- case: ranks have window inputs only
--- schema: t(a INT, b INT, c INT)
select row_number() over (partition by a order by b) as r, rank() over (order by c) as k, ntile(4) over (order by c) as n from t
--> resolved
--> r: t.a WINDOW, t.b WINDOW
--> k: t.c WINDOW
--> n: t.c WINDOW

--- case: named windows
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select sum(a) over w as s, rank() over w2 as r from t window w as (partition by b), w2 as (w order by c)
--> resolved
--> s: t.a AGGREGATION, t.b WINDOW
--> r: t.b WINDOW, t.c WINDOW

--- case: extended named window in place
--- dialect: postgres
--- schema: t(a INT, b INT, c INT)
select sum(a) over (w order by c) as s from t window w as (partition by b)
--> resolved
--> s: t.a AGGREGATION, t.b WINDOW, t.c WINDOW

--- case: qualify
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT, D INT)
select a from t qualify row_number() over (partition by b order by c) = 1 and d > 1
--> resolved
--> A: T.A IDENTITY
--> rows: T.B WINDOW, T.C WINDOW, T.D FILTER

--- case: qualify by alias
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT)
select a, row_number() over (partition by b order by c) as rn from t qualify rn = 1
--> resolved
--> A: T.A IDENTITY
--> RN: T.B WINDOW, T.C WINDOW
--> rows: T.B WINDOW, T.C WINDOW

--- case: filter on a rank of a subquery
--- schema: t(a INT, b INT, c INT, d INT)
select a from (select a, d, row_number() over (partition by b order by c) as rn from t) x where rn = 1 and d > 0
--> resolved
--> a: t.a IDENTITY
--> rows: t.b WINDOW, t.c WINDOW, t.d FILTER

--- case: count over a window masks
--- schema: t(a INT, b INT)
select count(a) over (partition by b) as c, count(*) over (partition by b) as n from t
--> resolved
--> c: t.a AGGREGATION MASKED, t.b WINDOW
--> n: t.b WINDOW

--- case: filter on a windowed aggregate
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select sum(a) filter (where c > 0) over (partition by b) as s from t
--> resolved
--> s: t.a AGGREGATION, t.c CONDITIONAL, t.b WINDOW

--- case: keys are expressions
--- schema: t(a INT, b INT, c INT)
select sum(a) over (partition by b % 2 order by coalesce(c, 0)) as s from t
--> resolved
--> s: t.a AGGREGATION, t.b WINDOW, t.c WINDOW, t.c CONDITIONAL

--- case: window over an aggregate
--- schema: t(a INT, b INT)
select b, sum(sum(a)) over (order by b) as running from t group by b
--> resolved
--> b: t.b IDENTITY
--> running: t.a AGGREGATION, t.b WINDOW
--> rows: t.b GROUP_BY

--- case: ratio of windows
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select a / sum(a) over (partition by b) as share from t
--> resolved
--> share: t.a TRANSFORMATION, t.a AGGREGATION, t.b WINDOW

--- case: row frames with expressions
--- dialect: postgres
--- schema: t(a INT, b INT)
select avg(a) over (order by b rows between 6 preceding and current row) as m from t
--> resolved
--> m: t.a AGGREGATION, t.b WINDOW
