--- case: blank, dot and other letters in names
--- dialect: postgres
--- schema: w.o("order id" INT)
select "order id" as "Order Id", t.日期, "Größe", "a.b" as c from w.o, 销售 t
--> resolved
--> Order Id: w.o.order id IDENTITY
--> 日期: 销售.日期 IDENTITY
--> Größe: 销售.Größe IDENTITY
--> c: 销售.a.b IDENTITY

--- case: postgres folds to lower case
--- dialect: postgres
--- schema: t(id INT, Name INT)
select ID, "Name", T.Id as Again from T
--> resolved
--> id: t.id IDENTITY
--> Name: t.Name IDENTITY
--> again: t.id IDENTITY

--- case: quoted names are other names in postgres
--- dialect: postgres
--- schema: t(id INT)
select "ID" from t
--> unresolved
--> ID: unknown_column

--- case: two columns that differ in case
--- dialect: postgres
--- schema: t(id INT, ID INT)
select id, "ID", "id" as x from t
--> resolved
--> id: t.id IDENTITY
--> ID: t.ID IDENTITY
--> x: t.id IDENTITY

--- case: snowflake folds to upper case
--- dialect: snowflake
--- schema: DB.S.T(ID INT, name INT, Mixed INT)
select id, "name", "Mixed" as "m", Id as x from db.s.t
--> resolved
--> ID: DB.S.T.ID IDENTITY
--> name: DB.S.T.name IDENTITY
--> m: DB.S.T.Mixed IDENTITY
--> X: DB.S.T.ID IDENTITY

--- case: a lower-case schema still fits snowflake
--- dialect: snowflake
--- schema: t(id INT)
select ID, "ID" as q from T
--> resolved
--> ID: t.id IDENTITY
--> Q: t.id IDENTITY

--- case: case does not matter in duckdb
--- dialect: duckdb
--- schema: T(Id INT)
select "ID", iD as x from "t"
--> resolved
--> Id: T.Id IDENTITY
--> x: T.Id IDENTITY

--- case: case does not matter in bigquery columns
--- dialect: bigquery
--- schema: p.d.T(Id INT64)
select ID from `p.d.T`
--> resolved
--> ID: p.d.T.Id IDENTITY

--- case: case matters in clickhouse
--- dialect: clickhouse
--- schema: t(Id INT)
select Id, id from t
--> partial
--> Id: t.Id IDENTITY
--> id: unknown_column

--- case: brackets of sql server
--- dialect: tsql
--- schema: dbo.Order Details(Unit Price INT)
select [Unit Price] as [the price] from dbo.[Order Details]
--> resolved
--> the price: dbo.Order Details.Unit Price IDENTITY

--- case: backticks of mysql
--- dialect: mysql
--- schema: t(Id INT)
select `ID` from t
--> resolved
--> ID: t.Id IDENTITY

--- case: CTE names fold
--- dialect: postgres
--- schema: t(a INT); X(b INT)
with X as (select a from t) select a, "X".b from x cross join "X"
--> resolved
--> a: t.a IDENTITY
--> b: X.b IDENTITY

--- case: one table under several spellings is one table
--- dialect: duckdb
select a.id, b.ID as id2 from main.T a join MAIN.t b on a.id = b.id
--> resolved
--> id: main.T.id IDENTITY
--> id2: main.T.id IDENTITY
--> rows: main.T.id JOIN

--- case: double quotes are strings in bigquery
--- dialect: bigquery
--- schema: t(a STRING)
select a, "b" as s from t where a = "c"
--> resolved
--> a: t.a IDENTITY
--> s: constant
--> rows: t.a FILTER

--- case: a wildcard table
--- dialect: bigquery
select event_name, _table_suffix as s from `p.d.events_*` where _table_suffix between '1' and '2'
--> resolved
--> event_name: p.d.events_*.event_name IDENTITY
--> s: constant

--- case: names with a database for qualifiers
--- dialect: snowflake
--- schema: A.S.T(X INT); B.S.T(X INT)
select a.s.t.x, b.s.t.x as y from a.s.t, b.s.t
--> resolved
--> X: A.S.T.X IDENTITY
--> Y: B.S.T.X IDENTITY

--- case: the table's name behind its alias
select db.t.x as x, t1.z as z from db.t as t1
--> resolved
--> x: db.t.x IDENTITY
--> z: db.t.z IDENTITY

--- case: pseudo-columns are no columns
--- dialect: postgres
--- schema: t(a INT)
select ctid, a from t
--> resolved
--> ctid: constant
--> a: t.a IDENTITY

--- case: system words
--- dialect: oracle
--- schema: T(A INT)
select sysdate as d, user as u, rownum as r, a from t
--> resolved
--> D: constant
--> U: constant
--> R: constant
--> A: T.A IDENTITY

--- case: of names and tables that differ in case the folded one is meant
--- dialect: snowflake
--- schema: T(ID INT, id INT); t(x INT)
select id, "id" as low, "ID" as up from t
--> resolved
--> ID: T.ID IDENTITY
--> LOW: T.id IDENTITY
--> UP: T.ID IDENTITY

--- case: a numbered parameter is no column
--- dialect: postgres
--- schema: t(a INT, j TEXT)
select a, $1 as v, $2::int + a as w from t where a > $3
--> resolved
--> a: t.a IDENTITY
--> v: constant
--> w: t.a TRANSFORMATION
--> rows: t.a FILTER

--- case: system columns under a qualifier without a schema
--- dialect: postgres
select t.ctid, t.xmin, t.user, t.a from t
--> resolved
--> ctid: constant
--> xmin: constant
--> user: t.user IDENTITY
--> a: t.a IDENTITY

--- case: schema names in brackets
--- dialect: tsql
--- schema: [my.db].[dbo].[t x](a INT)
select a, [t x].a as [c.d] from [my.db].[dbo].[t x]
--> resolved
--> a: [my.db].[dbo].[t x].a IDENTITY
--> c.d: [my.db].[dbo].[t x].a IDENTITY

--- case: IDENTIFIER names a CTE
--- dialect: snowflake
--- schema: T(A INT); X(A INT)
with x as (select a + 1 as a from t) select a from identifier('x')
--> resolved
--> A: T.A TRANSFORMATION

--- case: TABLE of a constant name
--- dialect: snowflake
--- schema: DB.S.T(A INT)
select a from table('db.s.t') union all select a from table($$db."S".t$$)
--> resolved
--> A: DB.S.T.A IDENTITY

--- case: TABLE of a variable
--- dialect: snowflake
select a from table($x)
--> unresolved
--> A: dynamic_sql

--- case: a name of four parts
--- dialect: tsql
select s.a, s.b from srv.db.dbo.t as s with (nolock)
--> resolved
--> a: srv.db.dbo.t.a IDENTITY
--> b: srv.db.dbo.t.b IDENTITY

--- case: relations of another server
--- dialect: clickhouse
--- schema: db.t(a Int32)
select a from cluster('c', db.t) union all select a from remote('h', db, t) union all select a from remote('h', 'db', 't', 'u', 'p') union all select x from view(select a + 1 as x from db.t)
--> resolved
--> a: db.t.a IDENTITY, db.t.a TRANSFORMATION

--- case: unnamed outputs in PostgreSQL
--- dialect: postgres
--- schema: t(a INT, b INT, s TEXT, ts TIMESTAMP, arr INT[])
select date_trunc('day', ts), arr[1], (select 1), (select max(a) from t), 1::bigint, case when a > 1 then 2 else b end, (a, b), trim(s), a ^ 2, pg_catalog.count(a), ts at time zone 'utc', cast(s as varchar(10)), '1'::varchar(3), array[a], exists (select 1) from t
--> resolved
--> date_trunc: t.ts TRANSFORMATION
--> arr: t.arr TRANSFORMATION
--> ?column?: constant
--> max: t.a AGGREGATION
--> int8: constant
--> b: t.a CONDITIONAL, t.b TRANSFORMATION
--> row: t.a TRANSFORMATION, t.b TRANSFORMATION
--> btrim: t.s TRANSFORMATION
--> ?column?: t.a TRANSFORMATION
--> count: t.a AGGREGATION MASKED
--> timezone: t.ts TRANSFORMATION
--> s: t.s TRANSFORMATION
--> varchar: constant
--> array: t.a TRANSFORMATION
--> exists: constant

--- case: unnamed outputs in Spark
--- dialect: spark
--- schema: t(a INT, b INT)
select count(*), sum(t.a), a + b * 2, max(a + 1) from t
--> resolved
--> count(1): constant
--> sum(a): t.a AGGREGATION
--> (a + (b * 2)): t.a TRANSFORMATION, t.b TRANSFORMATION
--> max((a + 1)): t.a AGGREGATION

--- case: fields in brackets in DuckDB
--- dialect: duckdb
--- schema: t(s STRUCT(p INT))
select (s).p, s.p, (s.p) from t
--> resolved
--> (s).p: t.s.p TRANSFORMATION
--> p: t.s.p TRANSFORMATION
--> p: t.s.p TRANSFORMATION

--- case: names of a pattern around a function
--- dialect: duckdb
--- schema: t(a INT, b INT, c VARCHAR)
select min(columns('a|b')) as 'min_\0', max(columns(* exclude (c))) as m from t
--> resolved
--> min_a: t.a AGGREGATION
--> min_b: t.b AGGREGATION
--> m: t.a AGGREGATION
--> m: t.b AGGREGATION

--- case: names with dots in ClickHouse
--- dialect: clickhouse
--- schema: t(id Int32, n.k Array(String), n.v Array(Int32), p Tuple(x Int32, y Int32))
select n.k, t.n.v, p.x, t.p.y, t.id from t
--> resolved
--> n.k: t.n.k IDENTITY
--> n.v: t.n.v IDENTITY
--> p.x: t.p.x TRANSFORMATION
--> p.y: t.p.y TRANSFORMATION
--> id: t.id IDENTITY

--- case: names with dots read again in ClickHouse
--- dialect: clickhouse
--- schema: t(id Int32, n.k Array(String))
select q.n.k as a, n.k as b from (select n.k from t) q
--> resolved
--> a: t.n.k IDENTITY
--> b: t.n.k IDENTITY

--- case: columns of both sides of one join in ClickHouse
--- dialect: clickhouse
--- schema: t(id Int32, a Int32); u(id Int32, x Int32)
select id, x from t join u on t.id = u.id
--> resolved
--> id: t.id IDENTITY
--> x: u.x IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: columns by number
--- dialect: snowflake
--- schema: T(A INT, B INT)
select t.$2, $1 from t
--> resolved
--> $2: T.B IDENTITY
--> $1: T.A IDENTITY

--- case: unnamed operators in DuckDB
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR)
select -a, not a = 1, a is not null, a in (1, 2), a between 1 and 2, s || 'x', s like 'x', s not like 'x', a // 2, a ** 2, a > 1 and b > 1 and c > 1, true, a::varchar, -1 from t
--> resolved
--> (-(a)): t.a TRANSFORMATION
--> (NOT (a = 1)): t.a TRANSFORMATION
--> (a IS NOT NULL): t.a TRANSFORMATION
--> (a IN (1, 2)): t.a TRANSFORMATION
--> (a BETWEEN 1 AND 2): t.a TRANSFORMATION
--> (s || 'x'): t.s TRANSFORMATION
--> (s ~~ 'x'): t.s TRANSFORMATION
--> (s !~~ 'x'): t.s TRANSFORMATION
--> (a // 2): t.a TRANSFORMATION
--> (a ** 2): t.a TRANSFORMATION
--> ((a > 1) AND (b > 1) AND (c > 1)): t.a TRANSFORMATION, t.b TRANSFORMATION, t.c TRANSFORMATION
--> true: constant
--> CAST(a AS VARCHAR): t.a TRANSFORMATION
--> -1: constant

--- case: functions of several spellings
--- dialect: postgres
--- schema: t(a TEXT, n NUMERIC, d DATE, c INT[])
select now(), strpos(a, 'x'), ceiling(n), char_length(a), pow(n, 2), var_samp(n) over (), substr(a, 1), date_part('year', d)::int, mod(n, 2), div(n, 2), ltrim(a), trim(trailing 'x' from a), to_hex(1), array_position(c, 1), '{}'::int[] from t
--> resolved
--> now: constant
--> strpos: t.a TRANSFORMATION
--> ceiling: t.n TRANSFORMATION
--> char_length: t.a TRANSFORMATION
--> pow: t.n TRANSFORMATION
--> var_samp: t.n AGGREGATION
--> substr: t.a TRANSFORMATION
--> date_part: t.d TRANSFORMATION
--> mod: t.n TRANSFORMATION
--> div: t.n TRANSFORMATION
--> ltrim: t.a TRANSFORMATION
--> rtrim: t.a TRANSFORMATION
--> to_hex: constant
--> array_position: t.c TRANSFORMATION
--> int4: constant

--- case: functions in the spelling that the grammar writes
--- dialect: postgres
--- schema: t(a TEXT, n NUMERIC, d DATE)
select current_timestamp, position('x' in a), ceil(n), length(a), power(n, 2), substring(a from 1), extract(year from d), n % 2, trim(a) from t
--> resolved
--> current_timestamp: constant
--> position: t.a TRANSFORMATION
--> ceil: t.n TRANSFORMATION
--> length: t.a TRANSFORMATION
--> power: t.n TRANSFORMATION
--> substring: t.a TRANSFORMATION
--> extract: t.d TRANSFORMATION
--> ?column?: t.n TRANSFORMATION
--> btrim: t.a TRANSFORMATION

--- case: operators without a name
--- dialect: postgres
--- schema: t(n NUMERIC)
select n ^ 2, (n % 2)::int, 2 ^ 2 as b from t
--> resolved
--> ?column?: t.n TRANSFORMATION
--> int4: t.n TRANSFORMATION
--> b: constant

--- case: temporary tables with marks
--- dialect: tsql
--- schema: t(a INT); tmp(b INT)
select a * 2 as a into #tmp from t; insert into dbo.m (x, y, z) select i.a, k.b, g.c from #tmp i cross join tmp k cross join ##g g
--> resolved -> dbo.m
--> x: t.a TRANSFORMATION
--> y: tmp.b IDENTITY
--> z: ##g.c IDENTITY

--- case: a temporary table by its mark
--- dialect: fabric
--- schema: #x(a INT); t(a INT)
select a into #y from #x
--> resolved -> #y
--> a: #x.a IDENTITY

--- case: unnamed paths in Snowflake
--- dialect: snowflake
--- schema: T(A VARIANT)
select t.a:b, a:b[0].c, a:b."D e", a:b as x from t
--> resolved
--> T.A:B: T.A TRANSFORMATION
--> A:B[0].C: T.A TRANSFORMATION
--> A:B."D e": T.A TRANSFORMATION
--> X: T.A TRANSFORMATION

--- case: database..table
--- dialect: snowflake
--- schema: DB.PUBLIC.T(ID INT, A INT)
select t.id, u.b from db..t t join db..u u on u.id = t.id
--> resolved
--> ID: DB.PUBLIC.T.ID IDENTITY
--> B: db.public.u.B IDENTITY
--> rows: db.public.u.ID JOIN, DB.PUBLIC.T.ID JOIN

--- case: database..table in T-SQL
--- dialect: tsql
--- schema: db.dbo.t(id INT); x.dbo.u(id INT)
select a.id from db..t a join [x]..[u] b on b.id = a.id
--> resolved
--> id: db.dbo.t.id IDENTITY
--> rows: x.dbo.u.id JOIN, db.dbo.t.id JOIN

--- case: a column called oid
--- dialect: postgres
select oid, o.oid as o2, ctid from orders o
--> resolved
--> oid: orders.oid IDENTITY
--> o2: orders.oid IDENTITY
--> ctid: constant

--- case: what ClickHouse, Snowflake and Oracle call outputs without a name
--- dialect: clickhouse
--- schema: t(a UInt64, b String)
select a + 1, -a, a > 1 and b = 'x', sum(a), count(), t.a * 2, (a + 1) % 3, upper(b) from t group by a, b
--> resolved
--> plus(a, 1): t.a TRANSFORMATION
--> negate(a): t.a TRANSFORMATION
--> and(greater(a, 1), equals(b, 'x')): t.a TRANSFORMATION, t.b TRANSFORMATION
--> sum(a): t.a AGGREGATION
--> count(): constant
--> multiply(t.a, 2): t.a TRANSFORMATION
--> modulo(plus(a, 1), 3): t.a TRANSFORMATION
--> upper(b): t.b TRANSFORMATION
--> rows: t.a GROUP_BY, t.b GROUP_BY

--- case: names of outputs without one, read by a query around
--- dialect: snowflake
--- schema: T(A INT, "b" INT)
select "SUM(A)" as s, "MAX(""b"")" as m, "COUNT(*)" as n from (select sum(a), max("b"), count(*) from t)
--> resolved
--> S: T.A AGGREGATION
--> M: T.b AGGREGATION
--> N: constant

--- case: names of outputs without one in Oracle
--- dialect: oracle
--- schema: T(A INT, B VARCHAR2)
select "SUM(A)" as s, "A+1" as a1, "B||' x'" as bx from (select sum(a), a + 1, b || ' x' from t group by a, b)
--> resolved
--> S: T.A AGGREGATION
--> A1: T.A TRANSFORMATION
--> BX: T.B TRANSFORMATION
--> rows: T.A GROUP_BY, T.B GROUP_BY

--- case: names of functions in quotes are columns
--- dialect: postgres
select "user" as u, user as me, o."user" as v, "User" as w from orders o
--> resolved
--> u: orders.user IDENTITY
--> me: constant
--> v: orders.user IDENTITY
--> w: orders.User IDENTITY

--- case: names of functions in quotes are columns in oracle
--- dialect: oracle
select "LEVEL" as l, "UID" as u, "ROWNUM" as r, uid as me, rownum as n from orders
--> resolved
--> L: orders.LEVEL IDENTITY
--> U: orders.UID IDENTITY
--> R: orders.ROWNUM IDENTITY
--> ME: constant
--> N: constant

--- case: names of functions in quotes are columns in redshift
--- dialect: redshift
select "user" as u, "oid" as o, user as me from orders
--> resolved
--> u: orders.user IDENTITY
--> o: orders.oid IDENTITY
--> me: constant

--- case: an outer item called like an inner column
--- dialect: postgres
--- schema: o(c INT, amt INT); c(id INT, nm TEXT)
select c.nm, l.amt, (select max(c.id + amt) from o) as m from c left join lateral (select o.amt from o where o.c = c.id) l on true
--> resolved
--> nm: c.nm IDENTITY
--> amt: o.amt IDENTITY
--> m: c.id AGGREGATION, o.amt AGGREGATION
--> rows: o.c FILTER, c.id FILTER

--- case: an outer item called like an inner column that may have fields
--- dialect: bigquery
--- schema: o(c STRUCT<id INT64>, amt INT64); p(c JSON, amt INT64); c(id INT64)
select (select max(c.id) from o) as field, (select max(c.id) from p) as either, (select max(p.c.id) from p) as path from c
--> partial
--> field: o.c.id AGGREGATION
--> either: ambiguous_column
--> path: p.c AGGREGATION

--- case: an outer item called like an inner column of a plain type
--- dialect: duckdb
--- schema: orders(customer INTEGER, amt INTEGER); xs(customer INTEGER[], amt INTEGER); customer(id INTEGER)
select id, (select max(amt) from orders where orders.customer = customer.id) as m, (select max(amt) from xs where amt = customer.id) as either from customer
--> partial
--> id: customer.id IDENTITY
--> m: orders.amt AGGREGATION, orders.customer FILTER, customer.id FILTER
--> either: ambiguous_column; xs.amt AGGREGATION, xs.amt FILTER

--- case: an outer item called like an inner column in Snowflake
--- dialect: snowflake
--- schema: O(C VARIANT, AMT INT); C(ID INT)
select (select max(amt) from o where o.c:id = c.id) as m from c
--> resolved
--> M: O.AMT AGGREGATION, O.C FILTER, C.ID FILTER
