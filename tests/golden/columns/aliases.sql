--- case: ClickHouse: an alias hides the column in the whole query
--- dialect: clickhouse
--- schema: t(id Int32, amount Int32)
select id, amount as id, id + 1 as n from t where id > 3 group by id having id > 1 order by id
--> resolved
--> id: t.amount IDENTITY
--> id: t.amount IDENTITY
--> n: t.amount TRANSFORMATION
--> rows: t.amount FILTER, t.amount GROUP_BY, t.amount SORT

--- case: ClickHouse: its own name inside an alias is the column
--- dialect: clickhouse
--- schema: t(x Int32)
select x + 1 as x, x as y from t
--> resolved
--> x: t.x TRANSFORMATION
--> y: t.x TRANSFORMATION

--- case: ClickHouse: prefer_column_name_to_alias
--- dialect: clickhouse
--- schema: t(id Int32, amount Int32)
select id, amount as id, amount * 2 as twice, twice + 1 as n from t where id > 3 settings prefer_column_name_to_alias = 1
--> resolved
--> id: t.id IDENTITY
--> id: t.amount IDENTITY
--> twice: t.amount TRANSFORMATION
--> n: t.amount TRANSFORMATION
--> rows: t.id FILTER

--- case: ClickHouse: prefer_column_name_to_alias of the session
--- dialect: clickhouse
--- schema: t(id Int32, amount Int32)
set prefer_column_name_to_alias = 1; select amount as id, id as k from t
--> resolved
--> id: t.amount IDENTITY
--> k: t.id IDENTITY

--- case: columns before aliases in a SELECT list
--- dialect: snowflake
--- schema: T(A INT, B INT, C INT)
select a + 1 as b, b + 1 as c, c as d from t where b > 1 group by b, a, c having b > 2 order by b
--> resolved
--> B: T.A TRANSFORMATION
--> C: T.B TRANSFORMATION
--> D: T.C IDENTITY
--> rows: T.B FILTER, T.B GROUP_BY, T.A GROUP_BY, T.C GROUP_BY, T.A SORT

--- case: columns before aliases in a SELECT list of redshift
--- dialect: redshift
--- schema: t(a INT, b INT)
select a + 1 as b, b as c from t where b > 1
--> resolved
--> b: t.a TRANSFORMATION
--> c: t.b IDENTITY
--> rows: t.b FILTER

--- case: columns before aliases in a SELECT list of databricks
--- dialect: databricks
--- schema: t(a INT, b INT)
select a + 1 as b, b as c, c + 1 as d from t
--> resolved
--> b: t.a TRANSFORMATION
--> c: t.b IDENTITY
--> d: t.b TRANSFORMATION

--- case: reusable aliases
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select a + 1 as b, b as c, c + 1 as d from t where c > 1
--> resolved
--> b: t.a TRANSFORMATION
--> c: t.b IDENTITY
--> d: t.b TRANSFORMATION
--> rows: t.b FILTER

--- case: reusable aliases without a schema
--- dialect: bigquery
select lower(x) as name, name as n from d.t
--> partial
--> name: d.t.x TRANSFORMATION
--> n: ambiguous_column

--- case: a column that is shown to be there comes before a reusable alias
--- dialect: bigquery
select lower(name) as name, name as n, a + 1 as b, t.b * 2 as c, b as d from d.t as t
--> resolved
--> name: d.t.name TRANSFORMATION
--> n: d.t.name IDENTITY
--> b: d.t.a TRANSFORMATION
--> c: d.t.b TRANSFORMATION
--> d: d.t.b IDENTITY

--- case: QUALIFY by a name that an unknown column may have
--- dialect: snowflake
select a, row_number() over (partition by b order by c) as rn from t qualify rn = 1
--> partial ambiguous_column
--> A: t.A IDENTITY
--> RN: t.B WINDOW, t.C WINDOW

--- case: QUALIFY by the alias of a query with known columns
--- dialect: databricks
with x as (select a, b, c from t) select a, row_number() over (partition by b order by c) as rn from x qualify rn = 1
--> resolved
--> a: t.a IDENTITY
--> rn: t.b WINDOW, t.c WINDOW
--> rows: t.b WINDOW, t.c WINDOW

--- case: QUALIFY by a column that is shown to be there
--- dialect: snowflake
select t.rn as old, row_number() over (partition by b order by c) as rn from t qualify rn = 1
--> resolved
--> OLD: t.RN IDENTITY
--> RN: t.B WINDOW, t.C WINDOW
--> rows: t.RN FILTER

--- case: an output's alias in ARRAY JOIN
--- dialect: clickhouse
--- schema: t(s String, arr Array(Int64))
select splitByChar(',', s) as parts, p, a from t array join parts as p, arr as a
--> resolved
--> parts: t.s TRANSFORMATION
--> p: t.s TRANSFORMATION
--> a: t.arr TRANSFORMATION

--- case: an output's alias in ARRAY JOIN that an unknown column may hide
--- dialect: clickhouse
select splitByChar(',', s) as parts, p from t array join parts as p
--> partial
--> parts: t.s TRANSFORMATION
--> p: ambiguous_column

--- case: what ARRAY JOIN gives under the name of its array
--- dialect: clickhouse
select p as parts, upper(p) as q from t array join parts as p
--> resolved
--> parts: t.parts TRANSFORMATION
--> q: t.parts TRANSFORMATION

--- case: ORDER BY an expression takes columns first
--- dialect: duckdb
--- schema: t(a INT, b INT)
select -a as b, a from t order by b + 0, b
--> resolved
--> b: t.a TRANSFORMATION
--> a: t.a IDENTITY
--> rows: t.b SORT, t.a SORT

--- case: ORDER BY an expression of an alias
--- dialect: duckdb
--- schema: t(a INT, b INT)
select -a as c, a from t order by c + b
--> resolved
--> c: t.a TRANSFORMATION
--> a: t.a IDENTITY
--> rows: t.a SORT, t.b SORT

--- case: GROUP BY a name that an aggregate has too, without a schema
--- dialect: postgres
select k, sum(x) as x from s.t group by k, x
--> resolved
--> k: s.t.k IDENTITY
--> x: s.t.x AGGREGATION
--> rows: s.t.k GROUP_BY, s.t.x GROUP_BY

--- case: ORDER BY an expression without a schema
--- dialect: duckdb
select a + 1 as b, c from t order by b * 2, b
--> partial ambiguous_column
--> b: t.a TRANSFORMATION
--> c: t.c IDENTITY
--> rows: t.a SORT

--- case: ORDER BY an expression of PostgreSQL
--- dialect: postgres
select a + 1 as b, c from t order by b * 2
--> resolved
--> b: t.a TRANSFORMATION
--> c: t.c IDENTITY
--> rows: t.b SORT

--- case: HAVING of an aggregate under a column's name
--- dialect: bigquery
--- schema: t(s STRING, c INT64)
select s, count(*) as c from t group by s having c > 1 and sum(c) > 2 and s <> 'x'
--> resolved
--> s: t.s IDENTITY
--> c: constant
--> rows: t.s GROUP_BY, t.c FILTER, t.s FILTER

--- case: HAVING of an aggregate under a column's name, DuckDB
--- dialect: duckdb
--- schema: t(s VARCHAR, c INT)
select s, max(c) as c from t group by s having c > 1
--> resolved
--> s: t.s IDENTITY
--> c: t.c AGGREGATION
--> rows: t.s GROUP_BY, t.c FILTER

--- case: GROUP BY of a name that the query shows to be a column
--- dialect: mysql
select a as b, b as c from t group by b
--> resolved
--> b: t.a IDENTITY
--> c: t.b IDENTITY
--> rows: t.b GROUP_BY

--- case: ClickHouse: conditions of an alias that hides its column
--- dialect: clickhouse
--- schema: t(id Int32, x Int32)
select id, ifNull(x, 0) as x from t where x > 0
--> resolved
--> id: t.id IDENTITY
--> x: t.x TRANSFORMATION, t.x CONDITIONAL
--> rows: t.x FILTER

--- case: ORDER BY of what a star over unknown columns renames
--- dialect: snowflake
select * rename (a as x) from t order by x
--> partial star_without_schema
--> X: t.A IDENTITY
--> rows: t.A SORT

--- case: an aggregate's argument is no aggregate's alias
--- dialect: bigquery
select s, count(*) as c from t group by s having c > 1 and sum(c) > 2 and max(c) > c
--> resolved
--> s: t.s IDENTITY
--> c: constant
--> rows: t.s GROUP_BY, t.c FILTER
