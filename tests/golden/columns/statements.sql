--- case: create table as
--- dialect: postgres
--- schema: s(a INT, b INT)
create table x.t as select a, b + 1 as c from s
--> resolved -> x.t
--> a: s.a IDENTITY
--> c: s.b TRANSFORMATION

--- case: create table with columns
--- dialect: postgres
--- schema: s(a INT, b INT)
create table t (p, q) as select a, b from s
--> resolved -> t
--> p: s.a IDENTITY
--> q: s.b IDENTITY

--- case: create view with columns
--- dialect: postgres
--- schema: s(a INT, b INT)
create or replace view v (p, q) as select a, b from s
--> resolved -> v
--> p: s.a IDENTITY
--> q: s.b IDENTITY

--- case: create view over a union in CTEs
--- schema: s(a INT); u(b INT)
create view v as with x as (select a from s union all select b from u) select * from x
--> resolved -> v
--> a: s.a IDENTITY, u.b IDENTITY

--- case: clone
--- dialect: snowflake
--- schema: S(A INT)
create table t clone s
--> resolved -> t
--> A: S.A IDENTITY

--- case: materialized view in clickhouse
--- dialect: clickhouse
--- schema: s(a INT)
create materialized view v to t as select a from s
--> resolved -> t
--> a: s.a IDENTITY

--- case: dynamic table
--- dialect: snowflake
--- schema: S(A INT)
create or replace dynamic table t target_lag = '1 minute' warehouse = w as select a from s
--> resolved -> t
--> A: S.A IDENTITY

--- case: select into
--- dialect: tsql
--- schema: s(a INT)
select a into dbo.t from s
--> resolved -> dbo.t
--> a: s.a IDENTITY

--- case: insert with a column list
--- schema: s(name INT)
insert into t (id) select name from s
--> resolved -> t
--> id: s.name IDENTITY

--- case: insert by the known columns of the target
--- schema: t(x INT, y INT); s(a INT, b INT)
insert into t select b, a from s
--> resolved -> t
--> x: s.b IDENTITY
--> y: s.a IDENTITY

--- case: insert into an unknown target
--- schema: s(a INT, b INT)
insert into t select b, a as c from s
--> resolved -> t
--> b: s.b IDENTITY
--> c: s.a IDENTITY

--- case: insert by name
--- dialect: duckdb
--- schema: t(x INT, y INT); s(a INT, b INT)
insert into t by name select b as y, a as x from s
--> resolved -> t
--> y: s.b IDENTITY
--> x: s.a IDENTITY

--- case: insert of values
--- schema: t(x INT, y INT)
insert into t values (1, 2), (3, 4)
--> resolved -> t
--> x: constant
--> y: constant

--- case: insert with CTEs before it
--- dialect: postgres
--- schema: s(a INT)
with x as (select a + 1 as b from s) insert into t (c) select b from x
--> resolved -> t
--> c: s.a TRANSFORMATION

--- case: insert overwrite of a partition
--- dialect: spark
--- schema: t(a INT, b INT, dt STRING); s(x INT, y INT)
insert overwrite table t partition (dt = '1') select x, y from s
--> resolved -> t
--> a: s.x IDENTITY
--> b: s.y IDENTITY
--> dt: constant

--- case: upsert
--- dialect: postgres
--- schema: t(id INT, n INT); s(id INT, m INT)
insert into t (id, n) select id, m from s on conflict (id) do update set n = t.n + excluded.n
--> resolved -> t
--> id: s.id IDENTITY
--> n: s.m IDENTITY, t.n TRANSFORMATION, s.m TRANSFORMATION

--- case: replace into
--- dialect: mysql
--- schema: s(a INT)
replace into t (b) select a from s
--> resolved -> t
--> b: s.a IDENTITY

--- case: FROM first insert
--- dialect: hive
--- schema: s(a INT); t(b INT)
from s insert into table t select a
--> resolved -> t
--> b: s.a IDENTITY

--- case: update from
--- dialect: postgres
--- schema: t(id INT, a INT, b INT); s(id INT, v INT); u(d INT)
update t set a = s.v + t.b, b = (select max(d) from u) from s where t.id = s.id and s.v > 1
--> resolved -> t
--> a: s.v TRANSFORMATION, t.b TRANSFORMATION
--> b: u.d AGGREGATION
--> rows: t.id FILTER, s.id FILTER, s.v FILTER

--- case: update of an alias
--- dialect: tsql
--- schema: dbo.t(id INT, a INT); s(id INT, v INT)
update x set x.a = s.v from dbo.t x join s on x.id = s.id
--> resolved -> dbo.t
--> a: s.v IDENTITY
--> rows: dbo.t.id JOIN, s.id JOIN

--- case: update with a join
--- dialect: mysql
--- schema: t(id INT, a INT); s(id INT, v INT)
update t join s on t.id = s.id set t.a = s.v where s.v > 0
--> resolved -> t
--> a: s.v IDENTITY
--> rows: t.id JOIN, s.id JOIN, s.v FILTER

--- case: update of several columns from a subquery
--- dialect: postgres
--- schema: t(id INT, a INT, b INT); s(id INT, v INT, w INT)
update t set (a, b) = (select v, w from s where s.id = t.id)
--> resolved -> t
--> a: s.v IDENTITY, s.id FILTER, t.id FILTER
--> b: s.w IDENTITY, s.id FILTER, t.id FILTER

--- case: merge
--- dialect: snowflake
--- schema: T(ID INT, A INT, B INT); S(ID INT, V INT, D INT)
merge into t as d using (select id, max(v) as v, max(d) as d from s group by id) as u on d.id = u.id when matched and u.d > 1 then update set a = u.v, d.b = d.b + 1 when not matched then insert (id, a) values (u.id, u.v)
--> resolved -> t
--> A: S.V AGGREGATION
--> B: T.B TRANSFORMATION
--> ID: S.ID IDENTITY
--> rows: S.ID GROUP_BY, T.ID JOIN, S.ID JOIN, S.D FILTER

--- case: merge with bare names
--- dialect: bigquery
--- schema: t(id INT64, a INT64); s(id INT64, a INT64)
merge into t as dest using s as src on dest.id = src.id when matched then update set a = src.a when not matched then insert (id, a) values (id, a)
--> resolved -> t
--> a: s.a IDENTITY
--> id: s.id IDENTITY
--> rows: t.id JOIN, s.id JOIN

--- case: merge all by name
--- dialect: databricks
--- schema: t(id INT, a INT); s(id INT, a INT, extra INT)
merge into t using s on t.id = s.id when matched then update set * when not matched then insert *
--> resolved -> t
--> id: s.id IDENTITY
--> a: s.a IDENTITY
--> rows: t.id JOIN, s.id JOIN

--- case: merge all by name without schema
--- dialect: databricks
merge into t using s on t.id = s.id when matched then update set * when not matched then insert *
--> unresolved star_without_schema -> t
--> rows: t.id JOIN, s.id JOIN

--- case: merge insert row
--- dialect: bigquery
--- schema: t(id INT64, a INT64); s(x INT64, y INT64)
merge into t using s on t.id = s.x when not matched then insert row
--> resolved -> t
--> id: s.x IDENTITY
--> a: s.y IDENTITY
--> rows: t.id JOIN, s.x JOIN

--- case: merge by source
--- dialect: bigquery
--- schema: t(id INT64, a INT64, f INT64); s(id INT64)
merge into t using s on t.id = s.id when not matched by source and t.f = 1 then update set a = 0
--> resolved -> t
--> a: constant
--> rows: t.id JOIN, s.id JOIN, t.f FILTER

--- case: merge with only a delete
--- dialect: snowflake
--- schema: T(ID INT); S(ID INT)
merge into t using s on t.id = s.id when matched then delete
--> unresolved unsupported_statement -> t
--> rows: T.ID JOIN, S.ID JOIN

--- case: a temporary table is followed
--- dialect: postgres
--- schema: s(a INT, b INT)
create temp table x as select a, b from s where b > 1; insert into t (c) select a from x
--> resolved -> t
--> c: s.a IDENTITY
--> rows: s.b FILTER

--- case: delete and insert
--- dialect: postgres
--- schema: t(id INT, v INT); s(id INT, v INT)
delete from t where id in (select id from s); insert into t (id, v) select id, v from s
--> partial unsupported_statement -> t
--> id: s.id IDENTITY
--> v: s.v IDENTITY

--- case: transactions and settings say nothing
--- dialect: postgres
--- schema: s(a INT)
begin; set search_path to x; create table t as select a from s; commit
--> resolved -> t
--> a: s.a IDENTITY

--- case: two targets
--- schema: s(a INT)
insert into t (b) select a from s; insert into u (c) select a from s
--> partial unsupported_statement -> u
--> c: s.a IDENTITY

--- case: delete
--- schema: t(a INT); s(b INT)
delete from t where a in (select b from s)
--> unresolved unsupported_statement

--- case: drop
drop table t
--> unresolved unsupported_statement

--- case: create without a query
create table t (a int, b int)
--> unresolved unsupported_statement

--- case: procedures
--- dialect: tsql
create procedure p as begin insert into t (a) select a from s; end
--> unresolved unsupported_statement

--- case: scripting beside a query
--- dialect: bigquery
--- schema: s(a INT64)
begin select 1; exception when error then select @@error.message; end; select a from s
--> partial unsupported_statement
--> a: s.a IDENTITY

--- case: no statement
-- only a comment
--> failed parser_error

--- case: broken text
select a,, from (t
--> unresolved parser_error
--> a: parser_error

--- case: one broken statement of two
--- schema: s(a INT)
select from where; create table t as select a from s
--> partial parser_error -> t
--> a: s.a IDENTITY

--- case: unknown dialect
--- dialect: klingon
select 1
--> failed unsupported_statement

--- case: copy of a query
--- dialect: duckdb
--- schema: s(a INT)
copy (select a from s) to 'x.parquet'
--> resolved
--> a: s.a IDENTITY

--- case: multiple adapters' names
--- dialect: sqlserver
--- schema: s(a INT)
select top 5 a from s
--> resolved
--> a: s.a IDENTITY

--- case: create: recursive view
--- dialect: snowflake
--- schema: S.T(A INT, B INT)
create recursive view rv (a) as select a from s.t union all select t.a from s.t join rv on rv.a = t.b
--> resolved -> rv
--> A: S.T.A IDENTITY
--> rows: S.T.A JOIN, S.T.B JOIN

--- case: create: view with a check option
--- dialect: postgres
--- schema: s.t(a INT, b INT)
create or replace view v (x) with (security_barrier) as select a from s.t with cascaded check option
--> resolved -> v
--> x: s.t.a IDENTITY

--- case: create: materialized view with expectations
--- dialect: databricks
--- schema: s.t(a INT, b INT)
create or refresh materialized view mv (a int comment 'x', constraint q expect (a > 1) on violation drop row) as select a from s.t
--> resolved -> mv
--> a: s.t.a IDENTITY

--- case: create: a stream is its table
--- dialect: databricks
--- schema: s.t(a INT, b INT)
create or refresh streaming table st as select a from stream(s.t)
--> resolved -> st
--> a: s.t.a IDENTITY

--- case: create: table with a distribution
--- dialect: fabric
--- schema: s.t(a INT, b INT)
create table dbo.x with (distribution = round_robin, clustered columnstore index) as select a from s.t option (label = 'x')
--> resolved -> dbo.x
--> a: s.t.a IDENTITY

--- case: create: batches
--- dialect: tsql
--- schema: s.t(a INT, b INT)
use db
go
create view dbo.v as select a from s.t
go
--> resolved -> dbo.v
--> a: s.t.a IDENTITY

--- case: create: list and query meet by name
--- dialect: mysql
--- schema: t(a INT, b INT)
create table x (id int auto_increment primary key, a int) engine=innodb as select a from t
--> resolved -> x
--> id: constant
--> a: t.a IDENTITY

--- case: create: create table ignore
--- dialect: mysql
--- schema: t(a INT, b INT)
create table x ignore select a, b + 1 from t
--> resolved -> x
--> a: t.a IDENTITY
--> b + 1: t.b TRANSFORMATION

--- case: create: view with options and a column list
--- dialect: oracle
--- schema: T(A INT, B INT)
create or replace force editionable view v (x, y) as select a, b from t with read only
--> resolved -> v
--> X: T.A IDENTITY
--> Y: T.B IDENTITY

--- case: create: order of list and query
--- dialect: mysql
--- schema: t(a INT, b INT)
create table x (b varchar(3), c int, primary key (c)) as select a, b from t
--> resolved -> x
--> c: constant
--> a: t.a IDENTITY
--> b: t.b IDENTITY

--- case: create: materialized view with options and no data
--- dialect: postgres
--- schema: t(a INT, b INT)
create materialized view if not exists mv (z) using heap with (fillfactor=70) tablespace ts as select a from t with no data
--> resolved -> mv
--> z: t.a IDENTITY

--- case: create: a stream without a schema
--- dialect: databricks
select t.a, s.t.b from stream s.t
--> resolved
--> a: s.t.a IDENTITY
--> b: s.t.b IDENTITY

--- case: create: recursive view without a column list
--- dialect: snowflake
create recursive view rv as select 1 as a
--> unresolved unsupported_statement

--- case: merge with schema evolution
--- dialect: databricks
--- schema: t(id INT, a INT); s(id INT, a INT, op STRING)
merge with schema evolution into t using s on t.id = s.id when matched and s.op = 'd' then delete when matched then update set * when not matched then insert *
--> resolved -> t
--> id: s.id IDENTITY
--> a: s.a IDENTITY
--> rows: t.id JOIN, s.id JOIN, s.op FILTER

--- case: merge by name
--- dialect: duckdb
--- schema: t(id INT, a INT, b INT); s(id INT, b INT, a INT)
merge into t using s using (id) when matched then update by name when not matched then insert by name
--> resolved -> t
--> id: s.id IDENTITY
--> a: s.a IDENTITY
--> b: s.b IDENTITY
--> rows: t.id JOIN, s.id JOIN

--- case: update to the default
--- dialect: postgres
--- schema: t(id INT, a INT, b INT)
update t set a = default, (b, id) = (default, a)
--> resolved -> t
--> a: constant
--> b: constant
--> id: t.a IDENTITY

--- case: table variables and several inserts
--- dialect: tsql
--- schema: t(a INT, b INT)
declare @tv table (x int, y int); insert into @tv select a, b from t; insert into @tv (y) select a from t; select x, y from @tv v
--> resolved
--> x: t.a IDENTITY
--> y: t.b IDENTITY, t.a IDENTITY

--- case: a temporary table made and filled
--- dialect: postgres
--- schema: t(a INT, b INT)
create temp table z (x int, y int); insert into z (y, x) select a, b from t; select x from z
--> resolved
--> x: t.b IDENTITY

--- case: rows of an UPDATE
--- dialect: postgres
--- schema: t(id INT, a INT); s(id INT, v INT)
with u as (update t set a = s.v from s where s.id = t.id returning t.id, t.a, s.v as sv) select * from u
--> partial unsupported_statement
--> id: t.id IDENTITY
--> a: s.v IDENTITY
--> sv: s.v IDENTITY
--> rows: s.id FILTER, t.id FILTER

--- case: rows of an INSERT
--- dialect: postgres
--- schema: t(id INT, a INT, c INT); s(id INT, v INT)
with i as (insert into t (id, a) select id, v from s where v > 1 returning *) select * from i
--> partial unsupported_statement
--> id: s.id IDENTITY
--> a: s.v IDENTITY
--> c: constant
--> rows: s.v FILTER

--- case: a condition of an upsert
--- dialect: postgres
--- schema: t(id INT, a INT); s(id INT, v INT)
insert into t as tt (id, a) select id, v from s on conflict (id) do update set a = excluded.a + tt.a where excluded.a > 3
--> resolved -> t
--> id: s.id IDENTITY
--> a: s.v IDENTITY, s.v TRANSFORMATION, t.a TRANSFORMATION
--> rows: s.v FILTER

--- case: FROM first with a CTE and several INSERTs
--- dialect: spark
--- schema: t(k INT, v INT)
with c as (select k, v + 1 as v from t) from c insert into a select k where v > 1 insert into b select v
--> partial unsupported_statement -> b
--> v: t.v TRANSFORMATION

--- case: FROM a query with several INSERTs
--- dialect: spark
--- schema: t(k INT, v INT)
from (select k, v from t where k > 1) as s insert into a select s.v insert into b select s.k
--> partial unsupported_statement -> b
--> k: t.k IDENTITY
--> rows: t.k FILTER

--- case: upsert with a name for the new row
--- dialect: mysql
--- schema: d(id INT, v INT); s(id INT)
insert into d (id, v) values ((select max(id) from s), 2) as n on duplicate key update v = n.id + d.v
--> resolved -> d
--> id: s.id AGGREGATION
--> v: s.id AGGREGATION, d.v TRANSFORMATION

--- case: upsert with names for the new row's columns
--- dialect: mysql
--- schema: d(id INT, v INT)
insert into d (id, v) values (1, 2) as n(i, w) on duplicate key update v = n.w + d.v
--> resolved -> d
--> id: constant
--> v: d.v TRANSFORMATION

--- case: clickhouse materialized view to a table with columns
--- dialect: clickhouse
--- schema: s(a Int32, b Int32)
create materialized view a.mv to a.d (x Int32, y Int32) as select a as x, b + 1 as y from s
--> resolved -> a.d
--> x: s.a IDENTITY
--> y: s.b TRANSFORMATION

--- case: functions of one's own that read nothing
--- dialect: bigquery
--- schema: t(a INT64)
create temp function f(x int64) as (x + 1); create temp function g(x string) returns string language js as r"""return x from"""; select f(a) as b, g(cast(a as string)) as c from t
--> resolved
--> b: t.a TRANSFORMATION
--> c: t.a TRANSFORMATION

--- case: a function of one's own that reads a relation
--- dialect: snowflake
--- schema: T(A INT)
create function f(x int) returns int as $$select max(b) from other$$; select f(a) as b from t
--> partial unsupported_statement
--> B: T.A TRANSFORMATION

--- case: branches of MERGE see only the rows that are there
--- dialect: bigquery
--- schema: d(id INT64, v INT64, n INT64); s(id INT64, v INT64)
merge into d using s on d.id = s.id when not matched and v > 1 then insert (id, v) values (id, v) when not matched by source and v < 3 then update set n = v when matched then update set v = s.v + d.v
--> resolved -> d
--> id: s.id IDENTITY
--> v: s.v IDENTITY, s.v TRANSFORMATION, d.v TRANSFORMATION
--> n: d.v IDENTITY
--> rows: d.id JOIN, s.id JOIN, s.v FILTER, d.v FILTER

--- case: redshift merge
--- dialect: redshift
--- schema: d(id INT, v INT); s(id INT, v INT)
merge into d using s on d.id = s.id remove duplicates
--> resolved -> d
--> id: s.id IDENTITY
--> v: s.v IDENTITY
--> rows: d.id JOIN, s.id JOIN

--- case: rows that go to files
--- dialect: clickhouse
--- schema: t(a Int32)
insert into function s3('https://b/x.csv', 'CSV') select a, a + 1 as b from t
--> resolved
--> a: t.a IDENTITY
--> b: t.a TRANSFORMATION

--- case: EXPORT DATA
--- dialect: bigquery
--- schema: t(a INT64)
export data options(uri='gs://b/*.csv', format='CSV') as with x as (select a from t) select a, a + 1 as b from x
--> resolved
--> a: t.a IDENTITY
--> b: t.a TRANSFORMATION

--- case: CREATE SNAPSHOT TABLE
--- dialect: bigquery
--- schema: d.t(a INT64)
create snapshot table if not exists d.s clone d.t for system_time as of current_timestamp() options(expiration_timestamp = null)
--> resolved -> d.s
--> a: d.t.a IDENTITY

--- case: IF that only drops
--- dialect: tsql
--- schema: dbo.t(id INT)
if object_id('dbo.m') is not null drop table dbo.m
go
select id, id * 2 as d into dbo.m from dbo.t
go
--> resolved -> dbo.m
--> id: dbo.t.id IDENTITY
--> d: dbo.t.id TRANSFORMATION

--- case: a table for the session by its name
--- dialect: redshift
--- schema: t(a INT)
select a into #tmp from t; create table m as select a * 2 as b from #tmp
--> resolved -> m
--> b: t.a TRANSFORMATION

--- case: CACHE TABLE
--- dialect: spark
--- schema: t(a INT)
cache table c as select a + 1 as b from t; select b as z from c
--> resolved
--> z: t.a TRANSFORMATION

--- case: INSERT into a partition of an unknown table
--- dialect: spark
--- schema: t(a INT, b INT)
insert overwrite table d partition (dt = '2020') select a, b from t
--> resolved -> d
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> dt: constant

--- case: compound assignments
--- dialect: tsql
--- schema: t(id INT, a INT, b INT); u(id INT, x INT)
update q set a -= 1, q.b += u.x * 2 from t q join u on u.id = q.id
--> resolved -> t
--> a: t.a TRANSFORMATION
--> b: t.b TRANSFORMATION, u.x TRANSFORMATION
--> rows: u.id JOIN, t.id JOIN

--- case: LOG ERRORS
--- dialect: oracle
--- schema: T(A INT, B INT)
insert into d (p, q) select a, b from t log errors into e ('x') reject limit unlimited
--> resolved -> d
--> P: T.A IDENTITY
--> Q: T.B IDENTITY

--- case: branches of all columns
--- dialect: duckdb
--- schema: t(id INT, a INT); u(id INT, a INT)
merge into t using u using (id) when matched and u.a > 1 then update when not matched then insert
--> resolved -> t
--> id: u.id IDENTITY
--> a: u.a IDENTITY
--> rows: t.id JOIN, u.id JOIN, u.a FILTER

--- case: INSERT BY NAME of some columns in a branch
--- dialect: duckdb
--- schema: t(id INT, a INT); u(id INT, x INT)
merge into t using u on t.id = u.id when not matched then insert by name (id, a) values (u.id, u.x)
--> resolved -> t
--> id: u.id IDENTITY
--> a: u.x IDENTITY
--> rows: t.id JOIN, u.id JOIN

--- case: INSERT BY POSITION
--- dialect: duckdb
--- schema: t(id INT, a INT); u(id INT, x INT)
insert into t by position select * from u
--> resolved -> t
--> id: u.id IDENTITY
--> a: u.x IDENTITY

--- case: MySQL: a query into a variable
--- dialect: mysql
--- schema: t(id INT, a INT)
select max(a) into @m from t where id > 3; select id + @m as z from t
--> resolved
--> z: t.id TRANSFORMATION, t.a AGGREGATION, t.id FILTER

--- case: bare names of an upsert are the target's
--- dialect: mysql
--- schema: t(id INT, a INT, b INT); u(id INT, a INT)
insert into t (id, a, b) select id, a, 1 from u on duplicate key update a = values(a) + t.b, b = b + 1
--> resolved -> t
--> id: u.id IDENTITY
--> a: u.a IDENTITY, u.a TRANSFORMATION, t.b TRANSFORMATION
--> b: t.b TRANSFORMATION

--- case: bare names of an upsert without a schema
--- dialect: mysql
insert into t (id, a, b) values (1, 2, 3) on duplicate key update a = values(a) + b, b = b + 1
--> resolved -> t
--> id: constant
--> a: t.b TRANSFORMATION
--> b: t.b TRANSFORMATION

--- case: a table that the text makes and drops
--- dialect: bigquery
--- schema: p.d.src(id INT64, d DATE)
create or replace table p.d.tmp as select id, d from p.d.src; insert into p.d.t (id, d) select id, d from p.d.tmp; drop table if exists p.d.tmp
--> resolved -> p.d.t
--> id: p.d.src.id IDENTITY
--> d: p.d.src.d IDENTITY

--- case: statements that neither make nor move data
--- dialect: snowflake
alter session set query_tag = 'x'; show tables; create schema if not exists s; alter table t add column z int; alter warehouse w resume; revoke select on t from role r; select id from t
--> resolved
--> ID: t.ID IDENTITY

--- case: statements that may move data
--- dialect: snowflake
alter table t swap with u; call load(); select id from t
--> partial unsupported_statement
--> ID: t.ID IDENTITY

--- case: upkeep after a T-SQL model
--- dialect: tsql
select id into dbo.m from t; create clustered columnstore index i on dbo.m; print 'x'; return
--> resolved -> dbo.m
--> id: t.id IDENTITY

--- case: += of variables
--- dialect: tsql
--- schema: t(id INT, k VARCHAR, n INT)
declare @s varchar(99) = '', @n int = 0; select @s += k from t; set @n += (select max(n) from t where k = 'x'); select @s as s, @n as n, id from t
--> resolved
--> s: t.k TRANSFORMATION
--> n: t.n AGGREGATION, t.k FILTER
--> id: t.id IDENTITY

--- case: INSERT into a partition that isn't there yet
--- dialect: spark
--- schema: t(a INT, b INT, dt STRING); u(x INT, y INT)
insert overwrite table t partition (dt = '2020') if not exists select y, x from u
--> resolved -> t
--> a: u.y IDENTITY
--> b: u.x IDENTITY
--> dt: constant

--- case: branches that take columns by their names
--- dialect: duckdb
--- schema: t(a INT, b INT, k INT); u(k INT, b INT, a INT)
merge into t using u on t.k = u.k when not matched then insert by name
--> resolved -> t
--> a: u.a IDENTITY
--> b: u.b IDENTITY
--> k: u.k IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: updates that take columns by their names
--- dialect: duckdb
--- schema: t(a INT, b INT, k INT); u(k INT, b INT, a INT)
merge into t using u using (k) when matched and t.a < 3 then delete when matched then update by name
--> resolved -> t
--> a: u.a IDENTITY
--> b: u.b IDENTITY
--> k: u.k IDENTITY
--> rows: t.k JOIN, u.k JOIN, t.a FILTER

--- case: branches with a star take columns by their places
--- dialect: duckdb
--- schema: t(a INT, b INT, k INT); u(k INT, b INT, a INT)
merge into t using u on t.k = u.k when matched then update set * when not matched then insert *
--> resolved -> t
--> a: u.k IDENTITY
--> b: u.b IDENTITY
--> k: u.a IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: branches that say by position
--- dialect: duckdb
--- schema: t(a INT, b INT, k INT); u(k INT, b INT, a INT)
merge into t using u on t.k = u.k when matched then update by position when not matched then insert by position
--> resolved -> t
--> a: u.k IDENTITY
--> b: u.b IDENTITY
--> k: u.a IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: branches that say nothing take columns by their places
--- dialect: duckdb
--- schema: t(a INT, b INT, k INT); u(k INT, b INT, a INT)
merge into t using u on t.k = u.k when matched then update when not matched then insert
--> resolved -> t
--> a: u.k IDENTITY
--> b: u.b IDENTITY
--> k: u.a IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: a constant text that is run
--- dialect: tsql
--- schema: dbo.s(a INT, b INT)
use [db]; execute (N'create view dbo.v as ' + N'select a from dbo.s where b = ''x''');
--> resolved -> dbo.v
--> a: dbo.s.a IDENTITY
--> rows: dbo.s.b FILTER

--- case: a constant text by a procedure
--- dialect: tsql
--- schema: dbo.s(a INT, b INT)
exec sys.sp_executesql N'select a from dbo.s'
--> resolved
--> a: dbo.s.a IDENTITY

--- case: a text with values for its parameters
--- dialect: tsql
--- schema: dbo.s(a INT, b INT)
exec sp_executesql N'select a from dbo.s where b = @p', N'@p int', @p = 3
--> unresolved dynamic_sql

--- case: a text that is put together
--- dialect: tsql
exec ('select a from ' + @t)
--> failed dynamic_sql

--- case: a block as a constant text
--- dialect: snowflake
--- schema: S(A INT, B INT)
execute immediate $$ begin create temporary table x as select a from s; create table y as select a + 1 as b from x; end; $$
--> resolved -> y
--> B: S.A TRANSFORMATION

--- case: a constant text with a constant value
--- dialect: bigquery
--- schema: s(a INT, b INT)
execute immediate """select a from s where b = ?""" using 3
--> resolved
--> a: s.a IDENTITY
--> rows: s.b FILTER

--- case: a constant text with a value of the script
--- dialect: bigquery
--- schema: s(a INT, b INT)
execute immediate 'select a from s where b = ?' using x
--> unresolved dynamic_sql

--- case: a constant text that can't be read
--- dialect: oracle
execute immediate 'create table x as select a from s where (('
--> partial parser_error -> x
--> A: s.A IDENTITY
