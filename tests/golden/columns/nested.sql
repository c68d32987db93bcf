--- case: a field of a typed struct is a path
--- dialect: bigquery
--- schema: t(id INT64, s STRUCT<a INT64, b STRUCT<c STRING>>)
select s.a, s.b.c as c, t.s.b.c as c2, s from t
--> resolved
--> a: t.s.a TRANSFORMATION
--> c: t.s.b.c TRANSFORMATION
--> c2: t.s.b.c TRANSFORMATION
--> s: t.s IDENTITY

--- case: a field of a column without a known type is coarse
--- dialect: bigquery
select t.s.a as x from d.t
--> resolved
--> x: d.t.s TRANSFORMATION

--- case: a struct built here keeps its fields apart
--- dialect: duckdb
--- schema: t(x INT, y INT)
select s.a, s.b as b, s['a'] as a2, struct_extract(s, 'b') as b2 from (select {'a': x, 'b': y} as s from t)
--> resolved
--> a: t.x TRANSFORMATION
--> b: t.y TRANSFORMATION
--> a2: t.x TRANSFORMATION
--> b2: t.y TRANSFORMATION

--- case: struct star
--- dialect: duckdb
--- schema: t(x INT, y INT)
select s.* from (select {'a': x, 'b': y + 1} as s from t)
--> resolved
--> a: t.x TRANSFORMATION
--> b: t.y TRANSFORMATION

--- case: struct star of a typed column
--- dialect: bigquery
--- schema: t(id INT64, s STRUCT<a INT64, b STRING>)
select id, s.* from t
--> resolved
--> id: t.id IDENTITY
--> a: t.s.a TRANSFORMATION
--> b: t.s.b TRANSFORMATION

--- case: struct star of nested values
--- dialect: bigquery
--- schema: t(id INT64, x INT64, d INT64)
select r.* from (select array_agg(t order by d desc limit 1)[offset(0)] as r from t group by id)
--> resolved
--> id: t.id AGGREGATION, t.d SORT
--> x: t.x AGGREGATION, t.d SORT
--> d: t.d AGGREGATION, t.d SORT
--> rows: t.id GROUP_BY

--- case: first row per key
--- dialect: bigquery
--- schema: t(id INT64, x INT64, d INT64)
select id, array_agg(struct(x, d) order by d desc limit 1)[offset(0)].x as last_x from t group by id
--> resolved
--> id: t.id IDENTITY
--> last_x: t.x AGGREGATION, t.d SORT
--> rows: t.id GROUP_BY

--- case: an unknown field of a known struct
--- dialect: duckdb
--- schema: t(x INT)
select s.b from (select {'a': x} as s from t)
--> unresolved
--> b: unknown_column

--- case: a table alias before a struct
--- dialect: bigquery
--- schema: p.d.t(id INT64, s STRUCT<a INT64>)
select t.s.a as x, u.s.a as y from `p.d.t` as u, p.d.t as t
--> resolved
--> x: p.d.t.s.a TRANSFORMATION
--> y: p.d.t.s.a TRANSFORMATION

--- case: row of trino
--- dialect: trino
--- schema: t(r ROW(a BIGINT, b VARCHAR), m MAP(VARCHAR, BIGINT))
select r.a as a, m['k'] as k, element_at(m, 'z') as z from t
--> resolved
--> a: t.r.a TRANSFORMATION
--> k: t.m TRANSFORMATION
--> z: t.m TRANSFORMATION

--- case: array elements
--- dialect: duckdb
--- schema: t(l STRUCT(p INT, q INT)[], i INT)
select l[1].p as p, l[i].q as q, l[1] as e, len(l) as n from t
--> resolved
--> p: t.l.p TRANSFORMATION
--> q: t.l.q TRANSFORMATION, t.i TRANSFORMATION
--> e: t.l TRANSFORMATION
--> n: t.l TRANSFORMATION

--- case: unnest in bigquery
--- dialect: bigquery
--- schema: t(id INT64, items ARRAY<STRUCT<sku STRING, qty INT64>>)
select id, item.sku, item.qty * 2 as twice, off from t, unnest(items) as item with offset as off
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION
--> twice: t.items.qty TRANSFORMATION
--> off: constant

--- case: unnest of scalars in bigquery
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>)
select id, tag from t cross join unnest(t.tags) as tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: fields of an unnested struct without its alias
--- dialect: bigquery
--- schema: t(id INT64, items ARRAY<STRUCT<sku STRING, qty INT64>>)
select sku, qty from t left join unnest(items) on true
--> resolved
--> sku: t.items.sku TRANSFORMATION
--> qty: t.items.qty TRANSFORMATION

--- case: implicit unnest in bigquery
--- dialect: bigquery
--- schema: t(id INT64, items ARRAY<STRUCT<sku STRING>>)
select i.sku from t, t.items as i
--> resolved
--> sku: t.items.sku TRANSFORMATION

--- case: unnest of an array without a known type
--- dialect: bigquery
select id, item.sku as sku from t, unnest(items) as item
--> partial
--> id: ambiguous_column
--> sku: t.items TRANSFORMATION

--- case: unnest in postgres
--- dialect: postgres
--- schema: t(id INT, arr INT[])
select id, x, unnest(arr) as y from t, unnest(t.arr) as x
--> resolved
--> id: t.id IDENTITY
--> x: t.arr TRANSFORMATION
--> y: t.arr TRANSFORMATION

--- case: unnest with ordinality
--- dialect: postgres
--- schema: t(id INT, arr INT[])
select id, u.x, u.n from t cross join unnest(t.arr) with ordinality as u(x, n)
--> resolved
--> id: t.id IDENTITY
--> x: t.arr TRANSFORMATION
--> n: constant

--- case: several arrays side by side
--- dialect: trino
--- schema: t(a ARRAY(BIGINT), b ARRAY(VARCHAR))
select x, y, n from t cross join unnest(a, b) with ordinality as u(x, y, n)
--> resolved
--> x: t.a TRANSFORMATION
--> y: t.b TRANSFORMATION
--> n: constant

--- case: unnest of rows gives their fields in trino
--- dialect: trino
--- schema: t(a ARRAY(ROW(p BIGINT, q VARCHAR)))
select u.p1, u.q1 from t cross join unnest(a) as u(p1, q1)
--> resolved
--> p1: t.a.p TRANSFORMATION
--> q1: t.a.q TRANSFORMATION

--- case: unnest in a projection in duckdb
--- dialect: duckdb
--- schema: t(id INT, ls STRUCT(p INT, q INT)[])
select id, r.p, r.q from (select id, unnest(ls) as r from t)
--> resolved
--> id: t.id IDENTITY
--> p: t.ls.p TRANSFORMATION
--> q: t.ls.q TRANSFORMATION

--- case: unnest as a table in duckdb
--- dialect: duckdb
--- schema: t(id INT, l INT[])
select id, u.x, unnest from t, unnest(l) as u(x), unnest(l)
--> resolved
--> id: t.id IDENTITY
--> x: t.l TRANSFORMATION
--> unnest: t.l TRANSFORMATION

--- case: lateral view explode
--- dialect: spark
--- schema: t(id INT, l ARRAY<INT>, m MAP<STRING, INT>)
select id, c, k, v from t lateral view explode(l) e as c lateral view outer explode(m) f as k, v
--> resolved
--> id: t.id IDENTITY
--> c: t.l TRANSFORMATION
--> k: t.m TRANSFORMATION
--> v: t.m TRANSFORMATION

--- case: explode in a projection
--- dialect: databricks
--- schema: t(id INT, l ARRAY<STRUCT<a: INT>>)
select id, e.a from (select id, explode(l) as e from t)
--> resolved
--> id: t.id IDENTITY
--> a: t.l.a TRANSFORMATION

--- case: posexplode and inline
--- dialect: databricks
--- schema: t(id INT, l ARRAY<STRUCT<a: INT, b: INT>>)
select p, c, x, y from t lateral view posexplode(l) e as p, c lateral view inline(l) i as x, y
--> resolved
--> p: constant
--> c: t.l TRANSFORMATION
--> x: t.l.a TRANSFORMATION
--> y: t.l.b TRANSFORMATION

--- case: aliases of a generator
--- dialect: databricks
--- schema: t(m MAP<STRING, INT>)
select explode(m) as (k, v) from t
--> resolved
--> k: t.m TRANSFORMATION
--> v: t.m TRANSFORMATION

--- case: flatten
--- dialect: snowflake
--- schema: R(ID INT, PAYLOAD VARIANT)
select id, f.value:k::string as k, f.index as i, f.key from r, lateral flatten(input => r.payload:items) f
--> resolved
--> ID: R.ID IDENTITY
--> K: R.PAYLOAD TRANSFORMATION
--> I: constant
--> KEY: R.PAYLOAD TRANSFORMATION

--- case: flatten without a schema
--- dialect: snowflake
select f.value:k::string as k from raw_t r, lateral flatten(input => payload) f
--> resolved
--> K: raw_t.PAYLOAD TRANSFORMATION

--- case: flatten of a flatten
--- dialect: snowflake
--- schema: R(ID INT, V VARIANT)
select g.value as x from r, lateral flatten(v) f, lateral flatten(input => f.value:inner) g
--> resolved
--> X: R.V TRANSFORMATION

--- case: table(flatten())
--- dialect: snowflake
--- schema: R(ID INT, V VARIANT)
select r.id, f.value from r, table(flatten(r.v)) f
--> resolved
--> ID: R.ID IDENTITY
--> VALUE: R.V TRANSFORMATION

--- case: split_to_table and generators
--- dialect: snowflake
--- schema: R(ID INT, S TEXT)
select id, x.value as part, seq4() as n from r, lateral split_to_table(r.s, ',') x, table(generator(rowcount => 3)) g
--> resolved
--> ID: R.ID IDENTITY
--> PART: R.S TRANSFORMATION
--> N: constant

--- case: json functions in FROM
--- dialect: postgres
--- schema: t(id INT, j JSONB)
select id, e.value ->> 'a' as a, r.b, k from t, jsonb_array_elements(t.j) e, jsonb_to_recordset(t.j) as r(a int, b text), jsonb_object_keys(t.j) k
--> resolved
--> id: t.id IDENTITY
--> a: t.j TRANSFORMATION
--> b: t.j TRANSFORMATION
--> k: t.j TRANSFORMATION

--- case: json_each
--- dialect: postgres
--- schema: t(id INT, j JSONB)
select e.key, e.value from t cross join lateral jsonb_each(t.j) e
--> resolved
--> key: t.j TRANSFORMATION
--> value: t.j TRANSFORMATION

--- case: openjson
--- dialect: tsql
--- schema: t(id INT, j NVARCHAR)
select id, x.a from t cross apply openjson(t.j) with (a int '$.a') x
--> resolved
--> id: t.id IDENTITY
--> a: t.j TRANSFORMATION

--- case: string_split
--- dialect: tsql
--- schema: t(id INT, s NVARCHAR)
select id, value from t cross apply string_split(t.s, ',')
--> resolved
--> id: t.id IDENTITY
--> value: t.s TRANSFORMATION

--- case: generate_series depends on its bounds only
--- dialect: postgres
--- schema: t(a INT, b INT)
select g, n from t, generate_series(t.a, t.b) g, generate_series(1, 3) as h(n)
--> resolved
--> g: t.a TRANSFORMATION, t.b TRANSFORMATION
--> n: constant

--- case: date spine in bigquery
--- dialect: bigquery
select d from unnest(generate_date_array('2020-01-01', current_date())) as d
--> resolved
--> d: constant

--- case: range in duckdb
--- dialect: duckdb
select r.range as x from range(10) r
--> resolved
--> x: constant

--- case: array join
--- dialect: clickhouse
--- schema: t(id INT, arr Array(Int))
select id, x, arr from t array join arr as x
--> resolved
--> id: t.id IDENTITY
--> x: t.arr TRANSFORMATION
--> arr: t.arr IDENTITY

--- case: array join in place
--- dialect: clickhouse
--- schema: t(id INT, arr Array(Int))
select id, arr from t array join arr
--> resolved
--> id: t.id IDENTITY
--> arr: t.arr TRANSFORMATION

--- case: files are relations
--- dialect: duckdb
select t.a, u.b from read_parquet('s3://lake/x/*.parquet', hive_partitioning = true) t join 'data/u.csv' u on t.id = u.id
--> resolved
--> a: s3://lake/x/*.parquet.a IDENTITY
--> b: data/u.csv.b IDENTITY
--> rows: s3://lake/x/*.parquet.id JOIN, data/u.csv.id JOIN

--- case: files in the schema
--- dialect: duckdb
--- schema: data/x.parquet(id INT, dt DATE)
select * from read_parquet('data/x.parquet')
--> resolved
--> id: data/x.parquet.id IDENTITY
--> dt: data/x.parquet.dt IDENTITY

--- case: table function of unknown result
--- dialect: postgres
--- schema: t(a INT)
select f.x, t.a from t, my_function(t.a) f
--> partial
--> x: opaque_function; t.a TRANSFORMATION
--> a: t.a IDENTITY

--- case: table function with declared columns
--- dialect: postgres
--- schema: t(a INT)
select f.x from t, my_function(t.a) as f(x, y)
--> unresolved
--> x: opaque_function; t.a TRANSFORMATION

--- case: nested array of array
--- dialect: bigquery
--- schema: t(o ARRAY<STRUCT<id INT64, lines ARRAY<STRUCT<sku STRING>>>>)
select x.id, l.sku from t, unnest(o) as x, unnest(x.lines) as l
--> resolved
--> id: t.o.id TRANSFORMATION
--> sku: t.o.lines.sku TRANSFORMATION

--- case: array subquery
--- dialect: bigquery
--- schema: t(id INT64, items ARRAY<STRUCT<sku STRING, qty INT64>>)
select id, array(select i.sku from unnest(items) as i where i.qty > 1) as skus from t
--> resolved
--> id: t.id IDENTITY
--> skus: t.items.sku TRANSFORMATION, t.items.qty FILTER

--- case: select as struct
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select x.a from (select as struct a, b from t) as x
--> resolved
--> a: t.a IDENTITY

--- case: max of a struct keeps its fields
--- dialect: duckdb
--- schema: t(a INT, b INT)
select m.b as b from (select max({'a': a, 'b': b}) as m from t)
--> resolved
--> b: t.b AGGREGATION, t.a SORT, t.b SORT

--- case: union of structs
--- dialect: duckdb
--- schema: t(a INT); u(c INT)
select s.a from (select {'a': a} as s from t union all select {'a': c} from u)
--> resolved
--> a: t.a TRANSFORMATION, u.c TRANSFORMATION

--- case: a list of files has the columns of each
--- dialect: duckdb
select a, b as c from read_csv(['a.csv', 'b.csv'], header = true)
--> resolved
--> a: a.csv.a IDENTITY, b.csv.a IDENTITY
--> c: a.csv.b IDENTITY, b.csv.b IDENTITY

--- case: a list of files by name
--- dialect: duckdb
--- schema: a.csv(a INT, b INT); b.csv(c INT, a INT)
select * from read_csv(['a.csv', 'b.csv'], union_by_name = true)
--> resolved
--> a: a.csv.a IDENTITY, b.csv.a IDENTITY
--> b: a.csv.b IDENTITY
--> c: b.csv.c IDENTITY

--- case: a list of files by name of which nothing is known
--- dialect: duckdb
select a from read_csv(['a.csv', 'b.csv'], union_by_name = true)
--> unresolved
--> a: ambiguous_column

--- case: a list of files with a computed name
--- dialect: duckdb
select a from read_csv(['a.csv', 'b' || '.csv'])
--> unresolved
--> a: dynamic_sql

--- case: names of range and generate_series
--- dialect: duckdb
--- schema: t(a INT)
select range, g, generate_series, t.a from range(10), generate_series(1, 5) as s(g), t, generate_series(3)
--> resolved
--> range: constant
--> g: constant
--> generate_series: constant
--> a: t.a IDENTITY

--- case: keys and values of maps
--- dialect: duckdb
--- schema: t(a INT, b INT)
select map {a: b} m, map([a], [b]) n, map_from_entries([(a, b)]) o, {a: b} s from t
--> resolved
--> m: t.a TRANSFORMATION, t.b TRANSFORMATION
--> n: t.a TRANSFORMATION, t.b TRANSFORMATION
--> o: t.a TRANSFORMATION, t.b TRANSFORMATION
--> s: t.b TRANSFORMATION

--- case: objects with computed keys
--- dialect: snowflake
--- schema: T(A INT, B INT)
select object_construct('k', a, b, 1) m, object_construct(*) s, object_agg(a, b) o, array_construct(a, b) r, {'x': a} l, object_construct('k', a):k::int kk from t
--> resolved
--> M: T.A TRANSFORMATION, T.B TRANSFORMATION
--> S: T.A TRANSFORMATION, T.B TRANSFORMATION
--> O: T.A AGGREGATION, T.B AGGREGATION
--> R: T.A TRANSFORMATION, T.B TRANSFORMATION
--> L: T.A TRANSFORMATION
--> KK: T.A TRANSFORMATION

--- case: names of generators without an alias
--- dialect: databricks
--- schema: t(id INT, arr ARRAY<STRUCT<x: INT, y: STRING>>, n ARRAY<INT>)
select id, inline(arr) from t
--> resolved
--> id: t.id IDENTITY
--> x: t.arr.x TRANSFORMATION
--> y: t.arr.y TRANSFORMATION

--- case: names of explode and posexplode
--- dialect: spark
--- schema: t(id INT, arr ARRAY<STRUCT<x: INT, y: STRING>>, n ARRAY<INT>)
select id, posexplode(n) from t union all select pos, col, col from (select posexplode(n) from t) where (select count(*) from (select explode(arr) from t) where col.x > 1) > 1
--> resolved
--> id: t.id IDENTITY
--> pos: t.n TRANSFORMATION
--> col: t.n TRANSFORMATION
--> rows: t.arr.x FILTER

--- case: a subscript of a map with computed keys
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select map {a: b}[c] as x, map {'p': a, 'q': b}['q'] as y from t
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION, t.c TRANSFORMATION
--> y: t.b TRANSFORMATION

--- case: structs of which only the first has names
--- dialect: bigquery
--- schema: t(k INT64, a INT64, b INT64)
select k, m.name, m.val from t cross join unnest([struct('a' as name, a as val), struct('b', b), ('c', 3)]) as m
--> resolved
--> k: t.k IDENTITY
--> name: constant
--> val: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: rows under names
--- dialect: trino
--- schema: t(k INT, a INT, b INT)
select k, m.name, m.val from t cross join unnest(array[row('a', a), row('b', b)]) as m (name, val)
--> resolved
--> k: t.k IDENTITY
--> name: constant
--> val: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: structs of other names
--- dialect: bigquery
--- schema: t(k INT64, a INT64, b INT64)
select m.x from t, unnest([struct(a as x, b as y), struct(b as y, a as x)]) as m
--> resolved
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: level of a hierarchy
--- dialect: snowflake
--- schema: T(K INT, P INT)
select k, level as l from t start with p is null connect by p = prior k
--> resolved
--> K: T.K IDENTITY
--> L: constant
--> rows: T.P FILTER, T.K FILTER

--- case: duck list of structs
--- dialect: duckdb
--- schema: t(k INT, a INT, b INT)
select k, m.name, m.val from (select k, unnest([{'name': 'a', 'val': a}, {'name': 'b', 'val': b}]) as m from t)
--> resolved
--> k: t.k IDENTITY
--> name: constant
--> val: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: json arrows among a function's arguments
--- dialect: postgres
--- schema: t(id INT, j JSONB)
select jsonb_array_length(j->'items') as n, f(j->'x'->>'y') as g, e.value->>'x' as x, e.ord from t cross join lateral jsonb_array_elements(j->'items') with ordinality as e(value, ord)
--> resolved
--> n: t.j TRANSFORMATION
--> g: t.j TRANSFORMATION
--> x: t.j TRANSFORMATION
--> ord: constant

--- case: parts of what the query builds
--- dialect: duckdb
--- schema: t(a INT, b INT)
select [a, b][1] as f, {'x': [a, b]}.x[2] as s, json_object('k', a, 'm', b)->>'k' as j, {'p': a, 'q': b}::json->>'p' as c, [a, b][-1] as n from t
--> resolved
--> f: t.a TRANSFORMATION
--> s: t.b TRANSFORMATION
--> j: t.a TRANSFORMATION
--> c: t.a TRANSFORMATION
--> n: t.b TRANSFORMATION

--- case: elements counted from one and from zero
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select [a, b][offset(0)] as z, [a, b][ordinal(2)] as o, to_json(struct(a, b)).a as j from t
--> resolved
--> z: t.a TRANSFORMATION
--> o: t.b TRANSFORMATION
--> j: t.a TRANSFORMATION

--- case: parts of rows and objects
--- dialect: trino
--- schema: t(a INT, b INT, r ROW(x INT, y INT))
select row(a, b)[1] as r1, cast(row(a, b) as row(p int, q int)).q as q, (r).* as (m, n) from t
--> resolved
--> r1: t.a TRANSFORMATION
--> q: t.b TRANSFORMATION
--> m: t.r.x TRANSFORMATION
--> n: t.r.y TRANSFORMATION

--- case: queries in FROM see what is before them
--- dialect: duckdb
--- schema: t(id INT, a INT); u(tid INT, v INT)
select t.id, x.v, y.c from t, (select v from u where u.tid = t.id) x, (select a * 2 as c) y
--> resolved
--> id: t.id IDENTITY
--> v: u.v IDENTITY
--> c: t.a TRANSFORMATION
--> rows: u.tid FILTER, t.id FILTER

--- case: xml of a column
--- dialect: tsql
--- schema: t(id INT, x XML)
select id, n.c.value('(a)[1]', 'int') as a, t.x.query('/a') as q, dbo.fn(id) as f from t cross apply t.x.nodes('/r/i') as n(c)
--> resolved
--> id: t.id IDENTITY
--> a: t.x TRANSFORMATION
--> q: t.x TRANSFORMATION
--> f: t.id TRANSFORMATION

--- case: json built of a row and of lists
--- dialect: postgres
--- schema: t(id INT, k TEXT, v INT)
select json_build_object('a', json_build_array(k, v), 'b', v)->'a'->>0 as x, to_jsonb(t)->>'k' as y, row_to_json(t) as r from t
--> resolved
--> x: t.k TRANSFORMATION
--> y: t.k TRANSFORMATION
--> r: t.id TRANSFORMATION, t.k TRANSFORMATION, t.v TRANSFORMATION

--- case: arrays in arrays
--- dialect: bigquery
--- schema: t(id INT64, o ARRAY<STRUCT<k STRING, lines ARRAY<STRUCT<sku STRING, n INT64>>>>)
select id, o.k, l.sku, l.n from t, t.o as o, o.lines as l
--> resolved
--> id: t.id IDENTITY
--> k: t.o.k TRANSFORMATION
--> sku: t.o.lines.sku TRANSFORMATION
--> n: t.o.lines.n TRANSFORMATION

--- case: UNNEST of a typed array
--- dialect: bigquery
--- schema: t(a INT64, b INT64)
select id, name, x from t, unnest(array<struct<id int64, name string, x int64>>[(1, 'a', t.a), (2, 'b', t.b)])
--> resolved
--> id: constant
--> name: constant
--> x: t.a TRANSFORMATION, t.b TRANSFORMATION

--- case: UNNEST of an empty typed array
--- dialect: bigquery
select * from unnest(array<struct<x int64, y string>>[])
--> resolved
--> x: constant
--> y: constant

--- case: cast to an array of structs
--- dialect: bigquery
--- schema: t(j STRING)
select e.a, e.b.c from t, unnest(cast(json_query_array(j) as array<struct<a int64, b struct<c string>>>)) as e
--> resolved
--> a: t.j TRANSFORMATION
--> c: t.j TRANSFORMATION

--- case: path to an array in backticks
--- dialect: bigquery
--- schema: p.d.t(id INT64, items ARRAY<STRUCT<sku STRING>>)
select t.id, i.sku from p.d.t, `t.items` as i
--> resolved
--> id: p.d.t.id IDENTITY
--> sku: p.d.t.items.sku TRANSFORMATION

--- case: JSON_TABLE with words for what is missing
--- dialect: oracle
--- schema: T(ID NUMBER, J CLOB)
select t.id, jt.a, jt.e from t, json_table(t.j, '$[*]' null on error columns (a number path '$.a' default 0 on error, e varchar2(5) exists path '$.b' null on empty)) jt
--> resolved
--> ID: T.ID IDENTITY
--> A: T.J TRANSFORMATION
--> E: T.J TRANSFORMATION

--- case: unnest to a depth
--- dialect: duckdb
--- schema: t(s STRUCT(a INT, b STRUCT(c INT, d STRUCT(e INT)))[])
select unnest(s, max_depth := 3) from t
--> resolved
--> a: t.s.a TRANSFORMATION
--> c: t.s.b.c TRANSFORMATION
--> d: t.s.b.d TRANSFORMATION

--- case: field of an array of structs
--- dialect: spark
--- schema: t(id INT, arr ARRAY<STRUCT<a:INT,b:STRUCT<c:INT>>>)
select arr.a, arr.b.c as c from t
--> resolved
--> a: t.arr.a TRANSFORMATION
--> c: t.arr.b.c TRANSFORMATION

--- case: unnest recursive
--- dialect: duckdb
--- schema: t(s STRUCT(a INT, b STRUCT(c INT))[])
select unnest(s, recursive := true) from t
--> resolved
--> a: t.s.a TRANSFORMATION
--> c: t.s.b.c TRANSFORMATION

--- case: clickhouse json and map
--- dialect: clickhouse
--- schema: t(j String, m Map(String, Int32), tup Tuple(a Int32, b String))
select JSONExtractString(j, 'a') a, m['k'] k, tup.a ta, tup.1 t1, tupleElement(tup, 'b') tb, visitParamExtractInt(j, 'x') v from t
--> resolved
--> a: t.j TRANSFORMATION
--> k: t.m TRANSFORMATION
--> ta: t.tup.a TRANSFORMATION
--> t1: t.tup.a TRANSFORMATION
--> tb: t.tup.b TRANSFORMATION
--> v: t.j TRANSFORMATION

--- case: mysql json_table
--- dialect: mysql
--- schema: t(id INT, j JSON)
select t.id, jt.n, jt.a, t.j->>'$.x' x from t, json_table(t.j, '$[*]' columns (n for ordinality, a int path '$.a' default '0' on empty)) as jt
--> resolved
--> id: t.id IDENTITY
--> n: constant
--> a: t.j TRANSFORMATION
--> x: t.j TRANSFORMATION

--- case: oracle table collection
--- dialect: oracle
--- schema: T(ID NUMBER, C VARCHAR2)
select t.id, x.column_value from t, table(t.c) x
--> resolved
--> ID: T.ID IDENTITY
--> COLUMN_VALUE: T.C TRANSFORMATION

--- case: untuple
--- dialect: clickhouse
--- schema: t(id Int32, tup Tuple(a Int32, b String))
select id, untuple(tup), untuple(tup) as x from t
--> resolved
--> id: t.id IDENTITY
--> tup.a: t.tup.a TRANSFORMATION
--> tup.b: t.tup.b TRANSFORMATION
--> x.a: t.tup.a TRANSFORMATION
--> x.b: t.tup.b TRANSFORMATION

--- case: the key of arg_max that is a field as well
--- dialect: duckdb
--- schema: t(g INT, a INT, d INT)
select g, r.a, r.d from (select g, arg_max({'a': a, 'd': d}, d) as r from t group by g)
--> resolved
--> g: t.g IDENTITY
--> a: t.a AGGREGATION, t.d AGGREGATION
--> d: t.d AGGREGATION
--> rows: t.g GROUP_BY

--- case: the order of first() that is a field as well
--- dialect: duckdb
--- schema: t(g INT, a INT, d INT)
select r.a, r.d from (select first({'a': a, 'd': d} order by d desc) as r from t)
--> resolved
--> a: t.a AGGREGATION, t.d SORT
--> d: t.d AGGREGATION, t.d SORT

--- case: fields of an element but for some
--- dialect: bigquery
--- schema: t(id INT64, a INT64, b INT64, ts INT64)
select array_agg(t order by ts desc limit 1)[offset(0)].* except (ts, id) from t group by id
--> resolved
--> a: t.a AGGREGATION, t.ts SORT
--> b: t.b AGGREGATION, t.ts SORT
--> rows: t.id GROUP_BY

--- case: a field of a subquery of a struct
--- dialect: bigquery
--- schema: t(id INT64, a INT64, b INT64, ts INT64)
select (select as struct a, b).b as x from t
--> resolved
--> x: t.b TRANSFORMATION

--- case: ordinals count whatever they count
--- dialect: snowflake
--- schema: T(ID INT, S TEXT, V VARIANT)
select p.value, p.seq, p.index, f.seq as fs, f.index as fi, f.path from t, lateral strtok_split_to_table(t.s, '.') p, lateral flatten(t.v) f
--> resolved
--> VALUE: T.S TRANSFORMATION
--> SEQ: constant
--> INDEX: constant
--> FS: constant
--> FI: constant
--> PATH: T.V TRANSFORMATION

--- case: columns of flatten by position
--- dialect: snowflake
--- schema: T(ID INT, V VARIANT)
select f.a, f.d, f.e:x::int as x from t, lateral flatten(input => t.v) f (a, b, c, d, e, g)
--> resolved
--> A: constant
--> D: constant
--> X: T.V TRANSFORMATION

--- case: string_split with ordinals
--- dialect: tsql
--- schema: t(id INT, s VARCHAR)
select p.value, p.ordinal from t cross apply string_split(t.s, ',', 1) p
--> resolved
--> value: t.s TRANSFORMATION
--> ordinal: constant

--- case: variant_explode counts
--- dialect: databricks
--- schema: t(js STRING)
select v.pos, v.key, v.value from t, lateral variant_explode(parse_json(js)) v
--> resolved
--> pos: constant
--> key: t.js TRANSFORMATION
--> value: t.js TRANSFORMATION

--- case: json_table for ordinality, postgres
--- dialect: postgres
--- schema: t(id INT, j JSON)
select jt.* from t, json_table(t.j, '$[*]' columns (n for ordinality, a int path '$.a', nested path '$.x[*]' columns (m for ordinality, z int path '$'))) jt
--> resolved
--> n: constant
--> a: t.j TRANSFORMATION
--> m: constant
--> z: t.j TRANSFORMATION

--- case: json_table for ordinality, oracle
--- dialect: oracle
--- schema: T(ID INT, J CLOB)
select jt.* from t, json_table(t.j, '$[*]' columns (n for ordinality, a int path '$.a', nested path '$.x[*]' columns (m for ordinality, z int path '$'))) jt
--> resolved
--> N: constant
--> A: T.J TRANSFORMATION
--> M: constant
--> Z: T.J TRANSFORMATION

--- case: json_table for ordinality, trino
--- dialect: trino
--- schema: t(id INT, j JSON)
select jt.* from t, json_table(j, '$[*]' columns (n for ordinality, a int path '$.a', nested path '$.x[*]' columns (m for ordinality, z int path '$'))) jt
--> resolved
--> n: constant
--> a: t.j TRANSFORMATION
--> m: constant
--> z: t.j TRANSFORMATION

--- case: arrays whose elements only change places
--- dialect: bigquery
--- schema: t(ev ARRAY<STRUCT<k STRING, v INT64>>, w ARRAY<STRUCT<k STRING, v INT64>>, n INT64)
select array_reverse(ev)[offset(0)].k as r, array_slice(ev, n, 2)[offset(0)].v as s, array_concat(ev, w)[offset(0)].k as c from t
--> resolved
--> r: t.ev.k TRANSFORMATION
--> s: t.ev.v TRANSFORMATION, t.n TRANSFORMATION
--> c: t.ev.k TRANSFORMATION, t.w.k TRANSFORMATION

--- case: subscripts from the end
--- dialect: duckdb
--- schema: t(a INT, b INT, c INT)
select x[-1] as last, x[-3] as first, x[-4] as none from (select [a, b, c] as x from t)
--> resolved
--> last: t.c TRANSFORMATION
--> first: t.a TRANSFORMATION
--> none: t.a TRANSFORMATION, t.b TRANSFORMATION, t.c TRANSFORMATION

--- case: subscripts from the end by element_at
--- dialect: trino
--- schema: t(a INTEGER, b INTEGER)
select element_at(array[a, b], -1) as last from t
--> resolved
--> last: t.b TRANSFORMATION

--- case: explode of a map
--- dialect: databricks
--- schema: t(id INT, m MAP<STRING, INT>, a ARRAY<INT>)
select id, explode(m), posexplode(a) from t
--> resolved
--> id: t.id IDENTITY
--> key: t.m TRANSFORMATION
--> value: t.m TRANSFORMATION
--> pos: constant
--> col: t.a TRANSFORMATION

--- case: lateral view of a map under its own names
--- dialect: spark
--- schema: t(id INT, m MAP<STRING, INT>)
select id, key, value from t lateral view explode(m) x
--> resolved
--> id: t.id IDENTITY
--> key: t.m TRANSFORMATION
--> value: t.m TRANSFORMATION

--- case: generators over what has no known type have no known columns
--- dialect: spark
select id, explode(x) from t
--> partial star_without_schema
--> id: t.id IDENTITY

--- case: generated columns by name without types
--- dialect: spark
select e.col, p.pos, p.value from t lateral view explode(t.x) e lateral view posexplode(t.y) p
--> resolved
--> col: t.x TRANSFORMATION
--> pos: constant
--> value: t.y TRANSFORMATION

--- case: inline of an unknown array
--- dialect: databricks
select id, inline(x) from t
--> partial star_without_schema
--> id: t.id IDENTITY

--- case: unnest as deep as an unknown type goes
--- dialect: duckdb
select id, unnest(x, recursive := true) from t
--> partial star_without_schema
--> id: t.id IDENTITY

--- case: maps and arrays in one unnest
--- dialect: trino
--- schema: t(m MAP(VARCHAR, INTEGER), a ARRAY(INTEGER))
select k, v, n, o from t cross join unnest(m, a) with ordinality as u(k, v, n, o)
--> resolved
--> k: t.m TRANSFORMATION
--> v: t.m TRANSFORMATION
--> n: t.a TRANSFORMATION
--> o: constant

--- case: maps and arrays in one unnest, types unknown
--- dialect: trino
select k, v, n from t cross join unnest(t.m, t.a) as u(k, v, n)
--> unresolved
--> k: ambiguous_column
--> v: ambiguous_column
--> n: ambiguous_column

--- case: inline under names, of arrays with types and of built ones
--- dialect: databricks
--- schema: t(a INT, b INT, ev ARRAY<STRUCT<k: STRING, v: INT>>)
select inline(ev) as (x, y), inline(array(struct(a, 'x'), struct(b, 'y'))) as (v, n) from t
--> resolved
--> x: t.ev.k TRANSFORMATION
--> y: t.ev.v TRANSFORMATION
--> v: t.a TRANSFORMATION, t.b TRANSFORMATION
--> n: constant

--- case: an array of structs gathered under a clause
--- dialect: snowflake
with a as (select k, array_agg(object_construct('id', id, 'amt', amount)) within group (order by ts) as orders from o group by 1) select f.value:id::int as id, f.value:amt::int as amt from a, lateral flatten(orders) f
--> resolved
--> ID: o.ID AGGREGATION, o.TS SORT
--> AMT: o.AMOUNT AGGREGATION, o.TS SORT
--> rows: o.K GROUP_BY

--- case: an array of structs gathered in a window
--- dialect: snowflake
select array_agg(object_construct('id', id, 'amt', amount)) over (partition by p order by q)[0]:id as x from o
--> resolved
--> X: o.ID AGGREGATION, o.P WINDOW, o.Q WINDOW

--- case: an array of structs gathered under a condition
--- dialect: trino
with a as (select k, array_agg(cast(row(x, y) as row(x int, y int)) order by ts) filter (where z) as l from t group by k) select k, l[1].x as fx, element_at(l, -1).y as ly from a
--> resolved
--> k: t.k IDENTITY
--> fx: t.x AGGREGATION, t.ts SORT, t.z CONDITIONAL
--> ly: t.y AGGREGATION, t.ts SORT, t.z CONDITIONAL
--> rows: t.k GROUP_BY

--- case: a field of the struct that a window hands over
--- dialect: bigquery
select first_value(struct(x, y)) over (partition by k order by d).x as fx, lag(struct(x, y) ignore nulls) over (order by d).y as ly, max(struct(x, y)) over (partition by k).x as mx from t
--> resolved
--> fx: t.x TRANSFORMATION, t.k WINDOW, t.d WINDOW
--> ly: t.y TRANSFORMATION, t.d WINDOW
--> mx: t.x AGGREGATION, t.x SORT, t.y SORT, t.k WINDOW

--- case: elements of a list by function
--- dialect: duckdb
with a as (select k, list({'x': x, 'y': y} order by ts) as l from t group by k) select list_extract(l, n).y as y, array_last(l).x as x from a cross join (select n from u)
--> resolved
--> y: t.y AGGREGATION, t.ts SORT, u.n TRANSFORMATION
--> x: t.x AGGREGATION, t.ts SORT
--> rows: t.k GROUP_BY

--- case: what decides about one field of an array's structs
--- dialect: duckdb
with a as (select k, list({'x': case when c then x end, 'y': y} order by ts) as l from t group by k) select l[1].x as x, l[1].y as y from a
--> resolved
--> x: t.c CONDITIONAL, t.x AGGREGATION, t.ts SORT
--> y: t.y AGGREGATION, t.ts SORT
--> rows: t.k GROUP_BY

--- case: JSON gathered from rows
--- dialect: postgres
with a as (select k, json_agg(json_build_object('x', x, 'y', y) order by d) filter (where w > 1) as j, jsonb_agg(jsonb_build_object('p', p, 'q', q)) as b from t group by k) select k, e->>'x' as x, b->0->>'q' as q from a, json_array_elements(j) e
--> resolved
--> k: t.k IDENTITY
--> x: t.x AGGREGATION, t.d SORT, t.w CONDITIONAL
--> q: t.q AGGREGATION
--> rows: t.k GROUP_BY

--- case: an expression under a name in ARRAY JOIN
--- dialect: clickhouse
with arrayZip(ks, vs) as kv, tupleElement(p, 2) as pv select id, p.1 as k, pv as v from t array join kv as p
--> resolved
--> id: t.id IDENTITY
--> k: t.ks TRANSFORMATION, t.vs TRANSFORMATION
--> v: t.ks TRANSFORMATION, t.vs TRANSFORMATION

--- case: from_json with a schema
--- dialect: databricks
--- schema: t(id INT, js STRING)
select id, j.*, j.b.c as c, i.x as ix, k.q from (select id, from_json(js, 'a INT, b STRUCT<c: STRING>') as j, from_json(js, 'array<struct<x: int, y: int>>', map('mode', 'FAILFAST')) as arr, from_json(js, schema_of_json('{"q": 1}')) as k from t) lateral view explode(arr) e as i
--> resolved
--> id: t.id IDENTITY
--> a: t.js TRANSFORMATION
--> b: t.js TRANSFORMATION
--> c: t.js TRANSFORMATION
--> ix: t.js TRANSFORMATION
--> q: t.js TRANSFORMATION

--- case: JSONExtract of a tuple
--- dialect: clickhouse
--- schema: t(id UInt64, js String)
select JSONExtract(js, 'k', 'Tuple(a UInt64, b Array(String))') as tp, tp.a as a, tp.2 as b, arrayJoin(JSONExtract(js, 'Array(Tuple(x UInt64, y String))')) as e, e.y as y, JSONExtract(js, 'q', 'Int') as q, JSONExtract(js, 'k') z from t
--> resolved
--> tp: t.js TRANSFORMATION
--> a: t.js TRANSFORMATION
--> b: t.js TRANSFORMATION
--> e: t.js TRANSFORMATION
--> y: t.js TRANSFORMATION
--> q: t.js TRANSFORMATION
--> z: t.js TRANSFORMATION

--- case: a lambda reads one field of the elements
--- dialect: duckdb
--- schema: t(l STRUCT(p INT, q INT, r STRUCT(z INT)[])[], a INT)
select list_transform(l, lambda x, i: x.p + i + a) as p, list_transform(l, lambda x: list_transform(x.r, lambda y: y.z + x.q)) as z, list_transform(l, lambda x: {'u': x.q, 'v': a})[1].u as u, list_transform(l, lambda x: 1) as n, list_transform(l, lambda x: x)[1].q as q from t
--> resolved
--> p: t.l.p TRANSFORMATION, t.a TRANSFORMATION
--> z: t.l.r.z TRANSFORMATION, t.l.q TRANSFORMATION
--> u: t.l.q TRANSFORMATION
--> n: t.l TRANSFORMATION
--> q: t.l.q TRANSFORMATION

--- case: elements that a lambda keeps
--- dialect: duckdb
--- schema: t(l STRUCT(p INT, q INT)[], a INT)
select list_filter(l, lambda x: x.p > a) as l, list_filter(l, lambda x: x.p > a)[1].q as q, list_transform(list_filter(l, lambda x: x.p > 1), lambda y: y.q) as m from t
--> resolved
--> l: t.l TRANSFORMATION, t.l.p TRANSFORMATION, t.a TRANSFORMATION
--> q: t.l.q TRANSFORMATION, t.l.p TRANSFORMATION, t.a TRANSFORMATION
--> m: t.l.q TRANSFORMATION, t.l.p TRANSFORMATION

--- case: a list comprehension reads one field of the elements
--- dialect: duckdb
--- schema: t(l STRUCT(p INT, q INT)[], a INT, b INT)
select [x.p for x in l if x.q > a] as p, [x.p for x in [{'p': a, 'q': b}]] as a, [1 for x in l] as n, len([x.q for x in l]) as q from t
--> resolved
--> p: t.l.p TRANSFORMATION, t.l.q CONDITIONAL, t.a CONDITIONAL
--> a: t.a TRANSFORMATION
--> n: t.l TRANSFORMATION
--> q: t.l.q TRANSFORMATION

--- case: a lambda over structs gathered in order
--- dialect: databricks
--- schema: t(l ARRAY<STRUCT<p: INT, q: INT>>, a INT, b INT, c INT)
select sort_array(collect_list(struct(a, b)))[0].b as first, transform(sort_array(collect_list(struct(a, b))), x -> x.b) as sorted, transform(array_sort(collect_list(struct(a, b)), (x, y) -> 1), x -> x.b) as by_lambda, c from t group by c
--> resolved
--> first: t.b AGGREGATION, t.a SORT, t.b SORT
--> sorted: t.b AGGREGATION, t.a SORT, t.b SORT
--> by_lambda: t.a AGGREGATION, t.b AGGREGATION
--> c: t.c IDENTITY
--> rows: t.c GROUP_BY

--- case: a lambda over rows in trino and objects
--- dialect: trino
--- schema: t(l ARRAY(ROW(p BIGINT, q BIGINT)), a BIGINT, b BIGINT)
select transform(filter(l, x -> x.p > 1), x -> x.q) as q, transform(array_sort(array_agg(cast(row(a, b) as row(u bigint, v bigint)))), x -> x.v) as v from t group by l
--> resolved
--> q: t.l.q TRANSFORMATION, t.l.p TRANSFORMATION
--> v: t.b AGGREGATION, t.a SORT, t.b SORT
--> rows: t.l GROUP_BY

--- case: a lambda over objects
--- dialect: snowflake
--- schema: T(A INT, B INT, V VARIANT)
select transform(array_agg(object_construct('p', a, 'q', b)), x -> x:p) as p, transform(v, x -> x:p) as v from t group by v
--> resolved
--> P: T.A AGGREGATION
--> V: T.V TRANSFORMATION
--> rows: T.V GROUP_BY

--- case: a path into built JSON as text or array
--- dialect: postgres
--- schema: t(a INT, b INT, j JSONB, p TEXT[])
select jsonb_build_object('a', jsonb_build_object('b', a, 'c', b)) #>> '{a,b}' as a, jsonb_build_object('a', jsonb_build_array(a, b)) #> '{a,1}' as b, jsonb_build_object('a', a, 'b', b) #> array['b'] as c, j #>> '{a,b}' as j, jsonb_build_object('a', a, 'b', b) #> p as d, jsonb_build_object('a', a, 'b', b) -> 'a' ->> 'b' as e from t
--> resolved
--> a: t.a TRANSFORMATION
--> b: t.b TRANSFORMATION
--> c: t.b TRANSFORMATION
--> j: t.j TRANSFORMATION
--> d: t.a TRANSFORMATION, t.b TRANSFORMATION, t.p TRANSFORMATION
--> e: t.a TRANSFORMATION

--- case: fields of one of several structs
--- dialect: databricks
--- schema: t(id INT, s STRUCT<a: INT, b: INT>, s2 STRUCT<a: INT, b: INT>, other STRUCT<b: INT, a: INT>, arr ARRAY<STRUCT<k: INT, v: INT>>)
select (case when id > 1 then s end).b as b, coalesce(s, s2).a as a, nullif(s, s2).b as n, if(id > 1, s, s2).*, coalesce(s, other).a as o, e.k as k, x.s3.a as sa
from (select *, case id when 1 then s when 2 then s2 else null end as s3 from t) x lateral view explode(coalesce(arr, array())) l as e
--> resolved
--> b: t.s.b TRANSFORMATION, t.id CONDITIONAL
--> a: t.s.a TRANSFORMATION, t.s2.a TRANSFORMATION, t.s CONDITIONAL, t.s2 CONDITIONAL
--> n: t.s.b TRANSFORMATION, t.s CONDITIONAL, t.s2 CONDITIONAL
--> a: t.s.a TRANSFORMATION, t.s2.a TRANSFORMATION, t.id CONDITIONAL
--> b: t.s.b TRANSFORMATION, t.s2.b TRANSFORMATION, t.id CONDITIONAL
--> o: t.s TRANSFORMATION, t.s CONDITIONAL, t.other TRANSFORMATION, t.other CONDITIONAL
--> k: t.arr.k TRANSFORMATION, t.arr CONDITIONAL
--> sa: t.s.a TRANSFORMATION, t.s2.a TRANSFORMATION, t.id CONDITIONAL

--- case: fields of one of several arrays' structs
--- dialect: bigquery
--- schema: t(id INT64, s STRUCT<a INT64, b INT64>, arr ARRAY<STRUCT<k INT64, v INT64>>)
select coalesce(s, struct(1 as a, id as b)).b as cb, if(id > 2, s, null).b as ib, (select sum(e.v) from unnest(ifnull(arr, [])) e) as z from t
--> resolved
--> cb: t.s.b TRANSFORMATION, t.id TRANSFORMATION, t.s CONDITIONAL, t.id CONDITIONAL
--> ib: t.s.b TRANSFORMATION, t.id CONDITIONAL
--> z: t.arr.v AGGREGATION, t.arr CONDITIONAL

--- case: inline_outer
--- dialect: databricks
--- schema: t(id INT, arr ARRAY<STRUCT<k: INT, v: INT>>)
select q.*, e.v as ev from (select arr, inline_outer(arr) as (x, y) from t) q lateral view inline_outer(q.arr) e union all select arr, inline_outer(arr), id from t
--> resolved
--> arr: t.arr IDENTITY
--> x: t.arr.k TRANSFORMATION
--> y: t.arr.v TRANSFORMATION
--> ev: t.arr.v TRANSFORMATION, t.id IDENTITY

--- case: lambdas behind a dot
--- dialect: duckdb
--- schema: t(l STRUCT(p INT, q INT)[], a INT, b INT)
select l.list_transform(lambda x: x.p + a) as p, l.list_filter(lambda x: x.p > 1)[1].q as q, t.l.list_filter(lambda x: x.p > b).list_transform(lambda x: x.q) as c, l.len() as n, l.list_transform(lambda x: 1) as o from t
--> resolved
--> p: t.l.p TRANSFORMATION, t.a TRANSFORMATION
--> q: t.l.q TRANSFORMATION, t.l.p TRANSFORMATION
--> c: t.l.q TRANSFORMATION, t.l.p TRANSFORMATION, t.b TRANSFORMATION
--> n: t.l TRANSFORMATION
--> o: t.l TRANSFORMATION

--- case: a catalog that lists the fields of structs beside them
--- dialect: bigquery
--- schema: p.d.t(id INT64, device STRUCT<category STRING, web STRUCT<b STRING>>, device.category STRING, device.web STRUCT<b STRING>, device.web.b STRING, n STRING); p.d.u(a INT64, b STRUCT<category STRING, web STRUCT<b STRING>>, c STRING)
select *, device.category as cat from p.d.t union all select a, b, c, b.web.b from p.d.u
--> resolved
--> id: p.d.t.id IDENTITY, p.d.u.a IDENTITY
--> device: p.d.t.device IDENTITY, p.d.u.b IDENTITY
--> n: p.d.t.n IDENTITY, p.d.u.c IDENTITY
--> cat: p.d.t.device.category TRANSFORMATION, p.d.u.b.web.b TRANSFORMATION

--- case: fields of an array's tuples
--- dialect: clickhouse
--- schema: t(id UInt64, arr Array(Tuple(x UInt64, y String)))
select arr.x as xs, t.arr.y as ys, arr[1].y as y1, arrayMap(e -> e.x, arr) as ex from t where has(arr.x, 3)
--> resolved
--> xs: t.arr.x TRANSFORMATION
--> ys: t.arr.y TRANSFORMATION
--> y1: t.arr.y TRANSFORMATION
--> ex: t.arr.x TRANSFORMATION
--> rows: t.arr.x FILTER

--- case: tuples gathered by ClickHouse's aggregates
--- dialect: clickhouse
--- schema: a(k UInt64, d Date, x UInt64, y String)
select k, groupArray((d, x)) as g, g[1].2 as gx, groupArrayIf(10)(tuple(x as xx, y), d > '2020-01-01')[1].2 as gy, any((d, y)).2 as ay, groupArray(x)[1] as x1, arrayMap(t -> t.1, groupUniqArray((y, x))) as ys from a group by k
--> resolved
--> k: a.k IDENTITY
--> g: a.d AGGREGATION, a.x AGGREGATION
--> gx: a.x AGGREGATION
--> gy: a.y AGGREGATION, a.d CONDITIONAL
--> ay: a.y AGGREGATION
--> x1: a.x AGGREGATION
--> ys: a.y AGGREGATION
--> rows: a.k GROUP_BY

--- case: tests and folds of an array's structs
--- dialect: databricks
--- schema: t(a ARRAY<STRUCT<x: INT, y: INT>>, b INT)
select exists(a, s -> s.x > b) as e, forall(a, s -> s.y > 1) as f, aggregate(a, 0, (acc, s) -> acc + s.x) as g, reduce(a, b, (acc, s) -> acc + s.y, acc -> acc * 2) as h, case when exists(a, s -> s.x = 1) then b end as c, reduce(a, 0, (acc, s) -> acc + 1) as n from t where exists(a, s -> s.y = b)
--> resolved
--> e: t.a.x TRANSFORMATION, t.b TRANSFORMATION
--> f: t.a.y TRANSFORMATION
--> g: t.a.x TRANSFORMATION
--> h: t.a.y TRANSFORMATION, t.b TRANSFORMATION
--> c: t.a.x CONDITIONAL, t.b TRANSFORMATION
--> n: t.a TRANSFORMATION
--> rows: t.a.y FILTER, t.b FILTER

--- case: tests and folds of an array's rows
--- dialect: trino
--- schema: t(a ARRAY(ROW(x BIGINT, y BIGINT)), b BIGINT)
select any_match(a, s -> s.x > b) as e, all_match(a, s -> s.y > 1) as f, none_match(a, s -> s.x > 1) and b > 1 as n, reduce(a, 0, (acc, s) -> acc + s.x, acc -> acc + b) as g from t
--> resolved
--> e: t.a.x TRANSFORMATION, t.b TRANSFORMATION
--> f: t.a.y TRANSFORMATION
--> n: t.a.x TRANSFORMATION, t.b TRANSFORMATION
--> g: t.a.x TRANSFORMATION, t.b TRANSFORMATION

--- case: tests of an array of unknown structs
--- dialect: trino
select any_match(a, s -> s.x > b) as e, reduce(c, d, (acc, s) -> acc + s.x, acc -> acc) as g, exists(select 1 from u where u.k = t.k) as x from t
--> resolved
--> e: t.a TRANSFORMATION, t.b TRANSFORMATION
--> g: t.c TRANSFORMATION, t.d TRANSFORMATION
--> x: u.k FILTER, t.k FILTER

--- case: keys and values of maps built in the query
--- dialect: trino
--- schema: t(ks ARRAY(VARCHAR), vs ARRAY(INTEGER), a INT, b INT)
select u.k, u.v, w.k as wk, w.v as wv, map(ks, vs)['a'] as one, cardinality(map_keys(map(ks, vs))) as n from t cross join unnest(map(ks, vs)) as u(k, v) cross join unnest(map_from_entries(array[row(a, b)])) with ordinality as w(k, v, i)
--> resolved
--> k: t.ks TRANSFORMATION
--> v: t.vs TRANSFORMATION
--> wk: t.a TRANSFORMATION
--> wv: t.b TRANSFORMATION
--> one: t.vs TRANSFORMATION, t.ks TRANSFORMATION
--> n: t.ks TRANSFORMATION

--- case: keys and values of maps gathered from rows
--- dialect: trino
--- schema: t(a INT, b INT, c INT)
select u.k, u.v, map_values(m) as vs from (select map_agg(a, b) filter (where c > 1) as m from t) cross join unnest(m) as u(k, v)
--> resolved
--> k: t.a AGGREGATION, t.c CONDITIONAL
--> v: t.b AGGREGATION, t.c CONDITIONAL
--> vs: t.b AGGREGATION, t.c CONDITIONAL

--- case: exploded maps built in the query
--- dialect: databricks
--- schema: t(ks ARRAY<STRING>, vs ARRAY<INT>, id INT)
select k, v, p, k2, v2, key, value from t lateral view explode(map(id, vs[0], 3, 4)) e as k, v lateral view posexplode(map_from_arrays(ks, vs)) f as p, k2, v2 lateral view explode(map('x', id)) g
--> resolved
--> k: t.id TRANSFORMATION
--> v: t.vs TRANSFORMATION
--> p: constant
--> k2: t.ks TRANSFORMATION
--> v2: t.vs TRANSFORMATION
--> key: constant
--> value: t.id TRANSFORMATION

--- case: an exploded map among the outputs
--- dialect: databricks
--- schema: t(ks ARRAY<STRING>, vs ARRAY<INT>)
select explode(map_from_arrays(ks, vs)) as (k, v) from t
--> resolved
--> k: t.ks TRANSFORMATION
--> v: t.vs TRANSFORMATION

--- case: maps of either branch
--- dialect: trino
--- schema: t(a INT, b INT, c INT)
select u.k, u.v from (select case when c > 1 then map(array[a], array[b]) else map(array[b], array[1]) end as m from t) cross join unnest(m) as u(k, v)
--> resolved
--> k: t.a TRANSFORMATION, t.b TRANSFORMATION, t.c CONDITIONAL
--> v: t.b TRANSFORMATION, t.c CONDITIONAL

--- case: entries of maps
--- dialect: duckdb
--- schema: t(ks VARCHAR[], vs INT[])
select map_keys(map(ks, vs)) as k, map_values(map(ks, vs)) as v, unnest(map_entries(map(ks, vs))).key as e from t
--> resolved
--> k: t.ks TRANSFORMATION
--> v: t.vs TRANSFORMATION
--> e: t.ks TRANSFORMATION

--- case: maps in clickhouse
--- dialect: clickhouse
--- schema: t(ks Array(String), vs Array(Int32), id Int32)
select mapKeys(map('a', id)) as k, mapValues(mapFromArrays(ks, vs)) as v from t
--> resolved
--> k: constant
--> v: t.vs TRANSFORMATION

--- case: columns that DuckDB's readers are told
--- dialect: duckdb
select *, c from read_csv(['x.csv', 'y.csv'], header = true, columns = {'a': 'INTEGER', 'b': 'STRUCT(c INT)'})
--> partial
--> a: x.csv.a IDENTITY, y.csv.a IDENTITY
--> b: x.csv.b IDENTITY, y.csv.b IDENTITY
--> c: unknown_column

--- case: declared columns and the file's name
--- dialect: duckdb
select * from read_json('x.json', columns = {a: 'INTEGER'}, filename = true)
--> resolved
--> a: x.json.a IDENTITY
--> filename: constant

--- case: declared columns beside those of folders
--- dialect: duckdb
select * from read_csv('p=1/*.csv', columns = {'a': 'INTEGER'})
--> unresolved star_without_schema

--- case: redshift's paths behind numbered elements
--- dialect: redshift
--- schema: o(id INT, items SUPER, c SUPER); s.x(k INT)
select o.id, i.sku, t.k, u.z, w as w, x.k as xk from o, o.items as i at idx, i.tags as t, unpivot o.c as val at attr, val.list u, val as w, s.x x
--> resolved
--> id: o.id IDENTITY
--> sku: o.items TRANSFORMATION
--> k: o.items TRANSFORMATION
--> z: o.c TRANSFORMATION
--> w: o.c TRANSFORMATION
--> xk: s.x.k IDENTITY
