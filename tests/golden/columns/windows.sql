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

--- case: what decides about counted rows, of which some are left out later
--- schema: t(a INT, b INT, c INT, d INT)
select id, s from (select a as id, sum(b) over (partition by c) as s from t where d > 0) x where id > 3
--> resolved
--> id: t.a IDENTITY
--> s: t.b AGGREGATION, t.c WINDOW, t.d FILTER
--> rows: t.d FILTER, t.a FILTER

--- case: counted rows that are all handed on
--- schema: t(a INT, b INT, c INT, d INT)
select id, s * 2 as s from (select a as id, sum(b) over (partition by c) as s from t where d > 0) x order by id
--> resolved
--> id: t.a IDENTITY
--> s: t.b AGGREGATION, t.c WINDOW
--> rows: t.d FILTER, t.a SORT

--- case: a row of each is picked before a window, some rows after it
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT, d INT)
select a, before from (select a, lag(b) over (order by a) as before from (select distinct on (c) * from t order by c, d) x) y limit 5
--> resolved
--> a: t.a IDENTITY
--> before: t.b TRANSFORMATION, t.a WINDOW, t.c GROUP_BY, t.c SORT, t.d SORT
--> rows: t.c GROUP_BY, t.c SORT, t.d SORT

--- case: qualify after a window
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT, D INT)
select a, md5(sum(b) over (partition by c)) as s from t where d > 0 qualify row_number() over (partition by c order by b) < 3
--> resolved
--> A: T.A IDENTITY
--> S: T.B AGGREGATION MASKED, T.C WINDOW MASKED, T.D FILTER MASKED
--> rows: T.D FILTER, T.C WINDOW, T.B WINDOW

--- case: a rank that is fixed counts nothing
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT, D INT)
with ranked as (select a, row_number() over (partition by b order by c) as rn, count(*) over (partition by b) as n from t where d > 0)
select * from ranked where rn = 1
--> resolved
--> A: T.A IDENTITY
--> RN: T.B WINDOW, T.C WINDOW
--> N: T.B WINDOW, T.D FILTER
--> rows: T.D FILTER, T.B WINDOW, T.C WINDOW

--- case: joins leave out rows of one side
--- dialect: postgres
--- schema: t(a INT, b INT, c INT); u(a INT, d INT, e INT)
with x as (select a, rank() over (order by b) as r from t where c > 0), y as (select a, rank() over (order by d) as s from u where e > 0)
select r, s from x left join y on x.a = y.a
--> resolved
--> r: t.b WINDOW
--> s: u.d WINDOW, u.e FILTER
--> rows: t.c FILTER, u.e FILTER, t.a JOIN, u.a JOIN

--- case: a join by condition leaves out rows of both sides
--- dialect: postgres
--- schema: t(a INT, b INT, c INT); u(a INT, d INT, e INT)
with x as (select a, rank() over (order by b) as r from t where c > 0), y as (select a, rank() over (order by d) as s from u where e > 0)
select r, s from x join y on x.a = y.a and s = 1
--> resolved
--> r: t.b WINDOW, t.c FILTER
--> s: u.d WINDOW
--> rows: t.c FILTER, u.e FILTER, t.a JOIN, u.a JOIN, u.d WINDOW

--- case: a struct of what windows count
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT, d INT)
select st.s as s, st.a as a from (select {'s': sum(b) over (partition by c), 'a': a} as st from t where d > 0) x where st.a > 1
--> resolved
--> s: t.b AGGREGATION, t.c WINDOW, t.d FILTER
--> a: t.a TRANSFORMATION
--> rows: t.d FILTER, t.a FILTER

--- case: what decides about counted rows is not known
--- dialect: postgres
--- schema: t(id INT, b INT)
select s, id from (select t.id, sum(t.b) over (partition by t.id) as s from t cross join u cross join v where d > 0) x where id > 3
--> partial ambiguous_column
--> s: ambiguous_column; t.b AGGREGATION, t.id WINDOW
--> id: t.id IDENTITY
--> rows: t.id FILTER

--- case: a recursion that counts
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
with recursive r as (select a, b from t where c > 0 union all select sum(a) over (order by b), b + 1 from r where b < 9) select a from r where b > 2
--> resolved
--> a: t.a IDENTITY, t.a AGGREGATION, t.b WINDOW, t.c FILTER, t.b FILTER
--> rows: t.c FILTER, t.b FILTER

--- case: a window that begins another, in Snowflake
--- dialect: snowflake
--- schema: T(ID INT, A INT, TS TIMESTAMP)
select sum(a) over w as s, rank() over (w order by ts) r, lag(a) over (v rows between 1 preceding and current row) l from t window w as (partition by id), v as (w order by ts)
--> resolved
--> S: T.A AGGREGATION, T.ID WINDOW
--> R: T.ID WINDOW, T.TS WINDOW
--> L: T.A TRANSFORMATION, T.ID WINDOW, T.TS WINDOW

--- case: what is made of each row may be empty
--- dialect: databricks
--- schema: t(a INT, b INT, c INT, d ARRAY<INT>)
with x as (select a, d, sum(b) over (partition by a) as s from t where c > 0) select a, s, e from x lateral view explode(d) v as e
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a WINDOW, t.c FILTER
--> e: t.d TRANSFORMATION
--> rows: t.c FILTER

--- case: what is made of each row, where the row stays
--- dialect: databricks
--- schema: t(a INT, b INT, c INT, d ARRAY<INT>)
with x as (select a, d, sum(b) over (partition by a) as s from t where c > 0) select a, s, e from x lateral view outer explode(d) v as e
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a WINDOW
--> e: t.d TRANSFORMATION
--> rows: t.c FILTER

--- case: a function of each row after a window
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select x.a, x.s, g.i from (select a, sum(b) over (partition by a) as s from t where c > 0) x, range(x.a) g(i)
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a WINDOW, t.c FILTER
--> i: t.a TRANSFORMATION
--> rows: t.c FILTER

--- case: an array of each row that may be empty
--- dialect: clickhouse
--- schema: t(a Int64, b Int64, c Int64, d Array(Int64))
with x as (select a, d, sum(b) over (partition by a) as s from t where c > 0) select a, s, e from x array join d as e
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a WINDOW, t.c FILTER
--> e: t.d TRANSFORMATION
--> rows: t.c FILTER

--- case: an array of each row, where the row stays
--- dialect: clickhouse
--- schema: t(a Int64, b Int64, c Int64, d Array(Int64))
with x as (select a, d, sum(b) over (partition by a) as s from t where c > 0) select a, s, e from x left array join d as e
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION, t.a WINDOW
--> e: t.d TRANSFORMATION
--> rows: t.c FILTER

--- case: the first n by a rank
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT, d INT)
select * from (select a, rank() over (partition by b order by c) as r, sum(c) over (partition by b) as s from t where d > 0) x where r <= 3
--> resolved
--> a: t.a IDENTITY
--> r: t.b WINDOW, t.c WINDOW
--> s: t.c AGGREGATION, t.b WINDOW, t.d FILTER
--> rows: t.d FILTER, t.b WINDOW, t.c WINDOW

--- case: the first n by a rank, and another condition
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT, d INT)
select * from (select a, rank() over (partition by b order by c) as r from t where d > 0) x where r <= 3 and a > 1
--> resolved
--> a: t.a IDENTITY
--> r: t.b WINDOW, t.c WINDOW, t.d FILTER
--> rows: t.d FILTER, t.b WINDOW, t.c WINDOW, t.a FILTER

--- case: the first n in QUALIFY
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT, D INT)
select a, row_number() over (partition by b order by c) as r, count(*) over () as n from t where d > 0 qualify row_number() over (partition by b order by c) <= 2
--> resolved
--> A: T.A IDENTITY
--> R: T.B WINDOW, T.C WINDOW
--> N: T.D FILTER
--> rows: T.D FILTER, T.B WINDOW, T.C WINDOW
