--- case: one CTE that can't be read
--- dialect: postgres
--- schema: t(id INT, a INT); u(id INT, b INT)
with x as (select id, a from t), y as (select id, b frm u where), z as (select x.id, x.a, y.b from x join y on x.id = y.id) select id, a, b, a + 1 as c from z
--> partial parser_error
--> id: t.id IDENTITY
--> a: t.a IDENTITY
--> b: parser_error
--> c: t.a TRANSFORMATION
--> rows: t.id JOIN

--- case: a broken CTE that is not read
--- dialect: postgres
--- schema: t(id INT, a INT)
with x as (select id, a from t), y as (select select) select id from x
--> resolved
--> id: t.id IDENTITY

--- case: a star over a broken CTE
--- dialect: postgres
with y as (select a, from from t) select * from y
--> unresolved
--> a: opaque_function

--- case: a broken subquery in a condition
--- dialect: postgres
--- schema: t(id INT, a INT)
select a from t where id in (select x from where y)
--> partial parser_error
--> a: t.a IDENTITY
--> rows: t.id FILTER

--- case: the error is outside
--- dialect: postgres
with x as (select a from t) select a b c from x
--> unresolved parser_error

--- case: syntax of another dialect in one CTE
--- dialect: postgres
--- schema: t(id INT, a INT)
with x as (select id, list_transform([a], lambda i: i + 1) as l from t), y as (select id from t) select y.id, x.l from x join y on x.id = y.id
--> partial
--> id: t.id IDENTITY
--> l: parser_error
--> rows: t.id JOIN

--- case: a broken output
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, b +* 2 as c, a as d from t
--> partial
--> a: t.a IDENTITY
--> c: parser_error
--> d: t.a IDENTITY

--- case: a broken condition
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, b from t where a >>> = < 3 order by b
--> partial parser_error
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: t.b SORT

--- case: a broken order
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, b from t where a > 1 order by
--> partial parser_error
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: t.a FILTER

--- case: a broken output of a CTE
--- dialect: snowflake
--- schema: T(A INT, B INT)
with x as (select a, b is as json array as j, b from t where a > 1), y as (select a from t) select x.a, x.j, y.a as ya, b from x join y on x.a = y.a
--> partial
--> A: T.A IDENTITY
--> J: parser_error
--> YA: T.A IDENTITY
--> B: T.B IDENTITY
--> rows: T.A FILTER, T.A JOIN

--- case: a script with an exception
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
begin create table x as select a from t; exception when error then select 1; end; create table y as select a + b as s from t
--> partial unsupported_statement -> y
--> s: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: a FROM that can't be read
--- dialect: postgres
--- schema: t(a INT)
select t.a, b from t joyn u onn t.a = u.a
--> unresolved parser_error
--> a: parser_error
--> b: parser_error

--- case: an output without AS that can't be read
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, (b +) x, b * 2 as c from t
--> partial
--> a: t.a IDENTITY
--> x: parser_error
--> c: t.b TRANSFORMATION

--- case: clickhouse star modifiers
--- dialect: clickhouse
--- schema: t(a Int32, b Int32, c Int32)
select * except (c) apply(sum), columns('a|b') replace (a + 1 as a), t.* except c from t
--> partial parser_error
--> sum(a): t.a AGGREGATION
--> sum(b): t.b AGGREGATION
--> a: t.a IDENTITY
--> b: t.b IDENTITY

--- case: what a template leaves
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, {{ x }} as b, {{ y(ref('z')) }} from t where {{ c }} = 1 and b = '{{ no template }}'
--> partial parser_error
--> a: t.a IDENTITY
--> b: parser_error

--- case: what a template leaves in duckdb
--- dialect: duckdb
--- schema: t(a INT)
select a, {'s': {'p': a}} as s, {{ x }} as c from t
--> partial
--> a: t.a IDENTITY
--> s: t.a TRANSFORMATION
--> c: parser_error

--- case: a CTE that is no query
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT, c INT, s VARCHAR)
with d as (describe t) select d.column_name, t.a from d, t
--> partial unsupported_statement
--> column_name: unsupported_statement
--> a: t.a IDENTITY

--- case: outputs that can't be read keep aliases without AS
--- dialect: clickhouse
--- schema: t(a Int32, b Int32)
select a, foo(9)(a, b)(x y) z, b from t
--> partial
--> a: t.a IDENTITY
--> z: parser_error
--> b: t.b IDENTITY

--- case: what the grammar can't write again
--- dialect: duckdb
select datetime(a) as x, datetime(b), c from t
--> resolved
--> x: t.a TRANSFORMATION
--> datetime: t.b TRANSFORMATION
--> c: t.c IDENTITY

--- case: rows of a procedure
--- dialect: tsql
insert into dbo.t (a, b) exec dbo.get_rows @x = 1; select a from u
--> partial unsupported_statement
--> a: u.a IDENTITY

--- case: rows of a text
--- dialect: tsql
insert into dbo.t (a, b) exec('select a, b from dbo.u')
--> failed dynamic_sql

--- case: rows of a text with parameters
--- dialect: tsql
insert into dbo.t execute sp_executesql N'select a from dbo.u where c > @p', N'@p int', @p = 3
--> failed dynamic_sql

--- case: deleted rows put elsewhere
--- dialect: tsql
delete from dbo.t output deleted.id, deleted.v into dbo.archive (id, v) where ts < '2020'
--> failed unsupported_statement

--- case: a join that is updated
--- dialect: oracle
update (select a.x as ax, b.y as y2 from a join b on a.id = b.id) set ax = y2
--> failed unsupported_statement
