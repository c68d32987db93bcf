--- case: unnest of a map
--- dialect: trino
--- schema: t(m MAP(VARCHAR, BIGINT), a ARRAY(BIGINT))
select k, v, k2, v2, x from t cross join unnest(m) as u(k, v) cross join unnest(m, a) as w(k2, v2, x)
--> resolved
--> k: t.m TRANSFORMATION
--> v: t.m TRANSFORMATION
--> k2: t.m TRANSFORMATION
--> v2: t.m TRANSFORMATION
--> x: t.a TRANSFORMATION

--- case: positions
--- dialect: snowflake
select $1 as a, t.$2 as b from @stage/x t
--> unresolved
--> A: unknown_column
--> B: unknown_column

--- case: positions of values
--- dialect: snowflake
--- schema: T(A INT, B INT)
select $1 as p, $2 as q from t
--> resolved
--> P: T.A IDENTITY
--> Q: T.B IDENTITY

--- case: clickhouse with expr
--- dialect: clickhouse
--- schema: t(a Int, b Int)
with a + 1 as x, (select max(b) from t) as m select x, m + x as y from t where x > 2
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b AGGREGATION, t.a TRANSFORMATION
--> rows: t.a FILTER

--- case: metadata
--- dialect: databricks
--- schema: t(a INT)
select _metadata.file_path as p, a from t
--> resolved
--> p: constant
--> a: t.a IDENTITY

--- case: identifier
--- dialect: snowflake
select a from identifier('db.s.t')
--> resolved
--> A: db.s.t.A IDENTITY

--- case: identifier var
--- dialect: snowflake
select a from identifier($x)
--> unresolved
--> A: dynamic_sql

--- case: tsql alias
--- dialect: tsql
--- schema: t(a INT, b INT)
select total = a + b, isnull(a, 0) as z, iif(a > 1, b, 0) as i from t
--> resolved
--> total: t.a TRANSFORMATION, t.b TRANSFORMATION
--> z: t.a TRANSFORMATION, t.a CONDITIONAL
--> i: t.a CONDITIONAL, t.b TRANSFORMATION

--- case: xml path
--- dialect: tsql
--- schema: t(a INT, id INT); u(n INT, tid INT)
select id, stuff((select ',' + u.n from u where u.tid = t.id for xml path('')), 1, 1, '') as names from t
--> resolved
--> id: t.id IDENTITY
--> names: u.n TRANSFORMATION, u.tid FILTER, t.id FILTER

--- case: cross apply values
--- dialect: tsql
--- schema: t(a INT, b INT)
select v.x, v.n from t cross apply (values ('a', a), ('b', b)) v(n, x)
--> resolved
--> x: t.a IDENTITY, t.b IDENTITY
--> n: constant

--- case: oracle join marks
--- dialect: oracle
--- schema: T(A INT, K INT); U(B INT, K INT)
select t.a, u.b, nvl(u.b, 0) as c, (select 1 from dual) as d from t, u where t.k = u.k(+)
--> resolved
--> A: T.A IDENTITY
--> B: U.B IDENTITY
--> C: U.B TRANSFORMATION, U.B CONDITIONAL
--> D: constant
--> rows: T.K FILTER, U.K FILTER

--- case: oracle keep
--- dialect: oracle
--- schema: T(A INT, K INT, D INT)
select k, max(a) keep (dense_rank last order by d) as m from t group by k
--> resolved
--> K: T.K IDENTITY
--> M: T.A AGGREGATION, T.D SORT
--> rows: T.K GROUP_BY

--- case: match recognize
--- dialect: snowflake
--- schema: T(A INT, K INT, D INT)
select * from t match_recognize (partition by k order by d measures first(a) as f one row per match pattern (x+) define x as a > 1) m
--> resolved
--> K: T.K IDENTITY
--> F: T.A TRANSFORMATION
--> rows: T.K WINDOW, T.D SORT, T.A FILTER

--- case: unnest struct in projection
--- dialect: duckdb
--- schema: t(s STRUCT(a INT, b INT), l STRUCT(c INT)[])
select unnest(s), unnest(l, recursive := true) from t
--> resolved
--> a: t.s.a TRANSFORMATION
--> b: t.s.b TRANSFORMATION
--> c: t.l.c TRANSFORMATION

--- case: prefix alias
--- dialect: duckdb
--- schema: t(a INT)
select x: a + 1 from t
--> resolved
--> x: t.a TRANSFORMATION

--- case: positional join
--- dialect: duckdb
--- schema: t(a INT); u(b INT)
select * from t positional join u
--> resolved
--> a: t.a IDENTITY
--> b: u.b IDENTITY

--- case: exclude qualified
--- dialect: duckdb
--- schema: t(a INT, k INT); u(b INT, k INT)
select * exclude (u.k) from t join u on t.k = u.k
--> resolved
--> a: t.a IDENTITY
--> k: t.k IDENTITY
--> b: u.b IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: star in functions
--- dialect: snowflake
--- schema: T(A INT, B INT)
select object_construct(*) as o, hash(*) as h, count(*) as n, count(distinct *) as d, hash_agg(*) as g from t
--> resolved
--> O: T.A TRANSFORMATION, T.B TRANSFORMATION
--> H: T.A TRANSFORMATION MASKED, T.B TRANSFORMATION MASKED
--> N: constant
--> D: T.A AGGREGATION MASKED, T.B AGGREGATION MASKED
--> G: T.A AGGREGATION MASKED, T.B AGGREGATION MASKED

--- case: struct pack star
--- dialect: duckdb
--- schema: t(a INT, b INT)
select hash(t) as h, to_json(t) as j, row(t.*) as r, md5(t::varchar) as m, hash(columns(*)) as x from t
--> resolved
--> h: t.a TRANSFORMATION MASKED, t.b TRANSFORMATION MASKED
--> j: t.a TRANSFORMATION, t.b TRANSFORMATION
--> r: t.a TRANSFORMATION, t.b TRANSFORMATION
--> m: t.a TRANSFORMATION MASKED, t.b TRANSFORMATION MASKED
--> x: t.a TRANSFORMATION MASKED
--> x: t.b TRANSFORMATION MASKED

--- case: dml ctes
--- dialect: postgres
--- schema: t(a INT, b INT)
with d as (delete from t where a > 1 returning a, b) select a, b from d
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY
--> rows: t.a FILTER

--- case: on duplicate key
--- dialect: mysql
--- schema: s(id INT, v INT); t(id INT, n INT)
insert into t (id, n) select id, v from s on duplicate key update n = values(n) + t.n
--> resolved -> t
--> id: s.id IDENTITY
--> n: s.v IDENTITY, s.v TRANSFORMATION, t.n TRANSFORMATION

--- case: subscripted aggregate
--- dialect: postgres
--- schema: t(a INT, b INT, k INT)
select k, (array_agg(a order by b desc))[1] as last_a, string_agg(distinct a::text, ',') as s from t group by k
--> resolved
--> k: t.k IDENTITY
--> last_a: t.a AGGREGATION, t.b SORT
--> s: t.a AGGREGATION
--> rows: t.k GROUP_BY

--- case: crosstab
--- dialect: postgres
select * from crosstab('select a, b, c from t') as ct(a int, b text)
--> unresolved
--> a: opaque_function
--> b: opaque_function

--- case: insert all
--- dialect: snowflake
--- schema: S(A INT)
insert all into t1 (x) values (a) into t2 (y) values (a) select a from s
--> partial unsupported_statement -> t2
--> Y: S.A IDENTITY

--- case: copy into
--- dialect: snowflake
copy into t (a, b) from (select $1, $2 from @stage)
--> unresolved -> t
--> A: unknown_column
--> B: unknown_column

--- case: sample and final
--- dialect: clickhouse
--- schema: t(a Int, b Int)
select a, sum(b) as s from t final sample 0.1 group by a with totals
--> resolved
--> a: t.a IDENTITY
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY

--- case: json tuple
--- dialect: spark
--- schema: t(j STRING, id INT)
select id, a, b from t lateral view json_tuple(j, 'a', 'b') x as a, b
--> resolved
--> id: t.id IDENTITY
--> a: t.j TRANSFORMATION
--> b: t.j TRANSFORMATION

--- case: arg_max
--- dialect: duckdb
--- schema: t(a INT, b INT)
select arg_max(a, b) as m, max_by(a, b) as n, first(a order by b) as f, list(a order by b)[1] as l from t
--> resolved
--> m: t.a AGGREGATION, t.b AGGREGATION
--> n: t.a AGGREGATION, t.b AGGREGATION
--> f: t.a AGGREGATION, t.b SORT
--> l: t.a AGGREGATION, t.b SORT

--- case: any_value having max
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select any_value(a having max b) as m, array_agg(a ignore nulls order by b limit 1)[safe_offset(0)] as f, countif(a > 1) as c, string_agg(cast(a as string) order by b) as s from t
--> resolved
--> m: t.a AGGREGATION, t.b AGGREGATION
--> f: t.a AGGREGATION, t.b SORT
--> c: t.a CONDITIONAL
--> s: t.a AGGREGATION, t.b SORT

--- case: group by rollup with grouping
--- dialect: postgres
--- schema: t(a INT, b INT)
select a, grouping(a) as g, sum(b) as s from t group by rollup (a)
--> resolved
--> a: t.a IDENTITY
--> g: t.a TRANSFORMATION
--> s: t.b AGGREGATION
--> rows: t.a GROUP_BY

--- case: values statement
--- dialect: duckdb
values (1, 2)
--> resolved
--> col0: constant
--> col1: constant

--- case: table statement
--- dialect: postgres
--- schema: t(a INT, b INT)
table t
--> resolved
--> a: t.a IDENTITY
--> b: t.b IDENTITY

--- case: summarize
--- dialect: duckdb
summarize t
--> unresolved unsupported_statement

--- case: pipe
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
from t |> where a > 1 |> aggregate sum(b) as s group by a |> select s, a
--> resolved
--> s: t.b AGGREGATION
--> a: t.a IDENTITY
--> rows: t.a FILTER, t.a GROUP_BY

--- case: time travel
--- dialect: snowflake
--- schema: T(A INT)
select a from t at (offset => -60)
--> resolved
--> A: T.A IDENTITY

--- case: duckdb macro call table
--- dialect: duckdb
select a from my_macro('x')
--> unresolved
--> a: opaque_function

--- case: query function
--- dialect: duckdb
select * from query('select 1 as a')
--> unresolved opaque_function

--- case: mysql concat
--- dialect: mysql
--- schema: t(a INT, b INT)
select group_concat(distinct a order by b separator ',') as g, if(a, b, 0) as i, ifnull(a, b) as n, a regexp 'x' as r from t
--> resolved
--> g: t.a AGGREGATION, t.b SORT
--> i: t.a CONDITIONAL, t.b TRANSFORMATION
--> n: t.a TRANSFORMATION, t.a CONDITIONAL, t.b TRANSFORMATION, t.b CONDITIONAL
--> r: t.a TRANSFORMATION

--- case: postgres odd functions
--- dialect: postgres
--- schema: t(a TEXT, b INT)
select substring(a from 1 for b) as s, trim(both 'x' from a) as t, position('x' in a) as p, extract(epoch from a::timestamp) as e, overlay(a placing 'x' from b) as o from t
--> resolved
--> s: t.a TRANSFORMATION, t.b TRANSFORMATION
--> t: t.a TRANSFORMATION
--> p: t.a TRANSFORMATION
--> e: t.a TRANSFORMATION
--> o: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: double nested using
--- dialect: postgres
--- schema: a(k INT, x INT); b(k INT, y INT); c(k INT, z INT)
select a.k as ak, b.k as bk, k from a left join b using (k) full join c using (k)
--> resolved
--> ak: a.k IDENTITY
--> bk: b.k IDENTITY
--> k: a.k TRANSFORMATION, c.k TRANSFORMATION
--> rows: a.k JOIN, b.k JOIN, c.k JOIN

--- case: qualified star after using
--- dialect: postgres
--- schema: a(k INT, x INT); b(k INT, y INT)
select b.*, a.x from a join b using (k)
--> resolved
--> k: b.k IDENTITY
--> y: b.y IDENTITY
--> x: a.x IDENTITY
--> rows: a.k JOIN, b.k JOIN

--- case: match_recognize snowflake
--- dialect: snowflake
--- schema: P(COMPANY TEXT, PDATE INT, PRICE INT)
select * from p match_recognize(partition by company order by pdate measures match_number() as mn, first(pdate) as sd, last(pdate) as ed, count(row_with_price_decrease.*) as nd one row per match after match skip to last row_with_price_increase pattern(row_before row_with_price_decrease+ row_with_price_increase+) define row_with_price_decrease as price < lag(price), row_with_price_increase as price > lag(price)) order by company, mn
--> resolved
--> COMPANY: P.COMPANY IDENTITY
--> MN: constant
--> SD: P.PDATE TRANSFORMATION
--> ED: P.PDATE TRANSFORMATION
--> ND: constant
--> rows: P.COMPANY WINDOW, P.PDATE SORT, P.PRICE FILTER, P.COMPANY SORT

--- case: trino match recognize
--- dialect: trino
--- schema: o(cid INT, od INT, price INT)
select * from o match_recognize(partition by cid order by od measures a.price as sp, last(down.price) as bp, classifier() as c all rows per match pattern (a down+ up+) define down as price < prev(price), up as price > prev(price)) m
--> resolved
--> cid: o.cid IDENTITY
--> od: o.od IDENTITY
--> sp: o.price IDENTITY
--> bp: o.price TRANSFORMATION
--> c: constant
--> price: o.price IDENTITY
--> rows: o.cid WINDOW, o.od SORT, o.price FILTER

--- case: XML methods without a schema
--- dialect: tsql
select x.value('(/r)[1]', 'int') as v, t.y.query('/r') as q, dbo.fn(a) as f from t
--> resolved
--> v: t.x TRANSFORMATION
--> q: t.y TRANSFORMATION
--> f: t.a TRANSFORMATION

--- case: methods of Oracle's XML without a schema
--- dialect: oracle
select x.getclobval() as v, pkg.fn(a) as f from t
--> resolved
--> V: t.X TRANSFORMATION
--> F: t.A TRANSFORMATION

--- case: sequences written like columns
--- dialect: oracle
--- schema: T(A INT)
select seq.nextval as n, s.seq.currval as c, a from t
--> resolved
--> N: constant
--> C: constant
--> A: T.A IDENTITY

--- case: JSON_QUERY with a wrapper, TRANSLATE USING
--- dialect: oracle
--- schema: T(J CLOB, S VARCHAR)
select json_query(j, '$.b' with unconditional array wrapper) as q, translate(s using char_cs) as u from t
--> resolved
--> Q: T.J TRANSFORMATION
--> U: T.S TRANSFORMATION

--- case: XMLTABLE for ordinality
--- dialect: oracle
--- schema: T(ID INT, J CLOB)
select x.nm, x.o, t.id from t, xmltable('/r/i' passing xmltype(t.j) columns nm varchar2(10) path '@n', o for ordinality) x
--> resolved
--> NM: T.J TRANSFORMATION
--> O: constant
--> ID: T.ID IDENTITY

--- case: TABLE() of built collections
--- dialect: oracle
--- schema: T(A INT); U(X INT, ID INT)
select c.column_value as v, m.p from t, table(sys.odcinumberlist(t.a, 2)) c, table(cast(multiset(select x from u) as nums)) m
--> resolved
--> V: T.A TRANSFORMATION
--> P: U.X TRANSFORMATION

--- case: SUBSET of MATCH_RECOGNIZE
--- dialect: trino
--- schema: t(k INTEGER, d INTEGER, a INTEGER)
select * from t match_recognize (partition by k order by d measures first(w.a) as f, max(w.d) as m pattern (x y+) subset w = (x, y) define y as y.a > prev(y.a))
--> resolved
--> k: t.k IDENTITY
--> f: t.a TRANSFORMATION
--> m: t.d AGGREGATION
--> rows: t.k WINDOW, t.d SORT, t.a FILTER

--- case: PRIOR among Snowflake's outputs
--- dialect: snowflake
--- schema: T(ID INT, BOSS INT)
select id, prior id as up from t start with boss is null connect by prior id = boss
--> resolved
--> ID: T.ID IDENTITY
--> UP: T.ID TRANSFORMATION
--> rows: T.BOSS FILTER, T.ID FILTER

--- case: RATIO_TO_REPORT, HLL_COUNT.INIT
--- dialect: snowflake
--- schema: T(A INT, S TEXT)
select ratio_to_report(a) over (partition by s) as r from t
--> resolved
--> R: T.A AGGREGATION, T.S WINDOW

--- case: aggregates of BigQuery's name spaces
--- dialect: bigquery
--- schema: t(a INT64)
select hll_count.extract(hll_count.init(a)) as h, net.host(cast(a as string)) as n from t
--> resolved
--> h: t.a AGGREGATION
--> n: t.a TRANSFORMATION

--- case: VALUES in MySQL
--- dialect: mysql
values row(1, 'a'), row(2, 'b')
--> resolved
--> column_0: constant
--> column_1: constant

--- case: XMLTABLE in PostgreSQL
--- dialect: postgres
--- schema: t(id INT, j XML)
select x.*, t.id from t, xmltable('/r/i' passing t.j columns nm text path '@n', o for ordinality) x
--> resolved
--> nm: t.j TRANSFORMATION
--> o: constant
--> id: t.id IDENTITY

--- case: a query under T-SQL's alias =
--- dialect: tsql
--- schema: t(id INT, a INT, b INT)
select id, mx = (select max(v) from (values (a), (b)) as x(v)) from t
--> resolved
--> id: t.id IDENTITY
--> mx: t.a AGGREGATION, t.b AGGREGATION

--- case: methods behind a path into JSON and functions of packages
--- dialect: oracle
--- schema: T(ID INT, J JSON)
select t.j.a.b.string() as ab, t.j.n.number() + 1 as n, pkg.f(t.id) as f, s.pkg.f(t.id) as g from t
--> resolved
--> AB: T.J TRANSFORMATION
--> N: T.J TRANSFORMATION
--> F: T.ID TRANSFORMATION
--> G: T.ID TRANSFORMATION

--- case: JSON_TABLE with NESTED alone
--- dialect: oracle
--- schema: T(ID INT, J CLOB)
select t.id, jt.sku, jt.rn, jt.tag from t, json_table(t.j, '$.items[*]' columns (rn for ordinality, sku varchar2(10) path '$.sku', nested '$.tags[*]' columns (tag varchar2(5) path '$'))) jt
--> resolved
--> ID: T.ID IDENTITY
--> SKU: T.J TRANSFORMATION
--> RN: constant
--> TAG: T.J TRANSFORMATION

--- case: RETURNING behind the order of JSON_ARRAYAGG
--- dialect: oracle
--- schema: T(ID INT, J CLOB)
select json_arrayagg(t.id order by t.j returning clob) as x, json_objectagg(key t.id value t.j returning clob) y, json_object('k' value t.id returning clob) z from t
--> resolved
--> X: T.ID AGGREGATION, T.J SORT
--> Y: T.ID AGGREGATION, T.J AGGREGATION
--> Z: T.ID TRANSFORMATION

--- case: ClickHouse aggregates that the grammar does not know
--- dialect: clickhouse
--- schema: t(id UInt64, a UInt64, b UInt64)
select groupArraySorted(5)(a) as gs, groupArraySortedIf(5)(a, b > 1) as gi, lttb(4)(a, b) l, quantileDD(0.01, 0.5)(a) as q, approx_top_k(3)(a) as k, singleValueOrNull(a) s, sumMapFiltered([1])(a, b) m, quantile(0.5)(a) as qq from t
--> resolved
--> gs: t.a AGGREGATION
--> gi: t.a AGGREGATION, t.b CONDITIONAL
--> l: t.a AGGREGATION, t.b AGGREGATION
--> q: t.a AGGREGATION
--> k: t.a AGGREGATION
--> s: t.a AGGREGATION
--> m: t.a AGGREGATION, t.b AGGREGATION
--> qq: t.a AGGREGATION

--- case: INSERT that replaces rows on a condition
--- dialect: databricks
--- schema: t(id INT, a INT, d DATE); u(id INT, a INT, d DATE)
insert into t as tgt replace on (tgt.id <=> s.id) (select id, a, d from u) as s
--> resolved -> t
--> id: u.id IDENTITY
--> a: u.a IDENTITY
--> d: u.d IDENTITY

--- case: a literal without an alias in MySQL
--- dialect: mysql
select 'lit', 1, 1.5 from dual
--> resolved
--> lit: constant
--> 1: constant
--> 1.5: constant

--- case: MERGE TOP with a column list of its source
--- dialect: tsql
--- schema: t(id INT, a INT, d BIT); s(id INT, a INT)
merge top (10) percent into t with (holdlock) as tgt using (select id, a from s where a > 0) as src (sid, sa) on tgt.id = src.sid when matched and exists (select src.sa except select tgt.a) then update set tgt.a = src.sa when not matched by target then insert (id, a) values (sid, sa) when not matched by source then update set d = 1 output $action, inserted.id;
--> resolved -> t
--> a: s.a IDENTITY
--> id: s.id IDENTITY
--> d: constant
--> rows: s.a FILTER, t.id JOIN, s.id JOIN, t.a FILTER

--- case: functions side by side
--- dialect: postgres
--- schema: t(a INT, b INT, arr INT[], j JSONB)
select r.* from t, rows from (generate_series(1, a), unnest(arr), jsonb_to_recordset(t.j) as (p int, q text)) with ordinality as r(x, y, p, q, o)
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.arr TRANSFORMATION
--> p: t.j TRANSFORMATION
--> q: t.j TRANSFORMATION
--> o: constant

--- case: clickhouse semi joins give columns of the other side
--- dialect: clickhouse
--- schema: t(a Int, k Int); u(k Int, c Int)
select a, c, u.k as uk from t semi left join u on t.k = u.k
--> resolved
--> a: t.a IDENTITY
--> c: u.c IDENTITY
--> uk: u.k IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: clickhouse semi joins without a schema
--- dialect: clickhouse
select t.a, c from t left semi join u using (k)
--> partial
--> a: t.a IDENTITY
--> c: ambiguous_column
--> rows: t.k JOIN, u.k JOIN

--- case: clickhouse star over a semi join
--- dialect: clickhouse
--- schema: t(a Int, k Int); u(k Int, c Int)
select * from t left semi join u on t.k = u.k
--> resolved
--> a: t.a IDENTITY
--> k: t.k IDENTITY
--> k: u.k IDENTITY
--> c: u.c IDENTITY
--> rows: t.k JOIN, u.k JOIN

--- case: clickhouse files that say their columns
--- dialect: clickhouse
select * from s3('https://x/y.csv', 'key', 'secret', 'CSV', 'p Int32, `q r` Array(String)') where p > 1
--> resolved
--> p: https://x/y.csv.p IDENTITY
--> q r: https://x/y.csv.q r IDENTITY
--> rows: https://x/y.csv.p FILTER

--- case: clickhouse files at an address
--- dialect: clickhouse
select u.*, u.q.x as qx from url('http://x', CSV, 'p Int, q Tuple(x Int, y String)') u
--> resolved
--> p: http://x.p IDENTITY
--> q: http://x.q IDENTITY
--> qx: http://x.q.x TRANSFORMATION

--- case: clickhouse tables of other servers
--- dialect: clickhouse
select a.x, b.y, c.z, d.w from remote('h:9000', db.t2, 'user', 'password') a, remote('h', db, t3, 'user') b, cluster('c', 'db', 't4') c, remote('h', t5) d
--> resolved
--> x: db.t2.x IDENTITY
--> y: db.t3.y IDENTITY
--> z: db.t4.z IDENTITY
--> w: t5.w IDENTITY
