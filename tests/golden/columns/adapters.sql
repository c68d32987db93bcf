--- case: tsql update output and top
--- dialect: tsql
--- schema: t(a INT, b INT); s(a INT, c INT)
with d as (select *, row_number() over (partition by a order by b) as rn from t) update d set b = 0 where rn > 1
--> resolved -> t
--> b: constant
--> rows: t.a WINDOW, t.b WINDOW

--- case: tsql merge output
--- dialect: tsql
--- schema: t(id INT, a INT); s(id INT, v INT)
merge dbo.t as x using s on x.id = s.id when matched then update set a = s.v when not matched by target then insert (id, a) values (s.id, s.v) when not matched by source then delete output $action;
--> resolved -> dbo.t
--> a: s.v IDENTITY
--> id: s.id IDENTITY
--> rows: t.id JOIN, s.id JOIN

--- case: fabric ctas
--- dialect: fabric
--- schema: s(a INT)
create table dbo.t as select a from s
--> resolved -> dbo.t
--> a: s.a IDENTITY

--- case: tsql exec
--- dialect: tsql
exec('create view dbo.v as select a from s')
--> resolved -> dbo.v
--> a: s.a IDENTITY

--- case: tsql dynamic
--- dialect: tsql
--- schema: s(a INT, b INT)
declare @x int = 1; select a + @x as y from s where b = @x
--> resolved
--> y: s.a TRANSFORMATION
--> rows: s.b FILTER

--- case: dbt sqlserver view
--- dialect: tsql
--- schema: db.dbo.s(a INT)
create view [dbo].[v] as select a from [db].[dbo].[s];
--> resolved -> dbo.v
--> a: db.dbo.s.a IDENTITY

--- case: athena ctas
--- dialect: athena
--- schema: db.s(a INT, d DATE)
create table "awsdatacatalog"."db"."t" with (table_type='iceberg', is_external=false, location='s3://x/', partitioning=ARRAY['d']) as select a, d from "awsdatacatalog"."db"."s"
--> resolved -> awsdatacatalog.db.t
--> a: db.s.a IDENTITY
--> d: db.s.d IDENTITY

--- case: bigquery dbt ctas
--- dialect: bigquery
--- schema: p.d.s(a INT64, ts TIMESTAMP)
create or replace table `p`.`d`.`t` partition by timestamp_trunc(ts, day) cluster by a options(description="x") as (select a, ts from `p`.`d`.`s`)
--> resolved -> p.d.t
--> a: p.d.s.a IDENTITY
--> ts: p.d.s.ts IDENTITY

--- case: bigquery dbt merge
--- dialect: bigquery
--- schema: p.d.s(id INT64, v INT64); p.d.t(id INT64, v INT64)
merge into `p`.`d`.`t` as DBT_INTERNAL_DEST using (select * from `p`.`d`.`s` where v > (select max(v) from `p`.`d`.`t`)) as DBT_INTERNAL_SOURCE on (DBT_INTERNAL_SOURCE.id = DBT_INTERNAL_DEST.id) when matched then update set `id` = DBT_INTERNAL_SOURCE.`id`, `v` = DBT_INTERNAL_SOURCE.`v` when not matched then insert (`id`, `v`) values (`id`, `v`)
--> resolved -> p.d.t
--> id: p.d.s.id IDENTITY
--> v: p.d.s.v IDENTITY
--> rows: p.d.s.v FILTER, p.d.t.v FILTER, p.d.s.id JOIN, p.d.t.id JOIN

--- case: snowflake dbt delete insert
--- dialect: snowflake
--- schema: DB.S.TMP(ID INT, V INT); DB.S.T(ID INT, V INT)
delete from db.s.t as DBT_INTERNAL_DEST where (id) in (select distinct id from db.s.tmp as DBT_INTERNAL_SOURCE); insert into db.s.t ("ID", "V") (select "ID", "V" from db.s.tmp)
--> partial unsupported_statement -> db.s.t
--> ID: DB.S.TMP.ID IDENTITY
--> V: DB.S.TMP.V IDENTITY

--- case: databricks dbt ctas
--- dialect: databricks
--- schema: c.s.x(a INT)
create or replace table `c`.`s`.`t` using delta partitioned by (a) location 's3://x' comment 'y' as select a from `c`.`s`.`x`
--> resolved -> c.s.t
--> a: c.s.x.a IDENTITY

--- case: spark insert overwrite
--- dialect: spark
--- schema: s.x(a INT, b INT)
insert overwrite table s.t select `a`, `b` from x__dbt_tmp
--> resolved -> s.t
--> a: x__dbt_tmp.a IDENTITY
--> b: x__dbt_tmp.b IDENTITY

--- case: redshift ctas
--- dialect: redshift
--- schema: s.x(a int, b int)
create table "db"."s"."t" diststyle key distkey (a) compound sortkey(a, b) as (select a, b from s.x)
--> resolved -> db.s.t
--> a: s.x.a IDENTITY
--> b: s.x.b IDENTITY

--- case: postgres unlogged
--- dialect: postgres
--- schema: s.x(a INT)
create unlogged table "s"."t__dbt_tmp" as (select a from s.x)
--> resolved -> s.t__dbt_tmp
--> a: s.x.a IDENTITY

--- case: clickhouse dbt
--- dialect: clickhouse
--- schema: s.x(a Int)
create table s.t engine = MergeTree() order by (a) as (select a from s.x)
--> resolved -> s.t
--> a: s.x.a IDENTITY

--- case: oracle ctas
--- dialect: oracle
--- schema: S.X(A INT)
create table s.t parallel 4 nologging as select a from s.x
--> resolved -> s.t
--> A: S.X.A IDENTITY

--- case: mysql ctas
--- dialect: mysql
--- schema: s.x(a INT)
create table `s`.`t` as (select a from `s`.`x`)
--> resolved -> s.t
--> a: s.x.a IDENTITY

--- case: duckdb dbt contract
--- dialect: duckdb
--- schema: s(a INT, b INT)
create table "db"."s"."t" (a integer not null, b integer) ; insert into "db"."s"."t" (a, b) (select a, b from (select a, b from s) as model_subq)
--> resolved -> db.s.t
--> a: s.a IDENTITY
--> b: s.b IDENTITY

--- case: trino table with cols
--- dialect: trino
--- schema: h.s.x(a BIGINT)
create table h.s.t (c) comment 'x' with (format = 'ORC') as select a from h.s.x with no data
--> resolved -> h.s.t
--> c: h.s.x.a IDENTITY

--- case: view with tags
--- dialect: snowflake
--- schema: DB.S.X(A INT)
create or replace secure view db.s.v (a comment 'the a') copy grants comment = 'x' as (select a from db.s.x)
--> resolved -> db.s.v
--> A: DB.S.X.A IDENTITY

--- case: bigquery quoted path
--- dialect: bigquery
--- schema: p-x.d.s(a INT64)
select s.a, d.s.a as b from `p-x.d.s` s, p-x.d.s as z
--> resolved
--> a: p-x.d.s.a IDENTITY
--> b: p-x.d.s.a IDENTITY

--- case: snowflake join using multi
--- dialect: snowflake
--- schema: A(K INT, L INT, X INT); B(K INT, L INT, Y INT); C(K INT, Z INT)
select * from a left join b using (k, l) left join c using (k)
--> resolved
--> K: A.K IDENTITY
--> L: A.L IDENTITY
--> X: A.X IDENTITY
--> Y: B.Y IDENTITY
--> Z: C.Z IDENTITY
--> rows: A.K JOIN, B.K JOIN, A.L JOIN, B.L JOIN, C.K JOIN

--- case: bigquery join using star
--- dialect: bigquery
--- schema: a(x INT64, k INT64); b(k INT64, y INT64)
select * except (y), b.y + 1 as y from a full join b using (k)
--> resolved
--> k: a.k TRANSFORMATION, b.k TRANSFORMATION
--> x: a.x IDENTITY
--> y: b.y TRANSFORMATION
--> rows: a.k JOIN, b.k JOIN

--- case: exclude on joined star with using
--- dialect: duckdb
--- schema: a(x INT, k INT); b(k INT, y INT)
select a.* exclude (k), b.* from a join b using (k)
--> resolved
--> x: a.x IDENTITY
--> k: b.k IDENTITY
--> y: b.y IDENTITY
--> rows: a.k JOIN, b.k JOIN

--- case: outer apply openjson
--- dialect: tsql
--- schema: t(id INT, j NVARCHAR)
select t.id, j.[key], j.value from t outer apply openjson(t.j) j
--> resolved
--> id: t.id IDENTITY
--> key: t.j TRANSFORMATION
--> value: t.j TRANSFORMATION

--- case: nested unnest trino
--- dialect: trino
--- schema: t(id BIGINT, a ARRAY(ROW(x BIGINT, l ARRAY(VARCHAR))))
select id, r.x, e from t cross join unnest(a) as r(x, l) cross join unnest(r.l) as q(e)
--> resolved
--> id: t.id IDENTITY
--> x: t.a.x TRANSFORMATION
--> e: t.a.l TRANSFORMATION

--- case: comma lateral flatten with star
--- dialect: snowflake
--- schema: T(ID INT, V VARIANT)
select t.*, f.* from t, lateral flatten(input => v, outer => true) f
--> resolved
--> ID: T.ID IDENTITY
--> V: T.V IDENTITY
--> SEQ: constant
--> KEY: T.V TRANSFORMATION
--> PATH: T.V TRANSFORMATION
--> INDEX: constant
--> VALUE: T.V TRANSFORMATION
--> THIS: T.V TRANSFORMATION

--- case: quoted alias
--- dialect: snowflake
--- schema: T(ID INT)
with "x y" as (select id as "Id" from t) select "x y"."Id", "Id" as b from "x y"
--> resolved
--> Id: T.ID IDENTITY
--> B: T.ID IDENTITY

--- case: options that the grammar doesn't know
--- dialect: oracle
--- schema: S.X(A INT)
create table s.t parallel 4 nologging as with c as (select a from s.x) select a as b from c
--> resolved -> s.t
--> B: S.X.A IDENTITY

--- case: a temporary table of oracle
--- dialect: oracle
--- schema: S.X(A INT)
create global temporary table o$pt_x on commit preserve rows as select a from s.x
--> resolved -> o$pt_x
--> A: S.X.A IDENTITY

--- case: options and a column list
--- dialect: oracle
--- schema: S.X(A INT)
create table s.t (b) parallel 4 nologging as select a from s.x
--> resolved -> s.t
--> B: S.X.A IDENTITY

--- case: insert overwrite static merge false
--- dialect: bigquery
--- schema: p.d.m(id INT64, d DATE, v INT64); p.d.m__dbt_tmp(id INT64, d DATE, v INT64)
merge into `p`.`d`.`m` as DBT_INTERNAL_DEST using (select * from `p`.`d`.`m__dbt_tmp`) as DBT_INTERNAL_SOURCE on FALSE
when not matched by source and d in unnest(['2020-01-01']) then delete
when not matched then insert (`id`, `d`, `v`) values (`id`, `d`, `v`)
--> resolved -> p.d.m
--> id: p.d.m__dbt_tmp.id IDENTITY
--> d: p.d.m__dbt_tmp.d IDENTITY
--> v: p.d.m__dbt_tmp.v IDENTITY
--> rows: p.d.m.d FILTER
